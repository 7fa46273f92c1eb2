//! Those who answer: a [`World`] answers every question out of its own schema, the same way each time the run is
//! repeated, so that one body is driven along many of its paths without an answer being written down.

use std::collections::BTreeSet;
use std::fmt;

use saga_runtime::form::Property;
use saga_runtime::script::Script;
use saga_runtime::step::{Answer, InputRequest, Params, StepKind};
use serde_json::{Map, Value, json};

/// How all questions of a run are answered. The number tells runs of a kind apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum World {
    /// Every question is accepted.
    Accepted(u64),
    /// Some are declined or cancelled, and some the client cannot put.
    Declining(u64),
    /// Each question is answered wrongly first, a few for good.
    Mistaken(u64),
}

impl World {
    /// The worlds in which every body is run.
    pub fn all() -> impl Iterator<Item = Self> {
        let accepted = (0..8).map(Self::Accepted);
        accepted.chain((0..12).map(Self::Declining)).chain((0..6).map(Self::Mistaken))
    }

    /// A script of this world's answers; `heard` is told of every question, with its answer.
    ///
    /// # Panics
    ///
    /// When a tool asks without end.
    pub fn script(self, mut heard: impl FnMut(&str, &InputRequest, &Answer) + Send + 'static) -> Script {
        let (mut asked, mut keys) = (0, BTreeSet::new());
        Script::by(move |key, request| {
            asked += 1;
            assert!(asked < ENDLESS, "the tool asks without end");
            // Every visit of a question has a key of its own.
            let again = !keys.insert(key.to_owned());
            let answer = self.answer(asked, again, request);
            heard(key, request, &answer);
            answer
        })
    }

    fn answer(self, asked: u64, again: bool, request: &InputRequest) -> Answer {
        let mut chance = Chance::new(self, asked);
        let declining = asked > PATIENCE || matches!(self, Self::Declining(_));
        if declining && chance.one_in(4) {
            return refusal(&mut chance);
        }
        if matches!(self, Self::Mistaken(_)) && (!again || chance.one_in(5)) {
            return Answer::Result(mistake(request, &mut chance));
        }
        Answer::Result(acceptance(request, &mut chance))
    }
}

impl fmt::Display for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

/// After so many questions a loop that waits for a refusal gets one.
const PATIENCE: u64 = 40;

/// After so many questions the tool is taken to be caught in a loop.
const ENDLESS: u64 = 400;

/// A few random bits, the same for the same question of the same world (`SplitMix64`).
struct Chance(u64);

impl Chance {
    fn new(world: World, asked: u64) -> Self {
        let (kind, seed) = match world {
            World::Accepted(seed) => (1, seed),
            World::Declining(seed) => (2, seed),
            World::Mistaken(seed) => (3, seed),
        };
        Self((kind << 48) ^ (seed << 32) ^ asked)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.next().is_multiple_of(many)
    }

    fn pick<'t, T>(&mut self, options: &'t [T]) -> &'t T {
        let index = self.next() % options.len() as u64;
        &options[usize::try_from(index).expect("an index of a slice is small")]
    }
}

fn refusal(chance: &mut Chance) -> Answer {
    match chance.next() % 5 {
        0 | 1 => Answer::Result(object(json!({ "action": "decline" }))),
        2 | 3 => Answer::Result(object(json!({ "action": "cancel" }))),
        _ => Answer::Error { code: -1, message: "nobody is there".to_owned(), data: Some(json!([1])) },
    }
}

fn acceptance(request: &InputRequest, chance: &mut Chance) -> Map<String, Value> {
    object(match request.kind {
        StepKind::Elicit => {
            let mut content = Map::new();
            for property in properties(request) {
                if property.is_required() || chance.one_in(2) {
                    content.insert(property.name().to_owned(), fill_in(&property.to_json(), chance));
                }
            }
            json!({ "action": "accept", "content": content })
        }
        StepKind::ElicitUrl => json!({ "action": "accept" }),
        StepKind::Sample | StepKind::SampleTools => {
            let text = *chance.pick(&["Yes, do.", "No.", "Perhaps", ""]);
            json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "m" })
        }
        _ => {
            let roots = [json!({ "uri": "file:///a" }), json!({ "uri": "file:///b", "name": "b" })];
            json!({ "roots": roots[..=usize::from(chance.one_in(2))] })
        }
    })
}

fn mistake(request: &InputRequest, chance: &mut Chance) -> Map<String, Value> {
    let property = properties(request).first().map(|property| property.name().to_owned());
    object(match (property, chance.next() % 3) {
        (Some(name), 0) => json!({ "action": "accept", "content": { name: { "not": "this" } } }),
        (Some(_), 1) => json!({ "action": "accept" }),
        _ => json!({ "action": "shrug" }),
    })
}

fn properties(request: &InputRequest) -> &[Property] {
    match &request.params {
        Params::Elicitation { schema, .. } => schema.properties(),
        _ => &[],
    }
}

fn fill_in(schema: &Value, chance: &mut Chance) -> Value {
    let constant = |option: &Value| option.get("const").unwrap_or(option).clone();
    if let Some(options) = schema.get("oneOf").or_else(|| schema.get("enum")).and_then(Value::as_array) {
        return constant(chance.pick(options));
    }
    let bound = |name, otherwise| schema.get(name).and_then(Value::as_u64).unwrap_or(otherwise);
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => chance.one_in(2).into(),
        Some("integer") => {
            let (least, most) = (bound("minimum", 0), bound("maximum", 3));
            (least + chance.next() % (most - least + 1)).into()
        }
        Some("string") => (*chance.pick(&["ada", "bo", "", "cyd the third"])).into(),
        other => panic!("no test fills in a field of type {other:?}"),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => unreachable!("not an object: {other}"),
    }
}
