//! Names and patterns in every form in which they are written.

use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Name};
use saga_tests::law::effect;

bodies! {
    a_reference_that_a_saga_moves_on(text: "xyz".to_owned());
    raw_names_in_format_strings(r#type: "t".to_owned());
    raw_names_of_sagas_and_keys;
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

#[saga_tool]
async fn raw_names_in_format_strings(r#type: String) -> Result<String, ToolError> {
    let r#type = r#type.to_uppercase();
    let width = 6;
    let r#in: Count = elicit(format!("{type}?")).await?;
    effect(format!("{type:>width$}"));
    let label = |r#type: &str| format!("{type}");
    let last: Name = elicit(format!("{}?", r#in.n)).await?;
    Ok(format!("{type} {} {} {}", r#in.n, label("l"), last.name))
}

#[saga]
async fn r#try(r#for: &str) -> Result<String, StepError> {
    let mut r#ref = r#for.to_owned();
    let r#mod: Name = elicit(format!("{for}?")).await?;
    effect(format_args!("{ref} {}", r#mod.name));
    r#ref += &r#mod.name;
    let again: Count = elicit(format!("{ref}?")).await?;
    Ok(format!("{for} {ref} {}", again.n))
}

#[saga_tool]
async fn raw_names_of_sagas_and_keys() -> Result<String, ToolError> {
    let mut r#where = String::new();
    for r#use in ["a", "b"] {
        r#where += &call(r#try(r#use)).await?;
        effect(format!("{where} {use}"));
    }
    let taken = (r#where.len(), {
        r#where += "!";
        elicit::<Count>(format!("{where}?")).await?.n
    });
    Ok(format!("{where} {taken:?}"))
}
