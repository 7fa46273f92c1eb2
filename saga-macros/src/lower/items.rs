//! Items among the statements. Those of the function's own block stand once, where every arm sees them. Those of a block
//! inside it are written again with each copy of the block, for outside of it their names mean something else; only a
//! type, which must be the same in every copy, and what it needs stand beside those of the function. What is called there
//! by a trait finds it by the block's `use`, or by the block's own trait, which are written again there, too, so that the
//! trait is in scope nowhere else. So does what the blocks around it bring.
//!
//! ```text
//! [source]    { use std::fmt::Write; struct Log; impl Log { fn note(..) { .. } } elicit(..).await?; }
//! [function]  struct Log; const _: () = { use std::fmt::Write; impl Log { fn note(..) { .. } } };
//! ```

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{Block, Ident, ImplItem, Item, ItemUse, Stmt, TraitItem, UseTree};

use super::Lowerer;
use super::shared::Done;
use crate::flow::Event;
use crate::parse::{macros, plain_name, suspension};
use crate::tree::LocalId;

/// A name of a block's that is declared for the whole function.
pub(super) struct Hoisted {
    name: Ident,
    what: What,
    /// How often it stands in its block.
    inside: usize,
}

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Item,
    /// It is called on what implements a trait.
    Method,
}

impl Lowerer<'_> {
    /// Declares the items of a block, and gives those that belong into each copy of it. Macros stay where they stand.
    pub(super) fn items(&mut self, block: &Block) -> Vec<Item> {
        // In the scope of its parameters.
        let is_functions_own = self.scopes.len() == 2;
        if !block.stmts.iter().any(|statement| item_of(statement).is_some()) {
            self.brought.push(Vec::new());
            return Vec::new();
        }
        let Parted { items, hoisted, mut others, .. } = parted(block, is_functions_own);
        if !is_functions_own {
            self.note_hoisted(&hoisted, &items, block);
        }
        let scope = others.iter().copied().filter(|item| brings_methods(item, &items));
        self.brought.push(scope.cloned().collect());
        self.items.extend(hoisted.into_iter().map(|item| in_scope(item, &self.brought)));
        others.retain(|item| !is_macro(item));
        others.into_iter().cloned().collect()
    }

    fn note_hoisted(&mut self, hoisted: &[&Item], items: &[&Item], block: &Block) {
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
            self.hoisted.push(Hoisted { name, what: What::Item, inside });
        }
        let called = called(&block.to_token_stream());
        for name in hoisted.iter().flat_map(|item| methods(item)) {
            let inside = count(&called, &name);
            self.hoisted.push(Hoisted { name, what: What::Method, inside });
        }
    }

    /// Refuses names that would mean another thing where the whole function sees them.
    pub(super) fn refuse_hoisted(&mut self, body: &Block) {
        if self.hoisted.is_empty() {
            return;
        }
        let (names, called) = (all_names(&body.to_token_stream()), called(&body.to_token_stream()));
        for Hoisted { name, what, inside } in std::mem::take(&mut self.hoisted) {
            let (all, message) = match what {
                What::Item => (
                    count(&names, &name),
                    format!(
                        "`{name}` is also named outside of this block, and is declared for the whole function, since \
                         a question is asked in the block and types are the same after it; give it another name, or \
                         move it out of the block"
                    ),
                ),
                What::Method => (
                    count(&called, &name),
                    format!(
                        "`{name}` is also called outside of this block, and its trait is declared for the whole \
                         function, since a question is asked in the block and a type or a function of the block needs \
                         the trait; give it another name, or move the trait out of the block"
                    ),
                ),
            };
            if all > inside {
                self.diagnostics.error(&name, message);
            }
        }
    }

    /// Notes what a macro of the function's own names: its calls use that.
    pub(super) fn note_macro(&mut self, item: &Item) {
        let Item::Macro(item) = item else { return };
        self.note_declaring(item);
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

/// A block's items: those that stand once, and those that are written again with the block.
struct Parted<'b> {
    items: Vec<&'b Item>,
    hoisted: Vec<&'b Item>,
    others: Vec<&'b Item>,
    /// Those that stand once of the blocks inside.
    inside: Vec<&'b Item>,
}

fn parted(block: &Block, is_functions_own: bool) -> Parted<'_> {
    let items: Vec<_> = block.stmts.iter().filter_map(item_of).collect();
    let inside = if is_functions_own { Vec::new() } else { hoisted_inside(block) };
    let has_types = !items.is_empty() && has_types_of_traits(block);
    let (hoisted, others) = needed_by(&items, &inside, |item| match item {
        Item::Macro(_) => false,
        Item::Trait(_) if has_types => true,
        item => is_functions_own || must_be_one(item, &items),
    });
    Parted { items, hoisted, others, inside }
}

