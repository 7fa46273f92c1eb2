//! Parts of a local that become others while something of what they were is still there: the borrow checker lets them, where
//! a shared reference stands in the part.
//!
//! ```text
//! let word = &cursor.rest[..3]; cursor.rest = &cursor.rest[3..]; /* a suspension here: `word` is of the older rest */
//! ```

use syn::visit::{self, Visit};
use syn::{Expr, Member};

use super::{Lowerer, early};
use crate::flow::Event;
use crate::parse::places::unwrap;
use crate::parse::plain_name;
use crate::tree::GroupId;

/// A part of a local: its fields, up to the first index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) root: String,
    pub(super) fields: Vec<String>,
    is_indexed: bool,
}

impl Lowerer<'_> {
    /// Notes that a part of a local may be another one from here on.
    pub(super) fn note_changed(&mut self, place: &Expr) {
        let Some(part) = Part::of(place) else { return };
        let Some(local) = self.resolve(&part.root) else { return };
        let groups = self.groups.iter().enumerate();
        let derived = groups.filter(|(_, group)| {
            let rebuild = group.rebuild.as_ref().filter(|rebuild| rebuild.inputs.contains(&local));
            rebuild.is_some_and(|rebuild| part.is_in(&rebuild.source))
        });
        for group in derived.map(|(index, _)| GroupId(index)).collect::<Vec<_>>() {
            self.event(Event::Change(group));
        }
    }
}

impl Part {
    pub(super) fn of(place: &Expr) -> Option<Self> {
        match unwrap(place) {
            Expr::Path(path) => Some(Self::whole(plain_name(path.path.get_ident()?))),
            Expr::Field(field) => {
                let mut part = Self::of(&field.base)?;
                if !part.is_indexed {
                    part.fields.push(name_of(&field.member));
                }
                Some(part)
            }
            Expr::Index(index) => Some(Self { is_indexed: true, ..Self::of(&index.expr)? }),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => Self::of(&unary.expr),
            read => Self::of(early::place_of(read)?),
        }
    }

    /// The whole of a local.
    pub(super) const fn whole(root: String) -> Self {
        Self { root, fields: Vec::new(), is_indexed: false }
    }

    /// Whether one is a part of the other.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let starts = self.fields.starts_with(&other.fields) || other.fields.starts_with(&self.fields);
        self.root == other.root && starts
    }

    /// Whether an expression is of this part.
    fn is_in(&self, source: &Expr) -> bool {
        struct Parts<'a> {
            part: &'a Part,
            found: bool,
        }
        impl<'ast> Visit<'ast> for Parts<'_> {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.found |= Part::of(expr).is_some_and(|other| {
                    other.root == self.part.root && other.fields.starts_with(&self.part.fields)
                });
                visit::visit_expr(self, expr);
            }
        }
        let mut parts = Parts { part: self, found: false };
        parts.visit_expr(source);
        parts.found
    }
}

/// A field's name or number.
pub(super) fn name_of(member: &Member) -> String {
    match member {
        Member::Named(name) => plain_name(name),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
