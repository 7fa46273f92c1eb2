//! A server that is the context of prompts and resources as it is of tools; what it announces; and the limits of what
//! is asked in a session.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, tool_handler};
use saga_runtime::{Form, Sagas, StepError, elicit, saga_prompt, saga_resource, saga_tool};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::client::{Answers, Client, over, text};

const MODERN: ProtocolVersion = ProtocolVersion::V_2026_07_28;
const NOVEMBER: ProtocolVersion = ProtocolVersion::V_2025_11_25;

#[derive(Form, Serialize, Deserialize)]
struct Name {
    name: String,
}

struct Agency {
    city: &'static str,
    sagas: Sagas,
    tool_router: ToolRouter<Self>,
}

/// A greeting.
#[saga_prompt]
async fn greeting(#[context] agency: &Agency) -> Result<String, StepError> {
    let who: Name = elicit(format!("Who goes to {}?", agency.city)).await?;
    Ok(format!("Greet {} in {}.", who.name, agency.city))
}

/// A plan of a trip.
#[saga_resource(uri = "trip://{id}/plan")]
async fn plan(id: u32, #[context] agency: &Agency) -> Result<String, StepError> {
    let who: Name = elicit(format!("Who goes on trip {id}?")).await?;
    Ok(format!("{id}: {} to {}", who.name, agency.city))
}

/// What there is.
#[saga_resource(uri = "trip://catalogue")]
async fn catalogue(#[context] agency: &Agency) -> String {
    agency.city.to_owned()
}

/// Waits for a second, and no longer.
#[saga_tool(ttl = "1s")]
async fn hasty() -> Result<String, StepError> {
    let who: Name = elicit("Who?").await?;
    Ok(who.name)
}

/// Asks three times, and no more.
#[saga_tool(max_rounds = 3)]
async fn curious(times: u32) -> Result<String, StepError> {
    for _ in 0..times {
        let _: Name = elicit("Who?").await?;
    }
    Ok(format!("asked {times} times"))
}

impl Agency {
    fn new() -> Self {
        let sagas = Sagas::builder("agency", "1.0.0").tool::<hasty>().tool::<curious>().served_by::<Self>();
        let sagas = sagas.prompt::<greeting>().resource::<plan>().resource::<catalogue>().build().unwrap();
        Self { city: "Rome", tool_router: sagas.tool_router(), sagas }
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Agency {
    fn get_info(&self) -> ServerConfig {
        let own = ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources();
        let mut capabilities = own.build();
        capabilities.extensions = self.sagas.capabilities().extensions;
        ServerConfig::new(capabilities)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.sagas.listed_prompts()))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.sagas.listed_resources()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(self.sagas.listed_templates()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.sagas.get_prompt(self, &request, &context).await.unwrap()
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.sagas.read_resource(self, &request, &context).await.unwrap()
    }
}

async fn client(person: Answers, version: ProtocolVersion) -> Client {
    over(Agency::new(), person, version).await
}

#[tokio::test]
async fn prompts_and_resources_borrow_the_server_and_ask() {
    for version in [MODERN, NOVEMBER] {
        let client = client(Answers::always(json!({ "name": "Ada" })), version).await;
        assert_eq!(client.prompt("greeting").await, "Greet Ada in Rome.");
        assert_eq!(client.resource("trip://7/plan").await, "7: Ada to Rome");
        assert_eq!(client.resource("trip://catalogue").await, "Rome");
        let listed = [vec!["greeting".to_owned()], vec!["catalogue".to_owned()], vec!["plan".to_owned()]];
        assert_eq!(client.listed().await, listed);
    }
}

#[tokio::test]
async fn what_the_dialects_announce_is_in_rmcps_own_words() {
    for version in [MODERN, NOVEMBER] {
        assert_eq!(client(Answers::none(), version).await.extensions(), ["rs.saga/sagas"]);
    }
}

/// In a session the call stays open; it ends when the question's time is over, and says so.
#[tokio::test]
async fn a_person_who_never_answers_is_not_waited_for() {
    let client = client(Answers::silent(), NOVEMBER).await;
    let result = client.call("hasty", json!({})).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    assert_eq!(text(&result), "the client did not answer the tool's question");
}

#[tokio::test]
async fn a_tool_asks_so_often_and_no_more() {
    for version in [MODERN, NOVEMBER] {
        let client = client(Answers::always(json!({ "name": "Ada" })), version.clone()).await;
        let three = client.call("curious", json!({ "times": 3 })).await.unwrap();
        assert_eq!(text(&three), "asked 3 times");
        let four = client.call("curious", json!({ "times": 4 })).await.unwrap();
        assert_eq!((four.is_error, text(&four).as_str()), (Some(true), "the tool asked more than 3 times"));
    }
}
