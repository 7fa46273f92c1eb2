//! What a body is to the run, and how a family lists its bodies.

use saga_tests::law::{Difference, Passed};

/// A tool to be held to the law.
pub(crate) struct Body {
    pub(crate) name: &'static str,
    pub(crate) check: fn(&str) -> Result<Passed, Box<Difference>>,
}

/// The bodies of a family: each with its arguments, and its context where it has one (its first parameter then).
macro_rules! bodies {
    ($($(#[$meta:meta])* $name:ident $(($($argument:ident: $value:expr),*))? $(in $context:expr)?;)*) => {
        pub(crate) const BODIES: &[crate::body::Body] = &[$(
            $(#[$meta])* crate::body::Body {
                name: concat!(module_path!(), "::", stringify!($name)),
                check: |body| {
                    #[allow(unused_mut, reason = "a body without arguments adds none")]
                    let mut arguments = serde_json::Map::new();
                    $($(arguments.insert(stringify!($argument).to_owned(), serde_json::json!($value));)*)?
                    bodies!(@law body, arguments, $name, [$($($value),*)?] $(, $context)?)
                },
            },
        )*];
    };
    (@law $body:ident, $arguments:ident, $name:ident, [$($value:expr),*]) => {
        saga_tests::law::law::<$name, (), _>($body, || $name($($value),*), &$arguments, &())
    };
    (@law $body:ident, $arguments:ident, $name:ident, [$($value:expr),*], $context:expr) => {{
        let context = $context;
        saga_tests::law::law::<$name, _, _>($body, || $name(&context, $($value),*), &$arguments, &context)
    }};
}
