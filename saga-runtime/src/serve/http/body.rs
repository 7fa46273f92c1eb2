//! Reading a request's body: never more of it than is allowed, and never longer.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use axum::body::{Bytes, HttpBody};

/// Bytes of a body that room is made for before they are there.
const MOST_AHEAD: usize = 64 * 1024;

/// Why a body could not be taken.
pub(super) enum Unread {
    TooLarge,
    TooSlow,
    Broken,
}

/// Reads a body that comes within this time, and never more of it than `largest` and one frame.
pub(super) async fn read<B: HttpBody<Data = Bytes>>(
    body: B,
    largest: usize,
    within: Duration,
) -> Result<Vec<u8>, Unread> {
    tokio::time::timeout(within, read_all(body, largest)).await.unwrap_or(Err(Unread::TooSlow))
}

async fn read_all<B: HttpBody<Data = Bytes>>(body: B, largest: usize) -> Result<Vec<u8>, Unread> {
    let mut body = pin!(body);
    if body.size_hint().lower() > u64::try_from(largest).unwrap_or(u64::MAX) {
        return Err(Unread::TooLarge);
    }
    // As much as the client says, within what a client may have for nothing.
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or_default().min(MOST_AHEAD);
    let mut bytes = Vec::with_capacity(expected);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|_| Unread::Broken)?;
        // Trailers say nothing here.
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > largest {
            return Err(Unread::TooLarge);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
