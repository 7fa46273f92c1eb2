//! Words that clients could not mind, and types that they could not be told.
use saga_runtime::{Form, IntoToolResult, StepError, elicit, saga, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async unsafe fn dangerous() -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

#[saga_tool]
async extern "C" fn foreign() -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

#[saga_tool]
const async fn constant() -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

#[saga_tool]
async fn any_argument(message: impl Into<String>) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>(message).await?.yes)
}

#[saga_tool]
async fn any_result() -> impl IntoToolResult {
    elicit::<Confirm>("Go?").await.is_ok()
}

#[saga_tool]
async fn conditional_argument(#[cfg(unix)] path: String) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

#[saga]
async fn conditional_parameter(#[cfg(unix)] path: &str) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

fn main() {}
