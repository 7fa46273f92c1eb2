//! `derive(Form)` and `derive(Choice)`: a flat struct or an enum of unit variants becomes what
//! `saga_runtime::form` says it is.
//!
//! `parse → generate`: the first reports every mistake of the type at once, the second cannot fail. Types are
//! left to rustc: the generated calls carry the spans of the user's types and attributes, and the runtime's traits
//! say in their own words why a type does not fit.

mod choice;
mod form_struct;

mod attributes;
mod bounds;
mod case;
mod generate;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use self::choice::ChoiceEnum;
use self::form_struct::FormStruct;
use crate::diagnostics::Diagnostics;

/// `#[derive(Form)]`: the impl, or the mistakes beside an impl that lets the rest of the crate be checked.
pub(crate) fn derive_form(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let form = FormStruct::parse(&input, &mut diagnostics);
    match diagnostics.finish() {
        Ok(()) => generate::form(&form),
        Err(error) => with_errors(&error, generate::refused_form(&input)),
    }
}

/// `#[derive(Choice)]`: likewise.
pub(crate) fn derive_choice(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let choice = ChoiceEnum::parse(&input, &mut diagnostics);
    match diagnostics.finish() {
        Ok(()) => generate::choice(&choice),
        Err(error) => with_errors(&error, generate::refused_choice(&input)),
    }
}

fn with_errors(error: &syn::Error, item: TokenStream) -> TokenStream {
    let mut tokens = error.to_compile_error();
    tokens.extend(item);
    tokens
}
