use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(depth: u8) -> Result<bool, ToolError> {
    Ok(match depth {
        1 if elicit::<Confirm>("Deep?").await?.yes => true,
        _ => false,
    })
}

fn main() {}
