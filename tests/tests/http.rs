//! MCP over HTTP: which requests are let in, which headers they need, and the status of each reply.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt;
use saga_runtime::serve::http::{HttpService, serve_until};
use saga_runtime::{Dialect, Sagas};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower::ServiceExt;

#[expect(dead_code, reason = "shared with the conversations")]
#[path = "conversations/conversation.rs"]
mod conversation;
#[path = "conversations/tools.rs"]
#[expect(dead_code, reason = "shared with the conversations")]
mod tools;

#[path = "http/hostile.rs"]
mod hostile;

use conversation::{modern, modern_with, plain};
use tools::{Gate, builder, server, server_with_callers};

/// A POST, built header by header.
struct Post {
    service: HttpService,
    headers: Vec<(&'static str, String)>,
    body: String,
}

/// A reply: status, headers, body.
struct Got {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Post {
    /// A request as a client of MCP 2026-07-28 sends it.
    fn modern(sagas: &Sagas, message: &Value) -> Self {
        let mut post = Self::plain(sagas, message);
        post = post.with("mcp-protocol-version", "2026-07-28");
        post = post.with("mcp-method", message["method"].as_str().unwrap());
        match message["params"]["name"].as_str() {
            Some(name) => post.with("mcp-name", name),
            None => post,
        }
    }

    /// A request with HTTP's own headers.
    fn plain(sagas: &Sagas, message: &Value) -> Self {
        let headers = Vec::new();
        let post = Self { service: sagas.http_service(), headers, body: message.to_string() };
        post.with("content-type", "application/json").with("accept", "application/json, text/event-stream")
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(header, _)| *header != name);
        self
    }

    fn saying(self, name: &'static str, value: &str) -> Self {
        self.without(name).with(name, value)
    }

    fn to(mut self, change: impl FnOnce(HttpService) -> HttpService) -> Self {
        self.service = change(self.service);
        self
    }

    async fn send(self) -> Got {
        let mut request = Request::post("/mcp");
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        send(self.service, request.body(Body::from(self.body)).unwrap()).await
    }

    async fn status(self) -> u16 {
        self.send().await.status
    }
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    /// Status and JSON-RPC error code.
    fn error(&self) -> (u16, i64) {
        (self.status, self.json()["error"]["code"].as_i64().unwrap_or_default())
    }
}

async fn send(service: HttpService, request: Request<Body>) -> Got {
    let response = service.oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
    Got { status: head.status.as_u16(), headers: head.headers, body }
}

fn greet() -> Value {
    modern(1, "tools/call", json!({ "name": "greet" }))
}

fn discover() -> Value {
    modern(1, "server/discover", json!({}))
}

#[tokio::test]
async fn a_whole_saga() {
    let server = server();
    let got = Post::modern(&server, &greet()).send().await;
    assert_eq!((got.status, got.headers["content-type"].to_str().unwrap()), (200, "application/json"));
    let state = got.json()["result"]["requestState"].clone();
    let answer = json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } } });
    let params = json!({ "name": "greet", "inputResponses": answer, "requestState": state });
    let got = Post::modern(&server, &modern(2, "tools/call", params)).send().await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "Hello, Ada!");
}

#[tokio::test]
async fn a_saga_of_the_proposal_needs_no_headers() {
    let server = server();
    let call = plain(1, "tools/callSaga", json!({ "name": "greet" }));
    let got = Post::plain(&server, &call).send().await;
    assert_eq!((got.status, &got.json()["result"]["state"]), (200, &json!("suspended")));
    // What it has of them is right.
    assert_eq!(Post::plain(&server, &call).with("mcp-method", "tools/callSaga").status().await, 200);
    let got = Post::plain(&server, &call).with("mcp-method", "tools/call").send().await;
    assert_eq!(got.error(), (400, -32020));
    let got = Post::plain(&server, &call).with("mcp-name", "other").send().await;
    assert_eq!(got.error(), (400, -32020));
    // With `_meta` it needs them, but for the name.
    let call = modern(1, "tools/callSaga", json!({ "name": "greet" }));
    assert_eq!(Post::modern(&server, &call).without("mcp-name").status().await, 200);
    assert_eq!(Post::plain(&server, &call).send().await.error(), (400, -32020));
}

