//! The rmcp server: the fixtures that need rmcp, and the sagas beside them.
#![expect(deprecated, reason = "older clients set the level of the log")]

mod resources;
mod tools;

use std::sync::Arc;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, CustomRequest, CustomResult,
    GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, tool_handler};
use saga_runtime::Sagas;

use crate::sagas::NAME;

/// The server. Cheap to clone: rmcp makes one for each request.
#[derive(Clone, Debug)]
pub struct Server {
    sagas: Sagas,
    capabilities: ServerCapabilities,
    tool_router: Arc<ToolRouter<Self>>,
}

impl Server {
    /// A server with these sagas beside its own tools.
    #[must_use]
    pub fn new(sagas: &Sagas) -> Self {
        let own = ServerCapabilities::builder().enable_resources().enable_resources_subscribe();
        let mut capabilities = own.enable_tools().enable_prompts().enable_completions().build();
        capabilities.extensions = sagas.capabilities().extensions;
        capabilities.logging = Some(JsonObject::new());
        let tool_router = Arc::new(Self::tool_router() + sagas.tool_router());
        Self { sagas: sagas.clone(), capabilities, tool_router }
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(self.capabilities.clone())
            .with_server_info(Implementation::new(NAME, env!("CARGO_PKG_VERSION")))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.sagas.listed_prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let unknown = || Err(ErrorData::invalid_params("Unknown prompt", None));
        self.sagas.get_prompt(self, &request, &context).await.unwrap_or_else(unknown)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut resources = self.sagas.listed_resources();
        resources.push(resources::watched());
        Ok(ListResourcesResult::with_all_items(resources))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(self.sagas.listed_templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match self.sagas.read_resource(self, &request, &context).await {
            Some(read) => read,
            None => resources::read(&request.uri).map(Into::into),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        self.sagas.custom_request(self, request, &context).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let known = ["paris", "park", "party"].into_iter();
        let values = known.filter(|known| known.starts_with(&request.argument.value));
        let completion = CompletionInfo::new(values.map(str::to_owned).collect());
        completion.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }
}
