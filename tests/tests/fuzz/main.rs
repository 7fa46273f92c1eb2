//! Messages from somebody who means harm, in each dialect: valid ones, broken in the JSON and in the bytes. Every
//! request gets one reply with its id, no notification gets any, nothing panics, and memory stays bounded.
//!
//! ```text
//! cargo test -p saga-tests --test fuzz                                   a few thousand for each dialect
//! cargo test -p saga-tests --test fuzz -- streamless --seconds 600       one dialect, for ten minutes
//! cargo test -p saga-tests --test fuzz -- streamless --seed 7            the same messages again
//! ```

mod harm;
mod session;
mod stateless;
mod tools;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use saga_runtime::Dialect;
use serde_json::Value;

use self::harm::Random;

/// Panics so far, of whatever thread.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Messages in a run that is not told how long to take.
const FEW: u64 = 3000;

/// The most memory that a run may ever have.
const MOST_KIB: u64 = 512 * 1024;

/// For how long.
#[derive(Clone, Copy)]
enum Budget {
    Messages(u64),
    Until(Instant),
}

impl Budget {
    fn is_spent(self, messages: u64) -> bool {
        match self {
            Self::Messages(most) => messages >= most,
            Self::Until(end) => Instant::now() >= end,
        }
    }
}

/// What was sent, and what came back.
#[derive(Default)]
struct Figures {
    messages: u64,
    bytes: u64,
    replies: BTreeMap<String, u64>,
}

impl Figures {
    fn sent(&mut self, message: &[u8]) {
        self.messages += 1;
        self.bytes += message.len() as u64;
    }

    fn heard(&mut self, reply: Option<&Value>) {
        let kind = match reply {
            None => "nothing".to_owned(),
            Some(reply) => match reply["error"]["code"].as_i64() {
                Some(code) => code.to_string(),
                None if reply.get("method").is_some() => "asked".to_owned(),
                None if reply.get("dependent_requests").is_some() => "dependent".to_owned(),
                None => "result".to_owned(),
            },
        };
        *self.replies.entry(kind).or_default() += 1;
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        let value = arguments.iter().skip_while(|argument| *argument != name).nth(1)?;
        value.parse::<u64>().ok()
    };
    let dialects = Dialect::ALL.into_iter().filter(|dialect| {
        let named = |argument: &String| argument.parse() == Ok(*dialect);
        arguments.iter().any(named) || !arguments.iter().any(|argument| argument.parse::<Dialect>().is_ok())
    });
    std::panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        eprintln!("{panic}");
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    for dialect in dialects {
        let budget = match after("--seconds") {
            Some(seconds) => Budget::Until(Instant::now() + Duration::from_secs(seconds)),
            None => Budget::Messages(FEW),
        };
        let seed = after("--seed").unwrap_or(1);
        let figures = runtime.block_on(run(dialect, Random::new(seed), budget));
        let memory = peak_kib();
        let Figures { messages, bytes, replies } = figures;
        println!(
            "{dialect}: seed {seed}, {messages} messages, {bytes} bytes, peak {memory} KiB; {replies:?}"
        );
        let panics = PANICS.load(Ordering::SeqCst);
        if panics > 0 || memory > MOST_KIB || replies.contains_key("-32603") {
            println!("{dialect}: {panics} panics; see above");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

async fn run(dialect: Dialect, random: Random, budget: Budget) -> Figures {
    match dialect {
        Dialect::Push | Dialect::Resumable => session::run(dialect, random, budget).await,
        _ => stateless::run(dialect, random, budget).await,
    }
}

/// The most memory that this process ever had; 0 where the system does not tell.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}
