use saga_runtime::{Form, StepError, elicit, join, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, StepError> {
    let (one, two) = join!(elicit::<Confirm>("One?").await?, elicit::<Confirm>("Two?").await?).await?;
    Ok(one.yes && two.yes)
}

fn main() {}
