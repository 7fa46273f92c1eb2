//! What `play` prints: the questions, the answers, and what is left of the tool between two transitions.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::cli::failure::Failure;
use crate::cli::transition::{Held, Question, Sent};

type Shown = Result<(), Failure>;

pub(super) fn start(tool: &str, arguments: &Map<String, Value>) -> Shown {
    let arguments = Value::Object(arguments.clone());
    Ok(writeln!(io::stdout(), "{tool} {arguments}")?)
}

/// A transition as the person sees it: `[2] 0.373 ms in process 4711`.
pub(super) struct Transition {
    pub(super) number: u32,
    pub(super) micros: u64,
    /// The process that it had of its own.
    pub(super) process: Option<u32>,
}

impl fmt::Display for Transition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}] {}.{:03} ms", self.number, self.micros / 1000, self.micros % 1000)?;
        self.process.iter().try_for_each(|process| write!(formatter, " in process {process}"))
    }
}

/// Says what is left of the tool: the token, and what is in it.
pub(super) fn suspended(
    transition: &Transition,
    token: &str,
    site: &str,
    held: &[Held],
    questions: &[Question],
) -> Shown {
    let mut out = io::stdout().lock();
    let is_again = questions.iter().any(|question| !question.problems.is_empty());
    let how = if is_again { "asked again" } else { "suspended" };
    writeln!(
        out,
        "\n{transition}, {how} at `{site}`; all that is left is a token of {} characters",
        token.len()
    )?;
    // What is asked again is sealed as it came: nothing looks into it.
    if !is_again {
        let held: Vec<_> = held.iter().map(|held| format!("{} {} B", held.name, held.bytes)).collect();
        let held = if held.is_empty() { "no locals".to_owned() } else { held.join(", ") };
        writeln!(out, "    held: {held}")?;
    }
    Ok(())
}

/// Shows a question, without asking it.
pub(super) fn question(question: &Question) -> Shown {
    let mut out = io::stdout().lock();
    let text = |name: &str| question.params.get(name).and_then(Value::as_str);
    match question.method.as_str() {
        "elicitation/create" => {
            writeln!(out, "? {}", text("message").unwrap_or(&question.key))?;
            if let Some(url) = text("url") {
                writeln!(out, "  {url}")?;
            }
        }
        "sampling/createMessage" => {
            let tokens = question.params.get("maxTokens").and_then(Value::as_u64).unwrap_or_default();
            writeln!(out, "? a prompt for your model, at most {tokens} tokens:")?;
            if let Some(system) = text("systemPrompt") {
                writeln!(out, "  (system) {system}")?;
            }
            for message in question.params.get("messages").and_then(Value::as_array).into_iter().flatten() {
                let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
                for block in one_or_many(message.get("content")) {
                    writeln!(out, "  ({role}) {}", block_text(block))?;
                }
            }
            for tool in question.params.get("tools").and_then(Value::as_array).into_iter().flatten() {
                writeln!(out, "  (tool) {tool}")?;
            }
        }
        "roots/list" => writeln!(out, "? Which folders do you work in?")?,
        other => writeln!(out, "? {other} (a terminal cannot do this)")?,
    }
    for problem in &question.problems {
        writeln!(out, "  ! {problem}")?;
    }
    Ok(())
}

/// Shows an answer that nobody typed.
pub(super) fn answer(answer: &Sent) -> Shown {
    let mut out = io::stdout().lock();
    let result = match answer {
        Sent::Result(result) => result,
        Sent::Error { code, message, .. } => return Ok(writeln!(out, "  > error {code}: {message}")?),
    };
    match (result.get("action").and_then(Value::as_str), result.get("content")) {
        (Some("accept"), Some(Value::Object(content))) if !content.is_empty() => {
            for (name, value) in content {
                writeln!(out, "  > {name}: {}", plain(value))?;
            }
        }
        (Some(action), _) => writeln!(out, "  > ({action})")?,
        (None, Some(content)) => {
            for block in one_or_many(Some(content)) {
                writeln!(out, "  > {}", block_text(block))?;
            }
        }
        (None, None) => {
            for root in one_or_many(result.get("roots")) {
                writeln!(out, "  > {}", plain(root.get("uri").unwrap_or(root)))?;
            }
        }
    }
    Ok(())
}

/// Shows the tool's result; a failed one fails the command.
pub(super) fn done(transition: &Transition, result: &Map<String, Value>) -> Shown {
    let mut out = io::stdout().lock();
    let failed = result.get("isError") == Some(&Value::Bool(true));
    let how = if failed { "failed" } else { "done" };
    writeln!(out, "\n{transition}, {how}")?;
    match result.get("structuredContent") {
        Some(structured) => writeln!(out, "{structured:#}")?,
        None => {
            for block in one_or_many(result.get("content")) {
                writeln!(out, "{}", block_text(block))?;
            }
        }
    }
    out.flush()?;
    if failed { Err(Failure::Shown) } else { Ok(()) }
}

fn one_or_many(content: Option<&Value>) -> Vec<&Value> {
    match content {
        Some(Value::Array(blocks)) => blocks.iter().collect(),
        Some(block) => vec![block],
        None => Vec::new(),
    }
}

fn block_text(block: &Value) -> String {
    block.get("text").and_then(Value::as_str).map_or_else(|| block.to_string(), str::to_owned)
}

/// A field's value without JSON's marks.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "(none)".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}
