//! Patterns: the locals that they bind.

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Ident, Pat, PathArguments, Type, parse_quote};

use super::Lowerer;
use super::lend::is_written_reference;
use crate::flow::Event;
use crate::parse::{attributes, plain_name};
use crate::tree::{Concern, LocalId, LocalKind, Rebuild, Way};

/// A name that a pattern binds.
pub(super) struct Binding {
    pub(super) name: Ident,
    pub(super) mutable: bool,
    /// Bound through a `&` in the pattern, by copy.
    copied: bool,
    /// Bound by `ref`.
    pub(super) by_ref: bool,
}

/// The names that a pattern binds, each once.
pub(super) fn bindings(pattern: &Pat) -> Vec<Binding> {
    let mut finder = Finder { found: Vec::new(), copied: false };
    finder.visit_pat(pattern);
    finder.found
}

pub(super) fn names(pattern: &Pat) -> Vec<Ident> {
    bindings(pattern).into_iter().map(|binding| binding.name).collect()
}

/// The names that a pattern binds if a `#[cfg]` leaves them there: `Size { #[cfg(test)] deep, wide }`.
pub(super) fn conditional(pattern: &Pat) -> Vec<Ident> {
    struct Conditional(Vec<Ident>);
    impl<'ast> Visit<'ast> for Conditional {
        fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
            if attributes::is_conditional(&field.attrs) {
                self.0.extend(names(&field.pat));
            }
            visit::visit_field_pat(self, field);
        }

        fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    }
    let mut conditional = Conditional(Vec::new());
    conditional.visit_pat(pattern);
    conditional.0
}

/// A pattern as a `let` takes it: several cases stand in parentheses there.
pub(super) fn of_let(pattern: Pat) -> Pat {
    match pattern {
        Pat::Or(cases) => parse_quote!((#cases)),
        other => other,
    }
}

/// A pattern without the tests that its bindings do not need: what they tested was so when they were bound, and may have
/// been changed through them since. Which case of several it was is told by its tests alone.
pub(super) fn without_tests(mut pattern: Pat) -> Pat {
    struct Tests;
    impl VisitMut for Tests {
        fn visit_pat_mut(&mut self, pattern: &mut Pat) {
            match pattern {
                Pat::Rest(_) => {}
                tested if bindings(tested).is_empty() => *tested = parse_quote!(_),
                Pat::Or(_) => {}
                other => visit_mut::visit_pat_mut(self, other),
            }
        }

        fn visit_pat_ident_mut(&mut self, binding: &mut syn::PatIdent) {
            let tests = binding.subpat.as_ref().is_some_and(|(_, inner)| !matches!(**inner, Pat::Wild(_)));
            visit_mut::visit_pat_ident_mut(self, binding);
            // `N @ _` says that a name in capitals is bound.
            binding.subpat.take_if(|(_, inner)| tests && matches!(**inner, Pat::Wild(_)));
        }

        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            // What has no colon is a binding.
            if field.colon_token.is_some() {
                visit_mut::visit_field_pat_mut(self, field);
            }
        }
    }
    Tests.visit_pat_mut(&mut pattern);
    pattern
}

/// Whether what tells the cases of a pattern apart may be changed while its bindings are there: `(tag @ 1, x, _) |
/// (tag @ 2, _, x)` through `tag` itself, and what is matched in place, and not borrowed, by its own name.
fn may_change_its_case(pattern: &Pat, in_place: bool) -> bool {
    struct Cases {
        inside: bool,
        in_place: bool,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Cases {
        fn visit_pat(&mut self, pattern: &'ast Pat) {
            let tests = !matches!(pattern, Pat::Wild(_) | Pat::Rest(_)) && bindings(pattern).is_empty();
            self.found |= self.inside && self.in_place && tests;
            visit::visit_pat(self, pattern);
        }

        fn visit_pat_or(&mut self, cases: &'ast syn::PatOr) {
            if cases.cases.iter().any(|case| !bindings(case).is_empty()) {
                let around = std::mem::replace(&mut self.inside, true);
                visit::visit_pat_or(self, cases);
                self.inside = around;
            }
        }

        fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
            let around = std::mem::replace(&mut self.in_place, true);
            visit::visit_pat_ident(self, binding);
            self.in_place = around;
        }
    }
    let mut cases = Cases { inside: false, in_place, found: false };
    cases.visit_pat(pattern);
    cases.found
}

/// Whether a pattern binds by `ref`.
pub(super) fn has_ref(pattern: &Pat) -> bool {
    has_binding(pattern, |binding| binding.by_ref.is_some())
}

/// Whether a pattern borrows mutably by `ref mut`.
pub(super) fn has_ref_mut(pattern: &Pat) -> bool {
    has_binding(pattern, |binding| binding.by_ref.is_some() && binding.mutability.is_some())
}

fn has_binding(pattern: &Pat, wanted: fn(&syn::PatIdent) -> bool) -> bool {
    struct HasBinding {
        wanted: fn(&syn::PatIdent) -> bool,
        found: bool,
    }
    impl<'ast> Visit<'ast> for HasBinding {
        fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
            self.found |= (self.wanted)(binding);
            visit::visit_pat_ident(self, binding);
        }
    }
    let mut finder = HasBinding { wanted, found: false };
    finder.visit_pat(pattern);
    finder.found
}

