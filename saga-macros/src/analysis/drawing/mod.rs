//! The drawing: a function's body → the points that a reader wants to see, and what may follow what.
//!
//! It has every suspension; of the branches and loops it has those of which it matters which way they go, because
//! different suspensions or ends follow. What it leaves out: code without suspensions, jumps and ends; and the ends
//! by failure that are written `?` or are inside of a macro, since there is one at every question. A `return` is
//! drawn, also one of an error.
//!
//! The drawing is made from the syntax and not from the graph, so that it has the author's words. It keeps two
//! facts that are known better before it is tidied: what every path needs, and how long a path may be.

mod paths;
mod pen;
#[cfg(test)]
mod tests;
mod text;
mod tidy;

use crate::tree::{Body, SiteId, StepName};

/// A function as a reader sees it.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    /// In source order, the start first.
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// The steps that every path to a `return` asks.
    pub(crate) needs: Vec<StepName>,
    /// The most suspensions on a path that takes no loop twice.
    pub(crate) longest: usize,
}

/// A point of the function.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Start,
    Site(SiteId),
    /// With the condition or the matched value as it is written.
    Branch(String),
    /// With the loop's head as it is written.
    Loop(String),
    End,
}

/// One point may follow another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: String,
    way: Way,
}

/// What an edge is, apart from where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    On,
    /// From the end of a loop's body, or a `continue`, to the loop's head.
    Back,
    /// Out of the loop with this head, when it has no further iteration.
    Done(usize),
    /// A `return` of an error.
    Failing,
    /// Perhaps a `return`, hidden in a macro: it counts, and is not drawn.
    Hidden,
}

/// Draws a function.
pub(crate) fn draw(block: &syn::Block, body: &Body, line: usize) -> Drawing {
    let mut drawing = pen::draw(block, body, line);
    drawing.needs = paths::needs(&drawing, body);
    drawing.longest = paths::longest(&drawing);
    tidy::tidy(&mut drawing);
    drawing
}
