//! rmcp's client, with a person and a model that answer as they were told.
#![expect(deprecated, reason = "sampling and roots are, and clients have them")]

use std::net::SocketAddr;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    CreateMessageRequestParams, CreateMessageResult, CustomNotification, CustomRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, GetPromptRequestParams, Implementation, ListRootsResult,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, Root, SamplingMessage,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, RequestContext, RunningService, ServiceError, ServiceExt,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{
    IntoTransport, StreamableHttpClientTransport, StreamableHttpServerConfig, StreamableHttpService,
};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServerHandler};
use saga_conformance::sagas::sagas;
use saga_conformance::server::Server;
use serde_json::Value;
use tokio::process::{Child, Command};
use tokio::sync::Notify;

/// What the person answers, and how the client presents itself.
pub(crate) struct Answers {
    action: ElicitationAction,
    contents: Mutex<Vec<Value>>,
    repeats: bool,
    is_silent: bool,
    version: ProtocolVersion,
    declares: ClientCapabilities,
    progressed: Arc<Notify>,
    /// The pages that the server said are done with.
    completed: Arc<Mutex<Vec<Value>>>,
}

impl Answers {
    /// These forms, one after the other.
    pub(crate) fn of<const N: usize>(contents: [Value; N]) -> Self {
        let contents = Mutex::new(contents.into_iter().rev().collect());
        let declares =
            ClientCapabilities::builder().enable_elicitation().enable_sampling().enable_roots().build();
        let version = ProtocolVersion::V_2025_11_25;
        Self {
            action: ElicitationAction::Accept,
            contents,
            repeats: false,
            is_silent: false,
            version,
            declares,
            progressed: Arc::default(),
            completed: Arc::default(),
        }
    }

    /// Where the ids of the pages go that the server says are done with.
    pub(crate) fn completed(&self) -> Arc<Mutex<Vec<Value>>> {
        Arc::clone(&self.completed)
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

    /// The person never answers.
    pub(crate) fn silent() -> Self {
        Self { is_silent: true, ..Self::none() }
    }

    /// Nobody is asked.
    pub(crate) fn none() -> Self {
        Self::of([])
    }

    /// The same, from a client of which the `initialize` names this revision.
    pub(crate) fn in_revision(self, version: ProtocolVersion) -> Self {
        Self { version, ..self }
    }

    /// The same, from a client that declares nothing.
    pub(crate) fn undeclared(self) -> Self {
        Self { declares: ClientCapabilities::default(), ..self }
    }

    /// The same, from a client that opens pages for its person.
    pub(crate) fn opening_pages(self) -> Self {
        let declares = serde_json::json!({ "elicitation": { "form": {}, "url": {} } });
        Self { declares: serde_json::from_value(declares).unwrap(), ..self }
    }

    fn next(&self) -> Option<Value> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if self.repeats { contents.last().cloned() } else { contents.pop() }
    }
}

impl ClientHandler for Answers {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(self.declares.clone(), Implementation::new("tests", "0.0.0"))
            .with_protocol_version(self.version.clone())
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if self.is_silent {
            std::future::pending::<()>().await;
        }
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

    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progressed.notify_one();
    }

    async fn on_custom_notification(
        &self,
        notification: CustomNotification,
        _: NotificationContext<RoleClient>,
    ) {
        if notification.method == "notifications/elicitation/complete" {
            let params = notification.params.unwrap_or_default();
            self.completed
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(params["elicitationId"].clone());
        }
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///a"), Root::new("file:///b")]))
    }
}

/// A client that is connected.
pub(crate) struct Client {
    service: RunningService<RoleClient, Answers>,
    progressed: Arc<Notify>,
    /// The server, if it is one of the client's own.
    child: Option<Child>,
}

/// Connects to a server that is started for it, over its standard input and output.
pub(crate) async fn start(
    program: &str,
    arguments: &[&str],
    person: Answers,
    version: ProtocolVersion,
) -> Client {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    Client { child: Some(child), ..Client::over(person, pipes, version).await }
}

/// Connects to the conformance server in this process, as a client of this revision.
pub(crate) async fn connect(person: Answers, version: ProtocolVersion) -> Client {
    over(Server::new(&sagas().unwrap()), person, version).await
}

