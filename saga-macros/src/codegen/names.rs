//! Every path that generated code names, absolute, and every name that it makes.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Ident, Lifetime};

use crate::parse::Parameter;
use crate::tree::{LocalId, SiteId};

/// The runtime's items for generated code.
pub(crate) fn private() -> TokenStream {
    quote!(::saga_runtime::__private)
}

/// Tokens that rustc reports at the author's token. Their names keep their meaning.
pub(crate) fn located_at(span: Span, tokens: TokenStream) -> TokenStream {
    let located = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            let mut inner = Group::new(group.delimiter(), located_at(span, group.stream()));
            inner.set_span(group.span());
            token = inner.into();
        }
        token.set_span(token.span().located_at(span));
        token
    });
    located.collect()
}

/// An expression of ours, `name.rest`, for one that the author wrote from this place to that: rustc reports a value of
/// another type there, and there is what it suggests to change.
pub(crate) fn written_between([from, to]: [Span; 2], name: &Ident, rest: TokenStream) -> TokenStream {
    let mut whole = vec![parenthesized(from, quote!(#name))];
    whole.extend(located_at(from, quote!(.)));
    whole.extend(located_at(from, rest));
    if let Some(last) = whole.last_mut() {
        last.set_span(to);
    }
    whole.into_iter().collect()
}

/// A block of ours for something that the author wrote at this place.
pub(crate) fn braced(at: Span, tokens: TokenStream) -> TokenStream {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(at);
    TokenTree::from(group).into()
}

pub(crate) fn parenthesized(at: Span, tokens: TokenStream) -> TokenTree {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(at);
    group.into()
}

/// The frame of the running transition.
pub(crate) fn frame() -> Ident {
    Ident::new("__frame", Span::mixed_site())
}

/// What a called saga's locals borrow after a question: rustc says that it does not live as long as what the caller
/// has, where one of them goes there; it names only what stands where the author wrote something.
pub(crate) fn copies(at: Span) -> Ident {
    Ident::new("a_copy_that_went_over_a_question", at)
}

/// The lifetime of what travelled: rustc names it where a text should be `'static`.
pub(crate) fn request() -> Lifetime {
    Lifetime::new("'this_request", Span::mixed_site())
}

/// Goes out of the function for good: the frame knows why.
pub(crate) fn gone() -> TokenStream {
    let label = left();
    quote!(break #label)
}

/// The block that a suspension leaves.
pub(crate) fn left() -> Lifetime {
    Lifetime::new("'__left", Span::mixed_site())
}

/// The slot that ties a held local's type at a site.
pub(crate) fn slot(site: SiteId, local: LocalId) -> Ident {
    Ident::new(&format!("__slot_{}_{}", site.0, local.0), Span::mixed_site())
}

/// The slot of a value that is one of several branches, by the first local that it is bound to.
pub(crate) fn bound_slot(local: LocalId) -> Ident {
    Ident::new(&format!("__bound_{}", local.0), Span::mixed_site())
}

/// The slot that ties a site's step.
pub(crate) fn step_slot(site: SiteId) -> Ident {
    Ident::new(&format!("__step_{}", site.0), Span::mixed_site())
}

/// The slot of such a value that is an operand, by the name that stands for it.
pub(crate) fn operand_slot(marker: &Ident) -> Ident {
    Ident::new(&format!("{marker}_slot"), Span::mixed_site())
}

/// A held local's value between its decoding and the scope in which it is bound again.
pub(crate) fn held(local: LocalId) -> Ident {
    Ident::new(&format!("__held_{}", local.0), Span::mixed_site())
}

/// A local as it was encoded before a call took it.
pub(crate) fn passed(local: LocalId) -> Ident {
    Ident::new(&format!("__passed_{}", local.0), Span::mixed_site())
}

/// What became of a local that a method was called on.
pub(crate) fn received(local: LocalId) -> Ident {
    Ident::new(&format!("__received_{}", local.0), Span::mixed_site())
}

/// The same of a part of one, by its place among those of the site.
pub(crate) fn left_received(index: usize) -> Ident {
    Ident::new(&format!("__received_part_{index}"), Span::mixed_site())
}

/// Where what a local borrows is after a question.
pub(crate) fn home(local: LocalId) -> Ident {
    Ident::new(&format!("__home_{}", local.0), Span::mixed_site())
}

/// A name that nothing outside a generated block sees.
pub(crate) fn inner(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// An argument between the request and the function.
pub(crate) fn argument(parameter: &Parameter) -> Ident {
    Ident::new(&format!("__argument_{}", parameter.name.unraw()), Span::mixed_site())
}

/// A borrow of a local whose name means another one.
pub(crate) fn alias(local: LocalId) -> Ident {
    Ident::new(&format!("__alias_{}", local.0), Span::mixed_site())
}

/// The position of a loop's iterator.
pub(crate) fn given(local: LocalId) -> Ident {
    Ident::new(&format!("__given_{}", local.0), Span::mixed_site())
}
