//! The strict reading of answers that a client repeats (SEP-1597 sends all since the start with every resume): the
//! token holds a digest of those that were taken, so that none of them can say something else later.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::frame::Position;
use crate::step::Answer;
use crate::token::arguments_digest;

/// The digest of the answers that the tool had taken when it came to this position.
///
/// A key was asked as often as it was visited, and its answer is taken unless it is outstanding still.
pub(super) fn taken(position: &Position, answers: &BTreeMap<String, Answer>) -> [u8; 32] {
    let is_open = |key: &str| position.outstanding().any(|step| step.key == key && step.answer.is_none());
    let asked = position.visits.iter().flat_map(|(key, visits)| {
        (1..=*visits).map(move |visit| if visit == 1 { key.clone() } else { format!("{key}#{visit}") })
    });
    let taken = asked.filter(|key| !is_open(key)).filter_map(|key| {
        let answer = serde_json::to_value(answers.get(&key)?).unwrap_or(Value::Null);
        Some((key, answer))
    });
    arguments_digest(&taken.collect::<Map<_, _>>())
}
