use saga_runtime::{Form, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[derive(Serialize, Deserialize)]
struct Plan {
    title: String,
    steps: Vec<String>,
}

#[saga_tool]
async fn tool() -> Result<String, ToolError> {
    let plan = Plan { title: String::new(), steps: Vec::new() };
    drop(plan.title);
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { plan.steps.concat() } else { String::new() })
}

fn main() {}
