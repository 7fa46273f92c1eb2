//! What a tool may await. A *step* is one thing asked of the client; its dynamic parts travel in the state, so
//! that an invalid or missing answer can be asked for again without running the tool.

mod answer;
mod call;
mod checkpoint;
mod elicit;
mod elicit_url;
mod join;
mod outside;
mod question;
mod request;
mod roots;
mod sample;
pub mod sampling;

pub(crate) mod json_text;

pub use self::answer::Answer;
pub use self::call::{Call, call};
pub use self::checkpoint::{Checkpoint, checkpoint};
pub use self::elicit::{Elicit, OptionalElicit, elicit};
pub use self::elicit_url::{ElicitUrl, elicit_url};
pub use self::join::{Each, Join, JoinAll, Joined, join_all};
pub use self::outside::{Here, InSaga};
pub use self::question::{Asking, Question, Reading};
pub use self::request::{InputRequest, Params};
pub use self::roots::{ListRoots, Root, list_roots};
pub use self::sample::{Prompt, Sample, Sampled, sample};
use crate::error::{Problem, StepError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// One thing that a tool asks of the client.
///
/// A step is a plain value: it is serialized with the state when the tool suspends, and it reads the answer when
/// the tool resumes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a question",
    label = "awaited as a question, by its name",
    note = "the compiler knows `elicit`, `sample` and their kind by name alone; call a function of your own by a path, \
            `self::sample(..)`, or give it another name"
)]
pub trait Step: Serialize + DeserializeOwned + Send {
    /// What the step's await gives when all went well.
    type Answer;

    /// Which of the client's abilities the step needs.
    const KIND: StepKind;

    /// The key that the author gave it with `.key("..")`.
    fn key(&self) -> Option<&str> {
        None
    }

    /// How often it may be asked; the tool's setting where the author gave none.
    fn attempts(&self) -> Option<u8> {
        None
    }

    /// The request as the client gets it.
    fn request(&self) -> InputRequest;

    /// Reads the client's answer: `Ok(Err(..))` where the await fails, for example because the person declined.
    ///
    /// # Errors
    ///
    /// What does not fit the question; it is asked again then.
    fn read(&self, answer: &Answer) -> Result<Result<Self::Answer, StepError>, Vec<Problem>>;
}

/// Asks any step: one that was made before, or one of your own kind: `ask(step).await?`.
pub const fn ask<S: Step>(step: S) -> S {
    step
}

/// The kinds of steps, each with the client capability that it needs (MCP 2026-07-28, client features).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StepKind {
    /// A form for the person: `elicitation/create`, mode `form`.
    Elicit,
    /// A page for the person to visit: `elicitation/create`, mode `url`.
    ElicitUrl,
    /// A prompt for the model: `sampling/createMessage`.
    Sample,
    /// A prompt for the model that offers it tools: needs `sampling.tools`.
    SampleTools,
    /// The folders that the client works in: `roots/list`.
    ListRoots,
}

impl StepKind {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::Elicit, Self::ElicitUrl, Self::Sample, Self::SampleTools, Self::ListRoots];

    /// The key of a step that initialises no single local and was given no key.
    #[must_use]
    pub const fn default_key(self) -> &'static str {
        match self {
            Self::Elicit | Self::ElicitUrl => "elicit",
            Self::Sample | Self::SampleTools => "sample",
            Self::ListRoots => "list_roots",
        }
    }
}
