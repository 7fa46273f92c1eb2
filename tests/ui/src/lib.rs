//! Nothing of its own: the cases are in `tests/ui`, and what they may use in `Cargo.toml`.
