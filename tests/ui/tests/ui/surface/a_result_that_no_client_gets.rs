use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Report;

#[saga_tool]
async fn tool() -> Result<Report, ToolError> {
    let _: Confirm = elicit("Go?").await?;
    Ok(Report)
}

fn main() {}
