//! Servers of others that some tests need: started on loopback at a free port, gone with the test. A machine without
//! them passes these tests by leaving them out, and says so.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A Redis of the test's own.
#[derive(Debug)]
pub struct Redis {
    child: Option<Child>,
    port: u16,
}

impl Redis {
    /// Starts one; `None`, and a line in the output, where it is not installed.
    ///
    /// # Panics
    ///
    /// If it is installed and does not start.
    #[must_use]
    pub fn start(test: &str) -> Option<Self> {
        if !is_installed("redis-server", test) {
            return None;
        }
        let mut redis = Self { child: None, port: free_port() };
        redis.restart();
        Some(redis)
    }

    /// Starts it again at the same port, with nothing in it.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn restart(&mut self) {
        let child = Command::new("redis-server")
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .spawn();
        self.child = Some(child.expect("redis-server starts"));
        let start = Instant::now();
        while !self.answers() {
            assert!(start.elapsed() < Duration::from_secs(30), "redis-server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills it.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may be gone already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Its reply to a command without spaces in its arguments, as the protocol writes it.
    ///
    /// # Panics
    ///
    /// If it does not reply.
    #[must_use]
    pub fn command(&self, command: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a connection");
        stream.write_all(format!("{command}\r\nQUIT\r\n").as_bytes()).expect("a connection");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        reply.trim_end().strip_suffix("+OK").unwrap_or(&reply).to_owned()
    }

    fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) else { return false };
        let mut pong = [0; 5];
        stream.write_all(b"PING\r\n").is_ok() && stream.read_exact(&mut pong).is_ok() && &pong == b"+PONG"
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Whether the program is there; if not, says which test was left out.
#[must_use]
pub fn is_installed(program: &str, test: &str) -> bool {
    let is_there =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if is_there.is_err() {
        // Past the capture of the test runner, which would keep it to itself.
        let line = format!("left to .ci/run: {test} ({program} is not installed here)\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    is_there.is_ok()
}

/// A port on loopback that nobody listens at now.
///
/// # Panics
///
/// If there is none.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    listener.as_ref().map(SocketAddr::port).expect("a free port")
}
