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

    use ::serde::{Deserialize as Read, Serialize};
    use saga_runtime::{
        Choice, Form, Saga, StepError, ToolError, call, checkpoint, elicit, elicit_url, join, join_all,
        list_roots, saga, saga_prompt, saga_resource, saga_tool, sample,
    };

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
    pub(super) trait Future {}
    pub(super) trait Default {}
    pub(super) trait Clone {}
    pub(super) trait Deserialize {}
    pub(super) struct Frame;
    pub(super) struct Slot;
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) mod serde {}
    macro_rules! in_the_way {
        ($($name:ident)*) => {$(
            #[allow(unused_macros, reason = "in the way")]
            macro_rules! $name {
                ($d:tt) => { compile_error!("in the way") };
            }
        )*};
    }
    in_the_way! { unreachable matches panic assert vec concat stringify }

    type Text = ::std::string::String;
    type Fallible<T> = ::std::result::Result<T, ToolError>;

    /// Where to.
    #[derive(Choice, Serialize, Read, Debug, ::core::clone::Clone, Copy)]
    pub enum Place {
        /// Here.
        Here,
        /// There.
        There,
    }

    /// A form.
    #[derive(Form, Serialize, Read, Debug)]
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

    /// A plan that is reviewed.
    #[derive(Serialize, Read, Debug)]
    pub struct Plan {
        /// Its stops.
        pub stops: ::std::vec::Vec<Text>,
    }

    impl Plan {
        /// Asks for each stop.
        ///
        /// # Errors
        ///
        /// Where nobody answers.
        #[saga]
        pub async fn review(&self, least: u8) -> ::std::result::Result<u8, StepError> {
            let mut times = least;
            for stop in &self.stops {
                let trip: Trip = elicit(stop.as_str()).await?;
                times = times.max(trip.times);
            }
            ::std::result::Result::Ok(times)
        }
    }

    /// Asks whoever is there.
    #[saga]
    async fn ask<T: ::std::fmt::Display + ::core::marker::Sync>(
        what: &T,
        log: &mut ::std::vec::Vec<Text>,
    ) -> ::std::result::Result<u8, StepError> {
        let trip: Trip = elicit(format!("{what}?")).await?;
        log.push(what.to_string());
        ::std::result::Result::Ok(trip.times)
    }

    /// Asks in every way.
    #[saga_tool(max_rounds = 40)]
    pub async fn everything(names: ::std::vec::Vec<Text>, first: Text) -> Fallible<Text> {
        let plan = Plan { stops: names };
        let mut log = ::std::vec::Vec::new();
        let least = call(ask(&first, &mut log)).await?;
        let times = call(plan.review(least)).await?;
        let (here, there) = join!(elicit::<Trip>("Here?"), elicit::<Trip>("There?")).await?;
        let all = join_all(plan.stops.iter().map(|stop| sample(stop.as_str()))).each().await;
        let roots = list_roots().await.map_or(0, |roots| roots.len());
        checkpoint(format!("{times}")).await;
        elicit_url("Look", "https://example.com").await?;
        #[saga(rebuild)]
        let same = plan.stops.first();
        let mut left = 3_u8;
        let word = 'found: loop {
            left -= 1;
            if left == 0 {
                break 'found "none";
            }
            for stop in plan.stops.iter().skip(1) {
                let trip: Trip = elicit(format!("{stop} {left}?")).await?;
                match trip {
                    Trip { place: Place::Here, times } if times > left => break 'found stop.as_str(),
                    Trip { times, .. } => left = left.min(times.max(1)),
                }
            }
        };
        if let [_, stop, ..] = plan.stops.as_slice()
            && elicit::<Trip>(stop.as_str()).await?.times > 1
        {
            log.push(stop.to_owned());
        }
        let kept = same.map_or(0, ::std::string::String::len);
        ::std::result::Result::Ok(format!(
            "{word} {kept} {} {} {roots} {} {} {}",
            here.times,
            there.times,
            all.len(),
            log.len(),
            elicit::<Trip>("Last?").await?.times
        ))
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
    let sagas =
        saga_runtime::Sagas::builder("trips", "1").tool::<shadowing::book>().tool::<shadowing::everything>();
    let sagas = sagas.prompt::<shadowing::plan>().resource::<shadowing::trip>().build();
    let sagas = sagas.expect("two tools and an ephemeral key make a server");
    assert_eq!((sagas.tools().count(), sagas.prompts().count(), sagas.resources().count()), (2, 1, 1));
    assert_eq!((shadowing::book::FLOW.tool, shadowing::trip::FLOW.tool), ("book", "trip"));
}
