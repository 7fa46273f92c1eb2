//! The sagas as rmcp takes them: tools as routes of its router, prompts and resources as what its handler answers.
//! What clients are told about each is made once.

use std::any::TypeId;
use std::sync::Arc;

use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolResult, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceTemplate,
    ServerCapabilities, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{call, wire};
use crate::dialect::older::is_no_object;
use crate::dialect::{Params, discovery, mrtr};
use crate::host::{Registered, Server};
use crate::sagas::Sagas;
use crate::tool::Definition;

impl Sagas {
    /// The sagas as tools of the rmcp server `S`, to be added to its own.
    ///
    /// # Panics
    ///
    /// A tool was added after [`served_by`](crate::Builder::served_by) with another type than `S`.
    #[must_use]
    pub fn tool_router<S: ServerHandler>(&self) -> ToolRouter<S> {
        let mut router = ToolRouter::new();
        for tool in self.tools() {
            assert!(
                tool.server.is_none_or(|borrows| borrows.server == TypeId::of::<S>()),
                "`{}` has another server as its context than the one that its router is for; \
                 name that in `.served_by::<..>()`",
                tool.definition.name
            );
            router.add_route(self.route(tool));
        }
        router
    }

    fn route<S: ServerHandler>(&self, tool: &Registered) -> ToolRoute<S> {
        let (sagas, borrows) = (self.clone(), tool.server);
        ToolRoute::new_dyn(tool_of(&tool.definition), move |mut context: ToolCallContext<'_, S>| {
            let (sagas, params) = (sagas.clone(), params(&mut context));
            // With rmcp's feature `local` a server need not be one that threads may share, and the future is.
            let ToolCallContext { service, request_context, .. } = context;
            let server = borrows.and_then(|borrows| (borrows.lend)(service));
            Box::pin(async move {
                let answered =
                    call::answer(&sagas, server, None, mrtr::CALL, params, &request_context).await?;
                answered.response::<CallToolResult, _>()
            })
        })
    }

    /// Answers `prompts/get` in an rmcp server: `None` where the prompt is not a saga's.
    ///
    /// rmcp's own router keeps the client's answers from its prompts, so this belongs into the handler's method.
    ///
    /// # Errors
    ///
    /// As rmcp sends it.
    pub async fn get_prompt<S: 'static>(
        &self,
        server: &S,
        request: &GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<Result<GetPromptResponse, ErrorData>> {
        let server = self.prompt(&request.name)?.lent(server);
        Some(match wire::params(request) {
            Ok(params) => match call::answer(self, server, None, mrtr::GET, params, context).await {
                Ok(answered) => answered.response::<GetPromptResult, _>(),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        })
    }

    /// Answers `resources/read` in an rmcp server: `None` where the resource is not a saga's.
    ///
    /// # Errors
    ///
    /// As rmcp sends it.
    pub async fn read_resource<S: 'static>(
        &self,
        server: &S,
        request: &ReadResourceRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<Result<ReadResourceResponse, ErrorData>> {
        let server = self.resource(&request.uri)?.0.lent(server);
        Some(match wire::params(request) {
            Ok(params) => match call::answer(self, server, None, mrtr::READ, params, context).await {
                Ok(answered) => answered.response::<ReadResourceResult, _>(),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        })
    }

    /// The prompts, for an rmcp server's `list_prompts`.
    #[must_use]
    pub fn listed_prompts(&self) -> Vec<Prompt> {
        listed(self.prompts().map(shown))
    }

    /// The resources, for an rmcp server's `list_resources`.
    #[must_use]
    pub fn listed_resources(&self) -> Vec<Resource> {
        listed(self.resources().filter(|one| !discovery::is_template(one)).map(shown))
    }

    /// The templates of resources, for an rmcp server's `list_resource_templates`.
    #[must_use]
    pub fn listed_templates(&self) -> Vec<ResourceTemplate> {
        listed(self.resources().filter(|one| discovery::is_template(one)).map(shown))
    }

    /// What the sagas add to an rmcp server's capabilities: that there are tools, and the extensions that the dialects
    /// announce.
    #[must_use]
    pub fn capabilities(&self) -> ServerCapabilities {
        wire::read(discovery::capabilities(self)).unwrap_or_default()
    }
}

impl Registered {
    /// The server, if this borrows it.
    pub(super) fn lent<'a, S: 'static>(&self, server: &'a S) -> Server<'a> {
        self.server.and_then(|borrows| (borrows.lend)(server))
    }
}

fn shown(one: &Registered) -> Value {
    one.definition.to_json()
}

/// What rmcp cannot read, it does not list.
fn listed<T: DeserializeOwned>(all: impl Iterator<Item = Value>) -> Vec<T> {
    all.filter_map(|one| wire::read(one).ok()).collect()
}

/// The params of `tools/call`, of which rmcp took the fields apart.
pub(super) fn params<S>(context: &mut ToolCallContext<'_, S>) -> Box<Params> {
    let (arguments, responses) = (context.arguments.take(), context.input_responses.take());
    let state = context.request_state.take();
    Box::new(Params {
        name: Some(context.name.as_ref().into()),
        arguments: arguments.map(Value::Object),
        input_responses: responses.map(|answers| answers.into_iter().collect()),
        request_state: state.map(Value::String),
        ..Params::default()
    })
}

/// The tool as rmcp lists it, to clients of every revision: before 2026-07-28 an `outputSchema` was of an object, and
/// a client that checks it takes none of the list for one of another type.
pub(super) fn tool_of(definition: &Definition) -> Tool {
    let mut tool = definition.to_json();
    if let Some(tool) = tool.as_object_mut().filter(|tool| tool.get("outputSchema").is_some_and(is_no_object))
    {
        tool.remove("outputSchema");
    }
    wire::read(tool).unwrap_or_else(|_| {
        // rmcp cannot read what it does not know yet: the call needs no more than this.
        let schema = match &definition.input_schema {
            Value::Object(schema) => schema.clone(),
            _ => serde_json::Map::new(),
        };
        Tool::new_with_raw(definition.name, definition.description.clone().map(Into::into), Arc::new(schema))
    })
}
