use std::rc::Rc;

use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(name: String) -> Result<usize, ToolError> {
    let name = Rc::new(name);
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { name.len() } else { 0 })
}

fn main() {}
