//! A server's sagas: the tools, prompts and resources with their context, keys and rules, behind one value that
//! every transport serves.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::clock::{Clock, Entropy, SystemClock, SystemEntropy};
use crate::dialect::{Dialect, Dialects};
use crate::error::ToolError;
use crate::guard::{Guard, Replay};
use crate::host::{Call, Host, Outcome, Registered, Server};
use crate::mirror;
use crate::resource::address::Address;
use crate::saga::Principal;
use crate::store::Spill;
use crate::token::{Codec, KeyError, KeyRing, Limits, Padding, Sealer, SealerError, ToolId, tool_id};
use crate::tool::{Definition, Kind, Machine, Place, Policy, Prompt, Resource, Tool};

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

/// What a principal hook may look at.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RequestFacts {
    /// The HTTP request's headers, names in lower case; empty on standard input and output.
    pub headers: Vec<(String, String)>,
    /// What the server's layers added to the HTTP request, for example the claims of a token that one of them
    /// verified.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub extensions: http::Extensions,
}

impl RequestFacts {
    /// The facts of an HTTP request. A header that is no text is left out.
    #[cfg(any(feature = "http", feature = "rmcp"))]
    pub(crate) fn of(head: &http::request::Parts) -> Self {
        let text = |value: &http::HeaderValue| str::from_utf8(value.as_bytes()).ok().map(str::to_owned);
        let headers = head.headers.iter();
        let headers = headers.filter_map(|(name, value)| Some((name.as_str().to_owned(), text(value)?)));
        Self { headers: headers.collect(), extensions: head.extensions.clone() }
    }

    /// The first header of this name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(header, _)| header.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// A principal hook's refusal: the request is not answered. The reason goes to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    reason: String,
    challenge: Option<String>,
}

