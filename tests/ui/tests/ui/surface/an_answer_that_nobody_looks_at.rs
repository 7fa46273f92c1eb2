//! A warning, which this crate denies, as of any `Result` that is dropped.
#![deny(unused_must_use)]
use saga_runtime::{Form, StepError, elicit, saga, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn called() -> Result<(), StepError> {
    elicit::<Confirm>("Go?").await;
    elicit::<Confirm>("Again?").await?;
    Ok(())
}

#[saga_tool]
async fn tool() -> Result<(), StepError> {
    elicit::<Confirm>("Go?").await?;
    elicit::<Confirm>("Again?").await;
    elicit::<Confirm>("Never?");
    Ok(())
}

fn main() {}
