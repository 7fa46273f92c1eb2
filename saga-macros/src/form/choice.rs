//! An enum of unit variants as the user wrote it, checked.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Generics, Variant};

use super::attributes::{Entries, doc_summary, read_case, read_name};
use super::case::Case;
use crate::diagnostics::Diagnostics;

/// The options that a person picks from.
pub(super) struct ChoiceEnum<'a> {
    pub(super) name: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) options: Vec<ChoiceVariant<'a>>,
}

/// One option.
pub(super) struct ChoiceVariant<'a> {
    pub(super) variant: &'a Ident,
    pub(super) value: String,
    pub(super) title: Option<String>,
}

impl<'a> ChoiceEnum<'a> {
    pub(super) fn parse(input: &'a DeriveInput, diagnostics: &mut Diagnostics) -> Self {
        let mut choice = Self { name: &input.ident, generics: &input.generics, options: Vec::new() };
        let mut entries = Entries::read(&input.attrs, "choice", &["rename_all"], diagnostics);
        let case = read_case(&mut entries, &input.attrs, diagnostics);
        let Data::Enum(body) = &input.data else {
            diagnostics.error(
                &input.ident,
                "only an enum is a choice; a person picks one of a list of options; use `#[derive(Form)]` for a struct",
            );
            return choice;
        };
        if body.variants.is_empty() {
            diagnostics.error(
                &input.ident,
                "a choice without variants cannot be answered; add the options as variants",
            );
        }
        for variant in &body.variants {
            let option = ChoiceVariant::parse(variant, case, diagnostics);
            if choice.options.iter().any(|earlier| earlier.value == option.value) {
                diagnostics.error(
                    &variant.ident,
                    format!(
                        "two variants have the value `{}`; an answer could not tell them apart; rename one of them",
                        option.value
                    ),
                );
            }
            choice.options.push(option);
        }
        choice
    }
}

impl<'a> ChoiceVariant<'a> {
    fn parse(variant: &'a Variant, case: Option<Case>, diagnostics: &mut Diagnostics) -> Self {
        if !matches!(variant.fields, Fields::Unit) {
            diagnostics.error(
                &variant.fields,
                format!(
                    "a choice's variant has no fields; a person picks an option and fills in nothing with it; write \
                     `{}` alone and ask for the rest in a field of the form",
                    variant.ident
                ),
            );
        }
        let mut entries = Entries::read(&variant.attrs, "choice", &["title", "rename"], diagnostics);
        let code_name = variant.ident.unraw().to_string();
        let own_name = read_name(&mut entries, &variant.attrs, diagnostics).map(|name| name.value());
        let title = entries.text("title", diagnostics).map(|(_, title)| title.value());
        Self {
            variant: &variant.ident,
            value: own_name
                .unwrap_or_else(|| case.map_or_else(|| code_name.clone(), |case| case.variant(&code_name))),
            title: title.or_else(|| doc_summary(&variant.attrs)),
        }
    }
}
