//! A function of the author's own, of a step's name.
use saga_runtime::{ToolError, saga_tool};

async fn sample(text: &str) -> Result<usize, ToolError> {
    Ok(text.len())
}

#[saga_tool]
async fn tool(text: String) -> Result<usize, ToolError> {
    let size = sample(&text).await?;
    Ok(size)
}

fn main() {}
