//! The law, on bodies written by hand: each form of control flow, of binding and of borrowing, with suspensions in
//! every position. A body is run in many worlds (`saga_tests::people`), as the plain function that it is and as the
//! compiled tool, and both must leave the same trace.
//!
//! ```text
//! cargo test -p saga-tests --test equivalence            all
//! cargo test -p saga-tests --test equivalence -- loops   those with `loops` in their name
//! ```

#![allow(clippy::all, clippy::pedantic, reason = "the bodies are written in every way in which people write")]

#[macro_use]
mod body;

mod bindings;
mod borrows;
mod branches;
mod cells;
mod cfgs;
mod checkpoints;
mod closures;
mod compound;
mod drawn;
mod early;
mod failures;
mod found;
mod grouped;
mod language;
mod lenders;
mod lent;
mod loops;
mod macros;
mod odd;
mod parts;
mod patterns;
mod picks;
mod positions;
mod reached;
mod rounds;
mod sagas;
mod shadows;
mod sifted;
mod texts;
mod together;
mod tools;
mod typed;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use self::body::Body;

const FAMILIES: &[&[Body]] = &[
    bindings::BODIES,
    branches::BODIES,
    cells::BODIES,
    cfgs::BODIES,
    checkpoints::BODIES,
    closures::BODIES,
    compound::BODIES,
    drawn::BODIES,
    early::BODIES,
    borrows::BODIES,
    failures::BODIES,
    found::BODIES,
    grouped::BODIES,
    language::BODIES,
    loops::BODIES,
    macros::BODIES,
    odd::BODIES,
    parts::BODIES,
    lenders::BODIES,
    patterns::BODIES,
    lent::BODIES,
    picks::BODIES,
    positions::BODIES,
    reached::BODIES,
    rounds::BODIES,
    sagas::BODIES,
    shadows::BODIES,
    sifted::BODIES,
    texts::BODIES,
    together::BODIES,
    tools::BODIES,
    typed::BODIES,
    values::BODIES,
];

fn main() -> ExitCode {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let bodies = FAMILIES.iter().copied().flatten().filter(|body| body.name.contains(&filter));
    let (mut count, mut suspensions, mut failed) = (0, 0, Vec::new());
    for body in bodies {
        count += 1;
        match catch_unwind(AssertUnwindSafe(|| (body.check)(body.name))) {
            Ok(Ok(passed)) => suspensions += passed.suspensions,
            Ok(Err(difference)) => failed.push(difference.to_string()),
            Err(_) => failed.push(format!("`{}` panicked, see above\n", body.name)),
        }
    }
    for failure in &failed {
        println!("{failure}");
    }
    println!("{count} bodies, {suspensions} suspensions; {} failed", failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
