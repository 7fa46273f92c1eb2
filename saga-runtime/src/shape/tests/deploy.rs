//! What the operator reads when a token of another build comes: which local, and why.

use std::fmt::{Debug, Write as _};
use std::future::Future;
use std::marker::PhantomData;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::arguments::Signature;
use crate::flow::Flow;
use crate::frame::{Frame, Holding, Slot};
use crate::host::{Arguments, Call, Outcome, Refusal};
use crate::result::ToolResult;
use crate::step::list_roots;
use crate::tool::{Definition, Machine, Running, Tool};
use crate::{Client, KeyRing, Sagas};

/// A tool that holds one local at one site, as the macro would write it.
trait Build: Send + 'static {
    type Ship: Default + Serialize + DeserializeOwned + Send + Sync;
    const SITE: &'static str = "sure";
    const LOCAL: &'static str = "ship";
}

struct Moor<B>(PhantomData<B>);

static FLOW: Flow = Flow { tool: "moor", nodes: &[], edges: &[], needs: &[], longest: 1 };

impl<B: Build> Tool<()> for Moor<B> {}

impl<B: Build> Machine<()> for Moor<B> {
    fn definition() -> Definition {
        Definition::new("moor", Signature::new(), None)
    }

    fn flow() -> &'static Flow {
        &FLOW
    }

    fn run<'a>(frame: &'a Frame, _: &'a Map<String, Value>, (): &'a ()) -> Running<'a> {
        Box::pin(async move {
            match frame.site() {
                None => {
                    let mut holding = Holding::new();
                    holding.local(B::LOCAL, &B::Ship::default());
                    frame.leave(B::SITE, &["sure"], holding, &list_roots());
                }
                Some(site) if site == B::SITE => {
                    let mut taking = frame.held();
                    let taken = taking.local(B::LOCAL, &Slot::<B::Ship>::NEW);
                    match taken.and_then(|_| taking.end()) {
                        Some(()) => return Ok(ToolResult::text("opened")),
                        None => frame.stale(),
                    }
                }
                Some(_) => frame.no_such_site(),
            }
            match crate::__private::left().await {}
        })
    }
}

macro_rules! builds {
    ($($name:ident: $ship:ty $(, $const:ident = $value:literal)?;)*) => {$(
        struct $name;

        impl Build for $name {
            type Ship = $ship;
            $(const $const: &'static str = $value;)?
        }
    )*};
}

builds! {
    First: (String, Option<u32>);
    Wider: (String, Option<u64>);
    Renamed: (String, Option<u32>), LOCAL = "vessel";
    Removed: (String, Option<u32>), SITE = "berth";
    Unreadable: Vec<Value>;
}

/// What the host does, and what it logs.
fn deploy<First: Build, Second: Build>() -> (Outcome, String) {
    let keys = KeyRing::parse(&KeyRing::generate_key().expect("randomness")).expect("a key");
    let log = Log::default();
    let outcome = tracing::subscriber::with_default(log.clone(), || match serve::<First>(&keys, None) {
        Outcome::Suspended(waiting) => serve::<Second>(&keys, Some(waiting.token)),
        other => other,
    });
    let text = log.0.lock().expect("no test panics with the log").clone();
    (outcome, text)
}

fn serve<B: Build>(keys: &KeyRing, token: Option<String>) -> Outcome {
    let sagas =
        Sagas::builder("harbour", "1").keys(keys.clone()).tool::<Moor<B>>().build().expect("one tool");
    let capabilities = json!({ "roots": {} }).as_object().cloned().expect("an object");
    let arguments = Arguments::Sent(Map::new());
    let mut call = Call::new("test", "tools/call", arguments, Client::new(capabilities));
    call.token = token;
    let served = pin!(sagas.serve(sagas.tool("moor").expect("the tool"), call));
    match served.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("the tool waits for nobody"),
    }
}

#[track_caller]
fn refused<First: Build, Second: Build>(reason: &str) {
    let (outcome, log) = deploy::<First, Second>();
    assert!(matches!(outcome, Outcome::Refused(Refusal::State)), "{outcome:?}");
    assert!(log.contains(reason), "{log}");
}

#[test]
fn the_same_build_is_let_through() {
    let (outcome, log) = deploy::<First, First>();
    // The answer is missing, and nobody asks for it here.
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?} {log}");
}

#[test]
fn the_log_names_the_local() {
    refused::<First, Wider>("`ship`, held at `sure`, has a type of another encoding now");
    refused::<First, Renamed>("`vessel`, held at `sure`, stands where another local stood");
}

#[test]
fn the_log_names_the_question_that_is_gone() {
    refused::<First, Removed>("the tool has no question `sure` any more");
}

#[test]
fn the_log_names_the_path_of_what_cannot_be_sealed() {
    let (outcome, log) = deploy::<Unreadable, Unreadable>();
    assert!(matches!(outcome, Outcome::Done(ToolResult { is_error: true, .. })), "{outcome:?}");
    assert!(log.contains("`/ship/*` reads itself by asking what comes next"), "{log}");
}

/// All events as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut log = self.0.lock().expect("no test panics with the log");
        let _ = writeln!(log, "{field}: {value:?}");
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
