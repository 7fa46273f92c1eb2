//! The folders that the client works in: `roots/list`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Answer, InputRequest, Step, StepKind};
use crate::error::{Problem, StepError};
use crate::form::Format;

/// Asks the client which folders it works in.
///
/// Awaited in a tool it gives `Result<Vec<Root>, StepError>`. MCP 2026-07-28 deprecates roots, and they go on
/// working.
///
/// ```
/// use saga_runtime::list_roots;
/// use saga_runtime::step::Step;
/// assert_eq!(list_roots().request().method, "roots/list");
/// ```
pub fn list_roots() -> ListRoots {
    ListRoots { key: None, attempts: None }
}

/// The question for the client's folders; made by [`list_roots`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use = "a question does nothing unless awaited"]
pub struct ListRoots {
    key: Option<String>,
    attempts: Option<u8>,
}

/// One folder or file that the client works in.
///
/// It is what a client says: check it before you open it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Its address, `file://..` as MCP stands.
    pub uri: String,
    /// What the client calls it.
    pub name: Option<String>,
}

impl ListRoots {
    /// Sets the name under which the client sees the question.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets how often the question may be asked before a wrong answer is an error.
    pub fn attempts(mut self, attempts: u8) -> Self {
        self.attempts = Some(attempts);
        self
    }
}

impl Step for ListRoots {
    type Answer = Vec<Root>;

    const KIND: StepKind = StepKind::ListRoots;

    fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    fn attempts(&self) -> Option<u8> {
        self.attempts
    }

    fn request(&self) -> InputRequest {
        InputRequest::new(Self::KIND, Map::new())
    }

    fn read(&self, answer: &Answer) -> Result<Result<Vec<Root>, StepError>, Vec<Problem>> {
        let result = match answer.result() {
            Ok(result) => result,
            Err(error) => return Ok(Err(error)),
        };
        let Some(roots) = result.get("roots").and_then(Value::as_array) else {
            return Err(vec![Problem::whole("`roots` must be a list")]);
        };
        let mut problems = Vec::new();
        let mut list = Vec::new();
        for (index, root) in roots.iter().enumerate() {
            match read_root(root) {
                Ok(root) => list.push(root),
                Err(fault) => problems.push(Problem::field(format!("roots[{index}]"), fault)),
            }
            if problems.len() == MOST_PROBLEMS {
                break;
            }
        }
        if problems.is_empty() { Ok(Ok(list)) } else { Err(problems) }
    }
}

/// How many bad roots are told of: a list may be as long as a message, and each problem is told several times.
const MOST_PROBLEMS: usize = 10;

fn read_root(root: &Value) -> Result<Root, &'static str> {
    let uri = root.get("uri").and_then(Value::as_str).filter(|uri| Format::Uri.accepts(uri));
    let uri = uri.ok_or("must have an absolute `uri`")?;
    match root.get("name") {
        None | Some(Value::Null) => Ok(Root { uri: uri.to_owned(), name: None }),
        Some(Value::String(name)) => Ok(Root { uri: uri.to_owned(), name: Some(name.clone()) }),
        Some(_) => Err("must have a text as its `name`"),
    }
}
