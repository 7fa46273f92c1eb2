//! MCP on standard input and output: one message is one line. Requests run side by side, so that a slow tool holds
//! up no other; a reply is written when it is there, and nothing else is ever written.

use std::collections::HashMap;
use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::task::{self, AbortHandle, JoinError, JoinSet};

use super::LARGEST_MESSAGE;
use crate::dialect::json_rpc::{Id, Malformed, Message, Notification, Request};
use crate::dialect::{Fault, Reply};
use crate::sagas::{RequestFacts, Sagas};

/// How many requests run side by side; the next ones wait in the client's pipe.
const MOST_RUNNING: usize = 256;

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
        let reply = tokio::select! {
            line = lines.next(), if is_open && running.has_room() => match line? {
                Some(Line::Whole(line)) => running.take(&sagas, &line),
                Some(Line::TooLong) => {
                    let what = format!("the message is larger than {LARGEST_MESSAGE} bytes");
                    Some(Reply::fault(None, Fault::not_a_request(&what)))
                }
                None => {
                    is_open = false;
                    None
                }
            },
            reply = running.next(), if !running.is_empty() => reply,
        };
        if let Some(body) = reply.and_then(Reply::into_body) {
            let mut line = body.to_string().into_bytes();
            line.push(b'\n');
            output.write_all(&line).await?;
            output.flush().await?;
        }
    }
    Ok(())
}

/// The requests that run.
#[derive(Default)]
struct Running {
    tasks: JoinSet<Reply>,
    /// Those whose reply somebody waits for.
    wanted: HashMap<task::Id, (Id, AbortHandle)>,
}

impl Running {
    fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    fn has_room(&self) -> bool {
        self.tasks.len() < MOST_RUNNING
    }

    /// Takes a message in; the reply is there at once if there is nothing to run.
    fn take(&mut self, sagas: &Sagas, line: &[u8]) -> Option<Reply> {
        match Message::parse(line) {
            Ok(Message::Request(request)) => {
                self.start(sagas.clone(), request);
                None
            }
            Ok(Message::Notification(notification)) => {
                self.notice(notification);
                None
            }
            Err(Malformed { id, fault }) => Some(Reply::fault(id.as_ref(), fault)),
        }
    }

    fn start(&mut self, sagas: Sagas, request: Request) {
        let id = request.id.clone();
        let answer = async move { sagas.answer(Message::Request(request), &RequestFacts::default()).await };
        let task = self.tasks.spawn(answer);
        self.wanted.insert(task.id(), (id, task));
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

    /// The next reply; `None` for a request that nobody waits for.
    async fn next(&mut self) -> Option<Reply> {
        let ended = self.tasks.join_next_with_id().await?;
        let task = ended.as_ref().map_or_else(JoinError::id, |(task, _)| *task);
        let (id, _) = self.wanted.remove(&task)?;
        let reply = ended.map(|(_, reply)| reply);
        Some(reply.unwrap_or_else(|_| {
            tracing::error!("a request's task failed; this is a bug in saga-runtime");
            Reply::fault(Some(&id), Fault::internal())
        }))
    }
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
