//! Parameters that may be changed without `mut`: what has a cell inside is changed through a shared reference, `see(&plan)`.
//! Whether there is one its type says, which only rustc knows; here is seen which parts it need be asked of, and of
//! which a part may be gone.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Pat};

use super::changed::{Part as Place, name_of};
use super::{Lowerer, pattern, pure};
use crate::flow::{Event, Part, PartId, Taken};
use crate::parse::places::unwrap;
use crate::parse::plain_name;
use crate::tree::{LocalId, Rebuild, Supply};

/// Methods of cells, which take nothing out of what they are called on.
const OF_CELLS: [&str; 14] = [
    "borrow",
    "borrow_mut",
    "fetch_add",
    "fetch_sub",
    "get_or_init",
    "load",
    "lock",
    "read",
    "replace",
    "set",
    "store",
    "swap",
    "update",
    "write",
];

/// Methods of the standard library that borrow from what they are called on: there may be a cell in what they give.
const BORROWING: [&str; 7] = ["as_deref", "as_ref", "as_slice", "first", "get", "iter", "last"];

/// Those that look, and give nothing of it.
const LOOKING: [&str; 17] = [
    "as_bytes",
    "as_str",
    "bytes",
    "chars",
    "clone",
    "contains",
    "contains_key",
    "ends_with",
    "eq",
    "is_empty",
    "is_none",
    "is_some",
    "len",
    "starts_with",
    "to_owned",
    "to_string",
    "trim",
];

/// What is done with a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Done {
    is_shared: bool,
    /// `None`, if it was noted of a part of it.
    taken: Option<Taken>,
}

/// What a pattern moves.
pub(super) struct Moved {
    local: LocalId,
    fields: Vec<String>,
    done: Done,
}

impl Default for Done {
    fn default() -> Self {
        Self::TAKE
    }
}

impl Done {
    pub(super) const NOTED: Self = Self { is_shared: false, taken: None };
    pub(super) const LOOK: Self = Self { is_shared: false, taken: Some(Taken::Nothing) };
    pub(super) const SHARE: Self = Self { is_shared: true, taken: Some(Taken::Nothing) };
    pub(super) const PART: Self = Self { is_shared: false, taken: Some(Taken::Some) };
    pub(super) const ANYTHING: Self = Self { is_shared: true, taken: Some(Taken::Some) };
    const TAKE: Self = Self { is_shared: false, taken: Some(Taken::All) };
    const CALL: Self = Self { is_shared: true, taken: Some(Taken::Called) };

    /// With what a method is called on.
    pub(super) fn by_method(call: &ExprMethodCall) -> Self {
        let name = call.method.to_string();
        if LOOKING.contains(&name.as_str()) {
            Self::LOOK
        } else if OF_CELLS.contains(&name.as_str()) || BORROWING.contains(&name.as_str()) {
            Self::SHARE
        } else if pure::looks(call) {
            Self::TAKE
        } else {
            Self::CALL
        }
    }

    /// With what patterns are matched on, before one of them [moves](Lowerer::moved_by) something.
    pub(super) fn by_patterns<'p, P: IntoIterator<Item = &'p Pat>>(patterns: P) -> Self {
        Self { is_shared: patterns.into_iter().any(pattern::has_ref), taken: Some(Taken::Seen) }
    }

