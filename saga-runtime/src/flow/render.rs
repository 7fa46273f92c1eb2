//! A flow as text for people and programs: Mermaid, DOT, JSON. Texts of the author's are escaped, so that no
//! condition can end its label.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{Edge, Flow, Node, NodeKind};
use crate::step::StepKind;

/// How much of a text is shown in a picture.
const LONGEST_TEXT: usize = 60;

impl Flow {
    /// The flow as a Mermaid flowchart, which many Markdown viewers draw.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let mut out = String::from("flowchart TD\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let lines: Vec<_> = self.label(node).iter().map(|line| mermaid_text(line)).collect();
            let (open, close) = match node.kind {
                NodeKind::Start | NodeKind::End => ("([", "])"),
                NodeKind::Site { .. } => ("[", "]"),
                NodeKind::Call { .. } => ("[[", "]]"),
                NodeKind::Branch { .. } => ("{", "}"),
                NodeKind::Loop { .. } => ("{{", "}}"),
            };
            line(&mut out, format_args!("    n{index}{open}\"{}\"{close}", lines.join("<br/>")));
        }
        for Edge { from, to, label } in self.edges {
            let label = mermaid_text(&shortened(label));
            let label = if label.is_empty() { label } else { format!("|\"{label}\"| ") };
            line(&mut out, format_args!("    n{from} --> {label}n{to}"));
        }
        out
    }

    /// The flow as a graph for Graphviz: `dot -Tsvg`.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut out = String::new();
        line(&mut out, format_args!("digraph \"{}\" {{", dot_text(self.tool)));
        for (index, node) in self.nodes.iter().enumerate() {
            let lines: Vec<_> = self.label(node).iter().map(|line| dot_text(line)).collect();
            let shape = match node.kind {
                NodeKind::Start | NodeKind::End => "oval",
                NodeKind::Site { .. } => "box",
                NodeKind::Call { .. } => "component",
                NodeKind::Branch { .. } => "diamond",
                NodeKind::Loop { .. } => "hexagon",
            };
            line(&mut out, format_args!("    n{index} [shape={shape}, label=\"{}\"];", lines.join("\\n")));
        }
        for Edge { from, to, label } in self.edges {
            let label = dot_text(&shortened(label));
            let label = if label.is_empty() { label } else { format!(" [label=\"{label}\"]") };
            line(&mut out, format_args!("    n{from} -> n{to}{label};"));
        }
        out.push_str("}\n");
        out
    }

    /// The flow as JSON, whole: `{"tool", "nodes": [{"kind", "line", ..}], "edges": [{"from", "to"}], ..}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "tool": self.tool,
            "nodes": self.nodes.iter().copied().map(Node::to_json).collect::<Vec<_>>(),
            "edges": self.edges.iter().copied().map(Edge::to_json).collect::<Vec<_>>(),
            "needs": self.needs.iter().map(|kind| kind.name()).collect::<Vec<_>>(),
            "longest": self.longest,
        })
    }

    fn label(&self, node: &Node) -> Vec<String> {
        let line = format!("line {}", node.line);
        match node.kind {
            NodeKind::Start => vec![self.tool.to_owned()],
            NodeKind::End => vec!["end".to_owned()],
            NodeKind::Branch { text } | NodeKind::Loop { text } => vec![shortened(text), line],
            NodeKind::Site { name, steps, held } => {
                let steps = steps.iter().map(|step| step.name().to_owned());
                let step = steps.chain([line]).collect::<Vec<_>>().join(", ");
                site_label(name, step, held)
            }
            NodeKind::Call { name, saga, held } => site_label(name, format!("calls {saga}, {line}"), held),
        }
    }
}

fn site_label(name: &str, what: String, held: &[&str]) -> Vec<String> {
    let held = (!held.is_empty()).then(|| format!("holds {}", held.join(", ")));
    [name.to_owned(), what].into_iter().chain(held).collect()
}

impl Node {
    fn to_json(self) -> Value {
        let Self { kind, line } = self;
        match kind {
            NodeKind::Start => json!({ "kind": "start", "line": line }),
            NodeKind::Site { name, steps, held } => {
                let steps: Vec<_> = steps.iter().copied().map(StepKind::name).collect();
                json!({ "kind": "site", "line": line, "name": name, "steps": steps, "held": held })
            }
            NodeKind::Call { name, saga, held } => {
                json!({ "kind": "call", "line": line, "name": name, "saga": saga, "held": held })
            }
            NodeKind::Branch { text } => json!({ "kind": "branch", "line": line, "text": text }),
            NodeKind::Loop { text } => json!({ "kind": "loop", "line": line, "text": text }),
            NodeKind::End => json!({ "kind": "end", "line": line }),
        }
    }
}

