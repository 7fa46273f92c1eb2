//! Holds thousands of random tools to the law.
//!
//! ```text
//! cargo run -p saga-tests --bin soak -- --programs 3000 --seed 1
//! ```
//!
//! Goes on where it was stopped, with the same compiler; `--fresh` begins anew. What fails is made smaller and printed. The last line is
//! `N programs, S suspensions, D differ`; the exit status is 1 if a program differs, or is refused by rustc although
//! its plain function compiles.

mod compile;
mod progress;
mod shrink;
mod verdict;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use saga_tests::random::Program;

use self::compile::Compiler;
use self::progress::Progress;
use self::verdict::{Until, Verdict, judge};

/// Holds random tools to the law.
#[derive(Parser)]
struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 100)]
    programs: u64,
    /// What they are made from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many are compiled at once.
    #[arg(long, default_value_t = 40)]
    batch: u64,
    /// Forget what was run before with this seed.
    #[arg(long)]
    fresh: bool,
    /// Show failures as they are.
    #[arg(long)]
    no_shrink: bool,
    /// Run this program alone, and keep no record of it.
    #[arg(long)]
    only: Option<u64>,
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let &Arguments { programs, seed, batch, fresh, no_shrink, only } = arguments;
    let name = only.map_or(format!("seed-{seed}"), |index| format!("seed-{seed}-{index}"));
    let compiler = Compiler::new(&PathBuf::from(name))?;
    if let Some(index) = only {
        let program = Program::new(seed, index);
        let verdict = judge(&compiler, std::slice::from_ref(&program), Until::Ran)?.remove(0);
        show(&compiler, (seed, index), &program, &verdict, !no_shrink)?;
        return Ok(if verdict.is_failure() { ExitCode::FAILURE } else { ExitCode::SUCCESS });
    }
    let mut progress =
        Progress::open(&compiler.directory().join("progress.txt"), compiler.fingerprint(), fresh)?;
    let missing = (0..programs).filter(|index| !progress.knows(*index)).collect::<Vec<_>>();
    let mut shown = BTreeMap::new();
    println!("seed {seed}: {} of {programs} programs to run", missing.len());
    for indices in missing.chunks(usize::try_from(batch.max(1))?) {
        let made = indices.iter().map(|index| Program::new(seed, *index)).collect::<Vec<_>>();
        let verdicts = judge(&compiler, &made, Until::Ran)?;
        for ((index, program), verdict) in indices.iter().zip(&made).zip(&verdicts) {
            if verdict.is_failure() {
                // Making a program smaller takes its time; those of a kind may have the same cause.
                let before = shown.entry(verdict.kind()).or_insert(0);
                *before += 1;
                show(&compiler, (seed, *index), program, verdict, !no_shrink && *before <= 2)?;
            }
            progress.add(*index, verdict)?;
        }
        println!("{} programs so far: {}", progress.len(), progress.summary());
    }
    Ok(report(seed, programs, &progress))
}

/// Shows a program and what became of it, made smaller if it failed.
fn show(
    compiler: &Compiler,
    (seed, index): (u64, u64),
    program: &Program,
    verdict: &Verdict,
    smaller: bool,
) -> Result<(), Failure> {
    println!("\nprogram {index} of seed {seed} {verdict}");
    if smaller && !matches!(verdict, Verdict::Passed(_)) {
        println!("{}", shrink::shrink(compiler, program, verdict)?.module());
    }
    Ok(())
}

fn report(seed: u64, programs: u64, progress: &Progress) -> ExitCode {
    let mut rows = BTreeMap::new();
    for index in (0..programs).filter(|index| progress.was_held(*index)) {
        for (row, count) in Program::new(seed, index).rows() {
            *rows.entry(row).or_insert(0) += count;
        }
    }
    println!("\nhow often each construct was drawn:");
    for (row, count) in rows {
        println!("{count:>8} {row}");
    }
    println!("\nrefused by name:");
    for (reason, count) in progress.refusals() {
        println!("{count:>8} {reason}");
    }
    println!("\n{}", progress.summary());
    println!("{}", progress.last_line());
    if progress.failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
