//! For the tests of your own tools.

use std::any::type_name;

use serde::{Deserialize, Serialize};

use crate::shape;

/// Asserts that values of a type can be held across a question: that they are read from a token as they were written.
///
/// It looks at how the type reads itself, makes up values of it (each variant of each enum, each option full and
/// empty), writes them, and reads them back. A server looks likewise at what its tools hold, when it is built.
///
/// ```
/// use saga_runtime::testing::assert_sealable;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Order {
///     id: u32,
///     notes: Vec<String>,
/// }
///
/// assert_sealable::<Order>();
/// ```
///
/// # Panics
///
/// If some would be misread: with the path of the part, why, and what to write instead.
///
/// ```should_panic
/// # use saga_runtime::testing::assert_sealable;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize)]
/// struct Order {
///     id: u32,
///     meta: serde_json::Value, // `/meta` reads itself by asking what comes next; hold it as `Json(value)`
/// }
///
/// assert_sealable::<Order>();
/// ```
#[track_caller]
#[expect(clippy::panic, reason = "it is an assertion")]
pub fn assert_sealable<'s, T: Serialize + Deserialize<'s>>() {
    if let Err(error) = shape::prove::<T>() {
        panic!("`{}` cannot travel in a token: {error}", type_name::<T>());
    }
}
