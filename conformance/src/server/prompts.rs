//! The prompts.
#![expect(missing_docs, reason = "rmcp writes a public function beside each prompt")]

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ContentBlock, PromptMessage, ResourceContents, Role};
use rmcp::{prompt, prompt_router};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Server;
use crate::sagas::content::IMAGE;

/// The arguments of one prompt.
#[derive(Deserialize, JsonSchema)]
struct Two {
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
}

/// The argument of the other.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Embedded {
    /// URI of the resource to embed
    resource_uri: String,
}

#[prompt_router(vis = "pub(super)")]
impl Server {
    /// A text.
    #[prompt]
    async fn test_simple_prompt(&self) -> Vec<PromptMessage> {
        vec![user(ContentBlock::text("This is a simple prompt for testing."))]
    }

    /// A text with two arguments in it.
    #[prompt]
    async fn test_prompt_with_arguments(
        &self,
        Parameters(Two { arg1, arg2 }): Parameters<Two>,
    ) -> Vec<PromptMessage> {
        vec![user(ContentBlock::text(format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")))]
    }

    /// A resource and a text.
    #[prompt]
    async fn test_prompt_with_embedded_resource(
        &self,
        Parameters(Embedded { resource_uri }): Parameters<Embedded>,
    ) -> Vec<PromptMessage> {
        let resource = ResourceContents::text("Embedded resource content for testing.", resource_uri);
        let ask = "Please process the embedded resource above.";
        vec![user(ContentBlock::resource(resource)), user(ContentBlock::text(ask))]
    }

    /// An image and a text.
    #[prompt]
    async fn test_prompt_with_image(&self) -> Vec<PromptMessage> {
        let ask = "Please analyze the image above.";
        vec![user(ContentBlock::image(IMAGE, "image/png")), user(ContentBlock::text(ask))]
    }
}

fn user(content: ContentBlock) -> PromptMessage {
    PromptMessage::new(Role::User, content)
}
