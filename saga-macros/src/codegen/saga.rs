//! A called saga: the author's function with its own signature, and the machine as its body.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::Visit;
use syn::{FnArg, ItemFn, Pat, ReturnType, Signature, Type};

use super::item::{arms, machine_lints, scripted};
use super::names::{copies, frame, private};
use crate::analysis::layout::SiteLayout;
use crate::parse::{Saga, plain_name};
use crate::tree::Body;

/// The function; in tests it is also the plain one, for the plain functions that call it.
pub(crate) fn saga(saga: &Saga, body: &Body, layouts: &[SiteLayout]) -> TokenStream {
    let (private, frame) = (private(), frame());
    let ItemFn { attrs, vis, .. } = &saga.plain;
    let sig = &of_machine(saga, layouts);
    let name = plain_name(&sig.ident);
    let plain = plain(saga);
    let (arms, lints, copies) = (arms(body, layouts), machine_lints(), copies(sig.ident.span()));
    let body = quote! {
        #[cfg(test)]
        #[allow(unreachable_code, unused_braces, reason = "the function as it was written, in another place")]
        if #private::script::is_running() {
            return #plain;
        }
        let #copies = #private::enter(#name);
        let #frame = &*#copies;
        #lints
        {
            #arms
        };
    };
    let Some(Taking { sig, output }) = taking(saga, sig) else {
        return quote!(#(#attrs)* #vis #sig { #body });
    };
    let parameters = saga.parameters.iter().map(|parameter| &parameter.name);
    quote! {
        #(#attrs)*
        #[allow(refining_impl_trait, reason = "a trait may declare the plain function")]
        #vis #sig {
            #private::TakesSelf::new::<#output>(async move {
                // All of them belong to the future, as those of an `async fn` do.
                let _ = (#(&#parameters),*);
                #body
            })
        }
    }
}

/// The signature above a machine. What a parameter is `mut` for may stand after a question, where the machine has
/// another local; in tests the plain function is in it, too, and shows whether it needs to be. A `self` that comes again is
/// assigned what it had become, since it has no other name.
fn of_machine(saga: &Saga, layouts: &[SiteLayout]) -> Signature {
    let mut sig = saga.plain.sig.clone();
    let comes_again = layouts.iter().any(|layout| {
        let locals = layout.again.keys().chain(layout.left.keys());
        locals.into_iter().any(|local| saga.parameters.get(local.0).is_some_and(|it| it.name == "self"))
    });
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first_mut()
        && comes_again
    {
        let reason = "its type may say that nothing changes";
        receiver.attrs.push(syn::parse_quote!(#[allow(unused_mut, reason = #reason)]));
        receiver.mutability.get_or_insert_default();
    }
    for input in &mut sig.inputs {
        if let FnArg::Typed(input) = input
            && matches!(&*input.pat, Pat::Ident(pattern) if pattern.mutability.is_some())
        {
            let reason = "it is changed after a question";
            input.attrs.push(syn::parse_quote!(#[cfg_attr(not(test), allow(unused_mut, reason = #reason))]));
        }
    }
    sig
}

/// A method that takes its `self`, as a function whose type says so to its callers.
struct Taking {
    sig: Signature,
    output: Type,
}

fn taking(saga: &Saga, sig: &Signature) -> Option<Taking> {
    let mut sig = sig.clone();
    let output = match &sig.output {
        ReturnType::Default => syn::parse_quote!(()),
        ReturnType::Type(_, ty) => (**ty).clone(),
    };
    // `impl Trait` can be written in a signature alone.
    if !saga.takes_self() || has_impl_trait(&output) {
        return None;
    }
    let private = private();
    sig.asyncness = None;
    sig.output = syn::parse_quote!(-> #private::TakesSelf<impl ::core::future::Future<Output = #output>>);
    Some(Taking { sig, output })
}

fn has_impl_trait(ty: &Type) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = Found(false);
    found.visit_type(ty);
    found.0
}

/// The body as it was written; its steps are answered by a script.
fn plain(saga: &Saga) -> TokenStream {
    let block = scripted(&saga.plain.block, saga.keys());
    quote!(#block)
}

/// What stands for a saga that was refused: the function as it was written, for an editor and for its callers.
pub(crate) fn refused(saga: &Saga) -> TokenStream {
    let ItemFn { attrs, vis, sig, .. } = &saga.plain;
    let (plain, mut sig) = (plain(saga), sig.clone());
    // That it does not wait was reported, if it does not.
    sig.asyncness.get_or_insert_default();
    quote! {
        #[allow(unused, reason = "the saga was refused")]
        #(#attrs)*
        #vis #sig #plain
    }
}
