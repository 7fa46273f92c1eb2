use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    let add = |n: u8| n + 1;
    let ok: Confirm = elicit("Add?").await?;
    Ok(ok.yes && add(1) == 2)
}

fn main() {}
