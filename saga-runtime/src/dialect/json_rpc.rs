//! JSON-RPC 2.0: untrusted bytes become one request or one notification, and results and faults become
//! responses. Knows no method.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::{Fault, Object};

/// A request's id: MCP allows texts and whole numbers, and no `null`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Id {
    Text(String),
    Number(Number),
}

/// A message of a client. What stands in `params` is checked by the method that reads it.
pub(crate) enum Message {
    Request(Request),
    #[cfg_attr(not(feature = "stdio"), expect(dead_code, reason = "only standard input has a use for them"))]
    Notification(Notification),
}

/// A message that wants a response.
pub(crate) struct Request {
    pub(crate) id: Id,
    pub(crate) method: String,
    pub(crate) params: Object,
}

/// A message that wants none.
#[cfg_attr(not(feature = "stdio"), expect(dead_code, reason = "only standard input has a use for them"))]
pub(crate) struct Notification {
    pub(crate) method: String,
    pub(crate) params: Object,
}

/// A message that is none, with the id under which its sender may wait.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub(crate) id: Option<Id>,
    pub(crate) fault: Fault,
}

impl Message {
    /// Reads one message.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        // The text of serde's error would repeat what the client wrote.
        let value = serde_json::from_slice(bytes).map_err(|_| Malformed::new(Fault::not_json()))?;
        let mut object = match value {
            Value::Object(object) => object,
            Value::Array(_) => {
                return Err(Malformed::new(Fault::not_a_request("batches are not part of MCP")));
            }
            _ => return Err(Malformed::new(Fault::not_a_request("a message is a JSON object"))),
        };
        let has_method = object.contains_key("method");
        let id = match object.remove("id") {
            None => None,
            // A response: its id is of the server's making, so none may be given back.
            Some(_) if !has_method => {
                return Err(Malformed::new(Fault::not_a_request(
                    "this server sends no requests, so it takes no responses",
                )));
            }
            Some(id) => match Id::read(id) {
                Some(id) => Some(id),
                None => {
                    return Err(Malformed::new(Fault::not_a_request(
                        "`id` must be a text or a whole number",
                    )));
                }
            },
        };
        let malformed = |id: Option<Id>, fault: Fault| Err(Malformed { id, fault });
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return malformed(id, Fault::not_a_request("`jsonrpc` must be \"2.0\""));
        }
        let Some(Value::String(method)) = object.remove("method") else {
            return malformed(id, Fault::not_a_request("`method` must be a text"));
        };
        let params = match object.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            // Whatever a notification says, it gets no reply.
            Some(_) if id.is_none() => Map::new(),
            Some(_) => return malformed(id, Fault::params("`params` must be an object")),
        };
        Ok(match id {
            Some(id) => Self::Request(Request { id, method, params }),
            None => Self::Notification(Notification { method, params }),
        })
    }
}

impl Malformed {
    const fn new(fault: Fault) -> Self {
        Self { id: None, fault }
    }
}

impl Id {
    /// The id in this value, if it is one.
    pub(crate) fn read(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text)),
            Value::Number(number) if !number.is_f64() => Some(Self::Number(number)),
            _ => None,
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone()),
            Self::Number(number) => Value::Number(number.clone()),
        }
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_json().fmt(formatter)
    }
}

/// The response with a result.
pub(super) fn success(id: &Id, result: Object) -> Value {
    response(Some(id), "result", Value::Object(result))
}

/// The response with an error. MCP leaves the id out where it is not known; a `null` is not valid there.
pub(super) fn error(id: Option<&Id>, fault: Fault) -> Value {
    response(id, "error", fault.into_json())
}

fn response(id: Option<&Id>, name: &str, value: Value) -> Value {
    let mut response = Map::new();
    response.insert("jsonrpc".into(), "2.0".into());
    if let Some(id) = id {
        response.insert("id".into(), id.to_json());
    }
    response.insert(name.into(), value);
    Value::Object(response)
}
