//! The two sides of a suspension: leaving with what is held, and taking it again.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Expr, Ident, Index, Member};

use super::closure::closures;
use super::names::{
    braced, frame, given, gone, held, home, inner, left_received, located_at, passed, private, received,
    slot, step_slot, written_between,
};
use super::{Writer, Written};
use crate::analysis::layout::SiteLayout;
use crate::analysis::parts::Parts;
use crate::tree::{Group, GroupId, LocalId, Rebuild, Site, SiteId, Way};

/// Locals of a call that may be gone after it, and were encoded before.
#[derive(Clone, Copy, Default)]
pub(super) struct Encoded<'a> {
    /// Those that it takes.
    pub(super) passed: &'a [LocalId],
    /// Those that methods are called on, which may be there still.
    pub(super) received: &'a [LocalId],
    /// The same of parts of which others may be gone, each by its place among those of the site.
    pub(super) left: &'a [usize],
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
        let may_borrow = |local: &&LocalId| self.is_chosen(**local) && !is_known(local);
        let borrowing: BTreeSet<_> = layout.held.iter().filter(may_borrow).copied().collect();
        // Innermost first: a borrow of a part ends before the borrow of the whole is looked at.
        let borrows: Vec<_> = layout.borrowing.union(&borrowing).copied().collect();
        let borrows = borrows.into_iter().rev().map(|local| {
            if borrowing.contains(&local) {
                let (passed, encoded) = (passed(local), self.chosen(site, local));
                return quote!(let #passed = #encoded;);
            }
            let (name, span) = (self.expression_for(site, local), self.body.local(local).name.span());
            located_at(span, quote!(#private::touch(&#name);))
        });
        // First: an iterator may borrow one of the locals mutably.
        let positions =
            layout.held.iter().filter(|local| self.body.positions.contains_key(local)).map(|local| {
                let (given, name) = (given(*local), &self.body.local(*local).name);
                quote!(let #given = #name.given();)
            });
        let holds = layout.held.iter().map(|local| {
            if encoded.passed.contains(local) || borrowing.contains(local) {
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
        let again = layout.again.keys().map(|local| {
            let (passed, received, now) = (passed(*local), received(*local), self.hold_again(site, *local));
            if encoded.passed.contains(local) {
                return quote!(#holding.again(#passed););
            }
            if !encoded.received.contains(local) {
                return quote!(#holding.again(#now););
            }
            received_or(&received, &holding, &quote!(#holding.again(#now);))
        });
        let left = left(layout).enumerate().map(|(index, (local, fields))| {
            let now = self.hold_left(site, local, fields);
            let again = quote!(#holding.again(#now););
            if encoded.left.contains(&index) {
                received_or(&left_received(index), &holding, &again)
            } else {
                again
            }
        });
        quote! {
            let mut #holding = #private::Holding::new();
            #(#positions)*
            #(#borrows)*
            #(#holds)*
            #(#again)*
            #(#left)*
        }
    }

    /// A parameter that comes again, encoded if its type says that it may be another.
    pub(super) fn hold_again(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (value, text) = (self.expression_for(site, id), self.name_of(id));
        let private = private();
        again(&value, &self.layouts[site.0].again[&id], &quote!(hold(#text)), &quote!(#private::None))
    }

    /// A part of a parameter of which another part may be gone.
    pub(super) fn hold_left(&self, site: SiteId, id: LocalId, fields: &[String]) -> TokenStream {
        let (value, name, uses) = (self.expression_for(site, id), self.name_of(id), choices());
        let (part, text) = (choice(&part_of(&value, fields)), format!("{name}.{}", fields.join(".")));
        quote!({ #uses #part.hold(#text) })
    }

    /// Dead code that ties the types of a site's locals to their slots.
    pub(super) fn ties(&self, site: SiteId) -> TokenStream {
        let layout = &self.layouts[site.0];
        let closures = closures(self.body, layout).map(|local| self.tie_closure(site, local));
        layout
            .held
            .iter()
            .chain(&layout.declared)
            .map(|local| self.tie(site, *local))
            .chain(closures)
            .collect()
    }

    /// Takes a site's held locals.
    pub(super) fn take(&self, site: SiteId) -> TokenStream {
        let (private, frame, taking) = (private(), frame(), inner("taking"));
        let layout = &self.layouts[site.0];
        let names: Vec<_> = layout.held.iter().map(|local| held(*local)).collect();
        let takes = layout.held.iter().map(|id| {
            let (slot, text, span) = (slot(site, *id), self.name_of(*id), self.refused_at(*id));
            let take = match self.body.local(*id).way {
                _ if self.is_chosen(*id) => quote!(saved),
                Way::Text => quote!(text),
                _ => quote!(local),
            };
            // On the author's token, as the other side: rustc reports a type that cannot travel once.
            located_at(span, quote!(#taking.#take(#text, &#slot)))
        });
        let gone = gone();
        let changed: Vec<_> = layout.again.keys().map(|id| held(*id)).collect();
        let puts_again = layout.again.keys().zip(&changed).map(|(id, changed)| {
            let name = &self.body.local(*id).name;
            // It is `mut` in the machine's signature, since no `let` declares it.
            let declared = (name != "self").then(|| quote!(let));
            quote!(#declared #name = #changed.unwrap_or(#name);)
        });
        let takes_again = layout.again.iter().map(|(id, parts)| {
            let (name, text) = (&self.body.local(*id).name, self.name_of(*id));
            let otherwise = quote!(#private::Some(#private::None));
            again(&quote!(#name), parts, &quote!(take(&mut #taking, #text)), &otherwise)
        });
        let (mut left, mut takes_left, mut puts_left) = (Vec::new(), Vec::new(), TokenStream::new());
        let (there, now) = (inner("there"), inner("now"));
        for (id, parts) in &layout.left {
            let (name, text, uses) = (&self.body.local(*id).name, self.name_of(*id), choices());
            if name != "self" {
                puts_left.extend(quote!(#[allow(unused_mut, reason = "its type may say that nothing changes")] let mut #name = #name;));
            }
            for fields in parts {
                let came = Ident::new(&format!("__left{}", left.len()), Span::mixed_site());
                let (place, text) = (part_of(&quote!(#name), fields), format!("{text}.{}", fields.join(".")));
                let part = choice(&place);
                takes_left.push(quote!({ #uses #part.part(&mut #taking, #text) }));
                puts_left.extend(quote! {
                    if let #private::Part::Changed(#there, #now) = #came {
                        #private::stays(#there);
                        #place = #now;
                    }
                });
                left.push(came);
            }
        }
        let chosen = layout.held.iter().filter(|id| self.is_chosen(**id));
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
            #(let #changed = #takes_again;)*
            #(let #left = #takes_left;)*
            let (#(#private::Some(#names),)* #(#private::Some(#changed),)* #(#private::Some(#left),)* #private::Some(())) =
                (#(#names,)* #(#changed,)* #(#left,)* #taking.end())
            else {
                #frame.stale();
                #gone;
            };
            #(#loads)*
            #(#puts_again)*
            #puts_left
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
        let mut tokens = self.aliases(binds);
        let groups = self.groups_of(binds, |local| layout.rebuilt.contains(&local));
        let parts = groups.iter().filter_map(|group| {
            let Group { pattern, rebuild } = self.body.group(*group);
            rebuild.as_ref().map(|Rebuild { source, .. }| (pattern, source))
        });
        let (patterns, sources): (Vec<_>, Vec<_>) = parts.unzip();
        let (pattern, source) = match (&patterns[..], &sources[..]) {
            ([pattern], [source]) => (quote!(#pattern), quote!((#source))),
            // At once: what one of them borrows may have the name that another one binds.
            _ => (quote!((#(#patterns,)*)), quote!((#(#sources,)*))),
        };
        if !patterns.is_empty() {
            tokens.extend(quote!(let #pattern = #source else { #frame.stale(); #gone; };));
        }
        let is_bound =
            |local: &LocalId| self.body.local(*local).group.is_some_and(|group| groups.contains(&group));
        let closures = closures(self.body, layout).filter(is_bound);
        tokens.extend(closures.map(|local| self.tie_closure(site, local)));
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
                // The branch is never taken: it says what type the local has, where its later values do not.
                let value =
                    if self.is_chosen(*id) { quote!(#slot.absent_again()) } else { quote!(#slot.absent()) };
                tokens.extend(quote!(let mut #name #annotation; if false { #name = #value; }));
            }
        }
        tokens
    }

    /// Parameters that the function changes travel like other locals.
    pub(super) fn rebind_parameters(&self, site: SiteId) -> TokenStream {
        let held = &self.layouts[site.0].held;
        let parameters = (0..self.body.parameters).map(LocalId).filter(|id| held.contains(id));
        self.rebind_values(&parameters.collect::<Vec<_>>(), site)
    }
}

/// The parts of parameters of which others may be gone at a site.
pub(super) fn left(layout: &SiteLayout) -> impl Iterator<Item = (LocalId, &Vec<String>)> {
    layout.left.iter().flat_map(|(local, parts)| parts.iter().map(|fields| (*local, fields)))
}

/// Holds what a call took, and was encoded before; else as it is `now`.
fn received_or(received: &Ident, holding: &Ident, now: &TokenStream) -> TokenStream {
    let private = private();
    quote! {
        match #received {
            #private::Received::Taken(passed) => #holding.again(passed),
            #private::Received::Stays(there) => {
                #private::stays(there);
                #now
            }
        }
    }
}

/// Chooses by the parameter's type whether it travels, for something in these parts of it may be another. Where that is
/// so by no part's type, it need not.
fn again(value: &TokenStream, parts: &Parts, travels: &TokenStream, otherwise: &TokenStream) -> TokenStream {
    let (uses, whole) = (choices(), choice(value));
    if parts.iter().any(Vec::is_empty) {
        return quote!({ #uses #whole.#travels });
    }
    let parts = parts.iter().map(|fields| choice(&part_of(value, fields)));
    quote!({
        #uses
        if #(#parts.may_change())||* { #whole.#travels } else { #otherwise }
    })
}

fn choice(place: &TokenStream) -> TokenStream {
    let private = private();
    quote!((&&&#private::Again::new(&#place)))
}

fn choices() -> TokenStream {
    let private = private();
    quote!(use #private::{AgainAsGiven as _, AgainAsItWas as _, AgainChanged as _};)
}

fn part_of(value: &TokenStream, fields: &[String]) -> TokenStream {
    let fields = fields.iter().map(|name| member(name));
    quote!(#value #(.#fields)*)
}

/// A field by its name, which may be a keyword's.
fn member(name: &str) -> Member {
    let at = Span::call_site();
    match name.parse() {
        Ok(index) => Member::Unnamed(Index { index, span: at }),
        Err(_) => Member::Named(syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, at))),
    }
}
