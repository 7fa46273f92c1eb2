//! What reads a local at a site: its name or, where that means another local, a borrow that was made before.

use proc_macro2::TokenStream;
use quote::quote;

use super::Writer;
use super::names::alias;
use crate::tree::{Local, LocalId, Named, SiteId};

impl Writer<'_> {
    pub(super) fn is_named(&self, site: SiteId, local: LocalId) -> bool {
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

    pub(super) fn aliases_of(&self, binds: &[LocalId], there: impl Fn(LocalId) -> bool) -> TokenStream {
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
}
