use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(one: String, other: String) -> Result<usize, ToolError> {
    let mut chosen = &one;
    let ok: Confirm = elicit("The other?").await?;
    if ok.yes {
        chosen = &other;
    }
    let ok: Confirm = elicit("Sure?").await?;
    Ok(if ok.yes { chosen.len() } else { 0 })
}

fn main() {}
