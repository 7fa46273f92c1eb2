//! The journal of effects, and what must be in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::figures::Figures;
use crate::server::Settings;

/// Effects of one saga.
pub(crate) const STEPS: u32 = 4;

/// A number that looks like any other (`SplitMix64`'s last step).
pub(crate) const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// What the person of this saga answers under this key.
pub(crate) fn euros(number: u32, key: &str) -> i64 {
    let seed = key.bytes().fold(u64::from(number), |seed, byte| mix(seed ^ u64::from(byte)));
    i64::try_from(seed % 1000).expect("a small number")
}

/// What a step costs.
fn cost(number: u32, step: u32) -> i64 {
    match step {
        1 => euros(number, "amount"),
        2 => euros(number, "amount#2"),
        3 => euros(number, "left") + euros(number, "right"),
        _ => euros(number, "rest"),
    }
}

/// What the tool must say in the end.
pub(crate) fn result(number: u32) -> String {
    let total: i64 = (1..=STEPS).map(|step| cost(number, step)).sum();
    format!("{total} with {}", if number.is_multiple_of(3) { 10_000 } else { 10 })
}

/// An effect, to be appended by one write. A process that is killed may leave its last line cut off, where that crosses
/// a page of the file: it begins a line of its own, and is done when it has its end.
pub(crate) fn line(number: u32, step: u32, key: &str, euros: i64) -> String {
    format!("\n{number} {step} {key} {euros} paid\n")
}

/// Holds the journal against what must be in it. A provider knows a payment again by its key: lines of one key are
/// one payment, and must be of one amount.
pub(crate) fn compare(settings: &Settings, sagas: u32) -> Figures {
    let journal = std::fs::read_to_string(&settings.journal).expect("the journal");
    let mut payments: BTreeMap<(u32, u32), Vec<(&str, i64)>> = BTreeMap::new();
    for line in journal.lines().filter_map(|line| line.strip_suffix(" paid")) {
        let words: Vec<&str> = line.split(' ').collect();
        let [order, step, key, euros] = words[..] else { panic!("a line of the journal: {line}") };
        let number = |word: &str| word.parse::<u32>().expect("a number");
        let payment = payments.entry((number(order), number(step))).or_default();
        payment.push((key, euros.parse().expect("a number")));
    }
    let mut figures = Figures { effects: u64::from(sagas * STEPS), ..Figures::default() };
    for place in (0..sagas).flat_map(|number| (1..=STEPS).map(move |step| (number, step))) {
        let lines = payments.remove(&place).unwrap_or_default();
        let (number, step) = place;
        let keys: BTreeSet<&str> = lines.iter().map(|(key, _)| *key).collect();
        figures.run_again += lines.len().saturating_sub(keys.len()) as u64;
        match keys.len() {
            0 => {
                figures.lost += 1;
                figures.find(format!("order {number}, step {step}: the effect is lost"));
            }
            1 => {}
            more => {
                figures.doubled += 1;
                figures.find(format!("order {number}, step {step}: the effect was done {more} times"));
            }
        }
        if lines.iter().any(|(_, euros)| *euros != cost(number, step)) {
            figures.find(format!("order {number}, step {step}: another amount was paid"));
        }
    }
    if let Some((place, _)) = payments.first_key_value() {
        figures.find(format!("effects that nobody asked for: {place:?}"));
    }
    let log = std::fs::read_to_string(&settings.log).unwrap_or_default();
    for line in log.lines().filter(|line| line.contains("panicked at")) {
        figures.find(format!("an instance panicked: {line}"));
    }
    figures.unkept = log.lines().filter(|line| line.contains("a reply was not kept")).count() as u64;
    figures.deaths = std::fs::read_dir(&settings.deaths).expect("a directory").count() as u64;
    figures
}
