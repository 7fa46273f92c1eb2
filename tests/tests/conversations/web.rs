//! A client over HTTP in sessions, which writes down what both sides say: each POST and its stream's events. Tokens
//! are shown as `<state 1>`, a session's id as `<session 1>`, the ids of the server's requests as `<request 1>`.

use std::fmt::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, Request, Response};
use http_body_util::BodyExt;
use saga_runtime::Sagas;
use saga_runtime::serve::http::HttpService;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::conversation::{plain, pretty};

/// The client.
#[derive(Debug)]
pub(crate) struct Web {
    service: HttpService,
    session: Option<String>,
    known: [(&'static str, Vec<String>); 3],
    transcript: String,
}

/// The stream of a POST.
#[derive(Debug)]
pub(crate) struct Stream(Response<Body>);

impl Web {
    /// A client of this server.
    pub(crate) fn to(sagas: &Sagas) -> Self {
        let known = ["session", "state", "request"].map(|name| (name, Vec::new()));
        Self { service: sagas.http_service(), session: None, known, transcript: String::new() }
    }

    /// A client of this server, in a session of 2025-11-25.
    pub(crate) async fn in_session(sagas: &Sagas, capabilities: Value) -> Self {
        let mut web = Self::to(sagas);
        web.open(capabilities).await;
        web
    }

    /// Opens a session, if the server has any.
    pub(crate) async fn open(&mut self, capabilities: Value) {
        let client = json!({ "name": "ExampleClient", "version": "1.0.0" });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client });
        self.session = None;
        let mut stream = self.post(plain(0, "initialize", params)).await;
        self.hear(&mut stream).await;
        let session = stream.0.headers().get("mcp-session-id");
        self.session = session.map(|id| id.to_str().unwrap().to_owned());
    }

    /// The next message comes to another instance.
    pub(crate) fn at(&mut self, sagas: &Sagas) {
        self.service = sagas.http_service();
        self.transcript.push_str("× another instance answers\n\n");
    }

    /// The next message names this session.
    pub(crate) fn claim(&mut self, session: &str) {
        self.session = Some(session.to_owned());
    }

    /// Sends a message, and gives the reply's status and headers to go on from.
    pub(crate) async fn post(&mut self, message: Value) -> Stream {
        let mut body = message.to_string();
        for (name, known) in &self.known {
            for (index, value) in known.iter().enumerate() {
                body = body.replace(&format!("<{name} {}>", index + 1), value);
            }
        }
        let mut request = Request::post("/mcp").header("content-type", "application/json");
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
        }
        writeln!(self.transcript, "→ {}\n", self.shown(&message.to_string())).unwrap();
        let response = self.service.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
        self.remember(0, header(response.headers(), "mcp-session-id"));
        let session = response.headers().get("mcp-session-id").map_or("", |_| ", a session's id");
        writeln!(self.transcript, "← {}{session}", response.status().as_u16()).unwrap();
        Stream(response)
    }

    /// The next message of a stream; `None` where it ends, or is none.
    pub(crate) async fn hear(&mut self, stream: &mut Stream) -> Option<Value> {
        let frame = stream.0.body_mut().frame().await?.unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let text = text.trim_end().strip_prefix("event: message\ndata: ").unwrap_or(&text);
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            writeln!(self.transcript, "← {text}\n").unwrap();
            return None;
        };
        self.remember(1, message["params"]["resumeToken"].as_str().map(str::to_owned));
        let request = message.get("method").and_then(|_| message["id"].as_str());
        self.remember(2, request.map(str::to_owned));
        writeln!(self.transcript, "← {}\n", self.shown(text)).unwrap();
        Some(message)
    }

    /// Sends a message and hears all that comes of it; the last.
    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        let mut stream = self.post(message).await;
        let mut last = Value::Null;
        while let Some(message) = self.hear(&mut stream).await {
            last = message;
        }
        last
    }

    /// Closes a stream before its end.
    pub(crate) fn drop(&mut self, stream: Stream) {
        drop(stream);
        self.transcript.push_str("× the client loses the stream\n\n");
    }

    /// What was said so far.
    pub(crate) fn transcript(&self) -> &str {
        &self.transcript
    }

    fn shown(&self, message: &str) -> String {
        let mut shown = pretty(message, 2);
        for (name, known) in &self.known {
            for (index, value) in known.iter().enumerate() {
                shown = shown.replace(value.as_str(), &format!("<{name} {}>", index + 1));
            }
        }
        shown
    }

    fn remember(&mut self, kind: usize, value: Option<String>) {
        let known = &mut self.known[kind].1;
        known.extend(value.filter(|value| !known.contains(value)));
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name).map(|value| value.to_str().unwrap().to_owned())
}
