//! Names that a macro of which nothing is known may bind: `let_assert!(Some(plan) = plans.first());`. No local of the
//! tree is behind such a name, so that it means nothing after a question.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{ExprPath, Macro};

use super::Lowerer;
use crate::parse::{macros, plain_name};
use crate::tree::{LocalId, LocalKind, Supply};

/// A name in a macro's call that means no local there.
pub(super) struct Unseen {
    name: String,
    /// How many sites stand before it.
    sites: usize,
}

impl Lowerer<'_> {
    /// Notes what a macro that is a statement may bind.
    pub(super) fn note_unseen(&mut self, mac: &Macro) {
        if macros::may_jump(mac) {
            let sites = self.sites.len();
            for name in bare_names(&mac.tokens) {
                match self.resolve(&name) {
                    Some(local) => self.hold_what_it_means(local),
                    None => self.unseen.push(Unseen { name, sites }),
                }
            }
        }
    }

    /// A parameter that a macro may have bound anew, `shout!(name)`, would come again as it was: what its name means
    /// from here on travels instead. In an inner block it may mean another after the block.
    fn hold_what_it_means(&mut self, local: LocalId) {
        let is_functions_own = self.scopes.len() == 2;
        let local = &mut self.locals[local.0];
        if local.kind == LocalKind::Parameter && is_functions_own {
            local.supply = Supply::Never;
        }
    }

    /// Refuses a value whose name a macro before the last question seems to bind.
    pub(super) fn refuse_unseen(&mut self, path: &ExprPath) {
        if let Some(name) = path.path.get_ident() {
            self.refuse_unseen_name(&plain_name(name), path);
        }
    }

    /// The same of what a format string captures: `"{plan}"`.
    pub(super) fn refuse_unseen_captured(&mut self, mac: &Macro) {
        if !self.unseen.is_empty() {
            let text = mac.tokens.to_string();
            for name in macros::captured(&mac.tokens) {
                if text.contains(&format!("{{{name}")) {
                    self.refuse_unseen_name(&name, &mac.path);
                }
            }
        }
    }

    fn refuse_unseen_name(&mut self, name: &str, at: &impl ToTokens) {
        let sites = self.sites.len();
        let is_lost = |unseen: &Unseen| unseen.name == name && unseen.sites < sites;
        if self.unseen.iter().any(is_lost) && !self.is_in_scope(name) {
            self.unseen.retain(|unseen| unseen.name != name);
            self.diagnostics.error(
                at,
                format!(
                    "`{name}` seems to be bound by a macro before the question, of which the compiler knows nothing, \
                     so that it would not be there after it; bind it by a `let`: `let {name} = ..;`; if it is a \
                     function, name it with its path"
                ),
            );
        }
    }

    fn is_in_scope(&self, name: &str) -> bool {
        self.scopes.iter().flatten().any(|(known, _)| known == name)
    }
}

/// The names among the tokens that may be those of locals: not what is called, and, by Rust's naming, no constants.
fn bare_names(tokens: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_called = matches!(tokens.peek(), Some(TokenTree::Group(_)));
        match token {
            TokenTree::Group(group) => names.extend(bare_names(&group.stream())),
            TokenTree::Ident(name) if !is_called => {
                let name = plain_name(&name);
                names.extend(Some(name).filter(|name| !name.starts_with(char::is_uppercase)));
            }
            _ => {}
        }
    }
    names
}
