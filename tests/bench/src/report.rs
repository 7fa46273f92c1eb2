//! The page that the run writes: tables, with the machine and the date, and no word about anything that was not
//! measured in this run.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::growth::{AT, Growth};
use crate::stats::{median, range, ratio};
use crate::transition::Transition;
use saga_bench::http::{CONNECTIONS, CONTESTANTS, Contest, Figures};

/// Where a contestant stands in [`CONTESTANTS`].
const ENDPOINT: usize = 0;
const IN_RMCP: usize = 1;
const BY_HAND: usize = 2;
const ECHO: usize = 4;

/// The whole page.
pub fn page(
    contest: &Contest,
    transitions: &[Transition],
    growth: &[Growth],
    load: &str,
    scale: &str,
) -> String {
    let mut page = String::from(
        "# Benchmarks\n\nWritten by `cd tests/bench && cargo run --release`; ratios within one run are what counts, the \
         absolute figures are this machine's.\n\n",
    );
    let _ = writeln!(page, "{}; {load}.\n", machine());
    aims(&mut page, contest, transitions, growth);
    for (connections, figures) in CONNECTIONS.iter().zip(&contest.figures) {
        http(&mut page, *connections, figures);
    }
    bytes(&mut page, &contest.figures[0]);
    transition(&mut page, transitions);
    grown(&mut page, growth);
    page.push_str(scale);
    page.push_str(NOTES);
    page
}

/// What the page has of another run, of `scale`: it stays as it is.
pub fn scale(page: &str) -> &str {
    let Some(start) = page.find("## Scale") else { return "" };
    let rest = &page[start..];
    rest[1..].find("\n## ").map_or(rest, |end| &rest[..end + 2])
}

fn aims(page: &mut String, contest: &Contest, transitions: &[Transition], growth: &[Growth]) {
    let many = &contest.figures[1];
    // By the server's processor, which is what limits it: sagas per second of that core, whatever else runs on it.
    let faster = |one: usize, other: usize| ratio(&many[other].processor, &many[one].processor);
    let costlier = ratio(&many[ENDPOINT].processor, &many[ECHO].processor);
    let worst = transitions.iter().map(|one| one.whole.median / one.parts.median).fold(0.0, f64::max);
    let grown = growth.first().map_or(0.0, |saga| saga.took[2] / saga.took[0]);
    page.push_str("| With 16 connections | Aim | Is |\n|---|---|---|\n");
    let mut line = |what: &str, aim: &str, is: f64, is_met: bool| {
        let _ = writeln!(page, "| {what} | {aim} | {is:.2}{} |", if is_met { "" } else { ", not met" });
    };
    let own = faster(ENDPOINT, BY_HAND);
    line("sagas per processor second, the endpoint to by hand on rmcp", "at least 3", own, own >= 3.0);
    line("the same, the echo to by hand on rmcp: the most that there is", "", faster(ECHO, BY_HAND), true);
    line("processor time per request, the endpoint to the echo", "at most 2", costlier, costlier <= 2.0);
    let inside = faster(IN_RMCP, BY_HAND);
    line("sagas per processor second, inside rmcp to by hand on rmcp", "at least 1", inside, inside >= 1.0);
    let best = transitions.iter().map(|one| one.whole.median / one.parts.median).fold(f64::MAX, f64::min);
    line(
        "a transition to the sum of its parts, the size with the worst ratio",
        "at most 1.25",
        worst,
        worst <= 1.25,
    );
    line("the same, the size with the best ratio", "at most 1.25", best, best <= 1.25);
    line("round 1,000 to round 10", "at most 1.1", grown, grown <= 1.1);
    page.push('\n');
}

fn http(page: &mut String, connections: usize, figures: &[Figures]) {
    let _ = writeln!(
        page,
        "## Whole sagas over HTTP, {connections} connection{}\n\nA form, a prompt, a form, done: four requests. Medians \
         of the rounds, ranges in brackets.\n\n| | sagas/s | to by hand | p50 µs | p99 µs | processor µs/request | to \
         the echo | memory MiB |\n|---|---|---|---|---|---|---|---|",
        if connections == 1 { "" } else { "s" }
    );
    for ((name, _), one) in CONTESTANTS.iter().zip(figures) {
        let (least, most) = range(&one.sagas_per_second);
        let (cheapest, dearest) = range(&one.processor);
        let _ = writeln!(
            page,
            "| {name} | {:.0} ({least:.0}–{most:.0}) | {:.2} | {:.0} | {:.0} | {:.1} ({cheapest:.1}–{dearest:.1}) | {:.2} | {:.1} |",
            median(&one.sagas_per_second),
            ratio(&one.sagas_per_second, &figures[BY_HAND].sagas_per_second),
            median(&one.half_within),
            median(&one.most_within),
            median(&one.processor),
            ratio(&one.processor, &figures[ECHO].processor),
            mebibytes(one.memory),
        );
    }
    page.push('\n');
}

#[expect(clippy::cast_precision_loss, reason = "no process has so much memory")]
fn mebibytes(kibibytes: u64) -> f64 {
    kibibytes as f64 / 1024.0
}

