//! What Saga costs, beside what it is made of and what a user would take instead.
//!
//! ```text
//! cd tests/bench && cargo run --release            # about five minutes; writes docs/benchmarks.md
//! cd tests/bench && cargo run --release -- 3       # fewer rounds, prints only
//! ```

mod growth;
mod report;
mod stats;
mod transition;

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use saga_bench::http;

/// The crates of the contestants. Each is built by itself: together, cargo would give each the features of all.
const CRATES: [&str; 4] = ["sagas", "by-hand", "on-neva", "echo"];

const ROUNDS: usize = 11;

fn main() -> io::Result<()> {
    let few = env::args().nth(1).and_then(|rounds| rounds.parse().ok());
    for name in CRATES {
        build(name)?;
    }
    let before = report::load();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let is_pinned = http::server::can_pin() && http::server::pin_driver("1");
    let contest = runtime.block_on(http::contest(few.unwrap_or(ROUNDS)))?;
    let growth = runtime.block_on(growth::measured())?;
    let transitions = transition::measured();
    let pinned = if is_pinned { "servers and driver pinned to a core each" } else { "nothing pinned" };
    let load = format!("{pinned}; load of the machine before {before}, after {}", report::load());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/benchmarks.md");
    let before = fs::read_to_string(&file).unwrap_or_default();
    let page = report::page(&contest, &transitions, &growth, &load, report::scale(&before));
    print!("{page}");
    if few.is_none() {
        fs::write(file, page)?;
    }
    Ok(())
}

fn build(name: &str) -> io::Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()?;
    status.success().then_some(()).ok_or_else(|| io::Error::other(format!("`{name}` does not compile")))
}
