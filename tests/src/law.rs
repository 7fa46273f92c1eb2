//! The law: driving a compiled tool request by request, its state serialized and decoded at every suspension,
//! gives the same questions in the same order, the same side effects and the same result as running the plain
//! async function once.
//!
//! ```text
//! trace(compiled tool, any driver, world) == trace(plain function, world)     for every world
//! ```
//!
//! A trace is one list of questions and effects in the order in which they happened, and the result at its end.
//! `tests/harness.rs` plants faults and sees each of them reported.

use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use saga_runtime::script::{Fault, Outcome, Run, Script};
use saga_runtime::step::{Answer, InputRequest};
use saga_runtime::{IntoToolResult, Tool};
use serde_json::{Map, Value};

use crate::people::World;

/// One thing that a run did.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// It asked, and was answered.
    Asked {
        /// Under which key.
        key: String,
        /// What.
        request: InputRequest,
        /// What it was told.
        answer: Answer,
    },
    /// It had an [`effect`].
    Effect(String),
    /// It had given this at a checkpoint on its way.
    Gave(String),
    /// It ended with this result's text, or this failure's.
    Ended(String),
}

thread_local! {
    static TRACE: RefCell<Vec<Event>> = const { RefCell::new(Vec::new()) };
}

fn record(event: Event) {
    TRACE.with_borrow_mut(|trace| trace.push(event));
}

/// A side effect of a tool under test.
pub fn effect(what: impl fmt::Display) {
    record(Event::Effect(what.to_string()));
}

/// A value whose evaluation is a side effect.
pub fn noted<T: fmt::Debug>(value: T) -> T {
    effect(format_args!("{value:?}"));
    value
}

/// How a compiled tool is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Driver {
    /// With its state in memory.
    InMemory,
    /// With nothing but bytes between two transitions, and each transition run twice from the same bytes.
    Tortured,
    /// Wrongly.
    Faulty(Fault),
}

/// The first thing in which two runs differ.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The tool.
    pub body: String,
    /// Who answered.
    pub world: World,
    /// How the compiled tool was driven.
    pub driver: Driver,
    /// What both runs did before.
    pub before: Vec<Event>,
    /// What the plain function did then; for [`Difference::repeated`] the first run of the transition.
    pub plain: Option<Event>,
    /// What the compiled tool did then; for [`Difference::repeated`] the second run of the transition.
    pub compiled: Option<Event>,
    /// Whether it is two runs of the same transition that differ.
    pub repeated: bool,
}

/// What was driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Passed {
    /// How many times a tool was suspended and resumed from bytes.
    pub suspensions: usize,
}

/// Holds a compiled tool to its plain function in every world, in memory and tortured.
///
/// # Errors
///
/// The first difference.
pub fn law<T, C, F>(
    body: &str,
    plain: impl Fn() -> F,
    arguments: &Map<String, Value>,
    context: &C,
) -> Result<Passed, Box<Difference>>
where
    T: Tool<C>,
    C: ?Sized,
    F: Future<Output: IntoToolResult>,
{
    let mut passed = Passed::default();
    for world in World::all() {
        for driver in [Driver::InMemory, Driver::Tortured] {
            let suspensions = compare::<T, C, F>(body, &plain, arguments, context, world, driver)?;
            if driver == Driver::Tortured {
                passed.suspensions += suspensions;
            }
        }
    }
    Ok(passed)
}

