//! `play` without a terminal: the example, answers from a file, and a process for every transition.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{answers, deploy, deploy_with};

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
