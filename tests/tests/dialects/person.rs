//! Those who answer, out of what a question says on the wire: the same question gets the same answer in whichever
//! words its protocol puts it.

use std::collections::BTreeMap;
use std::fmt;

use saga_runtime::step::Answer;
use serde_json::{Map, Value, json};

/// How questions are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As asked.
    Willing,
    /// Some are declined or dismissed.
    Refusing,
    /// Wrongly first, then as asked.
    Mistaken,
    /// Prompts and folders fail with an error.
    Failing,
}

impl Mood {
    pub(crate) const ALL: [Self; 4] = [Self::Willing, Self::Refusing, Self::Mistaken, Self::Failing];
}

/// A question as far as all protocols say it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Question {
    method: String,
    text: String,
}

impl fmt::Debug for Question {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", self.method, self.text)
    }
}

/// A person with a client, who remembers what was asked.
#[derive(Debug)]
pub(crate) struct Person {
    mood: Mood,
    asked: Vec<Question>,
    times: BTreeMap<Question, u32>,
}

impl Person {
    pub(crate) const fn new(mood: Mood) -> Self {
        Self { mood, asked: Vec::new(), times: BTreeMap::new() }
    }

    /// What was answered so far.
    pub(crate) fn asked(&self) -> &[Question] {
        &self.asked
    }

    /// Whether wrong answers are given.
    pub(crate) fn is_mistaken(&self) -> bool {
        self.mood == Mood::Mistaken
    }

    /// Answers a question.
    pub(crate) fn answer(&mut self, method: &str, params: &Value) -> Answer {
        let question = Question { method: method.to_owned(), text: text(params) };
        let times = self.times.entry(question.clone()).or_insert(0);
        *times += 1;
        let is_first = *times == 1;
        let luck = luck(&question.text);
        self.asked.push(question);
        let is_form = method == "elicitation/create";
        match self.mood {
            Mood::Refusing if is_form && luck.is_multiple_of(3) => result(json!({ "action": "decline" })),
            Mood::Refusing if is_form && luck % 3 == 1 => result(json!({ "action": "cancel" })),
            Mood::Mistaken if is_first => result(json!({ "action": "shrug" })),
            Mood::Failing if !is_form => {
                Answer::Error { code: -1, message: "refused".to_owned(), data: Some(json!({ "luck": 1 })) }
            }
            _ => result(fitting(method, params, luck)),
        }
    }
}

/// The words of a question, without what was wrong with the answer before.
fn text(params: &Value) -> String {
    if let Some(message) = params["message"].as_str() {
        return message.split("\n\n").next().unwrap_or_default().to_owned();
    }
    let messages = params["messages"].as_array().into_iter().flatten();
    messages.filter_map(|message| message["content"]["text"].as_str()).collect()
}

/// A number of a text's own.
fn luck(text: &str) -> u32 {
    text.bytes().fold(7, |luck: u32, byte| luck.wrapping_mul(31).wrapping_add(byte.into())) >> 3
}

fn fitting(method: &str, params: &Value, luck: u32) -> Value {
    match (method, params["requestedSchema"]["properties"].as_object()) {
        ("elicitation/create", Some(properties)) => {
            json!({ "action": "accept", "content": filled_in(properties, luck) })
        }
        ("elicitation/create", None) => json!({ "action": "accept" }),
        ("sampling/createMessage", _) => {
            let text = format!("said {}", luck % 10);
            json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "m" })
        }
        _ => json!({ "roots": [{ "uri": "file:///home" }, { "uri": "file:///tmp", "name": "tmp" }] }),
    }
}

fn filled_in(properties: &Map<String, Value>, luck: u32) -> Map<String, Value> {
    let mut content = Map::new();
    for (name, property) in properties {
        if let Some(value) = value(name, property, luck) {
            content.insert(name.clone(), value);
        }
    }
    content
}

/// What is filled in; the first option of a list from which several may be chosen.
fn value(name: &str, property: &Value, luck: u32) -> Option<Value> {
    let options = |of: &Value| {
        let options = of["oneOf"].as_array().or(of["anyOf"].as_array()).or(of["enum"].as_array());
        options.map(|options| {
            options.iter().map(|one| one.get("const").unwrap_or(one).clone()).collect::<Vec<_>>()
        })
    };
    if let Some(options) = options(property) {
        return Some(options[usize::try_from(luck).unwrap_or_default() % options.len()].clone());
    }
    match property["type"].as_str()? {
        // An option of a list that 2025-06-18 has no field for.
        "boolean" if name.contains('.') => Some((name == "flags.Canary").into()),
        "boolean" => Some(luck.is_multiple_of(2).into()),
        "integer" => Some(3.into()),
        "array" => Some(options(&property["items"])?.into_iter().take(1).collect()),
        // What may be left out is.
        "string" if name == "note" => None,
        _ => Some(format!("name {}", luck % 10).into()),
    }
}

fn result(value: Value) -> Answer {
    Answer::Result(value.as_object().cloned().unwrap_or_default())
}

impl Question {
    /// Whether it sends the person to a page.
    pub(crate) fn is_page(&self) -> bool {
        self.text.starts_with("Sign in")
    }

    /// Whether it asks for the client's folders.
    pub(crate) fn is_roots(&self) -> bool {
        self.method == "roots/list"
    }
}
