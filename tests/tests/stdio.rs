//! MCP on standard input and output, driven in memory.

use saga_runtime::serve::stdio;
use saga_runtime::{Dialect, Sagas};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::task::JoinHandle;

#[expect(dead_code, reason = "shared with the conversations")]
#[path = "conversations/conversation.rs"]
mod conversation;
#[expect(dead_code, reason = "shared with the conversations")]
#[path = "conversations/tools.rs"]
mod tools;

use conversation::{modern, plain};
use tools::{Gate, builder, server};

/// A client at the other end of the pipes.
struct Client {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn of(sagas: Sagas) -> Self {
        let (input, server_input) = duplex(1024);
        let (server_output, output) = duplex(1024);
        let serving = tokio::spawn(stdio::serve(sagas, server_input, server_output));
        Self { input, output: BufReader::new(output).lines(), serving }
    }

    async fn say(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).await.unwrap();
        self.input.write_all(b"\n").await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
    }

    async fn ask(&mut self, message: Value) -> Value {
        self.say(&message.to_string()).await;
        self.hear().await
    }

    /// Closes the server's input and gives what it still says.
    async fn close(mut self) -> Vec<Value> {
        drop(self.input);
        let mut rest = Vec::new();
        while let Some(line) = self.output.next_line().await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        self.serving.await.unwrap().unwrap();
        rest
    }
}

fn ping(id: u32) -> Value {
    plain(id, "ping", json!({}))
}

fn pong(id: u32) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": {} })
}

fn wait(id: u32) -> String {
    modern(id, "tools/call", json!({ "name": "wait" })).to_string()
}

#[tokio::test]
async fn a_whole_saga() {
    let mut client = Client::of(server());
    let state = client.ask(modern(1, "tools/call", json!({ "name": "greet" }))).await;
    let state = state["result"]["requestState"].clone();
    let answer = json!({ "user_name": { "action": "accept", "content": { "name": "Ada\nLovelace" } } });
    let params = json!({ "name": "greet", "inputResponses": answer, "requestState": state });
    let reply = client.ask(modern(2, "tools/call", params)).await;
    assert_eq!(reply["result"]["content"][0]["text"], "Hello, Ada\nLovelace!");
    let reply = client.ask(plain("s", "tools/callSaga", json!({ "name": "greet" }))).await;
    assert_eq!(reply["result"]["state"], "suspended");
    assert_eq!(client.close().await, Vec::<Value>::new());
}

/// Revisions before 2026-07-28 have it, and allow it before `initialize`.
#[tokio::test]
async fn a_ping_is_answered_where_an_older_revision_is_spoken() {
    for (dialects, is_answered) in [
        (vec![], true),
        (vec![Dialect::Push], true),
        (vec![Dialect::Mrtr, Dialect::Saga], true),
        (vec![Dialect::Mrtr, Dialect::Resumable], true),
        (vec![Dialect::Mrtr], false),
    ] {
        let unset = builder(Gate::default());
        let set = if dialects.is_empty() { unset } else { unset.dialects(dialects.clone()) };
        let mut client = Client::of(set.build().unwrap());
        let reply = client.ask(ping(1)).await;
        if is_answered {
            assert_eq!(reply, pong(1), "{dialects:?}");
        } else {
            assert_eq!(reply["error"]["code"], -32601, "{dialects:?}");
        }
        // It is no method of that revision.
        let reply = client.ask(modern(2, "ping", json!({}))).await;
        assert_eq!(reply["error"]["code"], -32601, "{dialects:?}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_slow_tool_holds_up_no_other() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    client.say(&wait(1)).await;
    gate.entered.acquire().await.unwrap().forget();
    assert_eq!(client.ask(ping(2)).await, pong(2));
    assert_eq!(client.ask(modern(3, "tools/list", json!({}))).await["id"], 3);
    gate.open.add_permits(1);
    let reply = client.hear().await;
    assert_eq!((&reply["id"], &reply["result"]["content"][0]["text"]), (&json!(1), &json!("waited")));
    client.close().await;
}

#[tokio::test]
async fn a_cancelled_request_stops_and_is_not_answered() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    client.say(&wait(1)).await;
    client.say(&wait(2)).await;
    gate.entered.acquire_many(2).await.unwrap().forget();
    let cancel = |id: Value| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    client.say(&cancel(json!("1")).to_string()).await;
    client.say(&cancel(json!(1)).to_string()).await;
    client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }).to_string()).await;
    assert_eq!(client.ask(ping(3)).await, pong(3));
    // One permit: had the first call gone on waiting, it would have been the one to take it.
    gate.open.add_permits(1);
    let rest = client.close().await;
    assert_eq!(rest.iter().map(|reply| &reply["id"]).collect::<Vec<_>>(), [2]);
}

