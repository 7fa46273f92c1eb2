//! What is read early. A method of a struct may make what is in it another, while something is still of what it was: a
//! shared reference that is in it shows the same until the end, and a number was copied. The borrow checker keeps
//! all else from being changed. Of which type it is only rustc knows, which keeps a copy of such a place, or nothing:
//!
//! ```text
//! [source]  let word = &cursor.rest[..3]; cursor.advance(); /* a suspension here */
//! [tree]    t1 = Early::new(&cursor.rest).read(); let word = &(*instead(&t1, || &cursor.rest))[..3]; ..
//! ```

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprPath, UnOp, parse_quote_spanned};

use super::changed::Part;
use super::{Lowerer, Place};
use crate::parse::places::unwrap;
use crate::parse::plain_name;
use crate::tree::{Local, LocalId, LocalKind, Node, Rebuild, Temporary, Way};

impl Lowerer<'_> {
    /// Reads a place early that `touched` may make another, and what it is reached by.
    pub(super) fn read_early(
        &mut self,
        place: &mut Expr,
        touched: &[Part],
        temporaries: &mut Vec<Temporary>,
    ) {
        self.read_bases_early(place, touched, temporaries);
        self.keep_read(place, touched, temporaries);
    }

    /// Reads what a `let` borrows early, where its type may make of a reference to a reference one of the inner ones:
    /// `let word: &str = &words.now;`.
    pub(super) fn read_shown_early(&mut self, value: &mut Expr, temporaries: &mut Vec<Temporary>) {
        let touched = self.touched.clone();
        match value {
            Expr::Reference(reference) if reference.mutability.is_none() => {
                self.read_base_early(&mut reference.expr, &touched, temporaries);
            }
            Expr::Path(_) => {
                let (at, mut shown) = (value.span(), value.clone());
                self.read_target_early(&mut shown, &touched, temporaries);
                if !matches!(shown, Expr::Path(_)) {
                    *value = parse_quote_spanned!(at=> &#shown);
                }
            }
            _ => {}
        }
    }

    /// Reads what a place is an element or the target of. To look at a field is to look at nothing beside it.
    pub(super) fn read_bases_early(
        &mut self,
        place: &mut Expr,
        touched: &[Part],
        temporaries: &mut Vec<Temporary>,
    ) {
        match place {
            Expr::Paren(paren) => self.read_bases_early(&mut paren.expr, touched, temporaries),
            Expr::Field(field) => self.read_bases_early(&mut field.base, touched, temporaries),
            Expr::Index(index) => {
                self.read_target_early(&mut index.expr, touched, temporaries);
                self.read_base_early(&mut index.expr, touched, temporaries);
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.read_base_early(&mut unary.expr, touched, temporaries);
            }
            _ => {}
        }
    }

    /// A local that owns what is in it is what it was.
    pub(super) fn read_base_early(
        &mut self,
        base: &mut Expr,
        touched: &[Part],
        temporaries: &mut Vec<Temporary>,
    ) {
        let owns = matches!(unwrap(base), Expr::Path(path) if !self.may_be_reference(path));
        if !owns {
            self.read_early(base, touched, temporaries);
        }
    }

    /// Reads what a name was bound to, where that is looked at through the name.
    pub(super) fn read_target_early(
        &mut self,
        name: &mut Expr,
        touched: &[Part],
        temporaries: &mut Vec<Temporary>,
    ) {
        if !matches!(unwrap(name), Expr::Path(path) if self.is_bound_reference(path)) {
            return;
        }
        let (at, before) = (name.span(), temporaries.len());
        let mut target = parse_quote_spanned!(at=> (*#name));
        self.keep_read(&mut target, touched, temporaries);
        if temporaries.len() > before {
            *name = target;
        }
    }

    /// A name that was bound to what is in a place: `Words { now, .. } = &words`.
    fn is_bound_reference(&self, path: &ExprPath) -> bool {
        self.local_of(path).is_some_and(|local| {
            let Local { mutable, kind, group, .. } = &self.locals[local.0];
            let rebuild = group.and_then(|group| self.groups[group.0].rebuild.as_ref());
            let is_borrow = rebuild.is_some_and(|rebuild| !rebuild.is_trusted);
            !*mutable && *kind == LocalKind::Reference && is_borrow
        })
    }

    fn may_be_reference(&self, path: &ExprPath) -> bool {
        self.local_of(path).is_some_and(|local| {
            let Local { mutable, kind, way, .. } = &self.locals[local.0];
            *mutable && (*kind == LocalKind::Reference || *way == Way::Lent)
        })
    }

    fn keep_read(&mut self, place: &mut Expr, touched: &[Part], temporaries: &mut Vec<Temporary>) {
        let is_touched = Part::of(place).is_some_and(|part| {
            let local = self.resolve(&part.root);
            local.is_some_and(|local| self.is_touched(local, &part, touched))
        });
        if !is_touched || place_of(unwrap(place)).is_some() {
            return;
        }
        let span = place.span();
        self.trace(place);
        let read = parse_quote_spanned! {span=> {
            use ::saga_runtime::__private::{ReadNothing as _, ReadNumber as _, ReadReference as _};
            (&&::saga_runtime::__private::Early::new(&#place)).read()
        }};
        let temporary = self.temporary(Node::Plain(read), None, Place { mutable: false, span });
        self.note_lent(&[temporary.local]);
        let name = &self.locals[temporary.local.0].name;
        *place = parse_quote_spanned!(span=> (*::saga_runtime::__private::instead(&#name, || &#place)));
        temporaries.push(temporary);
    }

    /// Whether a part of a local may become another, or what the local was bound to.
    pub(super) fn is_touched(&self, local: LocalId, part: &Part, touched: &[Part]) -> bool {
        if self.is_steady(local) {
            return false;
        }
        let group = self.locals[local.0].group.map(|group| &self.groups[group.0]);
        let is_of_touched = |rebuild: &Rebuild| {
            let parts = parts_in(&rebuild.source);
            let of = |input: LocalId| {
                let name = plain_name(&self.locals[input.0].name);
                parts.iter().filter(move |part| part.root == name)
            };
            rebuild.inputs.iter().any(|input| of(*input).any(|part| self.is_touched(*input, part, touched)))
        };
        touched.iter().any(|other| other.meets(part))
            || group.and_then(|group| group.rebuild.as_ref()).is_some_and(is_of_touched)
    }
}

/// The places in an expression.
fn parts_in(expr: &Expr) -> Vec<Part> {
    struct Parts(Vec<Part>);
    impl<'ast> Visit<'ast> for Parts {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            match Part::of(expr) {
                Some(part) => self.0.push(part),
                None => visit::visit_expr(self, expr),
            }
        }
    }
    let mut parts = Parts(Vec::new());
    parts.visit_expr(expr);
    parts.0
}

/// The place that was read early by this call.
pub(super) fn place_of(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let path: Vec<_> = function.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_ours = path.starts_with(&["saga_runtime", "__private", "instead"].map(str::to_owned));
    let Some(Expr::Closure(place)) = call.args.last().filter(|_| is_ours) else { return None };
    match &*place.body {
        Expr::Reference(place) => Some(&place.expr),
        _ => None,
    }
}
