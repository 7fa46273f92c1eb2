//! The prompts: one asks, the others only answer.
#![expect(non_snake_case, reason = "the suite calls an argument so")]

use saga_runtime::{Content, Form, PromptMessage, ResourceContents, StepError, elicit, saga_prompt};
use serde::{Deserialize, Serialize};

/// Asks for what the prompt is about.
#[saga_prompt]
pub(super) async fn test_input_required_result_prompt() -> Result<String, StepError> {
    let user_context: About = elicit("What context should the prompt use?").await?;
    Ok(format!("The context is {}.", user_context.context))
}

#[derive(Form, Serialize, Deserialize)]
struct About {
    context: String,
}

/// A text.
#[saga_prompt]
pub(super) async fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// A text with two arguments in it.
#[saga_prompt]
pub(super) async fn test_prompt_with_arguments(
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// A resource and a text.
#[saga_prompt]
pub(super) async fn test_prompt_with_embedded_resource(
    /// URI of the resource to embed
    resourceUri: String,
) -> Vec<PromptMessage> {
    let contents = ResourceContents::text("Embedded resource content for testing.").mime_type("text/plain");
    vec![
        PromptMessage::user(Content::resource(resourceUri, contents)),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// An image and a text.
#[saga_prompt]
pub(super) async fn test_prompt_with_image() -> Vec<PromptMessage> {
    let image = Content::image(super::content::PIXEL, "image/png");
    vec![PromptMessage::user(image), PromptMessage::user("Please analyze the image above.")]
}
