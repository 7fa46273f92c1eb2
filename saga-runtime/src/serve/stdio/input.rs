//! Standard input, read by a thread that nobody waits for. A read cannot be called off: a runtime that has one under
//! way, as tokio's own does it, would wait at its end until the client writes again or goes.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

/// How much is read at once. What comes after it waits in the client's pipe.
const CHUNK: usize = 8 * 1024;

/// The standard input of this process; what it has read is lost to the next one of these.
pub(crate) struct Input {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// What is left of a chunk.
    rest: io::Cursor<Vec<u8>>,
}

impl Input {
    /// # Errors
    ///
    /// The system has no thread left.
    pub(crate) fn open() -> io::Result<Self> {
        let (tell, chunks) = mpsc::channel(1);
        thread::Builder::new().name("stdin".to_owned()).spawn(move || read(io::stdin().lock(), &tell))?;
        Ok(Self { chunks, rest: io::Cursor::default() })
    }
}

/// Reads until the end, an error, or nobody is there to be told.
fn read(mut input: impl Read, tell: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = match input.read(&mut chunk) {
            Ok(0) => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_over = read.is_err();
        chunk.truncate(read.as_ref().copied().unwrap_or_default());
        if tell.blocking_send(read.map(|_| chunk)).is_err() || is_over {
            return;
        }
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { chunks, rest } = &mut *self;
        if rest.position() == rest.get_ref().len() as u64 {
            match ready!(chunks.poll_recv(context)) {
                Some(chunk) => *rest = io::Cursor::new(chunk?),
                None => return Poll::Ready(Ok(())),
            }
        }
        Pin::new(rest).poll_read(context, into)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    /// Gives what it has, three bytes at a time and interrupted before each, and then an error.
    struct Slow(&'static [u8], bool);

    impl Read for Slow {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            match self {
                Self(_, true) => Err(io::ErrorKind::Interrupted.into()),
                Self([], false) => Err(io::ErrorKind::ConnectionReset.into()),
                Self(bytes, false) => Read::read(bytes, &mut into[..3]),
            }
        }
    }

    fn input(source: impl Read + Send + 'static) -> Input {
        let (tell, chunks) = mpsc::channel(1);
        thread::spawn(move || read(source, &tell));
        Input { chunks, rest: io::Cursor::default() }
    }

    #[tokio::test]
    async fn all_is_read_in_order_and_then_the_error() {
        let mut read = Vec::new();
        let mut slow = input(Slow(b"a line\nand one more", false));
        let error = slow.read_to_end(&mut read).await.map_err(|error| error.kind());
        assert_eq!(
            (read.as_slice(), error),
            (&b"a line\nand one more"[..], Err(io::ErrorKind::ConnectionReset))
        );
    }

    #[tokio::test]
    async fn a_large_input_ends() {
        let large: &'static [u8] = Box::leak(vec![7; 3 * CHUNK + 5].into_boxed_slice());
        let mut read = Vec::new();
        assert_eq!(input(large).read_to_end(&mut read).await.ok(), Some(large.len()));
        assert_eq!(read, large);
    }
}
