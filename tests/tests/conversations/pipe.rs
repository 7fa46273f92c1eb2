//! A client on standard input and output that writes down what both sides say, line by line. Tokens are shown as
//! `<state 1>`, `<state 2>`; the ids of pages as `<page 1>`.

use std::fmt::Write as _;

use saga_runtime::Sagas;
use saga_runtime::serve::stdio;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::task::JoinHandle;

use crate::conversation::{plain, pretty};

/// The client.
#[derive(Debug)]
pub(crate) struct Pipe {
    input: Option<DuplexStream>,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<std::io::Result<()>>,
    tokens: Vec<String>,
    pages: Vec<String>,
    transcript: String,
}

impl Pipe {
    /// A client of this server.
    pub(crate) fn to(sagas: Sagas) -> Self {
        let (input, server_input) = duplex(64 * 1024);
        let (server_output, output) = duplex(64 * 1024);
        let serving = tokio::spawn(stdio::serve(sagas, server_input, server_output));
        let (output, transcript) = (BufReader::new(output).lines(), String::new());
        Self { input: Some(input), output, serving, tokens: Vec::new(), pages: Vec::new(), transcript }
    }

    /// A client of this server, in a session of this revision.
    pub(crate) async fn in_session(sagas: Sagas, revision: &str, capabilities: Value) -> Self {
        let mut pipe = Self::to(sagas);
        pipe.open(revision, capabilities).await;
        pipe
    }

    async fn open(&mut self, revision: &str, capabilities: Value) {
        let client = json!({ "name": "ExampleClient", "version": "1.0.0" });
        let params =
            json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": client });
        self.say(plain(0, "initialize", params)).await;
        self.hear().await;
        self.say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    }

    /// The server's process is killed, and another one is started.
    pub(crate) async fn restart(&mut self, sagas: Sagas, revision: &str, capabilities: Value) {
        self.serving.abort();
        let fresh = Self::to(sagas);
        (self.input, self.output, self.serving) = (fresh.input, fresh.output, fresh.serving);
        self.transcript.push_str("× the server is killed, and another one is started\n\n");
        self.open(revision, capabilities).await;
    }

    /// Says something.
    pub(crate) async fn say(&mut self, message: Value) {
        writeln!(self.transcript, "→ {}\n", pretty(&message.to_string(), 2)).unwrap();
        let mut line = message.to_string();
        for (index, token) in self.tokens.iter().enumerate() {
            line = line.replace(&format!("<state {}>", index + 1), token);
        }
        line.push('\n');
        self.input.as_mut().expect("an open pipe").write_all(line.as_bytes()).await.unwrap();
    }

    /// Hears something.
    pub(crate) async fn hear(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("a line");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        self.note(&line, &message);
        message
    }

    /// Says something and hears what comes next.
    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        self.say(message).await;
        self.hear().await
    }

    /// Answers a request of the server's with a result, and hears what comes next.
    pub(crate) async fn answer(&mut self, request: &Value, result: Value) -> Value {
        self.ask(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })).await
    }

    /// Closes the server's input, and hears what it still says.
    pub(crate) async fn close(mut self) -> String {
        self.input = None;
        self.transcript.push_str("× the client closes the pipe\n\n");
        while let Some(line) = self.output.next_line().await.unwrap() {
            let message = serde_json::from_str(&line).unwrap();
            self.note(&line, &message);
        }
        self.serving.await.unwrap().unwrap();
        self.transcript
    }

    fn note(&mut self, line: &str, message: &Value) {
        let token = [&message["params"]["resumeToken"], &message["result"]["nextResumeToken"]];
        remember(&mut self.tokens, token.into_iter().find_map(Value::as_str));
        remember(&mut self.pages, message["params"]["elicitationId"].as_str());
        let mut text = pretty(line, 2);
        for (name, known) in [("state", &self.tokens), ("page", &self.pages)] {
            for (index, value) in known.iter().enumerate() {
                text = text.replace(value.as_str(), &format!("<{name} {}>", index + 1));
            }
        }
        writeln!(self.transcript, "← {text}\n").unwrap();
    }
}

fn remember(known: &mut Vec<String>, value: Option<&str>) {
    if let Some(value) = value
        && !known.iter().any(|known| known == value)
    {
        known.push(value.to_owned());
    }
}
