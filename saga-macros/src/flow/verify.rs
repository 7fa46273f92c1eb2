//! What every graph must hold to. A failure is a bug of the compiler, never a mistake of the author's.

use std::collections::BTreeSet;

use super::{Event, Exit, Graph};

/// Checks the graph's invariants:
///
/// - every exit leads to a block that exists;
/// - every event names a local that exists;
/// - every site suspends exactly once, and its resume block is entered from nowhere else.
pub(crate) fn verify(graph: &Graph, sites: usize) -> Result<(), String> {
    let mut suspended = BTreeSet::new();
    let mut resumes = BTreeSet::new();
    for (index, block) in graph.blocks.iter().enumerate() {
        for target in block.exit.successors() {
            if target.0 >= graph.blocks.len() {
                return Err(format!("b{index} leads to b{}, which does not exist", target.0));
            }
        }
        for event in &block.events {
            let (Event::Use(local) | Event::Define(local) | Event::Assign(local)) = event else { continue };
            if local.0 >= graph.locals {
                return Err(format!("b{index} names l{}, which does not exist", local.0));
            }
        }
        if let Exit::Suspend { site, resume } = block.exit {
            if !suspended.insert(site) {
                return Err(format!("s{} suspends twice", site.0));
            }
            resumes.insert(resume);
        }
    }
    if suspended.len() != sites {
        return Err(format!("{} of {sites} sites suspend", suspended.len()));
    }
    for (index, block) in graph.blocks.iter().enumerate() {
        let (Exit::Goto(_) | Exit::Branch(_)) = block.exit else { continue };
        if let Some(target) = block.exit.successors().iter().find(|target| resumes.contains(target)) {
            return Err(format!("b{index} leads to b{}, where only a resume may", target.0));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Block, BlockId};
    use crate::tree::{LocalId, SiteId};

    /// `b0: def l0; suspend s0 -> b1`, `b1: use l0; return`.
    fn good() -> Graph {
        let suspend = Exit::Suspend { site: SiteId(0), resume: BlockId(1) };
        let blocks = vec![
            Block { events: vec![Event::Define(LocalId(0))], exit: suspend },
            Block { events: vec![Event::Use(LocalId(0))], exit: Exit::Return },
        ];
        Graph { blocks, parts: Vec::new(), locals: 1 }
    }

    #[track_caller]
    fn check(break_it: impl FnOnce(&mut Graph), expected: &str) {
        let mut graph = good();
        assert_eq!(verify(&graph, 1), Ok(()));
        break_it(&mut graph);
        assert_eq!(verify(&graph, 1), Err(expected.to_owned()));
    }

    #[test]
    fn an_exit_to_nowhere() {
        check(|graph| graph.blocks[1].exit = Exit::Goto(BlockId(7)), "b1 leads to b7, which does not exist");
    }

    #[test]
    fn an_unknown_local() {
        check(|graph| graph.locals = 0, "b0 names l0, which does not exist");
    }

    #[test]
    fn a_site_that_suspends_twice() {
        check(|graph| graph.blocks[1].exit = graph.blocks[0].exit.clone(), "s0 suspends twice");
    }

    #[test]
    fn a_site_that_never_suspends() {
        check(|graph| graph.blocks[0].exit = Exit::Return, "0 of 1 sites suspend");
    }

    #[test]
    fn a_resume_block_that_is_entered_otherwise() {
        check(
            |graph| graph.blocks[1].exit = Exit::Branch(vec![BlockId(1)]),
            "b1 leads to b1, where only a resume may",
        );
    }
}
