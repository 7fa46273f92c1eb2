//! One instance, a process of its own: this test's binary, started with settings in its environment.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use saga_runtime::clock::{Clock, SystemClock};
use saga_runtime::guard::RedisGuard;
use saga_runtime::store::{RedisStore, Spill};
use saga_runtime::token::KeyList;
use saga_runtime::{Form, KeyRing, Saga, Sagas, ToolError, call, elicit, saga, saga_tool};
use serde::{Deserialize, Serialize};

use crate::journal::{self, STEPS, mix};

/// What an instance is told, in its environment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) port: u16,
    pub(crate) keys: PathBuf,
    pub(crate) journal: PathBuf,
    /// Where it leaves a mark for each saga that it died in.
    pub(crate) deaths: PathBuf,
    /// What it says on standard error.
    pub(crate) log: PathBuf,
    redis: String,
    seed: u64,
    fault: Option<Fault>,
}

/// What can be wrong with a server, to see that it is found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fault {
    /// An effect that is repeated has another key.
    OtherKeys,
    /// Nothing makes tokens single-use.
    NoGuard,
    /// Some effects are forgotten.
    Forgetful,
    /// Each start makes keys of its own.
    OwnKeys,
}

impl Fault {
    pub(crate) const ALL: [Self; 4] = [Self::OtherKeys, Self::NoGuard, Self::Forgetful, Self::OwnKeys];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::OtherKeys => "other-keys",
            Self::NoGuard => "no-guard",
            Self::Forgetful => "forgetful",
            Self::OwnKeys => "own-keys",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

const VARIABLE: &str = "SAGA_CHAOS_SERVER";

impl Settings {
    /// Settings for a run in this directory, with one key.
    pub(crate) fn in_directory(directory: &Path, redis: &str, seed: u64, fault: Option<Fault>) -> Self {
        let of = |name: &str| directory.join(name);
        std::fs::write(of("keys"), KeyRing::generate_key().expect("randomness")).expect("a file");
        std::fs::create_dir(of("deaths")).expect("a directory");
        File::create(of("journal")).expect("a file");
        let (keys, journal, deaths, log) = (of("keys"), of("journal"), of("deaths"), of("log"));
        Self { port: 0, keys, journal, deaths, log, redis: redis.to_owned(), seed, fault }
    }

    /// This process's, if it is an instance.
    pub(crate) fn of_environment() -> Option<Self> {
        let text = std::env::var(VARIABLE).ok()?;
        Some(serde_json::from_str(&text).expect("settings that a run wrote"))
    }

    /// The instance at this port.
    pub(crate) fn command(&self, port: u16) -> Command {
        let settings = Self { port, ..self.clone() };
        let mut command = Command::new(std::env::current_exe().expect("this binary"));
        command.env(VARIABLE, serde_json::to_string(&settings).expect("JSON"));
        let log = OpenOptions::new().append(true).create(true).open(&self.log).expect("a file");
        command.stderr(log);
        command
    }
}

#[derive(Form, Serialize, Deserialize, Debug)]
struct Amount {
    euros: i64,
}

/// Pays for an order in [`STEPS`] steps, each after a question.
#[saga_tool(replay = "once")]
async fn order(number: u32, #[context] world: &World, #[context] saga: &Saga) -> Result<String, ToolError> {
    world.may_die(number, 0);
    // Every third has a state that waits in Redis.
    let baggage = "x".repeat(if number.is_multiple_of(3) { 10_000 } else { 10 });
    let mut total = 0;
    for step in 1..=2 {
        let amount: Amount = elicit(format!("Step {step} of order {number}?")).key("amount").await?;
        world.pay(saga, number, step, amount.euros);
        total += amount.euros;
    }
    let (left, right) = saga_runtime::join!(
        elicit::<Amount>("The left hand?").key("left"),
        elicit::<Amount>("The right hand?").key("right"),
    )
    .await?;
    world.pay(saga, number, 3, left.euros + right.euros);
    total += left.euros + right.euros;
    let last = call(confirmed(number)).await?;
    world.pay(saga, number, STEPS, last);
    Ok(format!("{} with {}", total + last, baggage.len()))
}

/// Asks in a saga of its own.
#[saga]
async fn confirmed(number: u32) -> Result<i64, ToolError> {
    let amount: Amount = elicit(format!("The rest of order {number}?")).key("rest").await?;
    Ok(amount.euros)
}

/// What the tool does to the world: payments, in the journal of a provider that knows a payment again by its key.
struct World(Settings);

impl World {
    fn pay(&self, saga: &Saga, number: u32, step: u32, euros: i64) {
        self.may_die(number, 2 * step - 1);
        let key = match self.0.fault {
            Some(Fault::OtherKeys) => KeyRing::generate_key().expect("randomness"),
            _ => saga.idempotency_key("pay"),
        };
        if self.0.fault != Some(Fault::Forgetful) || !mix(u64::from(number * STEPS + step)).is_multiple_of(10)
        {
            let mut journal = OpenOptions::new().append(true).open(&self.0.journal).expect("the journal");
            let line = journal::line(number, step, &key, euros);
            journal.write_all(line.as_bytes()).expect("the journal");
        }
        self.may_die(number, 2 * step);
    }

