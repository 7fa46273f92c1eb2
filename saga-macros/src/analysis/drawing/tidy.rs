//! Leaves out of a drawing what makes no difference.

use std::collections::{BTreeMap, BTreeSet};

use super::{Drawing, NodeKind, Way};

/// Leaves out branches and loops from which there is one way only, nodes that control cannot reach, and all but
/// one of several edges between two nodes.
pub(super) fn tidy(drawing: &mut Drawing) {
    drawing.edges.retain(|edge| edge.way != Way::Hidden);
    // Each round leaves a node without a way from it.
    for _ in 0..drawing.nodes.len() {
        let Some((node, target)) = pointless(drawing) else { break };
        drawing.edges.retain(|edge| edge.from != node);
        for edge in drawing.edges.iter_mut().filter(|edge| edge.to == node) {
            edge.to = target;
        }
    }
    drop_unreached(drawing);
    join_parallel(drawing);
}

/// A branch or a loop from which every way leads to one node.
fn pointless(drawing: &Drawing) -> Option<(usize, usize)> {
    let mut ways: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for edge in drawing.edges.iter().filter(|edge| edge.from != edge.to) {
        ways.entry(edge.from).or_default().insert(edge.to);
    }
    ways.into_iter().find_map(|(node, targets)| {
        let is_choice = matches!(drawing.nodes[node].kind, NodeKind::Branch(_) | NodeKind::Loop(_));
        let target = targets.first().filter(|_| is_choice && targets.len() == 1)?;
        Some((node, *target))
    })
}

fn drop_unreached(drawing: &mut Drawing) {
    let (mut reached, mut work) = (BTreeSet::new(), vec![0]);
    while let Some(node) = work.pop() {
        if reached.insert(node) {
            work.extend(drawing.edges.iter().filter(|edge| edge.from == node).map(|edge| edge.to));
        }
    }
    // A tool that never returns has an end all the same: every drawing has one.
    reached.extend(drawing.nodes.len().checked_sub(1));
    let numbers: BTreeMap<usize, usize> = reached.iter().enumerate().map(|(new, old)| (*old, new)).collect();
    let mut index = 0;
    drawing.nodes.retain(|_| {
        index += 1;
        reached.contains(&(index - 1))
    });
    drawing.edges.retain_mut(|edge| match (numbers.get(&edge.from), numbers.get(&edge.to)) {
        (Some(from), Some(to)) => {
            (edge.from, edge.to) = (*from, *to);
            true
        }
        _ => false,
    });
}

fn join_parallel(drawing: &mut Drawing) {
    drawing.edges.sort_by_key(|edge| edge.from);
    let mut joined: Vec<super::Edge> = Vec::new();
    for edge in drawing.edges.drain(..) {
        match joined.iter_mut().find(|known| (known.from, known.to) == (edge.from, edge.to)) {
            Some(known) if known.label == edge.label => {}
            Some(known) if known.label.is_empty() => known.label = edge.label,
            Some(known) => known.label = format!("{}, {}", known.label, edge.label),
            None => joined.push(edge),
        }
    }
    drawing.edges = joined;
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, Node};
    use super::*;
    use crate::tree::SiteId;

    fn drawing(nodes: usize, edges: &[(usize, usize, &str)]) -> Drawing {
        let kind = |index| match index {
            0 => NodeKind::Start,
            last if last + 1 == nodes => NodeKind::End,
            site => NodeKind::Site(SiteId(site)),
        };
        let edge =
            |&(from, to, label): &(usize, usize, &str)| Edge { from, to, label: label.into(), way: Way::On };
        Drawing {
            nodes: (0..nodes).map(|index| Node { kind: kind(index), line: index }).collect(),
            edges: edges.iter().map(edge).collect(),
            needs: Vec::new(),
            longest: 0,
        }
    }

    fn tidied(nodes: usize, edges: &[(usize, usize, &str)]) -> (usize, Vec<(usize, usize, String)>) {
        let mut drawing = drawing(nodes, edges);
        tidy(&mut drawing);
        let edges = drawing.edges.into_iter().map(|edge| (edge.from, edge.to, edge.label));
        (drawing.nodes.len(), edges.collect())
    }

    #[test]
    fn what_is_not_reached_is_left_out() {
        let edge = |from, to| (from, to, String::new());
        assert_eq!(tidied(4, &[(0, 2, ""), (1, 3, ""), (2, 3, "")]), (3, vec![edge(0, 1), edge(1, 2)]));
        assert_eq!(tidied(4, &[(0, 3, ""), (1, 2, ""), (2, 1, "")]), (2, vec![edge(0, 1)]));
        assert_eq!(tidied(3, &[(0, 0, "")]), (2, vec![edge(0, 0)]));
    }

    #[test]
    fn edges_between_two_nodes_are_one() {
        let joined = |labels: [&str; 3]| {
            let (_, edges) = tidied(2, &labels.map(|label| (0, 1, label)));
            edges.into_iter().map(|(.., label)| label).collect::<Vec<_>>()
        };
        assert_eq!(joined(["a", "a", "b"]), ["a, b"]);
        assert_eq!(joined(["", "a", "a"]), ["a"]);
        assert_eq!(joined(["", "", ""]), [""]);
    }
}
