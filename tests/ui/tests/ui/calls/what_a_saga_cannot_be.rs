//! A saga waits, and gets its `self` from its caller again.
use saga_runtime::{Form, StepError, elicit, saga};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Plan {
    count: u32,
}

impl Plan {
    #[saga]
    async fn review(mut self) -> Result<u32, StepError> {
        self.count += 1;
        let ok: Confirm = elicit("go?").await?;
        Ok(self.count + u32::from(ok.yes))
    }
}

#[saga]
fn confirm() -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("go?").await?.yes)
}

#[saga(name = "sure")]
async fn sure() -> Result<bool, StepError> {
    Ok(elicit::<Confirm>("sure?").await?.yes)
}

fn main() {}
