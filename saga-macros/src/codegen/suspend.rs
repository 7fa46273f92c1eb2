//! The two sides of a suspension: leaving with what is held, and taking it again.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Ident};

use super::names::{frame, held, inner, private, slot, step_slot};
use super::{Writer, Written};
use crate::tree::{LocalId, LocalKind, SiteId};

impl Writer<'_> {
    /// Leaves at a site. The dead code after it ties types, and has the type that the await had.
    pub(super) fn leave(&mut self, site: SiteId, step: &Expr) -> Written {
        let layout = &self.layouts[site.0];
        let (private, frame, asked, holding) = (private(), frame(), inner("asked"), inner("holding"));
        let Written { tokens: step, .. } = self.plain(step);
        let touches = layout.rebuilt.iter().map(|local| {
            let name = &self.body.local(*local).name;
            quote_spanned!(name.span()=> #private::touch(&#name);)
        });
        let holds = layout.held.iter().map(|local| self.hold(*local, &holding));
        let ties = layout.held.iter().map(|local| self.tie(site, *local));
        let declared = layout.declared.iter().map(|local| self.tie(site, *local));
        let step_slot = step_slot(site);
        let (name, key) = (&self.body.site(site).name, &self.body.site(site).key);
        let tokens = quote!({
            let #asked = #step;
            let mut #holding = #private::Holding::new();
            #(#touches)*
            #(#holds)*
            match #frame.leave(#name, #key, #holding, &#asked).await {}
            #(#ties)*
            #(#declared)*
            #step_slot.asked(#asked)
        });
        Written { tokens, ends: false }
    }

    fn hold(&self, id: LocalId, holding: &Ident) -> TokenStream {
        let local = self.body.local(id);
        let (name, text) = (&local.name, self.name_of(id));
        match local.kind {
            LocalKind::Iterator if self.body.positions.contains_key(&id) => {
                quote!(#holding.local(#text, &#name.position());)
            }
            LocalKind::Iterator => quote!(#holding.iterator(#text, #name);),
            _ => quote_spanned!(name.span()=> #holding.local(#text, &#name);),
        }
    }

    fn tie(&self, site: SiteId, id: LocalId) -> TokenStream {
        let (slot, name) = (slot(site, id), &self.body.local(id).name);
        if self.body.positions.contains_key(&id) {
            return quote!(#slot.of(&#name.position()););
        }
        quote!(#slot.of(&#name);)
    }

    /// Takes a site's held locals and its answer.
    pub(super) fn take(&self, site: SiteId) -> TokenStream {
        let (private, frame, taking) = (private(), frame(), inner("taking"));
        let layout = &self.layouts[site.0];
        let names = layout.held.iter().map(|local| held(*local));
        let takes = layout.held.iter().map(|id| {
            let (slot, text, span) = (slot(site, *id), self.name_of(*id), self.body.local(*id).name.span());
            let take = match self.body.local(*id).kind {
                LocalKind::Iterator if !self.body.positions.contains_key(id) => quote!(iterator),
                _ => quote!(local),
            };
            quote_spanned!(span=> #taking.#take(#text, &#slot)?)
        });
        let (step_slot, answer) = (step_slot(site), inner("answer"));
        quote! {
            let mut #taking = #frame.held();
            let (#(#names,)*) = match (|| {
                let taken = (#(#takes,)*);
                #taking.end()?;
                #private::Some(taken)
            })() {
                #private::Some(taken) => taken,
                #private::None => match #frame.stale().await {},
            };
            let #answer = #frame.answer(&#step_slot).await;
        }
    }

    /// Binds again what some of a scope's locals were at the site: derived, held, or without a value yet.
    pub(super) fn rebind(&self, binds: &[LocalId], site: SiteId) -> TokenStream {
        let frame = frame();
        let layout = &self.layouts[site.0];
        let mut tokens = TokenStream::new();
        let derived = binds.iter().find(|local| layout.rebuilt.contains(local));
        if let Some(group) = derived.and_then(|local| self.body.local(*local).group) {
            let group = self.body.group(group);
            if let Some(rebuild) = &group.rebuild {
                let (pattern, source) = (&group.pattern, &rebuild.source);
                tokens.extend(quote!(let #pattern = #source else { match #frame.stale().await {} };));
            }
        }
        tokens.extend(self.rebind_values(binds, site));
        tokens
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
                tokens.extend(quote!(let mut #name #annotation; if false { #name = #slot.absent(); }));
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
