//! What the other commands print, serve, and refuse.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use expect_test::{Expect, expect, expect_file};
use serde_json::{Value, json};

use super::{answers, deploy, deploy_with};

#[test]
fn a_wrong_command_line_is_explained() {
    let broken = answers("broken", "[1");
    let list = answers("list", "[1]");
    let check = |arguments: &[&str], expected: Expect| {
        let done = deploy(arguments);
        expected.assert_eq(&done.errors);
        assert_eq!((done.status, done.out.as_str()), (2, ""));
    };
    check(
        &["play", "--answers", broken.to_str().unwrap()],
        expect![[r#"
        error: TMP/broken.json: this is not JSON: EOF while parsing a list at line 1 column 2
    "#]],
    );
    check(
        &["play", "--answers", list.to_str().unwrap()],
        expect![[r#"
        error: TMP/list.json: an object is expected, `{"name": value, ..}`
    "#]],
    );
    check(
        &["play", "--answers", "/nowhere.json"],
        expect![[r#"
        error: /nowhere.json: No such file or directory (os error 2)
    "#]],
    );
    check(
        &["play", "nothing"],
        expect![[r#"
        error: no tool is called `nothing`; there is `deploy`
    "#]],
    );
    check(
        &["play", "--arguments", "{"],
        expect![[r#"
        error: --arguments: this is not JSON: EOF while parsing an object at line 1 column 1
    "#]],
    );
    check(
        &["graph", "--format", "svg"],
        expect![[r#"
        error: invalid value 'svg' for '--format <FORMAT>'
          [possible values: mermaid, dot, json]

        For more information, try '--help'.
    "#]],
    );
    check(
        &["transition"],
        expect![[r#"
            error: `transition` is for `play --fresh`, which hands it SAGA_KEYS
        "#]],
    );
}

#[test]
fn graph_draws_the_tool() {
    expect_file!["deploy.mmd"].assert_eq(&deploy(&["graph", "deploy"]).out);
    expect_file!["deploy.dot"].assert_eq(&deploy(&["graph", "deploy", "--format", "dot"]).out);
    let json = deploy(&["graph", "--format", "json"]);
    let flow: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&flow["needs"], &flow["longest"]), (&json!(["elicit", "sample"]), &json!(4)));
    assert_eq!((json.status, json.errors.as_str()), (0, ""));
}

#[test]
fn schema_prints_the_tools() {
    let done = deploy(&["schema"]);
    expect![[r#"
        [
          {
            "name": "deploy",
            "description": "Deploys a service after a person picks the target and a model reviews it.",
            "inputSchema": {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "service": {
                  "description": "Name of the service, as in the registry.",
                  "type": "string"
                }
              },
              "required": [
                "service"
              ],
              "type": "object"
            }
          }
        ]
    "#]]
    .assert_eq(&done.out);
    assert_eq!((done.status, done.errors.as_str()), (0, ""));
}

/// A server on standard input and output.
fn stdio() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deploy"));
    let command = command.arg("stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn list_tools() -> String {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    message.to_string()
}

#[test]
fn stdio_serves_the_tools() {
    let mut server = stdio();
    writeln!(server.stdin.take().unwrap(), "{}", list_tools()).unwrap();
    let output = server.wait_with_output().unwrap();
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reply["result"]["tools"][0]["name"], "deploy");
    assert_eq!(output.status.code(), Some(0));
}

/// What holds the pipe's other end open may never write again.
#[test]
fn stdio_ends_with_its_output() {
    let mut server = stdio();
    drop(server.stdout.take());
    let mut input = server.stdin.take().unwrap();
    writeln!(input, "{}", list_tools()).unwrap();
    let mut patience = 300;
    let status = loop {
        if let Some(status) = server.try_wait().unwrap() {
            break status;
        }
        patience -= 1;
        if patience == 0 {
            server.kill().unwrap();
            server.wait().unwrap();
            panic!("the server waits for input, and has nobody to answer");
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(status.code(), Some(1));
    drop(input);
}

#[test]
fn an_address_in_use_cannot_be_served() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let key = deploy(&["keygen"]).out;
    let done = deploy_with(&["serve", "--http", &address], &[("SAGA_KEYS", key.trim())]);
    assert!(done.errors.starts_with(&format!("error: {address} cannot be served: ")), "{}", done.errors);
    assert_eq!(done.status, 1);
}

#[test]
fn every_key_is_another() {
    let (one, other) = (deploy(&["keygen"]), deploy(&["keygen"]));
    assert!(one.out.starts_with("sgk1_") && one.out.trim().len() == 53, "{}", one.out);
    assert_ne!(one.out, other.out);
}

#[test]
fn prompts_and_resources_are_shown_too() {
    let clients = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_clients")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let schema: Value = serde_json::from_str(&clients(&["schema"])).unwrap();
    let names: Vec<_> = schema.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names[names.len() - 2..], ["plan_trip", "ticket"]);
    expect![[r#"
        flowchart TD
            n0(["ticket"])
            n1["sure<br/>elicit, line 90"]
            n2(["end"])
            n0 --> n1
            n1 --> n2
    "#]]
    .assert_eq(&clients(&["graph", "ticket"]));
}

/// Behind a proxy that passes the client's `Host` on.
#[test]
fn the_names_that_a_server_goes_by() {
    for (named, expected) in [(&["--host", "mcp.example.com"][..], "200"), (&[], "403")] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_deploy"))
            .args(["serve", "--http", "127.0.0.1:0"])
            .args(named)
            .env("RUST_LOG", "info")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(server.stderr.take().unwrap());
        let serving = log.lines().map(Result::unwrap).find(|line| line.contains("serving MCP")).unwrap();
        let port: u16 =
            serving.split("127.0.0.1:").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nHost: mcp.example.com\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        assert_eq!(reply.split(' ').nth(1), Some(expected), "{reply}");
    }
}
