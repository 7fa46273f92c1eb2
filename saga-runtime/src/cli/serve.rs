//! The commands that serve: the transports do the work.

use std::net::SocketAddr;

use super::failure::Failure;
use crate::sagas::Sagas;

/// Serves over HTTP until the process is told to end.
#[expect(clippy::unused_async, reason = "waits for the transport")]
pub(super) async fn http(_: Sagas, _: SocketAddr) -> Result<(), Failure> {
    Err(Failure::Failed("this build has no HTTP transport".to_owned()))
}

/// Serves on standard input and output until the input ends.
#[expect(clippy::unused_async, reason = "waits for the transport")]
pub(super) async fn stdio(_: Sagas) -> Result<(), Failure> {
    Err(Failure::Failed("this build has no transport on standard input and output".to_owned()))
}
