//! A server's sagas: the tools, prompts and resources with their context, keys and rules, behind one value that
//! every transport serves.

mod build;
mod build_error;
mod builder;
mod facts;
mod registered;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

pub use self::build_error::BuildError;
pub use self::builder::Builder;
pub use self::facts::{Refused, RequestFacts};
#[cfg(feature = "rmcp")]
pub(crate) use self::registered::NotServed;
use crate::dialect::{Dialects, Written};
use crate::host::{Call, Host, Outcome, Registered, Server};
use crate::resource::address::Address;
use crate::saga::Principal;
use crate::token::{KeyRing, SealerError, ToolId};

/// A server's sagas. Cheap to clone.
#[derive(Clone)]
pub struct Sagas {
    shared: Arc<Shared>,
    /// What the tools that were added after [`Builder::served_by`] borrow, where no request brings it.
    server: Option<Arc<dyn Any + Send + Sync>>,
}

struct Shared {
    name: String,
    version: String,
    /// How its results are signed.
    signature: Arc<Written>,
    tools: BTreeMap<&'static str, Registered>,
    prompts: BTreeMap<&'static str, Registered>,
    /// In the order in which their addresses are tried: those without variables first.
    resources: Vec<(Address, Registered)>,
    by_id: BTreeMap<ToolId, &'static str>,
    host: Host,
    principal: Option<Box<PrincipalHook>>,
    dialects: Dialects,
    strict_steps: bool,
}

type PrincipalHook = dyn Fn(&RequestFacts) -> Result<Option<Principal>, Refused> + Send + Sync;

impl Sagas {
    /// The server's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The server's version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.shared.version
    }

    /// The tools, sorted by name.
    pub fn tools(&self) -> impl Iterator<Item = &Registered> {
        self.shared.tools.values()
    }

    /// The tool of this name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Registered> {
        self.shared.tools.get(name)
    }

    /// The tool of this id, for protocols that resume by token alone.
    #[must_use]
    pub fn tool_by_id(&self, id: ToolId) -> Option<&Registered> {
        self.tool(self.shared.by_id.get(&id)?)
    }

    /// The prompts, sorted by name.
    pub fn prompts(&self) -> impl Iterator<Item = &Registered> {
        self.shared.prompts.values()
    }

    /// The prompt of this name.
    #[must_use]
    pub fn prompt(&self, name: &str) -> Option<&Registered> {
        self.shared.prompts.get(name)
    }

    /// The resources, and then the templates of resources.
    pub fn resources(&self) -> impl Iterator<Item = &Registered> {
        self.shared.resources.iter().map(|(_, resource)| resource)
    }

    /// The resource at this address, with the values of its template's variables: its arguments.
    #[must_use]
    pub fn resource(&self, uri: &str) -> Option<(&Registered, Map<String, Value>)> {
        let mut resources = self.shared.resources.iter();
        resources.find_map(|(address, resource)| Some((resource, address.read(uri)?)))
    }

    /// Seals and opens with these keys from now on; requests that are under way finish with the ones before.
    ///
    /// # Errors
    ///
    /// When a codec seals, which has its own keys, and when what the keys mint would be refused.
    pub fn set_keys(&self, keys: KeyRing) -> Result<(), SealerError> {
        keys.check_cutoff(self.shared.host.clock.now())?;
        self.shared.host.sealer.set_keys(keys)
    }

    /// The keys in use; a codec has its own.
    #[must_use]
    pub fn keys(&self) -> Option<KeyRing> {
        self.shared.host.sealer.keys()
    }

    /// The longest time that a question of these sagas may wait for its answer, in seconds: for so long an old key
    /// must open tokens.
    #[must_use]
    pub fn longest_ttl(&self) -> u32 {
        let ttl = |tool: &Registered| tool.definition.policy.ttl.unwrap_or(self.shared.host.ttl);
        self.tools()
            .chain(self.prompts())
            .chain(self.resources())
            .map(ttl)
            .max()
            .unwrap_or(self.shared.host.ttl)
    }

    /// Who sent a request with these facts.
    ///
    /// # Errors
    ///
    /// The hook's refusal.
    pub fn principal(&self, facts: &RequestFacts) -> Result<Option<Principal>, Refused> {
        let Some(hook) = &self.shared.principal else { return Ok(None) };
        // A hook that fails lets nobody in, and takes no server down.
        catch_unwind(AssertUnwindSafe(|| hook(facts)))
            .unwrap_or_else(|_| Err(Refused::forbidden("the principal hook panicked")))
    }

    /// Which server made a result: the same `_meta` in each.
    pub(crate) fn signature(&self) -> &Arc<Written> {
        &self.shared.signature
    }

    /// The protocols that this server speaks.
    pub(crate) fn dialects(&self) -> &Dialects {
        &self.shared.dialects
    }

    /// Whether an answer that a client repeats must be what it was.
    pub(crate) fn has_strict_steps(&self) -> bool {
        self.shared.strict_steps
    }

    /// Whether callers are told apart.
    pub(crate) fn knows_principals(&self) -> bool {
        self.shared.principal.is_some()
    }

    /// The host that does the requests.
    pub(crate) fn host(&self) -> &Host {
        &self.shared.host
    }

    /// Does one request to one tool.
    pub async fn serve(&self, tool: &Registered, call: Call) -> Outcome {
        self.shared.host.serve_at(self.server(), tool, call).await
    }

    /// The server that tools borrow.
    pub(crate) fn server(&self) -> Server<'_> {
        self.server.as_deref()
    }

    /// The same sagas with a server for those that borrow one, see [`Builder::served_by`]: what answers in front of
    /// an rmcp server needs one of its own.
    #[cfg(feature = "rmcp")]
    #[must_use]
    pub fn with_server<S: Send + Sync + 'static>(&self, server: S) -> Self {
        Self { shared: Arc::clone(&self.shared), server: Some(Arc::new(server)) }
    }
}

impl fmt::Debug for Sagas {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(formatter)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Shared")
            .field("name", &self.name)
            .field("tools", &self.tools)
            .field("prompts", &self.prompts)
            .field("resources", &self.resources)
            .finish_non_exhaustive()
    }
}
