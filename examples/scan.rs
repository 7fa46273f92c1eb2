//! Scans a list of pages and gives back its findings page by page: after each page the request ends, and any instance
//! of the server goes on with the next one.
//!
//! ```text
//! cargo run --bin scan -- play                                               runs on to the end
//! cargo run --bin scan -- serve --dialect resume-token                       a client gets each page's findings
//! cargo run --bin scan -- serve                                              in MCP 2026-07-28: rounds without questions
//! ```
//!
//! The common clients of MCP 2026-07-28 stop after ten rounds, and show no partial results: there a scan of more pages
//! would ask for fewer checkpoints (every tenth page), or for a client of resume tokens.

use std::process::ExitCode;

use saga_runtime::cli::Cli;
use saga_runtime::{Json, Sagas, ToolError, checkpoint, saga_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Scans the pages of a site for links that lead nowhere.
#[saga_tool(max_rounds = 200, ttl = "1h")]
async fn scan(
    /// The site's name.
    site: String,
    /// How many pages it has.
    pages: u32,
    #[context] web: &Web,
) -> Result<Json<Report>, ToolError> {
    let mut report = Report::default();
    for page in 1..=pages {
        let links = web.links(&site, page).await?;
        let found: Vec<Finding> =
            links.into_iter().filter(|link| link.ends_with('7')).map(|link| Finding { page, link }).collect();
        let partial = Report { pages: page, findings: found.clone() };
        report.pages = page;
        report.findings.extend(found);
        if page < pages {
            checkpoint(Json(partial)).await;
        }
    }
    Ok(Json(report))
}

/// What was found, and on how many pages it was looked for.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct Report {
    pages: u32,
    findings: Vec<Finding>,
}

/// A link that leads nowhere.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Finding {
    page: u32,
    link: String,
}

/// The pages. A real one fetches them; a tool sees no difference.
struct Web;

impl Web {
    async fn links(&self, site: &str, page: u32) -> Result<Vec<String>, ToolError> {
        tokio::task::yield_now().await; // a real page is fetched here
        eprintln!("web: {site} page {page} in process {}", std::process::id());
        Ok((page * 3..page * 3 + 5).map(|link| format!("https://{site}/{link}")).collect())
    }
}

fn main() -> ExitCode {
    let server = Sagas::builder("scan", env!("CARGO_PKG_VERSION")).context(Web).tool::<scan>();
    Cli::new(server).example("scan", r#"{ "site": "example.com", "pages": 4 }"#, "{}").run()
}
