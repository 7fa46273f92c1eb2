//! MCP on standard input and output: one message is one line. Requests run side by side, so that a slow tool holds
//! up no other; a reply is written when it is there, the request's progress before it. A client of an older revision
//! opens a session with `initialize`: then its calls may send it requests, too.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::{self, AbortHandle, JoinError, JoinSet};

use super::LARGEST_MESSAGE;
use super::connection::{Connection, Waiting};
use crate::dialect::json_rpc::{Id, Malformed, Message, Notification, Request};
use crate::dialect::session::{self, Session};
use crate::dialect::{Fault, Reply, meta, progress};
use crate::progress::Reporter;
use crate::sagas::{RequestFacts, Sagas};

/// How many requests run side by side; the next ones wait in the client's pipe.
const MOST_RUNNING: usize = 256;

/// How much progress waits for a client that reads slowly. What comes beyond it is left out: the next one says more.
const MOST_PROGRESS: usize = 256;

impl Sagas {
    /// Serves on standard input and output until the client closes the former.
    ///
    /// # Errors
    ///
    /// Input or output fails.
    pub async fn serve_stdio(&self) -> io::Result<()> {
        serve(self.clone(), tokio::io::stdin(), tokio::io::stdout()).await
    }
}

/// Serves the client that writes into `input`, until it ends; the requests that run then are answered.
///
/// The runtime must have its timer: a client's answer is waited for so long and no longer.
///
/// # Errors
///
/// Input or output fails.
pub async fn serve(
    sagas: Sagas,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut lines = Lines::of(input);
    let mut running = Running::default();
    let mut is_open = true;
    while is_open || !running.is_empty() {
        let message = tokio::select! {
            line = lines.next(), if is_open && running.has_room() => match line? {
                Some(Line::Whole(line)) => running.take(&sagas, &line),
                Some(Line::TooLong) => {
                    let what = format!("the message is larger than {LARGEST_MESSAGE} bytes");
                    Reply::fault(None, Fault::not_a_request(&what)).into_body()
                }
                None => {
                    is_open = false;
                    running.waiting.close();
                    None
                }
            },
            message = running.next(), if !running.is_empty() => message,
        };
        if let Some(message) = message {
            let mut line = serde_json::to_vec(&message).unwrap_or_default();
            line.push(b'\n');
            output.write_all(&line).await?;
            output.flush().await?;
        }
    }
    Ok(())
}

/// The requests that run.
struct Running {
    tasks: JoinSet<Reply>,
    /// Those whose reply somebody waits for.
    wanted: HashMap<task::Id, (Id, AbortHandle)>,
    /// The progress of each.
    tell: mpsc::Sender<(Id, Value)>,
    told: mpsc::Receiver<(Id, Value)>,
    connection: Connection,
    /// The requests to the client.
    waiting: Waiting,
    /// What the sessions' calls say.
    said: mpsc::UnboundedReceiver<Value>,
    session: Option<Session>,
    /// What is written next.
    ready: VecDeque<Value>,
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
    fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.ready.is_empty()
    }

    fn has_room(&self) -> bool {
        // A call that waits for the client's answer holds up nobody, least of all that answer.
        self.tasks.len() < MOST_RUNNING + self.waiting.asked()
    }

    /// Takes a message in; the reply is there at once if there is nothing to run.
    fn take(&mut self, sagas: &Sagas, line: &[u8]) -> Option<Value> {
        match Message::parse(line) {
            Ok(Message::Request(request)) if opens_session(sagas, &request) => {
                self.open(sagas, &request).into_body()
            }
            Ok(Message::Request(request)) => {
                self.start(sagas.clone(), request);
                None
            }
            Ok(Message::Notification(notification)) => {
                self.notice(notification);
                None
            }
            Ok(Message::Response(response)) if self.session.is_some() => {
                self.waiting.hear(response);
                None
            }
            Ok(Message::Response(_)) => Reply::response_refused().into_body(),
            Err(Malformed { id, fault }) => Reply::fault(id.as_ref(), fault).into_body(),
        }
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

    fn start(&mut self, sagas: Sagas, request: Request) {
        let id = request.id.clone();
        let reporter = self.reporter(&request);
        let session = self.session.clone().filter(|_| meta::version(&request.params).is_none());
        let connection = self.connection.clone();
        let answer = async move {
            let facts = RequestFacts::default();
            match session {
                Some(session) => session.answer(&sagas, &connection, request, &facts, reporter).await,
                None => sagas.answer(Message::Request(request), &facts, reporter).await,
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

    /// A client that cancels a request waits for it no longer.
    fn notice(&mut self, mut notification: Notification) {
        if notification.method != "notifications/cancelled" {
            return;
        }
        let Some(cancelled) = notification.params.remove("requestId").and_then(Id::read) else { return };
        self.wanted.retain(|_, (id, task)| {
            if *id == cancelled {
                task.abort();
            }
            *id != cancelled
        });
    }

    /// What is to be written next; `None` where nobody waits for it. May be dropped at any time and loses nothing.
    async fn next(&mut self) -> Option<Value> {
        if self.ready.is_empty() {
            tokio::select! {
                Some((id, notification)) = self.told.recv() => self.tell(&id, notification),
                Some(message) = self.said.recv() => self.ready.push_back(message),
                Some(ended) = self.tasks.join_next_with_id() => self.end(ended),
            }
        }
        self.ready.pop_front()
    }

    fn tell(&mut self, id: &Id, notification: Value) {
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
        self.ready.extend(reply.into_body());
    }
}

fn opens_session(sagas: &Sagas, request: &Request) -> bool {
    let is_older = meta::version(&request.params).is_none();
    request.method == session::INITIALIZE && is_older && sagas.dialects().have_sessions()
}

/// Lines of untrusted input, of which no more is kept than a message may have.
struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The rest of the line is of one that was too long.
    is_skipping: bool,
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    fn of(input: R) -> Self {
        Self { input: BufReader::new(input), line: Vec::new(), is_skipping: false }
    }

    /// The next line that is not blank; `None` at the end. May be dropped at any time and loses nothing.
    async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let is_last = available.is_empty();
            let is_too_long = !self.is_skipping && self.line.len() + part.len() > LARGEST_MESSAGE;
            if !self.is_skipping && !is_too_long {
                self.line.extend_from_slice(part);
            }
            let consumed = part.len() + usize::from(end.is_some());
            self.input.consume(consumed);
            if is_too_long {
                self.line = Vec::new();
                self.is_skipping = end.is_none();
                return Ok(Some(Line::TooLong));
            }
            if end.is_none() && !is_last {
                continue;
            }
            self.is_skipping = false;
            let line = std::mem::take(&mut self.line);
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Line::Whole(line)));
            }
            if is_last {
                return Ok(None);
            }
        }
    }
}
