//! An iterator over mutable borrows that one loop draws by hand. It cannot travel, and its position can: the two are the
//! loop over what it was made of.
//!
//! ```text
//! let mut items = list.iter_mut(); while let Some(item) = items.next() { body }
//! for item in list.iter_mut() { body }
//! ```

use quote::ToTokens;
use syn::{Expr, ExprForLoop, ExprWhile, Ident, Local, Pat, Stmt, parse_quote_spanned};

use super::iterate::{PARTING, is_one_of};
use super::reach::goes_over_mutable_items;
use super::shared::is_struct;
use crate::parse::places::unwrap;
use crate::parse::{macros, plain_name, suspension};

/// The loop that a `let` and the statement after it are, if nothing else names the iterator.
pub(super) fn loop_over(first: &Stmt, after: &[Stmt]) -> Option<Stmt> {
    let (Stmt::Local(local), [Stmt::Expr(Expr::While(drawing), _), rest @ ..]) = (first, after) else {
        return None;
    };
    let (name, source) = iterator(local)?;
    let item = item_of(drawing, name)?;
    let names = |code: &dyn ToTokens| {
        let names = macros::identifiers(&code.to_token_stream());
        names.contains(&plain_name(name))
    };
    if names(&drawing.body) || rest.iter().any(|statement| names(statement)) {
        return None;
    }
    let (span, body) = (drawing.while_token.span, &drawing.body);
    let mut over: ExprForLoop = parse_quote_spanned!(span=> for #item in #source #body);
    over.attrs.clone_from(&drawing.attrs);
    over.label.clone_from(&drawing.label);
    suspension::block_suspends(body).then_some(Stmt::Expr(Expr::ForLoop(over), None))
}

/// `let mut items = list.iter_mut();`
fn iterator(local: &Local) -> Option<(&Ident, &Expr)> {
    let (Pat::Ident(pattern), Some(init)) = (&local.pat, &local.init) else { return None };
    let parts = matches!(unwrap(&init.expr), Expr::MethodCall(call)
        if is_one_of(call, &PARTING) && call.method.to_string().ends_with("_mut"));
    let is_mutable = parts || goes_over_mutable_items(&init.expr);
    let is_plain = local.attrs.is_empty() && init.diverge.is_none() && pattern.subpat.is_none();
    (is_mutable && is_plain && !suspension::suspends(&init.expr)).then_some((&pattern.ident, &*init.expr))
}

/// The `item` of `while let Some(item) = items.next()`.
fn item_of<'w>(drawing: &'w ExprWhile, iterator: &Ident) -> Option<&'w Pat> {
    let Expr::Let(condition) = unwrap(&drawing.cond) else { return None };
    let (Pat::TupleStruct(some), Expr::MethodCall(next)) = (&*condition.pat, unwrap(&condition.expr)) else {
        return None;
    };
    let is_drawn = next.method == "next"
        && matches!(unwrap(&next.receiver), Expr::Path(path) if path.path.is_ident(iterator));
    match some.elems.first() {
        Some(item) if is_drawn && some.path.is_ident("Some") && always_matches(item) => Some(item),
        _ => None,
    }
}

fn always_matches(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        // By Rust's naming: `None` and `LIMIT` are no names.
        Pat::Ident(name) => {
            name.subpat.is_none() && name.ident.to_string().starts_with(|letter: char| !letter.is_uppercase())
        }
        Pat::Tuple(parts) => parts.elems.iter().all(always_matches),
        Pat::Paren(inner) => always_matches(&inner.pat),
        Pat::Struct(parts) if is_struct(&parts.path) => {
            parts.fields.iter().all(|part| always_matches(&part.pat))
        }
        _ => false,
    }
}
