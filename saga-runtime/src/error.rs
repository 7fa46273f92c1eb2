//! What can go wrong, sorted by who must act: [`StepError`] is the client's answer, [`ToolError`] is the
//! tool author's, which every other error type of the author's becomes by `?`.

mod travels;

use std::any::Any;
use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use self::travels::{Told, texts};
use crate::step::json_text;

/// Why a step gave no answer.
///
/// An await of a step gives `Result<_, StepError>`: `?` turns it into the tool's error, whose text the client
/// sees. It can be held across questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StepError {
    /// The person said no (`"action": "decline"`).
    Declined,
    /// The person dismissed the question (`"action": "cancel"`).
    Cancelled,
    /// The answers did not fit the question, as often as the question may be asked.
    Invalid {
        /// What was wrong with the last answer.
        problems: Vec<Problem>,
    },
    /// The client could not perform the step and said so (a JSON-RPC error object).
    Client {
        /// The client's error code.
        code: i64,
        /// The client's error message.
        message: String,
        /// What the client added.
        #[serde(with = "json_text")]
        data: Option<Value>,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declined => formatter.write_str("the question was declined"),
            Self::Cancelled => formatter.write_str("the question was cancelled"),
            Self::Invalid { problems } => {
                formatter.write_str("the answer does not fit the question")?;
                for (index, problem) in problems.iter().enumerate() {
                    write!(formatter, "{} {problem}", if index == 0 { ":" } else { ";" })?;
                }
                Ok(())
            }
            Self::Client { code, message, .. } => {
                write!(formatter, "the client could not answer: {message} (code {code})")
            }
        }
    }
}

impl Error for StepError {}

/// One reason why an answer does not fit its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The field of the form, empty for the answer as a whole.
    pub field: String,
    /// What is wrong, for a person to read.
    pub text: String,
}

impl Problem {
    /// A problem with one field of a form.
    pub fn field(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { field: name.into(), text: text.into() }
    }

    /// A problem with the answer as a whole.
    pub fn whole(text: impl Into<String>) -> Self {
        Self { field: String::new(), text: text.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => formatter.write_str(&self.text),
            field => write!(formatter, "`{field}` {}", self.text),
        }
    }
}

type BoxError = Box<dyn Error + Send + Sync + 'static>;

/// A tool's failure: what the client may read, and what only the log may.
///
/// Like `anyhow::Error` it is made by `?` from whatever becomes a boxed error, also from `anyhow::Error` itself, and is
/// no [`Error`]. Of [`StepError`], of a text and of [`ToolError::new`] the client sees the text; of every other error
/// it sees "the tool failed" with a reference, and the log has the chain of causes under that reference.
///
/// It can be held across questions: the texts of its causes travel with it, encrypted, and the causes' types do not. In
/// JSON and other formats for people only the text for the client is written.
///
/// ```
/// use saga_runtime::ToolError;
/// fn read() -> Result<String, ToolError> {
///     Ok(std::fs::read_to_string("/nowhere")?)
/// }
/// assert_eq!(read().unwrap_err().shown(), None);
/// assert_eq!(read().unwrap_err().to_string(), "the tool failed");
/// assert_eq!(ToolError::new("stopped by the operator").shown(), Some("stopped by the operator"));
/// ```
pub struct ToolError {
    shown: Option<String>,
    cause: Option<BoxError>,
}

impl ToolError {
    /// A failure whose text the client sees.
    pub fn new(text: impl Into<String>) -> Self {
        Self { shown: Some(text.into()), cause: None }
    }

    /// The same for the client, because of this.
    pub(crate) fn because(self, cause: impl Error + Send + Sync + 'static) -> Self {
        Self { cause: Some(Box::new(cause)), ..self }
    }

    /// The text that the client may see, if there is one.
    #[must_use]
    pub fn shown(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// The texts of the cause and of its causes, the outermost first.
    pub(crate) fn causes(&self) -> Vec<String> {
        texts(self.cause())
    }

    /// The cause, for the log. After a question it has the same texts, and is no error of its former type.
    #[must_use]
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }
}

impl fmt::Debug for ToolError {
    /// The causes by their texts, which are the same before a question and after it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shown, .. } = self;
        formatter.debug_struct("ToolError").field("shown", shown).field("causes", &self.causes()).finish()
    }
}

impl fmt::Display for ToolError {
    /// The text that the client may see; the cause is for the log.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.shown().unwrap_or("the tool failed"))
    }
}

impl<E: Into<BoxError> + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        let any = &error as &dyn Any;
        let shown = (any.downcast_ref::<String>().cloned())
            .or_else(|| any.downcast_ref::<&str>().map(ToString::to_string));
        let cause: BoxError = error.into();
        let shown = shown.or_else(|| cause.downcast_ref::<StepError>().map(ToString::to_string));
        Self { shown, cause: Some(cause) }
    }
}
