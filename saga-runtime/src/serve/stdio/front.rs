//! In front of another MCP server on the same standard input and output: a request that names a saga in a dialect of
//! ours is answered here, and everything else is passed on, line by line as it came.

use std::collections::VecDeque;
use std::io;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};

use super::{LARGEST_MESSAGE, Line, Lines, Running, too_long, write};
use crate::dialect::json_rpc::Message;
use crate::dialect::{discovery, meta, session};
use crate::sagas::Sagas;

/// How much may wait in either direction between the two servers.
const PIPE: usize = 64 * 1024;

/// Serves the client that writes into `input`, until it ends, in front of another MCP server, which gets the other end
/// of a pipe: it goes on serving older revisions, its own tools and the lists. Gives what that one gave when it ended.
///
/// Its lists should have the sagas in them, and its capabilities what the sagas announce. With the feature `rmcp`
/// there is [`Sagas::serve_stdio_in_front_of`] for rmcp's.
///
/// # Errors
///
/// Input or output fails.
pub async fn serve_in_front_of<F: Future>(
    sagas: Sagas,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
    other: impl FnOnce(DuplexStream) -> F,
) -> io::Result<F::Output> {
    let (here, there) = tokio::io::duplex(PIPE);
    let (served, ended) = tokio::join!(Front::of(sagas, here).serve(input, output), other(there));
    served.map(|()| ended)
}

struct Front {
    sagas: Sagas,
    /// What is answered here.
    running: Running,
    other: WriteHalf<DuplexStream>,
    others: Lines<ReadHalf<DuplexStream>>,
    /// The rest of what is passed on.
    passing: VecDeque<u8>,
    /// A client of an older revision has opened a session with the other server.
    in_session: bool,
    /// The other server was asked for more than what it is, in a revision that it was told.
    is_in_use: bool,
}

impl Front {
    fn of(sagas: Sagas, other: DuplexStream) -> Self {
        let (others, other) = tokio::io::split(other);
        // It is no stranger: what it says may have any length.
        let others = Lines::of(others, usize::MAX);
        let (running, passing) = (Running::default(), VecDeque::new());
        Self { sagas, running, other, others, passing, in_session: false, is_in_use: false }
    }

    async fn serve(
        mut self,
        input: impl AsyncRead + Unpin,
        mut output: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        let mut lines = Lines::of(input, LARGEST_MESSAGE);
        let (mut is_open, mut is_there) = (true, true);
        while is_there || !self.running.is_empty() {
            let has_room = self.passing.is_empty() && self.running.has_room();
            let line = tokio::select! {
                line = lines.next(), if is_open && is_there && has_room => match line? {
                    Some(Line::Whole(line)) => {
                        self.take(line);
                        None
                    }
                    Some(Line::TooLong) => too_long().map(String::into_bytes),
                    None => {
                        is_open = false;
                        self.other.shutdown().await?;
                        None
                    }
                },
                // One that is gone is noticed where it is read.
                _ = self.other.write_buf(&mut self.passing), if is_there && !self.passing.is_empty() => None,
                line = self.others.next(), if is_there => match line? {
                    Some(Line::Whole(line)) => Some(line),
                    Some(Line::TooLong) => None,
                    None => {
                        is_there = false;
                        None
                    }
                },
                message = self.running.next(), if !self.running.is_empty() => message.map(String::into_bytes),
            };
            if let Some(line) = line {
                write(&mut output, line).await?;
            }
        }
        Ok(())
    }

    fn take(&mut self, mut line: Vec<u8>) {
        match Message::parse(&line) {
            Ok(Message::Request(request)) if self.sagas.takes(&request, self.in_session) => {
                return self.running.start(self.sagas.clone(), request);
            }
            Ok(Message::Request(request)) => {
                let is_older = meta::version(&request.params).is_none();
                let opens = is_older && request.method == session::INITIALIZE;
                self.in_session |= opens;
                // What names no revision and opens no session is refused there, and it waits on.
                let is_probe = matches!(request.method.as_str(), discovery::DISCOVER | "ping");
                self.is_in_use |= opens || !(is_older || is_probe);
            }
            Ok(Message::Notification(notification)) if self.running.cancel(&notification) => return,
            // It may be about a request that was answered here; rmcp ends at one that comes first.
            Ok(Message::Notification(_) | Message::Response(_)) if !self.is_in_use => return,
            _ => {}
        }
        line.push(b'\n');
        self.passing = line.into();
    }
}
