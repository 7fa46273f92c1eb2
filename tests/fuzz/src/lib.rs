//! What hostile bytes may cost a server whose key their sender has: at most 64 times their memory (what has
//! fewer than 48 KiB counts for as many, as a short text may say "a thousand times nothing"), 10 milliseconds, no
//! panic, and a stack of 2 MiB.
//!
//! ```text
//! cargo +nightly fuzz run --fuzz-dir tests/fuzz -s none --features libfuzzer open -- -max_total_time=600
//! cargo +nightly fuzz run --fuzz-dir tests/fuzz -s none --features libfuzzer state -- -max_total_time=600
//! cd tests/fuzz && cargo run --release -- --seconds 600       the same bounds on stable, by mutations
//! ```
//!
//! (`-s none`: there is no `unsafe` here for a sanitizer to watch, and its stack frames are not a server's.)

pub mod random;

mod bounds;
mod open;
mod state;

pub use self::bounds::{Cost, LEAST_LEN};
pub use self::open::{open, tokens};
pub use self::state::{state, states};

/// The longest input: a token of the largest state.
pub const LONGEST: usize = 64 * 1024;
