//! A client of each dialect: it speaks to one of two instances in turn, lets a person answer, and ends with the
//! tool's result.

use indexmap::IndexMap;
use saga_runtime::serve::stdio;
use saga_runtime::step::Answer;
use saga_runtime::{RequestFacts, Sagas};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::task::JoinHandle;

use crate::corpus::SUBJECT;
use crate::person::Person;
use crate::schema;

/// What came of a call.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// The result's text; of a failure, with a mark.
    pub(crate) text: String,
    /// What it had given before.
    pub(crate) partials: Vec<String>,
    /// The client was told that it cannot be asked what the tool needs.
    pub(crate) is_refused: bool,
}

/// Two instances with one key ring.
pub(crate) struct Servers {
    pub(crate) instances: [Sagas; 2],
    pub(crate) next: usize,
    /// What the last reply asks, in its order.
    pub(crate) asked: IndexMap<String, Value>,
}

impl Servers {
    fn next(&mut self) -> Sagas {
        self.next += 1;
        self.instances[self.next % 2].clone()
    }

    async fn ask(&mut self, message: &Value) -> Value {
        let reply = self.next().handle(message.to_string().as_bytes(), &RequestFacts::default()).await;
        let text = reply.text().expect("a reply");
        let Asks { result, dependent_requests } = serde_json::from_str(text).expect("JSON");
        self.asked = result.and_then(|result| result.requests).or(dependent_requests).unwrap_or_default();
        serde_json::from_str(text).expect("JSON")
    }
}

#[derive(Deserialize)]
struct Asks {
    result: Option<Waits>,
    dependent_requests: Option<IndexMap<String, Value>>,
}

#[derive(Deserialize)]
struct Waits {
    #[serde(rename = "inputRequests")]
    requests: Option<IndexMap<String, Value>>,
}

/// The text of a result, or of an error.
fn ended(body: &Value, partials: Vec<String>) -> Ended {
    let result = &body["result"];
    if let Some(error) = body.get("error") {
        return Ended { text: format!("error {error}"), partials, is_refused: error["code"] == -32021 };
    }
    let text = text_of(result);
    let is_refused = result["isError"] == true && text.starts_with("the tool needs what");
    let mark = if result["isError"] == true { "failed: " } else { "" };
    Ended { text: format!("{mark}{text}"), partials, is_refused }
}

fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn call(id: usize, method: &str, name: &str, more: Value) -> Value {
    let mut params = Map::from_iter([
        ("name".to_owned(), name.into()),
        ("arguments".to_owned(), json!({ "subject": SUBJECT })),
    ]);
    params.extend(more.as_object().cloned().unwrap_or_default());
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// An answer in the dialects that have errors: `{"result": ..}` or `{"error": ..}`.
fn response(answer: Answer) -> Map<String, Value> {
    let (name, value) = match answer {
        Answer::Result(result) => ("result", Value::Object(result)),
        Answer::Error { code, message, data } => {
            ("error", json!({ "code": code, "message": message, "data": data }))
        }
        other => panic!("{other:?}"),
    };
    Map::from_iter([(name.to_owned(), value)])
}

pub(crate) async fn mrtr(servers: &mut Servers, name: &str, person: &mut Person) -> Ended {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":
            { "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} },
    });
    let mut more = json!({ "_meta": meta });
    for id in 0.. {
        let message = call(id, "tools/call", name, more);
        let body = servers.ask(&message).await;
        if !person.is_mistaken() {
            schema::check_call(&message);
        }
        schema::check_reply(&body);
        let result = &body["result"];
        if result["resultType"] != "input_required" {
            return ended(&body, Vec::new());
        }
        let mut answers = Map::new();
        for (key, request) in &servers.asked {
            match person.answer(request["method"].as_str().unwrap(), &request["params"]) {
                Answer::Result(result) => drop(answers.insert(key.clone(), Value::Object(result))),
                other => panic!("no form for {other:?}"),
            }
        }
        more = json!({ "_meta": meta, "requestState": result["requestState"], "inputResponses": answers });
    }
    unreachable!()
}

pub(crate) async fn saga(servers: &mut Servers, name: &str, person: &mut Person) -> Ended {
    let mut message = call(0, "tools/callSaga", name, json!({}));
    let mut completed = Vec::new();
    for id in 1.. {
        let body = servers.ask(&message).await;
        let result = &body["result"];
        if result["state"] != "suspended" {
            return ended(&body, Vec::new());
        }
        for step in result["steps"].as_array().unwrap() {
            let method = match step["type"].as_str().unwrap() {
                "sampling" => "sampling/createMessage",
                _ => "elicitation/create",
            };
            let mut done = response(person.answer(method, &step["params"]));
            done.insert("stepId".into(), step["stepId"].clone());
            // All since the start, and of each step the last word.
            completed.retain(|other: &Value| other["stepId"] != step["stepId"]);
            completed.push(Value::Object(done));
        }
        let params = json!({ "sagaToken": result["sagaToken"], "completedSteps": completed });
        message = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/resumeSaga", "params": params });
    }
    unreachable!()
}