impl Refused {
    /// Refuses a caller who is not known (401 over HTTP), with a reason for the log.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), challenge: Some("Bearer".to_owned()) }
    }

    /// Refuses a caller who is known and may not (403 over HTTP), with a reason for the log.
    pub fn forbidden(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), challenge: None }
    }

    /// Tells the caller how to become known: the `WWW-Authenticate` header, `Bearer` unless set.
    ///
    /// ```
    /// use saga_runtime::Refused;
    /// let metadata = "https://example.com/.well-known/oauth-protected-resource";
    /// let refused = Refused::new("no token").with_challenge(format!("Bearer resource_metadata=\"{metadata}\""));
    /// # drop(refused);
    /// ```
    #[must_use]
    pub fn with_challenge(mut self, challenge: impl Into<String>) -> Self {
        self.challenge = Some(challenge.into());
        self
    }

    /// How the caller can become known; `None` where that would not help.
    pub(crate) fn challenge(&self) -> Option<&str> {
        self.challenge.as_deref()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

type ChangePolicy = dyn FnOnce(&mut Policy) + Send;
type PrincipalHook = dyn Fn(&RequestFacts) -> Result<Option<Principal>, Refused> + Send + Sync;

impl Sagas {
    /// Starts a server's sagas. The name is the audience of its tokens: servers of other names refuse them, also
    /// where they share a key.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> Builder<()> {
        Builder {
            name: name.into(),
            version: version.into(),
            context: Context::Owned(Arc::new(())),
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            keys: None,
            codec: None,
            padding: Padding::default(),
            guard: None,
            spill: None,
            policies: Vec::new(),
            limits: Limits::default(),
            ttl: DEFAULT_TTL,
            attempts: DEFAULT_ATTEMPTS,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            principal: None,
            dialects: Dialects::default(),
            strict_steps: false,
        }
    }

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
    /// When a codec seals, which has its own keys.
    pub fn set_keys(&self, keys: KeyRing) -> Result<(), SealerError> {
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

/// Seconds that one question may wait for its answer (the Python and TypeScript SDKs' value).
const DEFAULT_TTL: u32 = 600;
/// How often one question may be asked.
const DEFAULT_ATTEMPTS: u8 = 3;

/// Where the tools' context comes from.
enum Context<C> {
    /// The builder was given it.
    Owned(Arc<C>),
    /// It is the server that serves them.
    Server,
}

impl<C> Clone for Context<C> {
    fn clone(&self) -> Self {
        match self {
            Self::Owned(context) => Self::Owned(Arc::clone(context)),
            Self::Server => Self::Server,
        }
    }
}

/// Gathers a server's sagas.
pub struct Builder<C> {
    name: String,
    version: String,
    context: Context<C>,
    tools: Vec<Registered>,
    prompts: Vec<Registered>,
    resources: Vec<Registered>,
    keys: Option<KeyRing>,
    codec: Option<Arc<dyn Codec>>,
    padding: Padding,
    guard: Option<Arc<dyn Guard>>,
    spill: Option<Spill>,
    policies: Vec<(String, Box<ChangePolicy>)>,
    limits: Limits,
    ttl: u32,
    attempts: u8,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    principal: Option<Box<PrincipalHook>>,
    dialects: Dialects,
    strict_steps: bool,
}

impl<C> fmt::Debug for Builder<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<C: Send + Sync + 'static> Builder<C> {
    /// The context of the tools, prompts and resources that are added after this.
    #[must_use]
    pub fn context<D: Send + Sync + 'static>(self, context: D) -> Builder<D> {
        self.context_from(Context::Owned(Arc::new(context)))
    }

    /// The tools that are added after this have the server itself as their context, an `S` that is borrowed for
    /// each request: `#[context] counter: &Counter` for `.served_by::<Counter>()`. Such a tool is served by an rmcp
    /// server only.
    #[cfg(feature = "rmcp")]
    #[must_use]
    pub fn served_by<S: Send + Sync + 'static>(self) -> Builder<S> {
        self.context_from(Context::Server)
    }

    fn context_from<D>(self, context: Context<D>) -> Builder<D> {
        Builder {
            context,
            name: self.name,
            version: self.version,
            tools: self.tools,
            prompts: self.prompts,
            resources: self.resources,
            keys: self.keys,
            codec: self.codec,
            padding: self.padding,
            guard: self.guard,
            spill: self.spill,
            policies: self.policies,
            limits: self.limits,
            ttl: self.ttl,
            attempts: self.attempts,
            clock: self.clock,
            entropy: self.entropy,
            principal: self.principal,
            dialects: self.dialects,
            strict_steps: self.strict_steps,
        }
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool<T: Tool<C> + 'static>(mut self) -> Self {
        self.tools.push(Registered::new::<T, C>(self.context.clone()));
        self
    }

    /// Adds a prompt.
    #[must_use]
    pub fn prompt<P: Prompt<C> + 'static>(mut self) -> Self {
        self.prompts.push(Registered::new::<P, C>(self.context.clone()));
        self
    }

    /// Adds a resource, or a template of resources. An address that several are at is that of one without variables,
    /// or else of the first that was added.
    #[must_use]
    pub fn resource<R: Resource<C> + 'static>(mut self) -> Self {
        self.resources.push(Registered::new::<R, C>(self.context.clone()));
        self
    }

    /// The keys that seal and open tokens. Without any, a key is made that dies with the process.
    #[must_use]
    pub fn keys(mut self, keys: KeyRing) -> Self {
        self.keys = Some(keys);
        self
    }

    /// Seals tokens by a cipher of the server's own, which brings its own keys.
    #[must_use]
    pub fn codec(mut self, codec: impl Codec + 'static) -> Self {
        self.codec = Some(Arc::new(codec));
        self
    }

    /// How large, how old and in how many rounds sagas may be, unless the tool says otherwise.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes tokens single-use, by a store that all instances of the server share. It guards every tool that does
    /// not say `replay = "window"`.
    ///
    /// ```
    /// use saga_runtime::Sagas;
    /// use saga_runtime::guard::MemoryGuard;
    /// # drop(
    /// Sagas::builder("fleet", "1.0").guard(MemoryGuard::new())
    /// # );
    /// ```
    #[must_use]
    pub fn guard(mut self, guard: impl Guard + 'static) -> Self {
        self.guard = Some(Arc::new(guard));
        self
    }

    /// Keeps large states in a store that all instances of the server share: their tokens carry a handle.
    #[must_use]
    pub fn spill(mut self, spill: Spill) -> Self {
        self.spill = Some(spill);
        self
    }

    /// Changes how one tool's sagas are kept, whatever its attribute says.
    ///
    /// ```
    /// use saga_runtime::Sagas;
    /// use saga_runtime::guard::Replay;
    /// # drop(
    /// Sagas::builder("fleet", "1.0").policy("deploy", |policy| policy.replay = Some(Replay::Once))
    /// # );
    /// ```
    #[must_use]
    pub fn policy(
        mut self,
        tool: impl Into<String>,
        change: impl FnOnce(&mut Policy) + Send + 'static,
    ) -> Self {
        self.policies.push((tool.into(), Box::new(change)));
        self
    }

    /// How the length of a state is hidden.
    #[must_use]
    pub const fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// How long a question may wait for its answer, unless the tool says otherwise.
    #[must_use]
    pub const fn ttl(mut self, seconds: u32) -> Self {
        self.ttl = seconds;
        self
    }

    /// Who calls: a stable identity out of the request's credentials, to which tokens are bound.
    #[must_use]
    pub fn principal(
        mut self,
        hook: impl Fn(&RequestFacts) -> Result<Option<Principal>, Refused> + Send + Sync + 'static,
    ) -> Self {
        self.principal = Some(Box::new(hook));
        self
    }

    /// The protocols that the server speaks: `mrtr`, `saga` and `push` unless set.
    #[must_use]
    pub fn dialects(mut self, dialects: impl IntoIterator<Item = Dialect>) -> Self {
        self.dialects = Dialects::of(dialects);
        self
    }

    /// Holds clients of SEP-1597 to what they said: a resume in whose `completedSteps` an answer that was taken is
    /// missing or says something else is refused. Without it such steps are ignored.
    #[must_use]
    pub const fn strict_steps(mut self) -> Self {
        self.strict_steps = true;
        self
    }

    /// The clock by which tokens expire.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The source of salts and saga ids.
    #[must_use]
    pub fn entropy(mut self, entropy: impl Entropy + 'static) -> Self {
        self.entropy = Arc::new(entropy);
        self
    }

    /// The server's sagas.
    ///
    /// # Errors
    ///
    /// Two tools of one name, no tools at all, or keys that cannot be used.
    pub fn build(self) -> Result<Sagas, BuildError> {
        let sealer = self.sealer()?.with_padding(self.padding);
        let mut tools = by_name(self.tools)?;
        let mut prompts = by_name(self.prompts)?;
        let mut resources = by_address(self.resources)?;
        let mut all: Vec<&mut Registered> = Vec::new();
        all.extend(
            tools.values_mut().chain(prompts.values_mut()).chain(resources.iter_mut().map(|(_, one)| one)),
        );
        apply(&mut all, self.policies)?;
        if self.guard.is_none() {
            needs_no_guard(&all)?;
        }
        let by_id = tools.keys().map(|name| (tool_id(name), *name)).collect();
        let Self { guard, spill, limits, ttl, attempts, clock, entropy, .. } = self;
        let host = Host { sealer, clock, entropy, limits, guard, spill, ttl, attempts };
        let (name, version, principal) = (self.name, self.version, self.principal);
        let (dialects, strict_steps) = (self.dialects, self.strict_steps);
        let shared = Shared {
            name,
            version,
            tools,
            prompts,
            resources,
            by_id,
            host,
            principal,
            dialects,
            strict_steps,
        };
        Ok(Sagas { server: None, shared: Arc::new(shared) })
    }
}

