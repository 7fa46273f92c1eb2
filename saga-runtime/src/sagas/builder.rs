//! What a server is made of, gathered piece by piece.

use std::fmt;
use std::sync::Arc;

use super::registered::Context;
use super::{PrincipalHook, Refused, RequestFacts, Sagas};
use crate::clock::{Clock, Entropy, SystemClock, SystemEntropy};
use crate::dialect::{Dialect, Dialects};
use crate::guard::Guard;
use crate::host::Registered;
use crate::saga::Principal;
use crate::store::Spill;
use crate::token::{Codec, KeyRing, Limits, Padding};
use crate::tool::{Policy, Prompt, Resource, Tool};

/// Seconds that one question may wait for its answer (the Python and TypeScript SDKs' value).
const DEFAULT_TTL: u32 = 600;
/// How often one question may be asked.
const DEFAULT_ATTEMPTS: u8 = 3;

pub(super) type ChangePolicy = dyn FnOnce(&mut Policy) + Send;

impl Sagas {
    /// Starts a server's sagas. The name is the audience of its tokens: servers of other names refuse them, also
    /// where they share a key.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> Builder<()> {
        let parts = Parts {
            name: name.into(),
            version: version.into(),
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
        };
        Builder { context: Context::Owned(Arc::new(())), parts }
    }
}

/// Gathers a server's sagas.
pub struct Builder<C> {
    pub(super) context: Context<C>,
    pub(super) parts: Parts,
}

/// What does not depend on the context.
pub(super) struct Parts {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) tools: Vec<Registered>,
    pub(super) prompts: Vec<Registered>,
    pub(super) resources: Vec<Registered>,
    pub(super) keys: Option<KeyRing>,
    pub(super) codec: Option<Arc<dyn Codec>>,
    pub(super) padding: Padding,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(super) spill: Option<Spill>,
    pub(super) policies: Vec<(String, Box<ChangePolicy>)>,
    pub(super) limits: Limits,
    pub(super) ttl: u32,
    pub(super) attempts: u8,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) principal: Option<Box<PrincipalHook>>,
    pub(super) dialects: Dialects,
    pub(super) strict_steps: bool,
}

impl<C> fmt::Debug for Builder<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("name", &self.parts.name).finish_non_exhaustive()
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
        Builder { context, parts: self.parts }
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool<T: Tool<C> + 'static>(mut self) -> Self {
        self.parts.tools.push(Registered::new::<T, C>(self.context.clone()));
        self
    }

    /// Adds a prompt.
    #[must_use]
    pub fn prompt<P: Prompt<C> + 'static>(mut self) -> Self {
        self.parts.prompts.push(Registered::new::<P, C>(self.context.clone()));
        self
    }

    /// Adds a resource, or a template of resources. An address that several are at is that of one without variables,
    /// or else of the first that was added.
    #[must_use]
    pub fn resource<R: Resource<C> + 'static>(mut self) -> Self {
        self.parts.resources.push(Registered::new::<R, C>(self.context.clone()));
        self
    }

    /// The keys that seal and open tokens. Without any, a key is made that dies with the process. A codec has its own.
    #[must_use]
    pub fn keys(mut self, keys: KeyRing) -> Self {
        self.parts.keys = Some(keys);
        self
    }

    /// Seals tokens by a cipher of the server's own, which brings its own keys. Keys beside it are refused, since they
    /// would have no use: those of [`keys`](Self::keys) when the server is built, and an operator's (`SAGA_KEYS`,
    /// `SAGA_KEYS_FILE`) when the command line starts it.
    #[must_use]
    pub fn codec(mut self, codec: impl Codec + 'static) -> Self {
        self.parts.codec = Some(Arc::new(codec));
        self
    }

    /// Whether a codec seals.
    #[cfg(feature = "cli")]
    pub(crate) const fn has_codec(&self) -> bool {
        self.parts.codec.is_some()
    }

    /// How large, how old and in how many rounds sagas may be, unless the tool says otherwise.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.parts.limits = limits;
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
        self.parts.guard = Some(Arc::new(guard));
        self
    }

    /// Keeps large states in a store that all instances of the server share: their tokens carry a handle.
    #[must_use]
    pub fn spill(mut self, spill: Spill) -> Self {
        self.parts.spill = Some(spill);
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
        self.parts.policies.push((tool.into(), Box::new(change)));
        self
    }

    /// How the length of a state is hidden.
    #[must_use]
    pub const fn padding(mut self, padding: Padding) -> Self {
        self.parts.padding = padding;
        self
    }

    /// How long a question may wait for its answer, unless the tool says otherwise.
    #[must_use]
    pub const fn ttl(mut self, seconds: u32) -> Self {
        self.parts.ttl = seconds;
        self
    }

    /// Who calls: a stable identity out of the request's credentials, to which tokens are bound.
    #[must_use]
    pub fn principal(
        mut self,
        hook: impl Fn(&RequestFacts) -> Result<Option<Principal>, Refused> + Send + Sync + 'static,
    ) -> Self {
        self.parts.principal = Some(Box::new(hook));
        self
    }

    /// The protocols that the server speaks: `mrtr`, `saga` and `push` unless set.
    #[must_use]
    pub fn dialects(mut self, dialects: impl IntoIterator<Item = Dialect>) -> Self {
        self.parts.dialects = Dialects::of(dialects);
        self
    }

    /// Holds clients of SEP-1597 to what they said: a resume in whose `completedSteps` an answer that was taken is
    /// missing or says something else is refused. Without it such steps are ignored.
    #[must_use]
    pub const fn strict_steps(mut self) -> Self {
        self.parts.strict_steps = true;
        self
    }

    /// The clock by which tokens expire.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.parts.clock = Arc::new(clock);
        self
    }

    /// The source of salts and saga ids.
    #[must_use]
    pub fn entropy(mut self, entropy: impl Entropy + 'static) -> Self {
        self.parts.entropy = Arc::new(entropy);
        self
    }
}
