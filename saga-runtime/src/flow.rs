//! The flow of a tool as it was at compile time: where it suspends, what leads where, and what each site holds.

use serde_json::Value;

use crate::step::StepKind;

/// A tool's flow graph. `deploy::FLOW` is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by generated code as a constant")]
pub struct Flow {
    /// The tool's name.
    pub tool: &'static str,
    /// The points of the tool, in source order; the first is the start.
    pub nodes: &'static [Node],
    /// What may follow what.
    pub edges: &'static [Edge],
    /// The kinds of steps that every path through the tool asks for.
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
        /// What is asked; `None` where only the step's type tells.
        step: Option<StepKind>,
        /// The locals that later code needs.
        held: &'static [&'static str],
    },
    /// A branch that leads to different sites.
    Branch {
        /// The condition or the matched value, as written.
        text: &'static str,
    },
    /// A loop with a suspension inside.
    Loop {
        /// The loop's head, as written.
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

/// What a step is called: the function that makes it.
pub(crate) const fn step_name(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Elicit => "elicit",
        StepKind::ElicitUrl => "elicit_url",
        StepKind::Sample => "sample",
        StepKind::SampleTools => "sample with tools",
        StepKind::ListRoots => "list_roots",
    }
}

impl Flow {
    /// The flow as a Mermaid flowchart.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        String::new()
    }

    /// The flow as a graph for Graphviz.
    #[must_use]
    pub fn to_dot(&self) -> String {
        String::new()
    }

    /// The flow as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        Value::Null
    }
}
