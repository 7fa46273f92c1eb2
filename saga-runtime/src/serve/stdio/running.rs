//! The requests of one client that run, and what is to be written to it.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::mpsc;
use tokio::task::{self, AbortHandle, JoinError, JoinSet};

use crate::dialect::json_rpc::{Id, Malformed, Message, Notification, Request};
use crate::dialect::session::{self, Session};
use crate::dialect::{Fault, Reply, meta, progress};
use crate::progress::Reporter;
use crate::sagas::{RequestFacts, Sagas};
use crate::serve::connection::{Connection, Waiting};

/// How many requests run side by side; the next ones wait in the client's pipe.
const MOST_RUNNING: usize = 256;

/// How much progress waits for a client that reads slowly. What comes beyond it is left out: the next one says more.
const MOST_PROGRESS: usize = 256;

/// The requests that run.
pub(super) struct Running {
    tasks: JoinSet<Reply>,
    /// Those whose reply somebody waits for.
    wanted: HashMap<task::Id, (Id, AbortHandle)>,
    /// The progress of each.
    tell: mpsc::Sender<(Id, String)>,
    told: mpsc::Receiver<(Id, String)>,
    connection: Connection,
    /// The requests to the client.
    waiting: Waiting,
    /// What the sessions' calls say.
    said: mpsc::UnboundedReceiver<String>,
    session: Option<Session>,
    /// What is written next.
    ready: VecDeque<String>,
}

impl Default for Running {
    fn default() -> Self {
        let (tell, told) = mpsc::channel(MOST_PROGRESS);
        let next = AtomicU64::new(1);
        let waiting = Waiting::new(move || Some(Id::Number(next.fetch_add(1, Ordering::Relaxed).into())));
        let (connection, said) = Connection::new(waiting.clone());
        let (tasks, wanted, ready) = (JoinSet::new(), HashMap::new(), VecDeque::new());
        Self { tasks, wanted, tell, told, connection, waiting, said, session: None, ready }
    }
}

impl Running {
    pub(super) fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.ready.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        // A call that waits for the client's answer holds up nobody, least of all that answer.
        self.tasks.len() < MOST_RUNNING + self.waiting.asked()
    }

    /// Takes a message in; the reply is there at once if there is nothing to run.
    pub(super) fn take(&mut self, sagas: &Sagas, line: &[u8]) -> Option<String> {
        match Message::parse(line) {
            Ok(Message::Request(request)) if opens_session(sagas, &request) => {
                self.open(sagas, &request).into_text()
            }
            Ok(Message::Request(request)) => {
                self.start(sagas.clone(), request);
                None
            }
            Ok(Message::Notification(notification)) => {
                self.cancel(&notification);
                None
            }
            Ok(Message::Response(response)) if self.session.is_some() => {
                self.waiting.hear(response);
                None
            }
            Ok(Message::Response(_)) => Reply::response_refused().into_text(),
            Err(Malformed { id, fault }) => Reply::fault(id.as_ref(), fault).into_text(),
        }
    }

    /// The client sends nothing any more, nor answers.
    pub(super) fn close(&self) {
        self.waiting.close();
    }

    /// At once, so that what the client sends next is in the session.
    fn open(&mut self, sagas: &Sagas, request: &Request) -> Reply {
        match Session::open(sagas, &request.params) {
            Ok((session, result)) => {
                self.session = Some(session);
                Reply::result(&request.id, result)
            }
            Err(fault) => Reply::fault(Some(&request.id), fault),
        }
    }

    pub(super) fn start(&mut self, sagas: Sagas, request: Request) {
        let id = request.id.clone();
        let reporter = self.reporter(&request);
        let session = self.session.clone().filter(|_| meta::version(&request.params).is_none());
        let connection = self.connection.clone();
        let answer = async move {
            let caller = sagas.caller(&RequestFacts::default());
            match session {
                Some(session) => session.answer(&sagas, &connection, request, caller, reporter).await,
                None => sagas.answer(Message::Request(request), caller, reporter).await,
            }
        };
        let task = self.tasks.spawn(answer);
        self.wanted.insert(task.id(), (id, task));
    }

    /// Where the progress of this request goes: to its client, among the replies.
    fn reporter(&self, request: &Request) -> Reporter {
        let Some(token) = progress::token(request) else { return Reporter::none() };
        let (tell, id) = (self.tell.clone(), request.id.clone());
        Reporter::new(move |progress| {
            drop(tell.try_send((id.clone(), progress::notification(&token, progress))));
        })
    }

    /// A client that cancels a request waits for it no longer. Whether the notification was of one that ran here.
    pub(super) fn cancel(&mut self, notification: &Notification) -> bool {
        if notification.method != "notifications/cancelled" {
            return false;
        }
        let cancelled = notification.params.request_id.clone().and_then(Id::read);
        let Some(cancelled) = cancelled else { return false };
        let ran = self.wanted.len();
        self.wanted.retain(|_, (id, task)| {
            if *id == cancelled {
                task.abort();
            }
            *id != cancelled
        });
        self.wanted.len() < ran
    }

    /// What is to be written next; `None` where nobody waits for it. May be dropped at any time and loses nothing.
    pub(super) async fn next(&mut self) -> Option<String> {
        if self.ready.is_empty() {
            tokio::select! {
                Some((id, notification)) = self.told.recv() => self.tell(&id, notification),
                Some(message) = self.said.recv() => self.ready.push_back(message),
                Some(ended) = self.tasks.join_next_with_id() => self.end(ended),
            }
        }
        self.ready.pop_front()
    }

    fn tell(&mut self, id: &Id, notification: String) {
        if self.wanted.values().any(|(wanted, _)| wanted == id) {
            self.ready.push_back(notification);
        }
    }

    /// A request has ended: its reply comes after all that it said before.
    fn end(&mut self, ended: Result<(task::Id, Reply), JoinError>) {
        while let Ok(message) = self.said.try_recv() {
            self.ready.push_back(message);
        }
        while let Ok((id, notification)) = self.told.try_recv() {
            self.tell(&id, notification);
        }
        let task = ended.as_ref().map_or_else(JoinError::id, |(task, _)| *task);
        let Some((id, _)) = self.wanted.remove(&task) else { return };
        let reply = if let Ok((_, reply)) = ended {
            reply
        } else {
            tracing::error!("a request's task failed; this is a bug in saga-runtime");
            Reply::fault(Some(&id), Fault::internal())
        };
        self.ready.extend(reply.into_text());
    }
}

fn opens_session(sagas: &Sagas, request: &Request) -> bool {
    let is_older = meta::version(&request.params).is_none();
    request.method == session::INITIALIZE && is_older && sagas.dialects().have_sessions()
}
