//! In front of another MCP server at the same address: a request that names a saga in a dialect of ours is answered
//! here, and everything else is passed on as it came.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Method, Request, Response};
use tower::{Service, ServiceExt};

use super::HttpService;
use super::body::read;
use super::session::SESSION;
use crate::dialect::json_rpc::Message;

impl HttpService {
    /// Puts the sagas in front of another MCP server, for example rmcp's `StreamableHttpService`: it goes on serving
    /// sessions, older revisions, subscriptions, its own tools and the lists.
    ///
    /// Its lists should have the sagas in them (`Sagas::tool_router`), and its capabilities what the sagas announce
    /// (`Sagas::capabilities`).
    pub const fn in_front_of<I>(self, inner: I) -> Front<I> {
        Front { sagas: self, inner }
    }
}

/// Sagas in front of another MCP server; made by [`HttpService::in_front_of`]. Cheap to clone if the other is.
#[derive(Debug, Clone)]
pub struct Front<I> {
    sagas: HttpService,
    inner: I,
}

impl<B, I, R> Service<Request<B>> for Front<I>
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
    I: Service<Request<Body>, Response = Response<R>> + Clone + Send + 'static,
    I::Future: Send,
    R: HttpBody<Data = Bytes> + Send + 'static,
    R::Error: Into<BoxError>,
{
    type Response = Response<Body>;
    type Error = I::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, I::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), I::Error>> {
        // Whether the other server is ready matters to what is passed on only; it is asked there.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Self { sagas, inner } = self.clone();
        Box::pin(async move {
            let passed_on = match sagas.take(request).await {
                Taken::Answered(response) => return Ok(response),
                Taken::NotOurs(request) => request,
            };
            inner.oneshot(passed_on).await.map(|response| response.map(Body::new))
        })
    }
}

/// What became of a request.
enum Taken {
    Answered(Response<Body>),
    NotOurs(Request<Body>),
}

impl HttpService {
    async fn take<B>(self, request: Request<B>) -> Taken
    where
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        if request.method() != Method::POST {
            return Taken::NotOurs(request.map(Body::new));
        }
        let (head, body) = request.into_parts();
        let bytes = match read(body, self.largest, self.within).await {
            Ok(bytes) => bytes,
            Err(unread) => return Taken::Answered(self.unread(&unread)),
        };
        match Message::parse(&bytes) {
            Ok(Message::Request(message))
                if self.sagas.takes(&message, head.headers.contains_key(SESSION)) =>
            {
                Taken::Answered(match self.admit(&head) {
                    Ok(()) => {
                        // A session is one of the other server's.
                        let caller = self.caller(&head);
                        self.reply_outside(Message::Request(message), caller, &head).await
                    }
                    Err(response) => response,
                })
            }
            _ => Taken::NotOurs(Request::from_parts(head, Body::from(bytes))),
        }
    }
}
