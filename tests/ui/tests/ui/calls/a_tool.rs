use saga_runtime::{Form, ToolError, call, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn confirm(what: String) -> Result<bool, ToolError> {
    let ok: Confirm = elicit(format!("{what}?")).await?;
    Ok(ok.yes)
}

#[saga_tool]
async fn deploy() -> Result<bool, ToolError> {
    let first = confirm("Build".to_owned()).await?;
    let second = call(confirm("Deploy".to_owned())).await?;
    Ok(first && second)
}

fn main() {}
