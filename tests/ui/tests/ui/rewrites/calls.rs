//! The rewrites that the messages of `calls` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, StepError, ToolError, call, elicit, join, join_all, saga, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn confirm(name: &str) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>(name).await?.yes)
}

/// What is in the `Rc`.
mod an_argument_that_cannot_travel {
    use super::*;

    #[saga]
    async fn review(plan: String) -> Result<bool, StepError> {
        let ok: Confirm = elicit(plan.as_str()).await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn deploy(service: String) -> Result<bool, StepError> {
        let plan = service;
        call(review(plan)).await
    }
}

mod together {
    use super::*;

    #[saga]
    async fn open(name: &str) -> Result<std::sync::mpsc::Sender<bool>, ToolError> {
        let _: Confirm = elicit(name).await?;
        Ok(std::sync::mpsc::channel().0)
    }

    /// As many as are known; for each of what was prepared; without `move`.
    #[saga_tool]
    async fn as_many_as_there_are(services: Vec<String>) -> Result<usize, StepError> {
        let asked: Vec<Confirm> = join_all([elicit("?")]).await?;
        let some = join!(call(confirm("one")), call(confirm("other"))).await;
        let prepared: Vec<_> = services.iter().map(|service| service.trim()).collect();
        let all: Vec<bool> = join_all(prepared.iter().map(|service| call(confirm(service)))).await?;
        let again = join_all(services.iter().map(|service| call(confirm(service)))).await?;
        let (one, other) = some?;
        Ok(usize::from(one) + usize::from(other) + all.len() + again.len() + asked.len())
    }

    #[saga_tool]
    async fn in_an_order_of_their_own(
        services: std::collections::BTreeMap<String, u32>,
    ) -> Result<usize, StepError> {
        Ok(join_all(services.keys().map(|service| call(confirm(service)))).await?.len())
    }

    #[saga_tool]
    async fn with_equal_keys() -> Result<bool, StepError> {
        let (one, ..) = join!(
            call(confirm("one")),
            elicit::<Confirm>("?").key("sure"),
            elicit::<Confirm>("!").key("very sure"),
        )
        .await?;
        Ok(one)
    }

    /// One after the other.
    #[saga_tool]
    async fn with_what_cannot_travel() -> Result<bool, ToolError> {
        let one = call(confirm("one")).await?;
        let opened = call(open("other")).await?;
        opened.send(one)?;
        Ok(true)
    }
}

mod what_a_saga_cannot_be {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Plan {
        count: u32,
    }

    impl Plan {
        /// `self`, and a local that changes.
        #[saga]
        async fn review(self) -> Result<u32, StepError> {
            let mut this = self;
            this.count += 1;
            let ok: Confirm = elicit("go?").await?;
            Ok(this.count + u32::from(ok.yes))
        }
    }

    #[saga]
    async fn confirm() -> Result<bool, StepError> {
        Ok(elicit::<Confirm>("go?").await?.yes)
    }

    #[saga]
    async fn sure() -> Result<bool, StepError> {
        Ok(elicit::<Confirm>("sure?").await?.yes)
    }
}

mod what_is_no_call {
    use super::*;

    async fn call(depth: u8) -> Result<u8, StepError> {
        Ok(depth)
    }

    /// The call as it stands, each time; a function of one's own of that name is called by a path.
    #[saga_tool]
    async fn deploy(service: String) -> Result<bool, StepError> {
        let ok = saga_runtime::call(confirm(&service)).await?;
        let texts: Vec<bool> = vec![ok; 2];
        let mut all = self::call(1).await?;
        for _ in 0..2 {
            all += u8::from(saga_runtime::call(confirm(&service)).await?);
        }
        Ok(texts.len() + usize::from(all) > 1)
    }
}

/// What both ask is a saga.
mod a_tool {
    use super::*;

    #[saga]
    async fn confirmed(what: &str) -> Result<bool, StepError> {
        let ok: Confirm = elicit(format!("{what}?")).await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn confirm(what: String) -> Result<bool, ToolError> {
        Ok(call(confirmed(&what)).await?)
    }

    #[saga_tool]
    async fn deploy() -> Result<bool, ToolError> {
        let first = call(confirmed("Build")).await?;
        let second = call(confirmed("Deploy")).await?;
        Ok(first && second)
    }
}

/// Owned, or taken after the question.
mod given_to_the_caller {
    use super::*;

    #[saga]
    async fn pushed<'t>(text: &'t str, seen: &mut Vec<&'t str>) -> Result<usize, ToolError> {
        elicit::<Confirm>(text.trim()).await?;
        let word = text.trim();
        seen.push(word);
        Ok(seen.len())
    }

    #[saga]
    async fn returned(text: &str) -> Result<Vec<String>, ToolError> {
        let mut seen = Vec::new();
        for word in text.split(' ') {
            elicit::<Confirm>(word).await?;
            seen.push(word.to_owned());
        }
        Ok(seen)
    }
}

fn main() {}
