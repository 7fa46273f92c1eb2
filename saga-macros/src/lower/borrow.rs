//! Borrows: which bindings borrow a place, and can therefore be derived again after a suspension instead of
//! travelling.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprPath, Pat};

use super::{Lowerer, Place, pattern};
use crate::parse::macros;
pub(super) use crate::parse::places::{is_place_form, unwrap};
use crate::tree::{LocalId, LocalKind, Rebuild, Temporary};

/// Methods that borrow from their receiver and do nothing else, by Rust's naming also where they are the author's own:
/// `as_` is free (API guidelines, C-CONV).
const BORROWING: [&str; 7] =
    ["as_str", "as_ref", "as_deref", "as_slice", "as_bytes", "as_mut", "as_deref_mut"];

/// Methods that make an iterator over a place.
const ITERATING: [&str; 9] =
    ["iter", "iter_mut", "chars", "char_indices", "bytes", "lines", "split_whitespace", "keys", "values"];

/// Adaptors without arguments, or with constant ones, whose position tells all about them.
const ADAPTING: [&str; 11] = [
    "enumerate",
    "rev",
    "copied",
    "cloned",
    "skip",
    "take",
    "step_by",
    "windows",
    "chunks",
    "zip",
    "flatten",
];

/// Those of them that take a number.
const COUNTING: [&str; 5] = ["skip", "take", "step_by", "windows", "chunks"];

/// Other methods that make an iterator.
const DRAWING: [&str; 15] = [
    "into_iter",
    "into_keys",
    "into_values",
    "drain",
    "split",
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "chain",
    "take_while",
    "skip_while",
    "inspect",
    "fuse",
    "peekable",
];

