use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

macro_rules! let_assert {
    ($pattern:pat = $value:expr) => {
        let $pattern = $value else { return Err(ToolError::new("it does not fit")) };
    };
}

#[saga_tool]
async fn tool(names: Vec<String>) -> Result<String, ToolError> {
    let_assert!([first, ..] = &names[..]);
    elicit::<Confirm>("Go?").await?;
    Ok(first.clone())
}

#[saga_tool]
async fn in_a_text(names: Vec<String>) -> Result<String, ToolError> {
    let_assert!(Some(last) = names.last());
    elicit::<Confirm>("Go?").await?;
    Ok(format!("the last is {last}"))
}

fn main() {}
