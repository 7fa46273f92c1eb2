//! Who calls: what a principal hook may look at, and its refusal.

use std::fmt;

/// What a principal hook may look at. Its `Debug` has the headers' names, and no values: these may be credentials.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct RequestFacts {
    /// The HTTP request's headers, names in lower case; empty on standard input and output.
    pub headers: Vec<(String, String)>,
    /// What the server's layers added to the HTTP request, for example the claims of a token that one of them
    /// verified.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub extensions: http::Extensions,
}

impl RequestFacts {
    /// The facts of an HTTP request. A header that is no text is left out.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) fn of(head: &http::request::Parts) -> Self {
        let text = |value: &http::HeaderValue| str::from_utf8(value.as_bytes()).ok().map(str::to_owned);
        let headers = head.headers.iter();
        let headers = headers.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?)));
        Self { headers: headers.collect(), extensions: head.extensions.clone() }
    }

    /// The first header of this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for RequestFacts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        formatter.debug_struct("RequestFacts").field("headers", &names).finish_non_exhaustive()
    }
}

/// A principal hook's refusal: the request is not answered. The reason goes to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    reason: String,
    challenge: Option<String>,
}

impl Refused {
    /// Refuses a caller who is not known (401 over HTTP), with a reason for the log.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), challenge: Some("Bearer".to_owned()) }
    }

    /// Refuses a caller who is known and may not (403 over HTTP), with a reason for the log.
    pub fn forbidden(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), challenge: None }
    }

    /// Tells the caller how to become known: the `WWW-Authenticate` header, `Bearer` unless set.
    ///
    /// ```
    /// use saga_runtime::Refused;
    /// let metadata = "https://example.com/.well-known/oauth-protected-resource";
    /// let refused = Refused::new("no token").with_challenge(format!("Bearer resource_metadata=\"{metadata}\""));
    /// # drop(refused);
    /// ```
    #[must_use]
    pub fn with_challenge(mut self, challenge: impl Into<String>) -> Self {
        self.challenge = Some(challenge.into());
        self
    }

    /// How the caller can become known; `None` where that would not help.
    pub(crate) fn challenge(&self) -> Option<&str> {
        self.challenge.as_deref()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hook logs what it looks at, `debug!(?facts)`, and the log is no place for credentials.
    #[test]
    fn the_log_sees_no_header() {
        let headers = [("authorization", "Bearer sesame"), ("x-tenant", "north")];
        let mut facts = RequestFacts::default();
        facts.headers.extend(headers.map(|(name, value)| (name.to_owned(), value.to_owned())));
        #[cfg(any(feature = "http", feature = "rmcp"))]
        facts.extensions.insert("sesame");
        let shown = format!("{facts:?} {facts:#?}");
        assert!(shown.contains("authorization") && shown.contains("x-tenant"), "{shown}");
        assert!(!shown.contains("sesame") && !shown.contains("north"), "{shown}");
    }

    /// A hook's own functions return it by `?`, beside other errors.
    #[test]
    fn a_refusal_is_an_error() {
        let error: Box<dyn std::error::Error + Send + Sync> = Refused::forbidden("blocked").into();
        assert_eq!(error.to_string(), "blocked");
    }
}
