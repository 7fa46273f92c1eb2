//! The rewrites that messages of `surface` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, StepError, ToolError, call, elicit, join, saga, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

/// Looked at, or dropped on purpose.
mod an_answer_that_nobody_looks_at {
    use super::*;

    #[saga]
    async fn called() -> Result<(), StepError> {
        let _ = elicit::<Confirm>("Go?").await;
        elicit::<Confirm>("Again?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn tool() -> Result<(), StepError> {
        elicit::<Confirm>("Go?").await?;
        let _ = elicit::<Confirm>("Again?").await;
        elicit::<Confirm>("Never?").await?;
        Ok(())
    }
}

mod what_is_forgotten {
    use std::rc::Rc;

    use super::*;

    #[saga_tool]
    async fn to_await() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn the_question_mark() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn the_question_mark_of_a_join() -> Result<bool, ToolError> {
        let (one, two) = join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Two?")).await?;
        Ok(one.yes && two.yes)
    }

    #[saga]
    async fn confirm() -> Result<bool, String> {
        Ok(elicit::<Confirm>("Go?").await.is_ok_and(|ok| ok.yes))
    }

    #[saga_tool]
    async fn the_question_mark_of_a_call() -> Result<bool, String> {
        if call(confirm()).await? {
            return Ok(true);
        }
        let ok: bool = call(confirm()).await?;
        Ok(ok)
    }

    #[saga_tool]
    async fn whose_error_a_call_has() -> Result<bool, StepError> {
        Ok(call(confirm()).await.unwrap_or_default())
    }

    #[saga_tool]
    async fn what_it_returns() -> Result<(), ToolError> {
        elicit::<Confirm>("Go?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn whose_error_it_is() -> Result<bool, String> {
        let ok: Confirm = elicit("Go?").await.map_err(|error| error.to_string())?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn that_a_semicolon_ends_it() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn the_other_numbers(count: u8) -> Result<bool, ToolError> {
        match count {
            0 => Ok(elicit::<Confirm>("Go?").await?.yes),
            1 => Ok(true),
            2_u8..=u8::MAX => Ok(false),
        }
    }

    #[saga_tool]
    async fn that_there_may_be_none(count: Option<u8>) -> Result<u8, ToolError> {
        let Some(count) = count else { return Ok(0) };
        elicit::<Confirm>("Go?").await?;
        Ok(count)
    }

    #[saga_tool]
    async fn to_leave(count: Option<u8>) -> Result<u8, ToolError> {
        let Some(count) = count else {
            elicit::<Confirm>("None?").await?;
            return Ok(0);
        };
        Ok(count)
    }

    #[saga_tool]
    async fn that_there_are_threads() -> Result<usize, ToolError> {
        elicit::<Confirm>("Go?").await?;
        std::future::ready(()).await;
        let text = Rc::new(String::new());
        Ok(text.len())
    }
}

mod what_rustc_says {
    use super::*;

    #[saga_tool]
    async fn untyped() -> Result<(), ToolError> {
        let _answer = elicit::<Confirm>("Go?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn mismatched() -> Result<u32, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(u32::from(ok.yes))
    }

    #[saga_tool]
    async fn unknown(there: bool) -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes && there)
    }

    #[saga_tool]
    async fn immutable(count: u32) -> Result<u32, ToolError> {
        let mut sum = count;
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
                2
            }
        };
        Ok(format!("{width}"))
    }
}

fn main() {}
