//! What `#[saga(rebuild)]` may not do again: methods that change what they are called on each time.

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Ident};

use super::Lowerer;
use super::iterate::is_one_of;
use super::operands::root_of;
use crate::parse::places::unwrap;
use crate::tree::{LocalId, LocalKind};

/// Methods of the standard library that change a place once more each time.
const CHANGING: [&str; 22] = [
    "and_modify",
    "append",
    "clear",
    "drain",
    "extend",
    "insert",
    "insert_entry",
    "insert_str",
    "pop",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_last",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "remove",
    "retain",
    "split_off",
    "swap_remove",
    "truncate",
];

impl Lowerer<'_> {
    /// Refuses the methods of an expression that change a local, when it is to be evaluated again.
    pub(super) fn refuse_effects(&mut self, value: &Expr) {
        let mut changes = Changes::default();
        changes.visit_expr(value);
        for (method, root) in changes.found {
            let is_reference = |local: LocalId| self.locals[local.0].kind == LocalKind::Reference;
            let shared = |local| is_reference(local) && self.steady_parameters.contains(&local);
            if self.resolve(&root).is_none_or(shared) {
                continue;
            }
            let message = format!(
                "`{method}` changes `{root}`, and this expression is evaluated again after a question, when it would \
                 change it once more; change it in a statement of its own, and borrow here what is there then, by \
                 `as_mut` or `get_mut` for example"
            );
            self.diagnostics.error(&method, message);
        }
    }
}

/// The methods that change something, each with the name of what they change.
#[derive(Default)]
struct Changes {
    found: Vec<(Ident, String)>,
}

impl<'ast> Visit<'ast> for Changes {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        visit::visit_expr_method_call(self, call);
        let takes = is_one_of(call, &["replace", "take"]) && is_of_an_option(call);
        if takes || is_one_of(call, &CHANGING) {
            self.found.extend(changed(&call.receiver).map(|root| (call.method.clone(), root)));
        }
    }

    // What it captures is another local than the one that is derived from, and must not be `mut` then.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

/// `option.take()`, `option.replace(value)`; an iterator's `take` and a text's `replace` have one argument more.
fn is_of_an_option(call: &ExprMethodCall) -> bool {
    call.args.len() == usize::from(call.method == "replace")
}

/// The name of the local whose parts methods are called on: `map` of `map.entry(key).and_modify(..)`.
fn changed(receiver: &Expr) -> Option<String> {
    match unwrap(receiver) {
        Expr::MethodCall(call) => changed(&call.receiver),
        Expr::Try(question_mark) => changed(&question_mark.expr),
        place => root_of(place),
    }
}
