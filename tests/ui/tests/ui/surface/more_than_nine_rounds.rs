//! A warning, which this crate denies.
#![deny(deprecated)]
use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {}

#[saga_tool]
async fn tool() -> Result<(), ToolError> {
    elicit::<Confirm>("1?").await?;
    elicit::<Confirm>("2?").await?;
    elicit::<Confirm>("3?").await?;
    elicit::<Confirm>("4?").await?;
    elicit::<Confirm>("5?").await?;
    elicit::<Confirm>("6?").await?;
    elicit::<Confirm>("7?").await?;
    elicit::<Confirm>("8?").await?;
    elicit::<Confirm>("9?").await?;
    elicit::<Confirm>("10?").await?;
    Ok(())
}

fn main() {}
