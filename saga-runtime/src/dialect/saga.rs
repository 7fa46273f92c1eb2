//! SEP-1597: sagas. `tools/callSaga` starts a tool and `tools/resumeSaga` goes on with it; the token is all that
//! the second needs, so it holds the tool's name and arguments too.
//!
//! The proposal leaves open what is decided here: `completedSteps` has every step since the start, and those that
//! the token no longer waits for are ignored; a step with neither result nor error counts as missing and is asked
//! again; a step that failed is an `Err` for the tool. The proposal has no way to negotiate, so the call itself
//! declares that its client fills in forms and asks models; a request whose `_meta` names MCP 2026-07-28 declares
//! it there, and its results have a `resultType`.
//!
//! The proposal has steps for forms and prompts. A page to visit is an elicitation too, for clients that declare
//! `elicitation.url`; the client's folders are a step of a type of its own, `roots`, for clients that declare `roots`
//! and the extension [`NAME`].

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fault::{StateField, required_capabilities};
use super::fields::Part;
use super::{Fault, Fields, Object, Params, meta, mrtr, older, question};
use crate::client::Client;
use crate::frame::Asked;
use crate::host::{Arguments, Call, Outcome, Refusal, Registered, Waiting};
use crate::result::ToolResult;
use crate::saga::Principal;
use crate::sagas::Sagas;
use crate::step::{Answer, StepKind};
use crate::token::tool_of;

/// The `resultType` of a saga that waits.
const SUSPENDED: &str = "rs.saga/suspended";
/// The dialect's name, bound into its tokens.
const DIALECT: &str = "sep-1597";

/// The extension, as servers and clients declare it.
pub(super) const NAME: &str = "rs.saga/sagas";

/// What the proposal has steps for, and every client of it can do.
const HAS_STEPS: [StepKind; 3] = [StepKind::Elicit, StepKind::Sample, StepKind::SampleTools];

pub(crate) const CALL: &str = "tools/callSaga";
pub(crate) const RESUME: &str = "tools/resumeSaga";

/// Whose rules a request follows besides the proposal's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// `_meta` names MCP 2026-07-28.
    Modern,
    /// No `_meta`: an older client, or one of the proposal alone.
    Plain,
}

impl Era {
    pub(super) fn of(params: &Params) -> Self {
        match meta::version(params) {
            Some(_) => Self::Modern,
            None => Self::Plain,
        }
    }

    /// A fault as this era's HTTP shows it.
    pub(super) fn fault(self, fault: Fault) -> Fault {
        match self {
            Self::Modern => fault,
            Self::Plain => fault.in_band(),
        }
    }
}

/// Reads the params of `tools/callSaga`.
pub(super) fn read_call(
    sagas: &Sagas,
    mut params: Box<Params>,
    principal: Option<Principal>,
) -> Result<(&Registered, Call), Fault> {
    let client = client(&params)?;
    let tool = mrtr::tool(sagas, &params)?;
    let arguments = mrtr::arguments(&mut params)?;
    Ok((tool, Call { principal, ..call(sagas, arguments, client) }))
}

/// Reads the params of a `tools/call` that names no revision, on a server that does not speak MCP 2026-07-28: a tool
/// that does not ask is served so, too.
pub(super) fn read_plain(
    sagas: &Sagas,
    mut params: Box<Params>,
    principal: Option<Principal>,
) -> Result<(&Registered, Call), Fault> {
    let tool = mrtr::tool(sagas, &params)?;
    let arguments = mrtr::arguments(&mut params)?;
    let call = Call::new(DIALECT, mrtr::CALL, Arguments::Sent(arguments), Client::default());
    Ok((tool, Call { principal, ..call }))
}

/// The result of such a call.
pub(super) fn write_plain(outcome: Outcome) -> Result<Fields, Fault> {
    if let Outcome::Refused(Refusal::Capability(missing)) = outcome {
        let required = Value::Object(required_capabilities(&missing));
        let what =
            format!("the tool asks for {required}, which a `{}` cannot; call it by `{CALL}`", mrtr::CALL);
        return Ok(ToolResult::error(what).into_json().into());
    }
    older::ended(outcome)
}

/// Reads the params of `tools/resumeSaga`.
pub(super) fn read_resume(
    sagas: &Sagas,
    mut params: Box<Params>,
    principal: Option<Principal>,
) -> Result<(&Registered, Call), Fault> {
    let client = client(&params)?;
    let answers = completed_steps(&mut params)?;
    let token = match params.saga_token.take() {
        Some(Value::String(token)) => token,
        Some(_) => return Err(Fault::no_text(StateField::SagaToken)),
        None => return Err(Fault::params("`sagaToken` is missing")),
    };
    // The client's word, until the token is opened.
    let tool = tool_of(&token).ok().and_then(|id| sagas.tool_by_id(id)).ok_or_else(|| {
        tracing::warn!("refused a token that names no tool of this server");
        Fault::state(StateField::SagaToken)
    })?;
    Ok((tool, Call { answers, token: Some(token), principal, ..call(sagas, Object::new(), client) }))
}

/// A token is good for the method that resumes, also when it is made by the one that starts.
fn call(sagas: &Sagas, arguments: Object, client: Client) -> Call {
    let call = Call::new(DIALECT, RESUME, Arguments::Sealed(arguments), client);
    Call { is_strict: sagas.has_strict_steps(), ..call }
}

