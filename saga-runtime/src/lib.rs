//! The runtime of Saga.
