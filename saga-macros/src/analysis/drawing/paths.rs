//! What holds for every path through a drawing, and for the longest.

use std::collections::BTreeSet;

use super::{Drawing, Edge, NodeKind, Way};
use crate::tree::{Body, StepName};

/// The steps that every path from the start to a `return` asks.
///
/// A missing capability of these refuses the call before it starts, and so the answer errs to the side of too few:
/// a step counts if no path around it leads to the end. A failure is no such path (`?`, `return Err(..)`, a panic):
/// most tools fail early on bad arguments, and whether the client is told that, or what it lacks, is of no matter.
/// A macro that nothing is known of may return. A tool that never returns needs nothing.
pub(super) fn needs(drawing: &Drawing, body: &Body) -> Vec<StepName> {
    let steps_of = |node: usize| match drawing.nodes[node].kind {
        NodeKind::Site(site) => body.site(site).steps.as_slice(),
        NodeKind::Start | NodeKind::Branch(_) | NodeKind::Loop(_) | NodeKind::End => &[],
    };
    let mut needs = Vec::new();
    if is_end_reached(drawing, |_| false) {
        for step in (0..drawing.nodes.len()).flat_map(steps_of) {
            if !needs.contains(step) && !is_end_reached(drawing, |node| steps_of(node).contains(step)) {
                needs.push(*step);
            }
        }
    }
    needs
}

/// Whether a path leads from the start to a `return` that avoids these nodes.
fn is_end_reached(drawing: &Drawing, avoids: impl Fn(usize) -> bool) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), vec![0]);
    while let Some(node) = work.pop() {
        if avoids(node) {
            continue;
        }
        if !seen.insert(node) {
            continue;
        }
        if drawing.nodes[node].kind == NodeKind::End {
            return true;
        }
        let next = drawing.edges.iter().filter(|edge| edge.from == node && edge.way != Way::Failing);
        work.extend(next.map(|edge| edge.to));
    }
    false
}

/// The most suspensions on a path that takes no loop twice.
///
/// All edges but those back to a loop's head lead to a later node. At the end of its body a loop is done: an edge
/// back counts as one to where the loop goes when it is done.
pub(super) fn longest(drawing: &Drawing) -> usize {
    let mut links = Vec::new();
    for edge in &drawing.edges {
        links.extend(onward(drawing, edge).into_iter().map(|to| (edge.from, to)));
    }
    links.sort_unstable();
    let is_site = |node: usize| usize::from(matches!(drawing.nodes[node].kind, NodeKind::Site(_)));
    let mut before = vec![None; drawing.nodes.len()];
    before[0] = Some(0);
    let mut longest = 0;
    let mut links = links.into_iter().peekable();
    for node in 0..drawing.nodes.len() {
        let here = before[node].map(|before: usize| before + is_site(node));
        longest = longest.max(here.unwrap_or(0));
        while let Some((_, to)) = links.next_if(|(from, _)| *from == node) {
            before[to] = before[to].max(here);
        }
    }
    longest
}

fn onward(drawing: &Drawing, edge: &Edge) -> Vec<usize> {
    if edge.way != Way::Back {
        return vec![edge.to];
    }
    let done = drawing.edges.iter().filter(|other| other.way == Way::Done(edge.to));
    done.flat_map(|done| onward(drawing, done)).collect()
}
