//! How one local travels from a site: what encodes it there, and what ties its slot to its type.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, Lifetime};

use super::Writer;
use super::names::{given, inner, located_at, private, slot};
use crate::parse::plain_name;
use crate::tree::{Local, LocalId, LocalKind, SiteId, Way};

impl Writer<'_> {
    pub(super) fn hold(&self, site: SiteId, id: LocalId, holding: &Ident) -> TokenStream {
        let local = self.body.local(id);
        let (value, text) = (self.expression_for(site, id), self.name_of(id));
        let name = &local.name;
        match local.kind {
            LocalKind::Iterator if self.body.positions.contains_key(&id) => {
                let given = given(id);
                quote!(#holding.local(#text, &#given);)
            }
            _ if self.is_chosen(id) => {
                let encoded = self.chosen(site, id);
                quote!(#holding.passed(#encoded);)
            }
            _ => located_at(name.span(), quote!(#holding.local(#text, &#value);)),
        }
    }

    /// A local whose type says in which way it travels; an iterator is drawn to its end.
    pub(super) fn chosen(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (value, text) = (self.expression_for(site, id), self.name_of(id));
        let (private, Local { name, kind, way, .. }) = (private(), self.body.local(id));
        if *kind == LocalKind::Iterator {
            return located_at(name.span(), quote!(#private::Passed::iterator(#text, #name)));
        }
        if *way == Way::Advanced {
            let chosen = self.advanced(site, id, &value);
            return located_at(self.refused_at(id), quote!(#private::Passed::advanced(#text, #chosen)));
        }
        self.encoded(site, id)
    }

    /// Where rustc reports that a local cannot travel: of an iterator that is advanced by hand where an item of it is, if
    /// that travels, too, since it reports a type once there.
    pub(super) fn refused_at(&self, id: LocalId) -> Span {
        let mut items = self.drawn_from(id, true);
        self.body.local(items.find(|item| self.is_held(*item)).unwrap_or(id)).name.span()
    }

    /// The items that were drawn from an iterator, or the parts of items.
    fn drawn_from(&self, iterator: LocalId, is_whole: bool) -> impl Iterator<Item = LocalId> {
        let drawn = self.body.drawn.iter();
        let drawn = drawn.filter(move |(_, it)| it.iterator == iterator && it.is_whole == is_whole);
        drawn.map(|(item, _)| *item)
    }

    /// Takes a local that may be an iterator, as it travels. Where a part of an item travels, too, and cannot, that is said
    /// of the part alone.
    fn advanced(&self, site: SiteId, id: LocalId, value: &TokenStream) -> TokenStream {
        let private = private();
        let parts = self.drawn_from(id, false).filter(|part| self.layouts[site.0].held.contains(part));
        let fine: TokenStream = parts
            .map(|part| {
                let fine = lending(&self.expression_for(site, part), &quote!(fine()));
                quote!(.and(#fine))
            })
            .collect();
        let chosen = advanced(value);
        if fine.is_empty() { chosen } else { quote!(#private::Fine #fine.said(#chosen)) }
    }

    /// Whether a local travels from any site.
    pub(super) fn is_held(&self, id: LocalId) -> bool {
        self.layouts.iter().any(|layout| layout.held.contains(&id))
    }

    /// A local as it is.
    pub(super) fn encoded(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (value, text) = (self.expression_for(site, id), self.name_of(id));
        let (private, Local { name, way, untyped, .. }) = (private(), self.body.local(id));
        // Where code is left out, what would say the local's type may be left out, too.
        let slot = slot(site, id);
        let encoded = if self.prune && (*untyped || *way == Way::Lent) {
            quote!(#slot.encoded(#text, &#value))
        } else if *untyped {
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
                };
            };
            if slots.is_empty() { TokenStream::new() } else { located_at(name.span(), ties) }
        });
        ties.collect()
    }

    /// Whether a local's type says in which way it travels.
    pub(super) fn is_chosen(&self, id: LocalId) -> bool {
        let Local { kind, way, .. } = self.body.local(id);
        let is_owned_loop = *kind == LocalKind::Iterator && !self.body.positions.contains_key(&id);
        is_owned_loop || matches!(way, Way::Lent | Way::Advanced)
    }

    pub(super) fn tie(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (slot, name) = (slot(site, id), &self.body.local(id).name);
        if self.body.positions.contains_key(&id) {
            return quote!(#slot.of(&#name.given()););
        }
        if self.body.local(id).kind == LocalKind::Iterator {
            return located_at(name.span(), quote!(#slot.of_iterator(&#name);));
        }
        let value = self.expression_for(site, id);
        if self.body.local(id).way == Way::Advanced {
            let chosen = self.advanced(site, id, &value);
            let of = if self.prune { quote!(tied_advanced) } else { quote!(of_advanced) };
            return located_at(name.span(), quote!(#slot.#of(&#chosen);));
        }
        if self.body.local(id).way == Way::Lent {
            if self.body.local(id).untyped && !self.prune {
                return TokenStream::new();
            }
            if self.prune {
                return located_at(name.span(), quote!(#slot.tied_again(&#value);));
            }
            let chosen = lent(&value, &self.name_of(id));
            return located_at(name.span(), quote!(#slot.of_lent(&#chosen);));
        }
        let of = if self.prune { quote!(tied) } else { quote!(of) };
        located_at(name.span(), quote!(#slot.#of(&#value);))
    }

    /// A local's name as people see it, and as the layout compares it.
    pub(super) fn name_of(&self, id: LocalId) -> String {
        let local = self.body.local(id);
        match local.kind {
            LocalKind::Iterator => "(loop)".to_owned(),
            LocalKind::Temporary => "(value)".to_owned(),
            LocalKind::Parameter | LocalKind::Bound | LocalKind::Reference => plain_name(&local.name),
        }
    }
}

/// Takes a local that may be an iterator, as it travels.
fn advanced(value: &TokenStream) -> TokenStream {
    let private = private();
    quote!({
        use #private::{ChooseItself as _, ChooseNothing as _, ChoosePeekable as _, ChooseRemaining as _};
        use #private::{ChooseShown as _, ChooseShownPeekable as _, ChooseTwice as _, ChooseTwicePeekable as _};
        use #private::{ChooseRefused as _, ChooseRefusedPeekable as _};
        (&&&&&&&&#private::Advanced::new(&#private::advanced(#value))).choose()
    })
}

/// Encodes a local that may be a shared reference, as it travels.
fn lent(value: &TokenStream, name: &str) -> TokenStream {
    lending(value, &quote!(choose(#name)))
}

/// Chooses how a local travels that may be a shared reference.
pub(super) fn lending(value: &impl ToTokens, choice: &TokenStream) -> TokenStream {
    let private = private();
    quote!({
        use #private::{LendItself as _, LendNothing as _, LendShown as _, LendTwice as _};
        (&&&#private::Lending::new(&#value)).#choice
    })
}
