//! Borrows: which bindings borrow a place, and can therefore be derived again after a suspension instead of
//! travelling.

use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, ExprPath, Lit, Pat};

use super::assigned::assigned_in;
use super::{Lowerer, early, pattern, pure};
pub(super) use crate::parse::places::{is_borrowing, is_place_form, unwrap};
use crate::parse::{macros, plain_name};
use crate::tree::{Local, LocalId, LocalKind, Rebuild, Way};

impl Lowerer<'_> {
    /// How to derive a pattern's locals again, if the value is a borrow of a place.
    pub(super) fn rebuild(&self, value: &Expr, pattern: &Pat) -> Option<Rebuild> {
        if self.is_made_again(value) {
            return Some(Rebuild { is_trusted: true, ..self.rebuild_of(value) });
        }
        let borrows = self.is_borrow(value) || self.is_reference(value);
        let copies = !borrows && pattern::has_ref(pattern) && self.is_place(value);
        (borrows || copies).then(|| Rebuild { copies, ..self.rebuild_of(value) })
    }

    /// A closure that borrows what it captures, or a reference to one: the borrow checker keeps that as it was, and
    /// making a closure runs nothing.
    pub(super) fn is_made_again(&self, value: &Expr) -> bool {
        match unwrap(value) {
            Expr::Closure(closure) => {
                let borrows = closure.capture.is_none() || self.locals_in(value).is_empty();
                borrows && is_tied(closure)
            }
            Expr::Reference(reference) => self.is_made_again(&reference.expr),
            _ => false,
        }
    }

    /// The parts of a pattern, each with how to derive its locals again: `(a, b)` of `(&place, value())` has two.
    pub(super) fn parts(
        &self,
        value: &Expr,
        pattern: &Pat,
        kept: Option<&Expr>,
    ) -> Vec<(Pat, Option<Rebuild>)> {
        if let Some((pattern, rebuild)) = self.reached(value, pattern, kept) {
            return vec![(pattern, Some(rebuild))];
        }
        let whole = self.rebuild(value, pattern);
        let (Expr::Tuple(values), Pat::Tuple(patterns), None) = (unwrap(value), pattern, &whole) else {
            return vec![(pattern.clone(), whole)];
        };
        if values.elems.len() != patterns.elems.len()
            || patterns.elems.iter().any(|part| matches!(part, Pat::Rest(_)))
        {
            return vec![(pattern.clone(), whole)];
        }
        let mut parts = Vec::new();
        for (index, (value, pattern)) in values.elems.iter().zip(&patterns.elems).enumerate() {
            if pattern::has_ref(pattern) && self.is_place(value) {
                // What a tuple has of a place is a copy of it, or was moved.
                parts.push((pattern.clone(), None));
                continue;
            }
            let assigned: Vec<_> = values.elems.iter().skip(index + 1).flat_map(assigned_in).collect();
            for (pattern, rebuild) in self.parts(value, pattern, None) {
                // What is assigned by a later part was borrowed as it was before.
                let name = |input: &LocalId| plain_name(&self.locals[input.0].name);
                let rebuild = rebuild
                    .filter(|rebuild| !rebuild.inputs.iter().any(|input| assigned.contains(&name(input))));
                parts.push((pattern, rebuild));
            }
        }
        parts
    }

    /// How to derive the locals of a `#[saga(rebuild)] let` again. The borrow checker guards what the value borrows
    /// from, which is what the expression starts with; whatever else it names must not change.
    pub(super) fn rebuild_as_asked(&mut self, value: &Expr) -> Rebuild {
        self.refuse_effects(value);
        let rebuild = Rebuild { is_trusted: true, ..self.rebuild_of(value) };
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
            || self.is_iteration(source)
            || matches!(unwrap(source), Expr::Path(path) if self.is_constant(source) && is_constant_name(path));
        over_borrow.then(|| self.rebuild_of(source))
    }

    pub(super) fn rebuild_of(&self, source: &Expr) -> Rebuild {
        Rebuild { source: source.clone(), inputs: self.locals_in(source), is_trusted: false, copies: false }
    }

    pub(super) fn is_borrow(&self, value: &Expr) -> bool {
        match unwrap(value) {
            Expr::Reference(reference) => {
                self.is_place(&reference.expr)
                    || reference.mutability.is_none() && self.is_constant(&reference.expr)
            }
            Expr::MethodCall(call) => {
                is_borrowing(call)
                    && (self.is_place(&call.receiver) || self.is_borrow(&call.receiver))
                    && !self.is_of_an_iterator(&call.receiver)
                    || self.is_pick(call)
                    || self.reaches(call)
            }
            Expr::Tuple(tuple) => {
                let again = |element| self.is_borrow(element) || self.is_reference(element);
                !tuple.elems.is_empty() && tuple.elems.iter().all(again)
            }
            Expr::If(choice) => self.is_settled(&choice.cond) && self.chooses_mutable(choice),
            _ => false,
        }
    }

    /// `if left { &mut one } else { &mut two }`, whose condition decides but once.
    pub(super) fn chooses_mutable(&self, choice: &syn::ExprIf) -> bool {
        let Some((_, otherwise)) = &choice.else_branch else { return false };
        self.offers(&choice.then_branch)
            && match &**otherwise {
                Expr::Block(block) => block.label.is_none() && self.offers(&block.block),
                other => self.is_borrow(other),
            }
    }

    /// Whether a block is a mutable borrow, or several, also beside a text: `(&mut one, "one")`.
    fn offers(&self, block: &syn::Block) -> bool {
        let [syn::Stmt::Expr(value, None)] = &block.stmts[..] else { return false };
        let again = |value| {
            let is_text = matches!(unwrap(value), Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
            is_text || self.is_borrow(value) || self.is_reference(value)
        };
        let borrows = match unwrap(value) {
            Expr::Tuple(tuple) => tuple.elems.iter().all(again),
            value => self.is_borrow(value),
        };
        borrows && self.rebuild_of(value).is_mutable()
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
            other => early::place_of(other).is_some_and(|place| self.is_place(place)),
        }
    }

    /// An index that is the same whenever it is evaluated, as long as its locals are not assigned.
    pub(super) fn is_settled(&self, index: &Expr) -> bool {
        match unwrap(index) {
            Expr::Lit(_) => true,
            Expr::Path(path) => self.local_of(path).is_some_and(|local| self.is_steady(local)),
            Expr::Reference(reference) => self.is_settled(&reference.expr),
            Expr::Range(range) => {
                [&range.start, &range.end].into_iter().flatten().all(|end| self.is_settled(end))
            }
            // Indices are numbers, with which nothing else happens.
            Expr::Binary(binary) => self.is_settled(&binary.left) && self.is_settled(&binary.right),
            _ => false,
        }
    }

    /// The reference that a method may make another one, and not what it shows: `rest.split_off_first()` of a
    /// `mut rest: &[u8]`.
    pub(super) fn moved_on_by(&self, call: &syn::ExprMethodCall) -> Option<LocalId> {
        let Expr::Path(path) = unwrap(&call.receiver) else { return None };
        let local = self.local_of(path)?;
        let Local { mutable, kind, way, .. } = &self.locals[local.0];
        let is_reference = *kind == LocalKind::Reference || *way == Way::Lent;
        (*mutable && is_reference && !pure::looks(call)).then_some(local)
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
        path.path.get_ident().and_then(|name| self.resolve(&plain_name(name)))
    }

    /// What an iterator's `as_str` gives is not borrowed from the iterator, which goes on meanwhile.
    fn is_of_an_iterator(&self, place: &Expr) -> bool {
        let Expr::Path(path) = unwrap(place) else { return false };
        self.local_of(path).is_some_and(|local| self.locals[local.0].way == Way::Advanced)
    }

    pub(super) fn locals_in(&self, expr: &Expr) -> Vec<LocalId> {
        struct Locals<'a, 'd> {
            lowerer: &'a Lowerer<'d>,
            found: Vec<LocalId>,
            /// The parameters of closures around.
            hidden: Vec<String>,
        }
        impl<'ast> Visit<'ast> for Locals<'_, '_> {
            fn visit_expr_path(&mut self, path: &'ast ExprPath) {
                let hidden =
                    path.path.get_ident().is_some_and(|name| self.hidden.contains(&plain_name(name)));
                self.found.extend(self.lowerer.local_of(path).filter(|_| !hidden));
                visit::visit_expr_path(self, path);
            }

            fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
                let outside = self.hidden.len();
                let bindings = closure.inputs.iter().flat_map(pattern::bindings);
                self.hidden.extend(bindings.map(|binding| plain_name(&binding.name)));
                self.visit_expr(&closure.body);
                self.hidden.truncate(outside);
            }

            fn visit_macro(&mut self, mac: &'ast syn::Macro) {
                let names = macros::identifiers(&mac.tokens).into_iter().chain(macros::captured(&mac.tokens));
                let seen = names.filter(|name| !self.hidden.contains(name));
                self.found.extend(seen.filter_map(|name| self.lowerer.resolve(&name)));
            }
        }
        let mut locals = Locals { lowerer: self, found: Vec::new(), hidden: Vec::new() };
        locals.visit_expr(expr);
        locals.found
    }
}

/// Whether the types of a closure's parameters are the same in each copy of it.
fn is_tied(closure: &syn::ExprClosure) -> bool {
    closure.inputs.len() <= Rebuild::MOST_PARAMETERS
        || closure.inputs.iter().all(|input| matches!(input, Pat::Type(_)))
}

/// By Rust's naming: `REGIONS`, `Region::ALL`.
fn is_constant_name(path: &ExprPath) -> bool {
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}
