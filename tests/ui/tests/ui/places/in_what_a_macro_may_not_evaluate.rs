use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(ready: bool) -> Result<(), ToolError> {
    assert!(ready, "not ready: {}", elicit::<Confirm>("Wait?").await?.yes);
    Ok(())
}

fn main() {}
