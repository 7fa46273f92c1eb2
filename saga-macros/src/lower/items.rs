//! Items among the statements. Those of the function's own block stand once, where every arm sees them. Those of a block
//! inside it are written again with each copy of the block, for outside of it their names mean something else; only a
//! type, which must be the same in every copy, and what it needs stand beside those of the function.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Ident, Item, Stmt, UseTree};

use super::Lowerer;
use super::shared::Done;
use crate::flow::Event;
use crate::parse::{macros, plain_name};
use crate::tree::LocalId;

/// A name of a block's that is declared for the whole function.
pub(super) struct Hoisted {
    name: Ident,
    /// How often it stands in its block.
    inside: usize,
}

impl Lowerer<'_> {
    /// Declares the items of a block, and gives those that belong into each copy of it. Macros stay where they stand.
    pub(super) fn items(&mut self, block: &syn::Block) -> Vec<Item> {
        let items: Vec<_> = block.stmts.iter().filter_map(item_of).collect();
        // In the scope of its parameters.
        let is_functions_own = self.scopes.len() == 2;
        let has_one = items.iter().any(|item| must_be_one(item));
        let (hoisted, mut others) = needed_by(&items, |item| match item {
            Item::Macro(_) => false,
            // What has methods is seldom named.
            Item::Use(_) => has_one || is_functions_own,
            item => is_functions_own || must_be_one(item),
        });
        if !is_functions_own {
            self.note_hoisted(&hoisted, &items, block);
        }
        self.items.extend(hoisted.into_iter().cloned());
        others.retain(|item| !is_macro(item));
        others.into_iter().cloned().collect()
    }

    fn note_hoisted(&mut self, hoisted: &[&Item], items: &[&Item], block: &syn::Block) {
        if hoisted.is_empty() {
            return;
        }
        let names = all_names(&block.to_token_stream());
        for item in items.iter().filter(|item| globs(item, items)) {
            self.diagnostics.error(
                item,
                "this names more than it says, beside a type that the compiler declares for the whole function, since \
                 a question is asked in this block; name what is used of it, or move the type out of the block",
            );
        }
        for name in hoisted.iter().flat_map(|item| declared(item, items)) {
            let inside = count(&names, &name);
            self.hoisted.push(Hoisted { name, inside });
        }
    }

    /// Refuses names that would mean another thing where the whole function sees them.
    pub(super) fn refuse_hoisted(&mut self, body: &syn::Block) {
        if self.hoisted.is_empty() {
            return;
        }
        let names = all_names(&body.to_token_stream());
        for Hoisted { name, inside } in std::mem::take(&mut self.hoisted) {
            if count(&names, &name) > inside {
                let message = format!(
                    "`{name}` is also named outside of this block, and is declared for the whole function, since a \
                     question is asked in the block and types are the same after it; give it another name, or move it \
                     out of the block"
                );
                self.diagnostics.error(&name, message);
            }
        }
    }

    /// Notes what a macro of the function's own names: its calls use that.
    pub(super) fn note_macro(&mut self, item: &Item) {
        let Item::Macro(item) = item else { return };
        let Some(name) = &item.ident else { return };
        let locals = self.named_by(&item.mac.tokens);
        self.macros.entry(plain_name(name)).or_default().extend(locals);
    }

    /// A call of a macro of the function's own uses, and may change, what the macro names.
    pub(super) fn use_macros(&mut self, names: &[String]) {
        let locals: BTreeSet<_> =
            names.iter().filter_map(|name| self.macros.get(name)).flatten().copied().collect();
        // There may have been another macro of the name in an inner block.
        let in_scope: BTreeSet<_> = self.scopes.iter().flatten().filter_map(|(_, local)| *local).collect();
        for local in locals.intersection(&in_scope).copied() {
            self.event(Event::Use(local));
            self.note_whole(local, Done::ANYTHING);
            if self.locals[local.0].mutable {
                self.event(Event::Assign(local));
            }
        }
    }

    fn named_by(&self, tokens: &TokenStream) -> Vec<LocalId> {
        let names = all_names(tokens);
        let by_macros = names.iter().filter_map(|name| self.macros.get(name)).flatten().copied();
        names.iter().filter_map(|name| self.resolve(name)).chain(by_macros).collect()
    }
}

fn item_of(statement: &Stmt) -> Option<&Item> {
    match statement {
        Stmt::Item(item) => Some(item),
        _ => None,
    }
}

