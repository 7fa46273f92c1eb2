use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(names: Vec<String>) -> Result<(), ToolError> {
    let asks = names.iter().map(|name| async move { elicit::<Confirm>(name.as_str()).await });
    drop(asks);
    Ok(())
}

fn main() {}
