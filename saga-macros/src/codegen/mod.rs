//! Code generation: tree and layout → items. It has nothing left to refuse.
//!
//! The machine is one function with one `match`: an arm for the start, and one for each site. The arm of the start
//! is the author's function, in which a suspension leaves and never returns. The arm of a site takes the held
//! locals and goes on *inside* the same tree: what encloses the suspension is written out again from the inside to
//! the outside, a block as its remaining statements, a loop as the rest of its iteration and then the loop.
//! Nothing is dispatched within a transition, so that borrows live as the author wrote them.
//!
//! ```text
//! [source]  for region in &target.regions { let ok = elicit(region).await?; deploy(region, ok); } done()
//!
//! [start]   for region in &target.regions { let ok = leave(..)?; deploy(region, ok); } done()
//! [ok]      let (target, it) = ..; let region = ..;
//!           { let ok = answer?; deploy(region, ok); }
//!           for region in it { let ok = leave(..)?; deploy(region, ok); }
//!           done()
//! ```
//!
//! Types come from rustc: the code after a `leave` is dead, so that rustc types it and does not check its borrows.
//! There the held locals are tied to *slots*, of whose types the arms of the sites take them.

mod enter;
mod flow;
mod item;
pub(crate) mod names;
mod resume;
mod suspend;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Lifetime};

pub(crate) use self::flow::flow;
pub(crate) use self::item::{tool, twin};
use crate::analysis::layout::SiteLayout;
use crate::tree::Body;

/// Writes one arm of the machine.
struct Writer<'a> {
    body: &'a Body,
    layouts: &'a [SiteLayout],
    /// Whether to leave out what cannot be reached. The arm of the start is whole: it shows rustc every type.
    prune: bool,
    /// Loops of which the rest of an iteration is being written: a `continue` ends that rest.
    partial: Vec<(Lifetime, Lifetime)>,
    /// The labels that were left by a `break`.
    broken: BTreeSet<String>,
}

/// Tokens, and whether control can come out at their end.
struct Written {
    tokens: TokenStream,
    ends: bool,
}

impl Written {
    fn falling_through(tokens: TokenStream) -> Self {
        Self { tokens, ends: true }
    }
}

impl<'a> Writer<'a> {
    fn new(body: &'a Body, layouts: &'a [SiteLayout], prune: bool) -> Self {
        Self { body, layouts, prune, partial: Vec::new(), broken: BTreeSet::new() }
    }

    /// Code without suspensions, as it was written; only a `continue` of a loop whose iteration is being finished
    /// ends that iteration instead.
    fn plain(&mut self, expr: &Expr) -> Written {
        let mut expr = expr.clone();
        if !self.partial.is_empty() {
            Continues { partial: &self.partial }.visit_expr_mut(&mut expr);
        }
        Breaks { broken: &mut self.broken }.visit_expr(&expr);
        let ends = !matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
        Written { tokens: quote!(#expr), ends }
    }
}

/// An expression with its marker replaced by other tokens.
fn fill(whole: &Expr, marker: &Ident, hole: &TokenStream) -> Expr {
    struct Fill<'a> {
        marker: &'a Ident,
        hole: &'a TokenStream,
    }
    impl VisitMut for Fill<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Path(path) if path.path.is_ident(self.marker) => {
                    let hole = self.hole;
                    *expr = Expr::Verbatim(quote!((#hole)));
                }
                other => visit_mut::visit_expr_mut(self, other),
            }
        }
        fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
            mac.tokens = fill_tokens(&mac.tokens, self.marker, self.hole);
        }
    }
    let mut whole = whole.clone();
    Fill { marker, hole }.visit_expr_mut(&mut whole);
    whole
}

fn fill_tokens(tokens: &TokenStream, marker: &Ident, hole: &TokenStream) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    let filled = tokens.clone().into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == *marker => quote!((#hole)),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), fill_tokens(&group.stream(), marker, hole));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    });
    filled.collect()
}

struct Continues<'a> {
    partial: &'a [(Lifetime, Lifetime)],
}

impl VisitMut for Continues<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Continue(jump) = expr
            && let Some(label) = &jump.label
            && let Some((_, rest)) = self.partial.iter().rev().find(|(of, _)| of.ident == label.ident)
        {
            *expr = syn::parse_quote!(break #rest);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

struct Breaks<'a> {
    broken: &'a mut BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Breaks<'_> {
    fn visit_expr_break(&mut self, jump: &'ast syn::ExprBreak) {
        self.broken.extend(jump.label.iter().map(|label| label.ident.to_string()));
        visit::visit_expr_break(self, jump);
    }
}
