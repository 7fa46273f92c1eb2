//! Giving up the request with what there is so far: `checkpoint(partial)`.

use serde::{Deserialize, Serialize};

use super::{Asking, Question, Reading};
use crate::result::{IntoToolResult, ToolResult};

/// Ends the request with a partial result and asks nobody; the tool goes on in the next one.
///
/// For work that is long, and that another server may go on with: each checkpoint is where it goes on from. The
/// await gives `()`. What a client sees of it is its protocol's matter: with resume tokens the partial result, and
/// that there is more; in MCP 2026-07-28 a round without questions, which the common clients repeat at once or after
/// 50 to 250 ms, and **of which they count ten for a call**. Where the protocol has no such thing the tool runs on in
/// the same request. In a saga that runs beside others which ask, its partial result is not shown: their questions end
/// the request.
///
/// ```ignore
/// for page in scan.pages() {
///     let findings = page.read().await?;
///     checkpoint(format!("{} findings on page {}", findings.len(), page.number())).await;
/// }
/// ```
pub fn checkpoint(partial: impl IntoToolResult) -> Checkpoint {
    let partial = partial.into_tool_result().unwrap_or_else(|error| {
        tracing::error!(error = ?error.cause(), "a checkpoint's partial result is left out");
        ToolResult::default()
    });
    Checkpoint { partial: ToolResult { is_error: false, ..partial } }
}

/// The end of a request that asks nobody; made by [`checkpoint`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use = "a checkpoint does nothing unless awaited in a tool"]
pub struct Checkpoint {
    /// The client has it by then: it does not travel.
    #[serde(skip)]
    partial: ToolResult,
}

#[diagnostic::do_not_recommend]
impl Question for Checkpoint {
    type Output = ();

    fn ask(&self, asking: &mut Asking<'_>) {
        asking.partial = Some(self.partial.clone());
    }

    fn read(&self, _: &mut Reading<'_>) -> Option<()> {
        Some(())
    }
}
