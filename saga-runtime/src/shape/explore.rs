//! One trace: which choices each pass makes, what was learned, and whom to blame for a value that was refused.
//!
//! A pass reads one value of the type, made up on the way. Where the type has a choice the pass takes a part that
//! is not known yet, and the smallest known value of parts that are. A container that was met before is known:
//! there the trace stops, so that a type that holds itself comes to an end.

use super::candidates::{LENGTHS, TEXTS};
use super::reader::Halt;
use super::tree::{Head, Identity, NodeId, Tree};

/// Passes in a row that may learn nothing: all candidates of a text, and some of what stands around it.
const IDLE_PASSES: usize = 256;
/// Places that all passes together may visit. A type of 50 fields takes some thousand.
const FUEL: usize = 1 << 20;
/// From here on a container that was met anywhere is not entered again, where before it must enclose itself.
const WIDE: usize = 1024;
/// No type is traced beyond so many nodes.
const MOST_NODES: usize = 16 * WIDE;
/// No type is traced deeper.
const MOST_DEPTH: usize = 96;
/// How often one value may lead back to a container that it is in.
const MOST_RETURNS: usize = 16;
/// Refused values are all replaced alike so often, and then one by one.
const ALIKE: usize = TEXTS.len();
/// How many candidates a value gets when it is replaced alone, and how many values are.
const ALONE: (usize, usize) = (5, 6);

/// Where a pass is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) node: NodeId,
    /// Everything from here on is known: make it short.
    pub(super) is_short: bool,
    returns: usize,
    depth: usize,
}

#[derive(Debug)]
pub(super) struct Explorer {
    pub(super) tree: Tree,
    /// The path of something that asks what comes next.
    pub(super) asks: Option<NodeId>,
    fuel: usize,
    idle: usize,
    has_learned: bool,
    /// The pass gave up by itself: no value was refused.
    is_cut: bool,
    blamed: Option<NodeId>,
    /// The place visited last: where a type panics, it is near.
    last: NodeId,
    /// The unknown variants that this pass looks into.
    looked_into: Vec<NodeId>,
}

impl Explorer {
    pub(super) fn new(root: &'static str) -> Self {
        Self {
            tree: Tree::new(root),
            asks: None,
            fuel: FUEL,
            idle: 0,
            has_learned: false,
            is_cut: false,
            blamed: None,
            last: Tree::ROOT,
            looked_into: Vec::new(),
        }
    }

    pub(super) const fn start(&mut self) -> Place {
        (self.has_learned, self.is_cut, self.blamed) = (false, false, None);
        Place { node: Tree::ROOT, is_short: false, returns: 0, depth: 0 }
    }

    /// Draws the conclusions of a pass; says whether another one is worth it.
    pub(super) fn finish(&mut self, is_taken: bool) -> bool {
        self.idle = if self.has_learned { 0 } else { self.idle + 1 };
        for variant in std::mem::take(&mut self.looked_into) {
            self.tree.node_mut(variant).tries += 1;
        }
        if !is_taken && !self.is_cut {
            self.try_others(self.blamed.unwrap_or(Tree::ROOT));
        }
        for id in self.tree.ids().rev() {
            let (is_complete, height) = (self.is_complete(id), self.height(id));
            let node = self.tree.node_mut(id);
            (node.is_complete, node.height, node.choices) = (is_complete, height, 0);
        }
        let is_done = self.tree.node(Tree::ROOT).is_complete || self.asks.is_some();
        !is_done && self.fuel > 0 && self.idle < IDLE_PASSES
    }

    /// The next pass makes other choices below the blamed node, or around it when it has seen all.
    fn try_others(&mut self, blamed: NodeId) {
        let around = std::iter::once(blamed).chain(self.tree.ancestors(blamed));
        let open = around.into_iter().find(|id| {
            let node = self.tree.node(*id);
            let limit = if node.children.is_empty() { ALIKE } else { ALIKE + ALONE.0 * ALONE.1 };
            node.attempts < limit
        });
        if let Some(open) = open {
            self.tree.node_mut(open).attempts += 1;
        }
    }

    fn is_complete(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let known = |id: &NodeId| self.tree.node(*id).is_complete;
        node.head != Head::Unknown && node.children.iter().all(known) && node.other.iter().all(known)
    }

    fn height(&self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        let mut heights = node.children.iter().map(|id| self.tree.node(*id).height);
        let below = match node.head {
            Head::Unknown | Head::Same(_) => None,
            Head::Unasked | Head::Leaf(_) | Head::Unit(_) | Head::Option | Head::Seq | Head::Map => Some(0),
            Head::Tuple(_) | Head::Array(_) | Head::TupleStruct(..) | Head::Struct(..) | Head::Newtype(_) => {
                Some(heights.max().unwrap_or(0))
            }
            Head::Enum(..) => heights.by_ref().min(),
        };
        below.map_or(usize::MAX, |below| below.saturating_add(1))
    }

