//! The flow of a tool as it was at compile time: where it suspends, what leads where, and what each site holds.
//!
//! Of the branches and loops it has those that different suspensions or ends follow. It leaves out the ends by
//! failure that are written `?`: there is one at every question.

mod render;

use crate::step::StepKind;

/// A tool's flow graph. `deploy::FLOW` is one.
///
/// ```
/// use saga_runtime::{Form, NodeKind, StepError, elicit, saga_tool};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Form, Serialize, Deserialize)]
/// struct Name {
///     name: String,
/// }
///
/// #[saga_tool]
/// async fn greet(greeting: String) -> Result<String, StepError> {
///     let who: Name = elicit("Who are you?").await?;
///     Ok(format!("{greeting}, {}!", who.name))
/// }
///
/// let sites = greet::FLOW.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Site { name: "who", .. }));
/// assert_eq!(sites.count(), 1);
/// println!("{}", greet::FLOW.to_mermaid());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by generated code as a constant")]
pub struct Flow {
    /// The tool's name.
    pub tool: &'static str,
    /// The points of the tool, in source order; the first is the start.
    pub nodes: &'static [Node],
    /// What may follow what.
    pub edges: &'static [Edge],
    /// The kinds of steps that every path to a `return` asks for: a call from a client that lacks one is refused
    /// before it starts. Ends by failure (`?`, `return Err(..)`, a panic) do not count.
    pub needs: &'static [StepKind],
    /// The most suspensions on a path that takes no loop twice.
    pub longest: usize,
}

/// A point of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by generated code as a constant")]
pub struct Node {
    /// What happens here.
    pub kind: NodeKind,
    /// The line in the source file.
    pub line: usize,
}

/// What happens at a point of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "made by generated code; a new kind must be drawn everywhere")]
pub enum NodeKind {
    /// The tool starts.
    Start,
    /// The tool suspends.
    Site {
        /// The site's stable name, also the default key of its step.
        name: &'static str,
        /// What is asked, as far as it is known before the tool runs.
        steps: &'static [StepKind],
        /// The locals that later code needs.
        held: &'static [&'static str],
    },
    /// The tool calls a saga, which may suspend.
    Call {
        /// The site's stable name.
        name: &'static str,
        /// The called function.
        saga: &'static str,
        /// The locals that the call and later code need.
        held: &'static [&'static str],
    },
    /// A branch that leads to different sites.
    Branch {
        /// The condition or the matched value, as written: `x > 3`, `match plan`.
        text: &'static str,
    },
    /// A loop with a suspension inside.
    Loop {
        /// The loop's head, as written: `for region in &regions`.
        text: &'static str,
    },
    /// The tool ends.
    End,
}

/// One point may follow another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by generated code as a constant")]
pub struct Edge {
    /// The index of the node before.
    pub from: usize,
    /// The index of the node after.
    pub to: usize,
    /// When it is taken: `yes`, `no`, a match arm's pattern, `again`, `done`; empty where there is no choice.
    pub label: &'static str,
}
