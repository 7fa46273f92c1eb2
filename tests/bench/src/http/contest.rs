//! The rounds of the contest.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::driver::{self, Connection, Driven};
use super::script::Script;
use super::server::Server;

/// What a contestant is called, and its program.
pub const CONTESTANTS: [(&str, &str); 5] = [
    ("Saga's endpoint", "endpoint"),
    ("sagas in rmcp", "inside_rmcp"),
    ("by hand on rmcp", "by-hand"),
    ("neva", "on-neva"),
    ("echo of JSON", "echo"),
];

/// How many connections at once.
pub const CONNECTIONS: [usize; 2] = [1, 16];

/// How long one contestant is driven in one round.
const TURN: Duration = Duration::from_millis(1500);

/// What came of all rounds, by contestant, in the order of [`CONTESTANTS`].
pub struct Contest {
    /// By number of connections, in the order of [`CONNECTIONS`].
    pub figures: [Vec<Figures>; CONNECTIONS.len()],
}

/// What came of one contestant's rounds with so many connections.
#[derive(Default)]
pub struct Figures {
    /// One of each round.
    pub sagas_per_second: Vec<f64>,
    /// Microseconds of the server's processor time for a request, one of each round.
    pub processor: Vec<f64>,
    /// Microseconds that a request takes, one of each round.
    pub half_within: Vec<f64>,
    pub most_within: Vec<f64>,
    /// KiB, at the end.
    pub memory: u64,
    /// Bytes of one saga, with the heads of its messages.
    pub sent: u64,
    pub received: u64,
    /// The length of each state of one saga.
    pub states: Vec<usize>,
}

/// Lets all contestants go through so many rounds.
pub async fn contest(rounds: usize) -> io::Result<Contest> {
    let script = Arc::new(Script::trip());
    let mut servers = Vec::new();
    for (name, program) in CONTESTANTS {
        let server = Server::start(program, &[], &[])?;
        if program != "echo" {
            let mut connection = Connection::open(server.address).await?;
            connection.saga(&script).await.map_err(|error| io::Error::other(format!("{name}: {error}")))?;
            connection.expect(script.ends_with)?;
        }
        // Warm before it counts.
        driver::drive(server.address, &script, 16, TURN / 2).await?;
        servers.push(server);
    }
    let mut figures = CONNECTIONS.map(|_| servers.iter().map(|_| Figures::default()).collect::<Vec<_>>());
    for round in 0..rounds {
        eprintln!("round {} of {rounds}", round + 1);
        for (figures, connections) in figures.iter_mut().zip(CONNECTIONS) {
            for (server, figures) in servers.iter().zip(figures) {
                let before = server.processor_time()?;
                let driven = driver::drive(server.address, &script, connections, TURN).await?;
                figures.add(driven, server.processor_time()?.saturating_sub(before));
                figures.memory = server.memory()?;
            }
        }
    }
    Ok(Contest { figures })
}

impl Figures {
    fn add(&mut self, mut driven: Driven, processor: Duration) {
        driven.latencies.sort_unstable();
        let requests = driven.latencies.len();
        let within = |share: usize| driven.latencies[(requests - 1) * share / 100].as_secs_f64() * 1e6;
        self.half_within.push(within(50));
        self.most_within.push(within(99));
        #[expect(clippy::cast_precision_loss, reason = "counts of a few seconds")]
        {
            self.sagas_per_second.push(driven.sagas as f64 / driven.took.as_secs_f64());
            self.processor.push(processor.as_secs_f64() * 1e6 / requests as f64);
        }
        self.sent = driven.sent / driven.sagas;
        self.received = driven.received / driven.sagas;
        self.states = driven.states;
    }
}
