//! Collects every mistake of a tool or a form, so that one build shows them all.
//!
//! A stage goes on after a mistake and leaves it here; the end of the pipeline asks once, by
//! [`Diagnostics::finish`], whether there were any. Whoever forgets to ask hits an assertion in debug builds.

use std::fmt::Display;
use std::thread;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far; must be [finished](Diagnostics::finish).
#[derive(Debug)]
#[must_use = "mistakes that nobody finishes are lost"]
pub(crate) struct Diagnostics {
    errors: Option<syn::Error>,
}

impl Diagnostics {
    pub(crate) fn new() -> Self {
        Self { errors: None }
    }

    /// Keeps a mistake, pointing at the smallest thing that the user should change.
    ///
    /// The message says what, why, and the rewrite: lowercase, joined by semicolons, code in backticks.
    pub(crate) fn error(&mut self, place: impl Place, message: impl Display) {
        self.push(syn::Error::new_spanned(place.tokens(), message));
    }

    /// Keeps what syn found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            None => self.errors = Some(error),
        }
    }

    /// All mistakes in one error, in the order in which they were found.
    pub(crate) fn finish(mut self) -> syn::Result<()> {
        self.errors.take().map_or(Ok(()), Err)
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        let is_lost = self.errors.is_some() && !thread::panicking();
        debug_assert!(!is_lost, "this is a bug in saga: mistakes were found and not reported");
    }
}

/// Where a mistake is: a [`Span`], or the syntax itself by reference.
pub(crate) trait Place {
    /// Tokens whose first and last span bound the place.
    fn tokens(&self) -> TokenStream;
}

impl Place for Span {
    fn tokens(&self) -> TokenStream {
        let mut token = proc_macro2::Ident::new("place", Span::call_site());
        token.set_span(*self);
        token.into_token_stream()
    }
}

impl<T: ToTokens + ?Sized> Place for &T {
    fn tokens(&self) -> TokenStream {
        self.to_token_stream()
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;
    use quote::quote;

    use super::Diagnostics;

    #[test]
    fn all_mistakes_in_the_order_found() {
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(&quote!(first), "one");
        diagnostics.error(Span::call_site(), "two");
        let messages: Vec<String> =
            diagnostics.finish().unwrap_err().into_iter().map(|error| error.to_string()).collect();
        assert_eq!(messages, ["one", "two"]);
    }

    #[test]
    fn nothing_found_is_fine() {
        Diagnostics::new().finish().unwrap();
        drop(Diagnostics::new());
    }

    #[test]
    #[cfg(debug_assertions)]
    fn a_lost_mistake_is_a_bug() {
        let outcome = std::panic::catch_unwind(|| {
            let mut diagnostics = Diagnostics::new();
            diagnostics.error(Span::call_site(), "lost");
        });
        assert!(outcome.is_err());
    }
}
