//! Iterators over places: which can be made again, and which of their items are borrows.

use syn::{Block, Expr, Pat};

use super::assigned::assigned_in_block;
use super::{Lowerer, pure};
use crate::parse::places::unwrap;
use crate::parse::plain_name;
use crate::tree::{Local, LocalId, LocalKind, PICKING, Rebuild};

/// Methods that make an iterator over a place.
pub(super) const ITERATING: [&str; 10] = [
    "iter",
    "iter_mut",
    "chars",
    "char_indices",
    "bytes",
    "lines",
    "split_whitespace",
    "keys",
    "values",
    "values_mut",
];

/// Adaptors without arguments, or with constant ones, whose position tells all about them.
pub(super) const ADAPTING: [&str; 9] =
    ["enumerate", "rev", "copied", "cloned", "skip", "take", "step_by", "zip", "flatten"];

/// Methods with arguments that make an iterator over a place.
pub(super) const PARTING: [&str; 6] =
    ["windows", "chunks", "chunks_mut", "chunks_exact_mut", "rchunks_mut", "range_mut"];

/// Methods that take a number.
pub(super) const COUNTING: [&str; 9] =
    ["skip", "take", "step_by", "windows", "chunks", "chunks_mut", "chunks_exact_mut", "rchunks_mut", "nth"];

/// Adaptors that leave out items, as a closure says.
pub(super) const SIFTING: [&str; 3] = ["filter", "skip_while", "take_while"];

/// Other methods that make an iterator.
pub(super) const DRAWING: [&str; 29] = [
    "chain",
    "chunk_by",
    "chunks_exact",
    "drain",
    "filter",
    "filter_map",
    "flat_map",
    "fuse",
    "inspect",
    "into_iter",
    "into_keys",
    "into_values",
    "map",
    "map_while",
    "match_indices",
    "matches",
    "peekable",
    "range",
    "rchunks",
    "rsplit",
    "rsplitn",
    "scan",
    "skip_while",
    "split",
    "split_ascii_whitespace",
    "split_inclusive",
    "split_terminator",
    "splitn",
    "take_while",
];

