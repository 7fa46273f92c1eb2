//! `#[header = "Region"]` on a tool's parameter: HTTP requests repeat the argument in `Mcp-Param-Region`.

use syn::{Attribute, Expr, FnArg, ItemFn, Lit, LitStr, Meta, PatType};

use super::Kind;
use crate::diagnostics::Diagnostics;

/// The header that repeats the parameter.
pub(super) fn of(input: &PatType) -> Option<LitStr> {
    input.attrs.iter().find_map(name)?.ok()
}

/// Whether it is the attribute that is read here.
pub(super) fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("header")
}

/// Refuses headers that no request can have.
pub(super) fn refuse(kind: Kind, item: &ItemFn, diagnostics: &mut Diagnostics) {
    let mut names: Vec<String> = Vec::new();
    let inputs = item.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(input),
        FnArg::Receiver(_) => None,
    });
    for attribute in inputs.flat_map(|input| &input.attrs) {
        match name(attribute) {
            None => {}
            Some(_) if kind != Kind::Tool => {
                diagnostics.error(attribute, "only a tool's arguments are repeated in headers; remove it");
            }
            Some(Err(())) => {
                diagnostics.error(attribute, "a header is a text; write `#[header = \"Region\"]`");
            }
            Some(Ok(name)) if !is_token(&name.value()) => {
                diagnostics.error(&name, "a header's name has letters, digits and `-`; write `Region`");
            }
            Some(Ok(name)) if names.contains(&name.value().to_ascii_lowercase()) => {
                diagnostics.error(&name, "another argument has this header, which is the same in any case");
            }
            Some(Ok(name)) => names.push(name.value().to_ascii_lowercase()),
        }
    }
}

/// The header's name; `None` where the attribute is another one.
fn name(attribute: &Attribute) -> Option<Result<LitStr, ()>> {
    if !is_ours(attribute) {
        return None;
    }
    let Meta::NameValue(value) = &attribute.meta else { return Some(Err(())) };
    match &value.value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(name) => Some(Ok(name.clone())),
            _ => Some(Err(())),
        },
        _ => Some(Err(())),
    }
}

/// RFC 9110 allows a few signs more.
fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|char| char.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(char))
}
