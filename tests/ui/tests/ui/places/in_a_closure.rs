use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(names: Vec<String>) -> Result<usize, ToolError> {
    let sure = names.iter().filter(|name| elicit::<Confirm>(name.as_str()).await.is_ok_and(|ok| ok.yes));
    Ok(sure.count())
}

fn main() {}
