use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

use std::collections::HashMap;

#[saga_tool]
async fn tool(prices: HashMap<String, u32>) -> Result<u32, ToolError> {
    let mut sum = 0;
    for (name, price) in &prices {
        let ok: Confirm = elicit(format!("Buy {name}?")).await?;
        if ok.yes {
            sum += price;
        }
    }
    Ok(sum)
}

fn main() {}
