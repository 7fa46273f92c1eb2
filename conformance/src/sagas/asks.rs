//! The fixtures that ask one thing or several. Their names and texts are the suite's.

use saga_runtime::step::StepKind;
use saga_runtime::{Form, Saga, StepError, ToolError, elicit, join, list_roots, saga_tool, sample};
use serde::{Deserialize, Serialize};

/// Asks the model what it is told to.
#[saga_tool]
pub(super) async fn test_sampling(
    /// The prompt for the model.
    prompt: String,
) -> Result<String, ToolError> {
    let answer = sample(prompt).max_tokens(100).await?;
    Ok(format!("LLM response: {}", answer.text()))
}

/// Asks the person for a name and an address.
#[saga_tool]
pub(super) async fn test_elicitation(
    /// The message for the person.
    message: String,
) -> Result<String, ToolError> {
    let answer = elicit::<User>(message).await;
    Ok(format!("User response: {}", told(answer)?))
}

#[derive(Form, Serialize, Deserialize)]
struct User {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// An answer in the suite's words.
pub(super) fn told<T: Form>(answer: Result<T, StepError>) -> Result<String, StepError> {
    match answer {
        Ok(form) => Ok(format!("action=accept, content={}", serde_json::Value::Object(form.write()))),
        Err(StepError::Declined) => Ok("action=decline".to_owned()),
        Err(StepError::Cancelled) => Ok("action=cancel".to_owned()),
        Err(error) => Err(error),
    }
}

/// Greets the person by name.
#[saga_tool]
pub(super) async fn test_input_required_result_elicitation() -> Result<String, ToolError> {
    let user_name: Name = elicit("What is your name?").await?;
    Ok(format!("Hello, {}!", user_name.name))
}

#[derive(Form, Serialize, Deserialize)]
struct Name {
    name: String,
}

/// Asks the model for a capital.
#[saga_tool]
pub(super) async fn test_input_required_result_sampling() -> Result<String, ToolError> {
    let capital_question = sample("What is the capital of France?").max_tokens(100).await?;
    Ok(capital_question.text())
}

/// Counts the client's folders.
#[saga_tool]
pub(super) async fn test_input_required_result_list_roots() -> Result<String, ToolError> {
    let client_roots = list_roots().await?;
    Ok(format!("{} roots", client_roots.len()))
}

/// Asks once; the answer comes back with the state.
#[saga_tool]
pub(super) async fn test_input_required_result_request_state() -> Result<String, ToolError> {
    let confirm: Confirm = elicit("Please confirm").await?;
    Ok(format!("state-ok: {}", confirm.ok))
}

/// Asks once; a state that was changed is refused.
#[saga_tool]
pub(super) async fn test_input_required_result_tampered_state() -> Result<String, ToolError> {
    let confirm: Confirm = elicit("Please confirm").await?;
    Ok(format!("confirmed: {}", confirm.ok))
}

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    ok: bool,
}

/// Asks the person, the model and the client in one round.
#[saga_tool]
pub(super) async fn test_input_required_result_multiple_inputs() -> Result<String, ToolError> {
    let (user_name, greeting, client_roots) = join!(
        elicit::<Name>("What is your name?"),
        sample("Generate a greeting").max_tokens(50),
        list_roots(),
    )
    .await?;
    Ok(format!("{} {}, you have {} roots", greeting.text(), user_name.name, client_roots.len()))
}

/// Asks twice, one after the other.
#[saga_tool]
pub(super) async fn test_input_required_result_multi_round() -> Result<String, ToolError> {
    let step1: Name = elicit("Step 1: What is your name?").await?;
    let step2: Color = elicit("Step 2: What is your favorite color?").await?;
    Ok(format!("{} likes {}", step1.name, step2.color))
}

#[derive(Form, Serialize, Deserialize)]
struct Color {
    color: String,
}

/// Asks for what the client can do.
#[saga_tool]
pub(super) async fn test_input_required_result_capabilities(
    #[context] saga: &Saga,
) -> Result<String, ToolError> {
    let mut told = Vec::new();
    if saga.client().supports(StepKind::Elicit) {
        let user_name: Name = elicit("What is your name?").await?;
        told.push(user_name.name);
    }
    if saga.client().supports(StepKind::Sample) {
        let greeting = sample("Generate a greeting").max_tokens(50).await?;
        told.push(greeting.text());
    }
    Ok(told.join(" "))
}

/// Needs a client that has a model.
#[saga_tool]
pub(super) async fn test_missing_capability() -> Result<String, ToolError> {
    Ok(sample("Say anything.").max_tokens(10).await?.text())
}

/// Asks over a stream, where there is one.
#[saga_tool]
pub(super) async fn test_streaming_elicitation() -> Result<String, ToolError> {
    let user_name: Name = elicit("What is your name?").await?;
    Ok(user_name.name)
}
