//! The log on standard error; standard output belongs to the commands.

use std::io::{self, IsTerminal};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Starts the log, unless the server has one already. `RUST_LOG` says what it shows; else a server's log has what
/// an operator wants to know, and another command's has warnings only.
pub(super) fn start(serves: bool) {
    let default = Targets::new().with_default(if serves { LevelFilter::INFO } else { LevelFilter::WARN });
    let asked = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let filter = asked.as_deref().map_or(Ok(default.clone()), str::parse::<Targets>);
    let fault = filter.as_ref().err().map(ToString::to_string);
    let lines =
        tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let started = tracing_subscriber::registry().with(lines).with(filter.unwrap_or(default)).try_init();
    if let (Ok(()), Some(fault)) = (started, fault) {
        tracing::warn!("RUST_LOG is not understood ({fault}); write `info` or `saga_runtime=debug,warn`");
    }
}
