//! rmcp's counter server, written in its public API, with one line and one function more: a tool that asks.
//!
//! ```text
//! cargo run --bin counter      on standard input and output
//! ```

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router, transport};
use saga_runtime::{Form, Sagas, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Clone)]
struct Counter {
    count: Arc<AtomicI32>,
    tool_router: ToolRouter<Self>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Step {
    /// How much to add.
    by: i32,
}

#[tool_router]
impl Counter {
    fn new(sagas: &Sagas) -> Self {
        Self { count: Arc::default(), tool_router: Self::tool_router() + sagas.tool_router() }
    }

    /// Adds one to the counter.
    #[tool]
    fn increment(&self) -> String {
        (self.count.fetch_add(1, Ordering::SeqCst) + 1).to_string()
    }

    /// Takes one off the counter.
    #[tool]
    fn decrement(&self) -> String {
        (self.count.fetch_sub(1, Ordering::SeqCst) - 1).to_string()
    }

    /// The counter's value.
    #[tool]
    fn value(&self) -> String {
        self.count.load(Ordering::SeqCst).to_string()
    }

    /// Adds to the counter.
    #[tool]
    fn add(&self, Parameters(Step { by }): Parameters<Step>) -> String {
        (self.count.fetch_add(by, Ordering::SeqCst) + by).to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Counter {}

/// Sets the counter to a value, if the person agrees.
#[saga_tool]
async fn reset(to: i32, #[context] counter: &Counter) -> Result<String, ToolError> {
    let sure: Sure = elicit(format!("The counter stands at {}. Set it to {to}?", counter.value())).await?;
    if !sure.yes {
        return Ok("kept".to_owned());
    }
    let before = counter.count.swap(to, Ordering::SeqCst);
    Ok(format!("set from {before} to {to}"))
}

#[derive(Form, Serialize, Deserialize)]
struct Sure {
    yes: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sagas = Sagas::builder("counter", "1.0.0").served_by::<Counter>().tool::<reset>().build()?; // the line
    Counter::new(&sagas).serve(transport::stdio()).await?.waiting().await?;
    Ok(())
}
