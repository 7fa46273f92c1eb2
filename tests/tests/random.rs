//! The law, on 48 random tools (`saga_tests::random`). `soak` holds thousands of them to it.

#![allow(clippy::all, clippy::pedantic, reason = "nobody wrote the tools")]

use std::process::ExitCode;

include!(concat!(env!("OUT_DIR"), "/random.rs"));

fn main() -> ExitCode {
    let (mut suspensions, mut failed) = (0, 0);
    for (name, check) in CASES {
        match check(name) {
            Ok(passed) => suspensions += passed.suspensions,
            Err(difference) => {
                failed += 1;
                println!("{difference}");
            }
        }
    }
    println!("seed {SEED}: {} programs, {suspensions} suspensions, {failed} differ", CASES.len());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
