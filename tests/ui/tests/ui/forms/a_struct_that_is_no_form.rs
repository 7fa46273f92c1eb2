use saga_runtime::{Form, ToolError, elicit, saga_tool};

struct Confirm {
    yes: bool,
}

enum Size {
    Small,
}

#[derive(Form)]
struct Order {
    sizes: Vec<Size>,
}

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    Ok(elicit::<Confirm>("Sure?").await?.yes)
}

fn main() {}
