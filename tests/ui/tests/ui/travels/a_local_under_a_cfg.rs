use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<String, ToolError> {
    #[cfg(unix)]
    let path = String::from("/tmp");
    elicit::<Confirm>("Go?").await?;
    Ok(path)
}

fn main() {}
