//! Requests given up on the way: `checkpoint(..)`, alone and among questions.

use saga_runtime::{Json, ToolError, checkpoint, elicit, join, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    one;
    in_a_loop(pages: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    among_questions;
    with_a_question_inside;
    in_branches;
    as_the_last_expression;
    structured;
    over_borrows;
}

#[saga_tool]
async fn one() -> String {
    let kept = noted("kept".to_owned());
    checkpoint("so far").await;
    effect("after");
    kept
}

#[saga_tool]
async fn in_a_loop(pages: Vec<String>) -> String {
    let mut findings = Vec::new();
    for page in &pages {
        findings.push(noted(page.len()));
        checkpoint(format!("{} of {}", findings.len(), pages.len())).await;
    }
    format!("{findings:?}")
}

#[saga_tool]
async fn among_questions() -> Result<String, ToolError> {
    let name: Name = elicit("who?").await?;
    checkpoint(noted(name.name.len())).await;
    let (count, yes) = join!(elicit::<Count>("how many?"), elicit::<Yes>("sure?")).await?;
    checkpoint(()).await;
    checkpoint(true).await;
    Ok(format!("{name:?} {count:?} {yes:?}"))
}

#[saga_tool]
async fn with_a_question_inside() -> Result<String, ToolError> {
    checkpoint(format!("{:?}", elicit::<Count>("how many?").await?)).await;
    effect("after");
    Ok("done".to_owned())
}

#[saga_tool]
async fn in_branches() -> Result<String, ToolError> {
    let yes: Yes = elicit("sure?").await?;
    let kept = String::from("kept");
    if yes.yes {
        checkpoint(kept.as_str()).await;
        effect("yes");
    } else {
        effect("no");
    }
    Ok(kept)
}

#[saga_tool]
async fn as_the_last_expression() {
    effect("before");
    checkpoint("last").await
}

#[saga_tool]
async fn structured() -> String {
    let list = vec![1, 2, 3];
    checkpoint(Json(list.clone())).await;
    format!("{list:?}")
}

#[saga_tool]
async fn over_borrows() -> String {
    let list = vec!["a".to_owned(), "b".to_owned()];
    let first = &list[0];
    checkpoint(first.clone()).await;
    format!("{first} {}", list.len())
}
