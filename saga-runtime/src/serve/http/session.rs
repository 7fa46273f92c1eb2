//! Sessions over HTTP, for clients that take requests up again (SEP-975) and for no others. Where a tool asks, the
//! server's request is an event of its call's stream, and the client's response comes as a POST of its own.
//!
//! A session's id says all that there is to know of it, so any instance serves any of its requests. A response must
//! come to the instance that asked; one that does not is refused, and the client takes its request up again. A client
//! that closes its stream stops the tool at its next question and not before: what runs, runs to its end, and a guard
//! has the result.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};

use super::{HttpService, gate, headers, refuse, respond, stream};
use crate::dialect::json_rpc::{Id, Message, Request, Response as ClientResponse};
use crate::dialect::route::Caller;
use crate::dialect::session::{INITIALIZE, Session};
use crate::dialect::{Dialect, Fault, Reply, meta, mrtr, session_id};
use crate::sagas::Sagas;
use crate::serve::connection::{Connection, Waiting};

/// The header of a session.
pub(super) const SESSION: &str = "mcp-session-id";

/// What became of a message.
pub(super) enum Heard {
    Answered(Response<Body>),
    NotInSession(Message, Caller),
}

/// The requests of all sessions; their ids are not to be guessed.
pub(super) fn waiting(sagas: &Sagas) -> Waiting {
    let sagas = sagas.clone();
    Waiting::new(move || {
        let mut id = [0; 16];
        let filled = sagas.host().entropy.fill(&mut id);
        filled.inspect_err(|error| tracing::error!(%error, "no randomness for a request's id")).ok()?;
        Some(Id::Text(format!("{:032x}", u128::from_be_bytes(id))))
    })
}

impl HttpService {
    /// Answers a message that opens a session or stands in one.
    pub(super) async fn in_session(&self, message: Message, head: &Parts, caller: Caller) -> Heard {
        let is_modern = |request: &Request| meta::version(&request.params).is_some();
        if !self.sagas.dialects().has(Dialect::Resumable)
            || matches!(&message, Message::Request(request) if is_modern(request))
        {
            return Heard::NotInSession(message, caller);
        }
        let Ok(principal) = &caller else {
            // Refused where every message is.
            return Heard::NotInSession(message, caller);
        };
        if let Message::Request(request) = &message
            && request.method == INITIALIZE
        {
            let opened = session_id::open(&self.sagas, &request.params, principal.as_ref());
            let opened = opened.and_then(|(id, result)| Some((HeaderValue::from_str(&id).ok()?, result)));
            let Some((id, result)) = opened else { return Heard::NotInSession(message, caller) };
            let mut response = respond(Reply::result(&request.id, result));
            response.headers_mut().insert(HeaderName::from_static(SESSION), id);
            return Heard::Answered(response);
        }
        let Some(id) = head.headers.get(SESSION) else { return Heard::NotInSession(message, caller) };
        let session = id.to_str().ok().and_then(|id| session_id::read(&self.sagas, id, principal.as_ref()));
        let Some(session) = session else {
            return Heard::Answered(refuse(StatusCode::NOT_FOUND, "no such session; send `initialize`"));
        };
        Heard::Answered(match message {
            Message::Request(request) => self.call(session, request, head, caller).await,
            Message::Notification(_) => accepted(),
            Message::Response(response) => self.hear(response),
        })
    }

    fn hear(&self, response: ClientResponse) -> Response<Body> {
        if self.waiting.hear(response) {
            return accepted();
        }
        let what = "nobody waits for this response here; take the request up again";
        respond(Reply::fault(None, Fault::not_a_request(what)))
    }

    async fn call(&self, session: Session, request: Request, head: &Parts, caller: Caller) -> Response<Body> {
        if let Err(fault) = headers::check(&head.headers, &request, &[]) {
            return respond(Reply::fault(Some(&request.id), fault));
        }
        if !gate::accepts_events(&head.headers) {
            return refuse(
                StatusCode::NOT_ACCEPTABLE,
                "`Accept` must include text/event-stream in a session",
            );
        }
        let (reporter, told) = stream::reporter(&head.headers, &request);
        let (connection, said) = Connection::new(self.waiting.clone());
        // Only tools can be taken up again.
        let is_tool = !matches!(request.method.as_str(), mrtr::GET | mrtr::READ);
        let (sagas, id, asking) = (self.sagas.clone(), request.id.clone(), connection.clone());
        // A task of its own, which the end of the connection does not end.
        let task =
            tokio::spawn(async move { session.answer(&sagas, &connection, request, caller, reporter).await });
        let answering = async move {
            match task.await {
                // The stream ends without a reply: the client takes its request up again, where it is asked.
                Ok(_) if is_tool && asking.asked_in_vain() => Reply::unsaid(),
                Ok(reply) => reply,
                Err(_) => {
                    tracing::error!("a request's task failed; this is a bug in saga-runtime");
                    Reply::fault(Some(&id), Fault::internal())
                }
            }
        };
        stream::response(Box::pin(answering), told.with(said)).await
    }
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}
