//! Attributes that are not ours: which of the generated items gets which of the function's, and what in its body a
//! `#[cfg]` may take away. That is decided after the compiler has run.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, ItemFn, Meta, Pat};

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

/// Whether an attribute may take away what it stands on.
pub(crate) fn is_condition(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => macros::mentions(&list.tokens, &["cfg"]),
        meta => meta.path().is_ident("cfg"),
    }
}

/// Whether a `#[cfg]` decides whether something is there.
pub(crate) fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes.iter().any(is_condition)
}

/// The same of an expression.
pub(crate) fn is_conditional_expression(expr: &Expr) -> bool {
    /// Looks at an expression's own attributes alone.
    struct Own(bool);
    impl<'ast> Visit<'ast> for Own {
        fn visit_attribute(&mut self, attribute: &'ast Attribute) {
            self.0 |= is_condition(attribute);
        }

        fn visit_expr(&mut self, _: &'ast Expr) {}

        fn visit_pat(&mut self, _: &'ast Pat) {}

        fn visit_block(&mut self, _: &'ast Block) {}

        fn visit_arm(&mut self, _: &'ast syn::Arm) {}

        fn visit_field_value(&mut self, _: &'ast syn::FieldValue) {}
    }
    let mut own = Own(false);
    visit::visit_expr(&mut own, expr);
    own.0
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
