//! Locals that a question cannot go over as they are: guards, which mean something by being there, and closures.

use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat};

use super::borrow::unwrap;
use crate::parse::plain_name;
use crate::tree::Concern;

/// Methods without arguments whose result is usually a guard.
const GUARDING: [&str; 11] = [
    "lock",
    "lock_owned",
    "try_lock",
    "read",
    "write",
    "borrow_mut",
    "acquire",
    "acquire_owned",
    "enter",
    "entered",
    "defer",
];

/// What is special about what a `let` binds, as far as it can be seen.
pub(super) fn concern(pattern: &Pat, value: &Expr) -> Option<Concern> {
    match (pattern, unwrap(value)) {
        (Pat::Ident(_), Expr::Closure(_)) => Some(Concern::Closure),
        _ => is_guard(pattern, value).then_some(Concern::Guard),
    }
}

/// Whether a `let` looks as if it bound a guard.
fn is_guard(pattern: &Pat, value: &Expr) -> bool {
    let Pat::Ident(bound) = pattern else { return false };
    bound.ident.to_string().contains("guard") || takes_guard(value)
}

/// Whether a guard seems to be taken somewhere in an expression.
pub(super) fn is_taken_in(expr: &Expr) -> bool {
    struct Taken(bool);
    impl<'ast> Visit<'ast> for Taken {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= takes_guard(expr);
            visit::visit_expr(self, expr);
        }
    }
    let mut taken = Taken(false);
    taken.visit_expr(expr);
    taken.0
}

fn takes_guard(value: &Expr) -> bool {
    match unwrap(value) {
        Expr::Try(inner) => takes_guard(&inner.expr),
        Expr::Await(inner) => takes_guard(&inner.base),
        Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" => {
            takes_guard(&call.receiver)
        }
        Expr::MethodCall(call) => {
            call.args.is_empty() && GUARDING.contains(&call.method.to_string().as_str())
        }
        _ => false,
    }
}

/// The names of the locals that are dropped by hand: `drop(guard)`.
pub(super) fn dropped(block: &Block) -> Vec<String> {
    struct Dropped(Vec<String>);
    impl<'ast> Visit<'ast> for Dropped {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            let is_drop = matches!(&*call.func, Expr::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident == "drop"));
            if let (true, Some(Expr::Path(path))) = (is_drop, call.args.first()) {
                self.0.extend(path.path.get_ident().map(plain_name));
            }
            visit::visit_expr_call(self, call);
        }
    }
    let mut dropped = Dropped(Vec::new());
    dropped.visit_block(block);
    dropped.0
}
