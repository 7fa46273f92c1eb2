//! The derives' code works, and is free of lints, in a crate that shadows the prelude and takes every name.

#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, elided_lifetimes_in_paths)]
#![deny(single_use_lifetimes, clippy::all, clippy::pedantic, clippy::allow_attributes_without_reason)]

#[expect(non_camel_case_types, non_snake_case, non_upper_case_globals, reason = "what a crate may do to us")]
#[expect(dead_code, reason = "what is shadowed here is not used by the generated code")]
mod hostile {
    use saga_runtime::{Choice, Form};

    struct Result;
    struct Option;
    struct Vec;
    struct Box;
    struct String;
    struct str;
    trait From {}
    trait Into {}
    trait Default {}
    fn Some() {}
    fn Ok() {}
    fn Err() {}
    const None: i32 = 3;
    const content: i32 = 3;
    const reader: i32 = 3;
    const value: i32 = 3;
    const properties: i32 = 3;
    mod core {}
    mod std {}
    mod form {}

    #[derive(Choice, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(super) enum Size {
        Small,
        Large,
    }

    #[derive(Form, PartialEq, Debug)]
    #[non_exhaustive]
    pub(super) struct Target<C: Choice> {
        /// What it is called.
        #[form(default = "x", min_length = 1, format = "uri")]
        pub name: ::std::string::String,
        #[form(default = [Size::Small], min_items = 1)]
        pub sizes: ::std::vec::Vec<Size>,
        #[form(default)]
        pub r#type: ::core::option::Option<f64>,
        #[form(min = 1)]
        pub number: f32,
        pub size: C,
        pub more: ::std::collections::BTreeSet<Size>,
    }
}

use hostile::{Size, Target};
use saga_runtime::{Choice, Form};
use serde_json::json;

#[test]
fn a_hostile_crate_has_forms() {
    let answer = json!({"name": "a:b", "number": 2, "size": "Large", "more": ["Small"]});
    let target = Target::<Size>::read(answer.as_object().unwrap()).unwrap();
    assert_eq!((target.size, target.sizes.as_slice()), (Size::Large, [Size::Small].as_slice()));
    assert_eq!(Target::read(&target.write()), Ok(target));
    assert_eq!(Size::options().len(), 2);
}