fn by_name(all: Vec<Registered>) -> Result<BTreeMap<&'static str, Registered>, BuildError> {
    let mut by_name = BTreeMap::new();
    for one in all {
        let name = one.definition.name;
        mirror::of(&one.definition.input_schema)
            .map_err(|argument| BuildError::Header { tool: name, argument })?;
        if by_name.insert(name, one).is_some() {
            return Err(BuildError::SameName(name));
        }
    }
    Ok(by_name)
}

fn by_address(all: Vec<Registered>) -> Result<Vec<(Address, Registered)>, BuildError> {
    let mut by_address: Vec<(Address, Registered)> = Vec::new();
    for one in all {
        let Definition { name, kind, .. } = one.definition;
        let Kind::Resource(Place { uri, .. }) = kind else { continue };
        let address =
            Address::parse(uri).map_err(|error| BuildError::Address { uri, problem: error.to_string() })?;
        if by_address.iter().any(|(other, _)| *other == address) {
            return Err(BuildError::SameAddress(uri));
        }
        // A token is bound to the name.
        if by_address.iter().any(|(_, other)| other.definition.name == name) {
            return Err(BuildError::SameName(name));
        }
        by_address.push((address, one));
    }
    by_address.sort_by_key(|(address, _)| address.is_template());
    Ok(by_address)
}