/// `word: &'static str`, `word: Option<&'static str>`.
pub(super) fn is_static_text(pattern: &Pat) -> bool {
    fn is_text(ty: &Type) -> bool {
        match ty {
            Type::Reference(reference) => {
                let is_static =
                    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
                is_static && matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str"))
            }
            Type::Path(path) => {
                let Some(last) = path.path.segments.last().filter(|last| last.ident == "Option") else {
                    return false;
                };
                let PathArguments::AngleBracketed(inner) = &last.arguments else { return false };
                matches!(inner.args.first(), Some(GenericArgument::Type(inner)) if is_text(inner))
            }
            _ => false,
        }
    }
    matches!(pattern, Pat::Type(typed) if matches!(*typed.pat, Pat::Ident(_)) && is_text(&typed.ty))
}

struct Finder {
    found: Vec<Binding>,
    copied: bool,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
        // `None` reads like a binding; by Rust's naming it is a constant or a variant.
        let constant = binding.ident.to_string().starts_with(char::is_uppercase)
            && binding.by_ref.is_none()
            && binding.mutability.is_none()
            && binding.subpat.is_none();
        if !constant && self.found.iter().all(|known| known.name != binding.ident) {
            let mutable = binding.mutability.is_some() && binding.by_ref.is_none();
            let copied = self.copied && binding.by_ref.is_none();
            let by_ref = binding.by_ref.is_some();
            self.found.push(Binding { name: binding.ident.clone(), mutable, copied, by_ref });
        }
        if let Some((_, inner)) = &binding.subpat {
            self.visit_pat(inner);
        }
    }

    fn visit_pat_reference(&mut self, pattern: &'ast syn::PatReference) {
        let before = std::mem::replace(&mut self.copied, true);
        self.visit_pat(&pattern.pat);
        self.copied = before;
    }

    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}

impl Lowerer<'_> {
    /// Binds a pattern's locals, which have values from here on.
    pub(super) fn bind(&mut self, pattern: &Pat, rebuild: Option<Rebuild>) -> Vec<LocalId> {
        let changes = |rebuild: &Rebuild| {
            (rebuild.is_mutable() || rebuild.copies) && may_change_its_case(pattern, rebuild.copies)
        };
        let rebuild = rebuild.filter(|rebuild| !changes(rebuild));
        let mut locals = Vec::new();
        let pattern = &self.beside_locals(pattern.clone());
        let conditional = conditional(pattern);
        self.may_mean_outside(&conditional);
        for binding in bindings(pattern) {
            let reference = rebuild
                .as_ref()
                .is_some_and(|rebuild| !binding.copied && (binding.by_ref || !rebuild.copies));
            let kind = if reference { LocalKind::Reference } else { LocalKind::Bound };
            let concern = conditional.contains(&binding.name).then_some(Concern::Conditional);
            let local = self.add_local(binding.name, binding.mutable, kind);
            self.note_concern(&[local], concern);
            if binding.by_ref && rebuild.is_none() {
                // Of what has no name: a copy travels.
                self.locals[local.0].way = Way::Lent;
            }
            if rebuild.as_ref().is_some_and(|rebuild| reference && !rebuild.is_mutable()) {
                self.locals[local.0].way = Way::Lent;
            }
            self.event(Event::Define(local));
            locals.push(local);
        }
        self.group(pattern.clone(), &locals, rebuild);
        for local in &locals {
            self.declare(*local);
        }
        locals
    }

    /// A pattern in which a local's name in capitals, `Some(N)`, is seen to be bound: there is no constant of that name.
    fn beside_locals(&self, mut pattern: Pat) -> Pat {
        struct Beside<'a, 'd>(&'a Lowerer<'d>);
        impl VisitMut for Beside<'_, '_> {
            fn visit_pat_ident_mut(&mut self, binding: &mut syn::PatIdent) {
                let name = plain_name(&binding.ident);
                if name.starts_with(char::is_uppercase)
                    && binding.subpat.is_none()
                    && self.0.resolve(&name).is_some()
                {
                    binding.subpat = Some((<syn::Token![@]>::default(), Box::new(parse_quote!(_))));
                }
                visit_mut::visit_pat_ident_mut(self, binding);
            }
        }
        Beside(self).visit_pat_mut(&mut pattern);
        pattern
    }

    /// Binds a pattern in parts. The names are in scope when all are bound.
    pub(super) fn bind_parts(&mut self, parts: Vec<(Pat, Option<Rebuild>)>) -> Vec<LocalId> {
        let binds = parts.into_iter().map(|(pattern, rebuild)| self.bind(&pattern, rebuild));
        binds.flatten().collect()
    }

    /// Declares the locals of a `let x;`, which have no values yet.
    pub(super) fn declare_uninitialised(&mut self, pattern: &Pat) -> Vec<LocalId> {
        let annotation = match pattern {
            // The type of a tuple says nothing of each name by itself.
            Pat::Type(typed) if matches!(*typed.pat, Pat::Ident(_)) => Some((*typed.ty).clone()),
            _ => None,
        };
        let mut locals = Vec::new();
        for binding in bindings(pattern) {
            let local = self.add_local(binding.name, binding.mutable, LocalKind::Bound);
            self.locals[local.0].annotation.clone_from(&annotation);
            if is_static_text(pattern) {
                self.locals[local.0].way = Way::Text;
            } else if is_written_reference(pattern) {
                self.locals[local.0].way = Way::Lent;
            }
            self.event(Event::Define(local));
            self.declare(local);
            locals.push(local);
        }
        locals
    }
}
