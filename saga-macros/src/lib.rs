//! The compiler of Saga.
