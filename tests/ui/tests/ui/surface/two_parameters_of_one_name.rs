use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(plan: String, plan: u8) -> Result<usize, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { plan.len() } else { 0 })
}

fn main() {}