/// Connects to this server in this process.
pub(crate) async fn over<S: ServerHandler>(server: S, person: Answers, version: ProtocolVersion) -> Client {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move { drop(server.serve(there).await.unwrap().waiting().await) });
    Client::over(person, here, version).await
}

/// Connects to a conformance server of its own over HTTP, as a client of this revision.
pub(crate) async fn connect_http(
    person: Answers,
    version: ProtocolVersion,
    config: StreamableHttpServerConfig,
) -> Client {
    at(mount(Server::new(&sagas().unwrap()), config), person, version).await
}

/// Connects over HTTP to what is mounted so.
pub(crate) async fn at(router: Router, person: Answers, version: ProtocolVersion) -> Client {
    let config =
        StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", listen(router).await));
    let transport = StreamableHttpClientTransport::from_config(config.auth_header("token"));
    Client::over(person, transport, version).await
}

/// A server at `/mcp`.
pub(crate) fn mount<S: ServerHandler + Clone>(server: S, config: StreamableHttpServerConfig) -> Router {
    Router::new().route_service("/mcp", service(server, config))
}

/// A server over HTTP.
pub(crate) fn service<S: ServerHandler + Clone>(
    server: S,
    config: StreamableHttpServerConfig,
) -> StreamableHttpService<S, LocalSessionManager> {
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config)
}

async fn listen(router: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

fn mode(version: ProtocolVersion) -> ClientLifecycleMode {
    if version >= ProtocolVersion::V_2026_07_28 {
        ClientLifecycleMode::Discover { preferred_versions: vec![version] }
    } else {
        ClientLifecycleMode::Initialize
    }
}

impl Client {
    async fn over<T, E, A>(person: Answers, transport: T, version: ProtocolVersion) -> Self
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let progressed = Arc::clone(&person.progressed);
        let service = rmcp::serve_client_with_lifecycle(person, transport, mode(version)).await;
        Self { service: service.unwrap(), progressed, child: None }
    }

    /// Closes the connection; how the server that was started for it ended.
    pub(crate) async fn close(mut self) -> Option<ExitStatus> {
        let child = self.child.take();
        self.service.cancel().await.unwrap();
        match child {
            Some(mut child) => Some(child.wait().await.unwrap()),
            None => None,
        }
    }

    /// Ready when a tool has told of its progress.
    pub(crate) async fn progressed(&self) {
        self.progressed.notified().await;
    }

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

    /// Sends a request of a method that MCP does not have, and gives its result.
    pub(crate) async fn custom(&self, method: &str, params: Value) -> Value {
        let request = ClientRequest::CustomRequest(CustomRequest::new(method, Some(params)));
        serde_json::to_value(self.service.send_request(request).await.unwrap()).unwrap()
    }

    /// The text of a prompt.
    pub(crate) async fn prompt(&self, name: &str) -> String {
        let prompt = self.service.get_prompt(GetPromptRequestParams::new(name)).await.unwrap();
        prompt.messages[0].content.as_text().unwrap().text.clone()
    }

    /// The text of a resource.
    pub(crate) async fn resource(&self, uri: &str) -> String {
        let read = self.service.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        serde_json::to_value(&read.contents[0]).unwrap()["text"].as_str().unwrap().to_owned()
    }

    /// The names of the tools that have a schema for their result.
    pub(crate) async fn with_schema(&self) -> Vec<String> {
        let tools = self.service.list_all_tools().await.unwrap().into_iter();
        tools.filter(|tool| tool.output_schema.is_some()).map(|tool| tool.name.into_owned()).collect()
    }

    /// What the server announced beyond MCP.
    pub(crate) fn extensions(&self) -> Vec<String> {
        let server = self.service.peer().peer_info().unwrap();
        server.capabilities.extensions.iter().flatten().map(|(name, _)| name.clone()).collect()
    }

    /// The names of the prompts, of the resources and of their templates.
    pub(crate) async fn listed(&self) -> [Vec<String>; 3] {
        let prompts = self.service.list_all_prompts().await.unwrap();
        let resources = self.service.list_all_resources().await.unwrap();
        let templates = self.service.list_all_resource_templates().await.unwrap();
        [
            prompts.into_iter().map(|prompt| prompt.name).collect(),
            resources.into_iter().map(|resource| resource.name.clone()).collect(),
            templates.into_iter().map(|template| template.name.clone()).collect(),
        ]
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
