//! Mistakes that are rustc's to report: each once, on the author's token.
use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn untyped() -> Result<(), ToolError> {
    let _answer = elicit("Go?").await?;
    Ok(())
}

#[saga_tool]
async fn mismatched() -> Result<u32, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(ok.yes)
}

#[saga_tool]
async fn unknown() -> Result<bool, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(ok.no && missing)
}

#[saga_tool]
async fn immutable(count: u32) -> Result<u32, ToolError> {
    let sum = count;
    elicit::<Confirm>("Go?").await?;
    sum += 1;
    Ok(sum)
}

#[saga_tool]
async fn of_two_types(width: Option<u8>) -> Result<String, ToolError> {
    let width = match width {
        Some(width) => width,
        None => {
            elicit::<Confirm>("Go?").await?;
            "2"
        }
    };
    Ok(format!("{width}"))
}

fn main() {}