fn hoisted_inside(block: &Block) -> Vec<&Item> {
    struct Inside<'b>(Vec<&'b Item>);
    impl<'b> Visit<'b> for Inside<'b> {
        fn visit_block(&mut self, block: &'b Block) {
            let Parted { hoisted, inside, .. } = parted(block, false);
            self.0.extend(inside);
            // Any other block stays as it is.
            if !hoisted.is_empty() && suspension::block_suspends(block) {
                self.0.extend(hoisted);
            }
        }

        fn visit_item(&mut self, _: &'b Item) {}
    }
    let mut inside = Inside(Vec::new());
    visit::visit_block(&mut inside, block);
    inside.0
}

fn item_of(statement: &Stmt) -> Option<&Item> {
    match statement {
        Stmt::Item(item) => Some(item),
        _ => None,
    }
}

/// Those of the items that are wanted and those that they, or others inside, need, and the others.
fn needed_by<'i>(
    items: &[&'i Item],
    inside: &[&Item],
    wanted: impl Fn(&Item) -> bool,
) -> (Vec<&'i Item>, Vec<&'i Item>) {
    let mut needed: Vec<_> = items.iter().map(|item| wanted(item)).collect();
    loop {
        let here = items.iter().copied().zip(&needed).filter_map(|(item, needed)| needed.then_some(item));
        let so_far: Vec<_> = here.chain(inside.iter().copied()).collect();
        let more: Vec<_> = items
            .iter()
            .zip(&needed)
            .map(|(item, needed)| *needed || is_needed(item, &so_far, items))
            .collect();
        if more == needed {
            break;
        }
        needed = more;
    }
    let (hoisted, others): (Vec<_>, Vec<_>) = items.iter().zip(needed).partition(|(_, needed)| *needed);
    let item = |(item, _): (&&'i Item, bool)| *item;
    (hoisted.into_iter().map(item).collect(), others.into_iter().map(item).collect())
}

/// Whether some of the items need this one, too.
fn is_needed(item: &Item, needed: &[&Item], items: &[&Item]) -> bool {
    let is_named = |by: &mut dyn Iterator<Item = TokenStream>| {
        let names: Vec<_> = by.flat_map(|tokens| all_names(&tokens)).collect();
        declared(item, items).iter().any(|name| count(&names, name) > 0)
    };
    let any_has_code = needed.iter().any(|item| has_code(item));
    match item {
        // It is written again where the methods are.
        Item::Use(_) => {
            let others = needed.iter().filter(|item| !matches!(item, Item::Impl(_)));
            is_named(&mut others.map(ToTokens::to_token_stream))
        }
        // So is this, in the bodies that call them.
        Item::Trait(_) => is_named(&mut needed.iter().map(|item| without_bodies(item).to_token_stream())),
        Item::Impl(_) => trait_of(item, items).is_some_and(|of| needed.contains(&of)),
        _ => {
            let scope = items.iter().filter(|item| any_has_code && brings_methods(item, items));
            is_named(&mut needed.iter().chain(scope).map(ToTokens::to_token_stream))
        }
    }
}

/// What there is to be called where an item stands: by a `use`, by a trait of the block, or by what implements one.
fn brings_methods(item: &Item, items: &[&Item]) -> bool {
    match item {
        Item::Use(_) | Item::Trait(_) => true,
        item => trait_of(item, items).is_some(),
    }
}

fn has_code(item: &Item) -> bool {
    matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Trait(_))
}

/// The trait among the items that one of them implements.
fn trait_of<'i>(item: &Item, items: &[&'i Item]) -> Option<&'i Item> {
    let Item::Impl(syn::ItemImpl { trait_: Some(of), .. }) = item else { return None };
    let [name] = &of.0.segments.iter().collect::<Vec<_>>()[..] else { return None };
    items.iter().copied().find(|item| matches!(item, Item::Trait(item) if item.ident == name.ident))
}