    /// Nothing is moved out of a list.
    pub(super) const fn in_element(self) -> Self {
        match self.taken {
            Some(_) => Self { taken: Some(Taken::Nothing), ..self },
            None => self,
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn note_whole(&mut self, local: LocalId, done: Done) {
        self.note(local, Vec::new(), done);
    }

    pub(super) fn note_part(&mut self, place: &Expr, done: Done) {
        if let Some(Place { root, fields, .. }) = Place::of(place)
            && let Some(local) = self.resolve(&root)
        {
            self.note(local, fields, done);
        }
    }

    /// What a pattern moves: it is gone where that has matched, and there where another one matches.
    pub(super) fn moved_by(&self, pattern: &Pat, matched: &Expr) -> Vec<Moved> {
        self.moved(pattern, matched, |pattern, fields, found| {
            if moves(pattern) {
                found.push((fields, if is_name(pattern) { Done::TAKE } else { Done::PART }));
            }
        })
    }

    /// The same of a `let`: a pattern that always matches shows by its fields what it moves, and what it borrows.
    pub(super) fn moved_by_let(&self, local: &syn::Local, value: &Expr) -> Vec<Moved> {
        match &local.init {
            Some(init) if init.diverge.is_some() => self.moved_by(&local.pat, value),
            _ => self.moved(&local.pat, value, take_apart),
        }
    }

    fn moved(
        &self,
        pattern: &Pat,
        matched: &Expr,
        find: impl FnOnce(&Pat, Vec<String>, &mut Moves),
    ) -> Vec<Moved> {
        let place = Place::of(matched).filter(|_| !matches!(unwrap(matched), Expr::Index(_)));
        let Some(Place { root, fields, .. }) = place else { return Vec::new() };
        let Some(local) = self.resolve(&root) else { return Vec::new() };
        let mut found = Moves::new();
        find(pattern, fields, &mut found);
        found.into_iter().map(|(fields, done)| Moved { local, fields, done }).collect()
    }

    pub(super) fn note_moved(&mut self, moved: Vec<Moved>) {
        for Moved { local, fields, done } in moved {
            self.note(local, fields, done);
        }
    }

    /// `Plan { title, ..plan }` takes what it does not name: of its parts those are known that the function named before.
    pub(super) fn note_base(&mut self, base: &Expr, literal: &syn::ExprStruct) {
        let Some(Place { root, fields, .. }) = Place::of(base) else { return };
        let Some(local) = self.resolve(&root) else { return };
        let named: Vec<_> = literal.fields.iter().map(|field| name_of(&field.member)).collect();
        let parts = self.graph.parts.iter().filter(|part| part.local == local);
        let inside = parts.filter(|part| {
            let inside = part.fields.strip_prefix(&fields[..]).and_then(<[_]>::first);
            inside.is_some_and(|field| !named.contains(field))
        });
        for part in inside.map(|part| part.fields.clone()).collect::<BTreeSet<_>>() {
            self.note(local, part, Done::TAKE);
        }
    }

    /// What is derived again was borrowed, also by a method that may take what it is called on: `plan.list.chunks(2)`.
    pub(super) fn note_borrowed(&mut self, rebuild: &Rebuild) {
        for Place { root, fields, .. } in receivers_in(&rebuild.source) {
            let is_root = |input: &&LocalId| plain_name(&self.locals[input.0].name) == root;
            if let Some(local) = rebuild.inputs.iter().find(is_root) {
                self.note(*local, fields, Done::LOOK);
            }
        }
    }

    fn note(&mut self, local: LocalId, fields: Vec<String>, Done { is_shared, taken }: Done) {
        if let Some(taken) = taken
            && self.locals[local.0].supply == Supply::PerhapsChanged
        {
            let taken = match taken {
                Taken::Nothing | Taken::Called if self.captures => Taken::All,
                Taken::Seen if self.captures => Taken::Some,
                taken => taken,
            };
            let part = PartId(self.graph.parts.len());
            self.graph.parts.push(Part { local, fields, is_shared, taken });
            self.event(Event::Part(part));
        }
    }
}

/// Parts that a pattern moves, moves something of, or borrows.
type Moves = Vec<(Vec<String>, Done)>;

fn moves(pattern: &Pat) -> bool {
    pattern::bindings(pattern).iter().any(|binding| !binding.by_ref)
}

/// Of `Plan { title, size: (ref width, _), .. }` the `title` and `size.0`.
fn take_apart(pattern: &Pat, fields: Vec<String>, found: &mut Moves) {
    let inside = |field: String| fields.iter().cloned().chain([field]).collect::<Vec<_>>();
    match pattern {
        whole if pattern::bindings(whole).is_empty() => {}
        whole if is_name(whole) => found.push((fields, Done::TAKE)),
        Pat::Ident(_) => found.push((fields, Done::SHARE)),
        Pat::Paren(inner) => take_apart(&inner.pat, fields, found),
        Pat::Type(typed) => take_apart(&typed.pat, fields, found),
        Pat::Struct(parts) if is_struct(&parts.path) => {
            for part in &parts.fields {
                take_apart(&part.pat, inside(name_of(&part.member)), found);
            }
        }
        Pat::Tuple(parts) if !parts.elems.iter().any(|part| matches!(part, Pat::Rest(_))) => {
            for (index, part) in parts.elems.iter().enumerate() {
                take_apart(part, inside(index.to_string()), found);
            }
        }
        other if moves(other) => found.push((fields, Done::PART)),
        _ => {}
    }
}

/// By Rust's naming: not `Shape::Circle`.
pub(super) fn is_struct(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter().rev().skip(1);
    segments.next().is_none_or(|of| of.ident.to_string().starts_with(char::is_lowercase))
}

/// The places that methods are called on. What a closure calls may be gone when that is made.
fn receivers_in(source: &Expr) -> Vec<Place> {
    struct Receivers(Vec<Place>);
    impl<'ast> Visit<'ast> for Receivers {
        fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
            self.0.extend(Place::of(&call.receiver));
            visit::visit_expr_method_call(self, call);
        }

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut receivers = Receivers(Vec::new());
    receivers.visit_expr(source);
    receivers.0
}

/// `x`, `x @ Some(_)`: it takes all.
fn is_name(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.by_ref.is_none(),
        Pat::Type(typed) => is_name(&typed.pat),
        Pat::Guard(guarded) => is_name(&guarded.pat),
        _ => false,
    }
}
