//! The runtime of Saga.

pub mod clock;
pub mod token;
