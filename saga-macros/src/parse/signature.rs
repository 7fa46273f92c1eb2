//! The function's signature: which parameters are arguments, which the server supplies, and what a tool cannot be.

use syn::{Attribute, FnArg, ItemFn, Pat, PatType, Type, TypeReference};

use super::{Kind, Parameter, Source};
use crate::diagnostics::Diagnostics;

/// Refuses what a tool cannot be.
pub(super) fn refuse(kind: Kind, item: &ItemFn, diagnostics: &mut Diagnostics) {
    let signature = &item.sig;
    let (noun, ours) = (kind.noun(), kind.attribute());
    if signature.asyncness.is_none() {
        diagnostics.error(
            &signature.fn_token,
            format!("a {noun} is an `async fn`, since it waits for answers; write `async fn`"),
        );
    }
    if !signature.generics.params.is_empty() {
        diagnostics.error(
            &signature.generics,
            format!(
                "a {noun} cannot be generic, since clients call it by name alone; write a {noun} for each type, which \
                 call a generic function"
            ),
        );
    }
    for attribute in &item.attrs {
        if attribute.path().segments.last().is_some_and(|last| last.ident == "instrument") {
            diagnostics.error(
                attribute,
                format!(
                    "this attribute would see the function before it is compiled, or not at all; put it below \
                     `{ours}` on a function that the {noun} calls (each transition has a span of its own already)"
                ),
            );
        }
    }
}

/// The parameters, each with its source.
pub(super) fn parameters(kind: Kind, item: &ItemFn, diagnostics: &mut Diagnostics) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for input in &item.sig.inputs {
        match input {
            FnArg::Receiver(receiver) => diagnostics.error(
                receiver,
                format!(
                    "a {} has no `self`; take what it needs as a context: `#[context] fleet: &Fleet`",
                    kind.noun()
                ),
            ),
            FnArg::Typed(input) => parameters.extend(parameter(kind, input, diagnostics)),
        }
    }
    parameters
}

fn parameter(kind: Kind, input: &PatType, diagnostics: &mut Diagnostics) -> Option<Parameter> {
    let noun = kind.noun();
    let Pat::Ident(pattern) = &*input.pat else {
        diagnostics.error(
            &input.pat,
            format!(
                "a {noun}'s parameter needs a name, since clients send it by that; take it whole and destructure it \
                 with `let` in the first line"
            ),
        );
        return None;
    };
    let is_context = input.attrs.iter().any(|attribute| attribute.path().is_ident("context"));
    let source = match (&*input.ty, is_context) {
        (Type::Reference(reference), true) if is_saga(reference) => Source::Saga,
        (Type::Reference(reference), true) if reference.mutability.is_none() => Source::Context,
        (ty, true) => {
            diagnostics.error(ty, "a context is shared by all requests; take it as `&T`");
            return None;
        }
        (Type::Reference(reference), false) => {
            diagnostics.error(
                reference,
                format!(
                    "a {noun} cannot borrow an argument, since it comes as JSON; take it owned (`String` for `&str`), \
                     or write `#[context]` before a value of the server's"
                ),
            );
            return None;
        }
        (_, false) => Source::Argument,
    };
    let docs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).cloned().collect();
    let (name, mutable) = (pattern.ident.clone(), pattern.mutability.is_some());
    Some(Parameter { name, mutable, ty: (*input.ty).clone(), source, docs })
}

/// `&Saga` is the running saga, which every server has.
fn is_saga(reference: &TypeReference) -> bool {
    match &*reference.elem {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Saga"),
        _ => false,
    }
}

/// The function without the attributes on its parameters that only we understand.
pub(super) fn plain(item: &ItemFn) -> ItemFn {
    let mut plain = item.clone();
    for input in &mut plain.sig.inputs {
        let attributes: &mut Vec<Attribute> = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(input) => &mut input.attrs,
        };
        attributes
            .retain(|attribute| !attribute.path().is_ident("context") && !attribute.path().is_ident("doc"));
    }
    plain
}
