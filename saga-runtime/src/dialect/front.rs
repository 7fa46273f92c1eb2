//! Which requests a server of sagas takes for itself, where it stands in front of another MCP server: those that
//! name one of its sagas, in a dialect that it speaks without a session.

use serde_json::Value;

use super::json_rpc::Request;
use super::{Dialect, meta, mrtr, saga};
use crate::sagas::Sagas;

impl Sagas {
    /// Whether this request is ours. A client in a session is the other server's, unless the request itself names
    /// the revision.
    pub(crate) fn takes(&self, request: &Request, in_session: bool) -> bool {
        let Request { method, params, .. } = request;
        let speaks = |dialect| self.dialects().has(dialect);
        let names_a_tool = || {
            let name = params.get("name").and_then(Value::as_str);
            name.is_some_and(|name| self.tool(name).is_some())
        };
        let is_modern = meta::version(params).and_then(Value::as_str) == Some(meta::VERSION);
        match method.as_str() {
            mrtr::CALL if is_modern => speaks(Dialect::Mrtr) && names_a_tool(),
            mrtr::CALL if meta::version(params).is_none() => {
                !in_session && self.dialects().have_plain_calls() && names_a_tool()
            }
            saga::CALL => speaks(Dialect::Saga) && names_a_tool(),
            saga::RESUME => speaks(Dialect::Saga),
            _ => false,
        }
    }
}
