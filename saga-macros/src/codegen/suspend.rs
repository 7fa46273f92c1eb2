//! The two sides of a suspension: leaving with what is held, and taking it again.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Expr, Ident, Lifetime};

use super::enter::unreachable;
use super::names::{
    alias, braced, frame, given, gone, held, home, inner, located_at, passed, private, received, slot,
    step_slot, written_between,
};
use super::{Writer, Written};
use crate::tree::{Group, GroupId, Local, LocalId, LocalKind, Named, Rebuild, Site, SiteId, Way};

/// Locals of a call that may be gone after it, and were encoded before.
#[derive(Clone, Copy, Default)]
pub(super) struct Encoded<'a> {
    /// Those that it takes.
    pub(super) passed: &'a [LocalId],
    /// Those that methods are called on, which may be there still.
    pub(super) received: &'a [LocalId],
}

impl Writer<'_> {
    /// Leaves at a site. The dead code after it ties types, and has the type that the await had.
    pub(super) fn leave(&mut self, site: SiteId, step: &Expr) -> Written {
        let (frame, asked, holding, gone) = (frame(), inner("asked"), inner("holding"), gone());
        let Written { tokens: step, .. } = self.plain(step);
        let (held, ties) = (self.holding(site, Encoded::default()), self.ties(site));
        let step_slot = step_slot(site);
        let (name, keys) = (&self.body.site(site).name, &self.body.site(site).keys);
        // What is no question is reported where it is awaited as one.
        let Site { span: at, end, .. } = *self.body.site(site);
        let question = located_at(at, quote!(&#asked));
        let output = written_between([at, end], &step_slot, quote!(asked(#asked)));
        let tokens = braced(
            at,
            quote! {
                let #asked = #step;
                #held
                #frame.leave(#name, &[#(#keys),*], #holding, #question);
                #gone;
                #ties
                #output
            },
        );
        Written { tokens, ends: false }
    }

    /// Gathers what a site holds; some of it was encoded before, since a call took it.
    pub(super) fn holding(&self, site: SiteId, encoded: Encoded<'_>) -> TokenStream {
        let layout = &self.layouts[site.0];
        let (private, holding) = (private(), inner("holding"));
        let is_known = |local: &LocalId| encoded.passed.contains(local) || encoded.received.contains(local);
        let is_lent = |local: &LocalId| self.body.local(*local).way == Way::Lent;
        let lent = layout.held.iter().filter(|local| is_lent(local) && !is_known(local));
        // Innermost first: a borrow of a part ends before the borrow of the whole is looked at.
        let borrows: BTreeSet<_> = layout.rebuilt.iter().chain(lent).copied().collect();
        let borrows = borrows.into_iter().rev().map(|local| {
            let name = &self.body.local(local).name;
            if layout.held.contains(&local) {
                let (passed, encoded) = (passed(local), self.encoded(site, local));
                return quote!(let #passed = #encoded;);
            }
            let touch = located_at(name.span(), quote!(#private::touch(&#name);));
            if self.is_named(site, local) { touch } else { TokenStream::new() }
        });
        // First: an iterator may borrow one of the locals mutably.
        let positions =
            layout.held.iter().filter(|local| self.body.positions.contains_key(local)).map(|local| {
                let (given, name) = (given(*local), &self.body.local(*local).name);
                quote!(let #given = #name.given();)
            });
        let holds = layout.held.iter().map(|local| {
            if encoded.passed.contains(local) || is_lent(local) && !is_known(local) {
                let passed = passed(*local);
                return quote!(#holding.passed(#passed););
            }
            if encoded.received.contains(local) {
                let (received, held) = (received(*local), self.hold(site, *local, &holding));
                return quote! {
                    match #received {
                        #private::Received::Taken(passed) => #holding.passed(passed),
                        #private::Received::Stays(there) => {
                            #private::stays(there);
                            #held
                        }
                    }
                };
            }
            self.hold(site, *local, &holding)
        });
        quote! {
            let mut #holding = #private::Holding::new();
            #(#positions)*
            #(#borrows)*
            #(#holds)*
        }
    }

    /// Dead code that ties the types of a site's locals to their slots.
    pub(super) fn ties(&self, site: SiteId) -> TokenStream {
        let layout = &self.layouts[site.0];
        let declared = layout.declared.iter().filter(|local| self.is_named(site, **local));
        layout.held.iter().chain(declared).map(|local| self.tie(site, *local)).collect()
    }

    fn is_named(&self, site: SiteId, local: LocalId) -> bool {
        self.body.site(site).scope.get(&local) != Some(&Named::Shadowed)
    }

    /// A local's name at a site, or an alias where the name means another local.
    pub(super) fn expression_for(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (name, alias) = (&self.body.local(id).name, alias(id));
        if self.is_named(site, id) {
            return quote!(#name);
        }
        if let Some(reborrow) = self.reborrow_of(id, site) {
            let name = &self.body.local(reborrow).name;
            return quote!(*#name);
        }
        quote!(*#alias)
    }

    fn reborrow_of(&self, id: LocalId, site: SiteId) -> Option<LocalId> {
        self.body.reborrow_of(id, site, |local| self.layouts[site.0].rebuilt.contains(&local))
    }

    /// Borrows of what these bindings shadow, for the suspensions in their scope that hold it.
    pub(super) fn aliases(&self, binds: &[LocalId]) -> TokenStream {
        self.aliases_of(binds, |_| true)
    }

    /// The same, when the bindings are made again at a site.
    pub(super) fn aliases_at(&self, binds: &[LocalId], site: SiteId) -> TokenStream {
        let layout = &self.layouts[site.0];
        self.aliases_of(binds, |local| layout.held.contains(&local) || layout.rebuilt.contains(&local))
    }

    fn aliases_of(&self, binds: &[LocalId], there: impl Fn(LocalId) -> bool) -> TokenStream {
        let shadowed = binds.iter().filter_map(|bind| {
            let Local { shadows, reborrows, .. } = self.body.local(*bind);
            shadows
                .filter(|shadowed| *reborrows != Some(*shadowed))
                .filter(|shadowed| self.is_held_shadowed(*shadowed, *bind))
        });
        let shadowed = shadowed.filter(|local| !binds.contains(local) && there(*local));
        shadowed
            .map(|local| {
                let (alias, name) = (alias(local), &self.body.local(local).name);
                quote!(let #alias = &#name;)
            })
            .collect()
    }

    /// Whether a suspension in the scope of the binding holds the local.
    fn is_held_shadowed(&self, local: LocalId, bind: LocalId) -> bool {
        let layouts = self.layouts.iter().enumerate();
        // Where a mutable borrow of it is at hand, it is read through that one.
        layouts.into_iter().map(|(site, layout)| (SiteId(site), layout)).any(|(site, layout)| {
            layout.held.contains(&local)
                && self.body.site(site).scope.contains_key(&bind)
                && !self.is_named(site, local)
                && self.reborrow_of(local, site).is_none()
        })
    }

    fn hold(&self, site: SiteId, id: LocalId, holding: &Ident) -> TokenStream {
        let local = self.body.local(id);
        let (value, text) = (self.expression_for(site, id), self.name_of(id));
        let name = &local.name;
        match local.kind {
            LocalKind::Iterator if self.body.positions.contains_key(&id) => {
                let given = given(id);
                quote!(#holding.local(#text, &#given);)
            }
            LocalKind::Iterator => located_at(name.span(), quote!(#holding.iterator(#text, #name);)),
            _ if self.is_advanced(site, id) => {
                let chosen = advanced(name);
                located_at(name.span(), quote!(#holding.advanced(#text, #chosen);))
            }
            _ if local.way == Way::Lent => {
                let encoded = self.encoded(site, id);
                quote!(#holding.passed(#encoded);)
            }
            _ => located_at(name.span(), quote!(#holding.local(#text, &#value);)),
        }
    }

    /// A local as it is.
    pub(super) fn encoded(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (value, text) = (self.expression_for(site, id), self.name_of(id));
        let (private, Local { name, way, untyped, .. }) = (private(), self.body.local(id));
        let encoded = if *untyped {
            let slot = slot(site, id);
            quote!(#private::Passed::by_slot(#text, &#value, &#slot))
        } else if *way == Way::Lent {
            let chosen = lent(&value, &text);
            quote!(#chosen.encoded())
        } else {
            quote!(#private::Passed::new(#text, &#value))
        };
        located_at(name.span(), encoded)
    }

    /// Dead code that ties the slots of locals that were untyped at first, where all was done with them.
    pub(super) fn ties_of_untyped(&self, ids: &[LocalId]) -> TokenStream {
        let ties = ids.iter().map(|id| {
            let (name, chosen) = (&self.body.local(*id).name, inner("chosen"));
            let sites = (0..self.layouts.len()).map(SiteId).filter(|site| {
                let layout = &self.layouts[site.0];
                layout.held.contains(id) || layout.declared.contains(id)
            });
            let slots: Vec<_> = sites.map(|site| slot(site, *id)).collect();
            let lent = lent(&quote!(#name), &self.name_of(*id));
            let typed = Lifetime::new("'__typed", Span::mixed_site());
            let ties = quote! {
                #typed: {
                    break #typed;
                    let #chosen = #lent;
                    #(#slots.of_lent(&#chosen);)*
                }
            };
            if slots.is_empty() { TokenStream::new() } else { located_at(name.span(), ties) }
        });
        ties.collect()
    }

    /// Whether a local may be an iterator; one that has no name can only be read.
    fn is_advanced(&self, site: SiteId, id: LocalId) -> bool {
        self.body.local(id).way == Way::Advanced && self.is_named(site, id)
    }

    /// Whether a local's type says in which way it travels.
    fn is_chosen(&self, site: SiteId, id: LocalId) -> bool {
        let Local { kind, way, .. } = self.body.local(id);
        let is_owned_loop = *kind == LocalKind::Iterator && !self.body.positions.contains_key(&id);
        is_owned_loop || *way == Way::Lent || self.is_advanced(site, id)
    }

    fn tie(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (slot, name) = (slot(site, id), &self.body.local(id).name);
        if self.body.positions.contains_key(&id) {
            return quote!(#slot.of(&#name.given()););
        }
        if self.body.local(id).kind == LocalKind::Iterator {
            return located_at(name.span(), quote!(#slot.of_iterator(&#name);));
        }
        if self.is_advanced(site, id) {
            let chosen = advanced(name);
            return quote!(#slot.of_advanced(&#chosen););
        }
        let value = self.expression_for(site, id);
        if self.body.local(id).way == Way::Lent {
            if self.body.local(id).untyped && !self.prune {
                return TokenStream::new();
            }
            if self.prune {
                return quote!(#slot.of_again(&#value););
            }
            let chosen = lent(&value, &self.name_of(id));
            return located_at(name.span(), quote!(#slot.of_lent(&#chosen);));
        }
        quote!(#slot.of(&#value);)
    }

    /// Takes a site's held locals.
    pub(super) fn take(&self, site: SiteId) -> TokenStream {
        let (private, frame, taking) = (private(), frame(), inner("taking"));
        let layout = &self.layouts[site.0];
        let names: Vec<_> = layout.held.iter().map(|local| held(*local)).collect();
        let takes = layout.held.iter().map(|id| {
            let (slot, text, span) = (slot(site, *id), self.name_of(*id), self.body.local(*id).name.span());
            let take = match self.body.local(*id).way {
                _ if self.is_chosen(site, *id) => quote!(saved),
                Way::Text => quote!(text),
                _ => quote!(local),
            };
            // On the author's token, as the other side: rustc reports a type that cannot travel once.
            located_at(span, quote!(#taking.#take(#text, &#slot)))
        });
        let gone = gone();
        let chosen = layout.held.iter().filter(|id| self.is_chosen(site, **id));
        let loads = chosen.map(|id| {
            let (slot, held, home) = (slot(site, *id), held(*id), home(*id));
            quote! {
                let mut #home = #private::None;
                let #held = #slot.load(#held, &mut #home);
            }
        });
        quote! {
            let mut #taking = #frame.held();
            #(let #names = #takes;)*
            let (#(#private::Some(#names),)* #private::Some(())) = (#(#names,)* #taking.end()) else {
                #frame.stale();
                #gone;
            };
            #(#loads)*
        }
    }

    /// Takes a question's answer. Of a call nothing comes but from the called saga.
    pub(super) fn take_answer(&self, site: SiteId) -> Option<TokenStream> {
        let (frame, step_slot, answer) = (frame(), step_slot(site), inner("answer"));
        let (private, gone) = (private(), gone());
        let given = located_at(self.body.site(site).span, quote!(#frame.answer(&#step_slot)));
        let answer = quote! {
            let #answer = match #given {
                #private::Some(#answer) => (#answer,),
                #private::None => #gone,
            };
        };
        self.body.site(site).calls.is_none().then_some(answer)
    }

    /// Binds again what some of a scope's locals were at the site: derived, held, or without a value yet.
    pub(super) fn rebind(&self, binds: &[LocalId], site: SiteId) -> TokenStream {
        let (frame, gone) = (frame(), gone());
        let layout = &self.layouts[site.0];
        let mut tokens = self.aliases_at(binds, site);
        for group in self.groups_of(binds, |local| layout.rebuilt.contains(&local)) {
            let Group { pattern, rebuild } = self.body.group(group);
            if let Some(Rebuild { source, .. }) = rebuild {
                tokens.extend(quote!(let #pattern = (#source) else { #frame.stale(); #gone; };));
            }
        }
        tokens.extend(self.rebind_values(binds, site));
        tokens
    }

    /// The groups of those of the locals, each once.
    pub(super) fn groups_of(&self, binds: &[LocalId], wanted: impl Fn(LocalId) -> bool) -> Vec<GroupId> {
        let mut groups = Vec::new();
        for group in
            binds.iter().filter(|local| wanted(**local)).filter_map(|local| self.body.local(*local).group)
        {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    /// The part of [`Writer::rebind`] that derives nothing.
    pub(super) fn rebind_values(&self, binds: &[LocalId], site: SiteId) -> TokenStream {
        let layout = &self.layouts[site.0];
        let mut tokens = TokenStream::new();
        for id in binds {
            let local = self.body.local(*id);
            let (name, held) = (&local.name, held(*id));
            if layout.held.contains(id) {
                let mutable = local.mutable.then(|| quote!(mut));
                tokens.extend(quote!(let #mutable #name = #held;));
            } else if layout.declared.contains(id) {
                let slot = slot(site, *id);
                let annotation = local.annotation.as_ref().map(|annotation| quote!(: #annotation));
                // The branch is never taken: it says what type the local has, where its later values do not. One
                // whose name means another at the site could not be tied there: any type does if it has none.
                let value = match self.is_named(site, *id) {
                    true if self.is_chosen(site, *id) => quote!(#slot.absent_again()),
                    true => quote!(#slot.absent()),
                    false => unreachable(),
                };
                tokens.extend(quote!(let mut #name #annotation; if false { #name = #value; }));
            }
        }
        tokens
    }

    /// Parameters that the function changes travel like other locals.
    pub(super) fn rebind_parameters(&self, site: SiteId) -> TokenStream {
        let locals = self.body.locals.iter().enumerate();
        let parameters = locals.filter(|(_, local)| local.kind == LocalKind::Parameter && !local.supplied);
        let held = &self.layouts[site.0].held;
        let parameters = parameters.map(|(index, _)| LocalId(index)).filter(|id| held.contains(id));
        self.rebind_values(&parameters.collect::<Vec<_>>(), site)
    }

    /// A local's name as people see it, and as the layout compares it.
    pub(super) fn name_of(&self, id: LocalId) -> String {
        let local = self.body.local(id);
        match local.kind {
            LocalKind::Iterator => "(loop)".to_owned(),
            LocalKind::Temporary => "(value)".to_owned(),
            LocalKind::Parameter | LocalKind::Bound | LocalKind::Reference => local.name.to_string(),
        }
    }
}

/// Takes a local that may be an iterator, as it travels.
fn advanced(name: &Ident) -> TokenStream {
    let private = private();
    quote!({
        use #private::{ChooseItself as _, ChooseNothing as _, ChoosePeekable as _, ChooseRemaining as _};
        (&&&#private::Advanced::new(&#private::advanced(#name))).choose()
    })
}

/// Encodes a local that may be a shared reference, as it travels.
fn lent(value: &TokenStream, name: &str) -> TokenStream {
    let private = private();
    quote!({
        use #private::{LendItself as _, LendNothing as _, LendShown as _};
        (&&#private::Lending::new(&#value)).choose(#name)
    })
}
