//! What each suspension holds.

pub(crate) mod drawing;
pub(crate) mod layout;
pub(crate) mod liveness;
mod stale;
