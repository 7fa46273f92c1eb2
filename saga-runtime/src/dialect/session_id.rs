//! Sessions over HTTP that no server keeps: a session's id is what `initialize` settled, sealed for its caller, so
//! that every instance knows it.

use serde_json::{Map, Value, json};

use super::Object;
use super::push::Revision;
use super::session::Session;
use crate::saga::Principal;
use crate::sagas::Sagas;
use crate::token::{Binding, Claims, Limits, arguments_digest};

/// For how many seconds an id is good. A client whose session has ended opens another one.
const GOOD_FOR: u32 = 24 * 60 * 60;

/// A header has no room for more.
const LIMITS: Limits = Limits { max_age: GOOD_FOR, max_rounds: 1, max_state: 1024, max_skew: 60 };

/// The capabilities that make a difference.
const KNOWN: [&str; 4] = ["elicitation", "sampling", "roots", "resumableRequests"];

/// A new session of this client, with its id; none if it does not take requests up again, or declared too much.
pub(crate) fn open(
    sagas: &Sagas,
    params: &Object,
    principal: Option<&Principal>,
) -> Option<(String, Object)> {
    let (session, result) = Session::open(sagas, params).ok().filter(|(session, _)| session.resumes)?;
    let mut capabilities = params.get("capabilities")?.as_object()?.clone();
    capabilities.retain(|name, _| KNOWN.contains(&name.as_str()));
    let settled = json!([session.revision.name(), capabilities]).to_string();
    let host = sagas.host();
    let mut id = [0; 16];
    host.entropy.fill(&mut id).ok()?;
    let claims = Claims::first(host.clock.now(), GOOD_FOR, id);
    let binding = binding(principal);
    let sealed =
        host.sealer.seal(&binding, &claims, settled.as_bytes(), &LIMITS, &*host.entropy, &*host.clock);
    let id = sealed.inspect_err(|error| tracing::warn!(%error, "could not open a session")).ok()?;
    Some((id, result))
}

/// The session of this id.
pub(crate) fn read(sagas: &Sagas, id: &str, principal: Option<&Principal>) -> Option<Session> {
    let host = sagas.host();
    let opened = host.sealer.open(id, &binding(principal), &LIMITS, host.clock.now());
    let opened = opened.inspect_err(|error| tracing::warn!(%error, "refused a session's id")).ok()?;
    let (revision, capabilities): (String, Map<String, Value>) =
        serde_json::from_slice(&opened.state).ok()?;
    Some(Session::of(sagas, Revision::named(&revision)?, capabilities))
}

fn binding(principal: Option<&Principal>) -> Binding<'_> {
    Binding {
        dialect: "sep-975",
        method: "initialize",
        tool: "",
        principal: principal.map(|principal| principal.as_str().as_bytes()),
        arguments: arguments_digest(&Map::new()),
    }
}
