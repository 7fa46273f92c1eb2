//! A contestant's process: started on a core of its own, watched by what the operating system says of it.

use std::fs;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A running server; stopped when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

/// The core of the servers; the driver has the other.
pub const CORE: &str = "0";

impl Server {
    /// Starts this program of the benchmark's own, and waits until it listens.
    pub fn start(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> io::Result<Self> {
        Self::listen(pinned(&of_the_bench(program)?), arguments, environment)
    }

    /// The same in callgrind, which writes to this file when the server ends.
    pub fn profiled(program: &str, file: &Path) -> io::Result<Self> {
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
        command.arg(of_the_bench(program)?);
        Self::listen(command, &[], &[])
    }

    fn listen(mut command: Command, arguments: &[&str], environment: &[(&str, &str)]) -> io::Result<Self> {
        let address = free_address()?;
        let child = command
            .arg(address.to_string())
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let server = Self { child, address };
        for _ in 0..3000 {
            if TcpStream::connect(address).is_ok() {
                return Ok(server);
            }
            sleep(Duration::from_millis(10));
        }
        Err(io::Error::other(format!("{command:?} does not listen")))
    }

    /// Ends it as an operator does, and waits until it has.
    pub fn end(mut self) -> io::Result<()> {
        Command::new("kill").arg(self.child.id().to_string()).status()?;
        self.child.wait().map(drop)
    }

    /// The processor time of all its threads; those that have ended are not in it, and none end here.
    pub fn processor_time(&self) -> io::Result<Duration> {
        let mut nanoseconds = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let schedule = fs::read_to_string(thread?.path().join("schedstat"))?;
            let first = schedule.split_whitespace().next().and_then(|first| first.parse::<u64>().ok());
            nanoseconds += first.ok_or_else(|| io::Error::other("the schedule of a thread is not told"))?;
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Resident memory in KiB.
    pub fn memory(&self) -> io::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let resident = resident.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        resident.ok_or_else(|| io::Error::other("the resident memory is not told"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn of_the_bench(program: &str) -> io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(program))
}

/// The program on the servers' core, where the machine has `taskset`.
fn pinned(program: &Path) -> Command {
    if !can_pin() {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", CORE]).arg(program);
    command
}

/// Whether processes can be tied to cores here.
pub fn can_pin() -> bool {
    let tried = Command::new("taskset").args(["--cpu-list", CORE, "true"]).output();
    tried.is_ok_and(|output| output.status.success())
}

/// Ties this process to the driver's core.
pub fn pin_driver(core: &str) -> bool {
    let id = std::process::id().to_string();
    let tried = Command::new("taskset").args(["--all-tasks", "--pid", "--cpu-list", core, &id]).output();
    tried.is_ok_and(|output| output.status.success())
}

/// A port of loopback that was free just now.
pub fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}
