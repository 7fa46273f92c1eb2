use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

fn apply(f: impl Fn(u32) -> u32, n: u32) -> u32 {
    f(n)
}

#[saga_tool]
async fn tool(mut n: u32) -> Result<u32, ToolError> {
    Ok(apply(move |y| y + n, {
        n = 100;
        u32::from(elicit::<Confirm>("Add one?").await?.yes)
    }))
}

fn main() {}
