//! A function on its way out: why it left, and what its callers add until the host has all of it.

use std::collections::BTreeMap;

use super::position::{Outstanding, Position, SavedFrame, Waits};
use super::{Asked, HeldLocal, HeldSize, Holding, Stale, Suspended, Transition};
use crate::result::ToolResult;

/// Why a function left.
#[derive(Debug)]
#[non_exhaustive]
pub enum Left {
    /// It waits for answers, itself or in sagas that it called.
    Suspended(Box<Leaving>),
    /// The state does not belong to this build of the tool.
    Stale(Stale),
    /// A held local cannot be serialized.
    Unsealable {
        /// The local's name.
        local: &'static str,
        /// Which part of it cannot travel, and why.
        error: String,
    },
}

/// A suspension on its way to the host.
#[derive(Debug)]
pub struct Leaving {
    pub(super) waiting: Waiting,
    pub(super) told: Told,
}

/// A function that waits, with the sagas that it waits for.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) site: String,
    pub(super) held: Vec<HeldLocal>,
    pub(super) on: On,
}

/// What a function waits for.
#[derive(Debug)]
pub(super) enum On {
    Answers { question: Vec<u8>, steps: Vec<Outstanding> },
    Sagas(Vec<Branch>),
}

/// One of the sagas that a function called together.
#[derive(Debug)]
pub(super) enum Branch {
    /// It has ended, and gave this.
    Ended(HeldLocal),
    /// It waits itself.
    Waiting(Waiting),
}

/// What the host is told beside the position.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) asked: Vec<Asked>,
    pub(super) held: Vec<HeldSize>,
    pub(super) partial: Option<ToolResult>,
    /// Whether anything is asked for the first time.
    pub(super) is_new: bool,
}

/// Why called sagas did not all end.
#[derive(Debug)]
#[non_exhaustive]
pub enum Away {
    /// Some of them wait.
    Waiting(Box<Gathered>),
    /// One cannot go on.
    Left(Left),
}

/// Sagas that were called together, as far as they are known.
#[derive(Debug, Default)]
pub struct Gathered {
    branches: Vec<Branch>,
    told: Told,
}

impl Gathered {
    /// Adds one that has ended.
    pub(super) fn ended(&mut self, gave: HeldLocal) {
        self.branches.push(Branch::Ended(gave));
    }

    /// Adds one that waits.
    pub(super) fn waiting(&mut self, Leaving { waiting, told }: Leaving) {
        self.branches.push(Branch::Waiting(waiting));
        let Told { asked, held, partial, is_new } = told;
        self.told.asked.extend(asked);
        self.told.held.extend(held);
        self.told.partial = self.told.partial.take().or(partial);
        self.told.is_new |= is_new;
    }

    /// The suspension of the function that called them.
    pub(super) fn around(self, site: &'static str, holding: Holding) -> Result<Leaving, Left> {
        let (held, mut sizes) = holding.saved()?;
        let Self { branches, mut told } = self;
        sizes.append(&mut told.held);
        told.held = sizes;
        Ok(Leaving { waiting: Waiting { site: site.to_owned(), held, on: On::Sagas(branches) }, told })
    }
}

impl Waiting {
    /// Writes itself and the sagas that it waits for after what is there.
    fn save(self, caller: u32, frames: &mut Vec<SavedFrame>) {
        let Self { site, held, on } = self;
        let own = frames.len();
        let (waits, sagas) = match on {
            On::Answers { question, steps } => (Waits::Answers { question, steps }, Vec::new()),
            On::Sagas(branches) => {
                let (mut gave, mut sagas) = (Vec::new(), Vec::new());
                for branch in branches {
                    match branch {
                        Branch::Ended(value) => gave.push(Some(value)),
                        Branch::Waiting(saga) => {
                            gave.push(None);
                            sagas.push(saga);
                        }
                    }
                }
                (Waits::Sagas(gave), sagas)
            }
        };
        frames.push(SavedFrame { caller, site, held, waits });
        let caller = u32::try_from(own).unwrap_or(u32::MAX);
        for saga in sagas {
            saga.save(caller, frames);
        }
    }
}

impl Left {
    /// The transition that ends as the tool left.
    pub(super) fn transition<R>(self, visits: BTreeMap<String, u16>) -> Transition<R> {
        match self {
            Self::Suspended(leaving) => {
                let Leaving { waiting, told: Told { asked, held, partial, is_new } } = *leaving;
                let mut frames = Vec::new();
                waiting.save(0, &mut frames);
                let position = Position { frames, visits };
                let partial = partial.filter(|_| asked.is_empty());
                if is_new {
                    return Transition::Suspended(Suspended { position, asked, held, partial });
                }
                Transition::AskedAgain(Suspended { position, asked, held: Vec::new(), partial: None })
            }
            Self::Stale(stale) => Transition::Stale(stale),
            Self::Unsealable { local, error } => Transition::Unsealable { local, error },
        }
    }
}
