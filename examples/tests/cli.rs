//! The command line of a server binary, run as a person and a pipe run it: `deploy`, built by cargo.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::{Expect, expect, expect_file};
use serde_json::{Value, json};

/// What a command did.
struct Done {
    status: i32,
    out: String,
    errors: String,
}

fn deploy(arguments: &[&str]) -> Done {
    deploy_with(arguments, &[])
}

fn deploy_with(arguments: &[&str], environment: &[(&str, &str)]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_deploy"))
        .args(arguments)
        .env_remove("SAGA_KEYS")
        .env_remove("RUST_LOG")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| normalised(std::str::from_utf8(bytes).unwrap());
    Done { status: output.status.code().unwrap(), out: text(&output.stdout), errors: text(&output.stderr) }
}

/// The same text in every run and on every machine: durations, token lengths and process numbers are `_`.
fn normalised(text: &str) -> String {
    let text = text.replace(env!("CARGO_TARGET_TMPDIR"), "TMP");
    let words = text.split_inclusive(['\n', ' ']).collect::<Vec<_>>();
    let is_number =
        |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |index| words[index].trim());
        let after = words.get(index + 1).map_or("", |word| word.trim().trim_end_matches([',', ';']));
        let number = word.trim_end().trim_end_matches(',');
        let is_volatile = is_number(number) && (["ms", "characters"].contains(&after) || before == "process");
        out.push_str(&if is_volatile { word.replace(number, "_") } else { (*word).to_owned() });
    }
    out
}

/// A file of answers for one test.
fn answers(test: &str, content: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.json"));
    std::fs::File::create(&file).unwrap().write_all(content.as_bytes()).unwrap();
    file
}

#[expect(clippy::needless_pass_by_value, reason = "as expect-test has it")]
fn check_play(test: &str, content: &Value, status: i32, out: Expect, errors: Expect) {
    let file = answers(test, &content.to_string());
    let done = deploy(&["play", "--answers", file.to_str().unwrap()]);
    out.assert_eq(&done.out);
    errors.assert_eq(&done.errors);
    assert_eq!(done.status, status);
}

