//! Which parameters may have been changed through a shared reference where a question is asked, and are all there: they
//! are looked at then, and of what a part was moved out nothing can be.
//!
//! ```text
//! let size = plan.size; see(&plan); /* a suspension here: `size` was copied, or rustc would refuse `&plan` */
//! see(&plan); let title = plan.title; /* here: perhaps it was moved */ end(plan.size)
//! ```
//!
//! What may have been taken is still there if it is used again on some path from there.

use std::collections::{BTreeMap, BTreeSet};

use crate::flow::{BlockId, Event, Graph, Part, PartId, Taken};
use crate::tree::LocalId;

/// Parts of one local, each by the fields that lead to it; none of them is in another.
pub(crate) type Parts = BTreeSet<Vec<String>>;

/// What the function shares of its parameters, and where some of them is gone.
pub(super) struct SharedParts {
    shared: BTreeMap<LocalId, Parts>,
    /// What may be gone of them at each block's end.
    parted: Vec<Takings>,
}

/// What may have been taken of each local.
type Takings = BTreeMap<LocalId, BTreeSet<PartId>>;

/// The same in one place.
pub(super) struct PerhapsChanged<'p> {
    graph: &'p Graph,
    shared: &'p BTreeMap<LocalId, Parts>,
    parted: &'p Takings,
    /// Where control comes back.
    resume: BlockId,
}

impl SharedParts {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut shared = BTreeMap::<_, Parts>::new();
        for Part { local, fields, .. } in graph.parts.iter().filter(|part| part.is_shared) {
            shared.entry(*local).or_default().insert(fields.clone());
        }
        for parts in shared.values_mut() {
            *parts = outermost(parts);
        }
        let mut parted = vec![Takings::new(); graph.blocks.len()];
        for (index, block) in graph.blocks.iter().enumerate() {
            for (at, event) in block.events.iter().enumerate() {
                let Event::Part(part) = event else { continue };
                if let Some(reached) = after_taking(graph, *part, BlockId(index), at) {
                    let local = graph.parts[part.0].local;
                    for block in reached {
                        parted[block.0].entry(local).or_default().insert(*part);
                    }
                }
            }
        }
        Self { shared, parted }
    }

    /// Where a block suspends.
    pub(super) fn at_end<'p>(
        &'p self,
        graph: &'p Graph,
        block: usize,
        resume: BlockId,
    ) -> PerhapsChanged<'p> {
        PerhapsChanged { graph, shared: &self.shared, parted: &self.parted[block], resume }
    }
}

impl PerhapsChanged<'_> {
    /// The parts in which the local may be another, if it is all there.
    pub(super) fn shared(&self, local: LocalId) -> Option<Parts> {
        self.shared.get(&local).filter(|_| !self.parted.contains_key(&local)).cloned()
    }

    /// The parts in which it may be another, if something of it may be gone: those that are used later, for they are
    /// there.
    pub(super) fn left(&self, local: LocalId) -> Parts {
        let (Some(shared), Some(takings)) = (self.shared.get(&local), self.parted.get(&local)) else {
            return Parts::new();
        };
        let is_shared = |part: &Part| shared.iter().any(|fields| meet(fields, &part.fields));
        let takes =
            |part: &Part| takings.iter().any(|taking| meet(&self.graph.parts[taking.0].fields, &part.fields));
        let is_there = |part: &Part| !matches!(part.taken, Taken::Some | Taken::Seen) || !takes(part);
        let blocks = reachable(self.graph, self.resume).into_iter();
        let parts = blocks.flat_map(|block| parts_in(self.graph, block)).filter(|part| part.local == local);
        let left = parts.filter(|part| is_shared(part) && is_there(part));
        outermost(&left.map(|part| part.fields.clone()).collect())
    }
}

/// Whether one of two parts is in the other.
pub(crate) fn meet(one: &[String], other: &[String]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn parts_in(graph: &Graph, block: BlockId) -> impl Iterator<Item = &Part> {
    parts_of(graph, &graph.blocks[block.0].events)
}

fn parts_of<'g>(graph: &'g Graph, events: &'g [Event]) -> impl Iterator<Item = &'g Part> {
    events.iter().filter_map(|event| match event {
        Event::Part(part) => Some(&graph.parts[part.0]),
        _ => None,
    })
}

fn reachable(graph: &Graph, start: BlockId) -> BTreeSet<BlockId> {
    let (mut reached, mut work) = (BTreeSet::new(), vec![start]);
    while let Some(block) = work.pop() {
        if reached.insert(block) {
            work.extend(graph.blocks[block.0].exit.successors());
        }
    }
    reached
}

fn outermost(parts: &Parts) -> Parts {
    let is_inside = |part: &Vec<String>| parts.iter().any(|other| other != part && part.starts_with(other));
    parts.iter().filter(|part| !is_inside(part)).cloned().collect()
}

/// The blocks at whose ends the part may be gone, if it was taken here; `None`, if it was not.
fn after_taking(graph: &Graph, part: PartId, block: BlockId, at: usize) -> Option<BTreeSet<BlockId>> {
    let taken = &graph.parts[part.0];
    // Of what a method took the whole, nothing is used later but what is derived again: it was borrowed, then.
    let is_borrowed = taken.taken == Taken::Called && taken.fields.is_empty();
    if is_borrowed || matches!(taken.taken, Taken::Nothing | Taken::Seen) {
        return None;
    }
    let later = parts_of(graph, &graph.blocks[block.0].events[at + 1..]);
    let next = graph.blocks[block.0].exit.successors().iter();
    let reached: BTreeSet<_> = next.flat_map(|next| reachable(graph, *next)).collect();
    let mut later = later.chain(reached.iter().flat_map(|block| parts_in(graph, *block)));
    let is_there = later.any(|later| shows_whole(taken, later));
    (!is_there).then(|| reached.into_iter().chain([block]).collect())
}

/// Whether what was perhaps taken was not, for rustc accepts what is done with this later.
fn shows_whole(taken: &Part, later: &Part) -> bool {
    let is_in = taken.fields.starts_with(&later.fields);
    let has_in_it = later.fields.starts_with(&taken.fields);
    taken.local == later.local
        && match (taken.taken, later.taken) {
            (Taken::Some, Taken::Some | Taken::Seen) => false,
            // Of some of it is not known what is left.
            (Taken::Some, _) => is_in,
            (_, Taken::Some | Taken::Seen) => has_in_it,
            _ => is_in || has_in_it,
        }
}
