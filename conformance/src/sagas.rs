//! Every fixture that asks, as a saga, and the tools that only answer.

mod asks;
mod content;
mod forms;
mod prompts;
mod resources;

use saga_runtime::{BuildError, Builder, Sagas};

use self::asks::{
    test_elicitation, test_input_required_result_capabilities, test_input_required_result_elicitation,
    test_input_required_result_list_roots, test_input_required_result_multi_round,
    test_input_required_result_multiple_inputs, test_input_required_result_request_state,
    test_input_required_result_sampling, test_input_required_result_tampered_state, test_missing_capability,
    test_sampling, test_streaming_elicitation,
};
use self::content::{
    test_audio_content, test_embedded_resource, test_error_handling, test_header_argument,
    test_image_content, test_logging_tool, test_multiple_content_types, test_simple_text,
    test_tool_with_progress,
};
use self::forms::{test_elicitation_sep1034_defaults, test_elicitation_sep1330_enums};
use self::prompts::{
    test_input_required_result_prompt, test_prompt_with_arguments, test_prompt_with_embedded_resource,
    test_prompt_with_image, test_simple_prompt,
};
use self::resources::{static_binary, static_text, template};
use crate::deploy::{Fleet, deploy};
use crate::long::{book_trip, rounds, trio};

/// The server's name, the audience of its tokens.
pub const NAME: &str = "saga-conformance";

/// The sagas of the suite, and those for long conversations.
///
/// # Errors
///
/// See [`BuildError`].
pub fn sagas() -> Result<Sagas, BuildError> {
    builder().build()
}

fn builder() -> Builder<Fleet> {
    Sagas::builder(NAME, env!("CARGO_PKG_VERSION"))
        .context(Fleet::default())
        .tool::<deploy>()
        .tool::<book_trip>()
        .tool::<rounds>()
        .tool::<trio>()
        .tool::<test_simple_text>()
        .tool::<test_image_content>()
        .tool::<test_audio_content>()
        .tool::<test_embedded_resource>()
        .tool::<test_multiple_content_types>()
        .tool::<test_error_handling>()
        .tool::<test_tool_with_progress>()
        .tool::<test_logging_tool>()
        .tool::<test_header_argument>()
        .tool::<test_sampling>()
        .tool::<test_elicitation>()
        .tool::<test_elicitation_sep1034_defaults>()
        .tool::<test_elicitation_sep1330_enums>()
        .tool::<test_input_required_result_elicitation>()
        .tool::<test_input_required_result_sampling>()
        .tool::<test_input_required_result_list_roots>()
        .tool::<test_input_required_result_request_state>()
        .tool::<test_input_required_result_multiple_inputs>()
        .tool::<test_input_required_result_multi_round>()
        .tool::<test_input_required_result_tampered_state>()
        .tool::<test_input_required_result_capabilities>()
        .tool::<test_missing_capability>()
        .tool::<test_streaming_elicitation>()
        .prompt::<test_input_required_result_prompt>()
        .prompt::<test_simple_prompt>()
        .prompt::<test_prompt_with_arguments>()
        .prompt::<test_prompt_with_embedded_resource>()
        .prompt::<test_prompt_with_image>()
        .resource::<static_text>()
        .resource::<static_binary>()
        .resource::<template>()
}
