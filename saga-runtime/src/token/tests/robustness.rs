//! Whatever comes in, an answer comes out: P18's part before decoding, P19.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use proptest::prelude::*;

use super::super::{Binding, Claims, Limits, tool_of};
use super::reference::{Reference, body};
use super::{NOW, binding, claims, open, seal, sealer, state};

/// Text that gets ever further into the parser: any, base64 after the prefix, a header that fits.
fn hostile() -> impl Strategy<Value = String> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..300);
    let encode = |bytes: Vec<u8>| format!("sg1.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
    let honest = seal(&sealer(), &binding(), &state(40));
    let header = BASE64_URL_SAFE_NO_PAD.decode(&honest[4..]).expect("base64")[..53].to_vec();
    prop_oneof![
        ".{0,200}",
        "sg1\\.[A-Za-z0-9_=+/ -]{0,300}",
        bytes().prop_map(encode),
        bytes().prop_map(move |body| encode([header.clone(), body].concat())),
        any::<prop::sample::Index>().prop_map(move |at| {
            let mut text = honest.clone();
            text.insert(at.index(honest.len()), 'é');
            text
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_panics_or_opens(text in hostile()) {
        prop_assert!(open(&sealer(), &binding(), &text).is_err());
        let _ = tool_of(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// With the key in hand, any body at all: no panic.
    #[test]
    fn no_sealed_body_panics(body in prop::collection::vec(any::<u8>(), 0..200), now in any::<u64>()) {
        let _ = sealer().open(&Reference::around(body).text(), &binding(), &Limits::default(), now);
    }

    /// With the key in hand, any length for a state followed by zeros: exactly the lengths that lie
    /// within the body and leave out only zeros are taken.
    #[test]
    fn a_state_is_within_its_body(len in 0..100_usize, claimed in 0..250_u32) {
        let body = body(&claims(), claimed, &vec![1; len]);
        let room = body.len() - 36;
        let opened = open(&sealer(), &binding(), &Reference::around(body).text());
        let claimed = usize::try_from(claimed).expect("a length");
        let expected = (len..=room).contains(&claimed).then_some(claimed);
        prop_assert_eq!(opened.ok().map(|opened| opened.state.len()), expected);
    }

    #[test]
    fn any_binding_any_claims_any_state_comes_back(
        (dialect, method, tool) in (".{0,20}", ".{0,20}", ".{0,20}"),
        principal in prop::option::of(prop::collection::vec(any::<u8>(), 0..100)),
        arguments in any::<[u8; 32]>(),
        (ttl, age, round, flags) in (1..=u32::MAX, 0..86_400_u32, 0..=32_u16, any::<u16>()),
        saga_id in any::<[u8; 16]>(),
        state in prop::collection::vec(any::<u8>(), 0..500),
    ) {
        let principal = principal.as_deref();
        let binding = Binding { dialect: &dialect, method: &method, tool: &tool, principal, arguments };
        let claims = Claims { ttl, age, round, flags, saga_id, ..claims() };
        let text = super::try_seal(&sealer(), &binding, &claims, &state).expect("a token");
        let opened = sealer().open(&text, &binding, &Limits::default(), NOW).expect("a token");
        prop_assert_eq!((opened.claims, opened.state), (claims, state));
    }
}
