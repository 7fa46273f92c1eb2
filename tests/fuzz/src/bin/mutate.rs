//! Holds mutated tokens and states to the bounds, on stable, and prints what they cost at most.
//!
//! ```text
//! cd tests/fuzz && cargo run --release -- [--seconds 10] [--seed 1] [--corpus corpus]
//! ```
//!
//! What `cargo fuzz` has found is in `corpus/open` and `corpus/state`, and is begun with, too.

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use saga_fuzz::random::Random;
use saga_fuzz::{Cost, LEAST_LEN, LONGEST, open, state, states, tokens};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (mut seconds, mut seed, mut corpus) = (10, 1, "corpus".to_owned());
    while let Some(name) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        match (name.as_str(), value.parse::<u64>()) {
            ("--seconds", Ok(value)) => seconds = value,
            ("--seed", Ok(value)) => seed = value,
            ("--corpus", _) => corpus = value,
            _ => {
                eprintln!("{name} {value}: what is known is --seconds, --seed and --corpus");
                return ExitCode::FAILURE;
            }
        }
    }
    let each = Duration::from_secs(seconds) / 2;
    run("open", open, tokens(), Path::new(&corpus), each, seed);
    run("state", state, states(), Path::new(&corpus), each, seed);
    ExitCode::SUCCESS
}

fn run(
    name: &str,
    target: fn(&[u8]) -> Cost,
    mut inputs: Vec<Vec<u8>>,
    corpus: &Path,
    within: Duration,
    seed: u64,
) {
    let found = std::fs::read_dir(corpus.join(name)).into_iter().flatten().flatten();
    inputs.extend(found.filter_map(|file| std::fs::read(file.path()).ok()));
    let (mut random, start) = (Random::of(seed), Instant::now());
    let (mut count, mut taken, mut memory, mut growth, mut time) = (0_u64, 0_u64, 0, 0, Duration::ZERO);
    let mut note = |input: &[u8]| {
        let cost = target(input);
        count += 1;
        taken += u64::from(cost.was_taken);
        memory = memory.max(cost.memory);
        growth = growth.max(cost.memory / input.len().max(LEAST_LEN));
        time = time.max(cost.time);
    };
    for input in &inputs {
        note(input);
    }
    while start.elapsed() < within {
        note(&random.mutated(&inputs, LONGEST));
    }
    println!(
        "{name}: {} to begin with, {count} inputs, {taken} taken for the server's own; at most {memory} bytes of memory \
         ({growth} times the input, or 48 KiB where that is more), {time:?}",
        inputs.len()
    );
}
