//! What stands below one of our attributes and is no function with a body.

use proc_macro2::{Span, TokenStream};
use syn::Item;
use syn::spanned::Spanned;

/// Why it cannot be compiled, at the word that says what it is; `None` for a function, half-typed perhaps.
pub(crate) fn refuse_other(attribute: &str, item: &TokenStream) -> Option<syn::Error> {
    if let Ok(method) = syn::parse2::<syn::TraitItemFn>(item.clone())
        && let (None, Some(semicolon)) = (method.default, method.semi_token)
    {
        let message =
            format!("there is nothing to compile here; write `{attribute}` above the function in the `impl`");
        return Some(syn::Error::new(semicolon.span, message));
    }
    let word = word(&syn::parse2(item.clone()).ok()?)?;
    let message = format!(
        "`{attribute}` compiles a function, and not this; write it above each `async fn` that asks, also inside of an \
         `impl` or a module"
    );
    Some(syn::Error::new(word, message))
}

fn word(item: &Item) -> Option<Span> {
    match item {
        Item::Fn(_) | Item::Verbatim(_) => None,
        Item::Const(item) => Some(item.const_token.span),
        Item::Enum(item) => Some(item.enum_token.span),
        Item::Impl(item) => Some(item.impl_token.span),
        Item::Mod(item) => Some(item.mod_token.span),
        Item::Struct(item) => Some(item.struct_token.span),
        Item::Trait(item) => Some(item.trait_token.span),
        Item::Type(item) => Some(item.type_token.span),
        Item::Union(item) => Some(item.union_token.span),
        other => Some(other.span()),
    }
}
