//! Servers of others that some tests need: started on loopback at a free port, gone with the test. A machine without
//! them passes these tests by leaving them out, and says so.

mod redis;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use self::redis::Redis;

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
