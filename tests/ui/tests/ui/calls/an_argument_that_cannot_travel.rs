//! An argument by value waits with its caller, so it travels.
use std::rc::Rc;

use saga_runtime::{Form, StepError, call, elicit, saga, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn review(plan: Rc<String>) -> Result<bool, StepError> {
    let ok: Confirm = elicit(plan.as_str()).await?;
    Ok(ok.yes)
}

#[saga_tool]
async fn deploy(service: String) -> Result<bool, StepError> {
    let plan = Rc::new(service);
    call(review(plan)).await
}

fn main() {}
