//! Sagas that are called together: `join!(call(a()), call(b()))`. Each runs until it ends or waits; when none can go on,
//! their questions make one round. What has ended is kept in the caller's frame until the others have.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use super::leaving::Gathered;
use super::{Away, Frame, HeldLocal, Left, Passed, Stale, call};
use crate::error::StepError;
use crate::held::Held;
use crate::script;
use crate::step::{Call, Each, Join, Step};

/// What one await calls: a saga, or several with steps among them.
pub trait Calls: Sized {
    /// What the await gives.
    type Output;

    /// How many it calls.
    fn branches(&self) -> usize;

    /// Runs them until all have ended, or none can go on.
    fn run(self, round: Round) -> impl Future<Output = Result<Self::Output, Away>>;

    /// Runs them as plain functions, under a script.
    fn plain(self, keys: &'static [&'static str]) -> impl Future<Output = Self::Output>;
}

/// One of several that are called together: a saga, or a step.
pub trait Branch: Sized {
    /// What it gives.
    type Output;

    /// Runs it until it ends, or leaves.
    fn run(self, frame: Frame, key: &'static str) -> impl Future<Output = Result<Self::Output, Left>>;

    /// Runs it as a plain function, under a script.
    fn plain(self, key: &'static str) -> impl Future<Output = Self::Output>;
}

/// Where those stand that one await calls.
#[derive(Debug)]
pub struct Round {
    pub(super) site: &'static str,
    pub(super) keys: &'static [&'static str],
    pub(super) entries: std::vec::IntoIter<Entry>,
}

/// Where one of them stands.
#[derive(Debug)]
pub(super) enum Entry {
    /// It ended in an earlier round, and gave this.
    Ended(HeldLocal),
    Runs(Frame),
}

impl Round {
    fn only(mut self) -> Result<Frame, Left> {
        match self.entries.next() {
            Some(Entry::Runs(frame)) => Ok(frame),
            _ => Err(Left::Stale(Stale::Site(self.site.to_owned()))),
        }
    }
}

/// The key of the branch at a place, if it is a step that has none of its own.
fn key(keys: &[&'static str], index: usize) -> &'static str {
    keys.get(index).copied().unwrap_or("step")
}

impl<F: Future> Calls for Call<F> {
    type Output = F::Output;

    fn branches(&self) -> usize {
        1
    }

    async fn run(self, round: Round) -> Result<F::Output, Away> {
        let frame = round.only().map_err(Away::Left)?;
        call::run(frame, self).await.map_err(|left| match left {
            Left::Suspended(leaving) => {
                let mut gathered = Gathered::default();
                gathered.waiting(*leaving);
                Away::Waiting(Box::new(gathered))
            }
            other => Away::Left(other),
        })
    }

    fn plain(self, _: &'static [&'static str]) -> impl Future<Output = F::Output> {
        self.into_inner()
    }
}

impl<F: Future> Branch for Call<F> {
    type Output = F::Output;

    fn run(self, frame: Frame, _: &'static str) -> impl Future<Output = Result<F::Output, Left>> {
        call::run(frame, self)
    }

    fn plain(self, _: &'static str) -> impl Future<Output = F::Output> {
        self.into_inner()
    }
}

impl<S: Step> Branch for S {
    type Output = Result<S::Answer, StepError>;

    async fn run(self, frame: Frame, key: &'static str) -> Result<Self::Output, Left> {
        frame.step(key, &self)
    }

    async fn plain(self, key: &'static str) -> Self::Output {
        script::ask(self, &[key]).await
    }
}

/// What a branch gives that may end before the others: it is kept in the state until they have ended, too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot travel in the saga token",
    label = "given here by one of several, and kept until the others have ended",
    note = "let it be an owned value that derives `serde::Serialize` and `serde::Deserialize`, and an error a \
            `ToolError` or one of that kind; or await one after the other"
)]
pub trait Kept: for<'s> Held<'s> {}

#[diagnostic::do_not_recommend]
impl<T: for<'s> Held<'s>> Kept for T {}

