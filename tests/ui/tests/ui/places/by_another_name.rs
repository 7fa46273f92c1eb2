//! A renamed import is another function to the compiler, which sees names alone.
use saga_runtime::elicit as ask_them;
use saga_runtime::{Form, ToolError, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    let ok: Confirm = ask_them("Sure?").await?;
    Ok(ok.yes)
}

fn main() {}
