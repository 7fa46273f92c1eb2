use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(count: u32) -> Result<u32, ToolError> {
    let mut sum = 0;
    for number in count {
        let ok: Confirm = elicit(format!("{number}?")).await?;
        sum += number * u32::from(ok.yes);
    }
    Ok(sum)
}

fn main() {}
