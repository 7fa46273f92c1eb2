//! A guard for one process: on standard input and output, or where there is one instance of a server.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::{Claim, Guard, GuardError, Guarding, Turn};
use crate::clock::{Clock, SystemClock};

/// A guard in this process's memory. Other instances know nothing of it, and it forgets all when the process ends.
pub struct MemoryGuard {
    turns: Mutex<Turns>,
    most: usize,
    most_bytes: usize,
    clock: Arc<dyn Clock>,
}

/// A saga's round.
type Key = ([u8; 16], u16);

#[derive(Default)]
struct Turns {
    taken: HashMap<Key, Taken>,
    /// By when they may be forgotten.
    expiry: BTreeSet<(u64, Key)>,
    /// How many bytes of replies there are.
    bytes: usize,
}

struct Taken {
    answers: [u8; 32],
    stage: Stage,
}

enum Stage {
    /// This request has it; these wait for its end.
    Runs { request: u64, waiting: Vec<Waker> },
    /// It ended with this reply, which is empty where there was no room to keep it.
    Ended(Vec<u8>),
    /// It was given back.
    Free,
}

/// Turns that are remembered, by default: some 20 MB without their replies.
const MOST_TURNS: usize = 100_000;
/// Bytes of replies that are remembered, by default.
const MOST_BYTES: usize = 64 * 1024 * 1024;

impl Default for MemoryGuard {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryGuard {
    /// A guard that remembers 100,000 turns. When it is full of turns that cannot be forgotten yet, it takes no more.
    #[must_use]
    pub fn new() -> Self {
        Self::with_room(MOST_TURNS)
    }

    /// A guard that remembers so many turns.
    #[must_use]
    pub fn with_room(turns: usize) -> Self {
        let clock = Arc::new(SystemClock);
        Self { turns: Mutex::default(), most: turns, most_bytes: MOST_BYTES, clock }
    }

    /// Remembers so many bytes of replies, 64 MiB by default. Beyond that a turn is remembered without its reply: who
    /// repeats it is refused, and it does not run again.
    #[must_use]
    pub fn with_reply_bytes(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// Forgets by this clock.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        // No code that can panic runs while the lock is held.
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_claim(&self, turn: &Turn, context: &Context<'_>) -> Poll<Result<Claim, GuardError>> {
        let now = self.clock.now();
        let mut turns = self.turns();
        let forgotten = turns.forget(now);
        let claim = Self::claim_in(&mut turns, turn, self.most, now, context);
        drop(turns);
        forgotten.into_iter().for_each(Waker::wake);
        claim
    }

    fn claim_in(
        turns: &mut Turns,
        turn: &Turn,
        most: usize,
        now: u64,
        context: &Context<'_>,
    ) -> Poll<Result<Claim, GuardError>> {
        let is_full = turns.taken.len() >= most;
        match turns.taken.get_mut(&(turn.saga, turn.round)) {
            Some(taken) if taken.answers != turn.answers => Poll::Ready(Ok(Claim::Forked)),
            Some(taken) => match &mut taken.stage {
                Stage::Runs { waiting, .. } => {
                    if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                        waiting.push(context.waker().clone());
                    }
                    Poll::Pending
                }
                Stage::Ended(reply) => Poll::Ready(Ok(Claim::Repeat(Some(reply.clone())))),
                stage @ Stage::Free => {
                    *stage = Stage::run_by(turn);
                    Poll::Ready(Ok(Claim::Fresh))
                }
            },
            None if is_full => Poll::Ready(Err(GuardError::new("the guard in memory is full"))),
            None => {
                turns.take(turn, now);
                Poll::Ready(Ok(Claim::Fresh))
            }
        }
    }

    /// Ends the stage in which this request has its turn, if it has it.
    fn end(&self, turn: &Turn, stage: impl FnOnce(&mut usize) -> Stage) {
        let mut turns = self.turns();
        let Turns { taken, bytes, .. } = &mut *turns;
        let Some(taken) = taken.get_mut(&(turn.saga, turn.round)) else { return };
        let Stage::Runs { request, waiting } = &mut taken.stage else { return };
        if *request != turn.request {
            return;
        }
        let waiting = std::mem::take(waiting);
        taken.stage = stage(bytes);
        drop(turns);
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl Stage {
    fn run_by(turn: &Turn) -> Self {
        Self::Runs { request: turn.request, waiting: Vec::new() }
    }
}

impl Turns {
    fn take(&mut self, turn: &Turn, now: u64) {
        let key = (turn.saga, turn.round);
        self.taken.insert(key, Taken { answers: turn.answers, stage: Stage::run_by(turn) });
        self.expiry.insert((now.saturating_add(turn.seconds.into()), key));
    }

    /// Forgets what is past; who still waits for it must be woken.
    fn forget(&mut self, now: u64) -> Vec<Waker> {
        let mut woken = Vec::new();
        while let Some((until, key)) = self.expiry.first().copied().filter(|(until, _)| *until <= now) {
            self.expiry.remove(&(until, key));
            match self.taken.remove(&key).map(|taken| taken.stage) {
                Some(Stage::Ended(reply)) => self.bytes -= reply.len(),
                Some(Stage::Runs { waiting, .. }) => woken.extend(waiting),
                Some(Stage::Free) | None => {}
            }
        }
        woken
    }
}

impl Guard for MemoryGuard {
    fn claim<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Claim> {
        // Nobody dies here without `abandon`, so there is always an end to wait for.
        Box::pin(poll_fn(|context| self.try_claim(turn, context)))
    }

    fn keep<'a>(&'a self, turn: &'a Turn, reply: Vec<u8>) -> Guarding<'a, Option<Vec<u8>>> {
        self.end(turn, |bytes| {
            let has_room = *bytes + reply.len() <= self.most_bytes;
            let reply = if has_room { reply } else { Vec::new() };
            *bytes += reply.len();
            Stage::Ended(reply)
        });
        // Here a claim does not run out.
        Box::pin(std::future::ready(Ok(None)))
    }

    fn kept<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Option<Vec<u8>>> {
        let turns = self.turns();
        let kept = match turns.taken.get(&(turn.saga, turn.round)) {
            Some(Taken { answers, stage: Stage::Ended(reply) }) if *answers == turn.answers => {
                Some(reply.clone())
            }
            _ => None,
        };
        drop(turns);
        Box::pin(std::future::ready(Ok(kept)))
    }

    fn abandon(&self, turn: &Turn) {
        self.end(turn, |_| Stage::Free);
    }
}

impl fmt::Debug for MemoryGuard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MemoryGuard")
            .field("turns", &self.turns().taken.len())
            .finish_non_exhaustive()
    }
}
