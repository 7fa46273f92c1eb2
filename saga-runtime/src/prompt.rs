//! What a prompt may return, and how it becomes MCP's `GetPromptResult`.

use serde_json::{Value, json};

use crate::content::Content;
use crate::error::ToolError;
use crate::result::ToolResult;
use crate::step::sampling::Role;

/// One message of a prompt (`PromptMessage`).
///
/// ```
/// use saga_runtime::PromptMessage;
/// let messages = [PromptMessage::user("Plan a trip to Bern."), PromptMessage::assistant("For how long?")];
/// # drop(messages);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

impl PromptMessage {
    /// What the person is to say.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// What the model is to have said.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }

    fn into_json(self) -> Value {
        json!({ "role": self.role.name(), "content": self.content.into_json() })
    }
}

/// A type that a prompt may return.
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    label = "not a prompt's result",
    note = "return a text (`String`, `&str`), which the person is to say, a `PromptMessage`, a `Vec` of them, or a \
            `Result` of these"
)]
pub trait IntoMessages {
    /// The prompt's messages.
    ///
    /// # Errors
    ///
    /// The prompt's failure.
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError>;
}

impl IntoMessages for String {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        Ok(vec![PromptMessage::user(self)])
    }
}

impl IntoMessages for &str {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        Ok(vec![PromptMessage::user(self)])
    }
}

impl IntoMessages for PromptMessage {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        Ok(vec![self])
    }
}

impl IntoMessages for Vec<PromptMessage> {
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        Ok(self)
    }
}

impl<T: IntoMessages, E> IntoMessages for Result<T, E>
where
    ToolError: From<E>,
{
    fn into_messages(self) -> Result<Vec<PromptMessage>, ToolError> {
        self?.into_messages()
    }
}

/// A prompt's end as the host knows ends: its messages are the content.
pub(crate) fn result<T: IntoMessages>(returned: T) -> Result<ToolResult, ToolError> {
    let content = returned.into_messages()?.into_iter().map(PromptMessage::into_json).collect();
    Ok(ToolResult { content, ..ToolResult::default() })
}
