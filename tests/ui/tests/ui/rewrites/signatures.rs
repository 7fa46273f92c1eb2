//! The rewrites that messages of `surface` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, Json, StepError, ToolError, call, elicit, saga, saga_prompt, saga_resource, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

struct Fleet;

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct Report {
    size: u32,
}

mod a_function_that_does_not_wait {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        Ok(true)
    }
}

mod what_a_signature_cannot_have {
    use super::*;

    #[saga_tool]
    async fn dangerous() -> Result<bool, StepError> {
        // SAFETY: the text is ASCII.
        let text = unsafe { String::from_utf8_unchecked(vec![b'?']) };
        Ok(elicit::<Confirm>(text).await?.yes)
    }

    #[saga_tool]
    async fn foreign() -> Result<bool, StepError> {
        Ok(elicit::<Confirm>("Go?").await?.yes)
    }

    #[saga_tool]
    async fn constant() -> Result<bool, StepError> {
        Ok(elicit::<Confirm>("Go?").await?.yes)
    }

    #[saga_tool]
    async fn any_argument(message: String) -> Result<bool, StepError> {
        Ok(elicit::<Confirm>(message).await?.yes)
    }

    #[saga_tool]
    async fn any_result() -> Json<Report> {
        Json(Report { size: u32::from(elicit::<Confirm>("Go?").await.is_ok()) })
    }

    #[cfg(unix)]
    #[saga_tool]
    async fn conditional_argument(path: String) -> Result<bool, StepError> {
        Ok(elicit::<Confirm>(path).await?.yes)
    }

    #[cfg(not(unix))]
    #[saga_tool]
    async fn conditional_argument() -> Result<bool, StepError> {
        Ok(elicit::<Confirm>("Go?").await?.yes)
    }

    #[cfg(unix)]
    #[saga]
    async fn conditional_parameter(path: &str) -> Result<bool, StepError> {
        Ok(elicit::<Confirm>(path).await?.yes)
    }

    #[cfg(not(unix))]
    #[saga]
    async fn conditional_parameter() -> Result<bool, StepError> {
        Ok(elicit::<Confirm>("Go?").await?.yes)
    }
}

mod what_a_tool_cannot_be {
    use super::*;

    #[saga]
    async fn ask<T: AsRef<str>>(message: &T) -> Result<bool, StepError> {
        Ok(elicit::<Confirm>(message.as_ref()).await?.yes)
    }

    /// A tool for a type, which calls a generic function.
    #[saga_tool]
    async fn generic(message: String) -> Result<bool, StepError> {
        call(ask(&message)).await
    }

    #[saga_tool]
    async fn method(#[context] fleet: &Fleet) -> Result<(), ToolError> {
        let _ = fleet;
        elicit::<Confirm>("Go?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn nameless(pair: (u8, u8)) -> Result<u8, ToolError> {
        let (a, b) = pair;
        elicit::<Confirm>("Go?").await?;
        Ok(a + b)
    }

    #[saga_tool]
    async fn borrowed(name: String) -> Result<usize, ToolError> {
        elicit::<Confirm>("Go?").await?;
        Ok(name.len())
    }

    #[saga_tool]
    async fn owned_context(#[context] fleet: &Fleet) -> Result<(), ToolError> {
        let _ = fleet;
        elicit::<Confirm>("Go?").await?;
        Ok(())
    }

    #[saga_tool(ttl = "10m")]
    async fn unit() {}

    #[saga_tool(title = "Red")]
    async fn unknown() {}

    #[saga_tool(annotations(read_only))]
    async fn hint() {}

    #[saga_tool]
    async fn headers(
        #[header = "Region"] a: String,
        #[header = "Zone"] b: String,
        #[header = "A-B"] c: String,
        #[header = "D"] d: String,
    ) -> String {
        a + &b + &c + &d
    }

    #[saga_tool]
    async fn no_function() {}
}

mod what_an_address_cannot_be {
    use super::*;

    #[saga_resource(uri = "trip://plan")]
    async fn without_an_address() -> Result<String, ToolError> {
        Ok(elicit::<Confirm>("Go?").await?.yes.to_string())
    }

    #[saga_resource(uri = "trip://plan")]
    async fn without_a_scheme() -> String {
        String::new()
    }

    #[saga_resource(uri = "trip://{id}/{+rest}")]
    async fn without_a_variable(id: u64, rest: String) -> String {
        format!("{id} {rest}")
    }

    #[saga_resource(uri = "trip://{a}/{b}")]
    async fn without_a_border(a: String, b: String) -> String {
        a + &b
    }

    #[saga_resource(uri = "trip://{id}/{day}")]
    async fn other_variables(id: String, day: String, #[context] fleet: &Fleet) -> String {
        let _ = fleet;
        id + &day
    }

    #[saga_prompt]
    async fn with_a_header(region: String) -> String {
        region
    }
}

/// Above each function that asks.
mod what_is_no_function {
    use super::*;

    #[saga_tool]
    async fn deploy(service: String) -> Result<bool, ToolError> {
        let ok: Confirm = elicit(service).await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn all_of_it() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    trait Plan {
        async fn review(self) -> Result<bool, StepError>;
    }

    trait Trip {
        async fn book(self) -> Result<bool, StepError>;
    }

    impl Plan for Report {
        #[saga]
        async fn review(self) -> Result<bool, StepError> {
            let ok: Confirm = elicit(self.size.to_string()).await?;
            Ok(ok.yes)
        }
    }

    impl Trip for Report {
        #[saga]
        async fn book(self) -> Result<bool, StepError> {
            let ok: Confirm = elicit(self.size.to_string()).await?;
            Ok(ok.yes)
        }
    }
}

fn main() {}
