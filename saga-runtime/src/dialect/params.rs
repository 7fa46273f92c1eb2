//! What a client's message may say, in any of the dialects: read as it comes in, without a tree in between. What no
//! dialect knows is skipped; `null` counts as left out; what is of another type than it should be is told by the
//! dialect that asks for it.

use serde::Deserialize;
use serde_json::Value;

use crate::client::Client;
use crate::record::{Record, with_null};

/// The params of a message.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Params {
    #[serde(rename = "_meta")]
    pub(crate) meta: Record<Meta>,
    /// The tool or prompt that is called.
    pub(crate) name: Option<Value>,
    /// The resource that is read.
    pub(crate) uri: Option<Value>,
    pub(crate) arguments: Option<Value>,
    /// MCP 2026-07-28.
    pub(crate) input_responses: Option<Value>,
    pub(crate) request_state: Option<Value>,
    /// SEP-1597.
    pub(crate) completed_steps: Option<Value>,
    pub(crate) saga_token: Option<Value>,
    /// PR #1003 and SEP-975. A tool does not start again where its token was lost on the way.
    #[serde(deserialize_with = "with_null")]
    pub(crate) resume_token: Option<Value>,
    /// Of a request that is cancelled, or asked about.
    pub(crate) request_id: Option<Value>,
    /// Of a list.
    pub(crate) cursor: Option<Value>,
    /// Of `initialize`.
    pub(crate) protocol_version: Option<Value>,
    pub(crate) capabilities: Record<Client>,
}

/// What a request says about itself.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) version: Option<Value>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) client: Record<Client>,
    #[serde(rename = "progressToken")]
    pub(crate) progress_token: Option<Value>,
}

/// What streamless round-trips have beside the params.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beside {
    pub(crate) dependent_responses: Option<Value>,
    pub(crate) request_state: Option<Value>,
}

impl Params {
    /// The name, if it is a text.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_ref().and_then(Value::as_str)
    }

    /// The address, if it is a text.
    pub(crate) fn uri(&self) -> Option<&str> {
        self.uri.as_ref().and_then(Value::as_str)
    }
}
