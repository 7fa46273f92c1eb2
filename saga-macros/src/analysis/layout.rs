//! The layout: what each suspension holds, what is derived again from it, and what is declared anew.

use std::collections::{BTreeMap, BTreeSet};

use super::liveness::{Facts, live_in};
use super::parts::{Parts, PerhapsChanged, SharedParts};
use super::stale::stale_out;
use crate::flow::{Event, Exit, Graph};
use crate::tree::{Body, Concern, GroupId, Local, LocalId, LocalKind, Rebuild, SiteId, Supply};

/// What one suspension does with the locals in its scope.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SiteLayout {
    /// Locals that travel, in the order in which they are declared.
    pub(crate) held: Vec<LocalId>,
    /// Locals that are derived again from held ones, or from what comes with every request.
    pub(crate) rebuilt: BTreeSet<LocalId>,
    /// Those of the rebuilt that are used after the site, and not only to derive others from.
    pub(crate) borrowing: BTreeSet<LocalId>,
    /// Parameters that come again, and may have been changed meanwhile, in these parts: whose types say whether they
    /// travel.
    pub(crate) again: BTreeMap<LocalId, Parts>,
    /// Parts of parameters that come again, and may have been changed meanwhile, where other parts may be gone.
    pub(crate) left: BTreeMap<LocalId, Parts>,
    /// Locals whose value is of no matter, but which are assigned later.
    pub(crate) declared: BTreeSet<LocalId>,
    /// Iterators whose position would be in another collection, since their source is assigned meanwhile.
    pub(crate) astray: Vec<LocalId>,
}

impl SiteLayout {
    /// Whether the local travels, if its type does not say that it comes again as it was.
    pub(crate) fn travels(&self, local: LocalId) -> bool {
        self.held.contains(&local) || self.again.contains_key(&local)
    }

    /// Whether the local is named at the site.
    pub(crate) fn needs(&self, local: LocalId) -> bool {
        self.travels(local)
            || self.left.contains_key(&local)
            || self.rebuilt.contains(&local)
            || self.declared.contains(&local)
    }
}

/// The layout of every site.
pub(crate) fn layout(body: &Body, graph: &Graph) -> Vec<SiteLayout> {
    let live = live_in(&facts(graph, uses));
    let assigned = live_in(&facts(graph, |facts, event| assignments(body, facts, event)));
    let stale = stale_out(body, graph);
    let parts = SharedParts::of(graph);
    let mut layouts: Vec<_> = body.sites.iter().map(|_| SiteLayout::default()).collect();
    for (index, block) in graph.blocks.iter().enumerate() {
        if let Exit::Suspend { site: SiteId(site), resume } = block.exit {
            let live = live[resume.0].iter().map(|local| LocalId(*local)).collect();
            let mut layout = at_site(body, live, &stale[index], &parts.at_end(graph, index, resume));
            layout.declared = assigned[resume.0].iter().map(|local| LocalId(*local)).collect();
            let scope = &body.sites[site].scope;
            layout.declared.retain(|local| {
                !layout.held.contains(local) && !layout.rebuilt.contains(local) && scope.contains_key(local)
            });
            layouts[site] = layout;
        }
    }
    layouts
}

/// What each block uses and defines, as `note` says of its events, which come in their order.
fn facts(graph: &Graph, note: impl Fn(&mut Facts, &Event)) -> Vec<Facts> {
    let blocks = graph.blocks.iter();
    blocks
        .map(|block| {
            let mut facts = Facts::default();
            block.events.iter().for_each(|event| note(&mut facts, event));
            facts.successors = block.exit.successors().iter().map(|successor| successor.0).collect();
            facts
        })
        .collect()
}

/// Is there a use on some path, before the local gets another value?
fn uses(facts: &mut Facts, event: &Event) {
    match event {
        Event::Use(local) if !facts.defines.contains(&local.0) => {
            facts.uses.insert(local.0);
        }
        Event::Define(local) => {
            facts.defines.insert(local.0);
        }
        Event::Use(_) | Event::Assign(_) | Event::Bind(_) | Event::Change(_) | Event::Part(_) => {}
    }
}

/// The same question of assignments: is there one on some path, before the local is bound anew?
fn assignments(body: &Body, facts: &mut Facts, event: &Event) {
    match event {
        Event::Assign(local) if !facts.defines.contains(&local.0) => {
            facts.uses.insert(local.0);
        }
        Event::Bind(group) => {
            let locals = body.locals.iter().enumerate();
            let bound = locals.filter(|(_, local)| local.group == Some(*group));
            facts.defines.extend(bound.map(|(id, _)| id));
        }
        Event::Assign(_) | Event::Use(_) | Event::Define(_) | Event::Change(_) | Event::Part(_) => {}
    }
}

/// Splits the locals that are needed into those that travel and those that are derived again, which need others.
fn at_site(
    body: &Body,
    live: Vec<LocalId>,
    stale: &BTreeSet<GroupId>,
    perhaps: &PerhapsChanged<'_>,
) -> SiteLayout {
    let mut layout = SiteLayout::default();
    let mut held = BTreeSet::new();
    let used: BTreeSet<_> = live.iter().copied().collect();
    let mut needed = live;
    while let Some(id) = needed.pop() {
        let local = body.local(id);
        match local.supply {
            Supply::Never => {}
            Supply::AsItWas => continue,
            Supply::PerhapsChanged => {
                layout.again.extend(perhaps.shared(id).map(|parts| (id, parts)));
                layout.left.extend(Some((id, perhaps.left(id))).filter(|(_, parts)| !parts.is_empty()));
                continue;
            }
        }
        if let Some(position) = body.positions.get(&id) {
            held.insert(id);
            if local.group.is_some_and(|group| stale.contains(&group)) {
                layout.astray.push(id);
            }
            needed.extend(position.inputs.iter().filter(|input| !held.contains(input)));
            continue;
        }
        // A binding that may have changed is not what it was derived as; a temporary was never touched, and no other
        // value is of a closure's type.
        let is_closure = local.concern == Some(Concern::Closure);
        let unchanged = !local.mutable || local.kind == LocalKind::Temporary || is_closure;
        let group = local.group.filter(|group| !stale.contains(group) && unchanged);
        let rebuild = group.and_then(|group| body.group(group).rebuild.as_ref());
        let is_gone = |input: &LocalId| {
            let group = body.local(*input).group;
            !used.contains(input) && group.is_some_and(|group| stale.contains(&group))
        };
        let is_of_gone = |rebuild: &Rebuild| rebuild.is_read_early() && rebuild.inputs.iter().any(is_gone);
        match rebuild.filter(|rebuild| !outlives(body, local, rebuild) && !is_of_gone(rebuild)) {
            Some(rebuild) => {
                if layout.rebuilt.insert(id) {
                    needed.extend(&rebuild.inputs);
                }
            }
            _ => {
                held.insert(id);
            }
        }
    }
    layout.borrowing = layout.rebuilt.intersection(&used).copied().collect();
    layout.held = held.into_iter().collect();
    layout
}

/// A copy of what was borrowed, which may be changed then; a loop keeps what it goes over from being changed.
fn outlives(body: &Body, local: &Local, rebuild: &Rebuild) -> bool {
    let in_loop = rebuild.inputs.iter().any(|input| body.local(*input).kind == LocalKind::Iterator);
    local.kind == LocalKind::Bound && !in_loop && !rebuild.is_trusted
}
