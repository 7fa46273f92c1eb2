//! Keys from a file, read again while the server runs: on `SIGHUP`, and when the file changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use crate::clock::{Clock, SystemClock};
use crate::sagas::Sagas;
use crate::token::{KeyError, KeyList};

/// How often the file is looked at. A rotation's steps are minutes apart.
const LOOK_EVERY: Duration = Duration::from_secs(5);

impl Sagas {
    /// Reads the keys in `path` again for as long as this is awaited: at once, when the process gets `SIGHUP` (unix),
    /// and when the file's time or length changes. Requests wait for none of it. A file that is not good is reported
    /// in the log, the keys in use stay, and it is tried again until it is good.
    ///
    /// Spawn it beside the server, after giving the builder the same file's keys.
    pub async fn watch_keys(self, path: PathBuf) {
        let path: Arc<Path> = path.into();
        // The server was built some time ago, and the file may be another one by now.
        let mut seen = None;
        let mut told = None;
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut hangup = Hangup::new();
        loop {
            let is_asked = tokio::select! {
                () = hangup.wait() => true,
                _ = looks.tick() => false,
            };
            if is_asked {
                (seen, told) = (None, None);
            }
            let (sagas, path) = (self.clone(), Arc::clone(&path));
            // A slow disk must not hold up the requests.
            let looked = spawn_blocking(move || sagas.reload_changed(&path, seen)).await;
            let failure = match looked {
                Ok(Looked::Same) => None,
                Ok(Looked::Read(sight, keys)) => {
                    tracing::info!(?keys, "the keys were read again");
                    seen = Some(sight);
                    None
                }
                Ok(Looked::NotGood(error)) => Some(error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(error) = failure.as_ref().filter(|_| failure != told) {
                tracing::error!(%error, "the keys in use stay");
            }
            told = failure;
        }
    }

    /// Reads the keys in a file that is another one than was seen.
    fn reload_changed(&self, path: &Path, seen: Option<Sight>) -> Looked {
        // Before it is read: what changes meanwhile is another sight the next time.
        let sight = look(path);
        if seen == Some(sight) {
            return Looked::Same;
        }
        match self.reload_keys(path) {
            Ok(keys) => Looked::Read(sight, keys),
            Err(error) => Looked::NotGood(error),
        }
    }

    fn reload_keys(&self, path: &Path) -> Result<Vec<String>, KeyError> {
        let failed = |reason: String| KeyError::File { path: path.display().to_string(), reason };
        let list = KeyList::read(path)?;
        let ring = list.ring().map_err(|error| failed(error.to_string()))?;
        self.set_keys(ring).map_err(|error| failed(error.to_string()))?;
        list.summary(SystemClock.now())
    }
}

/// What a look at the file came to.
enum Looked {
    Same,
    /// The keys in it are in use now; they are summed up.
    Read(Sight, Vec<String>),
    NotGood(KeyError),
}

/// What a changed file differs in; `None` where there is no file.
type Sight = Option<(Option<SystemTime>, u64)>;

fn look(path: &Path) -> Sight {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}

/// `SIGHUP`, where there is such a thing.
struct Hangup {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl Hangup {
    fn new() -> Self {
        #[cfg(unix)]
        {
            let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup());
            if let Err(error) = &signal {
                tracing::warn!(%error, "SIGHUP cannot be listened for; the file of keys is looked at all the same");
            }
            Self { signal: signal.ok() }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// Ready at the next signal.
    async fn wait(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.signal
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}
