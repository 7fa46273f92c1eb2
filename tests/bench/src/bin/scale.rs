//! Several instances behind nginx, with and without a guard in Redis, and what ten thousand sagas in flight take of a
//! server's memory.
//!
//! ```text
//! cd tests/bench && cargo build --release -p sagas && cargo run --release --bin scale     # needs nginx and redis-server
//! ```
//!
//! Servers share one core and everything else the other, so nothing here gets faster by more instances; what is looked
//! at is that a request costs no more when the next one may go to any of them.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs};

use saga_bench::http::driver::{Connection, drive};
use saga_bench::http::script::Script;
use saga_bench::http::server::{Server, free_address, pin_driver};
use saga_runtime::KeyRing;

const MOST_INSTANCES: usize = 4;
const IN_FLIGHT: u32 = 10_000;
const TIME: Duration = Duration::from_secs(4);

fn main() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    pin_driver("1");
    runtime.block_on(async {
        instances().await?;
        in_flight().await
    })
}

/// One to four instances with the same keys, each request to the next of them.
async fn instances() -> io::Result<()> {
    let keys = KeyRing::generate_key().map_err(io::Error::other)?;
    let redis = Helper::redis()?;
    let url = format!("redis://{}", redis.address);
    println!("| instances | guard | sagas/s | processor µs/request | p99 µs |\n|---|---|---|---|---|");
    for (guard, arguments) in [("none", vec![]), ("Redis", vec![url.as_str()])] {
        for count in 1..=MOST_INSTANCES {
            let start = || Server::start("endpoint", &arguments, &[("SAGA_KEYS", &keys)]);
            let servers = (0..count).map(|_| start()).collect::<io::Result<Vec<_>>>()?;
            let nginx = Helper::nginx(&servers)?;
            let script = Arc::new(Script::trip());
            drive(nginx.address, &script, 16, TIME / 4).await?;
            let before = processor_time(&servers)?;
            let mut driven = drive(nginx.address, &script, 16, TIME).await?;
            let took = processor_time(&servers)?.saturating_sub(before).as_secs_f64() * 1e6;
            driven.latencies.sort_unstable();
            let requests = driven.latencies.len();
            let most = driven.latencies[requests * 99 / 100].as_micros();
            #[expect(clippy::cast_precision_loss, reason = "counts of a few seconds")]
            let (speed, cost) = (driven.sagas as f64 / driven.took.as_secs_f64(), took / requests as f64);
            println!("| {count} | {guard} | {speed:.0} | {cost:.1} | {most} |");
        }
    }
    Ok(())
}

fn processor_time(servers: &[Server]) -> io::Result<Duration> {
    servers.iter().map(Server::processor_time).sum()
}

/// Ten thousand sagas that have asked their first question and wait.
async fn in_flight() -> io::Result<()> {
    let redis = Helper::redis()?;
    let url = format!("redis://{}", redis.address);
    for (guard, arguments) in [("none", vec![]), ("Redis", vec![url.as_str()])] {
        let server = Server::start("endpoint", &arguments, &[])?;
        let mut connection = Connection::open(server.address).await?;
        let script = Script::trip();
        // Once through all of it, so that what is there once is there.
        for _ in 0..1000 {
            connection.saga(&script).await?;
        }
        let (memory, kept) = (server.memory()?, redis.used_memory()?);
        let mut states = Vec::new();
        for _ in 0..IN_FLIGHT {
            states.push(connection.first(&script).await?);
        }
        let (grown, held) =
            (server.memory()?.saturating_sub(memory), redis.used_memory()?.saturating_sub(kept));
        println!(
            "{} sagas in flight, guard {guard}: the server grew by {grown} KiB, Redis by {} KiB",
            states.len(),
            held / 1024
        );
    }
    Ok(())
}

/// A program that is not ours; stopped when dropped.
struct Helper {
    child: Child,
    address: SocketAddr,
    folder: PathBuf,
}

impl Helper {
    fn redis() -> io::Result<Self> {
        let address = free_address()?;
        let port = address.port().to_string();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        Self::start(command, address)
    }

    fn nginx(servers: &[Server]) -> io::Result<Self> {
        let address = free_address()?;
        let instances: Vec<_> = servers.iter().map(|server| format!("server {};", server.address)).collect();
        let instances = instances.concat();
        let configuration = format!(
            "daemon off; worker_processes 1; pid nginx.pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off;\n\
             client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; \
             scgi_temp_path s;\nupstream sagas {{ {instances} keepalive 32; }}\nserver {{ listen {address}; \
             keepalive_requests 1000000;\nlocation / {{ proxy_pass http://sagas; proxy_http_version 1.1; \
             proxy_set_header Connection \"\"; proxy_set_header Host 127.0.0.1; }} }} }}\n"
        );
        let folder = folder(address)?;
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration)?;
        let mut command = Command::new("nginx");
        command.arg("-p").arg(&folder).arg("-c").arg(&file);
        Self::start(command, address)
    }

    fn start(mut command: Command, address: SocketAddr) -> io::Result<Self> {
        let folder = folder(address)?;
        let child = command.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let helper = Self { child, address, folder };
        for _ in 0..500 {
            if TcpStream::connect(address).is_ok() {
                return Ok(helper);
            }
            sleep(Duration::from_millis(10));
        }
        Err(io::Error::other("it does not listen"))
    }

    /// What Redis says that it uses, in bytes.
    fn used_memory(&self) -> io::Result<u64> {
        let port = self.address.port().to_string();
        let output = Command::new("redis-cli").args(["-p", &port, "info", "memory"]).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let used = text.lines().find_map(|line| line.strip_prefix("used_memory:"));
        used.and_then(|used| used.trim().parse().ok()).ok_or_else(|| io::Error::other("Redis does not say"))
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // nginx ends its worker when it is told to end, and not when it is killed.
        let told = Command::new("kill").arg(self.child.id().to_string()).status();
        if !told.is_ok_and(|status| status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn folder(address: SocketAddr) -> io::Result<PathBuf> {
    let folder = Path::new(&env::temp_dir()).join(format!("saga-scale-{}", address.port()));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
