//! Answers that were written down before they were asked for.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::object;
use crate::cli::failure::Failure;
use crate::cli::transition::{Question, Sent};

/// Answers by key, and which of them were of use.
pub(super) struct Given {
    origin: String,
    answers: Map<String, Value>,
    used: BTreeSet<String>,
}

impl Given {
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let origin = file.display().to_string();
        let text =
            std::fs::read_to_string(file).map_err(|error| Failure::Usage(format!("{origin}: {error}")))?;
        Self::parse(&text, &origin)
    }

    pub(super) fn parse(text: &str, origin: &str) -> Result<Self, Failure> {
        let answers = object(text, origin)?;
        Ok(Self { origin: origin.to_owned(), answers, used: BTreeSet::new() })
    }

    /// Where the answers come from.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// The answer under the question's key, or else under its key without the count of its visits.
    pub(super) fn answer(&mut self, question: &Question) -> Result<Option<Sent>, Failure> {
        let name = question.key.rsplit_once('#').map_or(question.key.as_str(), |(name, _)| name);
        let key = if self.answers.contains_key(&question.key) { &question.key } else { name };
        let Some(answer) = self.answers.get(key) else { return Ok(None) };
        self.used.insert(key.to_owned());
        let wrong = |expected| Failure::Usage(format!("{}: `{key}` is {expected}", self.origin));
        sent(question, answer).map(Some).map_err(wrong)
    }

    /// The keys of the answers that nobody asked for.
    pub(super) fn unused(&self) -> Vec<&str> {
        self.answers.keys().map(String::as_str).filter(|key| !self.used.contains(*key)).collect()
    }
}

/// An answer as the client sends it; on a wrong type, what is expected.
fn sent(question: &Question, answer: &Value) -> Result<Sent, &'static str> {
    if let Some(error) = error_of(answer) {
        return Ok(error);
    }
    match (question.method.as_str(), answer) {
        ("elicitation/create", Value::String(action)) if is_action(action) => {
            Ok(result(json!({ "action": action, "content": {} })))
        }
        ("elicitation/create", Value::Object(whole)) if is_result(question, whole) => {
            Ok(Sent::Result(whole.clone()))
        }
        ("elicitation/create", Value::Object(content)) if question.params.get("url").is_none() => {
            Ok(result(json!({ "action": "accept", "content": content })))
        }
        ("elicitation/create", _) => {
            Err("a question to a person: its answer is the form's content, `{\"field\": value, ..}`, or \
                 \"accept\", \"decline\" or \"cancel\"")
        }
        ("sampling/createMessage", Value::String(text)) => Ok(said(text)),
        ("sampling/createMessage" | "roots/list", Value::Object(whole)) => Ok(Sent::Result(whole.clone())),
        ("sampling/createMessage", _) => {
            Err("a prompt for a model: its answer is what the model says, a text")
        }
        ("roots/list", Value::Array(roots)) => {
            let root = |root: &Value| if root.is_string() { json!({ "uri": root }) } else { root.clone() };
            Ok(result(json!({ "roots": roots.iter().map(root).collect::<Vec<_>>() })))
        }
        ("roots/list", _) => Err("about the roots: its answer is a list of addresses, `[\"file:///home\"]`"),
        _ => Ok(unknown_method()),
    }
}

/// What a model says, as MCP has it.
pub(super) fn said(text: &str) -> Sent {
    result(json!({ "role": "assistant", "content": { "type": "text", "text": text }, "model": "you" }))
}

/// A result object.
pub(super) fn result(result: Value) -> Sent {
    match result {
        Value::Object(result) => Sent::Result(result),
        _ => Sent::Result(Map::new()),
    }
}

/// The answer to what no terminal can do.
pub(super) fn unknown_method() -> Sent {
    Sent::Error { code: -32601, message: "a terminal cannot do this".to_owned(), data: None }
}

fn error_of(answer: &Value) -> Option<Sent> {
    let error = answer.as_object().filter(|answer| answer.len() == 1)?.get("error")?;
    let (code, message) = (error.get("code")?.as_i64()?, error.get("message")?.as_str()?.to_owned());
    Some(Sent::Error { code, message, data: error.get("data").cloned() })
}

/// Whether an object is a whole result and not the content of a form: of a form that itself has a field `action`
/// it never is.
fn is_result(question: &Question, answer: &Map<String, Value>) -> bool {
    let fields = question.params.get("requestedSchema").and_then(|schema| schema.get("properties"));
    fields.and_then(|fields| fields.get("action")).is_none()
        && answer.get("action").and_then(Value::as_str).is_some_and(is_action)
        && answer.keys().all(|key| ["action", "content", "_meta"].contains(&key.as_str()))
}

fn is_action(text: &str) -> bool {
    ["accept", "decline", "cancel"].contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(method: &str, params: &Value) -> Question {
        let params = params.as_object().cloned().unwrap_or_default();
        Question {
            key: "it#2".to_owned(),
            method: method.to_owned(),
            params,
            form: None,
            problems: Vec::new(),
        }
    }

    #[test]
    fn an_answer_is_written_short_or_whole() {
        let form = question("elicitation/create", &json!({ "requestedSchema": { "properties": {} } }));
        let whole = json!({ "action": "accept", "content": { "yes": true } });
        assert_eq!(sent(&form, &json!({ "yes": true })), Ok(result(whole.clone())));
        assert_eq!(sent(&form, &whole), Ok(result(whole)));
        assert_eq!(sent(&form, &json!("decline")), Ok(result(json!({ "action": "decline", "content": {} }))));
        assert!(sent(&form, &json!(1)).is_err());
        let error = json!({ "error": { "code": 7, "message": "no" } });
        assert_eq!(sent(&form, &error), Ok(Sent::Error { code: 7, message: "no".into(), data: None }));

        let roots = question("roots/list", &json!({}));
        assert_eq!(
            sent(&roots, &json!(["file:///a"])),
            Ok(result(json!({ "roots": [{ "uri": "file:///a" }] })))
        );

        let page = question("elicitation/create", &json!({ "url": "https://example.com" }));
        assert!(sent(&page, &json!({ "yes": true })).is_err());
    }

    #[test]
    fn a_field_called_action_is_content() {
        let schema = json!({ "properties": { "action": { "type": "string" } } });
        let form = question("elicitation/create", &json!({ "requestedSchema": schema }));
        let answer = json!({ "action": "cancel" });
        assert_eq!(sent(&form, &answer), Ok(result(json!({ "action": "accept", "content": answer }))));
    }

    #[test]
    fn one_answer_serves_every_visit_that_has_none_of_its_own() {
        let form = question("elicitation/create", &json!({}));
        let mut given = Given::parse(r#"{"it": "decline", "other": 1}"#, "test").unwrap();
        assert!(given.answer(&form).unwrap().is_some());
        assert_eq!(given.unused(), ["other"]);
        let mut given = Given::parse(r#"{"it": 1, "it#2": "cancel"}"#, "test").unwrap();
        assert_eq!(given.answer(&form).unwrap(), Some(result(json!({ "action": "cancel", "content": {} }))));
    }
}
