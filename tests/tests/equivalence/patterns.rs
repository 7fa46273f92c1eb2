//! Names and patterns in every form in which they are written.

use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Name};
use saga_tests::law::effect;

bodies! {
    a_reference_that_a_saga_moves_on(text: "xyz".to_owned());
}

#[saga]
async fn without_its_head(mut rest: &str, mut bytes: &[u8]) -> Result<String, StepError> {
    rest = &rest[1..];
    let first: Name = elicit(format!("{rest}?")).await?;
    while let [byte, others @ ..] = bytes {
        bytes = others;
        let n: Count = elicit(format!("{byte}?")).await?;
        effect(format_args!("{rest} {byte} {}", n.n));
        rest = rest.get(1..).unwrap_or_default();
    }
    Ok(format!("{rest} {} {}", first.name, bytes.len()))
}

#[saga_tool]
async fn a_reference_that_a_saga_moves_on(text: String) -> Result<String, ToolError> {
    let one = call(without_its_head(&text, &[1, 2])).await?;
    effect(&one);
    let two = call(without_its_head("abcdef", one.as_bytes())).await?;
    Ok(format!("{text} {one} {two}"))
}
