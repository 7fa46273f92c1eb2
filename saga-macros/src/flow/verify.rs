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
