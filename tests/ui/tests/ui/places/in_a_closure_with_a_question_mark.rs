use saga_runtime::{Form, ToolError, call, elicit, saga, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn review(name: &str) -> Result<bool, ToolError> {
    Ok(elicit::<Confirm>(name).await?.yes)
}

#[saga_tool]
async fn tool(names: Vec<String>) -> Result<usize, ToolError> {
    let sure: Vec<bool> = names
        .iter()
        .map(|name| {
            let sure: Confirm = elicit(name).await?;
            sure.yes
        })
        .collect();
    let kept = names.iter().filter(|name| call(review(name)).await.unwrap_or_default()).count();
    let dropped = names.iter().filter(|name| call(review(name)).await?).count();
    Ok(sure.len() + kept + dropped)
}

fn main() {}
