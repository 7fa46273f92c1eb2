//! What an author's `#[test]` needs beside the script: an executor, JSON arguments, and a transcript to compare.

use std::fmt::Write;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use serde_json::{Map, Value};

use super::{Exchange, Outcome, Script};
use crate::form::Property;
use crate::step::{Answer, InputRequest, Params, StepKind};
use crate::tool::Machine;

/// Runs a future to its end on this thread, for a test that is a plain function.
///
/// A tool that needs the runtime of `tokio` is tested under `#[tokio::test]`, with [`Script::plain`],
/// [`Script::compiled`] and [`Script::tortured`].
///
/// # Panics
///
/// If the future waits for something in a thread of a `tokio` runtime, which this would stop for ever. (Without any of
/// the features `http`, `stdio`, `redis` and `rmcp` it cannot know, and waits for ever.)
pub fn run<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Waiting(std::thread::current())));
    let (mut future, mut context) = (pin!(future), Context::from_waker(&waker));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => {
                assert!(!is_in_tokio(), "{IN_TOKIO}");
                std::thread::park();
            }
        }
    }
}

const IN_TOKIO: &str = "the tool waits for something that this thread's tokio runtime would bring, and `run_plain`, \
    `run_compiled` and `run_tortured` hold the thread: under `#[tokio::test]` write `script.plain(..).await`, \
    `script.compiled(..).await` or `script.tortured(..).await`";

/// Whether a runtime of `tokio` has this thread alone.
fn is_in_tokio() -> bool {
    // All features that bring `tokio`; without them a test may have its own, which nothing here can see.
    #[cfg(any(feature = "http", feature = "stdio", feature = "redis", feature = "rmcp"))]
    return tokio::runtime::Handle::try_current()
        .is_ok_and(|handle| handle.runtime_flavor() == tokio::runtime::RuntimeFlavor::CurrentThread);
    #[cfg(not(any(feature = "http", feature = "stdio", feature = "redis", feature = "rmcp")))]
    false
}

/// The thread that waits for a future.
struct Waiting(Thread);

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl Script {
    /// Runs a tool's plain function, as its author wrote it.
    ///
    /// ```ignore
    /// let paid = script.run_plain(refund("A-17".to_owned(), 40, &shop));
    /// ```
    pub fn run_plain<R>(&self, tool: impl Future<Output = R>) -> R {
        run(self.plain(tool))
    }

    /// Runs a compiled tool, with its state kept in memory.
    ///
    /// ```ignore
    /// let outcome = script.run_compiled::<refund, _>(json!({ "order": "A-17", "amount": 40 }), &shop);
    /// ```
    ///
    /// # Panics
    ///
    /// If the arguments are no JSON object.
    pub fn run_compiled<T: Machine<C>, C: ?Sized>(&self, arguments: Value, context: &C) -> Outcome {
        run(self.compiled::<T, C>(&object(arguments), context))
    }

    /// Runs a compiled tool so that nothing but bytes survives a question, and so that each transition runs twice
    /// from the same bytes, as it does for a client that lost a reply: whatever the tool does outside of itself it
    /// does twice.
    ///
    /// # Panics
    ///
    /// If two runs from the same bytes differ, or the arguments are no JSON object.
    pub fn run_tortured<T: Machine<C>, C: ?Sized>(&self, arguments: Value, context: &C) -> Outcome {
        run(self.tortured::<T, C>(&object(arguments), context, |_| {}))
    }

    /// What was asked and answered so far, as a text that a test can compare: for each question its kind, its key,
    /// its message and the form's fields, and below it the answer.
    #[must_use]
    pub fn transcript(&self) -> String {
        self.lock().exchanges.iter().map(Exchange::told).collect()
    }
}

fn object(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(arguments) => arguments,
        other => panic!("a tool's arguments are a JSON object, and not {other}"),
    }
}

impl Exchange {
    fn told(&self) -> String {
        let Self { key, request, answer } = self;
        let kind = request.kind.default_key();
        let mut text = format!("{kind} `{key}`: {}", message(request));
        if let Params::Elicitation { schema, .. } = &request.params
            && !schema.properties().is_empty()
        {
            let names: Vec<_> = schema.properties().iter().map(Property::name).collect();
            // A string takes all text.
            let _ = write!(text, " ({})", names.join(", "));
        }
        format!("{text}\n    {}\n", answered(answer))
    }
}

/// What a person reads, or a model: the texts of all messages.
fn message(request: &InputRequest) -> String {
    let params = request.params.to_json();
    if let Some(message) = request.params.message() {
        return match params.get("url").and_then(Value::as_str) {
            Some(url) if request.kind == StepKind::ElicitUrl => format!("{message} <{url}>"),
            _ => message.to_owned(),
        };
    }
    let messages = params.get("messages").and_then(Value::as_array);
    let texts = messages.into_iter().flatten().map(|message| {
        let text = message.get("content").and_then(|content| content.get("text"));
        text.and_then(Value::as_str).map_or_else(|| message.to_string(), ToOwned::to_owned)
    });
    texts.collect::<Vec<_>>().join(" / ")
}

fn answered(answer: &Answer) -> String {
    match answer {
        Answer::Result(result) => {
            let action = result.get("action").and_then(Value::as_str);
            let text = result.get("content").and_then(|content| content.get("text")).and_then(Value::as_str);
            match (action, result.get("content"), text) {
                (Some(action), Some(content), _) => format!("{action} {content}"),
                (Some(action), None, _) => action.to_owned(),
                (None, _, Some(text)) => format!("{text:?}"),
                (None, ..) => Value::Object(result.clone()).to_string(),
            }
        }
        Answer::Error { code, message, .. } => format!("error {code}: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::run;

    #[cfg(any(feature = "http", feature = "stdio", feature = "redis", feature = "rmcp"))]
    #[test]
    fn what_waits_in_a_runtime_is_reported() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(async { run(async { 1 }) }), 1);
        let waiting = || runtime.block_on(async { run(std::future::pending::<()>()) });
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(waiting)).unwrap_err();
        assert!(panic.downcast::<String>().unwrap().contains("script.compiled(..).await"));
    }
}
