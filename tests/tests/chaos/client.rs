//! Clients: each takes its sagas to their end, over a network that loses replies, and does some things twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::figures::Figures;
use crate::journal::{euros, mix, result};

/// How often a request is sent before its client gives up; two minutes of a server that is down.
const PATIENCE: u32 = 300;

/// A client.
pub(crate) struct Worker {
    number: usize,
    port: u16,
    random: u64,
    /// The next order, for all workers.
    next: Arc<AtomicU64>,
    sagas: u32,
    progress: Arc<AtomicU64>,
    figures: Figures,
}

/// Lets all workers do their work.
pub(crate) async fn work(workers: Vec<Worker>) -> Figures {
    let tasks: Vec<_> = workers.into_iter().map(|worker| tokio::spawn(worker.work())).collect();
    let mut figures = Figures::default();
    for task in tasks {
        figures = figures.and(task.await.expect("no panic"));
    }
    figures
}

impl Worker {
    pub(crate) fn new(number: usize, port: u16, seed: u64, next: Arc<AtomicU64>, sagas: u32) -> Self {
        let random = mix(seed ^ number as u64);
        Self { number, port, random, next, sagas, progress: Arc::default(), figures: Figures::default() }
    }

    /// How many replies it got; no end of them when it is done.
    pub(crate) fn progress(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.progress)
    }

    async fn work(mut self) -> Figures {
        loop {
            let order = self.next.fetch_add(1, Ordering::SeqCst);
            match u32::try_from(order) {
                Ok(order) if order < self.sagas => self.saga(order).await,
                _ => break,
            }
        }
        self.progress.store(u64::MAX, Ordering::SeqCst);
        self.figures
    }

    async fn saga(&mut self, order: u32) {
        let mut request = request(order, None, &Value::Null);
        loop {
            let reply = match self.reply(&request).await {
                Ok(reply) => reply,
                Err(what) => return self.figures.find(format!("order {order}: {what}")),
            };
            self.progress.fetch_add(1, Ordering::SeqCst);
            if reply["resultType"] != "input_required" {
                let text = reply["content"][0]["text"].as_str().unwrap_or_default();
                if text == result(order) {
                    self.figures.done += 1;
                } else {
                    self.figures.find(format!("order {order}: {reply}"));
                }
                return;
            }
            request = answered(order, &reply, 0);
            if self.one_in(8) {
                self.fork(&request, order, &reply).await;
            }
        }
    }

    /// The reply to a request, which is lost on its way, repeated, or sent twice at once, as chance will have it.
    async fn reply(&mut self, request: &Value) -> Result<Value, String> {
        let is_start = request["params"].get("requestState").is_none();
        match self.random() % 8 {
            0 => {
                // The client hangs up, at some moment.
                let pause = Duration::from_micros(self.random() % 20_000);
                let _ = tokio::time::timeout(pause, send(self.port, request)).await;
                self.figures.requests += 1;
                self.figures.unanswered += 1;
                self.insist(request).await
            }
            1 if !is_start => {
                let first = self.insist(request).await?;
                self.same(&first, request).await?;
                Ok(first)
            }
            2 if !is_start => {
                let (port, other) = (self.port, request.clone());
                let beside = tokio::spawn(async move { send(port, &other).await });
                let first = self.insist(request).await?;
                self.figures.requests += 1;
                if let Ok(Ok(mut reply)) = beside.await
                    && let Some(result) = reply.get_mut("result").map(Value::take)
                {
                    self.compare(&first, result)?;
                }
                Ok(first)
            }
            _ => self.insist(request).await,
        }
    }

    /// A request that is repeated gets the reply that it got.
    async fn same(&mut self, first: &Value, request: &Value) -> Result<(), String> {
        self.figures.repeated += 1;
        let again = self.insist(request).await?;
        self.compare(first, again)
    }

    /// Two replies to one request are one; where Redis was down when the first was to be kept, the transition ran again
    /// and says the same, with a token of its own.
    fn compare(&mut self, first: &Value, mut again: Value) -> Result<(), String> {
        if again["requestState"] != first["requestState"] {
            self.figures.other_tokens += 1;
            again["requestState"] = first["requestState"].clone();
        }
        if again == *first {
            Ok(())
        } else {
            Err(format!("repeated, it got another reply: {again}, not {first}"))
        }
    }

    /// Another answer to a question that was answered: refused. (The answer that counts is sent first.)
    async fn fork(&mut self, request: &Value, order: u32, asked: &Value) {
        if let Err(what) = self.insist(request).await {
            return self.figures.find(format!("order {order}: {what}"));
        }
        self.figures.forks += 1;
        let other = answered(order, asked, 1);
        if let Ok(reply) = self.insist(&other).await {
            self.figures.find(format!("order {order}: another branch went on: {reply}"));
        }
    }

    /// Sends a request until there is a result or a refusal.
    async fn insist(&mut self, request: &Value) -> Result<Value, String> {
        for _ in 0..PATIENCE {
            self.figures.requests += 1;
            match send(self.port, request).await {
                Ok(reply) if reply.get("result").is_some() => return Ok(reply["result"].clone()),
                // The server could not do its part, and says that it may later.
                Ok(reply) if reply["error"]["code"] == -32603 => {}
                Ok(reply) => return Err(format!("refused: {reply}")),
                Err(_) => self.figures.unanswered += 1,
            }
            tokio::time::sleep(Duration::from_millis(20 + self.random() % 400)).await;
        }
        Err(format!("worker {} gave up", self.number))
    }

    fn random(&mut self) -> u64 {
        self.random = mix(self.random);
        self.random
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.random().is_multiple_of(many)
    }
}

fn request(order: u32, state: Option<&Value>, answers: &Value) -> Value {
    let mut params = Map::new();
    params.insert("name".into(), "order".into());
    params.insert("arguments".into(), json!({ "number": order }));
    params.insert(
        "_meta".into(),
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        }),
    );
    if let Some(state) = state {
        params.insert("requestState".into(), state.clone());
        params.insert("inputResponses".into(), answers.clone());
    }
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

/// The request that answers all that a reply asks, `off` by so many euros.
fn answered(order: u32, reply: &Value, off: i64) -> Value {
    let asked = reply["inputRequests"].as_object().cloned().unwrap_or_default();
    let answers = asked.keys().map(|key| {
        let content = json!({ "euros": euros(order, key) + off });
        (key.clone(), json!({ "action": "accept", "content": content }))
    });
    request(order, Some(&reply["requestState"]), &Value::Object(answers.collect()))
}

/// Sends a request on a connection of its own; an error is a reply that did not come.
async fn send(port: u16, message: &Value) -> Result<Value, std::io::Error> {
    let body = message.to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: order\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await?;
    let lost = || std::io::Error::other("no whole reply");
    let response = String::from_utf8(response).map_err(|_| lost())?;
    let (_, body) = response.split_once("\r\n\r\n").ok_or_else(lost)?;
    serde_json::from_str(body).map_err(|_| lost())
}
