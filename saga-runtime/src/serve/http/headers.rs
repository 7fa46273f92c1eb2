//! The headers that repeat what the body says, for the machines between that route by them: what they say must be
//! so (MCP 2026-07-28, streamable HTTP, server validation). A request whose body names no revision needs none; what
//! it has of them must be right all the same.

use std::borrow::Cow;

use axum::http::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::dialect::json_rpc::Request;
use crate::dialect::push::Revision;
use crate::dialect::session::INITIALIZE;
use crate::dialect::{Fault, meta};
use crate::mirror::{self, Mirrored};

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

/// The methods whose requests must repeat their name, or their address.
const NAMED: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

/// Refuses a revision that is not spoken here, where the body of the request names none.
pub(super) fn check_revision(headers: &HeaderMap, request: &Request) -> Result<(), Fault> {
    let names_none = meta::version(&request.params).is_none() && request.method != INITIALIZE;
    match header(headers, VERSION)?.filter(|_| names_none) {
        Some(name) if name != meta::VERSION && Revision::named(&name).is_none() => Err(Fault::version(&name)),
        _ => Ok(()),
    }
}

/// Compares a request's headers with its body. `mirrored` are the arguments that a header repeats.
pub(super) fn check(headers: &HeaderMap, request: &Request, mirrored: &[Mirrored]) -> Result<(), Fault> {
    let version = meta::version(&request.params).and_then(Value::as_str);
    let is_modern = version.is_some();
    if let Some(version) = version {
        compare(VERSION, header(headers, VERSION)?, version, true)?;
    }
    compare(METHOD, header(headers, METHOD)?, &request.method, is_modern)?;
    let is_resource = request.method == "resources/read";
    let name = if is_resource { request.params.uri() } else { request.params.name() };
    if let Some(name) = name {
        let is_required = is_modern && NAMED.contains(&request.method.as_str());
        compare(NAME, text(headers, NAME)?, name, is_required)?;
    }
    mirrored.iter().try_for_each(|mirrored| check_argument(headers, request, mirrored, is_modern))
}

/// An argument that is left out has no header.
fn check_argument(
    headers: &HeaderMap,
    request: &Request,
    mirrored: &Mirrored,
    is_modern: bool,
) -> Result<(), Fault> {
    let name = mirrored.header.as_str();
    let argument = request.params.arguments.as_ref().and_then(|arguments| arguments.get(&mirrored.argument));
    match (text(headers, name)?, argument.filter(|argument| !argument.is_null())) {
        (Some(header), Some(argument)) if mirror::says(&header, argument) => Ok(()),
        (Some(_), _) => Err(Fault::header(&format!("`{name}` differs from what the body says"))),
        (None, Some(_)) if is_modern => Err(Fault::header(&format!("`{name}` is missing"))),
        (None, _) => Ok(()),
    }
}

/// A header whose value may be any text.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<Cow<'a, str>>, Fault> {
    header(headers, name)?.map(|value| decoded(name, value)).transpose()
}

fn compare(name: &str, header: Option<Cow<'_, str>>, body: &str, is_required: bool) -> Result<(), Fault> {
    match header {
        Some(header) if header == body => Ok(()),
        Some(_) => Err(Fault::header(&format!("`{name}` differs from what the body says"))),
        None if is_required => Err(Fault::header(&format!("`{name}` is missing"))),
        None => Ok(()),
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<Cow<'a, str>>, Fault> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(text) => Ok(Some(Cow::Borrowed(text))),
            Err(_) => Err(Fault::header(&format!("`{name}` has characters that a header cannot have"))),
        },
        (Some(_), Some(_)) => Err(Fault::header(&format!("`{name}` is there twice"))),
    }
}

/// `=?base64?..?=` is how a header says what it has no characters for.
fn decoded<'a>(name: &str, value: Cow<'a, str>) -> Result<Cow<'a, str>, Fault> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(value);
    };
    let text = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Cow::Owned).ok_or_else(|| Fault::header(&format!("`{name}` is not base64 of a text")))
}
