//! What the choice of a cipher's code costs: the same tokens sealed and opened by `RustCrypto`'s code as it chooses for
//! itself, by its portable one, and by *ring*. Each is a build of its own; they take turns.
//!
//! ```text
//! cd tests/bench && cargo run --release --bin ciphers
//! ```

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, io};

use saga_bench::{Subject, measure};
use saga_runtime::clock::{Clock, SystemClock, SystemEntropy};
use saga_runtime::token::{Binding, Claims, KeyRing, Limits, Sealer};

/// Bytes of the states.
const STATES: [usize; 4] = [256, 1024, 4096, 48 * 1024];
const ROUNDS: usize = 7;

/// How the token's crates are built: a name, rustc's flags, cargo's arguments.
const BUILDS: [(&str, &str, &[&str]); 3] = [
    ("by itself", "", &[]),
    ("`poly1305_backend=\"soft\"`", "--cfg poly1305_backend=\"soft\"", &[]),
    ("feature `ring`", "", &["--features", "ring"]),
];

fn main() -> ExitCode {
    let result = if env::args().nth(1).as_deref() == Some("once") { once() } else { compare() };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the nanoseconds of sealing and opening, for each of the states.
fn once() -> io::Result<()> {
    let sealer = Sealer::new("bench", KeyRing::ephemeral().map_err(io::Error::other)?);
    let sealer = sealer.map_err(io::Error::other)?;
    let (dialect, method, tool) = ("mcp/2026-07-28", "tools/call", "deploy");
    let binding = Binding { dialect, method, tool, principal: None, arguments: [9; 32] };
    let (limits, now) = (Limits::default(), SystemClock.now());
    let claims = Claims::first(now, Claims::DEFAULT_TTL, [3; 16]);
    for len in STATES {
        let state = vec![5; len];
        let seal = || sealer.seal(&binding, &claims, &state, &limits, &SystemEntropy, &SystemClock);
        let mut both = [Subject::new("seal and open", || {
            seal().map(|token| sealer.open(&token, &binding, &limits, now).is_ok())
        })];
        let batches = if len > 8192 { 30 } else { 200 };
        println!("{:.0}", measure(&mut both, 60, batches)[0].fastest);
    }
    Ok(())
}

fn compare() -> io::Result<()> {
    let built = BUILDS.iter().map(build).collect::<io::Result<Vec<_>>>()?;
    let mut least = vec![[f64::INFINITY; STATES.len()]; BUILDS.len()];
    for _ in 0..ROUNDS {
        for (least, binary) in least.iter_mut().zip(&built) {
            for (least, now) in least.iter_mut().zip(run(binary)?) {
                *least = least.min(now);
            }
        }
    }
    println!("| sealed and opened, µs | {} |", STATES.map(|len| format!("{len} bytes")).join(" | "));
    println!("|---|{}", "---|".repeat(STATES.len()));
    for ((name, ..), row) in BUILDS.iter().zip(&least) {
        let cells =
            row.iter().zip(&least[0]).map(|(now, first)| format!("{:.2} ({:.2})", now / 1e3, now / first));
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    println!("\nThe fastest of {ROUNDS} turns; in brackets, to the first line.");
    Ok(())
}

fn build((name, flags, arguments): &(&str, &str, &[&str])) -> io::Result<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = place.join("target/ciphers").join(name.replace(|c: char| !c.is_ascii_alphanumeric(), ""));
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--bin", "ciphers"])
        .args(*arguments)
        .env("RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(place)
        .status()?;
    let binary = target.join("release").join(format!("ciphers{}", env::consts::EXE_SUFFIX));
    status.success().then_some(binary).ok_or_else(|| io::Error::other(format!("{name}: does not build")))
}

fn run(binary: &Path) -> io::Result<[f64; STATES.len()]> {
    let output = Command::new(binary).arg("once").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    figures.try_into().map_err(|_| io::Error::other("a build did not say what it takes"))
}