impl Lowerer<'_> {
    pub(super) fn is_iteration(&self, source: &Expr) -> bool {
        let Expr::MethodCall(call) = unwrap(source) else { return false };
        self.is_iterating(call)
            || is_one_of(call, &SIFTING)
                && call.args.iter().all(|argument| self.is_sieve(argument))
                && self.lends_items(&call.receiver)
            || self.zips_numbers(call) && self.is_settled(&call.receiver)
            || self.is_flat(call) && self.is_iteration(&call.receiver)
            || call.args.iter().all(|argument| self.is_again(argument))
                && (is_one_of(call, &ADAPTING) && self.is_iteration(&call.receiver)
                    || is_one_of(call, &PARTING) && self.is_place(&call.receiver))
    }

    /// `..flat_map(|row| row.iter_mut())`.
    pub(super) fn is_flat(&self, call: &syn::ExprMethodCall) -> bool {
        let [Expr::Closure(closure)] = &call.args.iter().collect::<Vec<_>>()[..] else { return false };
        let [Pat::Ident(given)] = &closure.inputs.iter().collect::<Vec<_>>()[..] else { return false };
        let Expr::MethodCall(items) = unwrap(&closure.body) else { return false };
        call.method == "flat_map"
            && closure.capture.is_none()
            && is_one_of(items, &["iter_mut", "values_mut"])
            && items.args.is_empty()
            && self.is_part_of(&items.receiver, &given.ident)
    }

    /// `(8..).zip(&mut sizes)`; what does not change travels beside numbers.
    pub(super) fn zips_numbers(&self, call: &syn::ExprMethodCall) -> bool {
        let again = |other| {
            (self.is_borrow(other) || self.is_iteration(other)) && self.rebuild_of(other).is_mutable()
        };
        call.method == "zip"
            && matches!(unwrap(&call.receiver), Expr::Range(_))
            && call.args.iter().all(again)
    }

    /// What a loop goes over, and the closure that says which items it is for. Each is asked of its item but once, so
    /// that the body may change what the closure looks at; but not which of two it looks at.
    pub(super) fn sifted(&self, source: &Expr, body: &Block) -> (Expr, Option<Expr>) {
        if let Expr::MethodCall(call) = unwrap(source)
            && call.method == "filter"
            && self.is_iteration(&call.receiver)
            && let [sieve] = &call.args.iter().collect::<Vec<_>>()[..]
            && matches!(unwrap(sieve), Expr::Closure(closure) if closure.capture.is_none())
            && !self.names_one_of(sieve, &assigned_in_block(body))
        {
            return ((*call.receiver).clone(), Some((*sieve).clone()));
        }
        (source.clone(), None)
    }

    /// Whether an expression names one of these locals.
    pub(super) fn names_one_of(&self, expr: &Expr, names: &[String]) -> bool {
        self.locals_in(expr).iter().any(|local| names.contains(&plain_name(&self.locals[local.0].name)))
    }

    /// Whether an iteration's items are borrows of a place.
    pub(super) fn lends_items(&self, source: &Expr) -> bool {
        let Expr::MethodCall(call) = unwrap(source) else { return false };
        match call.method.to_string().as_str() {
            "iter" | "keys" | "values" => self.is_iterating(call),
            "windows" | "chunks" => self.is_iteration(source),
            "copied" | "cloned" | "flatten" => false,
            _ => self.is_iteration(source) && self.lends_items(&call.receiver),
        }
    }

    /// `place.iter().max_by_key(|item| item.size)`, also with `.unwrap()`: a borrow of one of the items.
    pub(super) fn is_pick(&self, call: &syn::ExprMethodCall) -> bool {
        if let Expr::MethodCall(inner) = unwrap(&call.receiver)
            && is_one_of(call, &["unwrap", "expect"])
        {
            return self.is_pick(inner) && call.args.iter().all(|text| self.is_constant(text));
        }
        let argument = |argument| self.is_again(argument) || self.is_settled_closure(argument);
        is_one_of(call, &PICKING)
            && call.args.iter().all(argument)
            && self.lends_items(&call.receiver)
            && self.sifts_as_settled(&call.receiver)
    }

    /// Whether all closures in a chain give the same whenever they are called.
    fn sifts_as_settled(&self, source: &Expr) -> bool {
        let Expr::MethodCall(call) = unwrap(source) else { return true };
        let settled = |argument: &Expr| !is_closure(argument) || self.is_settled_closure(argument);
        call.args.iter().all(settled) && self.sifts_as_settled(&call.receiver)
    }

    /// A closure of an adaptor that lives as long as the iterator does: what it borrows cannot change meanwhile.
    fn is_sieve(&self, closure: &Expr) -> bool {
        let borrows = matches!(unwrap(closure), Expr::Closure(closure) if closure.capture.is_none());
        pure::is_pure_closure(closure) && (borrows || self.is_settled_closure(closure))
    }

    /// A closure that gives the same whenever it is called: what it captures never changes.
    fn is_settled_closure(&self, closure: &Expr) -> bool {
        pure::is_pure_closure(closure)
            && self.locals_in(closure).into_iter().all(|local| self.is_steady(local))
    }

    /// Whether a local, and what it borrows, has one value.
    pub(super) fn is_steady(&self, local: LocalId) -> bool {
        let Local { mutable, kind, group, .. } = &self.locals[local.0];
        // What a loop goes over is borrowed as long as the loop runs.
        let is_of_a_loop = |rebuild: &Rebuild| {
            rebuild.inputs.iter().any(|input| self.locals[input.0].kind == LocalKind::Iterator)
        };
        let is_kept = |rebuild: &Rebuild| {
            is_of_a_loop(rebuild) || rebuild.inputs.iter().all(|input| self.is_steady(*input))
        };
        let shared = || match group.and_then(|group| self.groups[group.0].rebuild.as_ref()) {
            Some(rebuild) => !rebuild.is_mutable() && is_kept(rebuild),
            None => self.steady_parameters.contains(&local),
        };
        !mutable
            && match kind {
                LocalKind::Parameter => self.steady_parameters.contains(&local),
                LocalKind::Bound | LocalKind::Temporary => true,
                LocalKind::Reference => shared(),
                LocalKind::Iterator => false,
            }
    }

    /// `place.iter()` and its kind.
    pub(super) fn is_iterating(&self, call: &syn::ExprMethodCall) -> bool {
        let receiver = &call.receiver;
        is_one_of(call, &ITERATING)
            && call.args.is_empty()
            && (self.is_place(receiver) || self.is_borrow(receiver) || self.is_constant(receiver))
    }

    /// An argument of an adaptor that is the same when the adaptor is made again.
    pub(super) fn is_again(&self, argument: &Expr) -> bool {
        self.is_settled(argument) || self.is_borrow(argument) || self.is_iteration(argument)
    }
}

/// Whether a value's last method is one of those of iterators, or makes one; other things have methods of their names.
pub(super) fn may_iterate(value: &Expr) -> bool {
    match unwrap(value) {
        Expr::MethodCall(call) => {
            [&ITERATING[..], &ADAPTING, &PARTING, &DRAWING].iter().any(|methods| is_one_of(call, methods))
        }
        // `iter::successors(..)`.
        Expr::Call(call) => matches!(unwrap(&call.func), Expr::Path(path)
            if path.path.segments.len() > 1 && path.path.segments[path.path.segments.len() - 2].ident == "iter"),
        _ => false,
    }
}

fn is_closure(expr: &Expr) -> bool {
    matches!(unwrap(expr), Expr::Closure(_))
}

pub(super) fn is_one_of(call: &syn::ExprMethodCall, methods: &[&str]) -> bool {
    methods.contains(&call.method.to_string().as_str())
}
