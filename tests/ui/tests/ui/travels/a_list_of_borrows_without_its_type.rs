use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(names: Vec<String>) -> Result<usize, ToolError> {
    let mut wanted = Vec::new();
    for name in &names {
        let ok: Confirm = elicit(format!("{name}?")).await?;
        if ok.yes {
            wanted.push(name);
        }
    }
    Ok(wanted.len())
}

fn main() {}
