//! Messages as lines.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Lines, of which no more is kept than a message may have.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    largest: usize,
    line: Vec<u8>,
    /// The rest of the line is of one that was too long.
    is_skipping: bool,
}

pub(super) enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most so many bytes.
    pub(super) fn of(input: R, largest: usize) -> Self {
        Self { input: BufReader::new(input), largest, line: Vec::new(), is_skipping: false }
    }

    /// The next line that is not blank; `None` at the end. May be dropped at any time and loses nothing.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let is_last = available.is_empty();
            let is_too_long = !self.is_skipping && self.line.len() + part.len() > self.largest;
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
