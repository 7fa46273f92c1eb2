//! Where a state waits for the client's answer: in the token, or in a store with its handle in the token.
//!
//! ```text
//! token   = seal(binding, claims, state)                                            up to `above` bytes
//! stored  = seal(binding with another method, claims, state)                        above that
//! token   = seal(binding, claims with STORED, BLAKE3(stored))
//! ```
//!
//! So a stored state has every property of a token; its hash, which only a sealed token can name, ties the two.

use std::error::Error;

use super::failure::{Unopened, Unstored, largest};
use super::{Call, Host, Registered, binding};
use crate::frame::HeldSize;
use crate::store::{Handle, Spill};
use crate::token::{Binding, Claims, Limits, Opened};

/// A flag of the claims: the state inside is a handle.
const STORED: u16 = 1;

/// Bytes from which on a state is worth a word in the log: every round carries it twice.
const LARGE_STATE: usize = 8 * 1024;

impl Host {
    /// Bytes that a tool's state may have, wherever it waits.
    pub(super) fn largest_state(&self, tool: &Registered) -> usize {
        let limits = self.limits_of(tool);
        self.spill.as_ref().map_or(limits, |spill| stored_limits(limits, spill)).largest_state()
    }

    /// The token of a state.
    pub(super) async fn sealed(
        &self,
        tool: &Registered,
        call: &Call,
        claims: Claims,
        state: &[u8],
        held: &[HeldSize],
    ) -> Result<String, Box<dyn Error + Send + Sync>> {
        let limits = self.limits_of(tool);
        if let Some(spill) = self.spill.as_ref().filter(|spill| state.len() > spill.above) {
            match self.store(spill, tool, call, claims, state).await {
                Ok(token) => return Ok(token),
                // The transition is over, and its effects are done: better a large token than none.
                Err(error) if state.len() <= limits.max_state => {
                    tracing::warn!(tool = tool.definition.name, %error, "a state was not stored, and travels");
                }
                Err(error) => return Err(error),
            }
        } else if state.len() > LARGE_STATE {
            let largest = largest(held);
            tracing::warn!(tool = tool.definition.name, size = state.len(), largest, "a large state travels");
        }
        Ok(self.seal_bytes(&binding(tool, call), &claims, state, &limits)?)
    }

    async fn store(
        &self,
        spill: &Spill,
        tool: &Registered,
        call: &Call,
        claims: Claims,
        state: &[u8],
    ) -> Result<String, Box<dyn Error + Send + Sync>> {
        let limits = self.limits_of(tool);
        let stored =
            self.seal_bytes(&stored_binding(tool, call), &claims, state, &stored_limits(limits, spill))?;
        let handle = Handle::of(stored.as_bytes());
        // Until the slowest clock has refused the token, too.
        let seconds = claims.ttl.saturating_add(limits.max_skew);
        spill.store.put(&handle, stored.into_bytes(), seconds).await?;
        let claims = Claims { flags: claims.flags | STORED, ..claims };
        Ok(self.seal_bytes(&binding(tool, call), &claims, handle.as_bytes(), &limits)?)
    }

    fn seal_bytes(
        &self,
        binding: &Binding<'_>,
        claims: &Claims,
        state: &[u8],
        limits: &Limits,
    ) -> Result<String, crate::token::SealError> {
        self.sealer.seal(binding, claims, state, limits, &*self.entropy, &*self.clock)
    }

    /// What a token holds, wherever that waited.
    pub(super) async fn opened(
        &self,
        tool: &Registered,
        call: &Call,
        token: &str,
    ) -> Result<Opened, Unopened> {
        let limits = self.limits_of(tool);
        let opened = self.sealer.open(token, &binding(tool, call), &limits, self.clock.now());
        let opened = opened.map_err(Unopened::Token)?;
        if opened.claims.flags & STORED == 0 {
            return Ok(opened);
        }
        let spill = self.spill.as_ref().ok_or(Unopened::Stored(Unstored::NoStore))?;
        let handle = Handle::from_bytes(&opened.state).ok_or(Unopened::State)?;
        let stored = spill.store.get(&handle).await.map_err(Unopened::StoreDown)?;
        let stored = stored.ok_or(Unopened::Stored(Unstored::Lost(handle)))?;
        let text = String::from_utf8(stored).ok().filter(|text| Handle::of(text.as_bytes()) == handle);
        let text = text.ok_or(Unopened::Stored(Unstored::Other(handle)))?;
        let (binding, limits) = (stored_binding(tool, call), stored_limits(limits, spill));
        let inside = self.sealer.open(&text, &binding, &limits, self.clock.now());
        inside.map_err(|error| Unopened::Stored(Unstored::Inside(error)))
    }
}

/// A stored state is bound like its token; as a token it is good for nothing.
fn stored_binding<'a>(tool: &'a Registered, call: &'a Call) -> Binding<'a> {
    Binding { method: "saga/stored-state", ..binding(tool, call) }
}

fn stored_limits(limits: Limits, spill: &Spill) -> Limits {
    Limits { max_state: spill.most.max(limits.max_state), ..limits }
}
