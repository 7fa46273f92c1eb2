//! A Redis of the test's own, or several that are one cluster.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{free_port, is_installed};

/// A Redis of the test's own.
#[derive(Debug)]
pub struct Redis {
    child: Option<Child>,
    port: u16,
    /// Where it speaks TLS.
    secured: Option<u16>,
    /// Where its cluster's nodes find it.
    bus: Option<u16>,
    arguments: Vec<String>,
}

impl Redis {
    /// Starts one; `None`, and a line in the output, where it is not installed.
    ///
    /// # Panics
    ///
    /// If it is installed and does not start.
    #[must_use]
    pub fn start(test: &str) -> Option<Self> {
        is_installed("redis-server", test)
            .then(|| Self::with(&["--save", "", "--appendonly", "no"]).started())
    }

    /// Starts one that keeps what it knows in this directory, which it makes.
    ///
    /// # Panics
    ///
    /// If it does not start.
    #[must_use]
    pub fn durable(directory: &Path) -> Self {
        std::fs::create_dir_all(directory).expect("a directory");
        Self::with(&["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--dir"])
            .and(directory)
            .started()
    }

    /// Starts one that speaks TLS too, with `cert.pem` and `key.pem` of this directory, to clients that show a
    /// certificate of `ca.pem`.
    ///
    /// # Panics
    ///
    /// If it is installed and does not start.
    #[must_use]
    pub fn secured(test: &str, certificates: &Path) -> Option<Self> {
        let redis = || Self::with(&["--save", ""]).with_tls(certificates).started();
        is_installed("redis-server", test).then(redis)
    }

    /// Starts three that are one cluster, without replicas, with their files in this directory; they speak TLS, too, as
    /// [`secured`](Self::secured) does.
    ///
    /// # Panics
    ///
    /// If they are installed and become no cluster.
    #[must_use]
    pub fn cluster(test: &str, directory: &Path) -> Option<[Self; 3]> {
        if !is_installed("redis-server", test) {
            return None;
        }
        let nodes = [0, 1, 2].map(|node| {
            let files = directory.join(node.to_string());
            std::fs::create_dir_all(&files).expect("a directory");
            Self::node(&files).with_tls(directory).started()
        });
        for (number, (node, slots)) in nodes.iter().zip(["0 5461", "5462 10922", "10923 16383"]).enumerate() {
            let _ = node.command(&format!("CLUSTER ADDSLOTSRANGE {slots}"));
            // Otherwise they find out by themselves, later, who of them is right.
            let _ = node.command(&format!("CLUSTER SET-CONFIG-EPOCH {}", number + 1));
            let (port, bus) = (nodes[0].port, nodes[0].bus.expect("a node"));
            let _ = node.command(&format!("CLUSTER MEET 127.0.0.1 {port} {bus}"));
        }
        let start = Instant::now();
        let knows_all = |node: &Self| {
            let state = node.command("CLUSTER INFO");
            state.contains("cluster_state:ok") && state.contains("cluster_size:3")
        };
        while !nodes.iter().all(knows_all) {
            assert!(start.elapsed() < Duration::from_secs(30), "no cluster");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(nodes)
    }

    /// A node that goes on without the others.
    fn node(files: &Path) -> Self {
        let settings =
            "--cluster-require-full-coverage no --cluster-node-timeout 2000 --tls-cluster yes".split(' ');
        let mut node = Self::with(&["--save", "", "--cluster-enabled", "yes"]);
        node.arguments.extend(settings.map(str::to_owned));
        node.arguments.push("--dir".to_owned());
        node.bus = Some(free_port());
        node.and(files)
    }

    fn with(arguments: &[&str]) -> Self {
        let (arguments, port) = (arguments.iter().map(|one| (*one).to_owned()).collect(), free_port());
        Self { child: None, port, secured: None, bus: None, arguments }
    }

    fn and(mut self, path: &Path) -> Self {
        self.arguments.push(path.display().to_string());
        self
    }

    fn with_tls(mut self, certificates: &Path) -> Self {
        self.secured = Some(free_port());
        for (name, file) in
            [("--tls-cert-file", "cert.pem"), ("--tls-key-file", "key.pem"), ("--tls-ca-cert-file", "ca.pem")]
        {
            self.arguments.push(name.to_owned());
            self = self.and(&certificates.join(file));
        }
        self
    }

    /// Somebody else may have taken a port since it was free.
    fn started(mut self) -> Self {
        for _ in 0..10 {
            if self.try_start() {
                return self;
            }
            self.port = free_port();
            self.bus = self.bus.map(|_| free_port());
            self.secured = self.secured.map(|_| free_port());
        }
        panic!("redis-server does not start");
    }

    /// Starts it again at the same ports, with nothing in it unless it is durable.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn restart(&mut self) {
        assert!(self.try_start(), "redis-server does not start");
    }

    /// Whether it runs, and is the one that answers.
    fn try_start(&mut self) -> bool {
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"]).args(&self.arguments);
        for (name, port) in [("--cluster-port", self.bus), ("--tls-port", self.secured)] {
            if let Some(port) = port {
                command.args([name, &port.to_string()]);
            }
        }
        let child = self.child.insert(command.stdout(Stdio::null()).spawn().expect("redis-server starts"));
        let (start, number) = (Instant::now(), child.id());
        while !self.says("INFO server").contains(&format!("process_id:{number}\r")) {
            let has_ended = self.child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None)));
            if has_ended {
                return false;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "redis-server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }

    /// Stops it where it is, with its connections open.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let child = self.child.as_ref().expect("it runs");
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "kill {signal}");
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

    /// Its address for TLS.
    ///
    /// # Panics
    ///
    /// If it does not speak TLS.
    #[must_use]
    pub fn secured_address(&self) -> String {
        format!("rediss://127.0.0.1:{}", self.secured.expect("TLS"))
    }

    /// Its reply to a command without spaces in its arguments, as the protocol writes it.
    ///
    /// # Panics
    ///
    /// If it does not reply.
    #[must_use]
    pub fn command(&self, command: &str) -> String {
        let reply = self.says(command);
        assert!(!reply.is_empty(), "no reply");
        reply.trim_end().strip_suffix("+OK").unwrap_or(&reply).to_owned()
    }

    /// Its reply, or nothing.
    fn says(&self, command: &str) -> String {
        let mut reply = String::new();
        if let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) {
            // What does not come is missing in the reply.
            let _ = stream.write_all(format!("{command}\r\nQUIT\r\n").as_bytes());
            let _ = stream.read_to_string(&mut reply);
        }
        reply
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.stop();
    }
}