/// Those of the items that are wanted and those that they name, and the others.
fn needed_by<'i>(items: &[&'i Item], wanted: impl Fn(&Item) -> bool) -> (Vec<&'i Item>, Vec<&'i Item>) {
    let mut needed: Vec<_> = items.iter().map(|item| wanted(item)).collect();
    loop {
        let tokens = items.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(item, _)| item);
        let names: Vec<_> = tokens.flat_map(|item| all_names(&item.to_token_stream())).collect();
        let is_named = |item: &Item| declared(item, items).iter().any(|name| count(&names, name) > 0);
        let more: Vec<_> =
            items.iter().zip(&needed).map(|(item, needed)| *needed || is_named(item)).collect();
        if more == needed {
            break;
        }
        needed = more;
    }
    let (hoisted, others): (Vec<_>, Vec<_>) = items.iter().zip(needed).partition(|(_, needed)| *needed);
    let item = |(item, _): (&&'i Item, bool)| *item;
    (hoisted.into_iter().map(item).collect(), others.into_iter().map(item).collect())
}

/// Whether there is to be but one of an item: of a type, or of what keeps a value.
fn must_be_one(item: &Item) -> bool {
    match item {
        Item::Const(_) | Item::Macro(_) | Item::Type(_) | Item::Use(_) => false,
        Item::Fn(item) => has_static(item),
        _ => true,
    }
}

fn is_macro(item: &Item) -> bool {
    matches!(item, Item::Macro(_))
}

/// Whether a function keeps a value from call to call.
fn has_static(function: &syn::ItemFn) -> bool {
    struct Statics(bool);
    impl<'ast> Visit<'ast> for Statics {
        fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {
            self.0 = true;
        }

        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.0 |= macros::mentions(&mac.tokens, &["static"]);
        }
    }
    let mut statics = Statics(false);
    visit::visit_item_fn(&mut statics, function);
    statics.0
}

/// The names that an item brings into its block, as far as they can be seen.
fn declared(item: &Item, items: &[&Item]) -> Vec<Ident> {
    let mut names = named(item, items);
    names.retain(|name| name != "_");
    names
}

fn named(item: &Item, items: &[&Item]) -> Vec<Ident> {
    match item {
        Item::Const(item) => vec![item.ident.clone()],
        Item::Enum(item) => vec![item.ident.clone()],
        Item::Fn(item) => vec![item.sig.ident.clone()],
        Item::Macro(item) => item.ident.iter().cloned().collect(),
        Item::Mod(item) => vec![item.ident.clone()],
        Item::Static(item) => vec![item.ident.clone()],
        Item::Struct(item) => vec![item.ident.clone()],
        Item::Trait(item) => vec![item.ident.clone()],
        Item::Type(item) => vec![item.ident.clone()],
        Item::Union(item) => vec![item.ident.clone()],
        Item::Use(item) => match variants(item, items) {
            Some(variants) => variants,
            None => used(&item.tree),
        },
        _ => Vec::new(),
    }
}

/// The names that a `use` gives, but those that a `*` stands for.
fn used(tree: &UseTree) -> Vec<Ident> {
    match tree {
        UseTree::Path(path) => used(&path.tree),
        UseTree::Name(name) => vec![name.ident.clone()],
        UseTree::Rename(rename) => vec![rename.rename.clone()],
        UseTree::Group(group) => group.items.iter().flat_map(used).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// What `use Size::*` names of an enum among the items.
fn variants(item: &syn::ItemUse, items: &[&Item]) -> Option<Vec<Ident>> {
    let UseTree::Path(path) = &item.tree else { return None };
    let UseTree::Glob(_) = &*path.tree else { return None };
    items.iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == path.ident => {
            Some(item.variants.iter().map(|variant| variant.ident.clone()).collect())
        }
        _ => None,
    })
}

/// Whether an item names what cannot be seen: `use shapes::*`.
fn globs(item: &Item, items: &[&Item]) -> bool {
    fn has_glob(tree: &UseTree) -> bool {
        match tree {
            UseTree::Path(path) => has_glob(&path.tree),
            UseTree::Group(group) => group.items.iter().any(has_glob),
            UseTree::Glob(_) => true,
            UseTree::Name(_) | UseTree::Rename(_) => false,
        }
    }
    matches!(item, Item::Use(item) if has_glob(&item.tree) && variants(item, items).is_none())
}

fn all_names(tokens: &TokenStream) -> Vec<String> {
    let mut names = macros::identifiers(tokens);
    names.extend(macros::captured(tokens));
    names
}

fn count(names: &[String], name: &Ident) -> usize {
    let name = plain_name(name);
    names.iter().filter(|known| **known == name).count()
}
