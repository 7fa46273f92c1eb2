use saga_runtime::{Form, StepError, elicit, join, join_all, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool() -> Result<bool, StepError> {
    let (one, two) = join!(elicit::<Confirm>("One?").await?, elicit::<Confirm>("Two?").await?).await?;
    Ok(one.yes && two.yes)
}

#[saga_tool]
async fn of_many(names: Vec<String>) -> Result<usize, StepError> {
    let all: Vec<Confirm> = join_all(names.iter().map(|name| elicit(name.as_str()).await)).await?;
    Ok(all.iter().filter(|one| one.yes).count())
}

fn main() {}
