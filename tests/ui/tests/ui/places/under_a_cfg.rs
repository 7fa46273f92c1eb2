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

#[saga_tool]
async fn an_arm(size: u8) -> Result<bool, ToolError> {
    match size {
        #[cfg(unix)]
        0 => Ok(elicit::<Confirm>("Unix?").await?.yes),
        _ => Ok(true),
    }
}

fn main() {}
