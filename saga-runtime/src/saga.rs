//! What a tool may know about the saga that it runs in: `#[context] saga: &Saga`.

use crate::client::Client;
use crate::progress::{Progress, Reporter};
use crate::script;

/// The saga that a tool runs in.
///
/// ```ignore
/// #[saga_tool]
/// async fn charge(#[context] saga: &Saga, amount: u32) -> Result<String, ToolError> {
///     let sure: Confirm = elicit(format!("Charge {amount}?")).await?;
///     bank.charge(amount, saga.idempotency_key("charge")).await?;
/// #   Ok(String::new())
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Saga {
    pub(crate) id: [u8; 16],
    pub(crate) round: u16,
    /// Whether it is the saga of a plain function, whose script counts its rounds.
    pub(crate) is_plain: bool,
    pub(crate) principal: Option<Principal>,
    pub(crate) client: Client,
    pub(crate) reporter: Reporter,
}

impl Saga {
    /// What the client of this request can do.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Who calls, if the server has a principal hook.
    #[must_use]
    pub const fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
    }

    /// How many times the tool has suspended before; 0 in the call that starts it.
    #[must_use]
    pub fn round(&self) -> u16 {
        if self.is_plain { script::rounds() } else { self.round }
    }

    /// A key for an effect of this transition, to be sent along with it: the same when the client sends the same
    /// token again after a lost reply, another one in every other transition, saga and label.
    ///
    /// Two effects of one transition need two labels: in a loop without a question inside, or in two sagas that are
    /// called one after the other, the same label gives the same key.
    ///
    /// A call that starts a saga has no token yet: sent again, it is a new saga with a new key.
    #[must_use]
    pub fn idempotency_key(&self, label: &str) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("saga v1 idempotency key");
        hasher.update(&self.id).update(&self.round().to_le_bytes()).update(label.as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Tells the client how far this transition has come, if it wants to know (`notifications/progress`).
    ///
    /// The client hears it while the tool runs on. Each request of a client has a progress of its own, which must
    /// increase: what is not above the last one, or is no finite number, is left out.
    ///
    /// ```
    /// # use saga_runtime::{Progress, Saga};
    /// # let (saga, done, total) = (Saga::default(), 3, 10);
    /// saga.progress(Progress::new(done).total(total).message("copied eu-west"));
    /// ```
    pub fn progress(&self, progress: Progress) {
        self.reporter.report(progress);
    }
}

/// Who calls: an opaque, stable identity, for example issuer and subject of an access token.
#[derive(Clone, PartialEq, Eq)]
pub struct Principal(String);

impl Principal {
    /// A principal of this identity.
    pub fn new(identity: impl Into<String>) -> Self {
        Self(identity.into())
    }

    /// The identity.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Eight hexadecimal digits that stand for the identity in the log: the same for the same caller.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("saga v1 caller in the log");
        hasher.update(self.0.as_bytes()).finalize().to_hex()[..8].to_owned()
    }
}

impl std::fmt::Debug for Principal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Principal(..)")
    }
}
