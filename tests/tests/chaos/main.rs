//! Sagas through a proxy, on several instances, while everything around them fails: instances are killed by SIGKILL
//! before and after each effect, while they wait, and at random; they are restarted in turn; clocks differ by a
//! minute and jump; keys are rotated; Redis is killed and started; replies are lost and requests sent again, also
//! twice at a time; large states wait in Redis; and some clients try another branch of an old token. Then each effect
//! must be in an append-only journal, once.
//!
//! ```text
//! cargo test -p saga-tests --test chaos                              300 sagas
//! cargo test -p saga-tests --test chaos -- --sagas 10000             the long run
//! cargo test -p saga-tests --test chaos -- --plant other-keys        a server that is broken: must be found out
//! ```

mod client;
mod figures;
mod fleet;
mod journal;
mod server;
mod trouble;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use saga_tests::external::{Nginx, Redis, is_installed};

use self::client::Worker;
use self::figures::Figures;
use self::fleet::Fleet;
use self::server::{Fault, Settings};

/// Sagas of a run that is not told how many.
const FEW: u32 = 300;
/// Sagas that a planted fault is looked for in.
const ENOUGH: u32 = 16;

/// One run.
struct Run {
    instances: usize,
    sagas: u32,
    seed: u64,
    fault: Option<Fault>,
}

fn main() -> ExitCode {
    if let Some(settings) = Settings::of_environment() {
        return server::serve(settings);
    }
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let after = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).cloned();
    let number = |name: &str| after(name).and_then(|text| text.parse().ok());
    let test = "chaos: killed processes, rolling restarts, lost replies";
    if !is_installed("redis-server", test) || !is_installed("nginx", test) {
        return ExitCode::SUCCESS;
    }
    let sagas = number("--sagas").unwrap_or(FEW);
    let seed = number("--seed").map_or(1, u64::from);
    if let Some(name) = after("--plant") {
        let Some(fault) = Fault::named(&name) else {
            eprintln!("no fault is called `{name}`; there are {:?}", Fault::ALL.map(Fault::name));
            return ExitCode::from(2);
        };
        return is_found(fault, seed);
    }
    let mut is_good = true;
    for (instances, sagas) in [(2, sagas / 2), (4, sagas - sagas / 2)] {
        is_good &= run(&Run { instances, sagas, seed, fault: None }).report(instances, sagas);
    }
    for fault in Fault::ALL {
        is_good &= is_found(fault, seed) == ExitCode::SUCCESS;
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a fault that was planted into the server is found out.
fn is_found(fault: Fault, seed: u64) -> ExitCode {
    let figures = run(&Run { instances: 2, sagas: ENOUGH, seed, fault: Some(fault) });
    match figures.found.first() {
        Some(found) => {
            let first: String = found.chars().take(100).collect();
            println!("planted {}: found, {} times, first: {first}", fault.name(), figures.found.len());
        }
        None => println!("planted {}: NOT FOUND", fault.name()),
    }
    if figures.found.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn run(run: &Run) -> Figures {
    let start = Instant::now();
    let home = Home::new();
    let mut redis = Redis::durable(&home.0.join("redis"));
    let settings = Settings::in_directory(&home.0, &redis.address(), run.seed, run.fault);
    let fleet = Arc::new(Fleet::start(run.instances, &settings));
    let nginx = Nginx::in_front_of(&fleet.ports(), &home.0.join("nginx"));

    let sagas = Arc::new(AtomicU64::new(0));
    // They wait more than they work: mostly for what the dead had claimed.
    let workers: Vec<_> = (0..usize::min(64, 8 + run.sagas as usize / 5))
        .map(|number| Worker::new(number, nginx.port(), run.seed, Arc::clone(&sagas), run.sagas))
        .collect();
    let progress: Vec<_> = workers.iter().map(Worker::progress).collect();
    let is_over = Arc::new(AtomicBool::new(false));
    let figures = std::thread::scope(|scope| {
        let trouble = scope.spawn(|| trouble::make(&fleet, &mut redis, &settings, &progress, &is_over));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let figures = runtime.block_on(client::work(workers));
        is_over.store(true, Ordering::SeqCst);
        figures.and(trouble.join().expect("no panic"))
    });
    fleet.stop();
    let mut figures = figures.and(journal::compare(&settings, run.sagas));
    figures.check();
    figures.seconds = start.elapsed().as_secs();
    figures
}

/// A directory that goes with the run.
struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let number = RUNS.fetch_add(1, Ordering::SeqCst);
        let path = std::env::temp_dir().join(format!("saga-chaos-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What is left in the directory for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
