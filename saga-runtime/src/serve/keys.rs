//! Keys from a file, read again while the server runs: on `SIGHUP`, and when the file changes.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tokio::time::{MissedTickBehavior, interval};

use crate::clock::{Clock, SystemClock};
use crate::sagas::Sagas;
use crate::token::{KeyError, KeyList};

/// How often the file is looked at. A rotation's steps are minutes apart.
const LOOK_EVERY: Duration = Duration::from_secs(5);

impl Sagas {
    /// Reads the keys in `path` again for as long as this is awaited: when the process gets `SIGHUP` (unix), and when
    /// the file's time or length changes. Requests wait for none of it. A file that is not good is reported in the
    /// log, and the keys in use stay.
    ///
    /// Spawn it beside the server, after giving the builder the same file's keys.
    pub async fn watch_keys(self, path: PathBuf) {
        let mut seen = look(&path);
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut hangup = Hangup::new();
        loop {
            let is_asked = tokio::select! {
                () = hangup.wait() => true,
                _ = looks.tick() => false,
            };
            let found = look(&path);
            if is_asked || found != seen {
                seen = found;
                self.reload_keys(&path).await;
            }
        }
    }

    async fn reload_keys(&self, path: &Path) {
        let (file, sagas) = (path.to_owned(), self.clone());
        let reload = move || -> Result<Vec<String>, KeyError> {
            let failed = |reason: String| KeyError::File { path: file.display().to_string(), reason };
            let list = KeyList::read(&file)?;
            let ring = list.ring().map_err(|error| failed(error.to_string()))?;
            sagas.set_keys(ring).map_err(|error| failed(error.to_string()))?;
            list.summary(SystemClock.now())
        };
        // A slow disk must not hold up the requests.
        match tokio::task::spawn_blocking(reload).await {
            Ok(Ok(keys)) => tracing::info!(?keys, "the keys were read again"),
            Ok(Err(error)) => tracing::error!(%error, "the keys in use stay"),
            Err(error) => tracing::error!(%error, "the keys were not read again"),
        }
    }
}

/// What a changed file differs in; `None` where there is no file.
fn look(path: &Path) -> Option<(Option<SystemTime>, u64)> {
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
