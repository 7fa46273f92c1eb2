//! The keys of a server in a file that is read again. Time is paused: it passes when everybody
//! waits.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use saga_runtime::{KeyRing, Sagas};
use saga_tests::log::Log;
use tracing::subscriber::DefaultGuard;

const READ: &str = "the keys were read again";
const STAY: &str = "the keys in use stay";

/// Keys of one server, in a file that it watches.
struct Watched {
    path: PathBuf,
    sagas: Sagas,
    log: Log,
    _logging: DefaultGuard,
}

impl Watched {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("saga-{test}-{}.keys", std::process::id()));
        let key = key();
        std::fs::write(&path, &key).unwrap();
        let sagas = Sagas::builder("fleet", "1.0").keys(KeyRing::parse(&key).unwrap()).build().unwrap();
        let log = Log::default();
        let lines = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).finish();
        Self { path, sagas, log, _logging: tracing::subscriber::set_default(lines) }
    }

    fn watch(&self) {
        tokio::spawn(self.sagas.clone().watch_keys(self.path.clone()));
    }

    fn uses(&self, key: &str) -> bool {
        ids(&self.sagas.keys().unwrap()) == ids(&KeyRing::parse(key).unwrap())
    }

    /// How often the log says this.
    fn says(&self, text: &str) -> usize {
        self.log.text().matches(text).count()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn key() -> String {
    KeyRing::generate_key().unwrap()
}

fn ids(ring: &KeyRing) -> Vec<String> {
    ring.states(0).map(|(id, _)| id.to_string()).collect()
}

/// Long enough for a few looks at the file.
async fn pass() {
    tokio::time::sleep(Duration::from_mins(1)).await;
}

fn written_at(path: &Path) -> std::time::SystemTime {
    std::fs::metadata(path).unwrap().modified().unwrap()
}

#[tokio::test(start_paused = true)]
async fn what_changed_before_the_first_look_is_seen() {
    let server = Watched::new("before");
    let new = key();
    std::fs::write(&server.path, &new).unwrap();
    server.watch();
    pass().await;
    assert!(server.uses(&new), "{}", server.log.text());
    assert_eq!(server.says(READ), 1, "{}", server.log.text());
}

/// As after a `chown`: the file's time and length are those of the one that could not be read.
#[tokio::test(start_paused = true)]
async fn a_file_that_was_not_good_is_read_when_it_is() {
    let server = Watched::new("mended");
    server.watch();
    pass().await;
    let new = key();
    std::fs::write(&server.path, new.replace("sgk1_", "sgk1-")).unwrap();
    pass().await;
    assert_eq!(server.says(STAY), 1, "once, and not at each look: {}", server.log.text());

    let time = written_at(&server.path);
    std::fs::write(&server.path, &new).unwrap();
    File::options().write(true).open(&server.path).unwrap().set_modified(time).unwrap();
    pass().await;
    assert!(server.uses(&new), "{}", server.log.text());
}

#[tokio::test(start_paused = true)]
async fn each_failure_is_told_once() {
    let server = Watched::new("failing");
    server.watch();
    pass().await;
    std::fs::write(&server.path, "nonsense").unwrap();
    pass().await;
    std::fs::remove_file(&server.path).unwrap();
    pass().await;
    assert_eq!(server.says(STAY), 2, "{}", server.log.text());
    std::fs::write(&server.path, key()).unwrap();
    pass().await;
    std::fs::remove_file(&server.path).unwrap();
    pass().await;
    assert_eq!(server.says(STAY), 3, "{}", server.log.text());
}
