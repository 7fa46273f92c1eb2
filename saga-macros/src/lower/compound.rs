//! The order of `place += value`. Of numbers rustc adds itself, and evaluates the value first; any other `+=` is a call, whose
//! place is evaluated first. Of which type the place is the compiler does not see, but a value that is a reference is never
//! one of numbers. Where it matters, rustc is asked whether the place is one.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprBinary, ExprMethodCall, parse_quote_spanned};

use super::assigned::assigned_in;
use super::iterate::is_one_of;
use super::{Lowerer, guard, pure};
use crate::parse::macros;
use crate::parse::places::{is_borrowing, unwrap};

/// Methods that do no more than to reach a part of a place, or fail for good.
const REACHING: [&str; 10] = [
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "back_mut",
    "expect",
    "first_mut",
    "front_mut",
    "get_mut",
    "last_mut",
    "unwrap",
];

/// Methods that show a part of a text.
const TRIMMING: [&str; 3] = ["trim", "trim_end", "trim_start"];

impl Lowerer<'_> {
    /// Sees to it that a compound assignment that asks is evaluated in Rust's order, as far as that can be seen.
    pub(super) fn order_compound(&mut self, binary: &mut ExprBinary) {
        // What is the same whenever it is evaluated is so before and after.
        if is_left_first(binary) || self.stays(&binary.right) {
            return;
        }
        if is_reference(&binary.right) && guard::is_taken_in(&binary.left) {
            self.diagnostics.error(
                &binary.left,
                "what this takes would be held while the client is asked; evaluate the value first: `let value = ..;`, and \
                 then `place += value;`",
            );
        } else if is_seen(&binary.left, &binary.right) {
            let (left, span) = (&binary.left, binary.left.span());
            *binary.left = parse_quote_spanned!(span=> *::saga_runtime::__private::number(&mut #left));
        }
    }
}

/// Whether the place is evaluated before the value, and that is seen.
pub(crate) fn is_left_first(binary: &ExprBinary) -> bool {
    is_reference(&binary.right)
        && is_seen(&binary.left, &binary.right)
        // It would be held over the question, and is not needed before.
        && !guard::is_taken_in(&binary.left)
}

/// Whether a value is a reference, by its form.
fn is_reference(value: &Expr) -> bool {
    match unwrap(value) {
        Expr::Reference(_) => true,
        Expr::MethodCall(call) => is_borrowing(call) || is_one_of(call, &TRIMMING),
        _ => false,
    }
}

/// Whether anything tells if a place is evaluated before a value or after it.
fn is_seen(place: &Expr, value: &Expr) -> bool {
    let mut effects = Effects::default();
    effects.visit_expr(place);
    let assigned = assigned_in(value);
    effects.found || effects.indices.iter().any(|name| assigned.contains(name))
}

fn is_call(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Macro(_)
            | Expr::Await(_)
            | Expr::Try(_)
            | Expr::Block(_)
            | Expr::Assign(_)
    )
}

/// What evaluating a place does beside giving it.
#[derive(Default)]
struct Effects {
    found: bool,
    /// The names that its indices are made of.
    indices: Vec<String>,
}

impl<'ast> Visit<'ast> for Effects {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found |= is_call(expr) && !matches!(expr, Expr::MethodCall(call) if reaches(call));
        if let Expr::Index(index) = expr {
            self.indices.extend(macros::identifiers(&quote::ToTokens::to_token_stream(&index.index)));
        }
        visit::visit_expr(self, expr);
    }
}

fn reaches(call: &ExprMethodCall) -> bool {
    is_one_of(call, &REACHING) || pure::looks(call)
}
