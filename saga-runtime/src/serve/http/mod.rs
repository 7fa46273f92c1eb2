//! MCP over HTTP, without sessions: one POST is one message, and its reply is one JSON object, or a stream of events
//! where the client wants to hear of the request's progress. Any server with the same keys may get the next one. A
//! client that closes its connection cancels its request. (`session` has the one exception, resumable requests.)
//!
//! ```no_run
//! # use saga_runtime::Sagas;
//! # async fn example(sagas: Sagas, others: axum::Router) -> std::io::Result<()> {
//! // Alone:
//! saga_runtime::serve::http::serve(sagas.clone(), ([127, 0, 0, 1], 8080).into()).await?;
//!
//! // Or as a part of another server:
//! let service = sagas.http_service().allow_origin("https://app.example.com");
//! let router = others.route_service("/mcp", service);
//! # drop(router);
//! # Ok(())
//! # }
//! ```

mod front;
mod listen;

mod body;
mod gate;
mod headers;
mod session;
mod stream;

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{ALLOW, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, Response, StatusCode};
use tower::Service;

use self::body::{Unread, read};
pub use self::front::Front;
use self::gate::Gate;
pub use self::listen::{serve, serve_until};
use self::session::Heard;
use super::LARGEST_MESSAGE;
use super::connection::Waiting;
use crate::dialect::json_rpc::{Malformed, Message};
use crate::dialect::route::Caller;
use crate::dialect::{Fault, Reply, target};
use crate::progress::Reporter;
use crate::sagas::{RequestFacts, Sagas};

impl Sagas {
    /// A [`tower::Service`] that answers MCP over HTTP, to be mounted in a server at the path of its choice.
    #[must_use]
    pub fn http_service(&self) -> HttpService {
        HttpService {
            sagas: self.clone(),
            gate: Gate::default(),
            largest: LARGEST_MESSAGE,
            within: SENT_WITHIN,
            waiting: session::waiting(self),
        }
    }
}

/// Answers MCP over HTTP; made by [`Sagas::http_service`]. Cheap to clone.
///
/// Programs send no `Origin`; of browsers' pages it serves those of this machine and those of its own host. It sends
/// no CORS headers: a page from elsewhere needs its origin allowed here and a CORS layer around the service.
#[derive(Debug, Clone)]
pub struct HttpService {
    sagas: Sagas,
    gate: Gate,
    largest: usize,
    within: Duration,
    /// What clients in sessions are asked.
    waiting: Waiting,
}

/// For how long a client may take to send a request, unless set.
const SENT_WITHIN: Duration = Duration::from_secs(30);

impl From<Sagas> for HttpService {
    fn from(sagas: Sagas) -> Self {
        sagas.http_service()
    }
}

