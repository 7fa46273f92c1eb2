//! What `#[saga_tool]` costs in compile time: a crate of 50 saga tools beside the same 50 as plain async functions that
//! register by hand, in one run, interleaved. Each crate is built from clean (its dependencies are there) and again
//! after one tool was touched.
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
}

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/compile-time");
    let crates = [Kind::Plain, Kind::Saga].map(|kind| Crate { kind, at: root.join(kind.name()) });
    for subject in &crates {
        subject.write(0)?;
        subject.build("build")?;
        subject.build("check")?;
    }
    for command in ["build", "check"] {
        let mut clean = [Vec::new(), Vec::new()];
        let mut touched = [Vec::new(), Vec::new()];
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
        fs::write(self.at.join("Cargo.toml"), manifest)?;
        let mut source = PREAMBLE.to_owned();
        source.push_str(ASKED);
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
        }
    }

    fn tool(&self, number: usize, changed: usize) -> String {
        let (attribute, context, ask) = match self.kind {
            Kind::Plain => ("", "", "asked"),
            Kind::Saga => ("#[saga_runtime::saga_tool]\n", "#[context] ", ""),
        };
        let body = BODY.replace("CHANGED", &changed.to_string()).replace("ASK", ask);
        let mut tool = String::new();
        let _ = writeln!(
            tool,
            "{attribute}pub async fn tool{number}(service: String, {context}fleet: &Fleet) -> Result<String, ToolError> \
             {body}"
        );
        tool
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

    fn build(&self, command: &str) -> io::Result<Duration> {
        let start = Instant::now();
        let status = Command::new("cargo").args([command, "--quiet"]).current_dir(&self.at).status()?;
        let took = start.elapsed();
        status.success().then_some(took).ok_or_else(|| io::Error::other("the crate does not compile"))
    }
}

fn print(command: &str, what: &str, times: &[Vec<Duration>; 2]) {
    let [plain, saga] = times.each_ref().map(|times| {
        let mut times = times.clone();
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    });
    println!("cargo {command}, {what}: plain {plain:.2} s, sagas {saga:.2} s, {:.1} times", saga / plain);
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
