//! Expressions that look like places.

use syn::Expr;

/// The expression inside parentheses.
pub(crate) fn unwrap(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => unwrap(&paren.expr),
        Expr::Group(group) => unwrap(&group.expr),
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
