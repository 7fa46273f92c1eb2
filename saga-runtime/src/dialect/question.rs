//! What a client is asked, in the words that all dialects share.

use super::{Fields, Object};
use crate::frame::Asked;
use crate::step::Params;

/// The params of what is asked. A form that is asked again says what was wrong with the last answer, where the
/// person can mend it.
pub(super) fn params(asked: Asked) -> Fields {
    match explained(asked) {
        Params::Elicitation { message, schema } => {
            Fields::new().with("mode", "form").with("message", message).with("requestedSchema", schema)
        }
        Params::Other(params) => params.into(),
    }
}

/// The same as a tree, to be changed.
pub(super) fn tree(asked: Asked) -> Object {
    explained(asked).to_json()
}

/// The params, with what was wrong in the message.
pub(crate) fn explained(asked: Asked) -> Params {
    let mut params = asked.request.params;
    let problems = asked.problems.iter().filter(|problem| !problem.field.is_empty());
    let problems: Vec<_> = problems.map(ToString::to_string).collect();
    if !problems.is_empty() {
        params.explain(&problems.join("; "));
    }
    params
}