#[tokio::test]
async fn headers_repeat_what_the_body_says() {
    let server = server();
    let post = || Post::modern(&server, &greet());
    let different = [
        post().without("mcp-protocol-version"),
        post().without("mcp-method"),
        post().without("mcp-name"),
        post().saying("mcp-protocol-version", "2025-11-25"),
        post().saying("mcp-method", "tools/list"),
        post().saying("mcp-method", "Tools/Call"),
        post().saying("mcp-name", "deploy"),
        post().saying("mcp-name", "=?base64?ZGVwbG95?="),
        post().saying("mcp-name", "=?base64?!?="),
        post().saying("mcp-name", "=?base64?/w==?="),
        post().saying("mcp-name", "gr\u{e9}et"),
        post().with("mcp-name", "deploy"),
    ];
    for post in different {
        let got = post.send().await;
        assert_eq!(got.error(), (400, -32020), "{}", got.body);
        assert_eq!(got.json()["id"], 1);
    }
    assert_eq!(post().saying("mcp-name", "=?base64?Z3JlZXQ=?=").status().await, 200);
}

/// MCP 2025-11-25 and 2026-07-28: a revision that the server does not speak is refused, also where the body names none.
#[tokio::test]
async fn a_header_names_a_revision_that_there_is() {
    let server = server();
    for method in ["ping", "tools/callSaga"] {
        let post = |revision: &str| {
            let message = plain(1, method, json!({ "name": "greet" }));
            Post::plain(&server, &message).with("mcp-protocol-version", revision)
        };
        assert_eq!(post("1900-01-01").send().await.error(), (400, -32022), "{method}");
        assert_eq!(post("2025-11-25").status().await, 200, "{method}");
        assert_eq!(post("2025-06-18").status().await, 200, "{method}");
    }
}

#[tokio::test]
async fn prompts_and_resources_have_names_too() {
    #[saga_runtime::saga_prompt]
    async fn hello() -> &'static str {
        "Say hello."
    }
    #[saga_runtime::saga_resource(uri = "trip://{id}")]
    async fn trip(id: u8) -> String {
        format!("trip {id}")
    }
    let server = Sagas::builder("trips", "1").prompt::<hello>().resource::<trip>().build().unwrap();
    let get = || Post::modern(&server, &modern(1, "prompts/get", json!({ "name": "hello" })));
    assert_eq!(get().status().await, 200);
    assert_eq!(get().without("mcp-name").send().await.error(), (400, -32020));
    let read = || Post::modern(&server, &modern(1, "resources/read", json!({ "uri": "trip://7" })));
    assert_eq!(read().with("mcp-name", "trip://7").status().await, 200);
    assert_eq!(read().with("mcp-name", "trip://8").send().await.error(), (400, -32020));
    assert_eq!(read().send().await.error(), (400, -32020));
    // An address whose variables do not fit is the client's.
    let far = modern(1, "resources/read", json!({ "uri": "trip://999" }));
    assert_eq!(
        Post::modern(&server, &far).with("mcp-name", "trip://999").send().await.error(),
        (400, -32602)
    );
}

