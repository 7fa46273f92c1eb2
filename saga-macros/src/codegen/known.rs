//! A borrow by a method is derived again: the method runs once more. That is of no matter for the standard library's
//! `iter` and `lines`, and may be for one of the author's of such a name, so the type that has it must be known. (What
//! an `as_str` is, its name says.)

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use super::Writer;
use super::names::{located_at, private};
use crate::lower::is_borrowing;
use crate::tree::{LocalId, Rebuild};

impl Writer<'_> {
    /// The value of these bindings, which rustc refuses if they are derived again by methods of unknown types. One
    /// arm says it for all.
    pub(super) fn known(&self, binds: &[LocalId], value: TokenStream) -> TokenStream {
        let derived = binds.iter().find(|local| !self.prune && self.is_derived(**local));
        let rebuild = derived.and_then(|local| self.body.borrow_of(*local)).filter(|rebuild| !rebuild.asked);
        let checks = rebuild.map(checks).unwrap_or_default();
        if checks.is_empty() { value } else { quote!(({ #checks #value })) }
    }

    fn is_derived(&self, local: LocalId) -> bool {
        let is_loop = self.body.positions.contains_key(&local);
        self.layouts
            .iter()
            .any(|layout| layout.rebuilt.contains(&local) || is_loop && layout.held.contains(&local))
    }
}

fn checks(rebuild: &Rebuild) -> TokenStream {
    let mut receivers = Receivers(Vec::new());
    receivers.visit_expr(&rebuild.source);
    let private = private();
    let checks = receivers.0.into_iter().map(|call| {
        let receiver = &call.receiver;
        located_at(receiver.span(), quote!(#private::known(&#receiver);))
    });
    checks.collect()
}

/// Finds what the first method of each chain that does more than borrow is called on.
struct Receivers<'ast>(Vec<&'ast ExprMethodCall>);

impl<'ast> Visit<'ast> for Receivers<'ast> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let only_borrows = |expr: &Expr| matches!(expr, Expr::MethodCall(call) if is_borrowing(call));
        let is_first = !matches!(*call.receiver, Expr::MethodCall(_)) || only_borrows(&call.receiver);
        if is_first && !is_borrowing(call) {
            self.0.push(call);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}
