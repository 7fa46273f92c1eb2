//! rustc, as this crate was built with: modules in, errors per module or a program out.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Failure;

/// The crates that a random tool names.
const CRATES: [&str; 5] = ["saga_tests", "saga_runtime", "serde", "serde_json", "tokio"];

/// Those of them, and the macros behind them, of which each program is a test.
const TESTED: [&str; 3] = ["saga_macros", "saga_runtime", "saga_tests"];

/// Compiles modules.
pub(crate) struct Compiler {
    directory: PathBuf,
    externs: Vec<String>,
    dependencies: PathBuf,
    fingerprint: u64,
}

/// An error of rustc's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Error {
    /// Such as `E0277`; none for what a macro says.
    pub(crate) code: Option<String>,
    pub(crate) message: String,
    /// The line and column in the module, as text.
    pub(crate) place: String,
}

/// What becomes of a crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emit {
    /// Nothing: it is checked.
    Check,
    /// A program.
    Program,
}

impl Compiler {
    /// A compiler that works in this directory below the target directory.
    pub(crate) fn new(name: &Path) -> Result<Self, Failure> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let arguments = ["build", "-p", "saga-tests", "--lib", "--message-format=json", "--manifest-path"];
        let mut cargo = Command::new(cargo);
        // Beside this program, where the crates are built already.
        if let Some(target) = std::env::current_exe()?.ancestors().nth(2) {
            cargo.env("CARGO_TARGET_DIR", target);
        }
        let built = cargo.args(arguments).arg(manifest).stderr(Stdio::inherit()).output()?;
        let (mut externs, mut dependencies) = (Vec::new(), PathBuf::new());
        let mut tested = DefaultHasher::new();
        for line in String::from_utf8(built.stdout)?.lines() {
            let message: Value = serde_json::from_str(line)?;
            let Some(name) = message["target"]["name"].as_str() else { continue };
            let files = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let of_kind = |kind| {
                let mut files = files.clone().map(Path::new);
                files.find(|file| file.extension().is_some_and(|extension| extension == kind))
            };
            if let Some(library) = of_kind("rlib").filter(|_| CRATES.contains(&name)) {
                externs.push(format!("{name}={}", library.display()));
            }
            if TESTED.contains(&name) {
                // On other systems that of the macros has another name, and the others change with it.
                of_kind("rlib").or_else(|| of_kind("so")).map(fs::read).transpose()?.hash(&mut tested);
            }
            if let Some(directory) = of_kind("rmeta").and_then(Path::parent) {
                dependencies = directory.to_path_buf();
            }
        }
        if externs.len() != CRATES.len() {
            return Err(format!("cargo did not say where {CRATES:?} are").into());
        }
        let target = dependencies.ancestors().nth(2).unwrap_or(Path::new("target"));
        let directory = target.join("soak").join(name);
        fs::create_dir_all(&directory)?;
        Ok(Self { directory, externs, dependencies, fingerprint: tested.finish() })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Another one when what is tested is another.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Compiles the modules into one crate, below what `main` says; the errors of each, if there are any.
    pub(crate) fn compile(
        &self,
        modules: &[(String, String)],
        main: &str,
        emit: Emit,
    ) -> Result<BTreeMap<String, Vec<Error>>, Failure> {
        let mut root = String::new();
        for (name, text) in modules {
            writeln!(root, "mod {name};")?;
            fs::write(self.directory.join(format!("{name}.rs")), text)?;
        }
        fs::write(self.directory.join("main.rs"), root + main)?;
        let mut rustc = Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()));
        rustc.current_dir(&self.directory).args([
            "--edition=2024",
            "--crate-type=bin",
            "--error-format=json",
        ]);
        rustc.args(["--cap-lints=allow", "--cfg=test", "-Copt-level=0", "-Cdebuginfo=0"]);
        rustc.arg("-L").arg(format!("dependency={}", self.dependencies.display()));
        for library in &self.externs {
            rustc.arg("--extern").arg(library);
        }
        rustc.arg(match emit {
            Emit::Check => "--emit=metadata",
            Emit::Program => "--emit=link",
        });
        let output = rustc.arg("-o").arg(self.output(emit)).arg("main.rs").output()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let errors = errors(&text);
        if !output.status.success() && errors.is_empty() {
            return Err(format!("rustc failed without an error in a module:\n{text}").into());
        }
        Ok(errors)
    }

    /// Where the program is.
    pub(crate) fn output(&self, emit: Emit) -> PathBuf {
        self.directory.join(match emit {
            Emit::Check => "checked.rmeta",
            Emit::Program => "program",
        })
    }
}

/// The errors of each module.
fn errors(text: &str) -> BTreeMap<String, Vec<Error>> {
    let mut errors = BTreeMap::<String, Vec<Error>>::new();
    for line in text.lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        if message["level"] != "error" {
            continue;
        }
        let Some((module, place)) = place_of(&message) else { continue };
        let code = message["code"]["code"].as_str().map(ToOwned::to_owned);
        let message = message["message"].as_str().unwrap_or_default().to_owned();
        errors.entry(module).or_default().push(Error { code, message, place });
    }
    errors
}

/// In which module a message is about something, and where.
fn place_of(message: &Value) -> Option<(String, String)> {
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().find(|span| span["is_primary"] == true)?;
    let mut span = primary;
    // What a macro wrote is found where the macro was called.
    while let Some(outer) = span["expansion"]["span"].as_object() {
        if span["file_name"].as_str().is_some_and(|file| file.starts_with('p')) {
            break;
        }
        span = outer.get("file_name").and(Some(&span["expansion"]["span"]))?;
    }
    let module = span["file_name"].as_str()?.strip_suffix(".rs")?.to_owned();
    Some((module, format!("{}:{}", span["line_start"], span["column_start"])))
}
