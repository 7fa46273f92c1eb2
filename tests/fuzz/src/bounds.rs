//! The bounds, and what a run cost.

use std::fmt;
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes of memory for each byte of input.
const GROWTH: usize = 64;
/// Bytes that a shorter input counts for: three megabytes of memory.
pub const LEAST_LEN: usize = 48 << 10;
/// Bytes of memory that a request takes without it.
const REQUEST: usize = 64 << 10;
/// What libFuzzer runs counts its own steps, and takes some times as long; what it found is held to the bound by
/// `mutate`.
const TIME: Duration = Duration::from_millis(if cfg!(fuzzing) { 100 } else { 10 });
/// Who takes so long never ends.
const HANGS: Duration = Duration::from_secs(10);
/// The stack of a server's thread.
const STACK: usize = 2 << 20;
/// A machine has other things to do, too: who is slow is asked again.
const TRIES: usize = 5;

/// What an input cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The most memory that it took at a time, in bytes.
    pub memory: usize,
    /// How long it took.
    pub time: Duration,
    /// Whether it was taken for one of the server's own.
    pub was_taken: bool,
}

/// Runs what an input leads to, which may be read so often, on a thread of its own; `run` says whether it was taken for one
/// of the server's own.
///
/// # Panics
///
/// Beyond the bounds.
pub(crate) fn within(input: &[u8], readings: usize, run: impl Fn() -> bool + Sync) -> Cost {
    let mut cost = once(input, &run);
    for _ in 1..TRIES {
        if cost.time <= TIME {
            break;
        }
        cost = once(input, &run);
    }
    let (len, text) = (input.len(), Hex(input));
    assert!(cost.time <= TIME, "{len} bytes took {:?}: {text}", cost.time);
    let most = readings * len.max(LEAST_LEN) * GROWTH + REQUEST;
    assert!(cost.memory <= most, "{len} bytes took {} bytes of memory: {text}", cost.memory);
    cost
}

fn once(input: &[u8], run: &(impl Fn() -> bool + Sync)) -> Cost {
    let measured = || {
        MEMORY.reset_peak_usage();
        let (before, start) = (MEMORY.current_usage(), Instant::now());
        let was_taken = run();
        let time = start.elapsed();
        Cost { memory: MEMORY.peak_usage().saturating_sub(before), time, was_taken }
    };
    let (done, is_done) = mpsc::channel();
    thread::scope(|scope| {
        let server = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
            let cost = measured();
            // Who waits for it has given up otherwise.
            let _ = done.send(());
            cost
        });
        if is_done.recv_timeout(HANGS) == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("{} bytes do not end: {}", input.len(), Hex(input));
            process::abort();
        }
        server.expect("a thread").join().expect("no panic")
    })
}

/// An input that can be given to a test.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