/// A branch on its way.
pub(super) enum Progress<F: Future<Output = Result<T, Left>>, T> {
    Runs(Pin<Box<F>>),
    Ended(T),
    Left(Left),
}

impl<F: Future<Output = Result<T, Left>>, T> Progress<F, T> {
    /// Goes on; whether it has come to its end, or has left.
    pub(super) fn rests(&mut self, context: &mut Context<'_>) -> bool {
        if let Self::Runs(branch) = self {
            *self = match branch.as_mut().poll(context) {
                Poll::Pending => return false,
                Poll::Ready(Ok(gave)) => Self::Ended(gave),
                Poll::Ready(Err(left)) => Self::Left(left),
            };
        }
        true
    }

    /// Whether it has ended with a failure.
    pub(super) fn has_failed(&self, is_failure: impl Fn(&T) -> bool) -> bool {
        matches!(self, Self::Ended(gave) if is_failure(gave))
    }

    /// What it gave, if it has ended.
    pub(super) fn ended(self) -> Option<T> {
        match self {
            Self::Ended(gave) => Some(gave),
            Self::Runs(_) | Self::Left(_) => None,
        }
    }

    /// Adds where it stands to where the others stand, with what is kept of it if it has ended.
    pub(super) fn gather<K: Kept>(
        self,
        gathered: &mut Gathered,
        kept: impl FnOnce(T) -> Option<K>,
    ) -> Result<(), Away> {
        match self {
            Self::Ended(gave) => {
                if let Some(kept) = kept(gave) {
                    gathered.ended(Passed::new(BRANCH, &kept).encoded().map_err(Away::Left)?);
                }
            }
            Self::Left(Left::Suspended(leaving)) => gathered.waiting(*leaving),
            Self::Left(other) => return Err(Away::Left(other)),
            Self::Runs(_) => {}
        }
        Ok(())
    }
}

impl Round {
    /// Starts the branch at a place, or goes on with it; one that has ended gives again what was kept of it.
    #[expect(clippy::type_complexity, reason = "the future has no name")]
    pub(super) fn start<B: Branch, K: Kept, G: FnOnce(K) -> B::Output>(
        &mut self,
        branch: B,
        index: usize,
        gave: G,
    ) -> Result<Progress<impl Future<Output = Result<B::Output, Left>> + use<B, K, G>, B::Output>, Away> {
        let key = key(self.keys, index);
        match self.entries.next() {
            Some(Entry::Runs(frame)) => Ok(Progress::Runs(Box::pin(branch.run(frame, key)))),
            Some(Entry::Ended(kept)) => match kept.taken(BRANCH) {
                Ok(kept) => Ok(Progress::Ended(gave(kept))),
                Err(change) => {
                    let (site, local) = (self.site.to_owned(), BRANCH.to_owned());
                    Err(Away::Left(Left::Stale(Stale::Local { site, local, change })))
                }
            },
            None => Err(Away::Left(Left::Stale(Stale::Site(self.site.to_owned())))),
        }
    }
}

/// What the log calls the value of a branch.
const BRANCH: &str = "(branch)";

/// A plain branch, which never leaves.
pub(super) async fn plain<B: Branch>(branch: B, key: &'static str) -> Result<B::Output, Left> {
    Ok(branch.plain(key).await)
}