/// Holds a compiled tool to its plain function in one world and under one driver, and counts its suspensions.
///
/// # Errors
///
/// The first difference.
pub fn compare<T, C, F>(
    body: &str,
    plain: impl Fn() -> F,
    arguments: &Map<String, Value>,
    context: &C,
    world: World,
    driver: Driver,
) -> Result<usize, Box<Difference>>
where
    T: Tool<C>,
    C: ?Sized,
    F: Future<Output: IntoToolResult>,
{
    let expected = run(async {
        let script = script(world);
        let result = script.plain(plain()).await.into_tool_result();
        gave(&script);
        Outcome::Done(result)
    });
    let difference = |before: &[Event], plain: Option<&Event>, compiled: Option<&Event>, repeated| {
        let (before, plain, compiled) = (before.to_vec(), plain.cloned(), compiled.cloned());
        Box::new(Difference { body: body.to_owned(), world, driver, before, plain, compiled, repeated })
    };
    let mut twice = Twice::default();
    let actual = run(async {
        let script = script(world);
        let outcome = match driver {
            Driver::InMemory => script.compiled::<T, C>(arguments, context).await,
            Driver::Tortured => script.tortured::<T, C>(arguments, context, |run| twice.between(run)).await,
            Driver::Faulty(fault) => script.faulty::<T, C>(arguments, context, fault).await,
        };
        gave(&script);
        outcome
    });
    if let Some((first, second)) = twice.differing {
        let same = common(&first, &second);
        return Err(difference(&first[..same], first.get(same), second.get(same), true));
    }
    let same = common(&expected, &actual);
    if same < expected.len().max(actual.len()) {
        return Err(difference(&expected[..same], expected.get(same), actual.get(same), false));
    }
    Ok(expected.iter().filter(|event| matches!(event, Event::Asked { .. } | Event::Gave(_))).count())
}

fn common(one: &[Event], other: &[Event]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Records what a tool gave at its checkpoints.
fn gave(script: &Script) {
    script.partials().iter().for_each(|partial| record(Event::Gave(partial.to_text())));
}

fn script(world: World) -> Script {
    world.script(|key, request, answer| {
        record(Event::Asked { key: key.to_owned(), request: request.clone(), answer: answer.clone() });
    })
}

/// Runs something, and gives its trace.
fn run(tool: impl Future<Output = Outcome>) -> Vec<Event> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime without I/O needs nothing of the system");
    TRACE.take();
    let ended = match catch_unwind(AssertUnwindSafe(|| runtime.block_on(tool))) {
        Ok(outcome) => outcome.text(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            format!("panic: {}", text.or(panic.downcast_ref().copied()).unwrap_or_default())
        }
    };
    record(Event::Ended(ended));
    TRACE.take()
}

/// The effects of a transition that is run twice: those of the second run are compared with those of the first.
#[derive(Default)]
struct Twice {
    start: usize,
    first: Vec<Event>,
    differing: Option<(Vec<Event>, Vec<Event>)>,
}

impl Twice {
    fn between(&mut self, run: Run) {
        TRACE.with_borrow_mut(|trace| match run {
            Run::First => self.start = trace.len(),
            Run::Second => self.first = trace.split_off(self.start),
            Run::Compared => {
                let second = &trace[self.start..];
                if second != self.first && self.differing.is_none() {
                    self.differing = Some((self.first.clone(), second.to_vec()));
                }
            }
        });
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked { key, request, answer } => {
                let (method, params) = (request.method, request.params.to_json());
                let message =
                    params.get("message").or_else(|| params.get("messages")).unwrap_or(&Value::Null);
                write!(formatter, "asked `{key}` ({method}: {message}), answered ")?;
                match answer {
                    Answer::Result(result) => write!(formatter, "{}", Value::Object(result.clone())),
                    other => write!(formatter, "{other:?}"),
                }
            }
            Self::Effect(what) => write!(formatter, "had the effect `{what}`"),
            Self::Gave(text) => write!(formatter, "had given `{text}` at a checkpoint"),
            Self::Ended(text) => write!(formatter, "ended with `{text}`"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, world, driver, before, plain, compiled, repeated } = self;
        writeln!(formatter, "`{body}` breaks the law, in the world {world}, driven {driver:?}")?;
        for event in before {
            writeln!(formatter, "  both {event}")?;
        }
        let (one, other) = match repeated {
            false => ("the plain function", "the compiled tool"),
            true => ("the first run of the transition", "the second run from the same bytes"),
        };
        for (who, event) in [(one, plain), (other, compiled)] {
            match event {
                Some(event) => writeln!(formatter, "  then {who} {event}")?,
                None => writeln!(formatter, "  then {who} did nothing more")?,
            }
        }
        Ok(())
    }
}
