//! JSON-RPC 2.0: untrusted bytes become one request or one notification, and results and faults become
//! responses. Knows no method.

use std::fmt;

use serde::Deserialize;
use serde_json::{Number, Value};

use super::params::{Beside, Params};
use super::{Fault, Fields};
use crate::record::{Record, with_null};

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
    #[cfg_attr(
        not(any(feature = "http", feature = "stdio")),
        expect(dead_code, reason = "only transports have a use for them")
    )]
    Response(Response),
}

/// A message that wants a response.
pub(crate) struct Request {
    pub(crate) id: Id,
    pub(crate) method: String,
    pub(crate) params: Box<Params>,
    /// What else the message has, beside these.
    pub(crate) beside: Beside,
}

/// What a client answers to a request of the server's.
#[cfg_attr(
    not(any(feature = "http", feature = "stdio")),
    expect(dead_code, reason = "only transports have a use for them")
)]
pub(crate) struct Response {
    pub(crate) id: Id,
    /// The result, or the error object.
    pub(crate) result: Result<Value, Value>,
}

/// A message that wants none.
#[cfg_attr(not(feature = "stdio"), expect(dead_code, reason = "only standard input has a use for them"))]
pub(crate) struct Notification {
    pub(crate) method: String,
    pub(crate) params: Box<Params>,
}

/// A message that is none, with the id under which its sender may wait.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub(crate) id: Option<Id>,
    pub(crate) fault: Fault,
}

/// The fields of a message.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Written {
    jsonrpc: Option<Value>,
    /// Here `null` is something else than nothing: what is malformed is told under its id.
    #[serde(deserialize_with = "with_null")]
    id: Option<Value>,
    #[serde(deserialize_with = "with_null")]
    method: Option<Value>,
    params: Record<Box<Params>>,
    result: Option<Value>,
    error: Option<Value>,
    dependent_responses: Option<Value>,
    request_state: Option<Value>,
}

impl Message {
    /// Reads one message.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        // Once for all, and not once for each text in it.
        let text = str::from_utf8(bytes).map_err(|_| Malformed::new(Fault::not_json()))?;
        match serde_json::from_str(text) {
            Ok(Record::Is(written)) => Self::of(written),
            Ok(_) if text.trim_ascii_start().starts_with('[') => {
                Err(Malformed::new(Fault::not_a_request("batches are not part of MCP")))
            }
            Ok(_) => Err(Malformed::new(Fault::not_a_request("a message is a JSON object"))),
            Err(error) => Err(Malformed::unread(text, &error)),
        }
    }

    fn of(written: Written) -> Result<Self, Malformed> {
        let id = match written.id {
            None => None,
            Some(id) if written.method.is_none() => {
                return Self::response(id, written.result, written.error);
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
        if written.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
            return malformed(id, Fault::not_a_request("`jsonrpc` must be \"2.0\""));
        }
        let Some(Value::String(method)) = written.method else {
            return malformed(id, Fault::not_a_request("`method` must be a text"));
        };
        let params = match written.params {
            Record::Is(params) => params,
            // Whatever a notification says, it gets no reply.
            Record::Other if id.is_some() => {
                return malformed(id, Fault::params("`params` must be an object"));
            }
            Record::Absent | Record::Other => Box::default(),
        };
        let beside =
            Beside { dependent_responses: written.dependent_responses, request_state: written.request_state };
        Ok(match id {
            Some(id) => Self::Request(Request { id, method, params, beside }),
            None => Self::Notification(Notification { method, params }),
        })
    }

    /// Its id is of the server's making, so none is given back where it is malformed.
    fn response(id: Value, result: Option<Value>, error: Option<Value>) -> Result<Self, Malformed> {
        let malformed = || Malformed::new(Fault::not_a_request("a response has the `id` of its request"));
        let id = Id::read(id).ok_or_else(malformed)?;
        let result = match (result, error) {
            (_, Some(error)) => Err(error),
            // None at all fits no question, and whoever waits for it hears so.
            (result, None) => Ok(result.unwrap_or_default()),
        };
        Ok(Self::Response(Response { id, result }))
    }
}

impl Malformed {
    const fn new(fault: Fault) -> Self {
        Self { id: None, fault }
    }

    /// The text of serde's error would repeat what the client wrote.
    fn unread(text: &str, error: &serde_json::Error) -> Self {
        if !error.is_data() {
            return Self::new(Fault::not_json());
        }
        // A proxy before us may have looked at the one, and we would at the other.
        let fault = Fault::not_a_request("a field is there twice");
        let mut tree = serde_json::from_str::<Value>(text).unwrap_or_default();
        // What has no method is an answer, whose id is a request's of ours.
        let id = tree.get("method").is_some().then(|| tree.get_mut("id").map(Value::take)).flatten();
        Self { id: id.and_then(Id::read), fault }
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

    pub(crate) fn to_json(&self) -> Value {
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

/// A response: `name` is `result`, or what a dialect has in its place.
pub(super) fn response(id: &Id, name: &'static str, fields: Fields) -> String {
    text(&message(Some(id)).with(name, fields))
}

/// The response with an error. MCP leaves the id out where it is not known; a `null` is not valid there.
pub(super) fn error(id: Option<&Id>, fault: Fault) -> String {
    text(&message(id).with("error", fault.into_fields()))
}

/// A request or, without an id, a notification of the server's.
#[cfg(any(feature = "http", feature = "stdio"))]
pub(crate) fn sent(id: Option<&Id>, method: &'static str, params: Fields) -> String {
    text(&message(id).with("method", method).with("params", params))
}

fn message(id: Option<&Id>) -> Fields {
    let message = Fields::new().with("jsonrpc", "2.0");
    match id {
        Some(id) => message.with("id", id.to_json()),
        None => message,
    }
}

/// The bytes that most messages have room in, and allocators still give quickly.
const USUAL_LENGTH: usize = 1000;

/// One line: JSON without white space has no line's end in it.
fn text(message: &Fields) -> String {
    let mut text = Vec::with_capacity(USUAL_LENGTH);
    // It has nothing that cannot be written, and is UTF-8.
    drop(serde_json::to_writer(&mut text, message));
    String::from_utf8(text).unwrap_or_default()
}