#[tokio::test]
async fn headers_repeat_arguments() {
    #[saga_runtime::saga_tool]
    async fn weather(
        #[header = "Region"] region: String,
        #[header = "Day"] day: Option<i64>,
        #[header = "Sure"] sure: bool,
    ) -> String {
        format!("{region} {day:?} {sure}")
    }
    let server = Sagas::builder("weather", "1").tool::<weather>().build().unwrap();
    let call = |arguments: Value| {
        let call = modern(1, "tools/call", json!({ "name": "weather", "arguments": arguments }));
        Post::modern(&server, &call)
    };
    let all = || {
        let call = call(json!({ "region": "Z\u{fc}rich", "day": 42, "sure": true }));
        call.with("mcp-param-region", "=?base64?WsO8cmljaA==?=")
            .with("mcp-param-day", "42.0")
            .with("mcp-param-sure", "true")
    };
    let got = all().send().await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "Z\u{fc}rich Some(42) true");
    let different = [
        all().without("mcp-param-region"),
        all().without("mcp-param-day"),
        all().saying("mcp-param-region", "Zurich"),
        all().saying("mcp-param-region", "=?base64?WsO8cmljaA?="),
        all().saying("mcp-param-day", "43"),
        all().saying("mcp-param-day", "many"),
        all().saying("mcp-param-sure", "TRUE"),
        all().with("mcp-param-sure", "true"),
    ];
    for post in different {
        assert_eq!(post.send().await.error(), (400, -32020));
    }
    // An argument that is left out has none.
    let some =
        |arguments: Value| call(arguments).with("mcp-param-region", "Bern").with("mcp-param-sure", "false");
    let got = some(json!({ "region": "Bern", "sure": false })).send().await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "Bern None false");
    assert_eq!(some(json!({ "region": "Bern", "day": null, "sure": false })).status().await, 200);
    let day = some(json!({ "region": "Bern", "sure": false })).with("mcp-param-day", "1").send().await;
    assert_eq!(day.error(), (400, -32020));
    // Clients learn of it, and of no `null`, which has no header.
    let list = Post::modern(&server, &modern(1, "tools/list", json!({}))).send().await.json();
    let day = &list["result"]["tools"][0]["inputSchema"]["properties"]["day"];
    assert_eq!((&day["type"], &day["x-mcp-header"]), (&json!("integer"), &json!("Day")));
}

#[tokio::test]
async fn what_no_header_can_say() {
    #[saga_runtime::saga_tool]
    async fn weather(#[header = "Place"] place: (i64, i64)) -> String {
        format!("{place:?}")
    }
    let error = Sagas::builder("weather", "1").tool::<weather>().build().unwrap_err();
    assert!(error.to_string().starts_with("`place` of `weather` is no text"), "{error}");
}

#[tokio::test]
async fn each_error_has_its_status() {
    let server = server();
    let of = |message: Value| Post::modern(&server, &message).send();
    let name = |name: &str| json!({ "name": name });
    let version = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "1900-01-01",
        "io.modelcontextprotocol/clientCapabilities": {} } });
    let old = Post::modern(&server, &plain(1, "server/discover", version))
        .saying("mcp-protocol-version", "1900-01-01");
    assert_eq!(old.send().await.error(), (400, -32022));
    let bare = Post::plain(&server, &plain(1, "tools/list", json!({}))).send().await;
    assert_eq!(bare.error(), (400, -32602));
    assert_eq!(of(modern(1, "prompts/list", json!({}))).await.error(), (404, -32601));
    assert_eq!(of(modern(1, "tools/call", name("nothing"))).await.error(), (400, -32602));
    assert_eq!(of(modern_with(json!({}), 1, "tools/call", name("greet"))).await.error(), (400, -32021));
    let state = json!({ "name": "greet", "requestState": "sg1.bad" });
    assert_eq!(of(modern(1, "tools/call", state)).await.error(), (400, -32602));
    let token = json!({ "sagaToken": "sg1.bad", "completedSteps": [] });
    assert_eq!(of(modern(1, "tools/resumeSaga", token.clone())).await.error(), (400, -32602));
    let plain_token = Post::plain(&server, &plain(1, "tools/resumeSaga", token)).send().await;
    assert_eq!(plain_token.error(), (200, -32602));
    let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let initialize = Post::plain(&server, &plain(1, "initialize", initialize)).send().await;
    assert_eq!(initialize.error(), (400, -32022));
    let mut broken = Post::plain(&server, &json!({}));
    broken.body = "{".to_owned();
    assert_eq!(broken.send().await.error(), (400, -32700));
    // A tool's failure is a result.
    assert_eq!(of(modern(1, "tools/call", name("fail"))).await.status, 200);
}

