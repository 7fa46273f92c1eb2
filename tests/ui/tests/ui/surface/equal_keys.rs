use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    let one: bool = elicit::<Confirm>("One?").key("ok").await?.yes;
    let two: bool = elicit::<Confirm>("Two?").key("ok").await?.yes;
    Ok(one && two)
}

fn main() {}
