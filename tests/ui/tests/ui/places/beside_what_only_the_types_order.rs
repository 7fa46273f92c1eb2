use std::time::Duration;

use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

fn next() -> usize {
    0
}

#[saga_tool]
async fn tool() -> Result<u64, ToolError> {
    let mut waits = vec![Duration::from_secs(1)];
    waits[next()] += Duration::from_secs(elicit::<Confirm>("Add one?").await?.yes.into());
    Ok(waits.iter().map(Duration::as_secs).sum())
}

fn main() {}
