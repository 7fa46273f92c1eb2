//! A called saga: the author's function with its own signature, and the machine as its body.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::item::{arms, machine_lints, scripted};
use super::names::{frame, private};
use crate::analysis::layout::SiteLayout;
use crate::parse::Saga;
use crate::tree::Body;

/// The function; in tests it is also the plain one, for the plain functions that call it.
pub(crate) fn saga(saga: &Saga, body: &Body, layouts: &[SiteLayout]) -> TokenStream {
    let (private, frame) = (private(), frame());
    let ItemFn { attrs, vis, sig, .. } = &saga.plain;
    let name = sig.ident.to_string();
    let plain = plain(saga);
    let (arms, lints) = (arms(body, layouts), machine_lints());
    quote! {
        #(#attrs)*
        #vis #sig {
            #[cfg(test)]
            if #private::script::is_running() {
                return #plain;
            }
            let #frame = #private::enter(#name);
            #lints
            {
                #arms
            };
        }
    }
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