/// What the client can do, of that which there are steps for.
fn client(params: &Params) -> Result<Client, Fault> {
    if Era::of(params) == Era::Plain {
        return Ok(Client::of(&HAS_STEPS));
    }
    let declared = meta::client(params)?;
    let mut kinds = HAS_STEPS.to_vec();
    kinds.push(StepKind::ElicitUrl);
    if declared.knows_sagas() {
        kinds.push(StepKind::ListRoots);
    }
    kinds.retain(|kind| declared.supports(*kind));
    Ok(Client::of(&kinds))
}

/// What a client of MCP 2026-07-28 should have declared.
fn capability(missing: &[StepKind]) -> Fault {
    let mut required = required_capabilities(missing);
    if missing.contains(&StepKind::ListRoots) {
        required.insert("extensions".into(), json!({ NAME: {} }));
    }
    Fault::capabilities(&required)
}

fn completed_steps(params: &mut Params) -> Result<BTreeMap<String, Answer>, Fault> {
    let Some(Value::Array(steps)) = params.completed_steps.take() else {
        return Err(Fault::params("`completedSteps` must be an array"));
    };
    let mut answers = BTreeMap::new();
    for step in steps {
        let (id, answer) = completed_step(step)?;
        if answers.insert(id, answer).is_some() {
            return Err(Fault::params("`completedSteps` has a `stepId` twice"));
        }
    }
    Ok(answers.into_iter().filter_map(|(id, answer)| Some((id, answer?))).collect())
}

fn completed_step(step: Value) -> Result<(String, Option<Answer>), Fault> {
    let Value::Object(mut step) = step else {
        return Err(Fault::params("each of `completedSteps` must be an object"));
    };
    let Some(Value::String(id)) = step.remove("stepId") else {
        return Err(Fault::params("each of `completedSteps` must have a `stepId`"));
    };
    let mut part = |name: &str| step.remove(name).filter(|value| !value.is_null());
    let answer = match (part("result"), part("error")) {
        (None, None) => None,
        (Some(Value::Object(result)), None) => Some(Answer::Result(result)),
        (None, Some(error)) => Some(step_error(error)?),
        (Some(_), None) => return Err(Fault::params("a step's `result` must be an object")),
        (Some(_), Some(_)) => return Err(Fault::params("a step has a `result` or an `error`, not both")),
    };
    Ok((id, answer))
}

fn step_error(error: Value) -> Result<Answer, Fault> {
    let malformed = || Fault::params("a step's `error` must be an object with `code` and `message`");
    let Value::Object(mut error) = error else { return Err(malformed()) };
    let code = error.get("code").and_then(Value::as_i64).ok_or_else(malformed)?;
    let Some(Value::String(message)) = error.remove("message") else { return Err(malformed()) };
    Ok(Answer::Error { code, message, data: error.remove("data") })
}

/// The result of both methods.
pub(super) fn write(sagas: &Sagas, era: Era, outcome: Outcome) -> Result<Fields, Fault> {
    let (result_type, fields) = match (outcome, era) {
        (Outcome::Done(result), Era::Modern) => ("complete", Fields::from(result.into_json())),
        (Outcome::Done(result), Era::Plain) => ("complete", older::tool(result)),
        (Outcome::Suspended(waiting), _) => (SUSPENDED, waits(waiting, era)),
        (Outcome::Refused(Refusal::State), _) => return Err(Fault::state(StateField::SagaToken)),
        (Outcome::Refused(Refusal::Arguments(text)), _) => return Err(Fault::params(&text)),
        (Outcome::Refused(Refusal::Unavailable), _) => return Err(Fault::unavailable()),
        (Outcome::Refused(Refusal::Internal), _) => return Err(Fault::internal()),
        (Outcome::Refused(Refusal::Capability(missing)), Era::Modern) => {
            return Err(capability(&missing));
        }
        // Older clients have no code for this: the model is told.
        (Outcome::Refused(Refusal::Capability(missing)), Era::Plain) => {
            ("complete", cannot(&missing).into_json().into())
        }
    };
    Ok(match era {
        Era::Modern => meta::sign(sagas, result_type, fields),
        Era::Plain => fields,
    })
}

fn cannot(missing: &[StepKind]) -> ToolResult {
    let required = Value::Object(required_capabilities(missing));
    ToolResult::error(format!("the tool needs what {CALL} cannot ask the client for: {required}"))
}

/// The fields of a saga that waits.
fn waits(waiting: Waiting, era: Era) -> Fields {
    let steps: Vec<Part> = waiting.asked.into_iter().map(|asked| step(asked, era).into()).collect();
    Fields::new().with("state", "suspended").with("sagaToken", waiting.token).with("steps", steps)
}

fn step(asked: Asked, era: Era) -> Fields {
    let (id, kind) = (asked.key.clone(), asked.request.kind);
    let params = match era {
        Era::Modern => question::params(asked),
        // Revisions before 2025-11-25 do not know a form's mode; a form is what they all mean.
        Era::Plain => question::params(asked).without("mode"),
    };
    let kind = match kind {
        StepKind::Elicit | StepKind::ElicitUrl => "elicitation",
        StepKind::Sample | StepKind::SampleTools => "sampling",
        StepKind::ListRoots => "roots",
    };
    Fields::new().with("type", kind).with("stepId", id).with("params", params)
}
