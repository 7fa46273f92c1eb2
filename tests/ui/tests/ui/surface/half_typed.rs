use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(name: String) -> Result<bool, ToolError> {
    let length = name.
    let ok: Confirm = elicit("Sure?").await?;
    Ok(ok.yes)
}

fn server() {
    let _ = saga_runtime::Sagas::builder("s", "1").tool::<tool>();
}

fn main() {}
