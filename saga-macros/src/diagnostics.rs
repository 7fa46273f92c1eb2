//! Collects every mistake of a tool or a form, so that one build shows them all.
//!
//! A stage goes on after a mistake and leaves it here; the end of the pipeline asks once, by
//! [`Diagnostics::finish`], whether there were any. Whoever forgets to ask hits an assertion in debug builds.

use std::fmt::Display;
use std::thread;

use proc_macro2::Span;
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
    #[expect(clippy::needless_pass_by_value, reason = "a reference and a span are both passed as they are")]
    pub(crate) fn error(&mut self, place: impl Place, message: impl Display) {
        self.push(place.error(&message));
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
        match self.errors.take() {
            Some(errors) => Err(errors),
            None => Ok(()),
        }
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
    /// The mistake at this place.
    fn error(&self, message: &dyn Display) -> syn::Error;
}

impl Place for Span {
    fn error(&self, message: &dyn Display) -> syn::Error {
        syn::Error::new(*self, message)
    }
}

impl<T: ToTokens + ?Sized> Place for &T {
    /// From the first to the last token of the syntax.
    fn error(&self, message: &dyn Display) -> syn::Error {
        syn::Error::new_spanned(self, message)
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
