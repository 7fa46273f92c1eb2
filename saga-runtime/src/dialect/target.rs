//! What a request of MCP 2026-07-28 is for: a tool, a prompt or a resource; and the fields of its result when that
//! has ended.

use serde_json::Value;

#[cfg(feature = "http")]
use super::json_rpc::Request;
use super::{Fault, Fields, Object, Params, discovery, mrtr};
use crate::host::Registered;
#[cfg(feature = "http")]
use crate::mirror::Mirrored;
use crate::resource::place;
use crate::result::ToolResult;
use crate::sagas::Sagas;
use crate::tool::Kind;

/// What a request is for.
pub(crate) struct Target<'a> {
    pub(crate) machine: &'a Registered,
    /// Of a resource, what was read.
    uri: String,
    /// Nothing that the client said before is in the result.
    pub(super) is_first: bool,
}

impl<'a> Target<'a> {
    /// A machine that is known.
    pub(super) const fn of(machine: &'a Registered) -> Self {
        Self { machine, uri: String::new(), is_first: true }
    }

    /// What these params are for, and the arguments in them.
    pub(super) fn read(sagas: &'a Sagas, method: &str, params: &mut Params) -> Result<(Self, Object), Fault> {
        let mut uri = String::new();
        let (machine, arguments) = match method {
            mrtr::GET => prompt(sagas, params)?,
            mrtr::READ => {
                params
                    .uri()
                    .ok_or_else(|| Fault::params("`uri` must be the address of a resource"))?
                    .clone_into(&mut uri);
                sagas.resource(&uri).ok_or_else(|| Fault::no_such_resource(&uri))?
            }
            _ => (mrtr::tool(sagas, params)?, mrtr::arguments(params)?),
        };
        Ok((Self { uri, ..Self::of(machine) }, arguments))
    }

    /// The fields of the result. The failure of what has no field for it is an error.
    pub(crate) fn fields(&self, sagas: &Sagas, result: ToolResult) -> Result<Fields, Fault> {
        let definition = &self.machine.definition;
        if definition.kind != Kind::Tool && result.is_error {
            return Err(Fault::failed(&result.to_text()));
        }
        Ok(match definition.kind {
            Kind::Tool => result.into_json().into(),
            Kind::Prompt => {
                let mut fields = Fields::new();
                if let Some(description) = &definition.description {
                    fields.push("description", description.clone());
                }
                fields.with("messages", Value::Array(result.content))
            }
            Kind::Resource(kept) => {
                let mut contents = result.content;
                for contents in contents.iter_mut().filter_map(Value::as_object_mut) {
                    place(contents, &self.uri, kept.mime_type);
                }
                let fields = Fields::new().with("contents", Value::Array(contents));
                // What answers went into must not be kept.
                let seconds = if self.is_first { kept.cache } else { 0 };
                discovery::cacheable(sagas, fields, u64::from(seconds) * 1000)
            }
        })
    }
}

/// The arguments that this request's headers repeat.
#[cfg(feature = "http")]
pub(crate) fn mirrored<'a>(sagas: &'a Sagas, request: &Request) -> &'a [Mirrored] {
    let name = request.params.name().filter(|_| request.method == mrtr::CALL);
    name.and_then(|name| sagas.tool(name)).map_or(&[], |tool| &tool.mirrored)
}

/// The prompt that the params name, and its arguments, which are texts.
fn prompt<'a>(sagas: &'a Sagas, params: &mut Params) -> Result<(&'a Registered, Object), Fault> {
    let name = params.name().ok_or_else(|| Fault::params("`name` must be the name of a prompt"))?;
    let prompt = sagas.prompt(name).ok_or_else(|| Fault::no_such_prompt(name))?;
    let arguments = mrtr::arguments(params)?;
    if !arguments.values().all(Value::is_string) {
        return Err(Fault::params("each of a prompt's `arguments` must be a text"));
    }
    match prompt.definition.required().find(|name| !arguments.contains_key(*name)) {
        Some(missing) => Err(Fault::params(&format!("the argument `{missing}` is missing"))),
        None => Ok((prompt, arguments)),
    }
}
