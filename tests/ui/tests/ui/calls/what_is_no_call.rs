//! `call` takes a call as it stands.
use saga_runtime::{Form, StepError, call, elicit, saga, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn review(name: &str) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>(name).await?.yes)
}

#[saga_tool]
async fn deploy(service: String) -> Result<bool, StepError> {
    let later = review(&service);
    call(later).await?;
    call(Box::pin(review(&service))).await?;
    let texts: Vec<bool> = vec![call(review(&service)).await?; 2];
    let all = [1, 2].map(|_| async { call(review(&service)).await });
    Ok(texts.len() + all.len() > 1)
}

fn main() {}
