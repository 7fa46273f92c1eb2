//! As many sagas of one kind as there are: `join_all(names.iter().map(|name| call(review(name))))`.

use std::future::{Future, poll_fn};

use super::leaving::Gathered;
use super::round::{Calls, Kept, Progress, Round, all_rest, plain};
use super::{Away, Left};
use crate::script::{self, Rest};
use crate::step::{Call, Each, JoinAll};

/// A saga has no key of its own.
const NO_KEY: &str = "";

impl<F: Future<Output: Kept>> Calls for Each<JoinAll<Call<F>>> {
    type Output = Vec<F::Output>;

    fn branches(&self) -> usize {
        self.get().get().len()
    }

    async fn run(self, mut round: Round) -> Result<Self::Output, Away> {
        let calls = self.into_inner().into_inner().into_iter().enumerate();
        let branches = calls.map(|(index, call)| round.start(call, index, |kept| kept));
        ended_or_gathered(together(branches.collect::<Result<_, _>>()?).await, Some)
    }

    async fn plain(self, _: &'static [&'static str]) -> Self::Output {
        plainly_together(self.into_inner().into_inner(), |_| false).await
    }
}

impl<Error, T: Kept, F: Future<Output = Result<T, Error>>> Calls for JoinAll<Call<F>> {
    type Output = Result<Vec<T>, Error>;

    fn branches(&self) -> usize {
        self.get().len()
    }

    async fn run(self, mut round: Round) -> Result<Self::Output, Away> {
        let calls = self.into_inner().into_iter().enumerate();
        let branches = calls.map(|(index, call)| round.start(call, index, Ok));
        let branches = together(branches.collect::<Result<_, _>>()?).await;
        let branches = failed_or_all(branches, Result::is_err);
        Ok(ended_or_gathered(branches, Result::ok)?.into_iter().collect())
    }

    async fn plain(self, _: &'static [&'static str]) -> Self::Output {
        plainly_together(self.into_inner(), Result::is_err).await.into_iter().collect()
    }
}

/// Goes on with all until each rests.
async fn together<F: Future<Output = Result<T, Left>>, T>(
    mut branches: Vec<Progress<F, T>>,
) -> Vec<Progress<F, T>> {
    poll_fn(|context| all_rest(branches.iter_mut().map(|branch| branch.rests(context)))).await;
    branches
}

/// The first that failed, in their order, or all. The others are dropped: what they would ask is in vain.
fn failed_or_all<F: Future<Output = Result<T, Left>>, T>(
    mut branches: Vec<Progress<F, T>>,
    is_failure: impl Fn(&T) -> bool,
) -> Vec<Progress<F, T>> {
    match branches.iter().position(|branch| branch.has_failed(&is_failure)) {
        Some(failed) => vec![branches.swap_remove(failed)],
        None => branches,
    }
}

/// What they gave, if all have ended, or where they stand.
fn ended_or_gathered<F: Future<Output = Result<T, Left>>, T, K: Kept>(
    branches: Vec<Progress<F, T>>,
    kept: impl Fn(T) -> Option<K>,
) -> Result<Vec<T>, Away> {
    if branches.iter().all(|branch| matches!(branch, Progress::Ended(_))) {
        return Ok(branches.into_iter().filter_map(Progress::ended).collect());
    }
    let mut gathered = Gathered::default();
    for branch in branches {
        branch.gather(&mut gathered, &kept)?;
    }
    Err(Away::Waiting(Box::new(gathered)))
}

/// What plain functions give that run together, up to the first failure in their order.
async fn plainly_together<F: Future>(
    calls: Vec<Call<F>>,
    is_failure: impl Fn(&F::Output) -> bool,
) -> Vec<F::Output> {
    let start = |call| Progress::Runs(Box::pin(plain(call, NO_KEY)));
    let mut branches: Vec<_> = calls.into_iter().map(start).collect();
    script::together(|context| {
        let rest = branches.iter_mut().map(|branch| script::rest(|| branch.rests(context))).max();
        let failed = branches.iter().any(|branch| branch.has_failed(&is_failure));
        let in_vain = rest == Some(Rest::Asks) && failed;
        if in_vain { None } else { rest }
    })
    .await;
    failed_or_all(branches, is_failure).into_iter().filter_map(Progress::ended).collect()
}
