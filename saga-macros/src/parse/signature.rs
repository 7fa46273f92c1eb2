//! The function's signature: which parameters are arguments, which the server supplies, and what a tool cannot be.

use syn::{Attribute, FnArg, ItemFn, Pat, PatType, ReceiverKind, ReturnType, Safety, Type, TypeReference};

use super::{Kind, Parameter, Source, attributes, header};
use crate::diagnostics::Diagnostics;

/// Refuses what a tool cannot be.
pub(super) fn refuse(kind: Kind, item: &ItemFn, diagnostics: &mut Diagnostics) {
    let signature = &item.sig;
    let noun = kind.noun();
    if signature.asyncness.is_none() {
        diagnostics.error(
            &signature.fn_token,
            format!("a {noun} is an `async fn`, since it waits for answers; write `async fn`"),
        );
    }
    if let Safety::Unsafe(token) = &signature.safety {
        let message =
            format!("a {noun} is safe to call, since clients call it; write `unsafe {{ .. }}` inside");
        diagnostics.error(token, message);
    }
    if let Some(abi) = &signature.abi {
        diagnostics
            .error(abi, format!("a {noun} is called by clients, and not by other languages; remove this"));
    }
    if let Some(token) = &signature.constness {
        diagnostics.error(token, format!("a {noun} runs when a client calls it; remove `const`"));
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && matches!(**ty, Type::ImplTrait(_))
    {
        let message = format!(
            "a {noun} returns one type, of which clients are told; write it, `Json<Report>` for example"
        );
        diagnostics.error(ty, message);
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
}

/// Refuses a second parameter of the same name, and takes it away, for rustc would say so again.
pub(super) fn refuse_repeated(item: &mut ItemFn, diagnostics: &mut Diagnostics) {
    let mut names = Vec::new();
    let inputs = std::mem::take(&mut item.sig.inputs);
    item.sig.inputs = inputs
        .into_iter()
        .filter(|input| {
            let FnArg::Typed(PatType { pat, .. }) = input else { return true };
            let Pat::Ident(pattern) = &**pat else { return true };
            let is_new = !names.contains(&pattern.ident);
            if is_new {
                names.push(pattern.ident.clone());
            } else {
                let name = &pattern.ident;
                diagnostics
                    .error(name, format!("`{name}` is a parameter already; give this one another name"));
            }
            is_new
        })
        .collect();
}

/// Refuses a parameter that may not be there.
pub(super) fn refuse_conditional(item: &ItemFn, diagnostics: &mut Diagnostics) {
    for input in &item.sig.inputs {
        let (FnArg::Typed(PatType { attrs, .. }) | FnArg::Receiver(syn::Receiver { attrs, .. })) = input;
        if let Some(condition) = attrs.iter().find(|attribute| attributes::is_condition(attribute)) {
            diagnostics.error(
                condition,
                "a parameter cannot be under a `#[cfg]`, which is decided after the compiler has written what takes \
                 it; write a function for each case",
            );
        }
    }
}

/// Refuses what a called saga cannot be.
pub(super) fn refuse_saga(item: &ItemFn, diagnostics: &mut Diagnostics) {
    if item.sig.asyncness.is_none() {
        diagnostics.error(
            &item.sig.fn_token,
            "a saga is an `async fn`, since it waits for answers; write `async fn`",
        );
    }
    if let Some(FnArg::Receiver(receiver)) = item.sig.inputs.first()
        && let Some(mutable) = &receiver.mutability
    {
        diagnostics.error(
            mutable,
            "a saga's `self` comes from its caller again after each question, so a change to it would be lost; \
             write `self`, and `let mut this = self;` in the first line",
        );
    }
}

/// Whether a method takes its `self`: `self`, `self: Box<Self>`.
pub(super) fn takes_self(signature: &syn::Signature) -> bool {
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) => match &receiver.kind {
            ReceiverKind::Reference(..) => false,
            ReceiverKind::Typed(_, ty) => match &**ty {
                // `Pin<&mut Self>` borrows, too.
                Type::Path(path) => path.path.segments.last().is_none_or(|last| last.ident != "Pin"),
                _ => false,
            },
            _ => true,
        },
        _ => false,
    }
}

/// Gives a parameter that is a pattern a name, and destructures it in the first line.
pub(super) fn name_parameters(item: &mut ItemFn) {
    let mut destructured = Vec::new();
    for (index, input) in item.sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(input) = input
            && !matches!(&*input.pat, Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none())
        {
            let name = syn::Ident::new(&format!("__parameter_{index}"), proc_macro2::Span::mixed_site());
            let pattern = std::mem::replace(&mut *input.pat, syn::parse_quote!(#name));
            destructured.push(syn::parse_quote!(let #pattern = #name;));
        }
    }
    item.block.stmts.splice(0..0, destructured);
}

/// The parameters of a called saga: all of them come from its caller, again after each question.
pub(super) fn saga_parameters(item: &ItemFn) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for input in &item.sig.inputs {
        let (name, mutable, ty) = match input {
            FnArg::Receiver(receiver) => {
                let ty = match &receiver.kind {
                    ReceiverKind::Reference(_, _, mutability) => syn::parse_quote!(&#mutability Self),
                    ReceiverKind::Typed(_, ty) => (**ty).clone(),
                    _ => syn::parse_quote!(Self),
                };
                (syn::Ident::from(receiver.self_token), false, ty)
            }
            FnArg::Typed(input) => {
                let Pat::Ident(pattern) = &*input.pat else { continue };
                (pattern.ident.clone(), pattern.mutability.is_some(), (*input.ty).clone())
            }
        };
        parameters.push(Parameter {
            name,
            mutable,
            ty,
            source: Source::Caller,
            docs: Vec::new(),
            header: None,
        });
    }
    parameters
}

/// The parameters, each with its source.
pub(super) fn parameters(kind: Kind, item: &ItemFn, diagnostics: &mut Diagnostics) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for input in &item.sig.inputs {
        match input {
            FnArg::Receiver(receiver)
                if kind == Kind::Method && matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) =>
            {
                let (name, ty) = (syn::Ident::from(receiver.self_token), syn::parse_quote!(&Self));
                parameters.push(Parameter {
                    name,
                    mutable: false,
                    ty,
                    source: Source::Context,
                    docs: Vec::new(),
                    header: None,
                });
            }
            FnArg::Receiver(receiver) if kind == Kind::Method => {
                diagnostics.error(receiver, "a server is shared by all requests; take it as `&self`");
            }
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
        (Type::ImplTrait(ty), false) => {
            let message = format!(
                "an argument of a {noun} has one type, of which clients are told; write it, `String` for example"
            );
            diagnostics.error(ty, message);
            return None;
        }
        (_, false) => Source::Argument,
    };
    let docs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).cloned().collect();
    let (name, mutable) = (pattern.ident.clone(), pattern.mutability.is_some());
    Some(Parameter { name, mutable, ty: (*input.ty).clone(), source, docs, header: header::of(input) })
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
        attributes.retain(|attribute| {
            !attribute.path().is_ident("context")
                && !attribute.path().is_ident("doc")
                && !header::is_ours(attribute)
        });
    }
    plain
}
