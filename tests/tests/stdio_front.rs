//! In front of another MCP server on the same standard input and output: which lines are taken and which are passed on,
//! driven in memory. (In front of rmcp: `conformance/tests/rmcp/child.rs`.)

use saga_runtime::Sagas;
use saga_runtime::serve::stdio::serve_in_front_of;
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

/// A client of a server that stands in front of one that says what it was sent.
struct Client {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<std::io::Result<usize>>,
}

/// Sends each line back as `{"passed": line}`, until one has the method `end`. Gives the number of lines.
async fn echo(pipe: DuplexStream) -> usize {
    let (read, mut write) = tokio::io::split(pipe);
    let mut lines = BufReader::new(read).lines();
    let mut heard = 0;
    while let Some(line) = lines.next_line().await.unwrap() {
        heard += 1;
        let said = json!({ "passed": line });
        write.write_all(format!("{said}\n").as_bytes()).await.unwrap();
        if line.contains("\"end\"") {
            break;
        }
    }
    heard
}

impl Client {
    fn of(sagas: Sagas) -> Self {
        let (input, server_input) = duplex(1024);
        let (server_output, output) = duplex(1024);
        let serving = tokio::spawn(serve_in_front_of(sagas, server_input, server_output, echo));
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

    async fn ask(&mut self, message: &Value) -> Value {
        self.say(&message.to_string()).await;
        self.hear().await
    }

    async fn is_passed_on(&mut self, message: &Value) {
        let heard = self.ask(message).await;
        assert_eq!(heard, json!({ "passed": message.to_string() }));
    }

    /// Closes the server's input and gives what it still says, and how many lines were passed on.
    async fn close(mut self) -> (Vec<Value>, usize) {
        drop(self.input);
        let mut rest = Vec::new();
        while let Some(line) = self.output.next_line().await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        (rest, self.serving.await.unwrap().unwrap())
    }
}

fn greet(id: u32) -> Value {
    modern(id, "tools/call", json!({ "name": "greet" }))
}

fn cancel(id: u32) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

#[tokio::test]
async fn only_what_names_a_saga_is_taken() {
    let mut client = Client::of(server());
    let state = client.ask(&greet(1)).await["result"]["requestState"].clone();
    let answer = json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } } });
    let params = json!({ "name": "greet", "inputResponses": answer, "requestState": state });
    let reply = client.ask(&modern(2, "tools/call", params)).await;
    assert_eq!(reply["result"]["content"][0]["text"], "Hello, Ada!");
    let reply = client.ask(&plain("s", "tools/callSaga", json!({ "name": "greet" }))).await;
    assert_eq!(reply["result"]["state"], "suspended");
    for message in [
        modern(3, "server/discover", json!({})),
        modern(4, "tools/list", json!({})),
        modern(5, "tools/call", json!({ "name": "another" })),
        plain(6, "tools/call", json!({ "name": "greet" })),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 7, "result": {} }),
        json!("no message"),
    ] {
        client.is_passed_on(&message).await;
    }
    assert_eq!(client.close().await, (vec![], 7));
}

/// A client of an older revision has its session with the other server: there it is asked.
#[tokio::test]
async fn a_session_is_the_other_servers() {
    let mut client = Client::of(server());
    client.is_passed_on(&plain(1, "initialize", json!({ "protocolVersion": "2025-11-25" }))).await;
    client.is_passed_on(&plain(2, "tools/call", json!({ "name": "greet" }))).await;
    assert!(
        client.ask(&greet(3)).await["result"]["requestState"].is_string(),
        "it names its revision itself"
    );
    assert_eq!(client.close().await, (vec![], 2));
}

/// rmcp ends at a notification that comes before its first request.
#[tokio::test]
async fn what_is_no_request_waits_for_the_other_servers_first_one() {
    let mut client = Client::of(server());
    client.is_passed_on(&modern(1, "server/discover", json!({}))).await;
    client.ask(&greet(2)).await;
    client.say(&cancel(2).to_string()).await;
    client.say(&json!({ "jsonrpc": "2.0", "id": 3, "result": {} }).to_string()).await;
    // Refused there, since it names no revision; it is none of the two that rmcp waits for.
    client.is_passed_on(&plain(3, "tools/list", json!({}))).await;
    client.say(&cancel(3).to_string()).await;
    client.is_passed_on(&modern(4, "tools/list", json!({}))).await;
    client.is_passed_on(&cancel(4)).await;
    assert_eq!(client.close().await, (vec![], 4));
}

#[tokio::test]
async fn a_cancelled_saga_stops_and_the_other_server_does_not_hear_of_it() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    let wait = |id: u32| modern(id, "tools/call", json!({ "name": "wait" }));
    client.is_passed_on(&modern(1, "tools/list", json!({}))).await;
    client.say(&wait(2).to_string()).await;
    client.say(&wait(3).to_string()).await;
    gate.entered.acquire_many(2).await.unwrap().forget();
    client.say(&cancel(2).to_string()).await;
    client.is_passed_on(&modern(4, "tools/list", json!({}))).await;
    // One permit: had the first call gone on waiting, it would have been the one to take it.
    gate.open.add_permits(1);
    let (rest, passed_on) = client.close().await;
    assert_eq!((rest.iter().map(|reply| &reply["id"]).collect::<Vec<_>>(), passed_on), (vec![&json!(3)], 2));
}

/// Larger than all buffers on the way, in both directions at once; beyond what a message may have, it is refused here.
#[tokio::test]
async fn long_lines_are_passed_on_whole() {
    let mut client = Client::of(server());
    let long = |len: usize| plain(1, "another", json!({ "text": "x".repeat(len) }));
    for len in [1, 70_000, 1_000_000] {
        client.is_passed_on(&long(len)).await;
    }
    let refused = client.ask(&long(5_000_000)).await;
    assert_eq!(refused["error"]["code"], -32600);
    assert_eq!(client.close().await.1, 3);
}

/// Both ends: what runs here is answered first.
#[tokio::test]
async fn it_ends_with_the_other_server() {
    let gate = Gate::default();
    let mut client = Client::of(builder(gate.clone()).build().unwrap());
    client.say(&modern(1, "tools/call", json!({ "name": "wait" })).to_string()).await;
    gate.entered.acquire().await.unwrap().forget();
    client.is_passed_on(&plain(2, "end", json!({}))).await;
    gate.open.add_permits(1);
    assert_eq!(client.hear().await["id"], 1);
    assert_eq!(client.output.next_line().await.unwrap(), None, "though the client has not closed its end");
    assert_eq!(client.serving.await.unwrap().unwrap(), 1);
}
