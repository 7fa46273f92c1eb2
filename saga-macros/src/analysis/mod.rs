//! What each suspension holds.

pub(crate) mod drawing;
pub(crate) mod layout;
pub(crate) mod liveness;
pub(crate) mod parts;
mod stale;

use std::collections::BTreeSet;

use self::layout::SiteLayout;
use crate::diagnostics::Diagnostics;
use crate::tree::{Body, Concern, Local, LocalId};

/// Guards that a question ends, since nothing needs them after it: no error, but hardly what was meant.
pub(crate) fn lost_guards(body: &Body, layouts: &[SiteLayout]) -> BTreeSet<LocalId> {
    let sites = body.sites.iter().zip(layouts);
    let lost = sites.flat_map(|(site, layout)| {
        let travels = |local: &LocalId| layout.held.contains(local) || layout.rebuilt.contains(local);
        site.scope.keys().copied().filter(move |local| !travels(local))
    });
    lost.filter(|local| body.local(*local).concern == Some(Concern::Guard)).collect()
}

/// Refuses what could not go on.
pub(crate) fn refuse(body: &Body, layouts: &[SiteLayout], diagnostics: &mut Diagnostics) {
    refuse_astray(body, layouts, diagnostics);
    refuse_conditional(body, layouts, diagnostics);
    refuse_closures(body, layouts, diagnostics);
}

/// Closures that a question would have to hold.
fn refuse_closures(body: &Body, layouts: &[SiteLayout], diagnostics: &mut Diagnostics) {
    let held: BTreeSet<_> = layouts.iter().flat_map(|layout| &layout.held).copied().collect();
    for local in concerned(body, held, Concern::Closure) {
        let is_borrowing = local.group.is_some_and(|group| body.group(group).rebuild.is_some());
        let name = &local.name;
        let message = if is_borrowing {
            format!(
                "`{name}` is needed after a later question, and what it captures is assigned meanwhile, so that it \
                 cannot be made again; write a `fn` that takes what it captures"
            )
        } else {
            format!(
                "`{name}` is needed after a later question, and a `move` closure cannot travel; leave out `move`, and \
                 it is made again after the question, or write a `fn` that takes what it captures"
            )
        };
        diagnostics.error(name, message);
    }
}

fn concerned(body: &Body, locals: BTreeSet<LocalId>, concern: Concern) -> impl Iterator<Item = &Local> {
    let locals = locals.into_iter().map(|local| body.local(local));
    locals.filter(move |local| local.concern == Some(concern))
}

/// Locals that a question needs, and that a `#[cfg]` may take away.
fn refuse_conditional(body: &Body, layouts: &[SiteLayout], diagnostics: &mut Diagnostics) {
    let needed: BTreeSet<_> = layouts
        .iter()
        .flat_map(|layout| layout.held.iter().chain(&layout.rebuilt).chain(&layout.declared))
        .copied()
        .collect();
    for Local { name, .. } in concerned(body, needed, Concern::Conditional) {
        let message = format!(
            "`{name}` is needed after a later question, and whether there is such a local is decided by a `#[cfg]` \
             that the compiler cannot evaluate; move the `#[cfg]` into its value: `let {name} = if cfg!(..) {{ .. }} \
             else {{ .. }};`"
        );
        diagnostics.error(name, message);
    }
}

/// Loops that could not find their place again.
fn refuse_astray(body: &Body, layouts: &[SiteLayout], diagnostics: &mut Diagnostics) {
    let mut astray: Vec<_> = layouts.iter().flat_map(|layout| &layout.astray).collect();
    astray.sort_unstable();
    astray.dedup();
    for iterator in astray {
        if let Some(position) = body.positions.get(iterator) {
            diagnostics.error(
                &position.source,
                "this loop goes over a borrow that is assigned inside it, so that after the question its position \
                 would be in another collection; loop over a name of its own: `let items = ..; for item in items`",
            );
        }
    }
}
