//! Locals that look like guards: they mean something by being there, and a question ends them.

use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat};

use super::borrow::unwrap;

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

/// Whether a `let` looks as if it bound a guard.
pub(super) fn is_guard(pattern: &Pat, value: &Expr) -> bool {
    let Pat::Ident(bound) = pattern else { return false };
    bound.ident.to_string().contains("guard") || takes_guard(value)
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
                self.0.extend(path.path.get_ident().map(ToString::to_string));
            }
            visit::visit_expr_call(self, call);
        }
    }
    let mut dropped = Dropped(Vec::new());
    dropped.visit_block(block);
    dropped.0
}
