//! What each suspension holds.

pub(crate) mod layout;
pub(crate) mod liveness;
mod stale;
