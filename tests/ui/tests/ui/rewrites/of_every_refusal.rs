use saga_runtime::{Form, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

struct Connection;

impl Connection {
    fn open() -> Self {
        Self
    }

    fn send(&self, _yes: bool) {}
}

/// The connection is opened again after the question.
#[saga_tool]
async fn open_again() -> Result<(), ToolError> {
    let ok: Confirm = elicit("Send it?").await?;
    Connection::open().send(ok.yes);
    Ok(())
}

/// The form derives serde's traits.
#[saga_tool]
async fn travelling_form() -> Result<bool, ToolError> {
    let first: Confirm = elicit("Once?").await?;
    let second: Confirm = elicit("Twice?").await?;
    Ok(first.yes && second.yes)
}

/// What was chosen is kept, not a borrow of it.
#[saga_tool]
async fn owned_choice(one: String, other: String) -> Result<usize, ToolError> {
    let ok: Confirm = elicit("The other?").await?;
    let chosen = if ok.yes { other } else { one };
    let ok: Confirm = elicit("Sure?").await?;
    Ok(if ok.yes { chosen.len() } else { 0 })
}

/// A collection with an order.
#[saga_tool]
async fn ordered(prices: BTreeMap<String, u32>) -> Result<u32, ToolError> {
    let mut sum = 0;
    for (name, price) in &prices {
        let ok: Confirm = elicit(format!("Buy {name}?")).await?;
        if ok.yes {
            sum += price;
        }
    }
    Ok(sum)
}

/// The answer is bound before the macro, the guard and the block.
#[saga_tool]
async fn bound_first(depth: u8) -> Result<bool, ToolError> {
    let deep: Confirm = elicit("Deep?").await?;
    Ok(match depth {
        1 if deep.yes => true,
        _ => vec![deep.yes; 2].len() == 2,
    })
}

fn main() {}
