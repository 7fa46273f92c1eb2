//! The rewrites that the messages of `surface` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{
    Form, Json, Provides, Sagas, StepError, ToolError, call, elicit, join, saga, saga_prompt, saga_resource,
    saga_tool,
};
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

/// Looked at, or dropped on purpose.
mod an_answer_that_nobody_looks_at {
    use super::*;

    #[saga]
    async fn called() -> Result<(), StepError> {
        let _ = elicit::<Confirm>("Go?").await;
        elicit::<Confirm>("Again?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn tool() -> Result<(), StepError> {
        elicit::<Confirm>("Go?").await?;
        let _ = elicit::<Confirm>("Again?").await;
        elicit::<Confirm>("Never?").await?;
        Ok(())
    }
}

/// Derived; or the server's, by reference.
mod an_argument_that_is_no_json {
    use super::*;

    #[derive(Deserialize, schemars::JsonSchema)]
    struct Cart {
        items: Vec<String>,
    }

    #[saga_tool]
    async fn without_derives(cart: Cart) -> Result<usize, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(cart.items.len() + usize::from(ok.yes))
    }

    #[saga_tool]
    async fn of_the_server(#[context] fleet: &Fleet) -> Result<bool, ToolError> {
        let _ = fleet;
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }
}

/// The context has a fleet; or is one.
mod a_missing_context {
    use super::*;

    struct App {
        fleet: Fleet,
    }

    impl Provides<Fleet> for App {
        fn provide(&self) -> &Fleet {
            &self.fleet
        }
    }

    #[saga_tool]
    async fn tool(#[context] fleet: &Fleet) -> Result<bool, ToolError> {
        let _ = fleet;
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    fn server() {
        let _ = Sagas::builder("fleet", "1").context(App { fleet: Fleet }).tool::<tool>();
        let _ = Sagas::builder("fleet", "1").context(Fleet).tool::<tool>();
    }
}

/// The fields of the nested struct in the form; or a question of their own.
mod a_nested_struct_in_a_form {
    use super::*;

    #[derive(Form, Serialize, Deserialize)]
    struct Person {
        name: String,
        street: String,
    }

    #[derive(Form)]
    struct Address {
        street: String,
    }

    #[saga_tool]
    async fn tool() -> Result<String, ToolError> {
        let person: Person = elicit("Who?").await?;
        let address: Address = elicit("Where?").await?;
        Ok(person.name + &person.street + &address.street)
    }
}

mod a_result_of_another_kind {
    use super::*;

    #[saga_prompt]
    async fn prompt() -> Result<String, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes.to_string())
    }

    #[saga_resource(uri = "trip://plan")]
    async fn resource() -> Result<Json<Report>, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(Json(Report { size: u32::from(ok.yes) }))
    }
}

mod a_result_that_no_client_gets {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<Json<Report>, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(Json(Report { size: u32::from(ok.yes) }))
    }
}

mod equal_keys {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        let one: bool = elicit::<Confirm>("One?").key("ok").await?.yes;
        let two: bool = elicit::<Confirm>("Two?").key("again").await?.yes;
        Ok(one && two)
    }
}

/// Typed to its end.
mod half_typed {
    use super::*;

    #[saga_tool]
    async fn tool(name: String) -> Result<bool, ToolError> {
        let length = name.len();
        let ok: Confirm = elicit("Sure?").await?;
        Ok(ok.yes && length > 1)
    }

    fn server() {
        let _ = Sagas::builder("s", "1").tool::<tool>();
    }
}

mod instrument_above {
    use super::*;

    #[saga_tool]
    #[tracing::instrument]
    async fn tool(name: String) -> Result<bool, ToolError> {
        let ok: Confirm = elicit(format!("{name}?")).await?;
        Ok(ok.yes)
    }
}

/// A setting for those who know their clients; several things in one round.
mod more_than_nine_rounds {
    use super::*;

    #[saga_tool(max_rounds = 10)]
    async fn tool() -> Result<(), ToolError> {
        elicit::<Confirm>("1?").await?;
        elicit::<Confirm>("2?").await?;
        elicit::<Confirm>("3?").await?;
        elicit::<Confirm>("4?").await?;
        elicit::<Confirm>("5?").await?;
        elicit::<Confirm>("6?").await?;
        elicit::<Confirm>("7?").await?;
        elicit::<Confirm>("8?").await?;
        elicit::<Confirm>("9?").await?;
        elicit::<Confirm>("10?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn in_one_round() -> Result<bool, ToolError> {
        let (one, two): (Confirm, Confirm) = join!(elicit("1?"), elicit("2?")).await?;
        Ok(one.yes && two.yes)
    }
}

mod settings {
    use super::*;