/// With the state sent back, or with all answers since the start instead.
pub(crate) async fn streamless(
    servers: &mut Servers,
    name: &str,
    person: &mut Person,
    has_state: bool,
) -> Ended {
    let mut responses = Map::new();
    for id in 0.. {
        let mut message = call(id, "tools/call", name, json!({}));
        if !responses.is_empty() {
            message["dependent_responses"] = Value::Object(responses.clone());
        }
        let body = servers.ask(&message).await;
        if body.get("dependent_requests").is_none() {
            return ended(&body, Vec::new());
        }
        if has_state {
            responses.clear();
        }
        for (key, request) in &servers.asked {
            let mut answer = response(person.answer(request["method"].as_str().unwrap(), &request["params"]));
            if has_state {
                answer.insert("_meta".into(), request["params"]["_meta"].clone());
            }
            responses.insert(key.clone(), Value::Object(answer));
        }
    }
    unreachable!()
}

pub(crate) async fn resume_token(servers: &mut Servers, name: &str) -> Ended {
    let (mut more, mut partials) = (json!({}), Vec::new());
    for id in 0.. {
        let body = servers.ask(&call(id, "tools/call", name, more)).await;
        let result = &body["result"];
        let Some(token) = result.get("nextResumeToken") else { return ended(&body, partials) };
        partials.push(text_of(result));
        more = json!({ "resumeToken": token });
    }
    unreachable!()
}

/// A session on standard input and output.
struct Session {
    revision: &'static str,
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Session {
    async fn with(sagas: Sagas, revision: &'static str) -> Self {
        let (input, server_input) = duplex(64 * 1024);
        let (server_output, output) = duplex(64 * 1024);
        let serving = tokio::spawn(stdio::serve(sagas, server_input, server_output));
        let mut session = Self { revision, input, output: BufReader::new(output).lines(), serving };
        let elicitation = if revision == "2025-06-18" { json!({}) } else { json!({ "form": {}, "url": {} }) };
        let capabilities =
            json!({ "elicitation": elicitation, "sampling": {}, "roots": {}, "resumableRequests": {} });
        let params = json!({ "protocolVersion": revision, "capabilities": capabilities });
        session.say(&json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params })).await;
        session.hear().await;
        session
    }

    async fn say(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("a line");
        let message = serde_json::from_str(&line).unwrap();
        schema::check_in_session(self.revision, &message);
        message
    }

    async fn answer(&mut self, request: &Value, person: &mut Person) {
        let mut message = response(person.answer(request["method"].as_str().unwrap(), &request["params"]));
        message.insert("jsonrpc".into(), "2.0".into());
        message.insert("id".into(), request["id"].clone());
        self.say(&Value::Object(message)).await;
    }
}

/// In a session of this revision; a checkpoint that ends the request is followed by the next on the other instance.
pub(crate) async fn push(
    servers: &mut Servers,
    name: &str,
    person: &mut Person,
    revision: &'static str,
) -> Ended {
    let mut session = Session::with(servers.next(), revision).await;
    let mut partials = Vec::new();
    session.say(&call(7, "tools/call", name, json!({}))).await;
    loop {
        let message = session.hear().await;
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(_)) => session.answer(&message, person).await,
            (Some(_), None) => {}
            (None, _) => match message["result"].get("nextResumeToken") {
                Some(token) => {
                    partials.push(text_of(&message["result"]));
                    session = Session::with(servers.next(), revision).await;
                    session.say(&call(7, "tools/call", name, json!({ "resumeToken": token }))).await;
                }
                None => return ended(&message, partials),
            },
        }
    }
}

/// The server is killed at each question, and the other one takes the request up again.
pub(crate) async fn resumable(servers: &mut Servers, name: &str, person: &mut Person) -> Ended {
    let mut session = Session::with(servers.next(), "2025-11-25").await;
    let mut token = Value::Null;
    // What comes after the token that the other instance gives is to be answered.
    let (mut is_resumed, mut answers) = (false, false);
    session.say(&call(7, "tools/call", name, json!({}))).await;
    loop {
        let message = session.hear().await;
        let method = message["method"].as_str();
        match (method, message.get("id")) {
            (Some("notifications/requests/resumePolicy"), _) => {
                token = message["params"]["resumeToken"].clone();
                (answers, is_resumed) = (is_resumed, false);
            }
            (Some(_), Some(_)) if answers => session.answer(&message, person).await,
            (Some(_), Some(_)) => {
                session.serving.abort();
                session = Session::with(servers.next(), "2025-11-25").await;
                let params = json!({ "resumeToken": token });
                session
                    .say(&json!({ "jsonrpc": "2.0", "id": 7, "method": "requests/resume", "params": params }))
                    .await;
                is_resumed = true;
            }
            (Some(_), None) => {}
            (None, _) => return ended(&message, Vec::new()),
        }
    }
}
