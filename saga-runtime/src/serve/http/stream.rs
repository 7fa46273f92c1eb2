//! A reply that is told in parts: the request's progress, each as it happens, and the reply as the last. They are
//! server-sent events, and nothing is kept of them: a client whose connection breaks sends its request again.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response};
use http_body::Frame;
use serde_json::Value;
use tokio::sync::mpsc;

use super::{gate, respond};
use crate::dialect::json_rpc::Request;
use crate::dialect::{Reply, progress};
use crate::progress::Reporter;

/// How many events wait for a client that reads slowly. What comes beyond them is left out: the next one says more.
const MOST_WAITING: usize = 64;

/// A request on its way to its reply. Dropped, it stops: a client that closes its connection cancels its request.
pub(super) type Answering = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// The other end of a request's [`Reporter`].
pub(super) type Told = mpsc::Receiver<Value>;

/// Where the progress of this request goes: into a stream, if its client wants both.
pub(super) fn reporter(headers: &HeaderMap, request: &Request) -> Option<(Reporter, Told)> {
    let token = progress::token(request).filter(|_| gate::accepts_events(headers))?;
    let (tell, told) = mpsc::channel(MOST_WAITING);
    let reporter =
        Reporter::new(move |progress| drop(tell.try_send(progress::notification(&token, progress))));
    Some((reporter, told))
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
            waiting.extend(unheard(&mut told));
            waiting.extend(reply.into_body());
            None
        }
        Some(first) = told.recv() => {
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

fn unheard(told: &mut Told) -> impl Iterator<Item = Value> {
    std::iter::from_fn(|| told.try_recv().ok())
}

struct Events {
    /// What is sent next.
    waiting: VecDeque<Value>,
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
            waiting.extend(unheard(told));
            waiting.extend(reply.into_body());
        }
        if let Some(event) = waiting.pop_front() {
            return Poll::Ready(Some(Ok(frame(&event))));
        }
        if answering.is_none() {
            return Poll::Ready(None);
        }
        match told.poll_recv(context) {
            Poll::Ready(Some(event)) => Poll::Ready(Some(Ok(frame(&event)))),
            // Without a reporter there is nothing more to tell; the reply is still to come.
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }
}

/// One server-sent event. JSON on one line has no line's end in it.
fn frame(event: &Value) -> Frame<Bytes> {
    Frame::data(Bytes::from(format!("event: message\ndata: {event}\n\n")))
}
