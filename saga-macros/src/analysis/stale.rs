//! Which borrows may no longer be derived again: those with an input that is assigned between the binding and the
//! suspension.
//!
//! ```text
//! let mut p = &x; let r = &p.name; p = &y; /* a suspension here: `r` is of `x`, `p` is of `y` */
//! ```
//!
//! A forward analysis: a binding makes its group fresh, an assignment to an input, or a change of the part of it that it
//! is of, makes it stale, and a group is stale where it is so on any path.

use std::collections::BTreeSet;

use crate::flow::{Event, Graph};
use crate::tree::{Body, GroupId, LocalId};

/// The groups that are stale at the end of each block.
pub(super) fn stale_out(body: &Body, graph: &Graph) -> Vec<BTreeSet<GroupId>> {
    let mut entering: Vec<BTreeSet<GroupId>> = vec![BTreeSet::new(); graph.blocks.len()];
    let mut work: Vec<usize> = (0..graph.blocks.len()).rev().collect();
    while let Some(index) = work.pop() {
        let leaving = through(body, graph, index, &entering[index]);
        for successor in graph.blocks[index].exit.successors() {
            if !leaving.is_subset(&entering[successor.0]) {
                entering[successor.0].extend(leaving.iter().copied());
                work.push(successor.0);
            }
        }
    }
    (0..graph.blocks.len()).map(|index| through(body, graph, index, &entering[index])).collect()
}

fn through(body: &Body, graph: &Graph, index: usize, entering: &BTreeSet<GroupId>) -> BTreeSet<GroupId> {
    let mut stale = entering.clone();
    for event in &graph.blocks[index].events {
        match event {
            Event::Bind(group) => {
                stale.remove(group);
            }
            Event::Change(group) => {
                stale.insert(*group);
            }
            Event::Assign(local) => stale.extend(derived_from(body, *local)),
            Event::Use(_) | Event::Define(_) | Event::Part(_) => {}
        }
    }
    stale
}

fn derived_from(body: &Body, input: LocalId) -> impl Iterator<Item = GroupId> {
    let groups = body.groups.iter().enumerate();
    groups.filter_map(move |(index, group)| {
        let inputs = &group.rebuild.as_ref()?.inputs;
        inputs.contains(&input).then_some(GroupId(index))
    })
}
