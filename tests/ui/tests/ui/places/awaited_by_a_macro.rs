use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn all() -> Result<bool, ToolError> {
    let (one, other) = tokio::join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Other?"));
    Ok(one?.yes && other?.yes)
}

#[saga_tool]
async fn first() -> Result<bool, ToolError> {
    let sure: Confirm = tokio::select! {
        sure = elicit("Sure?") => sure?,
        () = tokio::time::sleep(std::time::Duration::from_secs(60)) => return Ok(false),
    };
    Ok(sure.yes)
}

fn main() {}
