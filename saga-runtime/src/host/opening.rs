//! What a request starts from: nothing, or the state in its token.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::failure::Unopened;
use super::registered::Misread;
use super::{Arguments, Call, Host, Refusal, Registered, Resuming, Server, refused_token, strict};
use crate::client::Client;
use crate::frame::Position;
use crate::held::bounded;
use crate::saga::Saga;
use crate::step::StepKind;
use crate::token::{Claims, Opened};

/// What is sealed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) position: Position,
    /// The arguments as JSON, in the dialects that do not send them again.
    pub(super) arguments: Option<String>,
    /// A digest of the answers that were taken, where none of them may change.
    pub(super) taken: Option<[u8; 32]>,
    /// The saga's round: those that asked nobody count, too, and have no token.
    pub(super) round: u16,
}

/// What a request starts from: nothing, or an opened token.
pub(super) struct Opening {
    pub(super) saga: Saga,
    /// What was last said of the saga in a token, or would have been.
    pub(super) claims: Claims,
    pub(super) position: Option<Position>,
    /// Those that the token held; `None` where the request brought them.
    pub(super) arguments: Option<Map<String, Value>>,
    /// Whether what is asked next is asked as if for the first time.
    pub(super) is_new: bool,
    /// For how long the token can still come back; `None` where nothing is used up.
    pub(super) seconds_left: Option<u32>,
}

impl Host {
    /// What a request starts from, if it is let in.
    pub(super) async fn open(
        &self,
        server: Server<'_>,
        tool: &Registered,
        call: &Call,
    ) -> Result<Opening, Refusal> {
        // Before the first side effect, too.
        if let Some(Misread { site, problem }) = tool.misread(server) {
            tracing::error!(tool = tool.definition.name, site, problem, "a tool holds what cannot travel");
            return Err(Refusal::Internal);
        }
        let Some(token) = &call.token else { return self.start(tool, call) };
        let opened = self.opened(tool, call, token).await;
        opened.and_then(|opened| self.reopen(call, &opened)).map_err(|reason| {
            if let Unopened::StoreDown(error) = reason {
                tracing::error!(tool = tool.definition.name, %error, "a state cannot be fetched: refused for now");
                return Refusal::Unavailable;
            }
            refused_token(tool, call, &reason);
            Refusal::State
        })
    }

    fn start(&self, tool: &Registered, call: &Call) -> Result<Opening, Refusal> {
        // Before the first side effect: what every path will ask must be possible.
        let missing = missing(call.client, tool.flow.needs.iter().copied());
        if !missing.is_empty() {
            return Err(Refusal::Capability(missing));
        }
        let mut id = [0; 16];
        self.entropy.fill(&mut id).map_err(|error| {
            tracing::error!(%error, "no randomness for a saga id");
            Refusal::Internal
        })?;
        let saga = call.saga(id, 0);
        let claims = Claims { round: 0, ..Claims::first(self.clock.now(), 0, id) };
        Ok(Opening { saga, claims, position: None, arguments: None, is_new: true, seconds_left: None })
    }

    fn reopen(&self, call: &Call, opened: &Opened) -> Result<Opening, Unopened> {
        let now = self.clock.now();
        let Some(state) = bounded::read::<State>(&opened.state) else {
            return Err(Unopened::State);
        };
        let arguments = match (&call.arguments, state.arguments) {
            (Arguments::Sent(_), _) => None,
            (Arguments::Sealed(_), Some(json)) => {
                Some(serde_json::from_str(&json).map_err(|_| Unopened::State)?)
            }
            (Arguments::Sealed(_), None) => return Err(Unopened::State),
        };
        if call.is_strict && state.taken != Some(strict::taken(&state.position, &call.answers)) {
            return Err(Unopened::Changed);
        }
        let mut claims = Claims { flags: 0, ..opened.claims };
        let mut saga = call.saga(claims.saga_id, state.round);
        let mut position = state.position;
        let is_new = call.resuming == Resuming::AskedAgain && position.ask_again();
        if is_new {
            saga.round = saga.round.saturating_sub(1);
            claims.round = claims.round.saturating_sub(1);
        }
        let expires = u64::from(claims.issued_at) + u64::from(claims.ttl);
        let seconds_left = u32::try_from(expires.saturating_sub(now)).ok();
        Ok(Opening { saga, claims, position: Some(position), arguments, is_new, seconds_left })
    }
}

/// What of these the client cannot do.
pub(super) fn missing(client: Client, kinds: impl Iterator<Item = StepKind>) -> Vec<StepKind> {
    let mut missing: Vec<_> = kinds.filter(|kind| !client.supports(*kind)).collect();
    missing.sort_unstable();
    missing.dedup();
    missing
}
