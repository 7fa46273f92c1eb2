//! That whatever is refused in `tests/ui` stands rewritten in `tests/ui/tests/ui/rewrites`, which `saga-ui` compiles:
//! for a case of the name `an_rc` a module of that name, and in it every item that the case's errors point into.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{File, Ident};

use super::{THEMES, files};

#[test]
fn what_is_refused_has_its_rewrite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/tests/ui");
    let rewrites: Vec<_> = files(&folder.join("rewrites"), "rs").into_iter().filter_map(parsed).collect();
    let mut missing = Vec::new();
    for case in THEMES.iter().flat_map(|(theme, _)| files(&folder.join(theme), "stderr")) {
        let name = case.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match rewritten(&rewrites, &name) {
            Some(rewritten) => missing.extend(
                refused(&case).difference(&rewritten).map(|item| format!("`{item}` in `mod {name}`")),
            ),
            None => missing.push(format!("`mod {name}`")),
        }
    }
    assert!(missing.is_empty(), "{} rewrites are missing:\n{}", missing.len(), missing.join("\n"));
}

/// The items that the errors of a case point into.
fn refused(case: &Path) -> BTreeSet<String> {
    // One that is about a syntax error has no items.
    let Some(file) = parsed(case.with_extension("rs")) else { return BTreeSet::new() };
    let report = fs::read_to_string(case).expect("a case can be read");
    let lines: Vec<usize> = report
        .split("\nerror")
        .filter_map(|error| error.split_once(".rs:")?.1.split_once(':')?.0.parse().ok())
        .collect();
    let mut items = Items::default();
    items.visit_file(&file);
    let at = |line: &usize| {
        // The innermost: a method, and not its `impl`.
        let around = items.0.iter().filter(|item| item.lines.contains(line));
        around.min_by_key(|item| item.lines.end() - item.lines.start())
    };
    let refused: BTreeSet<_> = lines.iter().filter_map(at).map(|item| item.name.clone()).collect();
    assert!(!refused.is_empty(), "no error points into an item: {}", case.display());
    refused
}

/// The items in the module of a case.
fn rewritten(rewrites: &[File], case: &str) -> Option<BTreeSet<String>> {
    let mut modules = rewrites.iter().flat_map(|file| &file.items).filter_map(|item| match item {
        syn::Item::Mod(module) if module.ident == case => Some(module),
        _ => None,
    });
    let mut items = Items::default();
    items.visit_item_mod(modules.next()?);
    Some(items.0.into_iter().map(|item| item.name).collect())
}

fn parsed(path: impl AsRef<Path>) -> Option<File> {
    syn::parse_file(&fs::read_to_string(path).expect("a case can be read")).ok()
}

struct Item {
    name: String,
    lines: std::ops::RangeInclusive<usize>,
}

/// Functions and types.
#[derive(Default)]
struct Items(Vec<Item>);

impl Items {
    fn add(&mut self, name: &Ident, item: &impl Spanned) {
        let span = item.span();
        // What was a type may be a function when it is rewritten.
        let name = name.to_string().to_lowercase().replace('_', "");
        self.0.push(Item { name, lines: span.start().line..=span.end().line });
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig.ident, item);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig.ident, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add(&item.sig.ident, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add(&item.ident, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add(&item.ident, item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.add(&item.ident, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(&item.ident, item);
        visit::visit_item_trait(self, item);
    }
}
