//! What a server says about itself: `server/discover`, and the lists of what it has.

use serde_json::{Value, json};

use super::{Fault, Object, meta, saga};
use crate::host::Registered;
use crate::sagas::Sagas;
use crate::tool::Kind;

pub(super) const DISCOVER: &str = "server/discover";

/// For how long a client may keep what it learned about the server. What a new deployment brings is seen after it.
const CACHED_FOR_MS: u64 = 300_000;

/// The result of `server/discover`.
pub(super) fn discover(sagas: &Sagas) -> Object {
    let mut fields = Object::new();
    fields.insert("supportedVersions".into(), json!([meta::VERSION]));
    fields.insert("capabilities".into(), capabilities(sagas));
    meta::sign(sagas, "complete", cacheable(sagas, fields, CACHED_FOR_MS))
}

/// What the server can do (`ServerCapabilities`).
pub(crate) fn capabilities(sagas: &Sagas) -> Value {
    let mut capabilities = json!({ "tools": {} });
    if sagas.prompts().next().is_some() {
        capabilities["prompts"] = json!({});
    }
    if sagas.resources().next().is_some() {
        capabilities["resources"] = json!({});
    }
    capabilities["extensions"] = json!({ (saga::EXTENSION): {} });
    capabilities
}

/// The list that a method gives; `None` where the method gives none here.
pub(super) fn list(sagas: &Sagas, method: &str, params: &Object) -> Option<Result<Object, Fault>> {
    let (name, items) = match method {
        "tools/list" => ("tools", sagas.tools().map(shown).collect()),
        "prompts/list" => ("prompts", sagas.prompts().map(shown).collect()),
        "resources/list" => {
            ("resources", sagas.resources().filter(|one| !is_template(one)).map(shown).collect())
        }
        "resources/templates/list" => {
            ("resourceTemplates", sagas.resources().filter(|one| is_template(one)).map(shown).collect())
        }
        _ => return None,
    };
    let is_there = match method {
        "tools/list" => true,
        "prompts/list" => sagas.prompts().next().is_some(),
        _ => sagas.resources().next().is_some(),
    };
    is_there.then(|| meta::client(params).and_then(|_| page(sagas, params, name, items)))
}

/// All on one page, in the order in which the server has them.
fn page(sagas: &Sagas, params: &Object, name: &str, items: Value) -> Result<Object, Fault> {
    if params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(Fault::params("`cursor` is not one that this server gave"));
    }
    let fields = Object::from_iter([(name.to_owned(), items)]);
    Ok(meta::sign(sagas, "complete", cacheable(sagas, fields, CACHED_FOR_MS)))
}

fn shown(one: &Registered) -> Value {
    one.definition.to_json()
}

fn is_template(resource: &Registered) -> bool {
    matches!(resource.definition.kind, Kind::Resource(place) if place.is_template())
}

/// Where callers are told apart, what one of them learned is not for the others; nor is what must not be kept.
pub(super) fn cacheable(sagas: &Sagas, mut fields: Object, milliseconds: u64) -> Object {
    let is_private = sagas.knows_principals() || milliseconds == 0;
    fields.insert("ttlMs".into(), milliseconds.into());
    fields.insert("cacheScope".into(), if is_private { "private" } else { "public" }.into());
    fields
}
