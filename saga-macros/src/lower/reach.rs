//! Mutable references that a method gives of a place: `list.last_mut()`, `map.get_mut(&key)`,
//! `map.entry(key).or_default()`. While they are there, nothing else changes the place, and what is changed through
//! them is not where they are: the method gives the same again. What is picked by what it shows,
//! `list.iter_mut().find(..)`, is the item with the same number then, which is counted where it is picked.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprMethodCall, Ident, Lit, Pat, UnOp, parse_quote, parse_quote_spanned};

use super::iterate::{ADAPTING, is_one_of};
use super::settle::Settled;
use super::{Lowerer, Place, pure};
use crate::parse::places::{is_borrowing, is_place_form, unwrap};
use crate::parse::{macros, plain_name};
use crate::tree::{FURTHER, Node, Rebuild, Temporary};

/// Methods that reach a part of a place by nothing, or by what their arguments say.
const REACHING: [&str; 18] = [
    "as_array_mut",
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "as_object_mut",
    "back_mut",
    "first_mut",
    "front_mut",
    "get_disjoint_mut",
    "get_mut",
    "last_mut",
    "get_or_insert_default",
    "pointer_mut",
    "split_at_mut",
    "split_at_mut_checked",
    "split_first_mut",
    "split_last_mut",
    "to_mut",
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
    pub(super) fn reached(&self, value: &Expr, pattern: &Pat, kept: Option<&Expr>) -> Option<(Pat, Rebuild)> {
        if let Some(source) = self.reached_otherwise(value, kept) {
            return Some((pattern.clone(), self.rebuild_of(&source)));
        }
        let source = (self.reached_by_entry(value, kept))
            .or_else(|| self.reached_by_question_mark(value, kept))
            .or_else(|| self.reached_and_unwrapped(value))?;
        let pattern = match pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        Some((parse_quote!(::core::option::Option::Some(#pattern)), self.rebuild_of(&source)))
    }

    /// Moves what an operand reaches into a temporary, which is reached again: `map.entry(key).or_default()` of
    /// `map.entry(key).or_default().push(elicit(..).await?)`.
    pub(super) fn hoist_reached(&mut self, operand: &mut Expr, temporaries: &mut Vec<Temporary>) -> bool {
        let mut settled = Settled::default();
        self.settle_reached(operand, &mut settled);
        temporaries.append(&mut settled.temporaries);
        let kept = settled.kept.as_ref();
        if self.reached(operand, &parse_quote!(_), kept).is_none() {
            return false;
        }
        let span = operand.span();
        let node = self.expression(operand);
        let temporary = self.temporary(node, None, Place { mutable: false, span });
        let name = self.locals[temporary.local.0].name.clone();
        if let Some((pattern, rebuild)) = self.reached(operand, &parse_quote!(#name), kept) {
            self.group(pattern, &[temporary.local], Some(rebuild));
        }
        *operand = parse_quote!(#name);
        temporaries.push(temporary);
        true
    }

    fn reached_by_entry(&self, value: &Expr, kept: Option<&Expr>) -> Option<Expr> {
        let Expr::MethodCall(fill) = unwrap(value) else { return None };
        if fill.method == "get_or_insert" && self.is_place(&fill.receiver) {
            let (option, as_mut) = (&fill.receiver, Ident::new("as_mut", fill.method.span()));
            return Some(parse_quote!(#option.#as_mut()));
        }
        let Expr::MethodCall(entry) = unwrap(before_changes(&fill.receiver)) else { return None };
        let [key] = &entry.args.iter().collect::<Vec<_>>()[..] else { return None };
        let (place, span) = (&entry.receiver, entry.method.span());
        let get_mut = Ident::new("get_mut", span);
        if !is_one_of(fill, &FILLING) || !is_entry(entry) || !self.is_place(place) {
            return None;
        }
        if let Some(kept) = kept {
            return Some(parse_quote!(#place.#get_mut(&#kept)));
        }
        match unwrap(key) {
            // A text is a key of `String`s, too.
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(parse_quote!(#place.#get_mut(#text))),
            key if self.is_steady_key(key) => Some(parse_quote!(#place.#get_mut(&(#key)))),
            _ => None,
        }
    }

    fn reached_by_question_mark(&self, value: &Expr, kept: Option<&Expr>) -> Option<Expr> {
        let Expr::Try(question_mark) = unwrap(value) else { return None };
        let option = match unwrap(&question_mark.expr) {
            Expr::MethodCall(call) if is_one_of(call, &FAILING) => &call.receiver,
            option => option,
        };
        match unwrap(option) {
            Expr::MethodCall(call) if self.reaches(call) => Some(option.clone()),
            option => self.reached_otherwise(option, kept),
        }
    }

    /// The same by the number that was counted, or by the key that was kept.
    fn reached_otherwise(&self, value: &Expr, kept: Option<&Expr>) -> Option<Expr> {
        let Expr::MethodCall(call) = unwrap(value) else { return counted(value) };
        self.reached_by_kept_key(call, kept)
    }

    /// `list.iter_mut().find(..).unwrap()`.
    fn reached_and_unwrapped(&self, value: &Expr) -> Option<Expr> {
        let Expr::MethodCall(call) = unwrap(value) else { return None };
        let unwraps = is_one_of(call, &["unwrap", "expect"]);
        unwraps.then(|| self.reached_otherwise(&call.receiver, None)).flatten()
    }

    /// Makes what a method reaches of a place reachable again: counts what is before the item that
    /// `list.iter_mut().find(..)` picks, and keeps a key that will be another, or that the method takes.
    pub(super) fn settle_reached(&mut self, value: &mut Expr, settled: &mut Settled) {
        match value {
            Expr::Paren(paren) => self.settle_reached(&mut paren.expr, settled),
            Expr::Try(question_mark) => self.settle_reached(&mut question_mark.expr, settled),
            Expr::MethodCall(call) if is_one_of(call, &["unwrap", "expect"]) || is_one_of(call, &FAILING) => {
                self.settle_reached(&mut call.receiver, settled);
            }
            Expr::MethodCall(call) if self.goes_further(call) => {
                self.settle_reached(&mut call.receiver, settled);
            }
            Expr::MethodCall(call) if goes_over_mutable_items(&call.receiver) => {
                self.settle_borrow(value, &mut settled.temporaries);
                self.count_to_picked(value, &mut settled.temporaries);
            }
            Expr::MethodCall(call) if is_one_of(call, &REACHING) && is_place_form(&call.receiver) => {
                self.settle_place(&mut call.receiver, true, &mut settled.temporaries);
                self.settle_key(call, settled);
            }
            Expr::MethodCall(fill) if is_one_of(fill, &FILLING) => {
                self.settle_entry(&mut fill.receiver, settled);
            }
            _ => {}
        }
    }

    /// Keeps a clone of a key that will be another: `i`, `&key`, `key.as_str()`. Its call stays as it is written.
    fn settle_key(&mut self, call: &mut ExprMethodCall, settled: &mut Settled) {
        let [key] = &mut call.args.iter_mut().collect::<Vec<_>>()[..] else { return };
        if self.is_steady_key(key) {
            return;
        }
        if let Expr::Binary(_) = unwrap(key) {
            // Of numbers, with which nothing else happens.
            settled.temporaries.push(self.hoist(key));
            return;
        }
        let mut kept = key.clone();
        let Some(place) = place_in(&mut kept) else { return };
        *place = self.keep(&place.clone(), &mut settled.temporaries);
        settled.kept = Some(kept);
    }

    /// An entry takes its key, which is needed to find it again.
    fn settle_entry(&mut self, entry: &mut Expr, settled: &mut Settled) {
        let Expr::MethodCall(entry) = entry else { return };
        if entry.method == "and_modify" {
            return self.settle_entry(&mut entry.receiver, settled);
        }
        if !is_entry(entry) {
            return;
        }
        self.settle_place(&mut entry.receiver, true, &mut settled.temporaries);
        let [key] = &mut entry.args.iter_mut().collect::<Vec<_>>()[..] else { return };
        let is_closure = matches!(unwrap(key), Expr::Closure(_));
        if !is_plain_place(key) && !self.is_steady_key(key) && !is_closure {
            settled.temporaries.push(self.hoist(key));
        }
        if is_plain_place(key) && !self.is_constant(key) {
            settled.kept = Some(self.keep(&key.clone(), &mut settled.temporaries));
        }
    }

    /// A clone of a key, where it has one.
    fn keep(&mut self, key: &Expr, temporaries: &mut Vec<Temporary>) -> Expr {
        let (span, lends) = (key.span(), self.may_lend(key));
        self.trace(key);
        let clone = parse_quote_spanned! {span=> {
            use ::saga_runtime::__private::{KeepClone as _, KeepNothing as _};
            (&::saga_runtime::__private::Keep::new(&#key)).keep()
        }};
        let temporary = self.temporary(Node::Plain(clone), None, Place { mutable: false, span });
        if lends {
            self.note_lent(&[temporary.local]);
        }
        let name = &self.locals[temporary.local.0].name;
        let kept = parse_quote!(#name);
        temporaries.push(temporary);
        kept
    }

    /// `list.get_mut(i)`, by the key that was kept; also with `.unwrap()`.
    fn reached_by_kept_key(&self, call: &ExprMethodCall, kept: Option<&Expr>) -> Option<Expr> {
        let mut again = call.clone();
        if let Expr::MethodCall(inner) = unwrap(&call.receiver)
            && is_one_of(call, &["unwrap", "expect"])
        {
            *again.receiver = self.reached_by_kept_key(inner, kept)?;
            let is_constant = call.args.iter().all(|text| self.is_constant(text));
            return is_constant.then_some(Expr::MethodCall(again));
        }
        if self.goes_further(call) {
            *again.receiver = self.reached_otherwise(&call.receiver, kept)?;
            return Some(Expr::MethodCall(again));
        }
        // What a key was kept for is a place.
        again.args = [kept.filter(|_| is_one_of(call, &REACHING))?.clone()].into_iter().collect();
        Some(Expr::MethodCall(again))
    }

    pub(super) fn count_to_picked(&mut self, value: &mut Expr, temporaries: &mut Vec<Temporary>) {
        let Expr::MethodCall(call) = &*value else { return };
        let [closure] = &call.args.iter().collect::<Vec<_>>()[..] else { return };
        if !is_one_of(call, &PICKING_BY_CLOSURE)
            || call.turbofish.is_some()
            || !self.gives_mutable_items(&call.receiver)
        {
            return;
        }
        let (method, iterator) = (&call.method, &call.receiver);
        let span = method.span();
        let place = Place { mutable: true, span };
        let count = self.temporary(Node::Plain(parse_quote!(0_usize)), None, place);
        let number = self.locals[count.local.0].name.clone();
        // It is assigned for this picking alone.
        self.group(parse_quote!(mut #number), &[count.local], None);
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
        if let Expr::MethodCall(inner) = unwrap(&call.receiver)
            && self.goes_further(call)
        {
            return self.reaches(inner);
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
            && match call.args.first().map(unwrap) {
                Some(Expr::Closure(closure)) => closure.capture.is_none(),
                Some(function) => self.is_constant(function),
                None => false,
            };
        fills || is_one_of(call, &REACHING) && call.args.iter().all(|key| self.is_steady_key(key))
    }

    /// `..and_then(|list| list.first_mut())`, `..map(|item| &mut item.tags)`, `..and_then(Option::as_mut)`: a part of
    /// what a method reaches.
    pub(super) fn goes_further(&self, call: &ExprMethodCall) -> bool {
        let [function] = &call.args.iter().collect::<Vec<_>>()[..] else { return false };
        is_one_of(call, &FURTHER)
            && call.turbofish.is_none()
            && match unwrap(function) {
                Expr::Closure(closure) => self.reaches_of_given(closure),
                Expr::Path(path) => {
                    let method = path.path.segments.last().map(|last| last.ident.to_string());
                    path.path.segments.len() > 1 && method.is_some_and(|it| REACHING.contains(&it.as_str()))
                }
                _ => false,
            }
    }

    /// Whether a closure gives a part of what it is given, which is the same part whenever it is called.
    fn reaches_of_given(&self, closure: &syn::ExprClosure) -> bool {
        let [Pat::Ident(given)] = &closure.inputs.iter().collect::<Vec<_>>()[..] else { return false };
        let is_plain = closure.capture.is_none() && closure.asyncness.is_none() && given.subpat.is_none();
        is_plain && self.reaches_of(&closure.body, &given.ident)
    }

    fn reaches_of(&self, value: &Expr, given: &Ident) -> bool {
        match unwrap(value) {
            Expr::Reference(part) => part.mutability.is_some() && self.is_part_of(&part.expr, given),
            Expr::Try(question_mark) => self.reaches_of(&question_mark.expr, given),
            Expr::MethodCall(call) if is_one_of(call, &["unwrap", "expect"]) => {
                self.reaches_of(&call.receiver, given) && call.args.iter().all(|text| self.is_constant(text))
            }
            Expr::MethodCall(call) if self.goes_further(call) => self.reaches_of(&call.receiver, given),
            Expr::MethodCall(call) => {
                self.reaches_by_name(call)
                    && !call.args.iter().any(|key| names(key, given))
                    && (self.is_part_of(&call.receiver, given) || self.reaches_of(&call.receiver, given))
            }
            _ => false,
        }
    }

    pub(super) fn is_part_of(&self, place: &Expr, given: &Ident) -> bool {
        match unwrap(place) {
            Expr::Path(path) => path.path.is_ident(given),
            Expr::Field(field) => self.is_part_of(&field.base, given),
            Expr::Index(index) => {
                let key = &index.index;
                self.is_part_of(&index.expr, given) && self.is_settled(key) && !names(key, given)
            }
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && self.is_part_of(&unary.expr, given),
            _ => false,
        }
    }

    /// Whether a key is the same whenever it is evaluated.
    fn is_steady_key(&self, key: &Expr) -> bool {
        pure::is_pure(key) && self.locals_in(key).into_iter().all(|local| self.is_steady(local))
    }
}

/// Whether an expression names this.
fn names(expr: &Expr, name: &Ident) -> bool {
    macros::identifiers(&expr.to_token_stream()).contains(&plain_name(name))
}

/// The entry in `map.entry(key).and_modify(..)`, which is not changed once more.
fn before_changes(entry: &Expr) -> &Expr {
    match unwrap(entry) {
        Expr::MethodCall(change) if change.method == "and_modify" => before_changes(&change.receiver),
        _ => entry,
    }
}

/// `map.entry(key)`.
fn is_entry(call: &ExprMethodCall) -> bool {
    call.method == "entry" && call.args.len() == 1
}

/// The place whose value a key is, or is borrowed from.
fn place_in(key: &mut Expr) -> Option<&mut Expr> {
    if is_plain_place(key) {
        return Some(key);
    }
    match key {
        Expr::Paren(paren) => place_in(&mut paren.expr),
        Expr::Reference(reference) if reference.mutability.is_none() => place_in(&mut reference.expr),
        Expr::MethodCall(call) if is_borrowing(call) => place_in(&mut call.receiver),
        _ => None,
    }
}

/// A local, a field of one, or what one refers to.
fn is_plain_place(expr: &Expr) -> bool {
    match unwrap(expr) {
        Expr::Unary(target) => matches!(target.op, UnOp::Deref(_)) && is_plain_place(&target.expr),
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_plain_place(&field.base),
        _ => false,
    }
}

/// `list.iter_mut().rev()`, whatever `list` is.
pub(super) fn goes_over_mutable_items(source: &Expr) -> bool {
    let Expr::MethodCall(call) = unwrap(source) else { return false };
    is_one_of(call, &["iter_mut", "range_mut", "values_mut"])
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
