//! The client at the other end of a connection, as a session's calls see it: they send it requests and wait for its
//! responses. Nobody waits for a client that is gone.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::dialect::Fields;
use crate::dialect::json_rpc::{self, Id, Response};
use crate::dialect::peer::Peer;

/// How many requests may wait for clients at once. A tool that asks beyond that is not answered.
const MOST_ASKED: usize = 1024;

type Result = std::result::Result<serde_json::Value, serde_json::Value>;

/// The client. Cheap to clone.
#[derive(Clone)]
pub(super) struct Connection {
    say: mpsc::UnboundedSender<String>,
    waiting: Waiting,
    /// Whether something was asked that nobody waits for an answer to.
    in_vain: Arc<AtomicBool>,
}

/// The requests that wait for responses. Cheap to clone.
#[derive(Clone)]
pub(super) struct Waiting {
    shared: Arc<Shared>,
}

struct Shared {
    /// Gives each request its id.
    next: Box<dyn Fn() -> Option<Id> + Send + Sync>,
    /// Who waits for which response; none once the client is gone.
    asked: Mutex<Option<HashMap<Id, oneshot::Sender<Result>>>>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Waiting").field("asked", &self.asked()).finish_non_exhaustive()
    }
}

impl Waiting {
    /// Nobody waits; `next` gives each request an id of its own, or none where it cannot be made.
    pub(super) fn new(next: impl Fn() -> Option<Id> + Send + Sync + 'static) -> Self {
        let asked = Mutex::new(Some(HashMap::new()));
        Self { shared: Arc::new(Shared { next: Box::new(next), asked }) }
    }

    /// A client answered; whether anybody waited for it. A response that nobody waits for is one to a request that
    /// was cancelled.
    pub(super) fn hear(&self, response: Response) -> bool {
        let asked = self.lock().as_mut().and_then(|asked| asked.remove(&response.id));
        asked.is_some_and(|asked| asked.send(response.result).is_ok())
    }

    /// The response to come to the request of this id; none from a client that is gone, or asked too much.
    fn wait_for(&self, id: &Id) -> Option<oneshot::Receiver<Result>> {
        let mut asked = self.lock();
        let asked = asked.as_mut().filter(|asked| asked.len() < MOST_ASKED)?;
        let (answer, answered) = oneshot::channel();
        asked.insert(id.clone(), answer);
        Some(answered)
    }

    /// How many requests wait for responses.
    pub(super) fn asked(&self) -> usize {
        self.lock().as_ref().map_or(0, HashMap::len)
    }

    /// The client is gone, or cannot come back.
    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<Id, oneshot::Sender<Result>>>> {
        // The lock is held for one operation of the map, which leaves it whole.
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// A client whose responses come in here, and what is said to it.
    pub(super) fn new(waiting: Waiting) -> (Self, mpsc::UnboundedReceiver<String>) {
        let (say, said) = mpsc::unbounded_channel();
        (Self { say, waiting, in_vain: Arc::default() }, said)
    }

    /// Whether something was asked that nobody waits for an answer to.
    #[cfg(feature = "http")]
    pub(super) fn asked_in_vain(&self) -> bool {
        self.in_vain.load(Ordering::Relaxed)
    }

    fn in_vain<T>(&self) -> Option<T> {
        self.in_vain.store(true, Ordering::Relaxed);
        None
    }

    fn say(&self, message: String) {
        // A client that is gone does not need to know.
        drop(self.say.send(message));
    }
}

impl Peer for Connection {
    async fn ask(&self, method: &'static str, params: Fields, within: Duration) -> Option<Result> {
        let id = (self.waiting.shared.next)()?;
        let Some(answered) = self.waiting.wait_for(&id) else { return self.in_vain() };
        self.say(json_rpc::sent(Some(&id), method, params));
        let _asking = Asking { connection: self, id };
        tokio::select! {
            // A client may answer and go: then it has answered.
            biased;
            answered = tokio::time::timeout(within, answered) => match answered.ok()? {
                Ok(answer) => Some(answer),
                Err(_) => self.in_vain(),
            },
            () = self.say.closed() => None,
        }
    }

    async fn notify(&self, method: &'static str, params: Fields) {
        self.say(json_rpc::sent(None, method, params));
    }
}

/// A request that may be given up: the client is told, unless it has answered.
struct Asking<'a> {
    connection: &'a Connection,
    id: Id,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let asked = self.connection.waiting.lock().as_mut().and_then(|asked| asked.remove(&self.id));
        if asked.is_some() {
            let params = Fields::new().with("requestId", self.id.to_json());
            self.connection.say(json_rpc::sent(None, "notifications/cancelled", params));
        }
    }
}

#[cfg(all(test, feature = "stdio"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_that_is_gone_is_not_waited_for() {
        let waiting = Waiting::new(|| Some(Id::Number(1.into())));
        let (connection, mut said) = Connection::new(waiting.clone());
        waiting.close();
        assert_eq!(connection.ask("ping", Fields::new(), Duration::MAX).await, None);
        assert_eq!(said.try_recv().ok(), None);
    }
}
