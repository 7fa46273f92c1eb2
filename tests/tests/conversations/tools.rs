//! The tools that the conversations are held with, and servers that have them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use saga_runtime::clock::Clock;
use saga_runtime::{
    Builder, Choice, Form, Principal, Progress, Refused, Saga, Sagas, ToolError, elicit, elicit_url,
    list_roots, saga_tool, sample,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

/// Where to. The variants have no documentation: it would become the choices' titles.
#[derive(Choice, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[choice(rename_all = "lowercase")]
pub(crate) enum Environment {
    Staging,
    Production,
}

/// Where a service goes.
#[derive(Form, Serialize, Deserialize, Debug)]
pub(crate) struct Target {
    target: Environment,
}

/// Deploys a service after a person picked the target and a model reviewed it.
#[saga_tool]
pub(crate) async fn deploy(
    /// Name of the service, as in the registry.
    service: String,
) -> Result<String, ToolError> {
    let target: Target = elicit("Deployment target?").await?;
    let target = match target.target {
        Environment::Staging => "staging",
        Environment::Production => "production",
    };
    let risk = sample(format!("Is deploying {service} to {target} safe now?")).max_tokens(100).await?;
    if !risk.text().starts_with("Yes") {
        return Err(ToolError::new(format!("the reviewer says: {}", risk.text())));
    }
    Ok(format!("Deployed {service} to {target}."))
}

/// A target in words.
#[derive(Form, Serialize, Deserialize, Debug)]
pub(crate) struct Words {
    target: String,
}

/// The example of SEP-1597.
#[saga_tool]
pub(crate) async fn complex_tool(initial_arg: String) -> Result<String, ToolError> {
    let _ = initial_arg;
    let words: Words = elicit("Please provide the deployment target:").key("step-elicitation-A").await?;
    let question = format!("Is deploying to '{}' safe right now?", words.target);
    let review = sample(question).max_tokens(100).key("step-sampling-B").await;
    match review {
        Ok(_) => Ok(format!("Deployment to {} initiated successfully based on confirmation.", words.target)),
        Err(error) => Ok(format!("Deployment to {} without a review: {error}", words.target)),
    }
}

/// A person's name.
#[derive(Form, Serialize, Deserialize, Debug)]
pub(crate) struct Name {
    #[form(min_length = 2)]
    pub(crate) name: String,
}

/// Greets a person.
#[saga_tool]
pub(crate) async fn greet() -> Result<String, ToolError> {
    let user_name: Name = elicit("What is your name?").await?;
    Ok(format!("Hello, {}!", user_name.name))
}

/// Asks once and no more.
#[saga_tool]
pub(crate) async fn ask_once() -> Result<String, ToolError> {
    let user_name: Name = elicit("What is your name?").attempts(1).await?;
    Ok(format!("Hello, {}!", user_name.name))
}

/// Adds; asks nothing.
#[saga_tool]
pub(crate) async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Asks for the client's folders.
#[saga_tool]
pub(crate) async fn folders() -> Result<String, ToolError> {
    let roots = list_roots().await?;
    Ok(format!("{} folders", roots.len()))
}

/// Sends the person to a page.
#[saga_tool]
pub(crate) async fn login() -> Result<String, ToolError> {
    elicit_url("Please sign in.", "https://example.com/login").key("page").await?;
    Ok("signed in".to_owned())
}

/// Says who called, before and after a question.
#[saga_tool]
pub(crate) async fn who(#[context] saga: &Saga) -> Result<String, ToolError> {
    let before = caller(saga);
    let user_name: Name = elicit("What is your name?").await?;
    Ok(format!("{before}, {}, {}", user_name.name, caller(saga)))
}

fn caller(saga: &Saga) -> String {
    saga.principal().map_or("nobody".to_owned(), |who| who.as_str().to_owned())
}

/// Waits until the test lets it go on.
#[saga_tool]
pub(crate) async fn wait(#[context] gate: &Gate) -> &'static str {
    gate.pass().await;
    "waited"
}

/// Tells how far it has come, on both sides of a wait and of a question; some of it is no progress.
#[saga_tool]
pub(crate) async fn copy(
    files: u32,
    #[context] saga: &Saga,
    #[context] gate: &Gate,
) -> Result<String, ToolError> {
    saga.progress(Progress::new(1).total(files).message("the first is there"));
    saga.progress(Progress::new(1));
    saga.progress(Progress::new(f64::NAN));
    gate.pass().await;
    saga.progress(Progress::new(1.5));
    let user_name: Name = elicit("Who copies?").await?;
    saga.progress(Progress::new(files));
    Ok(format!("{} copied {files} files", user_name.name))
}

/// Panics.
#[saga_tool]
pub(crate) async fn fail() -> String {
    panic!("on purpose")
}

/// What `wait` waits at.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    /// One permit per call that came here.
    pub(crate) entered: Arc<Semaphore>,
    /// One permit per call that may go on.
    pub(crate) open: Arc<Semaphore>,
    /// One permit per call that left, also one that was not let go on.
    pub(crate) left: Arc<Semaphore>,
}

impl Gate {
    async fn pass(&self) {
        struct Leaves<'a>(&'a Gate);
        impl Drop for Leaves<'_> {
            fn drop(&mut self) {
                self.0.left.add_permits(1);
            }
        }
        let _leaves = Leaves(self);
        self.entered.add_permits(1);
        self.open.acquire().await.expect("never closed").forget();
    }
}

impl Default for Gate {
    fn default() -> Self {
        let closed = || Arc::new(Semaphore::new(0));
        Self { entered: closed(), open: closed(), left: closed() }
    }
}

/// A clock that stands where the test puts it.
#[derive(Debug, Clone)]
pub(crate) struct Hands(Arc<AtomicU64>);

impl Hands {
    /// A clock that stands at this second.
    pub(crate) fn at(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for Hands {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A server with all tools, to which a test adds what it needs.
pub(crate) fn builder(gate: Gate) -> Builder<Gate> {
    Sagas::builder("ExampleServer", "1.0.0")
        .context(gate)
        .tool::<deploy>()
        .tool::<complex_tool>()
        .tool::<greet>()
        .tool::<ask_once>()
        .tool::<add>()
        .tool::<folders>()
        .tool::<login>()
        .tool::<who>()
        .tool::<wait>()
        .tool::<copy>()
        .tool::<fail>()
}

/// A server with all tools.
pub(crate) fn server() -> Sagas {
    builder(Gate::default()).build().expect("a server")
}

/// A server that knows its callers by their bearer token.
pub(crate) fn server_with_callers() -> Sagas {
    let known = builder(Gate::default()).principal(|facts| match facts.header("authorization") {
        None => Ok(None),
        Some("Bearer mallory") => Err(Refused::forbidden("mallory may not")),
        Some("Bearer panic") => panic!("the hook is broken"),
        Some(token) => match token.strip_prefix("Bearer ") {
            Some(who) => Ok(Some(Principal::new(who))),
            None => Err(Refused::new("not a bearer token")),
        },
    });
    known.build().expect("a server")
}
