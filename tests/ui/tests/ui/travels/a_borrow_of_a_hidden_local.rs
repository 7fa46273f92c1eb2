use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(mut pair: (u32, String)) -> Result<u32, ToolError> {
    let one = &mut pair.0;
    let [pair, ..] = [1, 2];
    elicit::<Confirm>("Go?").await?;
    *one = pair;
    Ok(*one)
}

fn main() {}
