//! What the thousandth round costs beside the tenth.

use std::io;
use std::time::Duration;

use crate::stats::median;
use saga_bench::http::driver::Connection;
use saga_bench::http::script::Script;
use saga_bench::http::server::Server;

/// The rounds that are looked at, and how many rounds a saga has.
pub const AT: [usize; 3] = [10, 100, 1000];
const ROUNDS: u32 = 1000;
const TURNS: usize = 7;
/// The contestants, and how many sagas each goes through in a turn: a slow one needs no more to be told from noise.
const CONTESTANTS: [(&str, &str, usize); 2] = [("Saga's endpoint", "endpoint", 5), ("neva", "on-neva", 1)];

/// What came of one contestant.
pub struct Growth {
    pub name: &'static str,
    /// Microseconds of a round, for each of [`AT`].
    pub took: [f64; AT.len()],
    /// The token's length, for each of [`AT`].
    pub tokens: [usize; AT.len()],
}

/// Goes through long sagas, in turns.
pub async fn measured() -> io::Result<Vec<Growth>> {
    let script = Script::rounds(ROUNDS);
    let mut all = Vec::new();
    for (name, program, sagas) in CONTESTANTS {
        let server = Server::start(program, &[], &[])?;
        let connection = Connection::open(server.address).await?;
        all.push((name, sagas, server, connection, AT.map(|_| Vec::new())));
    }
    for _ in 0..TURNS {
        for (_, sagas, _, connection, times) in &mut all {
            for _ in 0..*sagas {
                connection.driven.latencies.clear();
                connection.saga(&script).await?;
                connection.expect(script.ends_with)?;
                for (times, round) in times.iter_mut().zip(AT) {
                    times.extend(around(&connection.driven.latencies, round));
                }
            }
        }
    }
    let growth = all.into_iter().map(|(name, _, _, connection, times)| {
        let took = times.map(|times| median(&times));
        // The first state is that of round 1.
        Growth { name, took, tokens: AT.map(|round| connection.driven.states[round - 1]) }
    });
    Ok(growth.collect())
}

/// The times of some rounds around this one, in microseconds.
fn around(latencies: &[Duration], round: usize) -> impl Iterator<Item = f64> {
    latencies[round - 5..=round].iter().map(|took| took.as_secs_f64() * 1e6)
}
