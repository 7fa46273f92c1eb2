//! Clients of older revisions: they are asked by requests of the server's while their call stays open, and the tool
//! goes on in this process. A client that cannot be asked, since it declared no capability for it or since nothing
//! leads back to it, gets a result that says so, at once.

use std::time::Duration;

use http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{CancelledNotificationParam, CustomNotification, CustomRequest, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use serde_json::Value;
use tokio::time::timeout;

use crate::client::Client;
use crate::dialect::peer::{Asking, Peer};
use crate::dialect::push::Revision;
use crate::dialect::target::Target;
use crate::dialect::{Fault, Fields, fault, older};
use crate::host::{Call, Outcome, Refusal, Server};
use crate::result::ToolResult;
use crate::sagas::Sagas;
use crate::step::StepKind;

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
    pub(super) fn client(&self, declared: Client) -> Client {
        if self.answers { self.revision.client(declared) } else { Client::default() }
    }

    /// Runs a tool, a prompt or a resource to its end, asking the client on the way; the fields of the result.
    pub(super) async fn answer(
        &self,
        sagas: &Sagas,
        server: Server<'_>,
        target: &Target<'_>,
        call: &Call,
    ) -> Result<Fields, Fault> {
        let outcome = Asking::new(sagas, self, self.revision).in_place(server, target.machine, call).await;
        let outcome = match outcome {
            Outcome::Refused(Refusal::Capability(missing)) if !self.answers => {
                Outcome::Done(self.nothing_leads_back(&missing))
            }
            outcome => outcome,
        };
        older::fields(sagas, target, outcome)
    }

    fn nothing_leads_back(&self, missing: &[StepKind]) -> ToolResult {
        let required = Value::Object(fault::required_capabilities(missing));
        ToolResult::error(format!(
            "the tool asks for {required}, and a client of MCP {} can be asked in a session or on standard input \
             only; connect with a session, or by MCP {}",
            self.revision.name(),
            crate::dialect::meta::VERSION
        ))
    }
}

impl Peer for Session<'_> {
    async fn ask(
        &self,
        method: &'static str,
        params: Fields,
        within: Duration,
    ) -> Option<Result<Value, Value>> {
        let peer = &self.request.peer;
        // As a custom request it has the very words of its revision.
        let question = CustomRequest::new(method, Some(params.into_json()));
        let question = ServerRequest::CustomRequest(question);
        let asking = peer.send_cancellable_request(question, PeerRequestOptions::no_options()).await;
        let asking = asking.inspect_err(gone).ok()?;
        let id = asking.id.clone();
        let answered = tokio::select! {
            answered = timeout(within, asking.await_response()) => answered.ok(),
            () = self.request.ct.cancelled() => None,
        };
        match answered {
            Some(Ok(result)) => Some(Ok(serde_json::to_value(result).unwrap_or_default())),
            Some(Err(ServiceError::McpError(error))) => {
                Some(Err(serde_json::to_value(error).unwrap_or_default()))
            }
            Some(Err(error)) => {
                gone(&error);
                None
            }
            None => {
                // The person need not go on with it. A client that is gone does not mind.
                drop(peer.notify_cancelled(CancelledNotificationParam::new(Some(id), None)).await);
                None
            }
        }
    }

    async fn notify(&self, method: &'static str, params: Fields) {
        let notification = CustomNotification::new(method, Some(params.into_json()));
        if let Err(error) = self.request.peer.send_notification(notification.into()).await {
            gone(&error);
        }
    }
}

fn gone(error: &ServiceError) {
    tracing::info!(%error, "a client is gone");
}
