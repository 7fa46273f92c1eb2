//! What stands in the attributes of a form or a choice: `#[form(..)]`, `#[choice(..)]`, the names that
//! `#[serde(..)]` gives, and doc comments.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, LitStr, Meta, Token};

use super::case::Case;
use crate::diagnostics::Diagnostics;

/// One `name = value` or `name` of an attribute.
pub(super) struct Entry {
    pub(super) name: Ident,
    pub(super) value: Option<Expr>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        let value = if input.parse::<Option<Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { name, value })
    }
}

/// The entries of all attributes of one name on one item: each known, each once.
pub(super) struct Entries {
    entries: Vec<Entry>,
}

impl Entries {
    /// Reads the attributes called `attribute`, which know the names in `known`.
    pub(super) fn read(
        attributes: &[Attribute],
        attribute: &str,
        known: &[&str],
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for found in attributes.iter().filter(|found| found.path().is_ident(attribute)) {
            let list = match found.parse_args_with(Punctuated::<Entry, Token![,]>::parse_terminated) {
                Ok(list) => list,
                Err(error) => {
                    diagnostics.push(error);
                    continue;
                }
            };
            for entry in list {
                if !known.iter().any(|name| entry.name == name) {
                    let name = &entry.name;
                    let known = backticked(known);
                    diagnostics.error(
                        name,
                        format!("unknown attribute `{name}`; `#[{attribute}(..)]` takes {known} here"),
                    );
                } else if entries.iter().any(|earlier| earlier.name == entry.name) {
                    let name = &entry.name;
                    diagnostics.error(name, format!("`{name}` is given twice; remove one of the two"));
                } else {
                    entries.push(entry);
                }
            }
        }
        Self { entries }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Entry> {
        let index = self.entries.iter().position(|entry| entry.name == name)?;
        Some(self.entries.remove(index))
    }

    /// The entry's value, which it must have.
    pub(super) fn value(&mut self, name: &str, diagnostics: &mut Diagnostics) -> Option<(Ident, Expr)> {
        let Entry { name, value } = self.take(name)?;
        if value.is_none() {
            diagnostics.error(&name, format!("`{name}` needs a value; write `{name} = ..`"));
        }
        Some((name, value?))
    }

    /// The entry's value, which must be a string literal.
    pub(super) fn text(&mut self, name: &str, diagnostics: &mut Diagnostics) -> Option<(Ident, LitStr)> {
        let (name, value) = self.value(name, diagnostics)?;
        let text = string_literal(&value).cloned();
        if text.is_none() {
            diagnostics.error(&value, format!("`{name}` must be a string literal; write `{name} = \"..\"`"));
        }
        Some((name, text?))
    }
}

/// How the fields of a struct or the variants of an enum are called where they have no name of their own:
/// `rename_all` of the attribute, else serde's.
pub(super) fn read_case(
    entries: &mut Entries,
    attributes: &[Attribute],
    diagnostics: &mut Diagnostics,
) -> Option<Case> {
    let Some((_, name)) = entries.text("rename_all", diagnostics) else {
        return serde_name(attributes, "rename_all").and_then(|name| Case::from_name(&name.value()));
    };
    let case = Case::from_name(&name.value());
    if case.is_none() {
        let known = backticked(&Case::ALL.map(Case::name));
        diagnostics.error(&name, format!("unknown case `{}`; `rename_all` takes {known}", name.value()));
    }
    case
}

/// The name of one field or variant where it has one of its own: `rename` of the attribute, else serde's.
pub(super) fn read_name(
    entries: &mut Entries,
    attributes: &[Attribute],
    diagnostics: &mut Diagnostics,
) -> Option<LitStr> {
    let name = entries.text("rename", diagnostics).map(|(_, name)| name);
    if let Some(name) = name.as_ref().filter(|name| name.value().is_empty()) {
        diagnostics.error(name, "a name must not be empty; remove `rename` to keep the name in the code");
    }
    name.or_else(|| serde_name(attributes, "rename"))
}

/// `#[serde(name = "..")]` or `#[serde(name(deserialize = ".."))]`. Serde itself reports what is wrong there.
fn serde_name(attributes: &[Attribute], name: &str) -> Option<LitStr> {
    let metas =
        attributes.iter().filter(|attribute| attribute.path().is_ident("serde")).filter_map(|attribute| {
            attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()
        });
    metas.flatten().find_map(|meta| match &meta {
        Meta::NameValue(pair) if pair.path.is_ident(name) => string_literal(&pair.value).cloned(),
        Meta::List(list) if list.path.is_ident(name) => {
            let both = list.parse_args_with(Punctuated::<Entry, Token![,]>::parse_terminated).ok()?;
            let read = both.into_iter().find(|entry| entry.name == "deserialize")?;
            string_literal(&read.value?).cloned()
        }
        _ => None,
    })
}

/// The doc comment's paragraphs, each as a list of its lines.
///
/// ```text
/// [source]  /// Where to deploy, as in      [paragraphs]  [["Where to deploy, as in", "the registry."],
///           /// the registry.                              ["Ask twice."]]
///           ///
///           /// Ask twice.
/// ```
fn doc_paragraphs(attributes: &[Attribute]) -> Vec<Vec<String>> {
    let mut paragraphs = vec![Vec::new()];
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        let Some(text) = string_literal(&pair.value) else { continue };
        for line in text.value().split('\n').map(|line| line.trim().trim_start_matches("* ")) {
            match paragraphs.last_mut() {
                Some(paragraph) if !line.is_empty() && line != "*" => paragraph.push(line.to_owned()),
                Some(paragraph) if paragraph.is_empty() => {}
                _ => paragraphs.push(Vec::new()),
            }
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// The whole doc comment, without the line breaks that only the source has.
pub(super) fn doc_text(attributes: &[Attribute]) -> Option<String> {
    let paragraphs: Vec<String> = doc_paragraphs(attributes).iter().map(|lines| lines.join(" ")).collect();
    if paragraphs.is_empty() { None } else { Some(paragraphs.join("\n\n")) }
}

/// The doc comment's first paragraph in one line.
pub(super) fn doc_summary(attributes: &[Attribute]) -> Option<String> {
    doc_paragraphs(attributes).first().map(|lines| lines.join(" "))
}

pub(super) fn string_literal(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text),
            _ => None,
        },
        // A `macro_rules` fragment arrives in an invisible group.
        Expr::Group(group) => string_literal(&group.expr),
        _ => None,
    }
}

pub(super) fn backticked(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
