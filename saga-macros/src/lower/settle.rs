//! Settling: what is derived again must be the same again, so that its indices and its counts are evaluated once, into
//! temporaries, and a value that is no place is kept in one.

use syn::spanned::Spanned;
use syn::{Expr, Pat};

use super::borrow::is_borrowing;
use super::iterate::{ADAPTING, COUNTING, ITERATING, PARTING, SIFTING, is_one_of};
use super::operands::root_of;
use super::touched::touched_in;
use super::{Lowerer, Place, early, pattern, pure};
use crate::parse::places::{is_place_form, unwrap, unwrap_mut};
use crate::tree::{PICKING, Temporary};

/// What comes before a value that was settled.
#[derive(Default)]
pub(super) struct Settled {
    pub(super) temporaries: Vec<Temporary>,
    /// The key that was kept to reach the same part of a place again.
    pub(super) kept: Option<Expr>,
}

impl Lowerer<'_> {
    /// Makes a borrow one that can be taken again: evaluates the indices of its place once, into temporaries, and
    /// keeps a value that is no place in one.
    pub(super) fn settle(&mut self, value: &mut Expr) -> Settled {
        let mut settled = Settled::default();
        self.settle_borrow(value, &mut settled.temporaries);
        self.settle_reached(value, &mut settled);
        settled
    }

    /// The same of a value that is matched by a pattern. What that binds by `ref` is of the place that it was then.
    pub(super) fn settle_matched(&mut self, value: &mut Expr, pattern: &Pat) -> Settled {
        let mut settled = self.settle(value);
        let is_of_local = root_of(value).is_some_and(|root| self.resolve(&root).is_some());
        if is_of_local && pattern::has_ref(pattern) {
            self.settle_place(value, pattern::has_ref_mut(pattern), &mut settled.temporaries);
        }
        settled
    }

    pub(super) fn settle_borrow(&mut self, value: &mut Expr, temporaries: &mut Vec<Temporary>) {
        match value {
            // A borrow of the key would keep it from being changed; what is found by it is copied instead.
            Expr::Reference(reference)
                if reference.mutability.is_none() && self.is_looked_up(&reference.expr) => {}
            Expr::Reference(reference)
                if !self.is_constant(&reference.expr) && !self.is_made_again(&reference.expr) =>
            {
                let mutable = reference.mutability.is_some();
                self.settle_place(&mut reference.expr, mutable, temporaries);
            }
            // What is picked of a value that has no place is owned, or there is an error.
            Expr::MethodCall(call)
                if is_one_of(call, &ADAPTING)
                    || is_one_of(call, &PARTING)
                    || is_one_of(call, &SIFTING)
                    || self.is_flat(call)
                    || picks_of_a_place(call) =>
            {
                if is_one_of(call, &["chunks", "windows"]) && self.is_place(&call.receiver) {
                    self.read_base_early(&mut call.receiver, &self.touched.clone(), temporaries);
                }
                self.settle_borrow(&mut call.receiver, temporaries);
                self.settle_counts(call, temporaries);
                self.settle_numbers(call, temporaries);
            }
            Expr::MethodCall(call)
                if is_one_of(call, &ITERATING)
                    && !self.is_borrow(&call.receiver)
                    && !self.is_constant(&call.receiver) =>
            {
                let mutable = is_one_of(call, &["iter_mut", "values_mut"]);
                self.settle_base(&mut call.receiver, mutable, temporaries);
            }
            Expr::MethodCall(call) if is_borrowing(call) && is_place_form(&call.receiver) => {
                let mutable = is_one_of(call, &["as_mut", "as_deref_mut"]);
                self.settle_base(&mut call.receiver, mutable, temporaries);
            }
            Expr::MethodCall(call) if self.reaches_by_name(call) => {
                self.settle_place(&mut call.receiver, true, temporaries);
            }
            Expr::MethodCall(call) if self.goes_further(call) => {
                self.settle_borrow(&mut call.receiver, temporaries);
            }
            Expr::If(choice)
                if self.chooses_mutable(choice) && !binds(&choice.cond) && !self.is_settled(&choice.cond) =>
            {
                temporaries.push(self.hoist(&mut choice.cond));
            }
            Expr::Tuple(tuple) => {
                self.read_parts_early(tuple, temporaries);
                self.settle_parts(tuple, temporaries);
            }
            Expr::Paren(paren) => self.settle_borrow(&mut paren.expr, temporaries),
            _ => {}
        }
    }

    /// What the parts of a tuple borrow, up to one that may change what those after it borrow.
    fn read_parts_early(&mut self, tuple: &mut syn::ExprTuple, temporaries: &mut Vec<Temporary>) {
        for part in &mut tuple.elems {
            let touches = !touched_in(part).is_empty();
            if let Expr::Reference(reference) = part
                && reference.mutability.is_none()
            {
                self.read_bases_early(&mut reference.expr, &self.touched.clone(), temporaries);
            }
            if touches {
                return;
            }
        }
    }

    /// `(&mut sizes[at], name)`: what is before a part is evaluated after its indices then, and so is nothing that they
    /// could see.
    fn settle_parts(&mut self, tuple: &mut syn::ExprTuple, temporaries: &mut Vec<Temporary>) {
        for (number, part) in tuple.elems.iter_mut().enumerate() {
            if let Expr::Reference(syn::ExprReference { mutability: Some(_), expr: place, .. }) = part
                && (number == 0 || calls_nothing(place))
            {
                self.settle_borrow(part, temporaries);
            }
            let looks = match unwrap(part) {
                Expr::Reference(reference) => pure::is_pure(&reference.expr),
                other => pure::is_pure(other),
            };
            if !looks {
                return;
            }
        }
    }

    /// `list.chunks(size())`: how many is evaluated once.
    fn settle_counts(&mut self, call: &mut syn::ExprMethodCall, temporaries: &mut Vec<Temporary>) {
        let counts = is_one_of(call, &COUNTING);
        if counts && (self.is_iteration(&call.receiver) || self.is_place(&call.receiver)) {
            for count in &mut call.args {
                if !self.is_again(count) {
                    temporaries.push(self.hoist(count));
                }
            }
        }
    }

    /// `names.iter().zip(1..)`: each part of the function would find out the type of the number by itself.
    fn settle_numbers(&mut self, zip: &mut syn::ExprMethodCall, temporaries: &mut Vec<Temporary>) {
        if zip.method != "zip" || !self.is_iteration(&zip.receiver) && !self.zips_numbers(zip) {
            return;
        }
        for numbers in std::iter::once(&mut *zip.receiver).chain(&mut zip.args) {
            let Expr::Range(range) = unwrap_mut(numbers) else { continue };
            for end in [&mut range.start, &mut range.end].into_iter().flatten() {
                let is_settled_local = matches!(unwrap(end), Expr::Path(_)) && self.is_settled(end);
                if calls_nothing(end) && !is_settled_local {
                    temporaries.push(self.hoist(end));
                }
            }
        }
    }

    pub(super) fn settle_place(&mut self, place: &mut Expr, mutable: bool, temporaries: &mut Vec<Temporary>) {
        match place {
            Expr::Path(_) | Expr::Verbatim(_) => {}
            Expr::Field(field) => self.settle_place(&mut field.base, mutable, temporaries),
            Expr::Paren(paren) => self.settle_place(&mut paren.expr, mutable, temporaries),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.settle_base(&mut unary.expr, mutable, temporaries);
            }
            Expr::Index(index) => {
                if !mutable {
                    self.read_target_early(&mut index.expr, &self.touched.clone(), temporaries);
                }
                self.settle_base(&mut index.expr, mutable, temporaries);
                self.settle_index(&mut index.index, temporaries);
            }
            // It was read early.
            Expr::Call(_) if early::place_of(place).is_some() => {}
            value => {
                if self.may_lend(value) {
                    self.keep_lenders(value, temporaries);
                }
                let temporary = self.hoist(value);
                let local = &mut self.locals[temporary.local.0];
                local.mutable |= mutable && local.group.is_none();
                temporaries.push(temporary);
            }
        }
    }

    /// What a place is reached by, or what a method borrows of.
    fn settle_base(&mut self, base: &mut Expr, mutable: bool, temporaries: &mut Vec<Temporary>) {
        self.settle_place(base, mutable, temporaries);
        if !mutable {
            self.read_base_early(base, &self.touched.clone(), temporaries);
        }
    }

    /// `map[&key]`, of a key that may change.
    fn is_looked_up(&self, place: &Expr) -> bool {
        match unwrap(place) {
            Expr::Field(field) => self.is_looked_up(&field.base),
            Expr::Index(index) => {
                let by_reference = matches!(unwrap(&index.index), Expr::Reference(_));
                by_reference && !self.is_settled(&index.index) || self.is_looked_up(&index.expr)
            }
            _ => false,
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
        let (span, lends) = (expr.span(), self.may_lend(expr));
        let node = self.expression(expr);
        // An iterator is advanced by most of what is done with it.
        let mutable = self.is_iteration(expr);
        let temporary = self.temporary(node, rebuild, Place { mutable, span });
        if lends {
            self.note_lent(&[temporary.local]);
        }
        let name = &self.locals[temporary.local.0].name;
        *expr = syn::parse_quote!(#name);
        temporary
    }
}

/// `let Some(plan) = found && ready`.
fn binds(condition: &Expr) -> bool {
    match unwrap(condition) {
        Expr::Let(_) => true,
        Expr::Binary(both) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

/// Whether an expression is of locals and numbers alone.
fn calls_nothing(expr: &Expr) -> bool {
    match unwrap(expr) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(field) => calls_nothing(&field.base),
        Expr::Unary(unary) => calls_nothing(&unary.expr),
        Expr::Cast(cast) => calls_nothing(&cast.expr),
        Expr::Index(index) => calls_nothing(&index.expr) && calls_nothing(&index.index),
        Expr::Binary(binary) => calls_nothing(&binary.left) && calls_nothing(&binary.right),
        Expr::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|end| calls_nothing(end)),
        _ => false,
    }
}

fn picks_of_a_place(call: &syn::ExprMethodCall) -> bool {
    let mut root = &*call.receiver;
    while let Expr::MethodCall(inner) = unwrap(root) {
        root = &inner.receiver;
    }
    (is_one_of(call, &PICKING) || is_one_of(call, &["unwrap", "expect"])) && is_place_form(root)
}