    /// Each saga is killed once: at its start, or before or after one of its effects.
    fn may_die(&self, number: u32, place: u32) {
        let chosen = mix(self.0.seed ^ u64::from(number)) % u64::from(2 * STEPS + 1);
        let mark = self.0.deaths.join(number.to_string());
        if u64::from(place) == chosen && File::create_new(mark).is_ok() {
            let _ = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
            std::thread::sleep(Duration::from_mins(1));
        }
    }
}

/// A clock that jumps every two seconds, and is at most half a minute wrong: two of them differ by at most a minute.
struct Jumping(u64);

impl Clock for Jumping {
    fn now(&self) -> u64 {
        let now = SystemClock.now();
        now - 30 + mix(self.0 ^ (now / 2)) % 61
    }
}

/// Serves until it is told to stop, or dies.
pub(crate) fn serve(settings: Settings) -> ExitCode {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .init();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(run(settings));
    ExitCode::SUCCESS
}

async fn run(settings: Settings) {
    let (port, mut path) = (settings.port, settings.keys.clone());
    if settings.fault == Some(Fault::OwnKeys) {
        path.set_extension(format!("of-{port}"));
        std::fs::write(&path, KeyRing::generate_key().expect("randomness")).expect("a file");
    }
    let keys = KeyList::read(&path).and_then(|list| list.ring());
    // Short, not to wait long for the dead; a transition that takes longer on a busy machine runs twice, with one key.
    let guard = RedisGuard::new(&settings.redis).expect("an address").with_lease(Duration::from_secs(1));
    let store = RedisStore::new(&settings.redis).expect("an address");
    let mut builder = Sagas::builder("chaos", "1")
        .keys(keys.expect("a good list"))
        .clock(Jumping(port.into()))
        .spill(Spill::above(4096, store));
    builder = match settings.fault {
        Some(Fault::NoGuard) => builder,
        _ => builder.guard(guard),
    };
    let has_guard = settings.fault != Some(Fault::NoGuard);
    let mut builder = builder.context(World(settings)).tool::<order>();
    if !has_guard {
        builder = builder.policy("order", |policy| policy.replay = None);
    }
    let sagas = builder.build().expect("a tool and a guard");
    tokio::spawn(sagas.clone().watch_keys(path));
    let watched = sagas.clone();
    let keys = get(move || std::future::ready(key_ids(&watched)));
    let router = Router::new().route_service("/mcp", sagas.http_service()).route("/keys", keys);
    // A client may have the port for a moment: who keeps the instances starts another.
    let Ok(listener) = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await else { return };
    let mut stop =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).expect("a signal");
    let stopped = async move {
        stop.recv().await;
    };
    axum::serve(listener, router).with_graceful_shutdown(stopped).await.expect("a listener");
}

/// The keys in use, as the trouble-maker compares them.
pub(crate) fn key_ids(sagas: &Sagas) -> String {
    sagas.keys().map(|ring| states(&ring)).unwrap_or_default()
}

/// The keys of a ring, with what each is for.
pub(crate) fn states(ring: &KeyRing) -> String {
    format!("{:?}", ring.states(SystemClock.now()).collect::<Vec<_>>())
}
