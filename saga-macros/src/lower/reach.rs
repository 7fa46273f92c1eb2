//! Mutable references that a method gives of a place: `list.last_mut()`, `map.get_mut(&key)`,
//! `map.entry(key).or_default()`. While they are there, nothing else changes the place, and what is changed through
//! them is not where they are: the method gives the same again. What is picked by what it shows,
//! `list.iter_mut().find(..)`, is the item with the same number then, which is counted where it is picked.

use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprMethodCall, Lit, Pat, parse_quote, parse_quote_spanned};

use super::iterate::{ADAPTING, is_one_of};
use super::{Lowerer, Place, pure};
use crate::parse::places::{is_borrowing, is_place_form, unwrap};
use crate::tree::{Node, Rebuild, Temporary};

/// Methods that reach a part of a place by nothing, or by what their arguments say.
const REACHING: [&str; 15] = [
    "as_array_mut",
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "as_object_mut",
    "back_mut",
    "first_mut",
    "front_mut",
    "get_mut",
    "last_mut",
    "get_or_insert_default",
    "split_at_mut",
    "split_at_mut_checked",
    "split_first_mut",
    "split_last_mut",
];

/// Methods of an entry, which is there after them.
const FILLING: [&str; 4] = ["or_default", "or_insert", "or_insert_with", "or_insert_with_key"];

/// Methods that make a failure of nothing.
const FAILING: [&str; 4] = ["context", "ok_or", "ok_or_else", "with_context"];

/// Methods that pick an item by what it shows.
const PICKING_BY_CLOSURE: [&str; 5] = ["find", "max_by", "max_by_key", "min_by", "min_by_key"];

