//! What every request of MCP 2026-07-28 says about itself under `params._meta`: its version, and what its client
//! can do. Nothing is remembered between requests, so each says it again.

use std::sync::Arc;

use serde_json::Value;

use super::{Fault, Fields, Object};
use crate::saga::Client;
use crate::sagas::Sagas;

/// The revision of MCP that this server speaks.
pub(crate) const VERSION: &str = "2026-07-28";

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The protocol version that a request names, if it names any.
pub(crate) fn version(params: &Object) -> Option<&Value> {
    params.get("_meta")?.get(PROTOCOL_VERSION)
}

/// Refuses a request that names another version than ours; one that names none passes.
pub(super) fn check_version(params: &Object) -> Result<(), Fault> {
    match version(params) {
        None => Ok(()),
        Some(Value::String(version)) if version == VERSION => Ok(()),
        Some(Value::String(version)) => Err(Fault::version(version)),
        Some(_) => Err(Fault::params(&format!("`_meta` must name `{PROTOCOL_VERSION}` as a text"))),
    }
}

/// The client of a request that must be of MCP 2026-07-28: takes its capabilities out of the params.
pub(super) fn client(params: &mut Object) -> Result<Client, Fault> {
    check_version(params)?;
    if version(params).is_none() {
        let what = format!("`_meta` must have `{PROTOCOL_VERSION}`; this server speaks {VERSION}");
        return Err(Fault::params(&what));
    }
    let declared = params.get_mut("_meta").and_then(|meta| meta.get_mut(CLIENT_CAPABILITIES));
    match declared.map(Value::take) {
        Some(Value::Object(capabilities)) => Ok(Client::new(capabilities)),
        Some(_) => Err(Fault::params(&format!("`{CLIENT_CAPABILITIES}` in `_meta` must be an object"))),
        None => Err(Fault::params(&format!("`_meta` must have `{CLIENT_CAPABILITIES}`; `{{}}` for none"))),
    }
}

/// Whether the client declares this extension.
pub(super) fn declares_extension(params: &Object, name: &str) -> bool {
    let capabilities = params.get("_meta").and_then(|meta| meta.get(CLIENT_CAPABILITIES));
    let extensions = capabilities.and_then(|capabilities| capabilities.get("extensions"));
    extensions.and_then(|extensions| extensions.get(name)).is_some_and(Value::is_object)
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
