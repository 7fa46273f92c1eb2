//! Sessions over HTTP that no server keeps: a session's id is what `initialize` settled, sealed for its caller, so
//! that every instance knows it.

use serde_json::{Map, json};

use super::fault::required_capabilities;
use super::push::Revision;
use super::session::Session;
use super::{Object, Params};
use crate::client::Client;
use crate::host::Host;
use crate::saga::Principal;
use crate::sagas::Sagas;
use crate::token::{Binding, Claims, Limits, arguments_digest};

/// For how many seconds an id is good. A client whose session has ended opens another one.
const GOOD_FOR: u32 = 24 * 60 * 60;

/// A header has no room for more.
fn limits(host: &Host) -> Limits {
    Limits { max_age: GOOD_FOR, max_rounds: 1, max_state: 1024, max_skew: host.limits.max_skew }
}

/// A new session of this client, with its id; none if it does not take requests up again.
pub(crate) fn open(
    sagas: &Sagas,
    params: &Params,
    principal: Option<&Principal>,
) -> Option<(String, Object)> {
    let (session, result) = Session::open(sagas, params).ok().filter(|(session, _)| session.resumes)?;
    let kinds: Vec<_> = session.client.kinds().collect();
    let mut capabilities = required_capabilities(&kinds);
    capabilities.insert("resumableRequests".into(), json!({}));
    let settled = json!([session.revision.name(), capabilities]).to_string();
    let host = sagas.host();
    let mut id = [0; 16];
    host.entropy.fill(&mut id).ok()?;
    let claims = Claims::first(host.clock.now(), GOOD_FOR, id);
    let binding = binding(principal);
    let sealed =
        host.sealer.seal(&binding, &claims, settled.as_bytes(), &limits(host), &*host.entropy, &*host.clock);
    let id = sealed.inspect_err(|error| tracing::warn!(%error, "could not open a session")).ok()?;
    Some((id, result))
}

/// The session of this id.
pub(crate) fn read(sagas: &Sagas, id: &str, principal: Option<&Principal>) -> Option<Session> {
    let host = sagas.host();
    let opened = host.sealer.open(id, &binding(principal), &limits(host), host.clock.now());
    let opened = opened.inspect_err(|error| tracing::warn!(%error, "refused a session's id")).ok()?;
    let (revision, declared): (String, Client) = serde_json::from_slice(&opened.state).ok()?;
    Some(Session::of(sagas, Revision::named(&revision)?, declared))
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