fn bytes(page: &mut String, figures: &[Figures]) {
    page.push_str("## Bytes of one saga\n\n| | sent | received | states, characters |\n|---|---|---|---|\n");
    for ((name, _), one) in CONTESTANTS.iter().zip(figures) {
        let states: Vec<String> = one.states.iter().map(ToString::to_string).collect();
        let _ = writeln!(page, "| {name} | {} | {} | {} |", one.sent, one.received, states.join(", "));
    }
    page.push('\n');
}

fn transition(page: &mut String, transitions: &[Transition]) {
    page.push_str(
        "## One transition, no transport\n\nOpen, decode, run, encode, seal, with a text of this size held; beside base64, \
         the key's derivation, the cipher and postcard on the same bytes, each twice. Allocations and instructions of \
         each part: `tests/bench/path/counts.txt`.\n\n| held bytes | token | transition µs | its parts µs | ratio |\n\
         |---|---|---|---|---|\n",
    );
    for one in transitions {
        let (whole, parts) = (one.whole.median / 1000.0, one.parts.median / 1000.0);
        let _ = writeln!(
            page,
            "| {} | {} | {whole:.2} | {parts:.2} | {:.2} |",
            one.held,
            one.token,
            whole / parts
        );
    }
    page.push('\n');
}

fn grown(page: &mut String, growth: &[Growth]) {
    let _ = writeln!(
        page,
        "## A loop of 1,000 rounds\n\nOver HTTP, one connection: microseconds of a round and length of its token.\n\n| | \
         round {} | round {} | round {} | last to first |\n|---|---|---|---|---|",
        AT[0], AT[1], AT[2]
    );
    for one in growth {
        let cells: Vec<String> =
            one.took.iter().zip(one.tokens).map(|(took, token)| format!("{took:.0} µs, {token}")).collect();
        let _ = writeln!(page, "| {} | {} | {:.2} |", one.name, cells.join(" | "), one.took[2] / one.took[0]);
    }
    page.push('\n');
}

/// The kind of machine, and the day; not its name.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, name)| name);
    let cores =
        std::fs::read_to_string("/proc/cpuinfo").map_or(0, |info| info.matches("processor\t").count());
    let said = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output();
        output.map_or_else(
            |_| String::new(),
            |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        )
    };
    format!(
        "{}, {cores} cores of {}, Linux {}, {}",
        said("date", "--iso-8601"),
        model.unwrap_or("an unknown processor"),
        said("uname", "-r").split('-').next().unwrap_or_default(),
        said("rustc", "--version"),
    )
}

/// The load of the machine, as it is now.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("?").to_owned()
}

const NOTES: &str = "## What is not met, and what it would need\n\n\
- A bare echo of JSON on the same HTTP library reaches 2.8 to 3.7 times rmcp by hand, by the machine (its line \
above), which leaves little for a server that opens, runs and seals besides.\n\
- Inside rmcp a saga's request takes 299,000 instructions, by hand 255,000 (`cargo run --release --bin profile`: \
callgrind over 1,000 requests, outside of the kernel; by hand's SHA-256 is left out, for which processors have \
instructions and callgrind has none). The endpoint's takes 92,000, the bare echo's 80,000. Of those in rmcp 49,000 are Saga's, of by hand's 20,000 the tool's: the transition 14,000, sealing 10,000, opening 9,000, rmcp's \
types for what is asked 8,000; by hand signs, and encrypts nothing. The others are rmcp's own, which reads a request by \
way of untagged enums and writes it once more to check its headers, with messages that are a fifth longer by the encrypted \
state. It would need an rmcp that hands a request over as it came.\n\
- Of a small transition half is the token's; the others check the answer against its form, keep the frame and allocate \
some forty times (`tests/bench/path/counts.txt`). It would need states that are read without copies. A message is read as it \
comes in, without a tree; arguments and answers stay JSON values until the tool is known to read them: the token binds a \
digest of the former in a canonical order, and of the latter every problem is told at once.\n\
- Compile time is 3.1 times that of plain async functions (`cargo run --release --bin compile_time`: 50 tools of five \
questions each; the aim is twice), since the code after a question is written for the start and for each question before it. \
Of it rustc spends 40 % on machine code, 27 % on types, 13 % on borrows and 8 % on the macro (`-Ztime-passes`). One copy of \
the code would need the types of the locals, which a macro does not have.\n\
- A token's length may grow by one step of its padding, 64 bytes, where the round's number has more digits.\n\n## How\n\n- Each contestant is a crate of its own, built in release as its users would build it, \
and a process of its own; they take turns of 1.5 s, in rounds. Where `taskset` is there, the servers have one core and \
the driver has the other. Processor time is the kernel's (`schedstat`), so it is less disturbed by what else runs; sagas per second of a busy \
machine are rather its scheduler's.\n\
- By hand on rmcp means with care: the state signed by `RequestStateCodec` and bound to the arguments, with an expiry; \
schemas and router made once; JSON replies without sessions. The state is readable; Saga's is encrypted.\n\
- neva runs the function again from its top at every answer, and keeps all answers in the token.\n\
- The sagas are built with the feature `ring`, as the deployment page advises, and everything else with \
`--cfg poly1305_backend=\"soft\"`, by which neva's cipher gains.\n\
- The sources are in `tests/bench/contestants`.\n";
