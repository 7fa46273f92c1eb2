use saga_runtime::{ToolError, saga_tool};

#[saga_tool]
fn tool() -> Result<bool, ToolError> {
    Ok(true)
}

fn main() {}
