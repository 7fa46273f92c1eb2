//! Sagas that call each other: each has a frame of its own, and the caller polls the called one.
//!
//! A saga keeps the signature that its author gave it, so its frame comes another way: the caller lays it down for the
//! duration of each poll, and the saga takes it up when it starts.

use std::cell::RefCell;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use super::{Frame, Left, Stale};
use crate::step::Call;

/// How many functions of one saga may wait for each other.
const DEEPEST: usize = 128;

thread_local! {
    /// The frame of a saga that was called and has not started yet.
    static ENTRY: RefCell<Option<Arc<Frame>>> = const { RefCell::new(None) };
}

impl Frame {
    /// Runs a called saga until it returns, or leaves.
    ///
    /// # Errors
    ///
    /// Why it left; its caller leaves with it.
    pub fn call<F: Future>(
        &self,
        site: &'static str,
        call: Call<F>,
    ) -> impl Future<Output = Result<F::Output, Left>> + use<F> {
        let callee = self.callee(site);
        async move { run(callee?, call).await }
    }

    /// The frame of a saga that is called here; with its state if this is the call in which it left.
    fn callee(&self, site: &'static str) -> Result<Frame, Left> {
        if self.index + 1 >= DEEPEST {
            let error = format!("sagas wait for each other here more than {DEEPEST} deep");
            return Err(Left::Unsealable { local: site, error });
        }
        if self.site() == Some(site) && self.is_innermost() {
            // It was a question in the build that sealed the state.
            return Err(Left::Stale(Stale::Site(site.to_owned())));
        }
        let resumed = self.goes_on_in_callee.swap(false, Ordering::Relaxed);
        Ok(Frame::of(Arc::clone(&self.shared), self.index + 1, resumed))
    }
}

async fn run<F: Future>(frame: Frame, call: Call<F>) -> Result<F::Output, Left> {
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
