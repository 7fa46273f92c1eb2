//! A token opens where it was made for, and nowhere else: P4, P22's context, tool and server confusion.

use super::super::{Binding, OpenError, Sealer};
use super::{Fixed, KEY_A, binding, open, ring, seal, sealer};

/// A server's name and a binding.
type Place<'a> = (&'a str, Binding<'a>);

/// Places that differ in one thing each, or in where one part ends and the next begins.
fn places() -> Vec<Place<'static>> {
    let here = binding();
    vec![
        ("fleet", here),
        ("fleet-staging", here),
        ("fleet", Binding { dialect: "saga/2025-09", ..here }),
        ("fleet", Binding { method: "tools/callSaga", ..here }),
        ("fleet", Binding { tool: "destroy", ..here }),
        ("fleet", Binding { principal: Some(b"mallory"), ..here }),
        ("fleet", Binding { principal: Some(b"alic"), ..here }),
        ("fleet", Binding { principal: Some(b"alice\0"), ..here }),
        ("fleet", Binding { principal: Some(b""), ..here }),
        ("fleet", Binding { principal: Some(b"\0"), ..here }),
        ("fleet", Binding { principal: None, ..here }),
        ("fleet", Binding { arguments: [8; 32], ..here }),
        ("ab", Binding { dialect: "c", ..here }),
        ("a", Binding { dialect: "bc", ..here }),
        ("fleet", Binding { dialect: "ab", method: "c", ..here }),
        ("fleet", Binding { dialect: "a", method: "bc", ..here }),
        ("fleet", Binding { dialect: "", method: "abc", ..here }),
        ("fleet", Binding { method: "ab", tool: "c", ..here }),
        ("fleet", Binding { method: "a", tool: "bc", ..here }),
    ]
}

fn sealer_of(audience: &str) -> Sealer {
    Sealer::with_entropy(audience, ring(&[KEY_A]), &Fixed(1)).expect("a sealer")
}

#[test]
fn a_token_opens_only_where_it_was_made() {
    let places = places();
    let tokens: Vec<String> =
        places.iter().map(|(audience, binding)| seal(&sealer_of(audience), binding, b"state")).collect();
    for (opener, (audience, binding)) in places.iter().enumerate() {
        let sealer = sealer_of(audience);
        for (minter, token) in tokens.iter().enumerate() {
            let opened = open(&sealer, binding, token);
            if minter == opener {
                assert_eq!(opened.expect("the diagonal").state, b"state");
            } else {
                let same_tool = places[minter].1.tool == binding.tool;
                let expected = if same_tool { OpenError::OtherContext } else { OpenError::OtherTool };
                assert_eq!(opened, Err(expected), "made at {minter}, opened at {opener}");
            }
        }
    }
}

#[test]
fn another_tools_id_in_the_header_does_not_help() {
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    let destroy = Binding { tool: "destroy", ..binding() };
    let text = seal(&sealer(), &binding(), b"state");
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(&text[4..]).expect("base64");
    bytes[5..13].copy_from_slice(&super::super::tool_id("destroy").0);
    let relabelled = format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
    assert_eq!(open(&sealer(), &destroy, &relabelled), Err(OpenError::OtherContext));
}

/// The contexts are remembered; that must not be seen, whatever is asked first.
#[test]
fn remembered_contexts_are_the_right_ones() {
    let sealer = sealer();
    let places: Vec<Binding<'_>> = places().into_iter().map(|(_, binding)| binding).collect();
    for round in 0..2 {
        for binding in &places {
            let token = seal(&sealer, binding, b"state");
            assert!(open(&sealer_of("fleet"), binding, &token).is_ok(), "round {round}: {binding:?}");
            assert!(open(&sealer, binding, &token).is_ok(), "round {round}: {binding:?}");
        }
    }
}

#[test]
fn a_server_without_a_name_is_refused() {
    let unnamed = Sealer::with_entropy("", ring(&[KEY_A]), &Fixed(1));
    assert_eq!(unnamed.map(drop), Err(super::super::SealerError::NoAudience));
}

#[test]
fn a_binding_does_not_print_its_principal() {
    let printed = format!("{:?}", binding());
    assert!(printed.contains("deploy") && !printed.contains("alice") && !printed.contains("97"), "{printed}");
}