impl HttpService {
    /// Serves pages of this origin too, for example `https://app.example.com`.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.gate.allow_origin(origin.into());
        self
    }

    /// Serves only requests for these host names, without ports: a name of somebody else's that was made to lead
    /// here is refused. Unless set, a server of [`serve`] or [`serve_until`] on a loopback address serves the names of
    /// loopback only; any other, and a service in a server of your own, serves every name.
    #[must_use]
    pub fn hosts(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.gate.only_hosts(names.into_iter().map(Into::into).collect());
        self
    }

    /// How large a message may be, in bytes: 4 MiB unless set.
    #[must_use]
    pub const fn largest_message(mut self, bytes: usize) -> Self {
        self.largest = bytes;
        self
    }

    /// For how long a client may take to send a message: 30 seconds unless set. Who takes longer gets status 408. A
    /// server of [`serve`] or [`serve_until`] closes a connection that takes as long for a request's headers.
    #[must_use]
    pub const fn sent_within(mut self, time: Duration) -> Self {
        self.within = time;
        self
    }

    async fn answer<B: HttpBody<Data = Bytes>>(self, request: Request<B>) -> Response<Body> {
        let (head, body) = request.into_parts();
        if head.method != Method::POST {
            let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, "send messages with POST");
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
            return response;
        }
        if let Err(response) = self.admit(&head) {
            return response;
        }
        let bytes = match read(body, self.largest, self.within).await {
            Ok(bytes) => bytes,
            Err(unread) => return self.unread(&unread),
        };
        match Message::parse(&bytes) {
            Ok(message) => self.reply(message, &head).await,
            Err(Malformed { id, fault }) => respond(Reply::fault(id.as_ref(), fault)),
        }
    }

    /// Refuses what is not let in at all.
    #[expect(clippy::result_large_err, reason = "a response is moved once")]
    fn admit(&self, head: &Parts) -> Result<(), Response<Body>> {
        self.gate.check(&head.uri, &head.headers).map_err(|(status, why)| {
            tracing::warn!(status = status.as_u16(), why, "refused a request");
            refuse(status, why)
        })
    }

    fn unread(&self, unread: &Unread) -> Response<Body> {
        match unread {
            Unread::TooLarge => self.too_large(),
            Unread::TooSlow => refuse(StatusCode::REQUEST_TIMEOUT, "the body did not come in time"),
            Unread::Broken => refuse(StatusCode::BAD_REQUEST, "the body could not be read"),
        }
    }

    fn too_large(&self) -> Response<Body> {
        let fault = Fault::not_a_request(&format!("the message is larger than {} bytes", self.largest));
        let mut response = respond(Reply::fault(None, fault));
        *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
        response
    }

    async fn reply(self, message: Message, head: &Parts) -> Response<Body> {
        let caller = self.caller(head);
        if let (Message::Request(request), Ok(_)) = (&message, &caller)
            && let Err(fault) = headers::check_revision(&head.headers, request)
        {
            return respond(Reply::fault(Some(&request.id), fault));
        }
        match self.in_session(message, head, caller).await {
            Heard::Answered(response) => response,
            Heard::NotInSession(message, caller) => self.reply_outside(message, caller, head).await,
        }
    }

    fn caller(&self, head: &Parts) -> Caller {
        // Only a principal hook looks at them.
        let facts =
            if self.sagas.knows_principals() { RequestFacts::of(head) } else { RequestFacts::default() };
        self.sagas.caller(&facts)
    }

    /// Answers a message that stands in no session.
    async fn reply_outside(self, message: Message, caller: Caller, head: &Parts) -> Response<Body> {
        let Message::Request(request) = message else {
            return respond(self.sagas.answer(message, caller, Reporter::none()).await);
        };
        // Who is not let in does not hear which headers a tool has.
        let caller = match caller {
            Ok(caller) => Ok(caller),
            Err(fault) => return respond(Reply::fault(Some(&request.id), fault)),
        };
        let mirrored = target::mirrored(&self.sagas, &request);
        if let Err(fault) = headers::check(&head.headers, &request, mirrored) {
            return respond(Reply::fault(Some(&request.id), fault));
        }
        if !stream::is_wanted(&head.headers, &request) {
            return respond(self.sagas.answer(Message::Request(request), caller, Reporter::none()).await);
        }
        let (reporter, told) = stream::reporter(&head.headers, &request);
        let answering = async move { self.sagas.answer(Message::Request(request), caller, reporter).await };
        stream::response(Box::pin(answering), told).await
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.answer(request).await) })
    }
}

fn respond(reply: Reply) -> Response<Body> {
    let status = StatusCode::from_u16(reply.status()).unwrap_or(StatusCode::OK);
    let challenge = reply.challenge().and_then(|challenge| HeaderValue::from_str(challenge).ok());
    let mut response = match reply.into_text() {
        Some(text) => {
            let mut response = Response::new(Body::from(text));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        None => Response::new(Body::empty()),
    };
    *response.status_mut() = status;
    if let Some(challenge) = challenge {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// A response to what is not a message, for a person who looks at it.
fn refuse(status: StatusCode, why: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(why));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
