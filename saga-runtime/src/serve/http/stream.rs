//! A reply that is told in parts: the request's progress and, in a session, the server's requests, each as it
//! happens, and the reply as the last. They are server-sent events, and nothing is kept of them: a client whose
//! connection breaks sends its request again.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::iter;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response};
use http_body::Frame;
use tokio::sync::mpsc;

use super::{gate, respond};
use crate::dialect::json_rpc::Request;
use crate::dialect::{Reply, progress};
use crate::progress::Reporter;

/// How many events wait for a client that reads slowly. What comes beyond them is left out: the next one says more.
const MOST_WAITING: usize = 64;

/// A request on its way to its reply. Dropped, it stops: a client that closes its connection cancels its request.
pub(super) type Answering = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// What a request says before its reply.
pub(super) struct Told {
    /// The other end of its [`Reporter`].
    progress: mpsc::Receiver<String>,
    /// What it asks its client, where that is in a session.
    said: mpsc::UnboundedReceiver<String>,
}

impl Told {
    /// The same, with what the client is asked.
    pub(super) fn with(self, said: mpsc::UnboundedReceiver<String>) -> Self {
        Self { said, ..self }
    }

    fn is_empty(&self) -> bool {
        self.progress.is_empty() && self.said.is_empty()
    }

    fn unheard(&mut self) -> Option<String> {
        self.progress.try_recv().ok().or_else(|| self.said.try_recv().ok())
    }

    /// What comes next; pending where nothing is left to tell.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<String> {
        if let Poll::Ready(Some(event)) = self.progress.poll_recv(context) {
            return Poll::Ready(event);
        }
        match self.said.poll_recv(context) {
            Poll::Ready(Some(event)) => Poll::Ready(event),
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }
}

/// Whether this request's client wants to hear of its progress, and in a stream.
pub(super) fn is_wanted(headers: &HeaderMap, request: &Request) -> bool {
    progress::token(request).is_some() && gate::accepts_events(headers)
}

/// Where the progress of this request goes: into a stream, if its client wants both.
pub(super) fn reporter(headers: &HeaderMap, request: &Request) -> (Reporter, Told) {
    let (tell, progress) = mpsc::channel(MOST_WAITING);
    let told = Told { progress, said: mpsc::unbounded_channel().1 };
    let token = progress::token(request).filter(|_| gate::accepts_events(headers));
    let reporter = token.map_or(Reporter::none(), |token| {
        Reporter::new(move |progress| drop(tell.try_send(progress::notification(&token, progress))))
    });
    (reporter, told)
}

/// The response to a request: one object, unless there was progress to tell of before that.
pub(super) async fn response(mut answering: Answering, mut told: Told) -> Response<Body> {
    let mut waiting = VecDeque::new();
    let answering = tokio::select! {
        biased;
        reply = &mut answering => {
            // Where nothing was sent yet, an error has its status.
            if told.is_empty() || reply.status() != 200 {
                return respond(reply);
            }
            waiting.extend(iter::from_fn(|| told.unheard()));
            waiting.extend(reply.into_text());
            None
        }
        first = poll_fn(|context| told.poll(context)) => {
            waiting.push_back(first);
            Some(answering)
        }
    };
    let mut response = Response::new(Body::new(Events { waiting, told, answering }));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // A proxy that gathers a response before it passes it on would keep the progress to itself.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

struct Events {
    /// What is sent next.
    waiting: VecDeque<String>,
    told: Told,
    /// `None` when the reply is among the events.
    answering: Option<Answering>,
}

impl HttpBody for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Self { waiting, told, answering } = &mut *self;
        if let Some(running) = answering
            && let Poll::Ready(reply) = running.as_mut().poll(context)
        {
            *answering = None;
            // Nothing comes after the reply.
            waiting.extend(iter::from_fn(|| told.unheard()));
            waiting.extend(reply.into_text());
        }
        if let Some(event) = waiting.pop_front() {
            return Poll::Ready(Some(Ok(frame(&event))));
        }
        if answering.is_none() {
            return Poll::Ready(None);
        }
        told.poll(context).map(|event| Some(Ok(frame(&event))))
    }
}

/// One server-sent event. JSON on one line has no line's end in it.
fn frame(event: &str) -> Frame<Bytes> {
    Frame::data(Bytes::from(format!("event: message\ndata: {event}\n\n")))
}
