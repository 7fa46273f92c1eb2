//! Expressions that look like places, and methods that borrow of one.

use syn::{BinOp, Expr, ExprMethodCall};

/// Methods that borrow from their receiver and do nothing else, by Rust's naming also where they are the author's own:
/// `as_` is free (API guidelines, C-CONV).
const BORROWING: [&str; 7] =
    ["as_str", "as_ref", "as_deref", "as_slice", "as_bytes", "as_mut", "as_deref_mut"];

/// The expression inside parentheses.
pub(crate) fn unwrap(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => unwrap(&paren.expr),
        Expr::Group(group) => unwrap(&group.expr),
        other => other,
    }
}

/// The same, to be changed.
pub(crate) fn unwrap_mut(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Paren(paren) => unwrap_mut(&mut paren.expr),
        other => other,
    }
}

/// Whether an expression looks like a place, whatever it is rooted in.
pub(crate) fn is_place_form(expr: &Expr) -> bool {
    match unwrap(expr) {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

/// `plan.as_ref()`.
pub(crate) fn is_borrowing(call: &ExprMethodCall) -> bool {
    BORROWING.contains(&call.method.to_string().as_str()) && call.args.is_empty()
}

/// `+=` and its kind.
pub(crate) const fn is_compound(op: &BinOp) -> bool {
    use BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign,
        ShrAssign, SubAssign,
    };
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}
