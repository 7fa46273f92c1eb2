//! What is forgotten most: rustc says it as of any `async fn`, in the author's words, once.
use std::rc::Rc;

use saga_runtime::{Form, StepError, ToolError, call, elicit, join, saga, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn to_await() -> Result<bool, ToolError> {
    let ok: Confirm = elicit("Go?")?;
    Ok(ok.yes)
}

#[saga_tool]
async fn the_question_mark() -> Result<bool, ToolError> {
    let ok: Confirm = elicit("Go?").await;
    Ok(ok.yes)
}

#[saga_tool]
async fn the_question_mark_of_a_join() -> Result<bool, ToolError> {
    let (one, two) = join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Two?")).await;
    Ok(one.yes && two.yes)
}

#[saga]
async fn confirm() -> Result<bool, String> {
    Ok(elicit::<Confirm>("Go?").await.is_ok_and(|ok| ok.yes))
}

#[saga_tool]
async fn the_question_mark_of_a_call() -> Result<bool, String> {
    if call(confirm()).await {
        return Ok(true);
    }
    let ok: bool = call(confirm()).await;
    Ok(ok)
}

#[saga_tool]
async fn whose_error_a_call_has() -> Result<bool, StepError> {
    Ok(call(confirm()).await?)
}

#[saga_tool]
async fn what_it_returns() {
    elicit::<Confirm>("Go?").await?;
}

#[saga_tool]
async fn whose_error_it_is() -> Result<bool, String> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(ok.yes)
}

#[saga_tool]
async fn that_a_semicolon_ends_it() -> Result<bool, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(ok.yes);
}

#[saga_tool]
async fn the_other_numbers(count: u8) -> Result<bool, ToolError> {
    match count {
        0 => Ok(elicit::<Confirm>("Go?").await?.yes),
        1 => Ok(true),
    }
}

#[saga_tool]
async fn that_there_may_be_none(count: Option<u8>) -> Result<u8, ToolError> {
    let Some(count) = count;
    elicit::<Confirm>("Go?").await?;
    Ok(count)
}

#[saga_tool]
async fn to_leave(count: Option<u8>) -> Result<u8, ToolError> {
    let Some(count) = count else {
        elicit::<Confirm>("None?").await?;
    };
    Ok(count)
}

#[saga_tool]
async fn that_there_are_threads() -> Result<usize, ToolError> {
    elicit::<Confirm>("Go?").await?;
    let text = Rc::new(String::new());
    std::future::ready(()).await;
    Ok(text.len())
}

fn main() {}
