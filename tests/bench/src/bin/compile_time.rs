//! What `#[saga_tool]` costs in compile time: a crate of 50 saga tools beside the same 50 as plain async functions that
//! register by hand, and as methods under rmcp's `#[tool]`, which gives each a schema and reads its arguments, as a saga
//! has it too. All in one run, interleaved; the least of some rounds counts. Each crate is built from clean (its
//! dependencies are there) and again after one tool was touched. At the end, what rustc spends in expanding macros, in
//! a `cargo check` from clean.
//!
//! ```text
//! cargo run --release --bin compile_time
//! ```

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const TOOLS: usize = 50;
const ROUNDS: usize = 3;

/// How the tools of a crate are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Saga,
    Rmcp,
}

const KINDS: [Kind; 3] = [Kind::Plain, Kind::Saga, Kind::Rmcp];

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/compile-time");
    let crates = KINDS.map(|kind| Crate { kind, at: root.join(kind.name()) });
    for subject in &crates {
        subject.write(0)?;
        subject.build("build")?;
        subject.build("check")?;
    }
    for command in ["build", "check"] {
        let mut clean = KINDS.map(|_| Vec::new());
        let mut touched = KINDS.map(|_| Vec::new());
        for round in 1..=ROUNDS {
            for (index, subject) in crates.iter().enumerate() {
                subject.forget()?;
                clean[index].push(subject.build(command)?);
                subject.write(round)?;
                touched[index].push(subject.build(command)?);
            }
        }
        print(command, "clean", &clean);
        print(command, "after touching one tool", &touched);
    }
    for subject in &crates {
        println!("the expansion of {}: {:.2} s", subject.kind.name(), subject.expansion()?);
    }
    Ok(())
}

/// A generated crate.
struct Crate {
    kind: Kind,
    at: PathBuf,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Saga => "saga",
            Self::Rmcp => "rmcp",
        }
    }
}

impl Crate {
    /// Writes the sources; the round changes one tool.
    fn write(&self, round: usize) -> io::Result<()> {
        fs::create_dir_all(self.at.join("src"))?;
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../saga-runtime");
        let manifest = format!(
            "[package]\nname = \"tools-{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             saga-runtime = {{ path = \"{}\", default-features = false }}\nserde = {{ version = \"1\", features = \
             [\"derive\"] }}\n",
            self.kind.name(),
            runtime.display(),
        );
        let rmcp = "rmcp = { version = \"3.9.0\", default-features = false, features = [\"server\", \"macros\"] }\n\
                    schemars = \"1\"\n";
        let manifest = manifest + if self.kind == Kind::Rmcp { rmcp } else { "" };
        fs::write(self.at.join("Cargo.toml"), manifest)?;
        let mut source = PREAMBLE.to_owned();
        source.push_str(ASKED);
        if self.kind == Kind::Rmcp {
            let arguments: String = (0..TOOLS).map(arguments).collect();
            source.push_str(&RMCP.replace("ARGUMENTS", &arguments));
        }
        for tool in 0..TOOLS {
            let changed = if tool == TOOLS / 2 { round } else { 0 };
            source.push_str(&self.tool(tool, changed));
        }
        source.push_str(&self.registration());
        fs::write(self.at.join("src/lib.rs"), source)
    }

    /// Code that calls every tool by its name, so that all of it is compiled to the end.
    fn registration(&self) -> String {
        let mut code = String::new();
        for number in 0..TOOLS {
            let _ = match self.kind {
                Kind::Plain => write!(code, "\"tool{number}\" => Box::pin(tool{number}(service, fleet)),"),
                Kind::Saga => write!(code, ".tool::<tool{number}>()"),
                Kind::Rmcp => Ok(()),
            };
        }
        match self.kind {
            Kind::Plain => format!(
                "pub fn run<'a>(name: &str, service: String, fleet: &'a Fleet) -> std::pin::Pin<Box<dyn Future<Output = \
                 Result<String, ToolError>> + Send + 'a>> {{ match name {{ {code} _ => unreachable!() }} }}"
            ),
            Kind::Saga => format!(
                "pub fn server() -> Result<saga_runtime::Sagas, saga_runtime::BuildError> {{ \
                 saga_runtime::Sagas::builder(\"tools\", \"1.0.0\").context(Fleet){code}.build() }}"
            ),
            Kind::Rmcp => "}\npub fn router() -> rmcp::handler::server::router::tool::ToolRouter<Fleet> { \
                           Fleet::tool_router() }"
                .to_owned(),
        }
    }

    fn tool(&self, number: usize, changed: usize) -> String {
        let (attribute, context, ask) = match self.kind {
            Kind::Plain => ("", "", "asked"),
            Kind::Saga => ("#[saga_runtime::saga_tool]\n", "#[context] ", ""),
            Kind::Rmcp => return Self::method(number, changed),
        };
        let body = body(ask, changed);
        let mut tool = String::new();
        let _ = writeln!(
            tool,
            "{attribute}pub async fn tool{number}(service: String, {context}fleet: &Fleet) -> Result<String, ToolError> \
             {body}"
        );
        tool
    }