#[tokio::test]
async fn progress_is_told_on_the_way() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    let call = |id: u32, token: Value| {
        let mut call = modern(id, "tools/call", json!({ "name": "copy", "arguments": { "files": 3 } }));
        call["params"]["_meta"]["progressToken"] = token;
        call
    };
    client.say(&call(1, json!("first")).to_string()).await;
    let first =
        json!({ "progressToken": "first", "progress": 1, "total": 3, "message": "the first is there" });
    assert_eq!(
        client.hear().await,
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": first })
    );
    gate.open.add_permits(1);
    assert_eq!(client.hear().await["params"], json!({ "progressToken": "first", "progress": 1.5 }));
    let waits = client.hear().await;
    assert_eq!(waits["id"], 1);
    // The retry is a request with a progress of its own.
    let answer = json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } } });
    let mut retry = call(2, json!(7));
    retry["params"]["inputResponses"] = answer.clone();
    retry["params"]["requestState"] = waits["result"]["requestState"].clone();
    client.say(&retry.to_string()).await;
    assert_eq!(client.hear().await["params"], json!({ "progressToken": 7, "progress": 3 }));
    assert_eq!(client.hear().await["result"]["content"][0]["text"], "Ada copied 3 files");
    // A client that does not ask for it, or not properly, hears of none.
    retry["params"]["_meta"]["progressToken"] = json!(1.5);
    assert_eq!(client.ask(retry).await["result"]["content"][0]["text"], "Ada copied 3 files");
    client.close().await;
}

#[tokio::test]
async fn requests_that_run_at_the_end_of_input_are_answered() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    client.say(&wait(1)).await;
    gate.entered.acquire().await.unwrap().forget();
    let last = ping(2).to_string();
    client.input.write_all(last.as_bytes()).await.unwrap();
    let closing = tokio::spawn(client.close());
    tokio::task::yield_now().await;
    gate.open.add_permits(1);
    let mut replies = closing.await.unwrap();
    replies.sort_by_key(|reply| reply["id"].as_u64());
    assert_eq!((&replies[0]["result"]["content"][0]["text"], &replies[1]), (&json!("waited"), &pong(2)));
    assert_eq!(replies.len(), 2);
}

#[tokio::test]
async fn lines_that_are_no_messages() {
    let mut client = Client::of(server());
    client.say("\n  \n\r").await;
    client.say("{").await;
    assert_eq!(client.hear().await["error"]["code"], -32700);
    client.say("[]").await;
    assert_eq!(client.hear().await["error"]["code"], -32600);
    client.input.write_all(b"\xff\xfe\n").await.unwrap();
    assert_eq!(client.hear().await["error"]["code"], -32700);
    client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    client.say("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\r").await;
    assert_eq!(client.hear().await, pong(9));
    client.close().await;
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_skipped() {
    let mut client = Client::of(server());
    let chunk = " ".repeat(64 * 1024);
    for _ in 0..=64 {
        client.input.write_all(chunk.as_bytes()).await.unwrap();
    }
    let reply = client.hear().await;
    assert_eq!((&reply["error"]["code"], reply.get("id")), (&json!(-32600), None));
    client.input.write_all(chunk.as_bytes()).await.unwrap();
    client.say(&ping(1).to_string()).await;
    // That was the long line's end.
    assert_eq!(client.ask(ping(2)).await, pong(2));
    client.close().await;
}

#[tokio::test]
async fn many_requests_at_once() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    for id in 0..256 {
        client.say(&wait(id)).await;
    }
    gate.entered.acquire_many(256).await.unwrap().forget();
    // There is no room for more, until one ends.
    client.say(&ping(1000).to_string()).await;
    gate.open.add_permits(1);
    assert_eq!(client.hear().await["result"]["content"][0]["text"], "waited");
    assert_eq!(client.hear().await, pong(1000));
    gate.open.add_permits(255);
    assert_eq!(client.close().await.len(), 255);
}
