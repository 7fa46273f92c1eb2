//! `for` loops, whose iterators travel.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Pat;
use syn::spanned::Spanned;

use super::enter::dead;
use super::known::{choices_of_sources, source_of};
use super::names::{inner, located_at, private};
use super::way::lending;
use super::{Writer, Written};
use crate::tree::For;

impl Writer<'_> {
    pub(super) fn for_over(&mut self, node: &For, source: &Written) -> Written {
        if self.is_dead(source) {
            return dead(source);
        }
        let source = self.bound(&[node.iterator], &node.source, source.tokens.clone());
        let private = private();
        let name = &self.body.local(node.iterator).name;
        let iterator = if let Some(position) = self.body.positions.get(&node.iterator) {
            let span = node.pattern.span();
            let into_iter = located_at(span, quote!(#private::into_iter));
            let of_local = self.held_source(position).map(|local| source_of(local, &quote!(start)));
            let start = of_local.unwrap_or_else(|| quote!(#private::Positioned::start));
            let start = located_at(span, start);
            quote_spanned!(span=> #start(#into_iter(#source)))
        } else {
            // Where the author's iterator is: rustc reports there once what is none.
            let at = |tokens| located_at(name.span(), tokens);
            let mut made = inner("made");
            made.set_span(name.span());
            let (into_iter, pick) = (at(quote!(#private::into_iter)), at(quote!(#private::Pick::new)));
            let iterator = at(quote!(#into_iter(#made)));
            let picked = at(quote!((&&&&&#pick(&#made))));
            let picked = at(quote!(#picked.pick()(#made)));
            quote!({
                use #private::{PickNone as _, PickNothing as _, PickRange as _, PickRest as _, PickShown as _};
                use #private::PickTwice as _;
                match #source {
                    #made => match #iterator {
                        #made => #picked,
                    },
                }
            })
        };
        let rest = self.for_rest(node);
        let aliases = self.aliases(&node.binds);
        let is_chosen =
            self.body.positions.get(&node.iterator).is_some_and(|it| self.held_source(it).is_some());
        let choices = is_chosen.then(choices_of_sources);
        Written::falling_through(quote!({ #choices let mut #name = #iterator; #aliases #rest }))
    }

    /// The loop over an iterator that is there already.
    pub(super) fn for_rest(&mut self, node: &For) -> TokenStream {
        let (private, item) = (private(), inner("item"));
        let name = &self.body.local(node.iterator).name;
        let (label, pattern) = (&node.label, &node.pattern);
        let (body, _) = self.within(label, |writer| writer.block(&node.body).tokens);
        let next = match &node.sieve {
            None => located_at(name.span(), quote!(#private::next(&mut #name))),
            Some(sieve) => {
                let sieve = self.plain(sieve).tokens;
                let find = located_at(name.span(), quote!(#private::find));
                quote!(#find(&mut #name, #sieve))
            }
        };
        let check = self.check_of_items(node);
        quote! {
            #label: loop {
                let #pattern = match #next {
                    #private::Some(#item) => #item,
                    #private::None => break #label,
                };
                #check
                #body
            }
        }
    }

    /// Says that the items of an owned iterator travel, as far as no part of them is reported that they cannot. One arm says
    /// it for all.
    fn check_of_items(&self, node: &For) -> TokenStream {
        if self.prune || self.body.positions.contains_key(&node.iterator) {
            return TokenStream::new();
        }
        let (private, iterator) = (private(), &self.body.local(node.iterator).name);
        let is_whole = matches!(&node.pattern, Pat::Ident(item) if item.subpat.is_none());
        let parts = node.binds.iter().filter(|part| !is_whole && self.is_held(**part)).map(|part| {
            let fine = lending(&self.body.local(*part).name, &quote!(fine()));
            quote!(.and(#fine))
        });
        // Where the item is, if that is needed, too: rustc reports a type that cannot travel once.
        located_at(node.pattern.span(), quote!(#private::Fine #(#parts)*.check(&#iterator);))
    }
}
