//! What a client is asked, in the words that all dialects share.

use serde_json::Value;

use super::Object;
use crate::frame::Asked;

/// The params of what is asked. A form that is asked again says what was wrong with the last answer, where the
/// person can mend it.
pub(super) fn params(asked: Asked) -> Object {
    let mut params = asked.request.params;
    let problems = asked.problems.iter().filter(|problem| !problem.field.is_empty());
    let problems: Vec<_> = problems.map(ToString::to_string).collect();
    if let Some(Value::String(message)) = params.get_mut("message")
        && !problems.is_empty()
    {
        message.push_str("\n\n");
        message.push_str(&problems.join("; "));
    }
    params
}
