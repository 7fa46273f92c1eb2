//! The function as a graph of what happens to its locals: blocks of events, and where control goes from each.
//!
//! It knows no syntax. The tree says how the code is written, the graph in which orders it may run; the analysis
//! reads the graph alone.

mod text;
pub(crate) mod verify;

use crate::tree::{GroupId, LocalId, SiteId};

/// A block of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlockId(pub(crate) usize);

/// The graph of one function. Control starts in block 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) blocks: Vec<Block>,
    pub(crate) parts: Vec<Part>,
    /// How many locals the function has.
    pub(crate) locals: usize,
}

/// Events in order, and where control goes then.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub(crate) events: Vec<Event>,
    pub(crate) exit: Exit,
}

/// What may happen to a local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Its value, or a part of it, is read, borrowed or changed.
    Use(LocalId),
    /// It gets a value, or is declared afresh: what it had before is of no matter.
    Define(LocalId),
    /// It is assigned after its declaration: whatever was derived from it before is of an older value.
    Assign(LocalId),
    /// The locals of a pattern are bound.
    Bind(GroupId),
    /// A part of what they were derived from is another one.
    Change(GroupId),
    /// Something is done with a part of a parameter that may have a cell inside.
    Part(PartId),
}

/// One of the graph's [parts](Part).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PartId(pub(crate) usize);

/// A part of a parameter, and what is done with it in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) local: LocalId,
    /// The names of the fields that lead to it; none, if it is the whole.
    pub(crate) fields: Vec<String>,
    /// Whether a cell in it may be changed, or come to be known to what may change it later.
    pub(crate) is_shared: bool,
    pub(crate) taken: Taken,
}

/// How much of a part may be gone afterwards: what can be copied is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Taken {
    Nothing,
    /// Nothing; but only some of what is in it is looked at, by a pattern: the rest may be gone.
    Seen,
    #[default]
    All,
    /// All, if the method that is called on it takes it.
    Called,
    /// Some of what is in it, of which is not known what: by a pattern, for example.
    Some,
}

/// Where control goes from a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Exit {
    Goto(BlockId),
    Branch(Vec<BlockId>),
    /// Control leaves the process here, and comes back at the block, if ever.
    Suspend {
        site: SiteId,
        resume: BlockId,
    },
    /// The function returns, or control cannot come here at all.
    #[default]
    Return,
}

impl Exit {
    pub(crate) fn successors(&self) -> &[BlockId] {
        match self {
            Self::Goto(target) | Self::Suspend { resume: target, .. } => std::slice::from_ref(target),
            Self::Branch(targets) => targets,
            Self::Return => &[],
        }
    }
}
