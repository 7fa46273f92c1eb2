//! Several steps in one round: `join!(a, b, ..)` and `join_all(steps)`.

use serde::{Deserialize, Serialize};

use super::question::{Asking, Question, Reading};
use super::{Call, Step};
use crate::error::StepError;

/// Asks several steps in one round.
///
/// The await gives a tuple of their answers, or the first error in the order in which they are written;
/// [`.each()`](Join::each) gives each step's own result. The steps are asked together, and those whose answers are
/// missing or do not fit are asked again without the others.
///
/// ```ignore
/// let (name, size) = join!(elicit::<Name>("Who?"), elicit::<Size>("Which size?")).await?;
/// ```
///
/// Sagas may be among them: `join!(call(fly(&trip)), call(sleep(&trip)))`. Each runs until it asks or ends, then the
/// questions of all make one round. The first error ends the others, which are dropped where they wait;
/// with `.each()` all run to their ends. What a saga gives must be able to travel, since it may end before the others.
#[macro_export]
macro_rules! join {
    ($($step:expr),+ $(,)?) => {
        $crate::step::Join::of(($($step,)+))
    };
}

/// Several steps of their own types; made by [`join!`](crate::join).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[must_use = "questions do nothing unless awaited in a tool"]
pub struct Join<T>(T);

impl<T> Join<T> {
    /// A round of these steps.
    pub const fn of(steps: T) -> Self {
        Self(steps)
    }

    /// Gives each step's own result instead of the first error.
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

/// Asks any number of steps of one type in one round; the await gives their answers in order, or the first error.
///
/// ```ignore
/// let answers = join_all(names.iter().map(|name| elicit::<Confirm>(format!("Invite {name}?")))).await?;
/// ```
///
/// It calls any number of sagas, too, one for each item of what it goes over:
/// `join_all(names.iter().map(|name| call(review(name)))).await?`. They run as those of a [`join!`](crate::join) do.
pub fn join_all<J: Joined>(all: impl IntoIterator<Item = J>) -> JoinAll<J> {
    JoinAll(all.into_iter().collect())
}

/// What [`join_all`] takes: steps, or the calls of sagas.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a question",
    label = "awaited as a question, by its name",
    note = "`join_all` takes questions of one kind, or calls of one saga: \
            `join_all(names.iter().map(|name| call(review(name))))`"
)]
pub trait Joined {}

#[diagnostic::do_not_recommend]
impl<S: Step> Joined for S {}

#[diagnostic::do_not_recommend]
impl<F> Joined for Call<F> {}

/// Any number of steps, or of calls, of one type; made by [`join_all`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[must_use = "questions do nothing unless awaited in a tool"]
pub struct JoinAll<S>(Vec<S>);

impl<S> JoinAll<S> {
    /// Gives each step's own result instead of the first error.
    pub fn each(self) -> Each<Self> {
        Each(self)
    }

    pub(crate) fn get(&self) -> &[S] {
        &self.0
    }

    pub(crate) fn into_inner(self) -> Vec<S> {
        self.0
    }
}

/// Several steps in one round, each with its own result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[must_use = "questions do nothing unless awaited in a tool"]
pub struct Each<T>(T);

impl<T> Each<T> {
    pub(crate) const fn get(&self) -> &T {
        &self.0
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

#[diagnostic::do_not_recommend]
impl<S: Step> Question for Each<JoinAll<S>> {
    type Output = Vec<Result<S::Answer, StepError>>;

    fn ask(&self, asking: &mut Asking<'_>) {
        let Self(JoinAll(steps)) = self;
        for step in steps {
            asking.step(step);
        }
    }

    fn read(&self, reading: &mut Reading<'_>) -> Option<Self::Output> {
        let Self(JoinAll(steps)) = self;
        // Every step is read before the round is given up, so that good answers are kept.
        let read: Vec<_> = steps.iter().map(|step| reading.step(step)).collect();
        read.into_iter().collect()
    }
}

#[diagnostic::do_not_recommend]
impl<S: Step> Question for JoinAll<S> {
    type Output = Result<Vec<S::Answer>, StepError>;

    fn ask(&self, asking: &mut Asking<'_>) {
        for step in &self.0 {
            asking.step(step);
        }
    }

    fn read(&self, reading: &mut Reading<'_>) -> Option<Self::Output> {
        let read: Vec<_> = self.0.iter().map(|step| reading.step(step)).collect();
        let read: Vec<_> = read.into_iter().collect::<Option<_>>()?;
        Some(read.into_iter().collect())
    }
}

macro_rules! joins {
    ($($step:ident)+) => {
        #[allow(non_snake_case, reason = "a step's type names its value, too")]
        #[diagnostic::do_not_recommend]
        impl<$($step: Step),+> Question for Each<Join<($($step,)+)>> {
            type Output = ($(Result<$step::Answer, StepError>,)+);

            fn ask(&self, asking: &mut Asking<'_>) {
                let Self(Join(($($step,)+))) = self;
                $(asking.step($step);)+
            }

            fn read(&self, reading: &mut Reading<'_>) -> Option<Self::Output> {
                let Self(Join(($($step,)+))) = self;
                $(let $step = reading.step($step);)+
                Some(($($step?,)+))
            }
        }

        #[allow(non_snake_case, reason = "a step's type names its value, too")]
        #[diagnostic::do_not_recommend]
        impl<$($step: Step),+> Question for Join<($($step,)+)> {
            type Output = Result<($($step::Answer,)+), StepError>;

            fn ask(&self, asking: &mut Asking<'_>) {
                let Self(($($step,)+)) = self;
                $(asking.step($step);)+
            }

            fn read(&self, reading: &mut Reading<'_>) -> Option<Self::Output> {
                let Self(($($step,)+)) = self;
                $(let $step = reading.step($step);)+
                $(let $step = $step?;)+
                Some((|| Ok(($($step?,)+)))())
            }
        }
    };
}

joins!(A);
joins!(A B);
joins!(A B C);
joins!(A B C D);
joins!(A B C D E);
joins!(A B C D E F);
joins!(A B C D E F G);
joins!(A B C D E F G H);
joins!(A B C D E F G H I);
joins!(A B C D E F G H I J);
joins!(A B C D E F G H I J K);
joins!(A B C D E F G H I J K L);
