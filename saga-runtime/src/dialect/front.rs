//! Which requests a server of sagas takes for itself, where it stands in front of another MCP server: those that
//! name one of its sagas, in a dialect that it speaks without a session.

use super::json_rpc::Request;
use super::{Dialect, meta, mrtr, saga};
use crate::sagas::Sagas;

impl Sagas {
    /// Whether this request is ours. A client in a session is the other server's, unless the request itself names
    /// the revision.
    pub(crate) fn takes(&self, request: &Request, in_session: bool) -> bool {
        let speaks = |dialect| self.dialects().has(dialect);
        match request.method.as_str() {
            mrtr::CALL | mrtr::GET | mrtr::READ => match meta::version(&request.params) {
                Some(version) => version == meta::VERSION && speaks(Dialect::Mrtr) && self.has(request),
                None => {
                    request.method == mrtr::CALL
                        && !in_session
                        && self.dialects().have_plain_calls()
                        && self.has(request)
                }
            },
            saga::CALL => speaks(Dialect::Saga) && self.has(request),
            saga::RESUME => speaks(Dialect::Saga),
            _ => false,
        }
    }

    /// Whether the saga that the request names is one of these.
    fn has(&self, request: &Request) -> bool {
        let name = request.params.name().unwrap_or_default();
        match request.method.as_str() {
            mrtr::GET => self.prompt(name).is_some(),
            mrtr::READ => self.resource(request.params.uri().unwrap_or_default()).is_some(),
            _ => self.tool(name).is_some(),
        }
    }
}
