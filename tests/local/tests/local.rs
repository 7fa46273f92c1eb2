//! With rmcp's feature `local` futures and servers need not be `Send`: tools that keep an `Rc` across an await have
//! sagas beside them, as functions, as methods and as prompts, for clients of both kinds, on one thread.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, GetPromptRequestParams, GetPromptResponse, Implementation, ProtocolVersion,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{ClientLifecycleMode, RequestContext, RunningService, ServiceExt};
use rmcp::{
    ClientHandler, ErrorData, RoleClient, RoleServer, ServerHandler, tool, tool_handler, tool_router,
};
use saga_runtime::{Form, Provides, Sagas, StepError, ToolError, elicit, saga_prompt, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::task::{LocalSet, spawn_local, yield_now};

#[derive(Form, Serialize, Deserialize)]
struct Sure {
    yes: bool,
}

/// A server that stays on its thread, for its router does; the sagas have a context of their own.
struct Kept {
    calls: Rc<Cell<u32>>,
    sagas: Sagas,
    tool_router: ToolRouter<Self>,
}

/// Sets the counter, if the person agrees twice.
#[saga_tool]
async fn reset(to: u32, #[context] count: &Arc<AtomicU32>) -> Result<String, ToolError> {
    for at in 1..=2 {
        let sure: Sure = elicit(format!("Reset, {at} of 2?")).await?;
        if !sure.yes {
            return Ok("kept".to_owned());
        }
    }
    Ok(format!("{} before", count.swap(to, Ordering::SeqCst)))
}

/// A prompt that asks.
#[saga_prompt]
async fn ask() -> Result<String, StepError> {
    let sure: Sure = elicit("Sure?").await?;
    Ok(format!("Be {}.", if sure.yes { "bold" } else { "careful" }))
}

#[tool_router]
impl Kept {
    fn new() -> Self {
        let count = Arc::new(AtomicU32::new(0));
        let sagas = Sagas::builder("kept", "1.0.0").context(count).tool::<reset>().prompt::<ask>();
        let sagas = sagas.build().unwrap();
        let tool_router = Self::tool_router() + sagas.tool_router();
        Self { calls: Rc::default(), sagas, tool_router }
    }

    /// Counts, by what no other thread may have.
    #[tool]
    async fn count(&self) -> String {
        let calls = Rc::clone(&self.calls);
        yield_now().await;
        calls.set(calls.get() + 1);
        calls.get().to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Kept {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_prompts().build())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.sagas.get_prompt(self, &request, &context).await.expect("a saga")
    }
}

/// A server that sagas borrow: without a router in it, threads may share it.
struct Lent {
    count: AtomicU32,
    sagas: Sagas,
}

impl Provides<Sagas> for Lent {
    fn provide(&self) -> &Sagas {
        &self.sagas
    }
}

/// Adds to the counter, if the person agrees.
#[saga_tool]
async fn add(by: u32, #[context] server: &Lent) -> Result<String, ToolError> {
    let sure: Sure = elicit(format!("Add {by}?")).await?;
    Ok(server.count.fetch_add(if sure.yes { by } else { 0 }, Ordering::SeqCst).to_string())
}

#[tool_router]
impl Lent {
    fn new() -> Self {
        let sagas = Sagas::builder("lent", "1.0.0").served_by::<Self>().tool::<add>().build().unwrap();
        Self { count: AtomicU32::new(20), sagas }
    }

    /// Doubles the counter, if the person agrees.
    #[saga_runtime::rmcp::tool]
    async fn double(&self) -> Result<String, ToolError> {
        let sure: Sure = elicit("Double?").await?;
        let count = self.count.load(Ordering::SeqCst) * if sure.yes { 2 } else { 1 };
        self.count.store(count, Ordering::SeqCst);
        Ok(count.to_string())
    }
}

#[tool_handler(router = (Self::tool_router() + self.sagas.tool_router()))]
impl ServerHandler for Lent {}

/// A client whose person agrees; it stays on one thread, too.
struct Person {
    version: ProtocolVersion,
    asked: Rc<Cell<u32>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let declares = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(declares, Implementation::new("tests", "0.0.0"))
            .with_protocol_version(self.version.clone())
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.set(self.asked.get() + 1);
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "yes": true })))
    }
}

async fn says(client: &RunningService<RoleClient, Person>, name: &'static str, arguments: &Value) -> String {
    let params = CallToolRequestParams::new(name).with_arguments(arguments.as_object().unwrap().clone());
    let result = client.call_tool(params).await.unwrap();
    result.content[0].as_text().unwrap().text.clone()
}

/// A conversation with a server on this thread.
async fn with<S: ServerHandler>(
    server: S,
    version: ProtocolVersion,
    person: Rc<Cell<u32>>,
) -> RunningService<RoleClient, Person> {
    let (here, there) = tokio::io::duplex(64 * 1024);
    spawn_local(async move { drop(server.serve(there).await.unwrap().waiting().await) });
    let mode = if version == ProtocolVersion::V_2026_07_28 {
        ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
    } else {
        ClientLifecycleMode::Initialize
    };
    rmcp::serve_client_with_lifecycle(Person { version, asked: person }, here, mode).await.unwrap()
}

async fn converse(version: ProtocolVersion) {
    let asked = Rc::<Cell<u32>>::default();
    let client = with(Kept::new(), version.clone(), Rc::clone(&asked)).await;
    assert_eq!(says(&client, "count", &json!({})).await, "1");
    assert_eq!(says(&client, "reset", &json!({ "to": 20 })).await, "0 before");
    assert_eq!(says(&client, "reset", &json!({ "to": 7 })).await, "20 before");
    assert_eq!(says(&client, "count", &json!({})).await, "2");
    let prompt = client.get_prompt(GetPromptRequestParams::new("ask")).await.unwrap();
    assert_eq!(prompt.messages[0].content.as_text().unwrap().text, "Be bold.");

    let client = with(Lent::new(), version, Rc::clone(&asked)).await;
    assert_eq!(says(&client, "add", &json!({ "by": 1 })).await, "20");
    assert_eq!(says(&client, "double", &json!({})).await, "42");
    assert_eq!(asked.get(), 7);
}

#[tokio::test]
async fn sagas_stand_beside_tools_that_stay_on_one_thread() {
    let both = async {
        converse(ProtocolVersion::V_2026_07_28).await;
        converse(ProtocolVersion::V_2025_11_25).await;
    };
    LocalSet::new().run_until(both).await;
}
