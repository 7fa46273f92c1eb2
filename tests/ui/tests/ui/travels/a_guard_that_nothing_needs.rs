//! A guard that is only there ends at the question: a warning, which this crate denies.
#![deny(deprecated)]
use std::sync::Mutex;

use saga_runtime::{Form, StepError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

struct Ledger {
    lock: Mutex<()>,
}

#[saga_tool]
async fn transfer(#[context] ledger: &Ledger) -> Result<bool, StepError> {
    let _held = ledger.lock.lock();
    let ok: Confirm = elicit("go?").await?;
    let guard = ledger.lock.lock();
    drop(guard);
    let again: Confirm = elicit("sure?").await?;
    {
        let _inside = ledger.lock.lock();
    }
    elicit::<Confirm>("really?").await?;
    Ok(ok.yes && again.yes)
}

fn main() {}