    /// The place of a child.
    pub(super) fn inside(&self, place: Place, child: usize) -> Place {
        Place { node: self.tree.node(place.node).children[child], depth: place.depth + 1, ..place }
    }

    /// The type asks for this at a place; gives the place where it is known as that.
    pub(super) fn enter(
        &mut self,
        place: Place,
        head: Head,
        identity: Option<Identity>,
    ) -> Result<Place, Halt> {
        let mut place = place;
        self.last = place.node;
        if self.fuel == 0 || self.tree.len() > MOST_NODES || place.depth > MOST_DEPTH {
            return Err(self.cut());
        }
        self.fuel -= 1;
        loop {
            let node = self.tree.node(place.node);
            match node.head {
                Head::Unknown | Head::Unasked => {
                    self.has_learned = true;
                    let met = identity.and_then(|identity| self.met(place.node, head, identity));
                    self.tree.settle(place.node, met.map_or(head, Head::Same), identity);
                }
                Head::Same(of) if self.tree.node(of).head == head => {
                    if place.returns == MOST_RETURNS {
                        return Err(self.cut());
                    }
                    place = Place { node: of, is_short: true, returns: place.returns + 1, ..place };
                }
                known if known == head => {
                    place.is_short |= node.is_complete;
                    return Ok(place);
                }
                _ => {
                    let (parent, label, other) = (node.parent, node.label, node.other);
                    let other = other.unwrap_or_else(|| self.tree.add(parent, label));
                    self.tree.node_mut(place.node).other = Some(other);
                    place.node = other;
                }
            }
        }
    }

    /// The same container around a node; in a wide tree the same container anywhere.
    fn met(&self, node: NodeId, head: Head, identity: Identity) -> Option<NodeId> {
        let is_same = |id: &NodeId| {
            let node = self.tree.node(*id);
            node.head == head && node.identity == Some(identity)
        };
        let around = self.tree.ancestors(node).find(is_same);
        around.or_else(|| if self.tree.len() > WIDE { self.tree.ids().find(is_same) } else { None })
    }

    /// Nothing was asked for at a place where something could have been.
    pub(super) fn leave_out(&mut self, node: NodeId) {
        if self.tree.node(node).head == Head::Unknown {
            self.has_learned = true;
            self.tree.settle(node, Head::Unasked, None);
        }
    }

    /// A value was refused. The innermost blame counts.
    pub(super) fn blame(&mut self, node: NodeId) {
        if !self.is_cut {
            self.blamed.get_or_insert(node);
        }
    }

    /// The type panicked over a candidate.
    pub(super) fn blame_last(&mut self) {
        self.blame(self.last);
    }

    pub(super) const fn cut(&mut self) -> Halt {
        self.is_cut = true;
        Halt
    }

    /// The type asks what comes next, which the state's encoding does not say.
    pub(super) fn ask(&mut self, node: NodeId) -> Halt {
        self.asks.get_or_insert(node);
        self.cut()
    }

    /// Which of its candidates a node gets in this pass.
    pub(super) fn candidate(&mut self, id: NodeId) -> usize {
        let own = self.tree.node(id).attempts;
        let around = self.tree.ancestors(id).find(|id| self.tree.node(*id).attempts > 0);
        let Some(around) = around.map(|id| self.tree.node_mut(id)) else { return own };
        let choice = around.choices;
        around.choices += 1;
        let shift = match around.attempts.checked_sub(ALIKE) {
            None => around.attempts,
            Some(alone) if alone / ALONE.0 == choice => 1 + alone % ALONE.0,
            Some(_) => 0,
        };
        own + shift
    }

    /// Whether an option has a value.
    pub(super) fn is_some(&mut self, place: Place) -> bool {
        self.candidate(place.node).is_multiple_of(2) != place.is_short
    }

    /// How many elements a sequence has.
    pub(super) fn length(&mut self, place: Place) -> usize {
        match (self.candidate(place.node), place.is_short) {
            (0, true) => 0,
            (1, true) => 1,
            (candidate, _) => LENGTHS[candidate % LENGTHS.len()],
        }
    }

    /// Which variant an enum has, if it has any: an unknown one first, and then the smallest.
    pub(super) fn variant(&mut self, place: Place) -> Option<usize> {
        let candidate = self.candidate(place.node);
        let children = &self.tree.node(place.node).children;
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_key(|index| {
            let node = self.tree.node(children[*index]);
            let is_open = !place.is_short && !node.is_complete;
            (!is_open, if is_open { node.tries } else { node.height })
        });
        let chosen = *order.get(candidate.checked_rem(order.len())?)?;
        if !place.is_short {
            self.looked_into.push(children[chosen]);
        }
        Some(chosen)
    }
}
