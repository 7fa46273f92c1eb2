//! What a server says about itself: `server/discover`, and the lists of what it has.

use serde_json::{Value, json};

use super::{Dialect, Fault, Object, meta};
use crate::host::Registered;
use crate::sagas::Sagas;
use crate::tool::Kind;

const DISCOVER: &str = "server/discover";
const PROMPTS: &str = "prompts/list";
const RESOURCES: &str = "resources/list";
const TEMPLATES: &str = "resources/templates/list";
pub(super) const TOOLS: &str = "tools/list";

/// For how long a client may keep what it learned about the server. What a new deployment brings is seen after it.
const CACHED_FOR_MS: u64 = 300_000;

/// Whether the server answers to this method here.
pub(super) fn knows(sagas: &Sagas, method: &str) -> bool {
    match method {
        DISCOVER | TOOLS => true,
        PROMPTS => sagas.prompts().next().is_some(),
        RESOURCES | TEMPLATES => sagas.resources().next().is_some(),
        _ => false,
    }
}

/// The result of a method that [`knows`] knows.
pub(super) fn result(sagas: &Sagas, method: &str, params: &Object) -> Result<Object, Fault> {
    let (name, items) = match method {
        DISCOVER => return Ok(discover(sagas)),
        PROMPTS => ("prompts", sagas.prompts().map(shown).collect()),
        RESOURCES => ("resources", sagas.resources().filter(|one| !is_template(one)).map(shown).collect()),
        TEMPLATES => {
            ("resourceTemplates", sagas.resources().filter(|one| is_template(one)).map(shown).collect())
        }
        _ => ("tools", tools(sagas)),
    };
    check_cursor(params)?;
    let fields = Object::from_iter([(name.to_owned(), items)]);
    Ok(meta::sign(sagas, "complete", cacheable(sagas, fields, CACHED_FOR_MS)))
}

fn discover(sagas: &Sagas) -> Object {
    let mut fields = Object::new();
    fields.insert("supportedVersions".into(), json!([meta::VERSION]));
    fields.insert("capabilities".into(), capabilities(sagas));
    meta::sign(sagas, "complete", cacheable(sagas, fields, CACHED_FOR_MS))
}

/// What the server can do (`ServerCapabilities`).
pub(crate) fn capabilities(sagas: &Sagas) -> Value {
    let mut capabilities = Object::from_iter([("tools".to_owned(), json!({}))]);
    for (name, method) in [("prompts", PROMPTS), ("resources", RESOURCES)] {
        if knows(sagas, method) {
            capabilities.insert(name.into(), json!({}));
        }
    }
    let extensions = extensions(sagas);
    if !extensions.is_empty() {
        capabilities.insert("extensions".into(), Value::Object(extensions));
    }
    Value::Object(capabilities)
}

/// The dialects that MCP does not have, as the server announces them.
pub(super) fn extensions(sagas: &Sagas) -> Object {
    let names = sagas.dialects().iter().filter_map(Dialect::extension);
    names.map(|name| (name.to_owned(), json!({}))).collect()
}

/// All tools, in the order of their names.
pub(super) fn tools(sagas: &Sagas) -> Value {
    sagas.tools().map(shown).collect()
}

fn shown(one: &Registered) -> Value {
    one.definition.to_json()
}

pub(crate) fn is_template(resource: &Registered) -> bool {
    matches!(resource.definition.kind, Kind::Resource(place) if place.is_template())
}

/// Lists have one page: no cursor is one of ours.
pub(super) fn check_cursor(params: &Object) -> Result<(), Fault> {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(Fault::params("`cursor` is not one that this server gave"));
    }
    Ok(())
}

/// Where callers are told apart, what one of them learned is not for the others; nor is what must not be kept.
pub(super) fn cacheable(sagas: &Sagas, mut fields: Object, milliseconds: u64) -> Object {
    let is_private = sagas.knows_principals() || milliseconds == 0;
    fields.insert("ttlMs".into(), milliseconds.into());
    fields.insert("cacheScope".into(), if is_private { "private" } else { "public" }.into());
    fields
}
