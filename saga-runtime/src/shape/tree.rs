//! What a trace knows of a type: one node per path, and the text that is hashed.

use std::fmt::Write as _;

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(pub(super) usize);

/// What a type asks its deserializer for at one path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Head {
    /// Nothing came here yet.
    Unknown,
    /// The container offers the place, and its visitor takes nothing from it.
    Unasked,
    /// A primitive, by its name.
    Leaf(&'static str),
    Option,
    Seq,
    Map,
    Tuple(usize),
    /// A tuple too long to be anything but an array: all its elements share one node.
    Array(usize),
    // A struct, or a variant of an enum.
    Unit(&'static str),
    Newtype(&'static str),
    TupleStruct(&'static str, usize),
    Struct(&'static str, &'static [&'static str]),
    Enum(&'static str, &'static [&'static str]),
    /// The container of that node once more.
    Same(NodeId),
}

/// A node's step from its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Label {
    /// None that a person would write: the value of a newtype, the inside of an option.
    Inside,
    Name(&'static str),
    Index(usize),
    /// Any element of a sequence, any value of a map.
    Element,
    /// Any key of a map.
    Key,
}

/// Tells containers apart, to notice one that holds itself. Paths of types and not the types: stable Rust has no
/// other identity for a type that borrows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Identity {
    pub(super) visitor: &'static str,
    pub(super) value: &'static str,
    pub(super) size: usize,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    pub(super) label: Label,
    pub(super) head: Head,
    pub(super) identity: Option<Identity>,
    pub(super) children: Vec<NodeId>,
    /// What was asked for at the same path in another pass, where the type decides by what it read before.
    pub(super) other: Option<NodeId>,
    /// How often the values below were refused: chooses the next ones.
    pub(super) attempts: usize,
    /// How many choices were made below in this pass.
    pub(super) choices: usize,
    /// How often this variant was chosen and not completed.
    pub(super) tries: usize,
    pub(super) is_complete: bool,
    /// Nesting of the smallest value; [`usize::MAX`] while none is known.
    pub(super) height: usize,
}

/// All nodes. A node's children come after it.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    root: &'static str,
}

impl Tree {
    pub(super) const ROOT: NodeId = NodeId(0);

    /// A tree of a type of this name, of which nothing is known.
    pub(super) fn new(root: &'static str) -> Self {
        let mut tree = Self { nodes: Vec::new(), root };
        tree.add(None, Label::Inside);
        tree
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    pub(super) fn add(&mut self, parent: Option<NodeId>, label: Label) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node {
            parent,
            label,
            head: Head::Unknown,
            identity: None,
            children: Vec::new(),
            other: None,
            attempts: 0,
            choices: 0,
            tries: 0,
            is_complete: false,
            height: usize::MAX,
        });
        id
    }

    /// Says what a node is, and adds its children.
    pub(super) fn settle(&mut self, id: NodeId, head: Head, identity: Option<Identity>) {
        let labels: Vec<Label> = match head {
            Head::Unknown | Head::Unasked | Head::Leaf(_) | Head::Unit(_) | Head::Same(_) => Vec::new(),
            Head::Option | Head::Newtype(_) => vec![Label::Inside],
            Head::Seq | Head::Array(_) => vec![Label::Element],
            Head::Map => vec![Label::Key, Label::Element],
            Head::Tuple(len) | Head::TupleStruct(_, len) => (0..len).map(Label::Index).collect(),
            Head::Struct(_, names) | Head::Enum(_, names) => {
                names.iter().map(|name| Label::Name(name)).collect()
            }
        };
        let children = labels.into_iter().map(|label| self.add(Some(id), label)).collect();
        let node = self.node_mut(id);
        (node.head, node.identity, node.children) = (head, identity, children);
    }

    pub(super) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).parent, |id| self.node(*id).parent)
    }

    /// Where a node is: `/order/items/*/price`.
    pub(super) fn path(&self, id: NodeId) -> String {
        let mut labels: Vec<_> = self.ancestors(id).map(|id| self.node(id).label).collect();
        labels.reverse();
        labels.push(self.node(id).label);
        let mut path = String::new();
        for label in labels {
            match label {
                Label::Inside => {}
                Label::Name(name) => path.extend(["/", &name.replace('~', "~0").replace('/', "~1")]),
                Label::Index(index) => path.extend(["/", &index.to_string()]),
                Label::Element => path.push_str("/*"),
                Label::Key => path.push_str("/*key"),
            }
        }
        path
    }

    /// The structure in one canonical text: the same for every type of the same encoding and the same names.
    ///
    /// ```text
    /// "Order"{"id":u64,"items":["Item"{"name":str}],"note":?str,"state":enum "State"<"Open"|"Sent"(u32)>}
    /// ```
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(Self::ROOT, &mut text);
        text
    }

    fn write(&self, id: NodeId, text: &mut String) {
        let node = self.node(id);
        match node.head {
            Head::Unknown => self.write_opaque(id, text),
            Head::Unasked => text.push('_'),
            Head::Leaf(name) => text.push_str(name),
            Head::Option => self.write_list(id, "?", "", text),
            Head::Seq => self.write_list(id, "[", "]", text),
            Head::Map => self.write_list(id, "{", "}", text),
            Head::Tuple(_) => self.write_list(id, "(", ")", text),
            Head::Array(len) => self.write_list(id, "[", &format!(";{len}]"), text),
            Head::Unit(name) => text.push_str(&quoted(name)),
            Head::Newtype(name) => self.write_list(id, &format!("{}(", quoted(name)), ")", text),
            Head::TupleStruct(name, len) => {
                self.write_list(id, &format!("{}({len}:", quoted(name)), ")", text);
            }
            Head::Struct(name, _) => self.write_list(id, &format!("{}{{", quoted(name)), "}", text),
            Head::Enum(name, _) => self.write_list(id, &format!("enum {}<", quoted(name)), ">", text),
            Head::Same(of) => text.extend(["=", &quoted(&self.path(of))]),
        }
        if let Some(other) = node.other {
            text.push('^');
            self.write(other, text);
        }
    }

    fn write_list(&self, id: NodeId, open: &str, close: &str, text: &mut String) {
        text.push_str(open);
        let node = self.node(id);
        for (index, child) in node.children.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            if let Label::Name(name) = self.node(*child).label {
                text.extend([&quoted(name), ":"]);
            }
            self.write(*child, text);
        }
        text.push_str(close);
    }

    /// No candidate led here: the type's name stands for what it holds.
    fn write_opaque(&self, id: NodeId, text: &mut String) {
        let named = self.ancestors(id).find_map(|id| self.node(id).identity);
        let within = named.map_or(self.root, |identity| identity.value);
        let _ = write!(text, "!{within:?} in {:?}", self.root);
    }
}

fn quoted(name: &str) -> String {
    format!("{name:?}")
}
