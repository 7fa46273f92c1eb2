//! Deploys a service: the person picks the target, a model reviews the plan, and every region is confirmed.
//!
//! ```text
//! cargo run --bin deploy -- play                          answer in the terminal
//! cargo run --bin deploy -- play --fresh                  the same, a new process for every answer
//! cargo run --bin deploy -- graph deploy                  the tool's flow
//! cargo run --bin deploy -- serve --http 127.0.0.1:8080   an MCP server
//! ```

use std::fmt;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use saga_runtime::cli::Cli;
use saga_runtime::{Choice, Form, Sagas, ToolError, elicit, saga_tool, sample};
use serde::{Deserialize, Serialize};

/// Deploys a service after a person picks the target and a model reviews it.
#[saga_tool]
pub(crate) async fn deploy(
    /// Name of the service, as in the registry.
    service: String,
    #[context] fleet: &Fleet,
) -> Result<String, ToolError> {
    let release = fleet.latest_release(&service).await?;
    let target: Target = elicit(format!("Where should {service} {release} go?")).await?;
    let verdict = sample(format!("Is deploying to {} safe?", target.environment)).max_tokens(100).await?;
    if !verdict.text().starts_with("Yes") {
        let go: Confirm = elicit(format!("The reviewer says: {}. Continue?", verdict.text())).await?;
        if !go.yes {
            return Err(ToolError::new("stopped by the operator"));
        }
    }
    for region in &target.regions {
        let ok: Confirm = elicit(format!("Roll out to {region}?")).await?;
        if ok.yes {
            fleet.deploy(&service, &release, region).await?;
        }
    }
    Ok(format!("{service} {release} is out"))
}

/// What the person fills in. It is held across later questions, and so it is serializable.
#[derive(Form, Serialize, Deserialize)]
struct Target {
    environment: Environment,
    #[form(min_items = 1, description = "in the order of the roll-out")]
    regions: Vec<Region>,
}

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "lowercase")]
enum Environment {
    Staging,
    Production,
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "kebab-case")]
enum Region {
    EuWest,
    UsEast,
    ApSouth,
}

impl fmt::Display for Environment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.value())
    }
}

impl fmt::Display for Region {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.value())
    }
}

/// What runs where. A real one is behind an API; a tool sees no difference.
#[derive(Default)]
pub(crate) struct Fleet {
    pub(crate) running: Mutex<Vec<String>>,
}

impl Fleet {
    async fn latest_release(&self, service: &str) -> Result<String, ToolError> {
        tokio::task::yield_now().await; // a real fleet is asked over the network here
        match service {
            "web" => Ok("v42".to_owned()),
            "billing" => Ok("v7".to_owned()),
            other => {
                Err(ToolError::new(format!("no service is called `{other}`; there are `web` and `billing`")))
            }
        }
    }

    async fn deploy(&self, service: &str, release: &str, region: &Region) -> Result<(), ToolError> {
        tokio::task::yield_now().await;
        let deployed = format!("{service} {release} in {region}");
        eprintln!("fleet: {deployed}");
        self.running.lock().unwrap_or_else(PoisonError::into_inner).push(deployed);
        Ok(())
    }
}

fn main() -> ExitCode {
    let server =
        Sagas::builder("fleet", env!("CARGO_PKG_VERSION")).context(Fleet::default()).tool::<deploy>();
    Cli::new(server).example("deploy", r#"{ "service": "web" }"#, include_str!("deploy.json")).run()
}
