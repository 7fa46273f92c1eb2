//! Servers of others that some tests need: started on loopback at a free port, gone with the test. A machine without
//! them passes these tests by leaving them out, and says so.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A Redis of the test's own.
#[derive(Debug)]
pub struct Redis {
    child: Option<Child>,
    port: u16,
    /// Where it writes down all that it knows.
    directory: Option<PathBuf>,
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
        let mut redis = Self { child: None, port: free_port(), directory: None };
        redis.restart();
        Some(redis)
    }

    /// Starts one that keeps what it knows in this directory, which it makes.
    ///
    /// # Panics
    ///
    /// If it does not start.
    #[must_use]
    pub fn durable(directory: &Path) -> Self {
        std::fs::create_dir_all(directory).expect("a directory");
        let mut redis = Self { child: None, port: free_port(), directory: Some(directory.to_owned()) };
        redis.restart();
        redis
    }

    /// Makes it a cluster of one node, which has all slots.
    ///
    /// # Panics
    ///
    /// If it does not become one.
    #[must_use]
    pub fn cluster(test: &str, directory: &Path) -> Option<Self> {
        if !is_installed("redis-server", test) {
            return None;
        }
        std::fs::create_dir_all(directory).expect("a directory");
        let mut redis = Self { child: None, port: free_port(), directory: None };
        let mut command = Command::new("redis-server");
        command.args(["--port", &redis.port.to_string(), "--bind", "127.0.0.1", "--save", "", "--dir"]);
        // The nodes' own port is 10,000 above, unless it is said.
        command.arg(directory).args(["--cluster-enabled", "yes", "--cluster-port", &free_port().to_string()]);
        redis.child = Some(command.stdout(Stdio::null()).spawn().expect("redis-server starts"));
        redis.wait();
        let _ = redis.command("CLUSTER ADDSLOTSRANGE 0 16383");
        let start = Instant::now();
        while !redis.command("CLUSTER INFO").contains("cluster_state:ok") {
            assert!(start.elapsed() < Duration::from_secs(30), "no cluster");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(redis)
    }

    /// Starts it again at the same port, with nothing in it unless it is durable.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn restart(&mut self) {
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        match &self.directory {
            None => command.args(["--appendonly", "no"]),
            Some(directory) => {
                command.args(["--appendonly", "yes", "--appendfsync", "always", "--dir"]).arg(directory)
            }
        };
        self.child = Some(command.stdout(Stdio::null()).spawn().expect("redis-server starts"));
        self.wait();
    }

    fn wait(&self) {
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

/// An nginx of the test's own, which hands requests to servers in turn.
#[derive(Debug)]
pub struct Nginx {
    child: Child,
    port: u16,
}

impl Nginx {
    /// Starts one in front of the servers at these ports, with its files in this directory, which it makes.
    ///
    /// # Panics
    ///
    /// If it does not start.
    #[must_use]
    pub fn in_front_of(ports: &[u16], directory: &Path) -> Self {
        std::fs::create_dir_all(directory).expect("a directory");
        let port = free_port();
        let config = directory.join("nginx.conf");
        std::fs::write(&config, configuration(ports, port, directory)).expect("a file");
        let child = Command::new("nginx").arg("-p").arg(directory).arg("-c").arg(&config).spawn();
        let nginx = Self { child: child.expect("nginx starts"), port };
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(30), "nginx does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        nginx
    }

    /// Where it listens.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One process, which needs no rights and leaves nothing outside of its directory.
fn configuration(ports: &[u16], port: u16, directory: &Path) -> String {
    let directory = directory.display();
    let servers: Vec<_> = ports.iter().map(|port| format!("server 127.0.0.1:{port} max_fails=0;")).collect();
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let paths = paths.map(|path| format!("{path}_temp_path {directory}/{path};")).join(" ");
    let servers = servers.join(" ");
    format!(
        "daemon off; master_process off; pid {directory}/pid; error_log {directory}/error.log;
         events {{ worker_connections 4096; }}
         http {{
             access_log off; {paths}
             client_max_body_size 8m;
             upstream sagas {{ {servers} }}
             server {{
                 listen 127.0.0.1:{port};
                 location / {{ proxy_pass http://sagas; proxy_http_version 1.1; proxy_set_header Host $host; }}
             }}
         }}"
    )
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
