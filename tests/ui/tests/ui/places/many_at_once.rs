use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool(ttl = "10")]
async fn tool(#[context] depth: u8) -> Result<(), ToolError> {
    let later = async { elicit::<Confirm>("Later?").await };
    match depth {
        1 if elicit::<Confirm>("Deep?").await?.yes => {}
        _ => unsafe { elicit::<Confirm>("Unsafe?").await?; },
    }
    later.await?;
    Ok(())
}

fn main() {}