    #[saga_tool(replay = "once")]
    async fn replayed() -> Result<String, ToolError> {
        #[saga(rebuild)]
        let name = String::new();
        elicit::<Confirm>("Go?").await?;
        Ok(name)
    }

    #[saga_tool(max_rounds = 70)]
    async fn too_many_rounds() -> Result<bool, ToolError> {
        Ok(elicit::<Confirm>("Go?").await?.yes)
    }

    /// What the expression needs, bound without `mut`.
    #[saga_tool]
    async fn made_again(names: Vec<String>) -> Result<String, ToolError> {
        let mut index = 0;
        let settled = index;
        #[saga(rebuild)]
        let name = names.get(settled);
        index += 1;
        elicit::<Confirm>("Go?").await?;
        Ok(format!("{name:?} {index}"))
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

mod what_is_forgotten {
    use std::rc::Rc;

    use super::*;

    #[saga_tool]
    async fn to_await() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn the_question_mark() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn the_question_mark_of_a_join() -> Result<bool, ToolError> {
        let (one, two) = join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Two?")).await?;
        Ok(one.yes && two.yes)
    }

    #[saga_tool]
    async fn what_it_returns() -> Result<(), ToolError> {
        elicit::<Confirm>("Go?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn whose_error_it_is() -> Result<bool, String> {
        let ok: Confirm = elicit("Go?").await.map_err(|error| error.to_string())?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn that_a_semicolon_ends_it() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn the_other_numbers(count: u8) -> Result<bool, ToolError> {
        match count {
            0 => Ok(elicit::<Confirm>("Go?").await?.yes),
            1 => Ok(true),
            2_u8..=u8::MAX => Ok(false),
        }
    }

    #[saga_tool]
    async fn that_there_may_be_none(count: Option<u8>) -> Result<u8, ToolError> {
        let Some(count) = count else { return Ok(0) };
        elicit::<Confirm>("Go?").await?;
        Ok(count)
    }

    #[saga_tool]
    async fn to_leave(count: Option<u8>) -> Result<u8, ToolError> {
        let Some(count) = count else {
            elicit::<Confirm>("None?").await?;
            return Ok(0);
        };
        Ok(count)
    }

    #[saga_tool]
    async fn that_there_are_threads() -> Result<usize, ToolError> {
        elicit::<Confirm>("Go?").await?;
        std::future::ready(()).await;
        let text = Rc::new(String::new());
        Ok(text.len())
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

mod what_is_no_tool {
    use super::*;

    #[saga_tool]
    async fn helper() -> Result<bool, ToolError> {
        Ok(elicit::<Confirm>("Go?").await?.yes)
    }

    #[saga_prompt]
    async fn prompt() -> Result<String, ToolError> {
        Ok(elicit::<Confirm>("Go?").await?.yes.to_string())
    }

    #[saga_resource(uri = "trip://plan")]
    async fn resource() -> Result<String, ToolError> {
        Ok(elicit::<Confirm>("Go?").await?.yes.to_string())
    }

    fn server() {
        let _ = Sagas::builder("s", "1").tool::<helper>();
        let _ = Sagas::builder("s", "1").prompt::<prompt>();
        let _ = Sagas::builder("s", "1").resource::<resource>();
    }
}

mod what_rustc_says {
    use super::*;

    #[saga_tool]
    async fn untyped() -> Result<(), ToolError> {
        let _answer = elicit::<Confirm>("Go?").await?;
        Ok(())
    }

    #[saga_tool]
    async fn mismatched() -> Result<u32, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(u32::from(ok.yes))
    }

    #[saga_tool]
    async fn unknown(there: bool) -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(ok.yes && there)
    }

    #[saga_tool]
    async fn immutable(count: u32) -> Result<u32, ToolError> {
        let mut sum = count;
        elicit::<Confirm>("Go?").await?;
        sum += 1;
        Ok(sum)
    }
}

fn main() {}
