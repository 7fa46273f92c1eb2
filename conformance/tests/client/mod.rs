//! rmcp's client, with a person and a model that answer as they were told.
#![expect(deprecated, reason = "sampling and roots are, and clients have them")]

use std::sync::{Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, CreateMessageRequestParams,
    CreateMessageResult, ElicitRequestParams, ElicitResult, ElicitationAction, Implementation,
    ListRootsResult, ProtocolVersion, Root, SamplingMessage,
};
use rmcp::service::{ClientLifecycleMode, RequestContext, RunningService, ServiceError, ServiceExt};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use saga_conformance::sagas::sagas;
use saga_conformance::server::Server;
use serde_json::Value;

/// What the person answers, and how the client presents itself.
pub(crate) struct Answers {
    action: ElicitationAction,
    contents: Mutex<Vec<Value>>,
    repeats: bool,
}

impl Answers {
    /// These forms, one after the other.
    pub(crate) fn of<const N: usize>(contents: [Value; N]) -> Self {
        let contents = Mutex::new(contents.into_iter().rev().collect());
        Self { action: ElicitationAction::Accept, contents, repeats: false }
    }

    /// The same form each time.
    pub(crate) fn always(content: Value) -> Self {
        Self { repeats: true, ..Self::of([content]) }
    }

    /// `decline` or `cancel`.
    pub(crate) fn that(action: &str) -> Self {
        let action = serde_json::from_value(action.into()).unwrap();
        Self { action, ..Self::none() }
    }

    /// Nobody is asked.
    pub(crate) fn none() -> Self {
        Self::of([])
    }

    fn next(&self) -> Option<Value> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if self.repeats { contents.last().cloned() } else { contents.pop() }
    }
}

impl ClientHandler for Answers {
    fn get_info(&self) -> ClientConfig {
        let capabilities =
            ClientCapabilities::builder().enable_elicitation().enable_sampling().enable_roots().build();
        ClientConfig::new(capabilities, Implementation::new("tests", "0.0.0"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let result = ElicitResult::new(self.action.clone());
        match self.next() {
            Some(content) => Ok(result.with_content(content)),
            None => Ok(result),
        }
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text("a plan"), "a-model".to_owned()))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///a"), Root::new("file:///b")]))
    }
}

/// A client that is connected to the conformance server in this process.
pub(crate) struct Client {
    service: RunningService<RoleClient, Answers>,
}

/// Connects in this process, as a client of this revision.
pub(crate) async fn connect(person: Answers, version: ProtocolVersion) -> Client {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        let server = Server::new(&sagas().unwrap()).serve(there).await.unwrap();
        drop(server.waiting().await);
    });
    let mode = if version >= ProtocolVersion::V_2026_07_28 {
        ClientLifecycleMode::Discover { preferred_versions: vec![version] }
    } else {
        ClientLifecycleMode::Initialize
    };
    Client { service: rmcp::serve_client_with_lifecycle(person, here, mode).await.unwrap() }
}

impl Client {
    /// Calls a tool, with the rounds that the client goes by itself.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.service.call_tool(params(name, arguments)).await
    }

    /// Calls a tool, with a cap of its own.
    pub(crate) async fn call_up_to(
        &self,
        rounds: usize,
        name: &str,
        arguments: Value,
    ) -> Result<CallToolResult, ServiceError> {
        self.service.call_tool_with_mrtr_max_rounds(params(name, arguments), rounds).await
    }

    /// The names of the tools.
    pub(crate) async fn tools(&self) -> Vec<String> {
        let tools = self.service.list_all_tools().await.unwrap();
        tools.into_iter().map(|tool| tool.name.into_owned()).collect()
    }
}

fn params(name: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    CallToolRequestParams::new(name.to_owned()).with_arguments(arguments)
}

/// The text of a result.
pub(crate) fn text(result: &CallToolResult) -> String {
    let blocks = result.content.iter().filter_map(|block| block.as_text());
    blocks.map(|text| text.text.as_str()).collect::<Vec<_>>().join("\n")
}
