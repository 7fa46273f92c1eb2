//! Filling the hole of an expression.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, Ident, token};

/// The marker in parentheses, where an expression stood that the author wrote at this place: rustc reports what is
/// wrong with the value there, and not where the value that fills the hole was made up.
pub(crate) fn marked(marker: &Ident, at: Span) -> Expr {
    let expr = Box::new(syn::parse_quote!(#marker));
    Expr::Paren(ExprParen { attrs: Vec::new(), paren_token: token::Paren(at), expr })
}

/// An expression with another one where the marker stands.
pub(crate) fn fill(whole: &Expr, marker: &Ident, hole: &Expr) -> Expr {
    let mut whole = whole.clone();
    Fill { marker, hole }.visit_expr_mut(&mut whole);
    whole
}

struct Fill<'a> {
    marker: &'a Ident,
    hole: &'a Expr,
}

impl VisitMut for Fill<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) if path.path.is_ident(self.marker) => *expr = self.hole.clone(),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = fill_tokens(&mac.tokens, self.marker, &self.hole.to_token_stream());
    }
}

fn fill_tokens(tokens: &TokenStream, marker: &Ident, hole: &TokenStream) -> TokenStream {
    let filled = tokens.clone().into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == *marker => hole.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), fill_tokens(&group.stream(), marker, hole));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    });
    filled.collect()
}
