//! Closures that are made again after a question. Rustc types each copy by what is done with it, and a slot says that
//! all of them take the same.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Writer;
use super::names::slot;
use crate::analysis::layout::SiteLayout;
use crate::tree::{Body, LocalId, Rebuild, SiteId};

/// The closures that a site makes again, and that do not say themselves what they take.
pub(super) fn closures(body: &Body, layout: &SiteLayout) -> impl Iterator<Item = LocalId> {
    layout.rebuilt.iter().copied().filter(|local| parameters(body, *local).is_some())
}

fn parameters(body: &Body, local: LocalId) -> Option<usize> {
    let rebuild: Option<&Rebuild> = body.group(body.local(local).group?).rebuild.as_ref();
    Some(rebuild?.inferred_closure()?.inputs.len())
}

impl Writer<'_> {
    /// Says that the slot has what this copy of the closure takes.
    pub(super) fn tie_closure(&self, site: SiteId, local: LocalId) -> TokenStream {
        let (slot, value) = (slot(site, local), self.expression_for(site, local));
        let takes = format_ident!("takes_{}", parameters(self.body, local).unwrap_or_default());
        quote!(#slot.#takes(&#value);)
    }
}
