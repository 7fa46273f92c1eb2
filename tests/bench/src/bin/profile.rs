//! The instructions of a request, outside of the kernel, and the crates that they are of. A busy machine does not
//! change them; what has processor instructions of its own that callgrind lacks, SHA-256, is counted as software.
//!
//! ```text
//! cd tests/bench && cargo build --release --workspace && cargo run --release --bin profile
//! ```

use std::collections::BTreeMap;
use std::io;
use std::process::Command;

use saga_bench::http::CONTESTANTS;
use saga_bench::http::driver::Connection;
use saga_bench::http::script::Script;
use saga_bench::http::server::Server;

/// Sagas of two runs, whose difference is without what a start takes.
const FEW: u64 = 50;
const MANY: u64 = 300;

/// Of how many crates is told.
const SHOWN: usize = 10;

/// Instructions by crate.
type Profile = BTreeMap<String, u64>;

fn main() -> io::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(profiles())
}

async fn profiles() -> io::Result<()> {
    for (name, program) in CONTESTANTS {
        let (few, many) = (profile(program, FEW).await?, profile(program, MANY).await?);
        let requests = (MANY - FEW) * Script::trip().requests() as u64;
        let of_request = |of: &str| {
            let before = few.get(of).copied().unwrap_or_default();
            many[of].saturating_sub(before) / requests
        };
        let mut crates: Vec<_> = many.keys().map(|name| (of_request(name), name)).collect();
        crates.sort_unstable_by(|one, other| other.cmp(one));
        println!("{name}: {} instructions", crates.iter().map(|(count, _)| count).sum::<u64>());
        for (count, name) in &crates[..SHOWN.min(crates.len())] {
            println!("{count:>10}  {name}");
        }
    }
    Ok(())
}

/// A server that serves so many sagas.
async fn profile(program: &str, sagas: u64) -> io::Result<Profile> {
    let file = std::env::temp_dir().join(format!("saga-profile-{}-{program}", std::process::id()));
    let server = Server::profiled(program, &file)?;
    let mut connection = Connection::open(server.address).await?;
    let script = Script::trip();
    for _ in 0..sagas {
        connection.saga(&script).await?;
    }
    drop(connection);
    server.end()?;
    let annotated = Command::new("callgrind_annotate").arg("--threshold=100").arg(&file).output()?;
    std::fs::remove_file(&file)?;
    let mut profile = Profile::new();
    for line in
        String::from_utf8_lossy(&annotated.stdout).lines().filter(|line| !line.contains("PROGRAM TOTALS"))
    {
        if let Some((count, function)) = function(line) {
            *profile.entry(crate_of(function)).or_default() += count;
        }
    }
    Ok(profile)
}

/// `12,345 ( 1.23%)  file:function [program]`.
fn function(line: &str) -> Option<(u64, &str)> {
    let (count, rest) = line.trim_start().split_once(" (")?;
    let (_, place) = rest.split_once(")  ")?;
    Some((count.replace(',', "").parse().ok()?, place.split_once(':')?.1))
}

/// `serde_json` of `<serde_json::de::Deserializer as ..>::deserialize_str`.
fn crate_of(function: &str) -> String {
    let name = function.trim_start_matches(['<', '&', '*', '[', '(']).trim_start_matches("mut ");
    let crate_ = name.split_once("::").map_or("libc and others", |(first, _)| first);
    crate_.to_owned()
}
