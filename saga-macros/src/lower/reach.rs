//! Mutable references that a method gives of a place: `list.last_mut()`, `map.get_mut(&key)`,
//! `map.entry(key).or_default()`. While they are there, nothing else changes the place, and what is changed through
//! them is not where they are: the method gives the same again.

use syn::{Expr, ExprLit, ExprMethodCall, Lit, Pat, parse_quote};

use super::iterate::is_one_of;
use super::{Lowerer, pure};
use crate::parse::places::unwrap;
use crate::tree::Rebuild;

/// Methods that reach a part of a place by nothing, or by what their arguments say.
const REACHING: [&str; 8] = [
    "as_array_mut",
    "as_object_mut",
    "back_mut",
    "first_mut",
    "front_mut",
    "get_mut",
    "last_mut",
    "get_or_insert_default",
];

/// Methods of an entry, which is there after them.
const FILLING: [&str; 4] = ["or_default", "or_insert", "or_insert_with", "or_insert_with_key"];

impl Lowerer<'_> {
    /// How to reach what a pattern is bound to again, where the value ends in more than that:
    /// `map.entry(key).or_default()` is `map.get_mut(&key)` then, and `list.get_mut(0).ok_or(..)?` is `list.get_mut(0)`.
    pub(super) fn reached(&self, value: &Expr, pattern: &Pat) -> Option<(Pat, Rebuild)> {
        let source = self.reached_by_entry(value).or_else(|| self.reached_by_question_mark(value))?;
        let pattern = match pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        Some((parse_quote!(::core::option::Option::Some(#pattern)), self.rebuild_of(&source)))
    }

    fn reached_by_entry(&self, value: &Expr) -> Option<Expr> {
        let Expr::MethodCall(fill) = unwrap(value) else { return None };
        let Expr::MethodCall(entry) = unwrap(&fill.receiver) else { return None };
        let [key] = &entry.args.iter().collect::<Vec<_>>()[..] else { return None };
        let (place, span) = (&entry.receiver, entry.method.span());
        let get_mut = syn::Ident::new("get_mut", span);
        let is_entry = is_one_of(fill, &FILLING) && entry.method == "entry";
        if !is_entry || !self.is_place(place) || !self.is_steady_key(key) {
            return None;
        }
        Some(match unwrap(key) {
            // A text is a key of `String`s, too.
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => parse_quote!(#place.#get_mut(#text)),
            key => parse_quote!(#place.#get_mut(&(#key))),
        })
    }

    fn reached_by_question_mark(&self, value: &Expr) -> Option<Expr> {
        let Expr::Try(question_mark) = unwrap(value) else { return None };
        match unwrap(&question_mark.expr) {
            Expr::MethodCall(call) if is_one_of(call, &["ok_or", "ok_or_else"]) => {
                matches!(unwrap(&call.receiver), Expr::MethodCall(inner) if self.reaches(inner))
                    .then(|| (*call.receiver).clone())
            }
            Expr::MethodCall(call) if self.reaches(call) => Some((*question_mark.expr).clone()),
            _ => None,
        }
    }

    /// Whether a method gives the same part of a place again: `list.get_mut(index)`, also with `.unwrap()`.
    pub(super) fn reaches(&self, call: &ExprMethodCall) -> bool {
        if let Expr::MethodCall(inner) = unwrap(&call.receiver)
            && is_one_of(call, &["unwrap", "expect"])
        {
            return self.reaches(inner) && call.args.iter().all(|text| self.is_constant(text));
        }
        self.reaches_by_name(call) && self.is_place(&call.receiver)
    }

    /// The same, where the receiver is or will be a place.
    pub(super) fn reaches_by_name(&self, call: &ExprMethodCall) -> bool {
        // What would be inserted is there, and its closure is not called.
        let fills = call.method == "get_or_insert_with"
            && matches!(call.args.first().map(unwrap), Some(Expr::Closure(closure)) if closure.capture.is_none());
        fills || is_one_of(call, &REACHING) && call.args.iter().all(|key| self.is_steady_key(key))
    }

    /// Whether a key is the same whenever it is evaluated.
    fn is_steady_key(&self, key: &Expr) -> bool {
        pure::is_pure(key) && self.locals_in(key).into_iter().all(|local| self.is_steady(local))
    }
}