macro_rules! rounds {
    ($count:literal: $($branch:ident $kept:ident $index:literal),+) => {
        #[allow(non_snake_case, reason = "a branch's type names its value, too")]
        impl<$($branch: Branch<Output: Kept>),+> Calls for Each<Join<($($branch,)+)>> {
            type Output = ($($branch::Output,)+);

            fn branches(&self) -> usize {
                $count
            }

            async fn run(self, mut round: Round) -> Result<Self::Output, Away> {
                let ($($branch,)+) = self.into_inner().into_inner();
                $(let mut $branch = round.start($branch, $index, |kept| kept)?;)+
                poll_fn(|context| all_rest([$($branch.rests(context)),+])).await;
                match ($($branch,)+) {
                    ($(Progress::Ended($branch),)+) => Ok(($($branch,)+)),
                    ($($branch,)+) => {
                        let mut gathered = Gathered::default();
                        $($branch.gather(&mut gathered, Some)?;)+
                        Err(Away::Waiting(Box::new(gathered)))
                    }
                }
            }

            async fn plain(self, keys: &'static [&'static str]) -> Self::Output {
                let ($($branch,)+) = self.into_inner().into_inner();
                $(let mut $branch = Progress::Runs(Box::pin(plain($branch, key(keys, $index))));)+
                script::together(|context| {
                    [$(script::rest(|| $branch.rests(context))),+].into_iter().max()
                }).await;
                match ($($branch,)+) {
                    ($(Progress::Ended($branch),)+) => ($($branch,)+),
                    _ => crate::__private::unreachable(),
                }
            }
        }

        #[allow(non_snake_case, reason = "a branch's type names its value, too")]
        impl<Error, $($kept: Kept, $branch: Branch<Output = Result<$kept, Error>>),+> Calls
            for Join<($($branch,)+)>
        {
            type Output = Result<($($kept,)+), Error>;

            fn branches(&self) -> usize {
                $count
            }

            async fn run(self, mut round: Round) -> Result<Self::Output, Away> {
                let ($($branch,)+) = self.into_inner();
                $(let mut $branch = round.start($branch, $index, Ok)?;)+
                poll_fn(|context| all_rest([$($branch.rests(context)),+])).await;
                // The others are dropped: what they would ask is in vain.
                $(let $branch = match $branch {
                    Progress::Ended(Err(error)) => return Ok(Err(error)),
                    other => other,
                };)+
                match ($($branch,)+) {
                    ($(Progress::Ended(Ok($branch)),)+) => Ok(Ok(($($branch,)+))),
                    ($($branch,)+) => {
                        let mut gathered = Gathered::default();
                        $($branch.gather(&mut gathered, Result::ok)?;)+
                        Err(Away::Waiting(Box::new(gathered)))
                    }
                }
            }

            async fn plain(self, keys: &'static [&'static str]) -> Self::Output {
                let ($($branch,)+) = self.into_inner();
                $(let mut $branch = Progress::Runs(Box::pin(plain($branch, key(keys, $index))));)+
                script::together(|context| {
                    let rest = [$(script::rest(|| $branch.rests(context))),+].into_iter().max();
                    let failed = $(matches!($branch, Progress::Ended(Err(_))))||+;
                    if failed && rest == Some(script::Rest::Asks) { None } else { rest }
                }).await;
                $(let $branch = match $branch {
                    Progress::Ended(Err(error)) => return Err(error),
                    other => other,
                };)+
                match ($($branch,)+) {
                    ($(Progress::Ended(Ok($branch)),)+) => Ok(($($branch,)+)),
                    _ => crate::__private::unreachable(),
                }
            }
        }
    };
}

/// Whether each of them rests; all of them go on, also beside one that does not rest.
pub(super) fn all_rest(rest: impl IntoIterator<Item = bool>) -> Poll<()> {
    let all = rest.into_iter().fold(true, |all, rests| all & rests);
    if all { Poll::Ready(()) } else { Poll::Pending }
}

rounds!(1: A A1 0);
rounds!(2: A A1 0, B B1 1);
rounds!(3: A A1 0, B B1 1, C C1 2);
rounds!(4: A A1 0, B B1 1, C C1 2, D D1 3);
rounds!(5: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4);
rounds!(6: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5);
rounds!(7: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5, G G1 6);
rounds!(8: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5, G G1 6, H H1 7);
rounds!(9: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5, G G1 6, H H1 7, I I1 8);
rounds!(10: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5, G G1 6, H H1 7, I I1 8, J J1 9);
rounds!(11: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5, G G1 6, H H1 7, I I1 8, J J1 9, K K1 10);
rounds!(12: A A1 0, B B1 1, C C1 2, D D1 3, E E1 4, F F1 5, G G1 6, H H1 7, I I1 8, J J1 9, K K1 10, L L1 11);
