//! The runtime of Saga.

pub mod clock;