impl Lowerer<'_> {
    /// How to reach what a pattern is bound to again, where the value ends in more than that:
    /// `map.entry(key).or_default()` is `map.get_mut(&key)` then, and `list.get_mut(0).ok_or(..)?` is `list.get_mut(0)`.
    pub(super) fn reached(&self, value: &Expr, pattern: &Pat) -> Option<(Pat, Rebuild)> {
        if let Some(source) = counted(value) {
            return Some((pattern.clone(), self.rebuild_of(&source)));
        }
        let source = (self.reached_by_entry(value))
            .or_else(|| self.reached_by_question_mark(value))
            .or_else(|| counted_and_unwrapped(value))?;
        let pattern = match pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        Some((parse_quote!(::core::option::Option::Some(#pattern)), self.rebuild_of(&source)))
    }

    fn reached_by_entry(&self, value: &Expr) -> Option<Expr> {
        let Expr::MethodCall(fill) = unwrap(value) else { return None };
        if fill.method == "get_or_insert" && self.is_place(&fill.receiver) {
            let (option, as_mut) = (&fill.receiver, syn::Ident::new("as_mut", fill.method.span()));
            return Some(parse_quote!(#option.#as_mut()));
        }
        let Expr::MethodCall(entry) = unwrap(&fill.receiver) else { return None };
        let [key] = &entry.args.iter().collect::<Vec<_>>()[..] else { return None };
        let key = copied(key).unwrap_or(key);
        let (place, span) = (&entry.receiver, entry.method.span());
        let get_mut = syn::Ident::new("get_mut", span);
        if !is_filled_entry(fill, entry) || !self.is_place(place) || !self.is_steady_key(key) {
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
        let option = match unwrap(&question_mark.expr) {
            Expr::MethodCall(call) if is_one_of(call, &FAILING) => &call.receiver,
            option => option,
        };
        match unwrap(option) {
            Expr::MethodCall(call) if self.reaches(call) => Some(option.clone()),
            option => counted(option),
        }
    }

    /// Makes what a method reaches of a place reachable again: counts what is before the item that
    /// `list.iter_mut().find(..)` picks, and keeps a key that will be another, or that the method takes.
    pub(super) fn settle_reached(&mut self, value: &mut Expr, temporaries: &mut Vec<Temporary>) {
        match value {
            Expr::Paren(paren) => self.settle_reached(&mut paren.expr, temporaries),
            Expr::Try(question_mark) => self.settle_reached(&mut question_mark.expr, temporaries),
            Expr::MethodCall(call) if is_one_of(call, &["unwrap", "expect"]) || is_one_of(call, &FAILING) => {
                self.settle_reached(&mut call.receiver, temporaries);
            }
            Expr::MethodCall(call) if goes_over_mutable_items(&call.receiver) => {
                self.settle_borrow(value, temporaries);
                self.count_to_picked(value, temporaries);
            }
            Expr::MethodCall(call) if is_one_of(call, &REACHING) && is_place_form(&call.receiver) => {
                self.settle_place(&mut call.receiver, true, temporaries);
                call.args.iter_mut().for_each(|key| self.settle_key(key, temporaries));
            }
            Expr::MethodCall(fill) => {
                let Expr::MethodCall(entry) = &*fill.receiver else { return };
                if is_filled_entry(fill, entry)
                    && let Expr::MethodCall(entry) = &mut *fill.receiver
                {
                    self.settle_entry(entry, temporaries);
                }
            }
            _ => {}
        }
    }

    /// Keeps a key that will be another, or what it is borrowed from.
    fn settle_key(&mut self, key: &mut Expr, temporaries: &mut Vec<Temporary>) {
        if self.is_steady_key(key) {
            return;
        }
        match key {
            Expr::Paren(paren) => self.settle_key(&mut paren.expr, temporaries),
            Expr::Reference(reference) if !is_place_form(&reference.expr) => {
                self.settle_key(&mut reference.expr, temporaries);
            }
            Expr::MethodCall(call) if is_borrowing(call) && !is_place_form(&call.receiver) => {
                self.settle_key(&mut call.receiver, temporaries);
            }
            key => temporaries.push(self.hoist(key)),
        }
    }

    /// An entry takes its key, which is needed to find it again.
    fn settle_entry(&mut self, entry: &mut ExprMethodCall, temporaries: &mut Vec<Temporary>) {
        self.settle_place(&mut entry.receiver, true, temporaries);
        for key in &mut entry.args {
            self.settle_key(key, temporaries);
            if is_place_form(key) && !self.is_constant(key) {
                let span = key.span();
                *key = parse_quote_spanned!(span=> ::saga_runtime::__private::copied(&#key));
            }
        }
    }

    fn count_to_picked(&mut self, value: &mut Expr, temporaries: &mut Vec<Temporary>) {
        let Expr::MethodCall(call) = &*value else { return };
        let [closure] = &call.args.iter().collect::<Vec<_>>()[..] else { return };
        if !is_one_of(call, &PICKING_BY_CLOSURE) || !self.gives_mutable_items(&call.receiver) {
            return;
        }
        let (method, iterator) = (&call.method, &call.receiver);
        let span = method.span();
        let place = Place { mutable: true, span };
        let count = self.temporary(Node::Plain(parse_quote!(0_usize)), None, place);
        let number = &self.locals[count.local.0].name;
        *value = parse_quote_spanned! {span=>
            ::saga_runtime::__private::counted::#method(#iterator, #closure, &mut #number)
        };
        temporaries.push(count);
    }

    /// Whether it goes over mutable references to all items of a place.
    fn gives_mutable_items(&self, source: &Expr) -> bool {
        goes_over_mutable_items(source) && self.is_iteration(source)
    }

    /// Whether a method gives the same part of a place again: `list.get_mut(index)`, `list.iter_mut().nth(2)`, also with
    /// `.unwrap()`.
    pub(super) fn reaches(&self, call: &ExprMethodCall) -> bool {
        if let Expr::MethodCall(inner) = unwrap(&call.receiver)
            && is_one_of(call, &["unwrap", "expect"])
        {
            return self.reaches(inner) && call.args.iter().all(|text| self.is_constant(text));
        }
        let by_number = is_one_of(call, &["last", "next", "next_back", "nth"])
            && call.args.iter().all(|number| self.is_again(number));
        by_number && self.gives_mutable_items(&call.receiver)
            || self.reaches_by_name(call) && self.is_place(&call.receiver)
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

/// `map.entry(key).or_default()`.
fn is_filled_entry(fill: &ExprMethodCall, entry: &ExprMethodCall) -> bool {
    is_one_of(fill, &FILLING) && entry.method == "entry" && entry.args.len() == 1
}

/// The key of which an entry took a copy.
fn copied(key: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = key else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let is_ours = function.path.segments.len() == 3 && function.path.segments[2].ident == "copied";
    match call.args.first() {
        Some(Expr::Reference(reference)) if is_ours => Some(&reference.expr),
        _ => None,
    }
}

fn counted_and_unwrapped(value: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = unwrap(value) else { return None };
    is_one_of(call, &["unwrap", "expect"]).then(|| counted(&call.receiver)).flatten()
}

/// `list.iter_mut().rev()`, whatever `list` is.
fn goes_over_mutable_items(source: &Expr) -> bool {
    let Expr::MethodCall(call) = unwrap(source) else { return false };
    is_one_of(call, &["iter_mut", "values_mut"])
        || is_one_of(call, &ADAPTING) && goes_over_mutable_items(&call.receiver)
}

/// The item with the number that was counted.
fn counted(value: &Expr) -> Option<Expr> {
    let Expr::Call(call) = unwrap(value) else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let path: Vec<_> = function.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_ours = path.starts_with(&["saga_runtime", "__private", "counted"].map(str::to_owned));
    let [iterator, _, Expr::Reference(number)] = &call.args.iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    let number = &number.expr;
    is_ours.then(|| parse_quote!(#iterator.nth(#number)))
}
