//! Values of branches: of `if on { 1_u8 } else { elicit(..).await?; 2 }` the arm of the site has one branch alone, which says
//! less of the type than both. The value of a `let` gets one branch more in every arm, which is never taken and has the
//! type that a slot has from the arm of the start:
//!
//! ```text
//! let mask = if false { slot.absent() } else { 2 };
//! ```
//!
//! Nothing flows into the slot, so that no borrow lives the longer for it; and what the branch gives is coerced as beside
//! the others.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::visit::Visit;
use syn::{Expr, ExprAsync, ExprClosure, Macro};

use super::Writer;
use super::names::bound_slot;
use crate::tree::{Let, Node, Statement};

impl Writer<'_> {
    /// The value of a `let`, beside the slot if it is one of several branches. The arm of the start, which has them all,
    /// decides that.
    pub(super) fn beside_branches(&mut self, statement: &Let, init: TokenStream) -> TokenStream {
        let has_branches = statement.init.as_ref().is_some_and(|init| init.suspends() && has_branches(init));
        let Some(first) = statement.binds.first().filter(|_| has_branches) else { return init };
        if !self.prune && !has_closure(&init) {
            self.branched.insert(*first);
        }
        if !self.branched.contains(first) {
            return init;
        }
        let slot = bound_slot(*first);
        quote!(if false { #slot.absent() } else { #init })
    }
}

/// Whether a value comes from one of several branches.
fn has_branches(node: &Node) -> bool {
    match node {
        Node::If(_) | Node::Match(_) | Node::Block { label: Some(_), .. } => true,
        Node::Block { label: None, block } => match block.statements.last() {
            Some(Statement::Expression { node, semicolon: None }) => has_branches(node),
            _ => false,
        },
        Node::Apply(apply) => {
            has_branches(&apply.hole) || apply.temporaries.iter().any(|one| has_branches(&one.value))
        }
        _ => false,
    }
}

/// Whether there is a closure or an `async` block, which is of a type of its own wherever it is written.
fn has_closure(written: &TokenStream) -> bool {
    struct Closures(bool);
    impl<'ast> Visit<'ast> for Closures {
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {
            self.0 = true;
        }

        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {
            self.0 = true;
        }

        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= may_have_closure(&mac.tokens);
        }
    }
    let Ok(value) = syn::parse2::<Expr>(written.clone()) else { return true };
    let mut closures = Closures(false);
    closures.visit_expr(&value);
    closures.0
}

/// What stands in a macro need not be code.
fn may_have_closure(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '|',
        TokenTree::Ident(word) => word == "async",
        TokenTree::Group(group) => may_have_closure(&group.stream()),
        TokenTree::Literal(_) => false,
    })
}