fn apply(all: &mut [&mut Registered], policies: Vec<(String, Box<ChangePolicy>)>) -> Result<(), BuildError> {
    for (name, change) in policies {
        let found = all.iter_mut().find(|registered| registered.definition.name == name);
        change(&mut found.ok_or(BuildError::NoSuchTool(name))?.definition.policy);
    }
    Ok(())
}

fn needs_no_guard(all: &[&mut Registered]) -> Result<(), BuildError> {
    let is_once = |tool: &&&mut Registered| tool.definition.policy.replay == Some(Replay::Once);
    all.iter().find(is_once).map_or(Ok(()), |tool| Err(BuildError::NoGuard(tool.definition.name)))
}

impl<C> Builder<C> {
    fn sealer(&self) -> Result<Sealer, BuildError> {
        if let Some(codec) = &self.codec {
            return Sealer::with_codec(&self.name, Arc::clone(codec)).map_err(BuildError::Sealer);
        }
        let keys = match &self.keys {
            Some(keys) => keys.clone(),
            None => KeyRing::ephemeral().map_err(BuildError::Keys)?,
        };
        if keys.is_ephemeral() {
            tracing::warn!(
                "no keys were given, so one was made that dies with this process: tokens do not survive a restart \
                 and no other instance opens them; set SAGA_KEYS to keys of `keygen` for that"
            );
        }
        Sealer::with_entropy(&self.name, keys, &*self.entropy).map_err(BuildError::Sealer)
    }
}

/// Why a server's sagas could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// Two tools, two prompts or two resources have this name.
    SameName(&'static str),
    /// A policy was given for a tool that is not there.
    NoSuchTool(String),
    /// The tool's tokens are good once, and nothing guards that.
    NoGuard(&'static str),
    /// An argument is to be repeated in a header, and is no text, whole number or `bool`.
    Header {
        /// The tool.
        tool: &'static str,
        /// Its argument.
        argument: String,
    },
    /// Two resources have this address.
    SameAddress(&'static str),
    /// A resource's address cannot be read.
    Address {
        /// The address.
        uri: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The keys cannot be used.
    Keys(KeyError),
    /// The keys and the server's name do not make a sealer.
    Sealer(SealerError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameName(name) => {
                write!(formatter, "two are called `{name}`; give one another name with `name = \"..\"`")
            }
            Self::Header { tool, argument } => write!(
                formatter,
                "`{argument}` of `{tool}` is no text, whole number or `bool`, so no header can repeat it"
            ),
            Self::SameAddress(uri) => write!(formatter, "two resources are at `{uri}`"),
            Self::Address { uri, problem } => {
                write!(formatter, "`{uri}` is no resource's address: {problem}")
            }
            Self::NoSuchTool(name) => {
                write!(formatter, "no tool is called `{name}`; its policy has nowhere to go")
            }
            Self::NoGuard(name) => write!(
                formatter,
                "`{name}` has `replay = \"once\"` and the server has no guard; give the builder `.guard(..)`"
            ),
            Self::Keys(error) => error.fmt(formatter),
            Self::Sealer(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for BuildError {}

impl Registered {
    fn new<T: Machine<C> + 'static, C: Send + Sync + 'static>(context: Context<C>) -> Self {
        let server = matches!(context, Context::Server).then(TypeId::of::<C>);
        let run: Box<crate::host::Run> = match context {
            Context::Owned(context) => Box::new(move |frame, arguments, _| {
                let context = Arc::clone(&context);
                Box::pin(async move { T::run(frame, arguments, &context).await })
            }),
            Context::Server => {
                Box::new(|frame, arguments, server| match server.and_then(|server| server.downcast_ref()) {
                    Some(context) => T::run(frame, arguments, context),
                    None => Box::pin(async { Err(ToolError::from(NotServed)) }),
                })
            }
        };
        let definition = T::definition();
        // What cannot be repeated was refused by `build`.
        let mirrored = mirror::of(&definition.input_schema).unwrap_or_default();
        Self { definition, flow: T::flow(), run, mirrored, server }
    }
}

/// A tool whose context is the server was called where there is no such server.
#[derive(Debug)]
pub(crate) struct NotServed;

impl fmt::Display for NotServed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("the tool was added after `.served_by::<..>()`, and no such server serves it here")
    }
}

impl std::error::Error for NotServed {}
