use std::sync::Mutex;

use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

struct Ledger {
    total: Mutex<u32>,
}

#[saga_tool]
async fn tool(#[context] ledger: &Ledger) -> Result<u32, ToolError> {
    let mut total = ledger.total.lock().unwrap();
    let ok: Confirm = elicit("Add one?").await?;
    *total += u32::from(ok.yes);
    Ok(*total)
}

fn main() {}
