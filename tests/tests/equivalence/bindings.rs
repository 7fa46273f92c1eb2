//! How a local comes into being: `let` with every kind of pattern, shadowing, deferred initialisation, reassignment.

use saga_runtime::{StepError, ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Region, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    two_questions(who: "ada".to_owned());
}

#[saga_tool]
async fn two_questions(who: String) -> Result<String, ToolError> {
    effect("start");
    let first: Name = elicit(format!("{who}: first?")).await?;
    effect(&first.name);
    let second: Count = elicit(format!("{}: second?", first.name)).await?;
    effect(second.n);
    Ok(format!("{who} {first:?} {second:?}"))
}
