//! What names a local at a site: its name or, where that means another local, a macro that was defined before. What a
//! macro's own tokens mean is settled where it is defined (macros by example, hygiene).

use proc_macro2::TokenStream;
use quote::quote;

use super::Writer;
use super::names::alias;
use crate::tree::{LocalId, Named, SiteId};

impl Writer<'_> {
    /// A local's name at a site, or an alias where the name means another local.
    pub(super) fn expression_for(&self, site: SiteId, id: LocalId) -> TokenStream {
        if self.is_named(site, id) {
            let name = &self.body.local(id).name;
            return quote!(#name);
        }
        let alias = alias(id);
        quote!(#alias!())
    }

    fn is_named(&self, site: SiteId, local: LocalId) -> bool {
        self.body.site(site).scope.get(&local) != Some(&Named::Shadowed)
    }

    /// Aliases of what these bindings shadow, for the sites in their scope that need it. They stand before the bindings.
    pub(super) fn aliases(&self, binds: &[LocalId]) -> TokenStream {
        let shadowed = binds.iter().filter_map(|bind| {
            self.body.local(*bind).shadows.filter(|shadowed| self.is_needed_shadowed(*shadowed, *bind))
        });
        shadowed
            .map(|local| {
                let (alias, name) = (alias(local), &self.body.local(local).name);
                quote!(macro_rules! #alias { () => { #name } })
            })
            .collect()
    }

    /// Whether a site in the scope of the binding needs the local.
    fn is_needed_shadowed(&self, local: LocalId, bind: LocalId) -> bool {
        self.layouts.iter().enumerate().any(|(index, layout)| {
            let site = SiteId(index);
            layout.needs(local)
                && self.body.site(site).scope.contains_key(&bind)
                && !self.is_named(site, local)
        })
    }
}
