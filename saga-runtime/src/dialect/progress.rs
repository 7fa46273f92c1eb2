//! Progress: the client of a request names a token, and hears of the request's progress under it.

use serde_json::Value;

use super::Fields;
use super::json_rpc::{self, Request};
use crate::progress::Progress;

/// The token under which the request's client wants to hear of its progress.
pub(crate) fn token(request: &Request) -> Option<Value> {
    let token = request.params.meta.get()?.progress_token.as_ref()?;
    (token.is_string() || token.is_i64() || token.is_u64()).then(|| token.clone())
}

/// The notification of some progress.
pub(crate) fn notification(token: &Value, progress: Progress) -> String {
    let mut params =
        Fields::new().with("progressToken", token.clone()).with("progress", number(progress.done));
    if let Some(total) = progress.total {
        params.push("total", number(total));
    }
    if let Some(message) = progress.message {
        params.push("message", message);
    }
    json_rpc::sent(None, "notifications/progress", params)
}

/// Whole numbers are written as such: `3` and not `3.0`.
fn number(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 is an i64")]
    if value.fract() == 0.0 && value.abs() < EXACT { (value as i64).into() } else { value.into() }
}
