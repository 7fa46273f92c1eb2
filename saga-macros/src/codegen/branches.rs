//! Values of branches: of `if on { 1_u8 } else { elicit(..).await?; 2 }` the arm of the site has one branch alone, which says
//! less of the type than both. The locals that are bound to such a value are tied to slots of their own, in code that
//! never runs.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Lifetime;

use super::Writer;
use super::names::bound_slot;
use crate::tree::{Concern, Let, LocalId, Node, Statement};

impl Writer<'_> {
    /// Ties the locals of a `let` whose value is one of several branches. The arm of the start, which has them all,
    /// decides which.
    pub(super) fn ties_of_branches(&mut self, statement: &Let, init: &TokenStream) -> TokenStream {
        let has_branches = statement.init.as_ref().is_some_and(|init| init.suspends() && has_branches(init));
        if !has_branches {
            return TokenStream::new();
        }
        if !self.prune && !has_closure(init) {
            let of_a_closure = |id: &LocalId| self.body.local(*id).concern == Some(Concern::Closure);
            self.branched.extend(statement.binds.iter().filter(|id| !of_a_closure(id)));
        }
        let tied: Vec<_> = statement.binds.iter().filter(|id| self.branched.contains(id)).collect();
        if tied.is_empty() {
            return TokenStream::new();
        }
        let slots = tied.iter().map(|id| bound_slot(**id));
        let names = tied.iter().map(|id| &self.body.local(**id).name);
        let never = Lifetime::new("'__never", Span::mixed_site());
        quote!(#never: { break #never; #(#slots.of(&#names);)* })
    }
}

/// Whether a value comes from one of several branches.
fn has_branches(node: &Node) -> bool {
    match node {
        Node::If(_) | Node::Match(_) | Node::Block { label: Some(_), .. } => true,
        Node::Block { label: None, block } => match block.statements.last() {
            Some(Statement::Expression { node, semicolon: None }) => has_branches(node),
            _ => false,
        },
        Node::Apply(apply) => {
            has_branches(&apply.hole) || apply.temporaries.iter().any(|one| has_branches(&one.value))
        }
        _ => false,
    }
}

/// Whether there is a closure or an `async` block, which is of a type of its own wherever it is written.
fn has_closure(tokens: &TokenStream) -> bool {
    let mut before: Option<TokenTree> = None;
    for token in tokens.clone() {
        let starts = match &before {
            None => true,
            Some(TokenTree::Punct(punct)) => punct.as_char() != '|',
            Some(TokenTree::Ident(word)) => {
                ["move", "return", "break", "else", "in"].iter().any(|known| word == known)
            }
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
            Some(TokenTree::Literal(_)) => false,
        };
        let found = match &token {
            TokenTree::Punct(punct) => punct.as_char() == '|' && starts,
            TokenTree::Ident(word) => word == "async",
            TokenTree::Group(group) => has_closure(&group.stream()),
            TokenTree::Literal(_) => false,
        };
        if found {
            return true;
        }
        before = Some(token);
    }
    false
}
