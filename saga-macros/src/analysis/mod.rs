//! What each suspension holds.

pub(crate) mod drawing;
pub(crate) mod layout;
pub(crate) mod liveness;
mod stale;

use self::layout::SiteLayout;
use crate::diagnostics::Diagnostics;
use crate::tree::Body;

/// Refuses loops that could not find their place again.
pub(crate) fn refuse(body: &Body, layouts: &[SiteLayout], diagnostics: &mut Diagnostics) {
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
