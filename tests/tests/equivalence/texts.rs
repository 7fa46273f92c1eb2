//! Texts of the program itself, which stay `'static`.

use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::Yes;

bodies! {
    static_texts_as_arguments(x: true);
    a_static_text_that_changes(x: false);
    static_texts_of_sagas;
}

fn needs(w: &'static str) -> usize {
    w.len()
}

#[saga_tool]
async fn static_texts_as_arguments(x: bool) -> Result<String, ToolError> {
    let word: &'static str = if x { "a" } else { "b" };
    let y: Yes = elicit(format!("{word}?")).await?;
    Ok(format!("{} {}", needs(word), y.yes))
}

#[saga_tool]
async fn a_static_text_that_changes(x: bool) -> Result<&'static str, ToolError> {
    let mut word: &'static str = if x { "a" } else { "b" };
    if !x {
        word = "c";
    }
    let y: Yes = elicit(format!("{word}?")).await?;
    Ok(if y.yes { word } else { "no" })
}

#[saga]
async fn word(sure: bool) -> Result<&'static str, StepError> {
    let word: &'static str;
    if sure {
        word = "sure"
    } else {
        word = "not"
    }
    let other: Option<&'static str> = sure.then_some("other");
    let y: Yes = elicit(format!("{word} {other:?}?")).await?;
    if y.yes {
        if let Some(other) = other {
            return Ok(other);
        }
    }
    let y: Yes = elicit(format!("{word} {other:?} again?")).await?;
    Ok(if y.yes { word } else { "else" })
}

#[saga_tool]
async fn static_texts_of_sagas() -> Result<&'static str, ToolError> {
    for sure in [true, false] {
        let w: &'static str = call(word(sure)).await?;
        let y: Yes = elicit(format!("{w}?")).await?;
        if y.yes {
            return Ok(w);
        }
    }
    Ok("end")
}