#[test]
fn play_in_a_pipe_plays_the_example() {
    let done = deploy(&["play"]);
    expect![[r#"
        deploy {"service":"web"}

        [1] _ ms, suspended at `target`; all that is left is a token of _ characters
            held: release 4 B
        ? Where should web v42 go?
          > environment: production
          > regions: eu-west, us-east

        [2] _ ms, suspended at `verdict`; all that is left is a token of _ characters
            held: release 4 B, target 4 B
        ? a prompt for your model, at most 100 tokens:
          (user) Is deploying to production safe?
          > No tests ran for two days

        [3] _ ms, suspended at `go`; all that is left is a token of _ characters
            held: release 4 B, target 4 B
        ? The reviewer says: No tests ran for two days. Continue?
          > yes: true

        [4] _ ms, suspended at `ok`; all that is left is a token of _ characters
            held: release 4 B, target 4 B, (loop) 1 B
        ? Roll out to eu-west?
          > yes: true

        [5] _ ms, suspended at `ok`; all that is left is a token of _ characters
            held: release 4 B, target 4 B, (loop) 1 B
        ? Roll out to us-east?
          > yes: false

        [6] _ ms, done
        web v42 is out
    "#]]
    .assert_eq(&done.out);
    expect![[r#"
        fleet: web v42 in eu-west
    "#]]
    .assert_eq(&done.errors);
    assert_eq!(done.status, 0);
}

#[test]
fn play_fresh_says_and_does_the_same() {
    let (warm, fresh) = (deploy(&["play"]), deploy(&["play", "--fresh"]));
    assert_eq!(fresh.out.replace(" in process _", ""), warm.out);
    assert_eq!(fresh.out.matches(" in process _").count(), 6);
    assert_eq!(fresh.errors, warm.errors);
    assert_eq!(fresh.status, 0);
}

#[test]
fn play_seals_with_the_keys_of_the_environment() {
    let key = deploy(&["keygen"]).out;
    assert_eq!(deploy_with(&["play", "--fresh"], &[("SAGA_KEYS", key.trim())]).status, 0);
    let done = deploy_with(&["play"], &[("SAGA_KEYS", "hunter2")]);
    expect![[r#"
        error: SAGA_KEYS: key 1 is not `sgk1_` and _ characters of base64url; generate one
    "#]]
    .assert_eq(&done.errors);
    assert_eq!(done.status, 1);
}

#[test]
fn a_declined_question_fails_the_tool() {
    check_play(
        "decline",
        &json!({ "target": "decline" }),
        1,
        expect![[r#"
        deploy {"service":"web"}

        [1] _ ms, suspended at `target`; all that is left is a token of _ characters
            held: release 4 B
        ? Where should web v42 go?
          > (decline)

        [2] _ ms, failed
        the question was declined
    "#]],
        expect![""],
    );
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_again() {
    let answer = json!({ "target": { "environment": "moon", "regions": [] } });
    check_play(
        "unfit",
        &answer,
        1,
        expect![[r#"
            deploy {"service":"web"}

            [1] _ ms, suspended at `target`; all that is left is a token of _ characters
                held: release 4 B
            ? Where should web v42 go?
              > environment: moon
              > regions: (none)

            [2] _ ms, asked again at `target`; all that is left is a token of _ characters
            ? Where should web v42 go?
              ! `environment` must be one of `staging`, `production`
              ! `regions` must have at least 1 option
              > environment: moon
              > regions: (none)

            [3] _ ms, asked again at `target`; all that is left is a token of _ characters
            ? Where should web v42 go?
              ! `environment` must be one of `staging`, `production`
              ! `regions` must have at least 1 option
              > environment: moon
              > regions: (none)

            [4] _ ms, failed
            the answer does not fit the question: `environment` must be one of `staging`, `production`; `regions` must have at least 1 option
        "#]],
        expect![""],
    );
}

#[test]
fn an_error_of_the_client_reaches_the_tool() {
    let answers = json!({
        "target": { "action": "accept", "content": { "environment": "staging", "regions": ["ap-south"] } },
        "verdict": { "error": { "code": -1, "message": "the person refused" } },
    });
    check_play(
        "error",
        &answers,
        1,
        expect![[r#"
        deploy {"service":"web"}

        [1] _ ms, suspended at `target`; all that is left is a token of _ characters
            held: release 4 B
        ? Where should web v42 go?
          > environment: staging
          > regions: ap-south

        [2] _ ms, suspended at `verdict`; all that is left is a token of _ characters
            held: release 4 B, target 3 B
        ? a prompt for your model, at most 100 tokens:
          (user) Is deploying to staging safe?
          > error -1: the person refused

        [3] _ ms, failed
        the client could not answer: the person refused (code -1)
    "#]],
        expect![""],
    );
}

#[test]
fn a_missing_answer_is_named() {
    check_play(
        "missing",
        &json!({ "tagret": "decline" }),
        2,
        expect![[r#"
        deploy {"service":"web"}

        [1] _ ms, suspended at `target`; all that is left is a token of _ characters
            held: release 4 B
        ? Where should web v42 go?
    "#]],
        expect![[r#"
            error: TMP/missing.json has no answer to `target`, and standard input is no terminal
        "#]],
    );
}

#[test]
fn an_answer_of_another_type_is_explained() {
    check_play(
        "type",
        &json!({ "target": true }),
        2,
        expect![[r#"
        deploy {"service":"web"}

        [1] _ ms, suspended at `target`; all that is left is a token of _ characters
            held: release 4 B
        ? Where should web v42 go?
    "#]],
        expect![[r#"
            error: TMP/type.json: `target` is a question to a person: its answer is the form's content, `{"field": value, ..}`, or "accept", "decline" or "cancel"
        "#]],
    );
}

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
fn arguments_come_from_the_command_line() {
    let done = deploy(&["play", "deploy", "--arguments", r#"{"service": "mail"}"#]);
    expect![[r#"
        deploy {"service":"mail"}

        [1] _ ms, failed
        no service is called `mail`; there are `web` and `billing`
    "#]]
    .assert_eq(&done.out);
    assert_eq!(done.status, 1);
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
              "type": "object",
              "properties": {
                "service": {
                  "type": "string",
                  "description": "Name of the service, as in the registry."
                }
              },
              "required": [
                "service"
              ],
              "$schema": "https://json-schema.org/draft/2020-12/schema"
            }
          }
        ]
    "#]]
    .assert_eq(&done.out);
    assert_eq!((done.status, done.errors.as_str()), (0, ""));
}

#[test]
fn stdio_serves_the_tools() {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    let mut child = Command::new(env!("CARGO_BIN_EXE_deploy"))
        .arg("stdio")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{message}").unwrap();
    let output = child.wait_with_output().unwrap();
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reply["result"]["tools"][0]["name"], "deploy");
    assert_eq!(output.status.code(), Some(0));
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
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_deploy"))
        .arg("play")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).contains("panicked")),
        (Some(0), false)
    );
}
