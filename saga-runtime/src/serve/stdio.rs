//! MCP on standard input and output: one message is one line. Requests run side by side, so that a slow tool holds
//! up no other; a reply is written when it is there, the request's progress before it. A client of an older revision
//! opens a session with `initialize`: then its calls may send it requests, too.

mod front;
mod running;

mod input;
mod lines;

use std::io;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

pub use self::front::serve_in_front_of;
pub(crate) use self::input::Input;
use self::lines::{Line, Lines};
use self::running::Running;
use super::LARGEST_MESSAGE;
use crate::dialect::{Fault, Reply};
use crate::sagas::Sagas;

impl Sagas {
    /// Serves on standard input and output until the client closes the former.
    ///
    /// # Errors
    ///
    /// Input or output fails; the latter also where the client closes it and goes on writing.
    pub async fn serve_stdio(&self) -> io::Result<()> {
        serve(self.clone(), Input::open()?, tokio::io::stdout()).await
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
    let mut lines = Lines::of(input, LARGEST_MESSAGE);
    let mut running = Running::default();
    let mut is_open = true;
    while is_open || !running.is_empty() {
        let message = tokio::select! {
            line = lines.next(), if is_open && running.has_room() => match line? {
                Some(Line::Whole(line)) => running.take(&sagas, &line),
                Some(Line::TooLong) => too_long(),
                None => {
                    is_open = false;
                    running.close();
                    None
                }
            },
            message = running.next(), if !running.is_empty() => message,
        };
        if let Some(message) = message {
            write(&mut output, message.into_bytes()).await?;
        }
    }
    Ok(())
}

fn too_long() -> Option<String> {
    let what = format!("the message is larger than {LARGEST_MESSAGE} bytes");
    Reply::fault(None, Fault::not_a_request(&what)).into_text()
}

async fn write(mut output: impl AsyncWrite + Unpin, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    output.write_all(&line).await?;
    output.flush().await
}
