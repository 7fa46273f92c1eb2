//! What every request of MCP 2026-07-28 says about itself under `params._meta`: its version, and what its client
//! can do. Nothing is remembered between requests, so each says it again.

use std::sync::Arc;

use serde_json::Value;

use super::params::Params;
use super::{Fault, Fields};
use crate::client::Client;
use crate::record::Record;
use crate::sagas::Sagas;

/// The revision of MCP that this server speaks.
pub(crate) const VERSION: &str = "2026-07-28";

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The protocol version that a request names, if it names any.
pub(crate) fn version(params: &Params) -> Option<&Value> {
    params.meta.get()?.version.as_ref()
}

/// Refuses a request that names another version than ours; one that names none passes.
pub(super) fn check_version(params: &Params) -> Result<(), Fault> {
    match version(params) {
        None => Ok(()),
        Some(Value::String(version)) if version == VERSION => Ok(()),
        Some(Value::String(version)) => Err(Fault::version(version)),
        Some(_) => Err(Fault::params(&format!("`_meta` must name `{PROTOCOL_VERSION}` as a text"))),
    }
}

/// The client of a request that must be of MCP 2026-07-28.
pub(super) fn client(params: &Params) -> Result<Client, Fault> {
    check_version(params)?;
    if version(params).is_none() {
        let what = format!("`_meta` must have `{PROTOCOL_VERSION}`; this server speaks {VERSION}");
        return Err(Fault::params(&what));
    }
    match params.meta.get().map(|meta| &meta.client) {
        Some(Record::Is(client)) => Ok(*client),
        Some(Record::Other) => {
            Err(Fault::params(&format!("`{CLIENT_CAPABILITIES}` in `_meta` must be an object")))
        }
        Some(Record::Absent) | None => {
            Err(Fault::params(&format!("`_meta` must have `{CLIENT_CAPABILITIES}`; `{{}}` for none")))
        }
    }
}

/// A result of MCP 2026-07-28: says of what kind it is, and which server made it.
pub(super) fn sign(sagas: &Sagas, result_type: &'static str, fields: impl Into<Fields>) -> Fields {
    Fields::new()
        .with("resultType", result_type)
        .and(fields.into())
        .with("_meta", Arc::clone(sagas.signature()))
}

/// Which server made a result: its `_meta`.
pub(crate) fn signature(name: &str, version: &str) -> Fields {
    let server = Fields::new().with("name", name.to_owned()).with("version", version.to_owned());
    Fields::new().with(SERVER_INFO, server)
}
