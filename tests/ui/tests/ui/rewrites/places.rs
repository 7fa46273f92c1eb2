#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, StepError, ToolError, call, elicit, saga, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

/// A `for` in place of a closure.
#[saga_tool]
async fn in_a_loop(names: Vec<String>) -> Result<usize, ToolError> {
    let mut sure = 0;
    for name in &names {
        sure += usize::from(elicit::<Confirm>(name.as_str()).await?.yes);
    }
    Ok(sure)
}

/// The answer is bound before the closure, the `async` block, the `unsafe` block, the guard and the macro.
#[saga_tool]
async fn bound_first(depth: u8, ready: bool) -> Result<bool, ToolError> {
    let deep: Confirm = elicit("Deep?").await?;
    let both = [true, false].iter().filter(|one| **one == deep.yes).count();
    let later = async { deep.yes }.await;
    // SAFETY: the text is ASCII.
    let text = unsafe { String::from_utf8_unchecked(vec![b'a' + u8::from(deep.yes)]) };
    assert!(ready || later, "not ready: {}", deep.yes);
    Ok(match depth {
        1 if deep.yes => true,
        2 => elicit::<Confirm>("Deeper?").await?.yes,
        _ => vec![deep.yes; both].len() == text.len(),
    })
}

/// An `if` in place of an assertion's message.
#[saga_tool]
async fn asked_only_then(ready: bool) -> Result<(), ToolError> {
    if !ready {
        panic!("not ready: {}", elicit::<Confirm>("Wait?").await?.yes);
    }
    Ok(())
}

/// A condition that is decided while the function is compiled.
#[saga_tool]
async fn conditional() -> Result<(), ToolError> {
    if cfg!(unix) {
        elicit::<Confirm>("Unix?").await?;
    }
    Ok(())
}

/// The index is evaluated first.
#[saga_tool]
async fn ordered(mut sums: Vec<u32>) -> Result<u32, ToolError> {
    fn next() -> usize {
        0
    }
    let index = next();
    sums[index] += u32::from(elicit::<Confirm>("Add one?").await?.yes);
    Ok(sums.iter().sum())
}

/// What the closure captures is bound first.
#[saga_tool]
async fn captured_first(mut n: u32) -> Result<u32, ToolError> {
    fn apply(f: impl Fn(u32) -> u32, n: u32) -> u32 {
        f(n)
    }
    let captured = n;
    Ok(apply(move |y| y + captured, {
        n += 1;
        n + u32::from(elicit::<Confirm>("Add one?").await?.yes)
    }))
}

/// By a path through the crate, where the name is another's.
#[saga_tool]
async fn by_its_path() -> Result<bool, ToolError> {
    let ok: Confirm = saga_runtime::elicit("Sure?").await?;
    Ok(ok.yes)
}

async fn sample(text: &str) -> Result<usize, ToolError> {
    Ok(text.len())
}

/// A function of a step's name is called by a path.
#[saga_tool]
async fn a_function_of_ones_own(text: String) -> Result<usize, ToolError> {
    let ok: Confirm = elicit("Sure?").await?;
    let size = self::sample(&text).await?;
    Ok(size + usize::from(ok.yes))
}

#[saga]
async fn helper() -> Result<bool, StepError> {
    let ok: Confirm = elicit("Sure?").await?;
    Ok(ok.yes)
}

/// A helper that asks is a saga, and is called as one.
#[saga_tool]
async fn a_helper_that_asks() -> Result<bool, ToolError> {
    Ok(call(helper()).await?)
}

fn main() {}
