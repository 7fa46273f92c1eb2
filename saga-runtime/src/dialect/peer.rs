//! A client of MCP 2025-06-18 or 2025-11-25 that is asked by requests of the server's while its call stays open. The
//! tool waits in this process meanwhile and goes on in place; nothing is sealed.
//!
//! The limits are those of every saga: a question waits for its answer as long as the tool's `ttl` says, the whole
//! no longer than its `max_age`, and it asks at most `max_rounds` times.
//!
//! Who carries the messages is the transport's business; it is a [`Peer`] here.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::Fields;
use super::push::{self, Pushed, Revision};
use crate::frame::Asked;
use crate::host::{Call, Outcome, Ran, Registered, Server};
use crate::result::ToolResult;
use crate::sagas::Sagas;
use crate::step::Answer;

const COMPLETE: &str = "notifications/elicitation/complete";

/// The client's end of a connection.
pub(crate) trait Peer: Sync {
    /// Sends a request, and waits for the response: its result or its error. `None` if the client is gone or did not
    /// answer in time. Dropped, it cancels the request.
    fn ask(
        &self,
        method: &'static str,
        params: Fields,
        within: Duration,
    ) -> impl Future<Output = Option<Result<Value, Value>>> + Send;

    /// Sends a notification.
    fn notify(&self, method: &'static str, params: Fields) -> impl Future<Output = ()> + Send;
}

/// One call whose client is asked.
pub(crate) struct Asking<'a, P> {
    pub(super) sagas: &'a Sagas,
    pub(super) peer: &'a P,
    revision: Revision,
    /// The pages that the person was sent to, by the ids that the client knows.
    pages: Vec<String>,
}

impl<'a, P: Peer> Asking<'a, P> {
    pub(crate) const fn new(sagas: &'a Sagas, peer: &'a P, revision: Revision) -> Self {
        Self { sagas, peer, revision, pages: Vec::new() }
    }

    /// Runs a tool, a prompt or a resource to its end.
    pub(crate) async fn in_place(
        &mut self,
        server: Server<'_>,
        machine: &Registered,
        call: &Call,
    ) -> Outcome {
        let host = self.sagas.host();
        let (started, whole) = (Instant::now(), seconds(host.limits_of(machine).max_age));
        let mut ran = host.run(server, machine, call).await;
        loop {
            let parked = match ran {
                Ran::Ended(outcome) => return self.end(outcome).await,
                Ran::Waits(parked) => *parked,
            };
            let within = whole.saturating_sub(started.elapsed()).min(seconds(host.ttl_of(machine)));
            let page = |key: &str| parked.key_for(&page_label(key));
            let Some(answers) = self.ask(parked.asked(), page, within).await else {
                return Outcome::Done(unanswered());
            };
            ran = host.go_on(server, machine, call, parked, answers).await;
        }
    }

    /// Sends all questions, and waits for the answers; `None` if one of them does not come. `page` makes the id of a
    /// page out of the question's key.
    pub(super) async fn ask(
        &mut self,
        asked: &[Asked],
        page: impl Fn(&str) -> String,
        within: Duration,
    ) -> Option<BTreeMap<String, Answer>> {
        let pushed: Vec<_> =
            asked.iter().map(|asked| Pushed::of(asked.clone(), self.revision, &page(&asked.key))).collect();
        self.pages.extend(pushed.iter().filter_map(|pushed| pushed.page.clone()));
        let asking = pushed.iter().map(|pushed| async {
            let answer = match self.peer.ask(pushed.method, pushed.params.clone(), within).await? {
                Ok(result) => pushed.result(result),
                Err(error) => push::error(error),
            };
            Some((pushed.key.clone(), answer))
        });
        all(asking).await.map(BTreeMap::from_iter)
    }

    /// A tool that ended well is done with its pages: the client may close them.
    pub(super) async fn end(&mut self, outcome: Outcome) -> Outcome {
        if matches!(&outcome, Outcome::Done(result) if !result.is_error) {
            for page in self.pages.drain(..) {
                self.peer.notify(COMPLETE, Fields::new().with("elicitationId", page)).await;
            }
        }
        outcome
    }
}

/// The label under which a wait makes the id of a page.
pub(super) fn page_label(key: &str) -> String {
    format!("elicitation {key}")
}

pub(super) fn unanswered() -> ToolResult {
    ToolResult::error("the client did not answer the tool's question")
}

pub(super) fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

/// The values of these, which wait side by side; `None` as soon as one has none.
async fn all<T>(futures: impl Iterator<Item = impl Future<Output = Option<T>> + Send>) -> Option<Vec<T>> {
    let mut running: Vec<_> = futures.map(|future| Some(Box::pin(future))).collect();
    let mut ready: Vec<Option<T>> = running.iter().map(|_| None).collect();
    poll_fn(move |context| {
        for (running, ready) in running.iter_mut().zip(&mut ready) {
            let Some(future) = running else { continue };
            if let Poll::Ready(value) = Pin::as_mut(future).poll(context) {
                let Some(value) = value else { return Poll::Ready(None) };
                (*running, *ready) = (None, Some(value));
            }
        }
        if running.iter().any(Option::is_some) {
            return Poll::Pending;
        }
        Poll::Ready(Some(ready.iter_mut().filter_map(Option::take).collect()))
    })
    .await
}
