//! A probe: a frame that goes on from a site with nothing, only to see which types the site holds. The compiled
//! function takes its held locals first, and leaves when it does not get them, so that none of the author's code runs.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Waker};

use serde_json::{Map, Value};

use super::{Frame, Position, SavedFrame, Shared, Waits};
use crate::held::Unsealable;
use crate::host::{Run, Server};
use crate::saga::Saga;

thread_local! {
    /// Whether this thread probes: then arguments are made up.
    static PROBES: Cell<bool> = const { Cell::new(false) };
}

impl Frame {
    /// A frame that probes a site.
    fn probe(site: &str) -> Self {
        let waits = Waits::Answers { question: Vec::new(), steps: Vec::new() };
        let frame = SavedFrame { caller: 0, site: site.to_owned(), held: Vec::new(), waits };
        let position = Position { frames: vec![frame], visits: BTreeMap::new() };
        Self::of(
            Arc::new(Shared {
                saga: Saga::default(),
                attempts: 0,
                position: Some(position),
                answers: BTreeMap::new(),
                visits: Mutex::default(),
                probe: Some(Mutex::new(Ok(()))),
            }),
            0,
            Some(0),
        )
    }

    pub(super) fn is_probe(&self) -> bool {
        self.shared.probe.is_some()
    }

    /// Notes what was found about a held local's type. The first fault counts.
    pub(super) fn found(&self, local: &str, checked: Result<(), Unsealable>) {
        let Some(probe) = &self.shared.probe else { return };
        // The lock is held for an assignment only.
        let mut found = probe.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_ok() {
            *found = checked.map_err(|error| error.in_local(local));
        }
    }
}

/// Whether arguments are to be made up, since nothing is done with them.
pub(crate) fn probes() -> bool {
    PROBES.get()
}

/// Looks at the types that a site of a machine holds. Where the machine's arguments cannot be made up, or it waits for
/// something before it comes to the site, nothing is found. `examples` are arguments for where a type cannot be made up.
///
/// # Errors
///
/// What could not travel, with its path.
pub(crate) fn probe(
    site: &str,
    run: &Run,
    examples: &Map<String, Value>,
    server: Server<'_>,
) -> Result<(), Unsealable> {
    /// Ends the probe, also by a panic.
    struct Ends;
    impl Drop for Ends {
        fn drop(&mut self) {
            PROBES.set(false);
        }
    }
    let frame = Frame::probe(site);
    let poll = || {
        PROBES.set(true);
        let _ends = Ends;
        let mut running = run(&frame, examples, server);
        // Whatever it says: it is over.
        let _ = running.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    };
    // A panic of the author's code over made-up arguments finds nothing.
    let _ = catch_unwind(AssertUnwindSafe(poll));
    let Some(probe) = &frame.shared.probe else { return Ok(()) };
    std::mem::replace(&mut *probe.lock().unwrap_or_else(PoisonError::into_inner), Ok(()))
}
