//! Sagas that are called together.
use saga_runtime::{Form, StepError, ToolError, call, elicit, join, join_all, saga, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn review(name: &str) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>(name).await?.yes)
}

#[saga]
async fn open(name: &str) -> Result<std::sync::mpsc::Sender<bool>, ToolError> {
    let _: Confirm = elicit(name).await?;
    Ok(std::sync::mpsc::channel().0)
}

fn next(service: &str) -> &str {
    service.trim()
}

#[saga_tool]
async fn as_many_as_there_are(services: Vec<String>) -> Result<usize, StepError> {
    let asked: Vec<Confirm> = join_all([elicit("?")]).await?;
    let some: Result<Vec<bool>, _> = join_all([call(review("one")), call(review("other"))]).await;
    let all: Vec<bool> = join_all(services.iter().map(|service| call(review(next(service))))).await?;
    let again = join_all(services.iter().map(move |service| call(review(service)))).await?;
    Ok(some?.len() + all.len() + again.len() + asked.len())
}

#[saga_tool]
async fn in_an_order_of_their_own(services: std::collections::HashMap<String, u32>) -> Result<usize, StepError> {
    Ok(join_all(services.keys().map(|service| call(review(service)))).await?.len())
}

#[saga_tool]
async fn with_equal_keys() -> Result<bool, StepError> {
    let (one, ..) = join!(
        call(review("one")),
        elicit::<Confirm>("?").key("sure"),
        elicit::<Confirm>("!").key("sure"),
    )
    .await?;
    Ok(one)
}

#[saga_tool]
async fn with_what_cannot_travel() -> Result<bool, ToolError> {
    let (one, opened) = join!(call(review("one")), call(open("other"))).each().await;
    opened?.send(one?)?;
    Ok(true)
}

fn main() {}
