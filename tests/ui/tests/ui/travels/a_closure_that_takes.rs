use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(title: String) -> Result<String, ToolError> {
    let report = format!("{title}: done");
    let finish = || report;
    let ok: Confirm = elicit("Finish?").await?;
    Ok(if ok.yes { finish() } else { title })
}

fn main() {}
