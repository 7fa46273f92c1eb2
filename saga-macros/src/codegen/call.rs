//! A call of other sagas: it is written the same wherever the function is entered, since control comes back before
//! it. The frame knows whether a called saga starts or goes on.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Ident, Lifetime};

use super::names::{
    self, braced, frame, gone, inner, left_received, located_at, passed, private, written_between,
};
use super::suspend::{Encoded, left};
use super::{Writer, Written};
use crate::analysis::parts::meet;
use crate::tree::{Call, Local, LocalId, LocalKind, Received, Site, SiteId, Way};

impl Writer<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Written {
        let Call { site, value, source, .. } = call;
        let (private, frame, called, left) = (private(), frame(), inner("called"), inner("left"));
        let (into, gone) = (inner("holding"), gone());
        let travels = |local: &LocalId| self.layouts[site.0].travels(*local);
        let taken: Vec<_> = call.passed.iter().copied().filter(travels).collect();
        let received = self.received(call);
        let encoded = taken.iter().map(|local| self.encode(*site, *local)).collect::<TokenStream>();
        let asked = received.iter().map(|asked| {
            let (name, encoded) = (names::received(asked.local), self.encoded_before(*site, asked.local));
            self.encode_if_taken(&name, asked, &encoded)
        });
        let asked = asked.collect::<TokenStream>();
        let received: Vec<_> = received.iter().map(|received| received.local).collect();
        let parts = self.left_received(call);
        let asked_of_left = parts.iter().map(|(index, asked, fields)| {
            let encoded = self.hold_left(*site, asked.local, fields);
            self.encode_if_taken(&left_received(*index), asked, &encoded)
        });
        let asked_of_left = asked_of_left.collect::<TokenStream>();
        let parts: Vec<_> = parts.into_iter().map(|(index, ..)| index).collect();
        let holding = self.holding(*site, Encoded { passed: &taken, received: &received, left: &parts });
        let ties = self.ties(*site);
        let Site { name, keys, span, end, .. } = self.body.site(*site);
        // On the author's token: what does not travel of what several sagas give is reported there.
        let calls = Ident::new("__calls", Span::call_site());
        let call = quote!(#frame.call(#name, &[#(#keys),*], #calls).await);
        let (call, calls) = (located_at(*span, call), located_at(*span, calls.into_token_stream()));
        let value = self.plain(value).tokens;
        let known = source.iter().map(|source| self.known_source(source));
        let output = written_between([*span, *end], &called, quote!(0));
        let tokens = quote! {
            #(#known)*
            #encoded
            #asked
            #asked_of_left
            let #called = match #value { #calls => #call };
            let #called = match #called {
                #private::Ok(#called) => (#called,),
                #private::Err(#left) => {
                    #holding
                    #frame.leave_calling(#name, #into, #left);
                    #gone;
                    #ties
                }
            };
            #output
        };
        Written::falling_through(braced(*span, tokens))
    }

    /// An argument that the call takes, encoded before it.
    fn encode(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (name, encoded) = (passed(id), self.encoded_before(site, id));
        quote!(let #name = #encoded;)
    }

    fn encoded_before(&self, site: SiteId, id: LocalId) -> TokenStream {
        let comes_again = self.layouts[site.0].again.contains_key(&id);
        if comes_again { self.hold_again(site, id) } else { self.encoded(site, id) }
    }

    /// The held locals that methods are called on, each once.
    fn received<'c>(&self, call: &'c Call) -> Vec<&'c Received> {
        let Call { site, passed, received, .. } = call;
        let asked = received.iter().enumerate().filter(|(index, Received { local, .. })| {
            let again = received[..*index].iter().any(|before| before.local == *local);
            let Local { kind, way, .. } = self.body.local(*local);
            let itself = *kind != LocalKind::Iterator && *way != Way::Advanced;
            itself && !again && self.layouts[site.0].travels(*local) && !passed.contains(local)
        });
        asked.map(|(_, received)| received).collect()
    }

    /// The parts that methods are called on while others may be gone, by their place among those of the site.
    fn left_received<'c>(&self, call: &'c Call) -> Vec<(usize, &'c Received, Vec<String>)> {
        let parts = left(&self.layouts[call.site.0]).enumerate();
        let asked = parts.filter_map(|(index, (local, fields))| {
            let is_called = |it: &&Received| it.local == local && meet(&it.fields, fields);
            Some((index, call.received.iter().find(is_called)?, fields.clone()))
        });
        asked.collect()
    }

    /// What a method is called on, encoded before it if the method takes it.
    fn encode_if_taken(&mut self, name: &Ident, asked: &Received, encoded: &TokenStream) -> TokenStream {
        let Received { local, saga, .. } = asked;
        let (private, receiver, saga) = (private(), inner("receiver"), self.plain(saga).tokens);
        let before = located_at(self.body.local(*local).name.span(), quote!(#receiver.before(|| #encoded)));
        let typed = Lifetime::new("'__typed", Span::mixed_site());
        quote! {
            let #name = {
                let #receiver = #private::Receiver::NEW;
                // Dead code, which rustc types and does not check the borrows of.
                #typed: {
                    break #typed;
                    #receiver.of(&#saga);
                }
                use #private::StaysBehind as _;
                #before
            };
        }
    }
}