#[tokio::test]
async fn a_notification_is_accepted() {
    let server = server();
    let got = Post::plain(&server, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
        .send()
        .await;
    assert_eq!((got.status, got.body.as_str()), (202, ""));
}

#[tokio::test]
async fn only_posts_are_messages() {
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        let request = Request::builder().method(method).uri("/mcp").body(Body::empty()).unwrap();
        let got = send(server().http_service(), request).await;
        assert_eq!((got.status, got.headers["allow"].to_str().unwrap()), (405, "POST"));
    }
}

#[tokio::test]
async fn only_json_comes_and_goes() {
    let server = server();
    let post = || Post::modern(&server, &discover());
    assert_eq!(post().without("content-type").status().await, 415);
    assert_eq!(post().saying("content-type", "text/plain").status().await, 415);
    assert_eq!(post().saying("content-type", "application/json; charset=utf-8").status().await, 200);
    assert_eq!(post().saying("accept", "text/event-stream").status().await, 406);
    assert_eq!(post().saying("accept", "text/event-stream, */*;q=0.1").status().await, 200);
    assert_eq!(post().without("accept").status().await, 200);
}

#[tokio::test]
async fn large_messages_are_refused() {
    let server = server();
    let mut post = Post::modern(&server, &discover());
    post.body.push_str(&" ".repeat(4 * 1024 * 1024));
    assert_eq!(post.send().await.error(), (413, -32600));
    let small = Post::modern(&server, &discover()).to(|service| service.largest_message(10));
    assert_eq!(small.status().await, 413);
}

#[tokio::test]
async fn pages_from_elsewhere_are_refused() {
    let server = server();
    let from = |origin: &str, host: &str| {
        Post::modern(&server, &discover()).with("origin", origin).with("host", host)
    };
    let allowed = [
        ("http://localhost:6274", "mcp.example.com"),
        ("http://127.0.0.1", "mcp.example.com"),
        ("http://[::1]:80", "mcp.example.com"),
        ("https://mcp.example.com", "mcp.example.com"),
        ("https://MCP.example.com", "mcp.example.com:443"),
        ("http://192.168.1.5:8080", "192.168.1.5:8080"),
    ];
    for (origin, host) in allowed {
        assert_eq!(from(origin, host).status().await, 200, "{origin} at {host}");
    }
    let refused = [
        ("https://evil.example", "mcp.example.com"),
        ("https://localhost.evil.example", "localhost"),
        ("null", "mcp.example.com"),
        ("", "mcp.example.com"),
        ("mcp.example.com", "mcp.example.com"),
        // A name that was made to lead here.
        ("http://evil.example:8080", "evil.example:8080"),
    ];
    for (origin, host) in refused {
        assert_eq!(from(origin, host).status().await, 403, "{origin} at {host}");
    }
    let twice = from("http://localhost", "localhost").with("origin", "https://evil.example");
    assert_eq!(twice.status().await, 403);
    let app = from("https://app.example", "mcp.example.com")
        .to(|service| service.allow_origin("https://app.example"));
    assert_eq!(app.status().await, 200);
}

#[tokio::test]
async fn a_server_that_knows_its_names_refuses_others() {
    let server = server();
    let at = |host: &str| {
        let post = Post::modern(&server, &discover()).to(|service| service.hosts(["mcp.example.com"]));
        post.with("host", host)
    };
    assert_eq!(at("mcp.example.com").status().await, 200);
    assert_eq!(at("mcp.example.com:8080").status().await, 200);
    assert_eq!(at("mcp.example.com").with("origin", "http://mcp.example.com").status().await, 200);
    assert_eq!(at("evil.example").status().await, 403);
    assert_eq!(at("mcp.example.com").with("host", "evil.example").status().await, 403);
    assert_eq!(at("not a host").status().await, 403);
    assert_eq!(at("x").without("host").status().await, 403);
}

