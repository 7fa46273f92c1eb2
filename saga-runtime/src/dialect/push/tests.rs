use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{Pushed, Revision, error};
use crate::client::Client;
use crate::error::Problem;
use crate::frame::Asked;
use crate::step::sampling::Message;
use crate::step::{Answer, InputRequest, Step, StepKind, elicit_url, list_roots, sample};

fn asked(request: InputRequest) -> Asked {
    Asked { key: "key".to_owned(), request, problems: Vec::new() }
}

fn form() -> Asked {
    let schema = r#"{
        "type": "object",
        "properties": {
            "service": { "type": "string", "minLength": 2, "default": "web" },
            "count": { "type": "integer", "minimum": 1, "default": 3 },
            "now": { "type": "boolean", "default": true },
            "region": {
                "type": "string",
                "oneOf": [{ "const": "eu", "title": "Europe" }, { "const": "us", "title": "America" }],
                "default": "eu"
            },
            "regions": {
                "type": "array",
                "items": { "anyOf": [{ "const": "eu", "title": "Europe" }, { "const": "us", "title": "America" }] },
                "minItems": 1, "default": ["us"], "title": "Regions"
            }
        },
        "required": ["service", "region", "regions"]
    }"#;
    asked(InputRequest::form("Where?", serde_json::from_str(schema).unwrap()))
}

fn check(asked: Asked, revision: Revision, expected: &Expect) -> Pushed {
    let pushed = Pushed::of(asked, revision, "page-1");
    let params = serde_json::to_string_pretty(&pushed.params).unwrap();
    expected.assert_eq(&format!("{} {params}", pushed.method));
    pushed
}

#[test]
fn a_step_of_somebody_else_is_asked_in_its_own_words() {
    let params = json!({ "mode": "form", "why": "it knows" });
    let asked = asked(InputRequest::new(StepKind::Elicit, params.as_object().unwrap().clone()));
    check(
        asked.clone(),
        Revision::June2025,
        &expect![[r#"
        elicitation/create {
          "why": "it knows"
        }"#]],
    );
    // What the revision adds stands in the place of what the step has.
    let params = json!({ "elicitationId": "mine" });
    let page = InputRequest::new(StepKind::ElicitUrl, params.as_object().unwrap().clone());
    check(
        Asked { request: page, ..asked },
        Revision::November2025,
        &expect![[r#"
        elicitation/create {
          "elicitationId": "page-1"
        }"#]],
    );
}

#[test]
fn a_form_of_2025_06_18() {
    let expected = expect![[r#"
        elicitation/create {
          "message": "Where?",
          "requestedSchema": {
            "type": "object",
            "properties": {
              "service": {
                "type": "string",
                "minLength": 2
              },
              "count": {
                "type": "integer",
                "minimum": 1
              },
              "now": {
                "type": "boolean",
                "default": true
              },
              "region": {
                "type": "string",
                "enum": [
                  "eu",
                  "us"
                ],
                "enumNames": [
                  "Europe",
                  "America"
                ]
              },
              "regions.eu": {
                "type": "boolean",
                "default": false,
                "title": "Regions: Europe"
              },
              "regions.us": {
                "type": "boolean",
                "default": true,
                "title": "Regions: America"
              }
            },
            "required": [
              "service",
              "region"
            ]
          }
        }"#]];
    let pushed = check(form(), Revision::June2025, &expected);
    let put_together = |content: Value| match pushed.result(json!({ "action": "accept", "content": content }))
    {
        Answer::Result(result) => result["content"].clone(),
        other => panic!("{other:?}"),
    };
    let both = json!({ "service": "web", "regions.eu": true, "regions.us": false });
    assert_eq!(put_together(both), json!({ "service": "web", "regions": ["eu"] }));
    // What is left out has its default.
    assert_eq!(put_together(json!({ "regions.eu": true })), json!({ "regions": ["eu", "us"] }));
    assert_eq!(put_together(json!({ "regions.us": false })), json!({ "regions": [] }));
    assert_eq!(put_together(json!({})), json!({}));
    assert_eq!(put_together(json!({ "regions": ["us"] })), json!({ "regions": ["us"] }));
}

#[test]
fn a_form_of_2025_11_25_is_that_of_today() {
    let pushed = Pushed::of(form(), Revision::November2025, "page-1");
    assert_eq!(pushed.params.into_json(), Value::Object(form().request.params.to_json()));
}

#[test]
fn what_was_wrong_is_said_in_the_message() {
    let again = Asked { problems: vec![Problem::field("count", "must be at least 1")], ..form() };
    let pushed = Pushed::of(again, Revision::June2025, "page-1");
    assert_eq!(pushed.params.into_json()["message"], "Where?\n\n`count` must be at least 1");
}

#[test]
fn a_page_has_an_id() {
    let page = elicit_url("Please sign in.", "https://example.com/login").request();
    let expected = expect![[r#"
        elicitation/create {
          "message": "Please sign in.",
          "mode": "url",
          "url": "https://example.com/login",
          "elicitationId": "page-1"
        }"#]];
    check(asked(page), Revision::November2025, &expected);
}

#[test]
fn a_message_of_2025_06_18_has_one_block() {
    let prompt = sample(Message::user("One").and("Two")).request();
    let expected = expect![[r#"
        sampling/createMessage {
          "maxTokens": 1024,
          "messages": [
            {
              "content": {
                "text": "One",
                "type": "text"
              },
              "role": "user"
            },
            {
              "content": {
                "text": "Two",
                "type": "text"
              },
              "role": "user"
            }
          ]
        }"#]];
    check(asked(prompt.clone()), Revision::June2025, &expected);
    let pushed = Pushed::of(asked(prompt.clone()), Revision::November2025, "page-1");
    assert_eq!(pushed.params.into_json(), Value::Object(prompt.params.to_json()));
    assert_eq!(Pushed::of(asked(list_roots().request()), Revision::June2025, "").method, "roots/list");
}

#[test]
fn what_a_client_says_wrongly_is_an_answer_too() {
    let pushed = Pushed::of(form(), Revision::June2025, "page-1");
    assert_eq!(pushed.result(json!(7)), Answer::Result(serde_json::Map::new()));
    let data = Some(json!({ "why": "cost" }));
    let refused = json!({ "code": -1, "message": "User rejected sampling request", "data": data });
    let message = "User rejected sampling request".to_owned();
    assert_eq!(error(refused), Answer::Error { code: -1, message, data });
    for malformed in [json!(null), json!({}), json!({ "code": "x", "message": 1 })] {
        let message = "the client's error has no message".to_owned();
        assert_eq!(error(malformed), Answer::Error { code: -32603, message, data: None });
    }
}

#[test]
fn what_a_client_of_2025_06_18_can_do() {
    let declared = json!({ "elicitation": { "url": {} }, "sampling": { "tools": {} }, "roots": {} });
    let declared = declared.as_object().unwrap();
    let can = |revision: Revision| {
        let client = revision.client(Client::new(declared.clone()));
        let kinds = [
            StepKind::Elicit,
            StepKind::ElicitUrl,
            StepKind::Sample,
            StepKind::SampleTools,
            StepKind::ListRoots,
        ];
        kinds.map(|kind| client.supports(kind))
    };
    assert_eq!(can(Revision::June2025), [true, false, true, false, true]);
    assert_eq!(can(Revision::November2025), [false, true, true, true, true]);
    assert_eq!(Revision::named("2025-11-25"), Some(Revision::November2025));
    assert_eq!(Revision::named("2025-03-26"), None);
}