impl Lowerer<'_> {
    /// How to derive a pattern's locals again, if the value is a borrow of a place.
    pub(super) fn rebuild(&self, value: &Expr, pattern: &Pat) -> Option<Rebuild> {
        let reborrows = self.is_borrow(value)
            || (pattern::has_ref(pattern) && self.is_place(value))
            || self.is_reference(value);
        reborrows.then(|| self.rebuild_of(value))
    }

    /// How to derive the locals of a `#[saga(rebuild)] let` again. The borrow checker guards what the value borrows
    /// from, which is what the expression starts with; whatever else it names must not change.
    pub(super) fn rebuild_as_asked(&mut self, value: &Expr) -> Rebuild {
        let rebuild = Rebuild { asked: true, ..self.rebuild_of(value) };
        for input in rebuild.inputs.iter().skip(1) {
            if Some(input) != rebuild.inputs.first() && self.locals[input.0].mutable {
                let name = &self.locals[input.0].name;
                let message = format!(
                    "`{name}` is mutable, and this expression is evaluated again after a question, when `{name}` may \
                     be another; bind what it needs without `mut` first: `let settled = {name};`"
                );
                self.diagnostics.error(value, message);
            }
        }
        rebuild
    }

    /// How a `for` loop's iterator is derived again, if it goes over a borrow.
    pub(super) fn position(&self, source: &Expr) -> Option<Rebuild> {
        let over_borrow = matches!(unwrap(source), Expr::Reference(_)) && self.is_borrow(source)
            || self.is_shared_reference(source)
            || self.is_iteration(source);
        over_borrow.then(|| self.rebuild_of(source))
    }

    fn rebuild_of(&self, source: &Expr) -> Rebuild {
        Rebuild { source: source.clone(), inputs: self.locals_in(source), asked: false }
    }

    pub(super) fn is_borrow(&self, value: &Expr) -> bool {
        match unwrap(value) {
            Expr::Reference(reference) => {
                self.is_place(&reference.expr)
                    || reference.mutability.is_none() && self.is_constant(&reference.expr)
            }
            Expr::MethodCall(call) => {
                is_borrowing(call) && (self.is_place(&call.receiver) || self.is_borrow(&call.receiver))
            }
            Expr::Tuple(tuple) => {
                let again = |element| self.is_borrow(element) || self.is_reference(element);
                !tuple.elems.is_empty() && tuple.elems.iter().all(again)
            }
            _ => false,
        }
    }

    fn is_iteration(&self, source: &Expr) -> bool {
        let Expr::MethodCall(call) = unwrap(source) else { return false };
        self.is_iterating(call)
            || ADAPTING.contains(&call.method.to_string().as_str())
                && call.args.iter().all(|argument| self.is_again(argument))
                && (self.is_iteration(&call.receiver)
                    || matches!(call.method.to_string().as_str(), "windows" | "chunks")
                        && self.is_place(&call.receiver))
    }

    /// `place.iter()` and its kind.
    fn is_iterating(&self, call: &syn::ExprMethodCall) -> bool {
        let receiver = &call.receiver;
        ITERATING.contains(&call.method.to_string().as_str())
            && call.args.is_empty()
            && (self.is_place(receiver) || self.is_borrow(receiver) || self.is_constant(receiver))
    }

    /// An argument of an adaptor that is the same when the adaptor is made again.
    fn is_again(&self, argument: &Expr) -> bool {
        self.is_settled(argument) || self.is_borrow(argument) || self.is_iteration(argument)
    }

    /// The same value whenever it is evaluated, with no effect: a literal, a constant, a `static`, or several.
    pub(super) fn is_constant(&self, expr: &Expr) -> bool {
        match unwrap(expr) {
            Expr::Lit(_) => true,
            Expr::Path(path) => self.local_of(path).is_none(),
            Expr::Unary(unary) => matches!(unwrap(&unary.expr), Expr::Lit(_)),
            Expr::Reference(reference) => reference.mutability.is_none() && self.is_constant(&reference.expr),
            Expr::Array(array) => array.elems.iter().all(|element| self.is_constant(element)),
            Expr::Tuple(tuple) => tuple.elems.iter().all(|element| self.is_constant(element)),
            _ => false,
        }
    }

    /// A local, a constant or a `static`, or a field, element or target of one.
    pub(super) fn is_place(&self, expr: &Expr) -> bool {
        match unwrap(expr) {
            Expr::Path(path) => self.local_of(path).is_some() || is_constant_name(path),
            Expr::Field(field) => self.is_place(&field.base),
            Expr::Index(index) => self.is_place(&index.expr) && self.is_settled(&index.index),
            Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && self.is_place(&unary.expr),
            _ => false,
        }
    }

    /// An index that is the same whenever it is evaluated, as long as its locals are not assigned.
    fn is_settled(&self, index: &Expr) -> bool {
        match unwrap(index) {
            Expr::Lit(_) => true,
            Expr::Path(path) => self.local_of(path).is_some_and(|local| !self.locals[local.0].mutable),
            Expr::Reference(reference) => self.is_settled(&reference.expr),
            Expr::Range(range) => {
                [&range.start, &range.end].into_iter().flatten().all(|end| self.is_settled(end))
            }
            // Indices are numbers, with which nothing else happens.
            Expr::Binary(binary) => self.is_settled(&binary.left) && self.is_settled(&binary.right),
            _ => false,
        }
    }

    /// Makes a borrow one that can be taken again: evaluates the indices of its place once, into temporaries, and
    /// keeps a value that is no place in one.
    pub(super) fn settle(&mut self, value: &mut Expr) -> Vec<Temporary> {
        let mut temporaries = Vec::new();
        self.settle_borrow(value, &mut temporaries);
        temporaries
    }

    fn settle_borrow(&mut self, value: &mut Expr, temporaries: &mut Vec<Temporary>) {
        match value {
            Expr::Reference(reference) if !self.is_constant(&reference.expr) => {
                let mutable = reference.mutability.is_some();
                self.settle_place(&mut reference.expr, mutable, temporaries);
            }
            Expr::MethodCall(call) if ADAPTING.contains(&call.method.to_string().as_str()) => {
                self.settle_borrow(&mut call.receiver, temporaries);
                self.settle_counts(call, temporaries);
            }
            Expr::MethodCall(call)
                if ITERATING.contains(&call.method.to_string().as_str())
                    && !self.is_borrow(&call.receiver)
                    && !self.is_constant(&call.receiver) =>
            {
                let mutable = call.method == "iter_mut";
                self.settle_place(&mut call.receiver, mutable, temporaries);
            }
            Expr::MethodCall(call) if is_borrowing(call) && is_place_form(&call.receiver) => {
                self.settle_place(&mut call.receiver, false, temporaries);
            }
            Expr::Paren(paren) => self.settle_borrow(&mut paren.expr, temporaries),
            _ => {}
        }
    }

    /// `list.chunks(size())`: how many is evaluated once.
    fn settle_counts(&mut self, call: &mut syn::ExprMethodCall, temporaries: &mut Vec<Temporary>) {
        let counts = COUNTING.contains(&call.method.to_string().as_str());
        if counts && (self.is_iteration(&call.receiver) || self.is_place(&call.receiver)) {
            for count in &mut call.args {
                if !self.is_again(count) {
                    temporaries.push(self.hoist(count));
                }
            }
        }
    }

    fn settle_place(&mut self, place: &mut Expr, mutable: bool, temporaries: &mut Vec<Temporary>) {
        match place {
            Expr::Path(_) | Expr::Verbatim(_) => {}
            Expr::Field(field) => self.settle_place(&mut field.base, mutable, temporaries),
            Expr::Paren(paren) => self.settle_place(&mut paren.expr, mutable, temporaries),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.settle_place(&mut unary.expr, mutable, temporaries);
            }
            Expr::Index(index) => {
                self.settle_place(&mut index.expr, mutable, temporaries);
                self.settle_index(&mut index.index, temporaries);
            }
            value => {
                let temporary = self.hoist(value);
                let local = &mut self.locals[temporary.local.0];
                local.mutable |= mutable && local.group.is_none();
                temporaries.push(temporary);
            }
        }
    }

    fn settle_index(&mut self, index: &mut Expr, temporaries: &mut Vec<Temporary>) {
        if self.is_settled(index) {
            return;
        }
        if let Expr::Range(range) = index {
            // A range is no copy; its ends are.
            for end in [&mut range.start, &mut range.end].into_iter().flatten() {
                self.settle_index(end, temporaries);
            }
            return;
        }
        temporaries.push(self.hoist(index));
    }

    /// Moves an expression into a temporary and leaves the temporary's name.
    pub(super) fn hoist(&mut self, expr: &mut Expr) -> Temporary {
        let again = self.is_borrow(expr) || self.is_iteration(expr);
        let rebuild = again.then(|| self.rebuild_of(expr));
        let span = expr.span();
        let node = self.expression(expr);
        // An iterator is advanced by most of what is done with it.
        let mutable = self.is_iteration(expr);
        let temporary = self.temporary(node, rebuild, Place { mutable, span });
        let name = &self.locals[temporary.local.0].name;
        *expr = syn::parse_quote!(#name);
        temporary
    }

    /// The local in `&mut local`.
    pub(super) fn borrowed_mutably(&self, expr: &Expr) -> Option<LocalId> {
        let Expr::Reference(reference) = unwrap(expr) else { return None };
        let Expr::Path(path) = unwrap(&reference.expr) else { return None };
        self.local_of(path).filter(|_| reference.mutability.is_some())
    }

    /// A path to a local that is known to be a reference.
    fn is_reference(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = unwrap(expr) else { return false };
        self.local_of(path).is_some_and(|local| self.locals[local.0].kind == LocalKind::Reference)
    }

    fn is_shared_reference(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = unwrap(expr) else { return false };
        self.local_of(path).is_some_and(|local| {
            let local = &self.locals[local.0];
            local.kind == LocalKind::Reference && !local.mutable
        })
    }

    pub(super) fn local_of(&self, path: &ExprPath) -> Option<LocalId> {
        path.path.get_ident().and_then(|name| self.resolve(&name.to_string()))
    }

    fn locals_in(&self, expr: &Expr) -> Vec<LocalId> {
        struct Locals<'a, 'd> {
            lowerer: &'a Lowerer<'d>,
            found: Vec<LocalId>,
        }
        impl<'ast> Visit<'ast> for Locals<'_, '_> {
            fn visit_expr_path(&mut self, path: &'ast ExprPath) {
                self.found.extend(self.lowerer.local_of(path));
                visit::visit_expr_path(self, path);
            }

            fn visit_macro(&mut self, mac: &'ast syn::Macro) {
                let names = macros::identifiers(&mac.tokens).into_iter().chain(macros::captured(&mac.tokens));
                self.found.extend(names.filter_map(|name| self.lowerer.resolve(&name)));
            }
        }
        let mut locals = Locals { lowerer: self, found: Vec::new() };
        locals.visit_expr(expr);
        locals.found
    }
}

/// Whether a value's last method is one of those of iterators, or makes one; other things have methods of their names.
pub(super) fn may_iterate(value: &Expr) -> bool {
    let Expr::MethodCall(call) = unwrap(value) else { return false };
    let method = call.method.to_string();
    [&ITERATING[..], &ADAPTING, &DRAWING].iter().any(|methods| methods.contains(&method.as_str()))
}

/// By Rust's naming: `REGIONS`, `Region::ALL`.
fn is_constant_name(path: &ExprPath) -> bool {
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

pub(crate) fn is_borrowing(call: &syn::ExprMethodCall) -> bool {
    BORROWING.contains(&call.method.to_string().as_str()) && call.args.is_empty()
}