    /// The same under `#[tool]`.
    fn method(number: usize, changed: usize) -> String {
        let body = body("asked", changed).replace("fleet.", "self.").replace("ToolError", "Failed");
        format!(
            "#[tool(description = \"Deploys.\")]\nasync fn tool{number}(&self, Parameters(Arguments{number} {{ service }}): \
             Parameters<Arguments{number}>) -> Result<String, Failed> {body}\n"
        )
    }

    /// Forgets what was built of this crate, and nothing of its dependencies.
    fn forget(&self) -> io::Result<()> {
        let status = Command::new("cargo")
            .args(["clean", "--quiet", "-p"])
            .arg(format!("tools-{}", self.kind.name()))
            .current_dir(&self.at)
            .status()?;
        status.success().then_some(()).ok_or_else(|| io::Error::other("cargo clean failed"))
    }

    /// Seconds that rustc says it spends in expanding, as it does with `-Ztime-passes`.
    fn expansion(&self) -> io::Result<f64> {
        self.forget()?;
        let output = Command::new("cargo")
            .args(["rustc", "--quiet", "--profile", "check", "--lib", "--", "-Ztime-passes"])
            .env("RUSTC_BOOTSTRAP", "1")
            .current_dir(&self.at)
            .output()?;
        let lines =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let line = lines.lines().find(|line| line.ends_with("macro_expand_crate"));
        let seconds =
            line.and_then(|line| line.split_whitespace().nth(1)?.trim_end_matches(';').parse().ok());
        seconds.ok_or_else(|| io::Error::other("rustc does not say what it spends"))
    }

    fn build(&self, command: &str) -> io::Result<Duration> {
        let start = Instant::now();
        let status = Command::new("cargo").args([command, "--quiet"]).current_dir(&self.at).status()?;
        let took = start.elapsed();
        status.success().then_some(took).ok_or_else(|| io::Error::other("the crate does not compile"))
    }
}

/// The type of a method's arguments.
fn arguments(number: usize) -> String {
    format!(
        "#[derive(Deserialize, schemars::JsonSchema)]\npub struct Arguments{number} {{ service: String }}\n"
    )
}

/// A tool's body, which asks in this way.
fn body(ask: &str, changed: usize) -> String {
    BODY.replace("CHANGED", &changed.to_string()).replace("ASK", ask)
}

fn print(command: &str, what: &str, times: &[Vec<Duration>; 3]) {
    let [plain, saga, rmcp] =
        times.each_ref().map(|times| times.iter().min().map_or(f64::NAN, Duration::as_secs_f64));
    println!(
        "cargo {command}, {what}: plain {plain:.2} s, sagas {saga:.2} s, {:.1} times, rmcp {rmcp:.2} s, {:.1} times",
        saga / plain,
        rmcp / plain
    );
}

const PREAMBLE: &str = r#"
use saga_runtime::{Form, ToolError, elicit, sample};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
pub struct Target { environment: String, replicas: u8, note: Option<String> }

#[derive(Form, Serialize, Deserialize)]
pub struct Confirm { yes: bool }

pub struct Fleet;

impl Fleet {
    async fn latest_release(&self, service: &str) -> Result<String, ToolError> { Ok(format!("{service} v42")) }
    async fn deploy(&self, service: &str, release: &str, region: &str) -> Result<(), ToolError> {
        println!("{service} {release} {region}");
        Ok(())
    }
}
"#;

/// How a plain function asks: by a call that is awaited. Both crates have it.
const ASKED: &str = r"
pub async fn asked<S: saga_runtime::step::Step>(step: S) -> Result<S::Answer, saga_runtime::StepError> {
    step.read(&saga_runtime::step::Answer::Result(Default::default())).unwrap_or(Err(saga_runtime::StepError::Declined))
}
";

/// What the methods need, and the start of their `impl`.
const RMCP: &str = r#"
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

/// A failure that the client is shown.
pub struct Failed(String);

impl Failed {
    fn new(text: &str) -> Self { Self(text.to_owned()) }
}

impl From<ToolError> for Failed {
    fn from(error: ToolError) -> Self { Self(format!("{error:?}")) }
}

impl From<saga_runtime::StepError> for Failed {
    fn from(error: saga_runtime::StepError) -> Self { Self(error.to_string()) }
}

impl rmcp::model::IntoContents for Failed {
    fn into_contents(self) -> Vec<rmcp::model::ContentBlock> { self.0.into_contents() }
}

ARGUMENTS
#[tool_router]
impl Fleet {
"#;

const BODY: &str = r#"{
    let release = fleet.latest_release(&service).await?;
    let target: Target = ASK(elicit(format!("Where should {service} {release} go? CHANGED"))).await?;
    let verdict = ASK(sample(format!("Is deploying to {} safe?", target.environment)).max_tokens(100)).await?;
    if !verdict.text().starts_with("Yes") {
        let go: Confirm = ASK(elicit(format!("The reviewer says: {}. Continue?", verdict.text()))).await?;
        if !go.yes {
            return Err(ToolError::new("stopped by the operator"));
        }
    }
    let regions = vec![target.environment.clone(), "eu".to_owned()];
    for region in &regions {
        let ok: Confirm = ASK(elicit(format!("Roll out to {region}?"))).await?;
        if ok.yes {
            fleet.deploy(&service, &release, region).await?;
        }
    }
    Ok(format!("{service} {release} is out"))
}"#;
