use saga_runtime::{Form, Sagas, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Helper;

#[saga_tool]
async fn tool() -> Result<bool, ToolError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

fn server() {
    let _ = Sagas::builder("s", "1").tool::<Helper>();
    let _ = Sagas::builder("s", "1").prompt::<tool>();
    let _ = Sagas::builder("s", "1").resource::<tool>();
}

fn main() {}
