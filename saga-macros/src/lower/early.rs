//! What is read early. A method of a struct may make what is in it another, while something is still of what it was: a
//! shared reference that is in it shows the same until the end, and a number was copied. The borrow checker keeps
//! all else from being changed. Of which type it is only rustc knows, which keeps a copy of such a place, or nothing:
//!
//! ```text
//! [source]  let word = &cursor.rest[..3]; cursor.advance(); /* a suspension here */
//! [tree]    t1 = Early::new(&cursor.rest).read(); let word = &(*instead(&t1, &cursor.rest))[..3]; ..
//! ```

use syn::spanned::Spanned;
use syn::{Expr, ExprPath, UnOp, parse_quote_spanned};

use super::changed::Part;
use super::{Lowerer, Place};
use crate::parse::places::unwrap;
use crate::tree::{Local, LocalKind, Node, Temporary, Way};

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

    /// Reads what a place is an element or the target of. To look at a field is to look at nothing beside it.
    pub(super) fn read_bases_early(
        &mut self,
        place: &mut Expr,
        touched: &[Part],
        temporaries: &mut Vec<Temporary>,
    ) {
        match place {
            Expr::Paren(paren) => self.read_bases_early(&mut paren.expr, touched, temporaries),
            Expr::Group(group) => self.read_bases_early(&mut group.expr, touched, temporaries),
            Expr::Field(field) => self.read_bases_early(&mut field.base, touched, temporaries),
            Expr::Index(index) => self.read_base_early(&mut index.expr, touched, temporaries),
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

    fn may_be_reference(&self, path: &ExprPath) -> bool {
        self.local_of(path).is_some_and(|local| {
            let Local { mutable, kind, way, .. } = &self.locals[local.0];
            *mutable && (*kind == LocalKind::Reference || *way == Way::Lent)
        })
    }

    fn keep_read(&mut self, place: &mut Expr, touched: &[Part], temporaries: &mut Vec<Temporary>) {
        let is_touched = Part::of(place).is_some_and(|part| {
            let local = self.resolve(&part.root);
            local.is_some_and(|local| !self.is_steady(local))
                && touched.iter().any(|other| other.meets(&part))
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
        *place = parse_quote_spanned!(span=> (*::saga_runtime::__private::instead(&#name, &#place)));
        temporaries.push(temporary);
    }
}

/// The place that was read early by this call.
pub(super) fn place_of(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let path: Vec<_> = function.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_ours = path.starts_with(&["saga_runtime", "__private", "instead"].map(str::to_owned));
    match call.args.last() {
        Some(Expr::Reference(place)) if is_ours => Some(&place.expr),
        _ => None,
    }
}
