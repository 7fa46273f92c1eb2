//! Attributes above what is no function; the questions in it are not reported once more.
use saga_runtime::{Form, StepError, ToolError, elicit, saga, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
struct Deploy {
    service: String,
}

struct Fleet;

#[saga_tool]
impl Fleet {
    async fn all_of_it() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }
}

#[saga]
trait Plan {
    async fn review(self) -> Result<bool, StepError>;
}

trait Trip {
    #[saga]
    async fn book(self) -> Result<bool, StepError>;
}

fn main() {}
