use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Fleet;

struct App;

#[saga_tool]
async fn tool(#[context] fleet: &Fleet) -> Result<bool, ToolError> {
    let _ = fleet;
    let ok: Confirm = elicit("Go?").await?;
    Ok(ok.yes)
}

fn server() {
    let _ = saga_runtime::Sagas::builder("fleet", "1").context(App).tool::<tool>();
}

fn main() {}
