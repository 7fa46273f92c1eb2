//! Plain functions that run together: what they ask is answered in rounds, as the compiled tool's is.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use super::{Script, current};
use crate::frame::Asked;
use crate::step::Answer;

/// What a function asks while others run, and where it finds the answers.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    asked: Vec<Asked>,
    answers: Arc<Mutex<Option<BTreeMap<String, Answer>>>>,
}

/// How one of several functions that run together stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rest {
    /// It has ended.
    Ended,
    /// It waits for its answers.
    Asks,
    /// It awaits something else.
    Awaits,
}

/// Lets one of them go on, as far as it comes; `poll` says whether it has ended.
pub(crate) fn rest(poll: impl FnOnce() -> bool) -> Rest {
    let script = current();
    script.lock().plain.asks = false;
    match poll() {
        true => Rest::Ended,
        false if script.lock().plain.asks => Rest::Asks,
        false => Rest::Awaits,
    }
}

/// Runs functions together: `pass` lets each go on, and says how far behind the last of them is; nothing where the
/// others do not matter any more. When each asks or has ended, all that is asked is answered, as in one round.
pub(crate) async fn together(mut pass: impl FnMut(&mut Context<'_>) -> Option<Rest>) {
    let script = current();
    poll_fn(|context| {
        loop {
            let inside = script.begin_pass();
            let rest = pass(context);
            let mut shared = script.lock();
            let plain = &mut shared.plain;
            plain.together = inside;
            match rest {
                None | Some(Rest::Ended) => return Poll::Ready(()),
                Some(Rest::Awaits) => {
                    plain.asks = false;
                    return Poll::Pending;
                }
                // Whoever runs these beside others answers all.
                Some(Rest::Asks) if inside => {
                    plain.asks = true;
                    return Poll::Pending;
                }
                Some(Rest::Asks) => {}
            }
            drop(shared);
            script.answer_waiting();
        }
    })
    .await;
}

impl Script {
    /// Answers what a plain function asks; where others run beside it, when each of them asks.
    pub(super) async fn answered(&self, asked: Vec<Asked>) -> BTreeMap<String, Answer> {
        if !self.lock().plain.together {
            self.begin_round();
            return self.answers(asked);
        }
        let waiting = Waiting { asked, answers: Arc::default() };
        poll_fn(|_| {
            if let Some(given) = waiting.answers.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Poll::Ready(given);
            }
            let plain = &mut self.lock().plain;
            plain.asks = true;
            plain.waiting.push(waiting.clone());
            Poll::Pending
        })
        .await
    }

    /// Says that functions run together from here on; gives whether they did before.
    fn begin_pass(&self) -> bool {
        let plain = &mut self.lock().plain;
        if !plain.together {
            plain.waiting.clear();
        }
        std::mem::replace(&mut plain.together, true)
    }

    fn begin_round(&self) {
        let plain = &mut self.lock().plain;
        plain.rounds = plain.rounds.saturating_add(1);
    }

    fn answer_waiting(&self) {
        self.begin_round();
        let waiting = std::mem::take(&mut self.lock().plain.waiting);
        for Waiting { asked, answers } in waiting {
            let given = self.answers(asked);
            *answers.lock().unwrap_or_else(PoisonError::into_inner) = Some(given);
        }
    }
}
