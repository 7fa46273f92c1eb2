use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(first: String, second: String) -> Result<bool, ToolError> {
    let mut chosen = &first;
    let is_long = |most: usize| chosen.len() > most;
    if is_long(9) {
        chosen = &second;
    }
    let ok: Confirm = elicit(format!("Take {chosen}?")).await?;
    Ok(ok.yes && is_long(5))
}

fn main() {}
