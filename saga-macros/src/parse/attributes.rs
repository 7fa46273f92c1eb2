//! Attributes of the function that are not ours: which of the generated items gets which.

use quote::ToTokens;
use syn::{Attribute, ItemFn};

use super::macros;
use crate::diagnostics::Diagnostics;

/// Attributes that rustc and its lints read. All others are macros.
const BUILT_IN: [&str; 13] = [
    "doc",
    "cfg",
    "cfg_attr",
    "allow",
    "warn",
    "deny",
    "expect",
    "forbid",
    "must_use",
    "deprecated",
    "inline",
    "cold",
    "automatically_derived",
];

/// Those that decide whether the function is there: all that is generated is there or not.
pub(crate) fn conditions(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"))
}

/// Macros below ours, such as `tracing::instrument`: they are for the function that runs.
pub(crate) fn macros_below(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    let is_built_in = |attribute: &Attribute| {
        let path = attribute.path();
        let is_tool =
            path.segments.first().is_some_and(|tool| tool.ident == "clippy" || tool.ident == "rustfmt");
        is_tool || path.get_ident().is_some_and(|name| BUILT_IN.iter().any(|built_in| name == built_in))
    };
    attributes.iter().filter(move |attribute| !is_built_in(attribute))
}

/// Refuses a function that a macro above ours has rewritten, and takes its body away, of which nothing could be
/// said.
pub(super) fn refuse_rewritten(item: &mut ItemFn, ours: &str, diagnostics: &mut Diagnostics) {
    let names = macros::identifiers(&item.block.to_token_stream());
    if names.iter().any(|name| name == "__tracing_attr_span" || name == "__tracing_instrument_future") {
        let message = format!(
            "`#[instrument]` above `{ours}` has rewritten the function before the compiler could see it; put it below \
             `{ours}`"
        );
        diagnostics.error(&item.sig.ident, message);
        item.block.stmts = vec![syn::parse_quote!(::core::unreachable!();)];
    }
}
