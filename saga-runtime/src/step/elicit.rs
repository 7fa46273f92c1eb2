//! A form for the person: `elicitation/create` in form mode.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Answer, InputRequest, Step, StepKind, json_text};
use crate::error::{Problem, StepError};
use crate::form::{Content, Form};

/// Asks the person to fill in a form.
///
/// `T` is a [`Form`], which is looked at where the question is asked: so that what is none is reported once.
/// Awaited in a tool it gives `Result<T, StepError>`; with [`optional`](Elicit::optional),
/// `Result<Option<T>, StepError>`.
///
/// ```
/// use saga_runtime::step::Step;
/// use saga_runtime::{Form, elicit};
///
/// #[derive(Form)]
/// struct Confirm {
///     yes: bool,
/// }
///
/// let question = elicit::<Confirm>("Really?").default(Confirm { yes: false }).attempts(2);
/// assert_eq!(question.request().params.message(), Some("Really?"));
/// assert_eq!(question.request().params.to_json()["requestedSchema"]["properties"]["yes"]["default"], false);
/// ```
pub fn elicit<T>(message: impl Into<String>) -> Elicit<T> {
    Elicit { question: Question::new(message.into()), form: PhantomData }
}

/// A form for the person; made by [`elicit`].
///
/// It holds what the author's expressions gave, and nothing of `T`: the schema comes from the type.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
#[must_use = "a question does nothing unless awaited"]
pub struct Elicit<T> {
    question: Question,
    form: PhantomData<fn() -> T>,
}

/// A form that the person may leave unanswered; made by [`Elicit::optional`].
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
#[must_use = "a question does nothing unless awaited"]
pub struct OptionalElicit<T>(Elicit<T>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Question {
    message: String,
    key: Option<String>,
    title: Option<String>,
    #[serde(with = "json_text")]
    defaults: Content,
    attempts: Option<u8>,
}

impl Question {
    fn new(message: String) -> Self {
        Self { message, key: None, title: None, defaults: Content::new(), attempts: None }
    }
}

impl<T> Elicit<T> {
    /// Sets the name under which the client sees the question.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.question.key = Some(key.into());
        self
    }

    /// Sets the headline of the form.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.question.title = Some(title.into());
        self
    }

    /// Fills the form in beforehand, in place of the defaults that `T` has.
    ///
    /// A field that the answer leaves out has its value from here; an explicit `null` is `None`.
    #[expect(clippy::needless_pass_by_value, reason = "the author is done with the value")]
    pub fn default(mut self, value: T) -> Self
    where
        T: Form,
    {
        self.question.defaults = value.write();
        self
    }

    /// Sets how often the question may be asked before a wrong answer is an error.
    pub fn attempts(mut self, attempts: u8) -> Self {
        self.question.attempts = Some(attempts);
        self
    }

    /// Gives `None` where the person declines or dismisses the question, in place of an error.
    pub fn optional(self) -> OptionalElicit<T> {
        OptionalElicit(self)
    }
}

impl<T> OptionalElicit<T> {
    /// Sets the name under which the client sees the question.
    pub fn key(self, key: impl Into<String>) -> Self {
        Self(self.0.key(key))
    }

    /// Sets the headline of the form.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self(self.0.title(title))
    }

    /// Fills the form in beforehand; see [`Elicit::default`].
    pub fn default(self, value: T) -> Self
    where
        T: Form,
    {
        Self(self.0.default(value))
    }

    /// Sets how often the question may be asked before a wrong answer is an error.
    pub fn attempts(self, attempts: u8) -> Self {
        Self(self.0.attempts(attempts))
    }
}

impl<T: Form> Step for Elicit<T> {
    type Answer = T;

    const KIND: StepKind = StepKind::Elicit;

    fn key(&self) -> Option<&str> {
        self.question.key.as_deref()
    }

    fn attempts(&self) -> Option<u8> {
        self.question.attempts
    }

    fn request(&self) -> InputRequest {
        let mut schema = T::schema().with_defaults(&self.question.defaults);
        if let Some(title) = &self.question.title {
            schema = schema.titled(title);
        }
        InputRequest::form(&self.question.message, schema)
    }

    fn read(&self, answer: &Answer) -> Result<Result<T, StepError>, Vec<Problem>> {
        let result = match read_action(answer)? {
            Ok(result) => result,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut content = match result.get("content") {
            Some(Value::Object(content)) => Cow::Borrowed(content),
            None if T::schema().properties().is_empty() => Cow::Owned(Content::new()),
            None => return Err(vec![Problem::whole("an accepted form must have its `content`")]),
            Some(_) => return Err(vec![Problem::whole("`content` must be an object")]),
        };
        for (name, value) in &self.question.defaults {
            content.to_mut().entry(name).or_insert_with(|| value.clone());
        }
        T::read(&content).map(Ok)
    }
}

impl<T: Form> Step for OptionalElicit<T> {
    type Answer = Option<T>;

    const KIND: StepKind = StepKind::Elicit;

    fn key(&self) -> Option<&str> {
        self.0.question.key.as_deref()
    }

    fn attempts(&self) -> Option<u8> {
        self.0.question.attempts
    }

    fn request(&self) -> InputRequest {
        self.0.request()
    }

    fn read(&self, answer: &Answer) -> Result<Result<Option<T>, StepError>, Vec<Problem>> {
        Ok(match self.0.read(answer)? {
            Ok(form) => Ok(Some(form)),
            Err(StepError::Declined | StepError::Cancelled) => Ok(None),
            Err(error) => Err(error),
        })
    }
}

/// An elicitation's result object where the person accepted; the refusal where not.
pub(super) fn read_action(answer: &Answer) -> Result<Result<&Map<String, Value>, StepError>, Vec<Problem>> {
    let result = match answer.result() {
        Ok(result) => result,
        Err(error) => return Ok(Err(error)),
    };
    match result.get("action").and_then(Value::as_str) {
        Some("accept") => Ok(Ok(result)),
        Some("decline") => Ok(Err(StepError::Declined)),
        Some("cancel") => Ok(Err(StepError::Cancelled)),
        _ => Err(vec![Problem::whole("`action` must be `accept`, `decline` or `cancel`")]),
    }
}

impl<T> Clone for Elicit<T> {
    fn clone(&self) -> Self {
        Self { question: self.question.clone(), form: PhantomData }
    }
}

impl<T> Clone for OptionalElicit<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Elicit<T> {
    fn eq(&self, other: &Self) -> bool {
        self.question == other.question
    }
}

impl<T> PartialEq for OptionalElicit<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> fmt::Debug for Elicit<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Elicit").field("question", &self.question).finish()
    }
}

impl<T> fmt::Debug for OptionalElicit<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OptionalElicit").field("question", &self.0.question).finish()
    }
}
