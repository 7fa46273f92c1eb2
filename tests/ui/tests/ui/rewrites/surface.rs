//! The rewrites that messages of `surface` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, Json, Provides, Sagas, ToolError, elicit, join, saga_prompt, saga_resource, saga_tool};
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

/// Both are texts.
mod branches_of_two_types {
    use super::*;

    #[derive(Form)]
    struct Seat {
        row: u32,
    }

    #[saga_tool]
    async fn tool(known: Option<String>) -> Result<String, ToolError> {
        let seat = match known {
            Some(seat) => seat,
            None => elicit::<Seat>("Which row?").await?.row.to_string(),
        }
        .trim()
        .to_owned();
        Ok(seat)
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

    #[saga_tool(title = "One")]
    async fn with_two_titles() -> Result<bool, ToolError> {
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

    /// What is there after a statement of its own.
    #[saga_tool]
    async fn changed_again() -> Result<String, ToolError> {
        let mut names = std::collections::BTreeMap::from([(2, vec!["ada"])]);
        let mut last = None;
        last.replace(String::new());
        let text = last.as_mut().unwrap();
        names.entry(2).and_modify(|names| names.push("bob")).or_default();
        #[saga(rebuild)]
        let name = names.get_mut(&2).unwrap();
        text.push('!');
        name.push("cid");
        elicit::<Confirm>("Go?").await?;
        text.push('?');
        name.push("dan");
        Ok(format!("{names:?} {last:?}"))
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

/// Each has a name of its own.
mod two_parameters_of_one_name {
    use super::*;

    #[saga_tool]
    async fn tool(plan: String, size: u8) -> Result<usize, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        Ok(if ok.yes { plan.len() + usize::from(size) } else { 0 })
    }
}

fn main() {}
