//! A call of other sagas: it is written the same wherever the function is entered, since control comes back before
//! it. The frame knows whether a called saga starts or goes on.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::names::{frame, gone, inner, located_at, passed, private};
use super::{Writer, Written};
use crate::tree::{Call, LocalId, Site, SiteId};

impl Writer<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Written {
        let Call { site, value, .. } = call;
        let (private, frame, called, left) = (private(), frame(), inner("called"), inner("left"));
        let (into, gone) = (inner("holding"), gone());
        let held = &self.layouts[site.0].held;
        let taken: Vec<_> = call.passed.iter().copied().filter(|local| held.contains(local)).collect();
        let encoded = taken.iter().map(|local| self.encode(*site, *local));
        let holding = self.holding(*site, &taken);
        let ties = self.ties(*site);
        let Site { name, keys, span, .. } = self.body.site(*site);
        // On the author's token: what does not travel of what several sagas give is reported there.
        let calls = syn::Ident::new("__calls", proc_macro2::Span::call_site());
        let call = quote!(#frame.call(#name, &[#(#keys),*], #calls).await);
        let (call, calls) = (located_at(*span, call), located_at(*span, calls.into_token_stream()));
        let (encoded, value) = (quote!(#(#encoded)*), self.plain(value).tokens);
        let tokens = quote!({
            #encoded
            let #called = match #value { #calls => #call };
            match #called {
                #private::Ok(#called) => #called,
                #private::Err(#left) => {
                    #holding
                    #frame.leave_calling(#name, #into, #left);
                    #gone;
                    #ties
                }
            }
        });
        Written::falling_through(tokens)
    }

    /// An argument that the call takes, encoded before it.
    fn encode(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (private, name) = (private(), passed(id));
        let (value, text, span) =
            (self.expression_for(site, id), self.name_of(id), self.body.local(id).name.span());
        let encoded = located_at(span, quote!(#private::Passed::new(#text, &#value)));
        quote!(let #name = #encoded;)
    }
}
