use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(more: u8) -> Result<bool, ToolError> {
    let add = move |n: u8| n + more;
    let ok: Confirm = elicit("Add?").await?;
    Ok(ok.yes && add(1) == 2)
}

fn main() {}
