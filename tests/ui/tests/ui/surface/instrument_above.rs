use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[tracing::instrument]
#[saga_tool]
async fn tool(name: String) -> Result<bool, ToolError> {
    let ok: Confirm = elicit(format!("{name}?")).await?;
    Ok(ok.yes)
}

fn main() {}
