use saga_runtime::{Form, elicit};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

async fn helper() -> Result<bool, saga_runtime::StepError> {
    let ok: Confirm = elicit("Sure?").await?;
    Ok(ok.yes)
}

fn main() {}
