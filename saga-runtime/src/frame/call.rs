//! Sagas that call each other: each has a frame of its own, and the caller polls the called one.
//!
//! A saga keeps the signature that its author gave it, so its frame comes another way: the caller lays it down for the
//! duration of each poll, and the saga takes it up when it starts.

use std::cell::RefCell;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use super::round::Entry;
use super::{Away, Calls, Frame, Left, Round, Stale, Waits};
use crate::step::Call;

/// How many functions of one saga may wait for each other.
const DEEPEST: usize = 128;

thread_local! {
    /// The frame of a saga that was called and has not started yet.
    static ENTRY: RefCell<Option<Arc<Frame>>> = const { RefCell::new(None) };
}

impl Frame {
    /// Runs called sagas until all have ended, or each that has not waits. The keys are those of the steps among
    /// them that have none of their own.
    ///
    /// # Errors
    ///
    /// Where they stand; their caller leaves with them.
    pub fn call<C: Calls>(
        &self,
        site: &'static str,
        keys: &'static [&'static str],
        calls: C,
    ) -> impl Future<Output = Result<C::Output, Away>> + use<C> {
        let round = self.round(site, keys, calls.branches());
        async move { calls.run(round.map_err(Away::Left)?).await }
    }

    /// The frames of sagas that are called here; with their state if this is the call in which they left.
    fn round(
        &self,
        site: &'static str,
        keys: &'static [&'static str],
        branches: usize,
    ) -> Result<Round, Left> {
        if self.depth + 1 >= DEEPEST {
            let error = format!("sagas wait for each other here more than {DEEPEST} deep");
            return Err(Left::Unsealable { local: site, error });
        }
        let goes_on = self.goes_on_in_callee.swap(false, Ordering::Relaxed);
        if !goes_on {
            if self.site() == Some(site) && self.saved().is_some_and(|saved| !saved.calls()) {
                // It was a question in the build that sealed the state.
                return Err(Left::Stale(Stale::Site(site.to_owned())));
            }
            let entries: Vec<_> = (0..branches).map(|_| Entry::Runs(self.callee(None))).collect();
            return Ok(Round { site, keys, entries: entries.into_iter() });
        }
        let entries = self.entries().ok_or_else(|| Left::Stale(Stale::Site(site.to_owned())))?;
        if entries.len() != branches {
            let (site, before) = (site.to_owned(), entries.len());
            return Err(Left::Stale(Stale::Count { site, before, now: branches }));
        }
        Ok(Round { site, keys, entries: entries.into_iter() })
    }

    /// Where the sagas stand that this function waits for.
    fn entries(&self) -> Option<Vec<Entry>> {
        let (position, saved) = (self.shared.position.as_ref()?, self.saved()?);
        let Waits::Sagas(gave) = &saved.waits else { return None };
        let mut places = position.called_by(self.place?);
        let entries = gave.iter().map(|gave| match gave {
            Some(gave) => Some(Entry::Ended(gave.clone())),
            None => Some(Entry::Runs(self.callee(Some(places.next()?)))),
        });
        entries.collect()
    }

    fn callee(&self, place: Option<usize>) -> Frame {
        Frame::of(Arc::clone(&self.shared), self.depth + 1, place)
    }
}

/// Runs a called saga until it returns, or leaves.
pub(super) async fn run<F: Future>(frame: Frame, call: Call<F>) -> Result<F::Output, Left> {
    let frame = Arc::new(frame);
    let mut entry = Some(Arc::clone(&frame));
    let mut saga = call.into_inner();
    poll_fn(move |context| match with_entry(&mut entry, || saga.as_mut().poll(context)) {
        Poll::Ready(result) => Poll::Ready(Ok(result)),
        Poll::Pending => frame.left().take().map_or(Poll::Pending, |left| Poll::Ready(Err(left))),
    })
    .await
}

/// Lays the frame down for the called saga while it is polled, until it has taken it up.
fn with_entry<T>(entry: &mut Option<Arc<Frame>>, poll: impl FnOnce() -> T) -> T {
    /// What an outer caller laid down comes back, even if the saga panics.
    struct Outer(Option<Arc<Frame>>);
    impl Drop for Outer {
        fn drop(&mut self) {
            ENTRY.set(self.0.take());
        }
    }
    let _outer = Outer(ENTRY.replace(entry.take()));
    let result = poll();
    *entry = ENTRY.take();
    result
}

/// The frame that the caller of this saga laid down.
///
/// # Panics
///
/// If the saga was not called by `call(..)`: its questions would reach nobody.
#[must_use]
#[expect(clippy::panic, reason = "a mistake in the author's code; the host turns it into the tool's failure")]
pub fn enter(name: &'static str) -> Arc<Frame> {
    match ENTRY.take() {
        Some(frame) => frame,
        None => panic!(
            "`{name}` asks questions and was awaited directly; write `call({name}(..)).await` in a saga"
        ),
    }
}
