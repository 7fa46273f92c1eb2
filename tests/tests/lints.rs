//! What is generated passes the strictest lints of its author's crate, and survives a module that has items of the
//! prelude's names.
#![deny(warnings, clippy::pedantic, clippy::nursery, missing_docs, unused_qualifications, unreachable_pub)]
#![deny(single_use_lifetimes, elided_lifetimes_in_paths, unused_lifetimes, let_underscore_drop)]

mod shadowing {
    #![allow(
        dead_code,
        unreachable_pub,
        clippy::redundant_pub_crate,
        reason = "the names are there to be in the way"
    )]

    use saga_runtime::{
        Choice, Form, Saga, ToolError, elicit, saga_prompt, saga_resource, saga_tool, sample,
    };
    use serde::{Deserialize, Serialize};

    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Box;
    pub(super) struct String;
    pub(super) struct Vec;
    pub(super) enum State {
        Entry,
    }
    #[allow(non_snake_case, reason = "in the way")]
    pub(super) const fn Some() {}
    #[allow(non_snake_case, reason = "in the way")]
    pub(super) const fn Ok() {}
    pub(super) trait Iterator {}
    pub(super) trait IntoIterator {}
    pub(super) trait Send {}
    pub(super) trait Sync {}

    type Text = ::std::string::String;
    type Fallible<T> = ::std::result::Result<T, ToolError>;

    /// Where to.
    #[derive(Choice, Serialize, Deserialize, Debug, Clone, Copy)]
    pub enum Place {
        /// Here.
        Here,
        /// There.
        There,
    }

    /// A form.
    #[derive(Form, Serialize, Deserialize, Debug)]
    pub struct Trip {
        /// Where to.
        pub place: Place,
        /// How often.
        #[form(min = 1, default = 1)]
        pub times: u8,
    }

    /// Books a trip.
    #[saga_tool(title = "Book a trip", ttl = "10m", annotations(read_only = false))]
    pub async fn book(
        /// Whose trip.
        name: Text,
        mut count: u8,
        #[context] saga: &Saga,
    ) -> Fallible<Text> {
        let trip: Trip = elicit(format!("Where to, {name}?")).await?;
        let mut log = ::std::vec::Vec::new();
        for round in 0..trip.times {
            let verdict = sample(format!("Round {round}?")).await?;
            if verdict.text().is_empty() {
                continue;
            }
            count += 1;
            log.push(verdict);
        }
        let key = saga.idempotency_key("book");
        ::std::result::Result::Ok(format!("{name} {:?} {count} {} {}", trip.place, log.len(), key.len()))
    }

    /// Plans a trip.
    #[saga_prompt(title = "Plan a trip")]
    pub async fn plan(
        /// Whose trip.
        name: Text,
    ) -> Fallible<Text> {
        let trip: Trip = elicit(format!("Where to, {name}?")).await?;
        ::std::result::Result::Ok(format!("Plan {} trips for {name}.", trip.times))
    }

    /// A trip.
    #[saga_resource(uri = "trip://{id}", mime_type = "text/plain", cache = "1h", annotations(priority = 0.5))]
    pub async fn trip(id: u64, #[context] saga: &Saga) -> Fallible<Text> {
        let trip: Trip = elicit(format!("Which trip of {id}?")).await?;
        ::std::result::Result::Ok(format!("{:?} {}", trip.place, saga.round()))
    }
}

#[test]
fn it_compiles() {
    let sagas = saga_runtime::Sagas::builder("trips", "1").tool::<shadowing::book>();
    let sagas = sagas.prompt::<shadowing::plan>().resource::<shadowing::trip>().build();
    let sagas = sagas.expect("one tool and an ephemeral key make a server");
    assert_eq!((sagas.tools().count(), sagas.prompts().count(), sagas.resources().count()), (1, 1, 1));
    assert_eq!((shadowing::book::FLOW.tool, shadowing::trip::FLOW.tool), ("book", "trip"));
}
