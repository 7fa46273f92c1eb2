//! Loops over a borrow beside a value that the loop takes: `for (name, answer) in names.iter().zip(answers)`. The borrow
//! travels as a position, and of the value what is left of it, so they are drawn from one after the other:
//!
//! ```text
//! let mut beside = answers.into_iter();
//! for name in names.iter() {
//!     let Some(answer) = beside.next() else { break };
//!     body
//! }
//! ```

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, Ident, Pat, parse_quote_spanned};

use super::Lowerer;
use crate::parse::places::unwrap;
use crate::tree::{LocalKind, Way};

impl Lowerer<'_> {
    /// The loop over the borrow alone, if it is one beside such a value.
    pub(super) fn loop_beside(&self, expr: &ExprForLoop) -> Option<Expr> {
        let Expr::MethodCall(zip) = unwrap(&expr.expr) else { return None };
        let [other] = &zip.args.iter().collect::<Vec<_>>()[..] else { return None };
        let Pat::Tuple(pair) = &*expr.pat else { return None };
        let [left, right] = &pair.elems.iter().collect::<Vec<_>>()[..] else { return None };
        let has_rest = [left, right].iter().any(|part| matches!(part, Pat::Rest(_)));
        if zip.method != "zip" || has_rest || !self.is_iteration(&zip.receiver) || !self.is_taken(other) {
            return None;
        }
        let (label, source, body) = (&expr.label, &zip.receiver, &expr.body);
        let (beside, at) = (Ident::new("__beside", Span::mixed_site()), expr.expr.span());
        Some(parse_quote_spanned! {at=> {
            let mut #beside = (#other).into_iter();
            #label for #left in #source {
                let ::core::option::Option::Some(#right) = #beside.next() else { break };
                #body
            }
        }})
    }

    /// Whether a value is a local, and goes into the loop. What has no end, or does something for each item, does so
    /// beside the borrow alone.
    fn is_taken(&self, value: &Expr) -> bool {
        let Expr::Path(path) = unwrap(value) else { return false };
        self.local_of(path).is_some_and(|id| {
            let local = &self.locals[id.0];
            local.kind != LocalKind::Reference && local.way == Way::Itself
        })
    }
}