#[tokio::test]
async fn callers_are_told_apart_by_their_headers() {
    let server = server_with_callers();
    let post = || Post::modern(&server, &greet());
    let got = post().with("authorization", "Basic YTpi").send().await;
    assert_eq!((got.error(), got.headers["www-authenticate"].to_str().unwrap()), ((401, 401), "Bearer"));
    assert_eq!(post().with("authorization", "Bearer mallory").send().await.error(), (403, 403));
    assert_eq!(post().with("Authorization", "Bearer ada").status().await, 200);
    // Who is not let in does not hear which headers a tool has, nor which tools there are.
    let stranger = || post().with("authorization", "Basic YTpi");
    assert_eq!(stranger().without("mcp-name").send().await.error(), (401, 401));
    assert_eq!(stranger().without("mcp-protocol-version").send().await.error(), (401, 401));
}

/// The header names a session of the other server's, whatever dialects are spoken here.
#[tokio::test]
async fn sessions_are_those_of_the_server_behind() {
    let dialects = [Dialect::Saga, Dialect::Resumable];
    let sagas = builder(Gate::default()).dialects(dialects).build().unwrap();
    let front = sagas.http_service().in_front_of(axum::Router::new());
    let call = plain(1, "tools/callSaga", json!({ "name": "greet" }));
    let request = Request::post("/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-session-id", "of-the-other");
    let response = front.oneshot(request.body(Body::from(call.to_string())).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200);
}

fn copy(token: Value) -> Value {
    let mut call = modern(1, "tools/call", json!({ "name": "copy", "arguments": { "files": 3 } }));
    call["params"]["_meta"]["progressToken"] = token;
    call
}

/// The messages of a stream of events.
fn events(body: &str) -> Vec<Value> {
    let events = body.split_terminator("\n\n").map(|event| {
        let data = event.strip_prefix("event: message\ndata: ").expect("an event");
        serde_json::from_str(data).expect("JSON")
    });
    events.collect()
}

#[tokio::test]
async fn progress_comes_in_a_stream_where_the_client_wants_one() {
    let gate = Gate::default();
    let server = builder(gate.clone()).build().unwrap();
    gate.open.add_permits(4);
    let got = Post::modern(&server, &copy(json!("p"))).send().await;
    assert_eq!((got.status, got.headers["content-type"].to_str().unwrap()), (200, "text/event-stream"));
    let [first, second, reply] = &events(&got.body)[..] else { panic!("{}", got.body) };
    let params = json!({ "progressToken": "p", "progress": 1, "total": 3, "message": "the first is there" });
    assert_eq!(*first, json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }));
    assert_eq!(second["params"], json!({ "progressToken": "p", "progress": 1.5 }));
    assert_eq!((&reply["id"], &reply["result"]["resultType"]), (&json!(1), &json!("input_required")));
    // Else the reply is one object: no token, none that MCP has, or no stream that is welcome.
    let json = |got: Got| assert_eq!(got.json()["result"]["resultType"], "input_required");
    json(Post::modern(&server, &copy(json!(null))).send().await);
    json(Post::modern(&server, &copy(json!(1.5))).send().await);
    json(Post::modern(&server, &copy(json!(1))).saying("accept", "application/json, */*").send().await);
}

