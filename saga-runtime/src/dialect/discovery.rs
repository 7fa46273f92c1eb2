//! What a server says about itself: `server/discover`, and the lists of what it has.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fields::Part;
use super::{Dialect, Fault, Fields, Object, Params, Written, meta};
use crate::host::Registered;
use crate::sagas::Sagas;
use crate::tool::Kind;

pub(crate) const DISCOVER: &str = "server/discover";
const PROMPTS: &str = "prompts/list";
const RESOURCES: &str = "resources/list";
const TEMPLATES: &str = "resources/templates/list";
pub(super) const TOOLS: &str = "tools/list";

/// For how long a client may keep what it learned about the server. What a new deployment brings is seen after it.
const CACHED_FOR_MS: u64 = 300_000;

/// The fields that say how long a result may be kept.
pub(super) const CACHEABLE: [&str; 2] = ["ttlMs", "cacheScope"];

/// Whether the server answers to this method here.
pub(super) fn knows(sagas: &Sagas, method: &str) -> bool {
    method == DISCOVER || lists(sagas, method)
}

/// Whether this is a list that the server has.
pub(super) fn lists(sagas: &Sagas, method: &str) -> bool {
    match method {
        TOOLS => true,
        PROMPTS => sagas.prompts().next().is_some(),
        RESOURCES | TEMPLATES => sagas.resources().next().is_some(),
        _ => false,
    }
}

/// The result of a method that [`knows`] knows.
pub(super) fn result(sagas: &Sagas, method: &str, params: &Params) -> Result<Fields, Fault> {
    if method == DISCOVER {
        return Ok(discover(sagas));
    }
    let (name, items) = list(sagas, method, params)?;
    let items: Vec<Part> = items.into_iter().map(|item| Arc::clone(item).into()).collect();
    let fields = Fields::new().with(name, items);
    Ok(meta::sign(sagas, "complete", cacheable(sagas, fields, CACHED_FOR_MS)))
}

/// A list's name in its result, and its items.
pub(super) fn list<'a>(
    sagas: &'a Sagas,
    method: &str,
    params: &Params,
) -> Result<(&'static str, Vec<&'a Arc<Written>>), Fault> {
    check_cursor(params)?;
    let templates =
        |wanted| sagas.resources().filter(move |one| is_template(one) == wanted).map(Registered::shown);
    Ok(match method {
        PROMPTS => ("prompts", sagas.prompts().map(Registered::shown).collect()),
        RESOURCES => ("resources", templates(false).collect()),
        TEMPLATES => ("resourceTemplates", templates(true).collect()),
        _ => ("tools", sagas.tools().map(Registered::shown).collect()),
    })
}

fn discover(sagas: &Sagas) -> Fields {
    let fields = Fields::new()
        .with("supportedVersions", json!([meta::VERSION]))
        .with("capabilities", capabilities(sagas));
    meta::sign(sagas, "complete", cacheable(sagas, fields, CACHED_FOR_MS))
}

/// What the server can do (`ServerCapabilities`).
pub(crate) fn capabilities(sagas: &Sagas) -> Value {
    let mut capabilities = capable_of(sagas);
    let extensions = extensions(sagas);
    if !extensions.is_empty() {
        capabilities.insert("extensions".into(), Value::Object(extensions));
    }
    Value::Object(capabilities)
}

/// What the server has, in every revision.
pub(super) fn capable_of(sagas: &Sagas) -> Object {
    let named = [("tools", TOOLS), ("prompts", PROMPTS), ("resources", RESOURCES)];
    let named = named.into_iter().filter(|(_, method)| lists(sagas, method));
    named.map(|(name, _)| (name.to_owned(), json!({}))).collect()
}

/// The dialects that MCP does not have, as the server announces them.
pub(super) fn extensions(sagas: &Sagas) -> Object {
    let names = sagas.dialects().iter().filter_map(Dialect::extension);
    names.map(|name| (name.to_owned(), json!({}))).collect()
}

pub(crate) fn is_template(resource: &Registered) -> bool {
    matches!(resource.definition.kind, Kind::Resource(place) if place.is_template())
}

/// Lists have one page: no cursor is one of ours.
fn check_cursor(params: &Params) -> Result<(), Fault> {
    if params.cursor.is_some() {
        return Err(Fault::params("`cursor` is not one that this server gave"));
    }
    Ok(())
}

/// Where callers are told apart, what one of them learned is not for the others; nor is what must not be kept.
pub(super) fn cacheable(sagas: &Sagas, fields: Fields, milliseconds: u64) -> Fields {
    let is_private = sagas.knows_principals() || milliseconds == 0;
    let [ttl, scope] = CACHEABLE;
    let scope_is = if is_private { "private" } else { "public" };
    fields.with(ttl, Value::from(milliseconds)).with(scope, scope_is)
}
