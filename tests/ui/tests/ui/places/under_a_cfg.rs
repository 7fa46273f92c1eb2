use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<(), ToolError> {
    #[cfg(unix)]
    elicit::<Confirm>("Unix?").await?;
    Ok(())
}

fn main() {}
