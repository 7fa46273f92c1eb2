//! A page for the person to visit: `elicitation/create` in URL mode.

use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::elicit::read_action;
use super::{Answer, InputRequest, Step, StepKind};
use crate::error::{Problem, StepError};

/// Asks the person to open a page, for what must not pass through the client: a login, a payment, a secret.
///
/// Awaited in a tool it gives `Result<(), StepError>`. `Ok` says that the person agreed to open the page, not that
/// they are done there: the tool asks its own store about that, for the same person.
///
/// ```
/// use saga_runtime::elicit_url;
/// use saga_runtime::step::Step;
///
/// let question = elicit_url("Please sign in.", "https://example.com/login");
/// assert_eq!(question.request().params.to_json()["url"], "https://example.com/login");
/// ```
pub fn elicit_url(message: impl Into<String>, url: impl Into<String>) -> ElicitUrl {
    ElicitUrl { message: message.into(), url: url.into(), key: None, attempts: None }
}

/// A page for the person to visit; made by [`elicit_url`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use = "a question does nothing unless awaited"]
pub struct ElicitUrl {
    message: String,
    url: String,
    key: Option<String>,
    attempts: Option<u8>,
}

impl ElicitUrl {
    /// Sets the name under which the client sees the question.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets how often the question may be asked before a wrong answer is an error.
    pub fn attempts(mut self, attempts: u8) -> Self {
        self.attempts = Some(attempts);
        self
    }
}

impl Step for ElicitUrl {
    type Answer = ();

    const KIND: StepKind = StepKind::ElicitUrl;

    fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    fn attempts(&self) -> Option<u8> {
        self.attempts
    }

    fn request(&self) -> InputRequest {
        let mut params = Map::new();
        params.insert("mode".into(), "url".into());
        params.insert("message".into(), self.message.as_str().into());
        params.insert("url".into(), self.url.as_str().into());
        InputRequest::new(Self::KIND, params)
    }

    fn read(&self, answer: &Answer) -> Result<Result<(), StepError>, Vec<Problem>> {
        Ok(read_action(answer)?.map(|_| ()))
    }
}
