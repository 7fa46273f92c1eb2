//! The tool of the benchmark by hand on rmcp, as somebody writes it who takes care: the state signed and bound to the
//! arguments, with an expiry; schemas made once; the router made once; JSON replies.

#![allow(deprecated, reason = "sampling is what the tool does, and rmcp has deprecated its types")]

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::{InputResponses as Answers, RequestState};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, CreateMessageRequest, CreateMessageRequestParams,
    CreateMessageResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, InputResponses, RequestStateCodec,
    SamplingMessage, SealOptions,
};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// What the client sends with every request.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Trip {
    city: String,
    budget: u32,
}

/// When a trip is.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Dates {
    /// The first day.
    start: String,
    /// How many nights.
    nights: u32,
}

/// A last word.
#[derive(Deserialize, JsonSchema)]
struct Sure {
    confirm: bool,
}

/// Where the tool stands.
#[derive(Serialize, Deserialize)]
#[serde(tag = "waits_for", rename_all = "snake_case")]
enum State {
    Dates,
    Plan { dates: Dates },
    Sure { dates: Dates, plan: String },
}

static DATES: LazyLock<ElicitationSchema> =
    LazyLock::new(|| ElicitationSchema::from_type::<Dates>().expect("flat"));
static SURE: LazyLock<ElicitationSchema> =
    LazyLock::new(|| ElicitationSchema::from_type::<Sure>().expect("flat"));

#[derive(Clone)]
struct Server {
    codec: Arc<RequestStateCodec>,
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Server {
    fn new() -> Self {
        let key = b"a benchmark needs no secret key, only a long one".to_vec();
        let codec = RequestStateCodec::new_with_keyring("k1", [("k1", key)]).expect("a key ring");
        Self { codec: Arc::new(codec), tool_router: Self::tool_router() }
    }

    /// Books a trip after the person picked the dates and agreed to the plan.
    #[tool]
    async fn book_trip(
        &self,
        Parameters(trip): Parameters<Trip>,
        RequestState(state): RequestState,
        Answers(answers): Answers,
    ) -> Result<CallToolResponse, ErrorData> {
        let bound = bound("book_trip", &trip)?;
        let Some(state) = state else {
            let message = format!("When do you want to go to {}?", trip.city);
            return self.ask("dates", form(message, &DATES), &State::Dates, &bound);
        };
        let state =
            self.codec.open_json_with(&state, &bound).map_err(|_| refused("the state is not good"))?;
        let mut answers = answers.unwrap_or_default();
        match state {
            State::Dates => {
                let dates: Dates = match accepted(&mut answers, "dates")? {
                    Some(dates) => dates,
                    None => return Ok(declined()),
                };
                let prompt = format!("Plan {} nights in {} for {}.", dates.nights, trip.city, trip.budget);
                let params = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 1024);
                let request = InputRequest::CreateMessage(CreateMessageRequest::new(params));
                self.ask("plan", request, &State::Plan { dates }, &bound)
            }
            State::Plan { dates } => {
                let said: CreateMessageResult = answer(&mut answers, "plan")?;
                let texts = said.message.content.into_vec().into_iter();
                let plan: String = texts.filter_map(|part| Some(part.as_text()?.text.clone())).collect();
                let request = form(format!("{plan}\n\nBook it?"), &SURE);
                self.ask("sure", request, &State::Sure { dates, plan }, &bound)
            }
            State::Sure { dates: Dates { start, nights }, plan } => {
                let sure: Option<Sure> = accepted(&mut answers, "sure")?;
                match sure {
                    None => Ok(declined()),
                    Some(Sure { confirm: false }) => Ok(text("not booked".to_owned())),
                    Some(Sure { confirm: true }) => {
                        let Trip { city, budget } = trip;
                        Ok(text(format!("booked {city} {start} x{nights} for {budget}: {plan}")))
                    }
                }
            }
        }
    }
}

impl Server {
    fn ask(
        &self,
        key: &str,
        request: InputRequest,
        state: &State,
        bound: &[u8],
    ) -> Result<CallToolResponse, ErrorData> {
        let options = SealOptions::new().associated_data(bound).ttl(Duration::from_mins(10));
        let sealed = self.codec.seal_json_with(state, &options);
        let sealed = sealed.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let requests = InputRequests::from([(key.to_owned(), request)]);
        Ok(InputRequiredResult::new(Some(requests), Some(sealed)).into())
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {}

/// What a state is bound to: the method, the tool and the arguments.
fn bound(tool: &str, arguments: &impl Serialize) -> Result<Vec<u8>, ErrorData> {
    let mut bound = format!("tools/call|{tool}|").into_bytes();
    serde_json::to_writer(&mut bound, arguments).map_err(|error| refused(&error.to_string()))?;
    Ok(bound)
}

fn form(message: String, schema: &ElicitationSchema) -> InputRequest {
    let requested_schema = schema.clone();
    let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    InputRequest::Elicitation(ElicitRequest::new(params))
}

/// The form's content; none where the person did not accept.
fn accepted<T: DeserializeOwned>(answers: &mut InputResponses, key: &str) -> Result<Option<T>, ErrorData> {
    let result: ElicitResult = answer(answers, key)?;
    if result.action != ElicitationAction::Accept {
        return Ok(None);
    }
    let content = result.content.ok_or_else(|| refused("the content is missing"))?;
    serde_json::from_value(content).map(Some).map_err(|error| refused(&error.to_string()))
}

fn answer<T: DeserializeOwned>(answers: &mut InputResponses, key: &str) -> Result<T, ErrorData> {
    let answer = answers.remove(key).ok_or_else(|| refused("the answer is missing"))?;
    serde_json::from_value(answer).map_err(|error| refused(&error.to_string()))
}

fn refused(why: &str) -> ErrorData {
    ErrorData::invalid_params(why.to_owned(), None)
}

fn declined() -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text("the user declined")]).into()
}

fn text(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("the address to serve at")?;
    let server = Server::new();
    let config =
        StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let router = Router::new().nest_service("/mcp", service);
    Ok(axum::serve(TcpListener::bind(address).await?, router).await?)
}
