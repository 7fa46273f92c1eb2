use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

fn next() -> usize {
    0
}

#[saga_tool]
async fn tool(mut sums: Vec<u32>) -> Result<u32, ToolError> {
    sums[next()] += u32::from(elicit::<Confirm>("Add one?").await?.yes);
    Ok(sums.iter().sum())
}

fn main() {}
