use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    Ok(unsafe { elicit::<Confirm>("Unsafe?").await? }.yes)
}

fn main() {}
