use saga_runtime::{Form, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[derive(Serialize, Deserialize)]
struct Plan {
    steps: Vec<String>,
}

#[saga_tool]
async fn tool() -> Result<usize, ToolError> {
    let plans = vec![Plan { steps: Vec::new() }];
    let Some(first) = plans.first() else { return Ok(0) };
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { first.steps.len() } else { 0 })
}

fn main() {}
