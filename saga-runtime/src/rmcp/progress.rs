//! A tool's progress, told to the client in the order in which it was made, and before the result.

use std::convert::Infallible;
use std::future::pending;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::mpsc;

use crate::progress::{Progress, Reporter};

/// How much waits for a client that reads slowly. What comes beyond that is left out: the next one says more.
const MOST_WAITING: usize = 64;

/// The way from a tool's reporter to its client; none where the client does not want to know.
pub(super) struct Telling(Option<Way>);

struct Way {
    made: mpsc::Receiver<ProgressNotificationParam>,
    peer: Peer<RoleServer>,
}

/// Where the progress of this request goes: nowhere, if its client named no token.
pub(super) fn reporter(request: &RequestContext<RoleServer>) -> (Reporter, Telling) {
    let Some(token) = request.meta.get_progress_token() else { return (Reporter::none(), Telling(None)) };
    let (tell, made) = mpsc::channel(MOST_WAITING);
    let reporter = Reporter::new(move |progress| drop(tell.try_send(notification(token.clone(), progress))));
    (reporter, Telling(Some(Way { made, peer: request.peer.clone() })))
}

impl Telling {
    /// Does a request's work, and tells what is made meanwhile. A request that is cancelled stops where it waits.
    pub(super) async fn during<T>(
        mut self,
        request: &RequestContext<RoleServer>,
        work: impl Future<Output = Result<T, ErrorData>>,
    ) -> Result<T, ErrorData> {
        tokio::select! {
            biased;
            result = work => {
                self.rest().await;
                result
            }
            never = self.tell() => match never {},
            () = request.ct.cancelled() => Err(ErrorData::internal_error("the request was cancelled", None)),
        }
    }

    /// Tells what is made while the tool runs.
    async fn tell(&mut self) -> Infallible {
        if let Some(way) = &mut self.0 {
            while let Some(progress) = way.made.recv().await {
                way.send(progress).await;
            }
        }
        pending().await
    }

    /// Tells what was made and not told yet.
    async fn rest(&mut self) {
        if let Some(way) = &mut self.0 {
            while let Ok(progress) = way.made.try_recv() {
                way.send(progress).await;
            }
        }
    }
}

impl Way {
    async fn send(&self, progress: ProgressNotificationParam) {
        // A client that is gone does not need to know.
        drop(self.peer.notify_progress(progress).await);
    }
}

fn notification(token: ProgressToken, progress: Progress) -> ProgressNotificationParam {
    let mut notification = ProgressNotificationParam::new(token, progress.done);
    notification.total = progress.total;
    notification.message = progress.message;
    notification
}
