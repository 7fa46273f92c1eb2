use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Cart {
    items: Vec<String>,
}

struct Fleet;

#[saga_tool]
async fn without_derives(cart: Cart) -> Result<usize, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(cart.items.len() + usize::from(ok.yes))
}

#[saga_tool]
async fn of_the_server(fleet: Fleet) -> Result<bool, ToolError> {
    let _ = fleet;
    let ok: Confirm = elicit("Go?").await?;
    Ok(ok.yes)
}

fn main() {}
