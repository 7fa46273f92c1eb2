//! What a body is to the run, and how a family lists its bodies.

use saga_tests::law::{Difference, Passed};

/// A tool to be held to the law.
pub(crate) struct Body {
    pub(crate) name: &'static str,
    pub(crate) check: fn(&str) -> Result<Passed, Box<Difference>>,
}

/// The bodies of a family: each with its arguments, and its context where it has one. That is its first parameter;
/// a body of several contexts says how it is called.
macro_rules! bodies {
    ($($(#[$meta:meta])* $name:ident $(($($argument:ident: $value:expr),*))? $(in $context:expr $(=> $plain:expr)?)?;)*) => {
        pub(crate) const BODIES: &[crate::body::Body] = &[$(
            $(#[$meta])* crate::body::Body {
                name: concat!(module_path!(), "::", stringify!($name)),
                check: |body| {
                    #[allow(unused_mut, reason = "a body without arguments adds none")]
                    let mut arguments = serde_json::Map::new();
                    $(// Clients know no `r#`.
                    $(arguments.insert(
                        stringify!($argument).trim_start_matches("r#").to_owned(),
                        serde_json::json!($value),
                    );)*)?
                    bodies!(@law body, arguments, $name, [$($($value),*)?] $(, $context $(=> $plain)?)?)
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
    (@law $body:ident, $arguments:ident, $name:ident, [], $context:expr => $plain:expr) => {{
        let context = $context;
        // Tells the closure what it borrows.
        fn twin<C: 'static, F>(plain: impl Fn(&'static C) -> F) -> impl Fn(&'static C) -> F {
            plain
        }
        let context = Box::leak(Box::new(context));
        let plain = twin($plain);
        saga_tests::law::law::<$name, _, _>($body, || plain(context), &$arguments, &*context)
    }};
}
