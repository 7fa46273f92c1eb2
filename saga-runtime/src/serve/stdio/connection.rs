//! The client at the other end of the pipes, as a session's calls see it: they send it requests and wait for its
//! responses. All is dropped when the pipe is closed, so that nobody waits for a client that is gone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::dialect::Object;
use crate::dialect::json_rpc::{self, Id, Response};
use crate::dialect::session::Peer;

/// How many requests may wait for the client at once. A tool that asks beyond that is not answered.
const MOST_ASKED: usize = 1024;

type Result = std::result::Result<Value, Value>;

/// The client. Cheap to clone.
#[derive(Clone)]
pub(super) struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    say: mpsc::UnboundedSender<Value>,
    next: AtomicU64,
    /// Who waits for which response; none once the client is gone.
    waiting: Mutex<Option<HashMap<u64, oneshot::Sender<Result>>>>,
}

impl Connection {
    /// A client, and what is said to it.
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Value>) {
        let (say, said) = mpsc::unbounded_channel();
        let waiting = Mutex::new(Some(HashMap::new()));
        (Self { shared: Arc::new(Shared { say, next: AtomicU64::new(1), waiting }) }, said)
    }

    /// The client answered. A response that nobody waits for is one to a request that was cancelled.
    pub(super) fn hear(&self, response: Response) {
        let Id::Number(id) = response.id else { return };
        let waiting = id.as_u64().and_then(|id| self.waiting().as_mut()?.remove(&id));
        if let Some(waiting) = waiting {
            drop(waiting.send(response.result));
        }
    }

    /// How many requests wait for the client.
    pub(super) fn asked(&self) -> usize {
        self.waiting().as_ref().map_or(0, HashMap::len)
    }

    /// The client is gone.
    pub(super) fn close(&self) {
        *self.waiting() = None;
    }

    fn waiting(&self) -> MutexGuard<'_, Option<HashMap<u64, oneshot::Sender<Result>>>> {
        // The lock is held for one operation of the map, which leaves it whole.
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, message: Value) {
        // Whoever reads it is gone only when the server is.
        drop(self.shared.say.send(message));
    }
}

impl Peer for Connection {
    fn ask(
        &self,
        method: &'static str,
        params: Object,
        within: u32,
    ) -> impl Future<Output = Option<Result>> + Send {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        if let Some(waiting) = self.waiting().as_mut().filter(|waiting| waiting.len() < MOST_ASKED) {
            waiting.insert(id, answer);
            self.say(json_rpc::sent(Some(&Id::Number(id.into())), method, params));
        }
        let asking = Asking { connection: self.clone(), id };
        async move {
            let answered = tokio::time::timeout(Duration::from_secs(within.into()), answered).await;
            drop(asking);
            answered.ok()?.ok()
        }
    }

    fn notify(&self, method: &'static str, params: Object) {
        self.say(json_rpc::sent(None, method, params));
    }
}

/// A request that may be given up: the client is told, unless it has answered.
struct Asking {
    connection: Connection,
    id: u64,
}

impl Drop for Asking {
    fn drop(&mut self) {
        let is_waited_for =
            self.connection.waiting().as_mut().is_some_and(|waiting| waiting.remove(&self.id).is_some());
        if is_waited_for {
            let params = Object::from_iter([("requestId".to_owned(), json!(self.id))]);
            self.connection.notify("notifications/cancelled", params);
        }
    }
}
