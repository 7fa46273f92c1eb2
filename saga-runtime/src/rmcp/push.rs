//! Clients of older revisions: they are asked by requests of the server's while their call stays open, and the tool
//! goes on in this process. Nothing is sealed.
//!
//! The limits are those of every saga: a question waits for its answer as long as the tool's `ttl` says, the whole
//! no longer than its `max_age`, and it asks at most `max_rounds` times. A client that cannot be asked, since it
//! declared no capability for it or since nothing leads back to it, gets a result that says so, at once.

use std::collections::BTreeMap;
use std::time::Duration;

use http::request::Parts;
use rmcp::model::{CancelledNotificationParam, CustomRequest, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::dialect::push::{self, Pushed, Revision};
use crate::dialect::target::Target;
use crate::dialect::{Fault, Object, fault};
use crate::frame::Asked;
use crate::host::{Call, Outcome, Ran, Refusal, Registered, Server};
use crate::result::ToolResult;
use crate::saga::Client;
use crate::sagas::Sagas;
use crate::step::{Answer, StepKind};

/// An older client on the other side of a connection.
pub(super) struct Session<'a> {
    request: &'a RequestContext<RoleServer>,
    revision: Revision,
    /// Whether requests of the server's reach it.
    answers: bool,
}

impl<'a> Session<'a> {
    /// The client of this request, if it is one of an older revision.
    pub(super) fn of(request: &'a RequestContext<RoleServer>) -> Option<Self> {
        let version = request.protocol_version();
        let version = version.as_ref().map_or(Revision::June2025.name(), |version| version.as_str());
        // Revisions are days, and compare as texts.
        if version >= crate::dialect::meta::VERSION {
            return None;
        }
        let revision = Revision::named(version).unwrap_or(Revision::June2025);
        // Over HTTP only a session has a stream for the server's requests, and a way back for the answers.
        let parts = request.extensions.get::<Parts>();
        let answers = parts.is_none_or(|parts| parts.headers.contains_key("mcp-session-id"));
        Some(Self { request, revision, answers })
    }

    /// What the client can do.
    pub(super) fn client(&self, declared: Object) -> Client {
        if self.answers { self.revision.client(declared) } else { Client::default() }
    }

    /// Runs a tool, a prompt or a resource to its end, asking the client on the way.
    pub(super) async fn drive(
        &self,
        sagas: &Sagas,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
    ) -> Result<Outcome, ErrorData> {
        let host = sagas.host();
        let (question, whole) = (host.ttl_of(tool), host.limits_of(tool).max_age);
        let end = Instant::now() + seconds(whole);
        let mut ran = host.run(server, tool, call).await;
        loop {
            let parked = match ran {
                Ran::Ended(outcome) => return Ok(outcome),
                Ran::Waits(parked) => *parked,
            };
            let until = end.min(Instant::now() + seconds(question));
            let answers = match self.ask(parked.asked(), until).await {
                Ok(answers) => answers,
                Err(Unanswered::Late) => {
                    return Ok(Outcome::Done(ToolResult::error("the question was not answered in time")));
                }
                Err(Unanswered::Gone(error)) => {
                    tracing::info!(tool = tool.definition.name, %error, "a client is gone");
                    return Err(ErrorData::internal_error("the client could not be asked", None));
                }
            };
            ran = host.go_on(server, tool, call, parked, answers).await;
        }
    }

    /// The fields of the result.
    pub(super) fn ended(
        &self,
        sagas: &Sagas,
        target: &Target<'_>,
        outcome: Outcome,
    ) -> Result<Object, Fault> {
        match outcome {
            Outcome::Done(result) => target.fields(sagas, result),
            // These revisions have no code for it; the model may know what to do.
            Outcome::Refused(Refusal::Capability(missing)) => target.fields(sagas, self.cannot(&missing)),
            Outcome::Suspended(_) | Outcome::Refused(_) => Err(Fault::internal()),
        }
    }

    fn cannot(&self, missing: &[StepKind]) -> ToolResult {
        let required = Value::Object(fault::required_capabilities(missing));
        ToolResult::error(if self.answers {
            format!("the tool asks for what this client did not declare: {required}")
        } else {
            format!(
                "the tool asks for {required}, and a client of MCP {} can be asked in a session or on standard input \
                 only; connect with a session, or by MCP {}",
                self.revision.name(),
                crate::dialect::meta::VERSION
            )
        })
    }

    /// Asks the steps of a round, one after the other: a person reads one form at a time.
    async fn ask(&self, asked: &[Asked], until: Instant) -> Result<BTreeMap<String, Answer>, Unanswered> {
        let mut answers = BTreeMap::new();
        for asked in asked {
            // The client's own id of its call tells the pages of concurrent calls apart.
            let page = format!("{}.{}", self.request.id, asked.key);
            let pushed = Pushed::of(asked.clone(), self.revision, &page);
            let answer = self.ask_one(&pushed, until).await?;
            answers.insert(pushed.key, answer);
        }
        Ok(answers)
    }

    async fn ask_one(&self, pushed: &Pushed, until: Instant) -> Result<Answer, Unanswered> {
        let peer = &self.request.peer;
        // As a custom request it has the very words of its revision.
        let question = CustomRequest::new(pushed.method, Some(Value::Object(pushed.params.clone())));
        let question = ServerRequest::CustomRequest(question);
        let asking = peer.send_cancellable_request(question, PeerRequestOptions::no_options()).await;
        let asking = asking.map_err(Unanswered::Gone)?;
        let id = asking.id.clone();
        let answered = tokio::select! {
            answered = timeout_at(until, asking.await_response()) => answered.map_err(|_| Unanswered::Late),
            () = self.request.ct.cancelled() => Err(Unanswered::Late),
        };
        match answered {
            Ok(Ok(result)) => {
                serde_json::to_value(result).map(|result| pushed.result(result)).map_err(|_| Unanswered::Late)
            }
            Ok(Err(ServiceError::McpError(error))) => {
                Ok(push::error(serde_json::to_value(error).unwrap_or_default()))
            }
            Ok(Err(error)) => Err(Unanswered::Gone(error)),
            Err(unanswered) => {
                // The person need not go on with it. A client that is gone does not mind.
                drop(peer.notify_cancelled(CancelledNotificationParam::new(Some(id), None)).await);
                Err(unanswered)
            }
        }
    }
}

/// Why there is no answer.
enum Unanswered {
    /// It took too long, or the call was cancelled.
    Late,
    /// The connection is closed.
    Gone(ServiceError),
}

/// A timer does not reach further than some decades; nobody waits for a year.
fn seconds(seconds: u32) -> Duration {
    const YEAR: u32 = 365 * 24 * 60 * 60;
    Duration::from_secs(seconds.min(YEAR).into())
}
