use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    let first: Confirm = elicit("Once?").await?;
    let second: Confirm = elicit("Twice?").await?;
    Ok(first.yes && second.yes)
}

fn main() {}
