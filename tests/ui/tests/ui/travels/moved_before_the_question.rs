use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(name: String) -> Result<String, ToolError> {
    let greeting = format!("Hello, {name}");
    drop(greeting);
    let ok: Confirm = elicit("Greet?").await?;
    Ok(if ok.yes { greeting } else { name })
}

fn main() {}
