//! Counts instructions and allocations of a request's parts, and compares them with the table in `counts.txt`: 5 % more
//! fail. Instructions are counted by valgrind, so a busy machine counts the same.
//!
//! ```text
//! cd tests/bench && cargo run --release -p path --bin counts            # compares
//! cd tests/bench && cargo run --release -p path --bin counts -- bless   # writes the table
//! ```
//!
//! The counts are of one compiler and one kind of processor: the ciphers, hashes and base64 choose their code by what
//! the processor has (valgrind shows AVX2 and nothing newer). Where either differs from the table's, nothing is
//! compared, and it says so.

use std::alloc::System;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs, io};

use path::{Bed, HELD, Ready};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How much more is still the same.
const SLACK: f64 = 1.05;
/// How often a part runs before it is measured: what is done once in a process is done then.
const WARM: usize = 3;

const PARTS: [&str; 9] = [
    "parse",
    "open",
    "seal",
    "transition-100",
    "transition-1024",
    "transition-16384",
    "transition-65536",
    "request",
    "list",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["once", part] => {
            once(part);
            Ok(true)
        }
        ["bless"] => bless(),
        [] => compare(),
        _ => Err(io::Error::other("`counts`, or `counts bless`")),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a part, and prints how often it allocated and on which kind of processor. Run by valgrind, which counts what
/// happens in [`measured`].
fn once(part: &str) {
    let bed = Bed::new();
    for _ in 0..WARM {
        prepare(&bed, part)();
    }
    let ready = prepare(&bed, part);
    let region = Region::new(ALLOCATOR);
    measured(ready);
    let change = region.change();
    println!("{} {}", change.allocations + change.reallocations, processor());
}

/// Valgrind finds it by its name.
#[inline(never)]
fn measured(ready: Ready<'_>) {
    ready();
}

fn prepare<'a>(bed: &'a Bed, part: &str) -> Ready<'a> {
    match part {
        "parse" => bed.parse(),
        "open" => bed.open(),
        "seal" => bed.seal_one(),
        "request" => bed.request(),
        "list" => bed.list(),
        transition => {
            let held = transition.strip_prefix("transition-").and_then(|held| held.parse().ok());
            bed.transition(held.unwrap_or(HELD[0]))
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn processor() -> &'static str {
    if std::arch::is_x86_feature_detected!("avx2") { "x86_64+avx2" } else { "x86_64" }
}

#[cfg(not(target_arch = "x86_64"))]
fn processor() -> &'static str {
    env::consts::ARCH
}

/// What was counted of a part.
struct Count {
    instructions: u64,
    allocations: u64,
}

fn count(part: &str) -> io::Result<(Count, String)> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=counts::measured*"])
        .arg(env::current_exe()?)
        .args(["once", part])
        .output()?;
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let collected = told.lines().find_map(|line| line.split_once("Collected : "));
    let instructions = collected.and_then(|(_, count)| count.trim().parse().ok());
    let allocations = said.split_once(' ').and_then(|(count, kind)| Some((count.parse().ok()?, kind.trim())));
    match (instructions, allocations) {
        (Some(instructions), Some((allocations, processor))) if instructions > 0 => {
            Ok((Count { instructions, allocations }, processor.to_owned()))
        }
        _ => Err(io::Error::other(format!("`{part}` was not counted:\n{told}"))),
    }
}

/// The compiler and the processor that the counts are of.
fn kind(processor: &str) -> io::Result<String> {
    let rustc = Command::new("rustc").arg("--version").output()?;
    Ok(format!("{}, {processor}", String::from_utf8_lossy(&rustc.stdout).trim()))
}

fn table() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.txt")
}

fn bless() -> io::Result<bool> {
    let mut lines = String::new();
    let mut processor = String::new();
    for part in PARTS {
        let (Count { instructions, allocations }, counted_on) = count(part)?;
        let _ = writeln!(lines, "{part:<18} {instructions:>9} instructions {allocations:>4} allocations");
        processor = counted_on;
    }
    let table_text = format!("# {}\n{lines}", kind(&processor)?);
    print!("{table_text}");
    fs::write(table(), table_text)?;
    Ok(true)
}

/// Whether no part takes more than the table says.
fn compare() -> io::Result<bool> {
    let table = fs::read_to_string(table())?;
    let known_kind = table.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
    let mut is_good = true;
    for part in PARTS {
        let (counted, processor) = count(part)?;
        let kind = kind(&processor)?;
        if kind != known_kind {
            println!(
                "the table is of {known_kind}, and this is {kind}: nothing is compared; write it anew by `bless`"
            );
            return Ok(true);
        }
        let Some(known) = known(&table, part) else {
            println!("{part}: not in the table; write it anew by `bless`");
            is_good = false;
            continue;
        };
        for (what, now, before) in [
            ("instructions", counted.instructions, known.instructions),
            ("allocations", counted.allocations, known.allocations),
        ] {
            #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
            let ratio = now as f64 / before.max(1) as f64;
            let verdict = if ratio > SLACK { "TOO MANY" } else { "" };
            is_good &= ratio <= SLACK;
            println!("{part:<18} {now:>9} {what:<12} {ratio:>5.2} of the table's {verdict}");
        }
    }
    if !is_good {
        println!("if it must be so, write the table anew by `bless`, and say why in the commit");
    }
    Ok(is_good)
}

fn known(table: &str, part: &str) -> Option<Count> {
    let line = table.lines().find(|line| line.split_whitespace().next() == Some(part))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(Count { instructions: words.get(1)?.parse().ok()?, allocations: words.get(3)?.parse().ok()? })
}