#[tokio::test]
async fn progress_is_told_while_the_tool_runs() {
    let gate = Gate::default();
    let service = builder(gate.clone()).build().unwrap().http_service();
    let request = Request::post("/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "copy");
    let response =
        service.oneshot(request.body(Body::from(copy(json!(1)).to_string())).unwrap()).await.unwrap();
    let mut body = response.into_body();
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(events(std::str::from_utf8(&first).unwrap())[0]["params"]["progress"], 1);
    // Nothing lets the tool go on before that was read.
    gate.open.add_permits(1);
    let mut rest = String::new();
    while let Some(frame) = body.frame().await {
        rest.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
    }
    assert_eq!(events(&rest).len(), 2);
}

#[tokio::test]
async fn an_error_before_any_progress_has_its_status() {
    let gate = Gate::default();
    gate.open.add_permits(1);
    let server = builder(gate).build().unwrap();
    let mut call = copy(json!(1));
    call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    assert_eq!(Post::modern(&server, &call).send().await.error(), (400, -32021));
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_its_request() {
    let gate = Gate::default();
    let server = Listening::with(builder(gate.clone()).build().unwrap().http_service()).await;
    // One waits for its reply, the other reads its stream.
    for (name, body) in
        [("wait", modern(1, "tools/call", json!({ "name": "wait" }))), ("copy", copy(json!("p")))]
    {
        let body = body.to_string();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: tools/call\r\nMcp-Name: {name}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        gate.entered.acquire().await.unwrap().forget();
        drop(stream);
        // It left although nothing let it go on.
        gate.left.acquire().await.unwrap().forget();
    }
    server.end().await;
}

/// A server with a socket, until it is told to stop.
struct Listening {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Listening {
    async fn with(service: HttpService) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve_until(service, listener, async {
            stopped.await.ok();
        }));
        Self { address, stop, serving }
    }

    /// Sends a request on a connection of its own and gives the whole response.
    async fn send(&self, host: &str, more: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nConnection: close\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n{more}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    }

    async fn end(self) {
        self.stop.send(()).unwrap();
        self.serving.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_server_on_loopback_goes_by_loopback_names_and_stops_when_told() {
    let server = Listening::with(server().http_service()).await;
    let body = discover().to_string();
    let length = format!("Content-Length: {}", body.len());
    for host in ["localhost", "127.0.0.1:8080", "[::1]:8080"] {
        let response = server.send(host, &length, &body).await;
        assert!(response.starts_with("HTTP/1.1 200"), "{host}: {response}");
    }
    assert!(server.send("evil.example", &length, &body).await.starts_with("HTTP/1.1 403"));
    server.end().await;
}

/// The client's answer would need a connection, of which a server that stops takes none: the client takes its request up
/// elsewhere, from the token that it was told.
#[tokio::test]
async fn a_server_that_stops_waits_for_no_answer() {
    let sagas = builder(Gate::default()).dialects([Dialect::Resumable]).build().unwrap();
    let capabilities = json!({ "elicitation": {}, "resumableRequests": {} });
    let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities });
    let opened = Post::plain(&sagas, &plain(0, "initialize", initialize)).send().await;
    let session = opened.headers["mcp-session-id"].to_str().unwrap();

    let server = Listening::with(sagas.http_service()).await;
    let body = plain(1, "tools/call", json!({ "name": "greet" })).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMcp-Session-Id: {session}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut told = String::new();
    while !told.contains("elicitation/create") {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).await.unwrap();
        told.push_str(std::str::from_utf8(&some[..count]).unwrap());
    }
    tokio::time::timeout(Duration::from_secs(5), server.end()).await.expect("it ends");
    stream.read_to_string(&mut told).await.unwrap();
    assert!(told.contains("resumeToken") && !told.contains("\"result\""), "{told}");
}

#[tokio::test]
async fn large_messages_are_refused_when_their_length_is_not_told() {
    let server = Listening::with(server().http_service().largest_message(512)).await;
    let body = discover().to_string();
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    let small = format!("{}{}0\r\n\r\n", chunk(&body[..10]), chunk(&body[10..]));
    assert!(server.send("localhost", "Transfer-Encoding: chunked", &small).await.starts_with("HTTP/1.1 200"));
    let large = format!("{}{}0\r\n\r\n", chunk(&body), chunk(&" ".repeat(512)));
    assert!(server.send("localhost", "Transfer-Encoding: chunked", &large).await.starts_with("HTTP/1.1 413"));
    server.end().await;
}
