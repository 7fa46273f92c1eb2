//! A client that writes down what it says and hears. Tokens are shown as `<state 1>`, `<state 2>`, and a message
//! that has such a placeholder is sent with the token.

#![expect(clippy::needless_pass_by_value, reason = "`json!(..)` reads better without a borrow")]

use std::fmt::{self, Write as _};

use indexmap::IndexMap;
use saga_runtime::{Reply, RequestFacts, Sagas};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A conversation with a server.
#[derive(Debug)]
pub(crate) struct Conversation {
    /// The server; may be replaced between two messages.
    pub(crate) server: Sagas,
    /// The headers of the messages.
    pub(crate) facts: RequestFacts,
    tokens: Vec<String>,
    transcript: String,
}

impl Conversation {
    /// A conversation that begins.
    pub(crate) fn with(server: Sagas) -> Self {
        Self { server, facts: RequestFacts::default(), tokens: Vec::new(), transcript: String::new() }
    }

    /// Says something and hears the reply.
    pub(crate) async fn say(&mut self, message: Value) -> Reply {
        self.note(format_args!("→ {}\n", pretty(&message.to_string(), 2)));
        let sent = self.with_tokens(message).to_string();
        let reply = self.server.handle(sent.as_bytes(), &self.facts).await;
        self.hear(&reply);
        reply
    }

    /// Says something and hears the reply's body, which must be there.
    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        self.say(message).await.body().expect("a reply")
    }

    /// Says something and hears the reply, byte for byte.
    pub(crate) async fn text(&mut self, message: Value) -> String {
        self.say(message).await.into_text().expect("a reply")
    }

    /// What was said so far.
    pub(crate) fn transcript(&self) -> &str {
        &self.transcript
    }

    /// The token behind a placeholder, for tests that break it.
    pub(crate) fn token(&self, number: usize) -> &str {
        &self.tokens[number - 1]
    }

    fn hear(&mut self, reply: &Reply) {
        let Some(body) = reply.body() else {
            self.note(format_args!("← {} (nothing)\n\n", reply.status()));
            return;
        };
        if let Some(token) = token_of(&body)
            && !self.tokens.iter().any(|known| known == token)
        {
            self.tokens.push(token.to_owned());
        }
        let mut text = pretty(reply.text().unwrap_or_default(), 2);
        for (index, token) in self.tokens.iter().enumerate() {
            text = text.replace(token, &format!("<state {}>", index + 1));
        }
        self.note(format_args!("← {} {text}\n\n", reply.status()));
    }

    fn note(&mut self, text: fmt::Arguments<'_>) {
        self.transcript.write_fmt(text).expect("a string takes all text");
    }

    fn with_tokens(&self, value: Value) -> Value {
        let mut value = value;
        self.put_tokens(&mut value);
        value
    }

    fn put_tokens(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                for (index, token) in self.tokens.iter().enumerate() {
                    *text = text.replace(&format!("<state {}>", index + 1), token);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.put_tokens(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.put_tokens(field)),
            _ => {}
        }
    }
}

/// The token in a reply, wherever the dialect has it.
fn token_of(body: &Value) -> Option<&str> {
    let fields = ["requestState", "sagaToken", "nextResumeToken"];
    let field = fields.iter().find_map(|field| body["result"][field].as_str());
    let mut requests = body["dependent_requests"].as_object().into_iter().flat_map(Map::values);
    field.or_else(|| {
        requests
            .find_map(|request| request["params"]["_meta"]["modelcontextprotocol.io/state/request/"].as_str())
    })
}

/// JSON with one line for everything that fits into it.
pub(crate) fn pretty(text: &str, indent: usize) -> String {
    lines(&serde_json::from_str(text).expect("JSON"), indent)
}

fn lines(json: &Json, indent: usize) -> String {
    const WIDTH: usize = 118;
    let flat = serde_json::to_string(json).expect("JSON");
    if indent + flat.chars().count() <= WIDTH {
        return flat;
    }
    let inner = indent + 2;
    let (open, close, parts): (_, _, Vec<_>) = match json {
        Json::Array(items) => ('[', ']', items.iter().map(|item| lines(item, inner)).collect()),
        Json::Object(fields) => {
            let line = |(name, field): (&String, &Json)| format!("{name:?}: {}", lines(field, inner));
            ('{', '}', fields.iter().map(line).collect())
        }
        Json::Plain(_) => return flat,
    };
    let (pad, end) = (" ".repeat(inner), " ".repeat(indent));
    let parts: Vec<_> = parts.iter().map(|part| format!("{pad}{part}")).collect();
    format!("{open}\n{}\n{end}{close}", parts.join(",\n"))
}

/// JSON in the order in which it was written, which is what a person sees.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Json {
    Object(IndexMap<String, Self>),
    Array(Vec<Self>),
    Plain(Value),
}

/// The `_meta` of a client with these capabilities.
pub(crate) fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A request of MCP 2026-07-28, from a client that fills in forms and asks models.
pub(crate) fn modern(id: impl Into<Value>, method: &str, params: Value) -> Value {
    modern_with(json!({ "elicitation": { "form": {} }, "sampling": {} }), id, method, params)
}

/// A request of MCP 2026-07-28, from a client with these capabilities.
pub(crate) fn modern_with(capabilities: Value, id: impl Into<Value>, method: &str, params: Value) -> Value {
    let mut all = Map::new();
    all.insert("_meta".into(), meta(capabilities));
    all.extend(params.as_object().cloned().unwrap_or_default());
    plain(id, method, Value::Object(all))
}

/// A request without `_meta`.
pub(crate) fn plain(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}
