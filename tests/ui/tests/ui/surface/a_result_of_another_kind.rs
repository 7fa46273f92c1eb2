use saga_runtime::{Form, ToolError, elicit, saga_prompt, saga_resource};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Report;

#[saga_prompt]
async fn prompt() -> Result<Report, ToolError> {
    let _: Confirm = elicit("Go?").await?;
    Ok(Report)
}

#[saga_resource(uri = "trip://plan")]
async fn resource() -> Result<Report, ToolError> {
    let _: Confirm = elicit("Go?").await?;
    Ok(Report)
}

fn main() {}