/// An item of a block where the whole function sees it, with what brings the methods that it may call, of the blocks around
/// first. Nothing of that hides a parameter: what an item names but in its bodies stands beside it.
fn in_scope(item: &Item, brought: &[Vec<Item>]) -> Item {
    let mut item = item.clone();
    if brought.iter().all(Vec::is_empty) {
        return item;
    }
    let within = |code: TokenStream| {
        brought
            .iter()
            .rev()
            .fold(code, |code, scope| if scope.is_empty() { code } else { quote!({ #(#scope)* #code }) })
    };
    if let Item::Impl(methods) = &item {
        let methods = within(methods.to_token_stream());
        return syn::parse_quote! {
            #[allow(non_local_definitions, reason = "it stands in the block of its type")]
            const _: () = #methods;
        };
    }
    for body in bodies(&mut item) {
        let code = within(body.to_token_stream());
        *body = syn::parse_quote!(#code);
    }
    item
}

fn without_bodies(item: &Item) -> Item {
    let mut item = item.clone();
    for body in bodies(&mut item) {
        body.stmts.clear();
    }
    item
}

/// The bodies of an item's functions. A trait that stands once has what it names beside it.
fn bodies(item: &mut Item) -> Vec<&mut Block> {
    match item {
        Item::Fn(function) => vec![&mut function.block],
        Item::Impl(methods) => {
            let bodies = methods.items.iter_mut().filter_map(|item| match item {
                ImplItem::Fn(function) => Some(&mut function.block),
                _ => None,
            });
            bodies.collect()
        }
        _ => Vec::new(),
    }
}

/// What a trait's items are called by.
fn methods(item: &Item) -> Vec<Ident> {
    let Item::Trait(item) = item else { return Vec::new() };
    let names = item.items.iter().filter_map(|item| match item {
        TraitItem::Const(item) => Some(item.ident.clone()),
        TraitItem::Fn(item) => Some(item.sig.ident.clone()),
        TraitItem::Type(item) => Some(item.ident.clone()),
        _ => None,
    });
    names.collect()
}

/// The names that are called, or looked up in a type: `log.note(..)`, `Log::note`.
fn called(tokens: &TokenStream) -> Vec<String> {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let is = |index: Option<usize>, wanted: char| {
        let token = index.and_then(|index| tokens.get(index));
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
    };
    let mut names = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => names.extend(called(&group.stream())),
            TokenTree::Ident(name) => {
                let before = index.checked_sub(1);
                let has_arguments = matches!(tokens.get(index + 1), Some(TokenTree::Group(_)));
                let is_method = is(before, '.') && (has_arguments || is(Some(index + 1), ':'));
                let is_in_type = is(before, ':') && is(index.checked_sub(2), ':');
                if is_method || is_in_type {
                    names.push(plain_name(name));
                }
            }
            TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
    names
}

/// Whether there is to be but one of an item: of a type, or of what keeps a value. A trait that is in no type may be another
/// one in each copy of its block.
fn must_be_one(item: &Item, items: &[&Item]) -> bool {
    match item {
        Item::Const(_) | Item::Macro(_) | Item::Type(_) | Item::Use(_) => false,
        Item::Fn(_) | Item::Trait(_) => has_static(item),
        Item::Impl(_) => trait_of(item, items).is_none() || has_static(item),
        _ => true,
    }
}

/// Whether a trait of a block may be a part of a type, of `Box<dyn Rule>` or of one of a block inside.
fn has_types_of_traits(block: &Block) -> bool {
    let statements = block.stmts.iter().filter(|statement| item_of(statement).is_none());
    let inside: TokenStream = statements.map(ToTokens::to_token_stream).collect();
    macros::mentions(&block.to_token_stream(), &["dyn"])
        || macros::mentions(&inside, &["enum", "impl", "static", "struct"])
}

fn is_macro(item: &Item) -> bool {
    matches!(item, Item::Macro(_))
}

/// Whether a function of an item keeps a value from call to call.
fn has_static(item: &Item) -> bool {
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
    visit::visit_item(&mut statics, item);
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
    fn below(tree: &UseTree, module: Option<&Ident>) -> Vec<Ident> {
        match tree {
            UseTree::Path(path) => below(&path.tree, Some(&path.ident)),
            // `use std::fmt::{self, Write};`
            UseTree::Name(name) if name.ident == "self" => module.into_iter().cloned().collect(),
            UseTree::Name(name) => vec![name.ident.clone()],
            UseTree::Rename(rename) => vec![rename.rename.clone()],
            UseTree::Group(group) => group.items.iter().flat_map(|tree| below(tree, module)).collect(),
            UseTree::Glob(_) => Vec::new(),
        }
    }
    below(tree, None)
}

/// What `use Size::*` names of an enum among the items.
fn variants(item: &ItemUse, items: &[&Item]) -> Option<Vec<Ident>> {
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
