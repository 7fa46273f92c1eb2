//! Mutates tokens, a million times, and opens each: none may open.
//!
//! ```text
//! cd tests/bench && cargo run --release --bin mutations -- [MUTATIONS] [SALTS] [SEED]
//! ```
//!
//! Then it seals as many tokens as SALTS says and looks for two of the same salt.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use saga_runtime::clock::{Clock, SystemClock, SystemEntropy};
use saga_runtime::token::{Binding, Claims, KeyRing, Limits, OpenError, Opened, Sealer};

/// xorshift64*, so that a seed repeats a run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).expect("below a usize")
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

struct Bench {
    sealer: Sealer,
    staging: Sealer,
    now: u64,
}

fn binding() -> Binding<'static> {
    Binding {
        dialect: "mcp/2026-07-28",
        method: "tools/call",
        tool: "deploy",
        principal: Some(b"https://issuer.example|alice"),
        arguments: [9; 32],
    }
}

impl Bench {
    fn seal(&self, random: &mut Random) -> String {
        let state: Vec<u8> = (0..random.below(600)).map(|_| random.byte()).collect();
        let claims = Claims::first(self.now, Claims::DEFAULT_TTL, [3; 16]);
        let limits = Limits::default();
        self.sealer.seal(&binding(), &claims, &state, &limits, &SystemEntropy, &SystemClock).expect("a token")
    }

    fn open(&self, text: &str) -> Result<Opened, OpenError> {
        self.sealer.open(text, &binding(), &Limits::default(), self.now)
    }
}

const KINDS: [&str; 12] = [
    "one bit",
    "several bits",
    "one character",
    "any character",
    "cut short",
    "longer",
    "a character missing",
    "two characters swapped",
    "spliced from two tokens",
    "header of another token",
    "random bytes after the header",
    "another binding",
];

/// A text that is not the token, and the name of how it was made.
fn mutate(kind: usize, random: &mut Random, token: &str, other: &str) -> String {
    let at = random.below(token.len());
    let bytes = || BASE64_URL_SAFE_NO_PAD.decode(&token[4..]).expect("base64");
    let encode = |bytes: &[u8]| format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
    match KINDS[kind] {
        "one bit" | "several bits" => {
            let mut bytes = bytes();
            for _ in 0..=if kind == 0 { 0 } else { random.below(8) } {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            encode(&bytes)
        }
        "one character" => {
            let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            let with = char::from(alphabet[random.below(64)]);
            format!("{}{with}{}", &token[..at], &token[at + 1..])
        }
        "any character" => {
            let with = char::from_u32(random.next().to_le_bytes()[0].into()).expect("Latin 1");
            format!("{}{with}{}", &token[..at], &token[at + 1..])
        }
        "cut short" => token[..at].to_owned(),
        "longer" => format!("{token}{}", &other[..random.below(other.len())]) + "A",
        "a character missing" => format!("{}{}", &token[..at], &token[at + 1..]),
        "two characters swapped" => {
            let mut text = token.as_bytes().to_vec();
            text.swap(at, random.below(token.len()));
            String::from_utf8(text).expect("ASCII")
        }
        "spliced from two tokens" => format!("{}{}", &token[..at], &other[at.min(other.len())..]),
        "header of another token" => {
            let header = BASE64_URL_SAFE_NO_PAD.decode(&other[4..]).expect("base64")[..53].to_vec();
            let upto = 1 + random.below(53);
            encode(&[&header[..upto], &bytes()[upto..]].concat())
        }
        "random bytes after the header" => {
            let mut bytes = bytes();
            bytes[53..].iter_mut().for_each(|byte| *byte = random.byte());
            encode(&bytes)
        }
        _ => token.to_owned(),
    }
}

/// Opens the token itself where it does not belong.
fn elsewhere(bench: &Bench, random: &mut Random, token: &str) -> Result<Opened, OpenError> {
    let mut binding = binding();
    let principal = random.next().to_le_bytes();
    match random.below(7) {
        0 => binding.dialect = "saga/2025",
        1 => binding.method = "prompts/get",
        2 => binding.tool = "destroy",
        3 => binding.principal = None,
        4 => binding.principal = Some(&principal),
        5 => binding.arguments[random.below(32)] ^= 1 << random.below(8),
        _ => return bench.staging.open(token, &binding, &Limits::default(), bench.now),
    }
    bench.sealer.open(token, &binding, &Limits::default(), bench.now)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let mutations = arguments.next().unwrap_or(1_000_000);
    let salts = arguments.next().unwrap_or(10_000_000);
    let seed = arguments.next().unwrap_or_else(|| SystemClock.unix_nanos() | 1);
    println!("seed {seed}");
    let mut random = Random(seed);
    let key = KeyRing::generate_key().expect("a key");
    let sealer = |audience| Sealer::new(audience, KeyRing::parse(&key).expect("a key")).expect("a sealer");
    let bench = Bench { sealer: sealer("fleet"), staging: sealer("fleet-staging"), now: SystemClock.now() };

    let start = Instant::now();
    let (mut reasons, mut tried, mut opened) = (BTreeMap::<String, u64>::new(), 0, 0);
    while tried < mutations {
        // A fresh token every so often: states and lengths differ.
        let (token, other) = (bench.seal(&mut random), bench.seal(&mut random));
        assert!(bench.open(&token).is_ok(), "the harness itself opens");
        for kind in (0..KINDS.len()).cycle().take(KINDS.len() * 8) {
            let text = mutate(kind, &mut random, &token, &other);
            let is_elsewhere = kind == KINDS.len() - 1;
            if !is_elsewhere && (text == token || text == other) {
                continue;
            }
            let result =
                if is_elsewhere { elsewhere(&bench, &mut random, &token) } else { bench.open(&text) };
            tried += 1;
            match result {
                Ok(_) => {
                    opened += 1;
                    println!("OPENED after {:?}: {text}", KINDS[kind]);
                }
                Err(OpenError::UnknownKey(_)) => {
                    *reasons.entry("the ring has no such key".into()).or_default() += 1;
                }
                Err(error) => *reasons.entry(error.to_string()).or_default() += 1,
            }
        }
    }
    println!("{tried} tokens mutated in {:.1} s, {opened} opened", start.elapsed().as_secs_f64());
    for (reason, count) in &reasons {
        println!("{count:>9}  {reason}");
    }

    let repeated = repeated_salts(&bench, salts);
    println!("{salts} tokens sealed, {repeated} salts repeated");
    if opened + repeated == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many of so many tokens have a salt that another one has.
fn repeated_salts(bench: &Bench, count: u64) -> u64 {
    let claims = Claims::first(bench.now, Claims::DEFAULT_TTL, [3; 16]);
    let (binding, limits) = (binding(), Limits::default());
    let mut salts: Vec<u128> = (0..count)
        .map(|_| {
            let seal = bench.sealer.seal(&binding, &claims, b"", &limits, &SystemEntropy, &SystemClock);
            let text = seal.expect("a token");
            // The salt is bytes 13 to 37; the text's characters 16 to 48 are the bytes 12 to 36.
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(&text[4 + 16..4 + 48]).expect("base64");
            u128::from_le_bytes(bytes[1..17].try_into().expect("16 bytes"))
        })
        .collect();
    salts.sort_unstable();
    salts.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
}
