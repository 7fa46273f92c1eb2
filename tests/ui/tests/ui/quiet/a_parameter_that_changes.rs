//! A parameter of a saga that is changed after a question: its `mut` is needed, in a build without tests, too.
#![deny(warnings)]

use saga_runtime::{Form, StepError, ToolError, call, elicit, saga, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn retried(mut tries: u32) -> Result<u32, StepError> {
    elicit::<Confirm>("go?").await?;
    if tries > 0 {
        tries -= 1;
        elicit::<Confirm>("again?").await?;
    }
    Ok(tries)
}

#[saga]
async fn signed((mut text, by): (String, u32)) -> Result<String, StepError> {
    elicit::<Confirm>("go?").await?;
    text.push_str(&by.to_string());
    Ok(text)
}

struct Plan(u32);

impl Plan {
    #[saga]
    async fn reviewed(self, mut tries: u32) -> Result<u32, StepError> {
        while elicit::<Confirm>("again?").await?.yes {
            tries -= 1;
        }
        Ok(self.0 + tries)
    }
}

#[saga_tool]
async fn tool(mut tries: u32) -> Result<String, ToolError> {
    tries = call(retried(tries)).await?;
    let text = call(signed((String::new(), tries))).await?;
    elicit::<Confirm>("go?").await?;
    tries -= 1;
    Ok(text)
}

fn main() {}