impl Edge {
    fn to_json(self) -> Value {
        let mut edge = Map::new();
        edge.insert("from".into(), self.from.into());
        edge.insert("to".into(), self.to.into());
        if !self.label.is_empty() {
            edge.insert("label".into(), self.label.into());
        }
        Value::Object(edge)
    }
}

impl StepKind {
    /// What an author calls the step: the function that makes it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Elicit => "elicit",
            Self::ElicitUrl => "elicit_url",
            Self::Sample => "sample",
            Self::SampleTools => "sample with tools",
            Self::ListRoots => "list_roots",
        }
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Text inside of quotes: Mermaid reads HTML there, Markdown between backticks, `\n` as a line's end, and its own
/// `#name;` as a character.
fn mermaid_text(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '`' => out.push_str("#96;"),
            '\\' => out.push_str("#92;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

fn dot_text(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const FLOW: Flow = Flow {
        tool: "pay",
        nodes: &[
            Node { kind: NodeKind::Start, line: 3 },
            Node { kind: NodeKind::Loop { text: "for item in &items" }, line: 4 },
            Node {
                kind: NodeKind::Site { name: "ok~2", steps: &[StepKind::Elicit], held: &["items", "(loop)"] },
                line: 5,
            },
            Node { kind: NodeKind::Branch { text: r##"a < b && c == "`x\n`" || d == "#1" """## }, line: 6 },
            Node { kind: NodeKind::Site { name: "verdict", steps: &[], held: &[] }, line: 7 },
            Node { kind: NodeKind::End, line: 8 },
        ],
        edges: &[
            Edge { from: 0, to: 1, label: "" },
            Edge { from: 1, to: 2, label: "again" },
            Edge { from: 1, to: 5, label: "done" },
            Edge { from: 2, to: 3, label: "" },
            Edge { from: 3, to: 4, label: r#"Some("x")"# },
            Edge {
                from: 3,
                to: 1,
                label: "a very long pattern that nobody wants to see whole in a picture, since it is",
            },
            Edge { from: 4, to: 1, label: "" },
        ],
        needs: &[StepKind::Elicit, StepKind::SampleTools],
        longest: 2,
    };

    #[test]
    fn mermaid() {
        expect![[r#"
            flowchart TD
                n0(["pay"])
                n1{{"for item in #amp;items<br/>line 4"}}
                n2["ok~2<br/>elicit, line 5<br/>holds items, (loop)"]
                n3{"a #lt; b #amp;#amp; c == #quot;#96;x#92;n#96;#quot; || d == #quot;#35;1#quot; #quot;#quot;<br/>line 6"}
                n4["verdict<br/>line 7"]
                n5(["end"])
                n0 --> n1
                n1 --> |"again"| n2
                n1 --> |"done"| n5
                n2 --> n3
                n3 --> |"Some(#quot;x#quot;)"| n4
                n3 --> |"a very long pattern that nobody wants to see whole in a pict…"| n1
                n4 --> n1
        "#]].assert_eq(&FLOW.to_mermaid());
    }

    #[test]
    fn dot() {
        expect![[r##"
            digraph "pay" {
                n0 [shape=oval, label="pay"];
                n1 [shape=hexagon, label="for item in &items\nline 4"];
                n2 [shape=box, label="ok~2\nelicit, line 5\nholds items, (loop)"];
                n3 [shape=diamond, label="a < b && c == \"`x\\n`\" || d == \"#1\" \"\"\nline 6"];
                n4 [shape=box, label="verdict\nline 7"];
                n5 [shape=oval, label="end"];
                n0 -> n1;
                n1 -> n2 [label="again"];
                n1 -> n5 [label="done"];
                n2 -> n3;
                n3 -> n4 [label="Some(\"x\")"];
                n3 -> n1 [label="a very long pattern that nobody wants to see whole in a pict…"];
                n4 -> n1;
            }
        "##]]
        .assert_eq(&FLOW.to_dot());
    }

    #[test]
    fn json() {
        expect![[r##"{"edges":[{"from":0,"to":1},{"from":1,"label":"again","to":2},{"from":1,"label":"done","to":5},{"from":2,"to":3},{"from":3,"label":"Some(\"x\")","to":4},{"from":3,"label":"a very long pattern that nobody wants to see whole in a picture, since it is","to":1},{"from":4,"to":1}],"longest":2,"needs":["elicit","sample with tools"],"nodes":[{"kind":"start","line":3},{"kind":"loop","line":4,"text":"for item in &items"},{"held":["items","(loop)"],"kind":"site","line":5,"name":"ok~2","steps":["elicit"]},{"kind":"branch","line":6,"text":"a < b && c == \"`x\\n`\" || d == \"#1\" \"\""},{"held":[],"kind":"site","line":7,"name":"verdict","steps":[]},{"kind":"end","line":8}],"tool":"pay"}"##]].assert_eq(&FLOW.to_json().to_string());
    }
}
