//! A client that does as little as it can beside sending and waiting, so that what is measured is the server.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::script::{Asked, Script};

/// What the driver saw.
#[derive(Default)]
pub struct Driven {
    /// Sagas that came to their end.
    pub sagas: u64,
    /// How long each request took.
    pub latencies: Vec<Duration>,
    pub took: Duration,
    /// Bytes that were sent and received, with their heads.
    pub sent: u64,
    pub received: u64,
    /// The length of each state of the last saga.
    pub states: Vec<usize>,
}

/// Goes through sagas on so many connections, for so long.
pub async fn drive(
    address: SocketAddr,
    script: &Arc<Script>,
    connections: usize,
    time: Duration,
) -> io::Result<Driven> {
    let mut all = JoinSet::new();
    let start = Instant::now();
    for _ in 0..connections {
        let script = Arc::clone(script);
        all.spawn(async move {
            let mut connection = Connection::open(address).await?;
            while start.elapsed() < time {
                connection.saga(&script).await?;
            }
            io::Result::Ok(connection.driven)
        });
    }
    let mut sum = Driven::default();
    while let Some(driven) = all.join_next().await {
        let driven = driven.map_err(io::Error::other)??;
        sum.sagas += driven.sagas;
        sum.latencies.extend(driven.latencies);
        sum.sent += driven.sent;
        sum.received += driven.received;
        sum.states = driven.states;
    }
    sum.took = start.elapsed();
    Ok(sum)
}

/// One keep-alive connection.
pub struct Connection {
    stream: TcpStream,
    request: Vec<u8>,
    reply: Vec<u8>,
    pub driven: Driven,
}

/// In the place of a state where a server gives none, which is the echo.
const NO_STATE: &str = match str::from_utf8(&[b'A'; 340]) {
    Ok(text) => text,
    Err(_) => "",
};

impl Connection {
    pub async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, request: Vec::new(), reply: Vec::new(), driven: Driven::default() })
    }

    /// Goes through one saga; its last request is repeated for as long as it asks.
    pub async fn saga(&mut self, script: &Script) -> io::Result<()> {
        self.driven.states.clear();
        let mut body = 0..0;
        for step in 0.. {
            let asked = asked(&self.reply[body]);
            let is_over = step >= script.requests() && (asked.is_none() || !script.repeats);
            if is_over {
                break;
            }
            if let Some(asked) = &asked {
                self.driven.states.push(asked.state.len());
            }
            let asked = asked.unwrap_or(Asked { state: NO_STATE, key: "" });
            script.write(step, &asked, &mut self.request);
            let start = Instant::now();
            self.stream.write_all(&self.request).await?;
            body = self.receive().await?;
            self.driven.latencies.push(start.elapsed());
            self.driven.sent += self.request.len() as u64;
            self.driven.received += self.reply.len() as u64;
        }
        self.driven.sagas += 1;
        Ok(())
    }

    /// Starts a saga and lets it wait; its state.
    pub async fn first(&mut self, script: &Script) -> io::Result<String> {
        script.write(0, &Asked { state: "", key: "" }, &mut self.request);
        self.stream.write_all(&self.request).await?;
        let body = self.receive().await?;
        asked(&self.reply[body])
            .map(|asked| asked.state.to_owned())
            .ok_or_else(|| io::Error::other("the tool does not ask"))
    }

    /// The last reply's body must have this in it.
    pub fn expect(&self, text: &str) -> io::Result<()> {
        match memmem::find(&self.reply, text.as_bytes()) {
            Some(_) => Ok(()),
            None => Err(io::Error::other(format!(
                "not the expected reply: {}",
                String::from_utf8_lossy(&self.reply)
            ))),
        }
    }

    /// Reads one reply; where its body stands in the buffer.
    async fn receive(&mut self) -> io::Result<std::ops::Range<usize>> {
        self.reply.clear();
        loop {
            if self.stream.read_buf(&mut self.reply).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let Some(head) = memmem::find(&self.reply, b"\r\n\r\n") else { continue };
            let head = head + 4;
            let length = content_length(&self.reply[..head])?;
            self.reply.reserve((head + length).saturating_sub(self.reply.len()));
            while self.reply.len() < head + length {
                if self.stream.read_buf(&mut self.reply).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            return Ok(head..head + length);
        }
    }
}

fn content_length(head: &[u8]) -> io::Result<usize> {
    let head = str::from_utf8(head).map_err(io::Error::other)?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(io::Error::other(format!("refused: {head}")));
    }
    let mut headers = head.lines().filter_map(|line| line.split_once(':'));
    let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    length
        .and_then(|(_, length)| length.trim().parse().ok())
        .ok_or_else(|| io::Error::other(format!("a reply without a length: {head}")))
}

/// The state in a reply, and the key of what is asked; no text that it searches for stands in a token or needs escapes.
fn asked(reply: &[u8]) -> Option<Asked<'_>> {
    Some(Asked {
        state: text_after(reply, b"\"requestState\":\"")?,
        key: text_after(reply, b"\"inputRequests\":{\"").unwrap_or_default(),
    })
}

fn text_after<'a>(reply: &'a [u8], start: &[u8]) -> Option<&'a str> {
    let rest = &reply[memmem::find(reply, start)? + start.len()..];
    str::from_utf8(&rest[..memchr::memchr(b'"', rest)?]).ok()
}
