use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(urgent: bool) -> Result<&'static str, ToolError> {
    let word = if urgent { "now" } else { "later" };
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { word } else { "never" })
}

fn main() {}
