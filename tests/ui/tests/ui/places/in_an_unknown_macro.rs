#![allow(unused)]

use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

macro_rules! twice {
    ($ask:expr; $times:literal) => {
        [$ask, $ask]
    };
}

#[saga_tool]
async fn tool() -> Result<(), ToolError> {
    let _answers = twice![elicit::<Confirm>("Sure?").await; 2];
    Ok(())
}

fn main() {}
