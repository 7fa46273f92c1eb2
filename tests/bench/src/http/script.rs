//! What a client sends: the same call again and again, with the answer and the state of the last reply.

use serde_json::{Value, json};

/// One saga: as many requests as it has steps.
pub struct Script {
    tool: &'static str,
    /// Each request's body, before and after the state.
    steps: Vec<(String, String)>,
    /// Whether the last step is repeated for as long as the server asks.
    pub repeats: bool,
    /// What the last reply must have in it.
    pub ends_with: &'static str,
}

/// A reply's state, and the key of what it asks.
pub struct Asked<'a> {
    pub state: &'a str,
    pub key: &'a str,
}

/// Where the state stands while a body is made.
const STATE: &str = "<state>";
const KEY: &str = "<key>";

impl Script {
    /// A form, a prompt, a form, done.
    pub fn trip() -> Self {
        let arguments = json!({ "city": "Rome", "budget": 900 });
        let dates = json!({ "action": "accept", "content": { "start": "2026-10-01", "nights": 3 } });
        let text = "Three nights near the river: the museums, a walk on the old road, and a day by the sea.";
        let content = json!({ "type": "text", "text": text });
        let plan = json!({ "role": "assistant", "model": "bench", "content": content });
        let sure = json!({ "action": "accept", "content": { "confirm": true } });
        let steps = [
            body(&arguments, "book_trip", None),
            body(&arguments, "book_trip", Some(dates)),
            body(&arguments, "book_trip", Some(plan)),
            body(&arguments, "book_trip", Some(sure)),
        ];
        Self {
            tool: "book_trip",
            steps: steps.into(),
            repeats: false,
            ends_with: "booked Rome 2026-10-01 x3 for 900: Three nights",
        }
    }

    /// The first request of a saga of so many rounds, and then the same one for each.
    pub fn rounds(n: u32) -> Self {
        let arguments = json!({ "n": n });
        let agree = json!({ "action": "accept", "content": { "ok": true } });
        let steps = [body(&arguments, "rounds", None), body(&arguments, "rounds", Some(agree))];
        Self { tool: "rounds", steps: steps.into(), repeats: true, ends_with: "agreed" }
    }

    /// How many requests a saga has.
    pub fn requests(&self) -> usize {
        self.steps.len()
    }

    /// Writes the request of this step; the last step is also every later one.
    pub fn write(&self, step: usize, asked: &Asked<'_>, request: &mut Vec<u8>) {
        let (before, after) = &self.steps[step.min(self.steps.len() - 1)];
        let has_state = !after.is_empty();
        let before = if before.contains(KEY) { &before.replace(KEY, asked.key) } else { before };
        let state = if has_state { asked.state } else { "" };
        let length = before.len() + state.len() + after.len();
        request.clear();
        request.extend_from_slice(
            b"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n",
        );
        request.extend_from_slice(b"accept: application/json, text/event-stream\r\n");
        request
            .extend_from_slice(b"mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: ");
        request.extend_from_slice(self.tool.as_bytes());
        request.extend_from_slice(format!("\r\ncontent-length: {length}\r\n\r\n").as_bytes());
        for part in [before, state, after] {
            request.extend_from_slice(part.as_bytes());
        }
    }
}

fn body(arguments: &Value, tool: &str, answer: Option<Value>) -> (String, String) {
    let mut params = json!({
        "name": tool,
        "arguments": arguments,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1.0.0" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} }, "sampling": {} },
        },
    });
    if let Some(answer) = answer {
        params["inputResponses"] = json!({ KEY: answer });
        params["requestState"] = STATE.into();
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    match body.split_once(STATE) {
        Some((before, after)) => (before.to_owned(), after.to_owned()),
        None => (body, String::new()),
    }
}
