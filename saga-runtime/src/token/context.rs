//! Where a token belongs: it opens only for the server, protocol, tool, arguments and principal that it
//! was made for.
//!
//! Nothing of this is written into the token, apart from a short hash of the tool's name by which a
//! protocol that resumes by token alone finds its tool. All of it goes into the key, so there is no
//! field that a check could forget to compare.

use std::collections::HashMap;
use std::fmt;
use std::sync::{PoisonError, RwLock};

/// What a request says about itself; a token opens only under the binding that it was sealed under.
#[derive(Clone, Copy)]
pub struct Binding<'a> {
    /// The wire protocol and its revision.
    pub dialect: &'a str,
    /// The protocol's method; a protocol that resumes by another method names one for both.
    pub method: &'a str,
    /// The tool's name.
    pub tool: &'a str,
    /// Who calls, as the transport authenticated it; `None` where nobody is (which differs from an
    /// empty name).
    pub principal: Option<&'a [u8]>,
    /// What [`arguments_digest`](super::arguments_digest) makes of the call's arguments.
    pub arguments: [u8; 32],
}

/// The principal is a person's name, and a log is not the place for it.
impl fmt::Debug for Binding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binding")
            .field("dialect", &self.dialect)
            .field("method", &self.method)
            .field("tool", &self.tool)
            .field("principal", &self.principal.map(|_| "…"))
            .finish_non_exhaustive()
    }
}

/// A tool's name as the token shows it: eight bytes of its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolId(pub [u8; 8]);

/// The id that tokens of the tool named `tool` show.
///
/// ```
/// use saga_runtime::token::tool_id;
///
/// assert_ne!(tool_id("deploy"), tool_id("destroy"));
/// ```
#[must_use]
pub fn tool_id(tool: &str) -> ToolId {
    ToolId(derive("saga-token v1 tool", tool.as_bytes()))
}

/// Audience, dialect, method and tool in one hash, and the tool's id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) hash: [u8; 32],
    pub(super) tool: ToolId,
}

/// The contexts of one server, each computed once.
///
/// A server has few: its tools times its dialects. What comes beyond `MOST_TOOLS` is computed each
/// time, so that a host which passes on a client's idea of a tool's name does not fill the memory.
#[derive(Debug)]
pub(super) struct Contexts {
    audience: String,
    by_tool: RwLock<HashMap<String, Vec<Known>>>,
}

#[derive(Debug)]
struct Known {
    dialect: String,
    method: String,
    context: Context,
}

const MOST_TOOLS: usize = 4096;
const MOST_PER_TOOL: usize = 64;

impl Contexts {
    pub(super) fn new(audience: &str) -> Self {
        Self { audience: audience.to_owned(), by_tool: RwLock::default() }
    }

    pub(super) fn of(&self, binding: &Binding<'_>) -> Context {
        self.known(binding).unwrap_or_else(|| {
            let context = compute(&self.audience, binding);
            self.remember(binding, context);
            context
        })
    }

    fn known(&self, binding: &Binding<'_>) -> Option<Context> {
        // A thread that panicked here left the map whole: an entry is pushed in one step.
        let by_tool = self.by_tool.read().unwrap_or_else(PoisonError::into_inner);
        let known = by_tool.get(binding.tool)?.iter().find(|known| known.is_for(binding))?;
        Some(known.context)
    }

    fn remember(&self, binding: &Binding<'_>, context: Context) {
        let mut by_tool = self.by_tool.write().unwrap_or_else(PoisonError::into_inner);
        if by_tool.len() >= MOST_TOOLS && !by_tool.contains_key(binding.tool) {
            return;
        }
        let known = by_tool.entry(binding.tool.to_owned()).or_default();
        // Another thread may have come first.
        if known.len() < MOST_PER_TOOL && !known.iter().any(|known| known.is_for(binding)) {
            let (dialect, method) = (binding.dialect.to_owned(), binding.method.to_owned());
            known.push(Known { dialect, method, context });
        }
    }
}

impl Known {
    fn is_for(&self, binding: &Binding<'_>) -> bool {
        self.dialect == binding.dialect && self.method == binding.method
    }
}

/// `BLAKE3( LP("saga-token/ctx/v1") LP(audience) LP(dialect) LP(method) LP(tool) )`
fn compute(audience: &str, binding: &Binding<'_>) -> Context {
    let mut hasher = blake3::Hasher::new();
    for part in ["saga-token/ctx/v1", audience, binding.dialect, binding.method, binding.tool] {
        hasher.update(&prefix_length(part.as_bytes()));
        hasher.update(part.as_bytes());
    }
    Context { hash: hasher.finalize().into(), tool: tool_id(binding.tool) }
}

/// The first `N` bytes that BLAKE3 derives from `material` for `purpose`.
pub(super) fn derive<const N: usize>(purpose: &str, material: &[u8]) -> [u8; N] {
    let mut derived = [0; N];
    blake3::Hasher::new_derive_key(purpose).update(material).finalize_xof().fill(&mut derived);
    derived
}

/// LP: a part's length goes before it, so that `"ab", "c"` and `"a", "bc"` hash differently.
pub(super) fn prefix_length(part: &[u8]) -> [u8; 4] {
    // No part of a request has four gigabytes.
    u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes()
}

/// Names that a client made up do not fill the memory, and get their contexts all the same.
#[test]
fn only_so_many_contexts_are_remembered() {
    let contexts = Contexts::new("fleet");
    let names: Vec<String> = (0..MOST_TOOLS + 10).map(|number| number.to_string()).collect();
    let binding = |dialect, tool| Binding { dialect, method: "", tool, principal: None, arguments: [0; 32] };
    for name in &names {
        contexts.of(&binding("", name));
        contexts.of(&binding(name, "0"));
    }
    let by_tool = contexts.by_tool.read().expect("no panic");
    assert_eq!((by_tool.len(), by_tool["0"].len()), (MOST_TOOLS, MOST_PER_TOOL));
    drop(by_tool);

    let beyond = binding("", names.last().expect("a name"));
    assert_eq!(contexts.of(&beyond).hash, compute("fleet", &beyond).hash);
}
