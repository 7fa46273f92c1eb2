//! A guard for many machines: Redis (7.0 or later) or what speaks its protocol.
//!
//! ```text
//! saga:{<saga>}:<round>                  the answers' digest; SET NX GET EX, by the first who comes
//! saga:{<saga>}:<round>:lease:<answers>  SET NX GET PX, to the request that runs
//! saga:{<saga>}:<round>:reply            the sealed reply; SET NX GET EX, by the first who ends
//! ```
//!
//! The braces put a saga's keys on one node of a cluster. One round trip claims, one ends.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use redis::{Pipeline, RedisError};

use super::{Claim, Guard, GuardError, Guarding, LEASE, Turn};
use crate::hex::Hex;
use crate::redis::Redis;

/// A guard in Redis, shared by all instances of a server.
///
/// It connects at its first use, and again when the connection is lost; until then what it guards is refused, or runs
/// unguarded where the tool says so. It must be used on a tokio runtime.
pub struct RedisGuard {
    redis: Redis,
    /// Tells this guard's requests from those of others.
    name: u64,
    prefix: String,
    lease: Duration,
    patience: Duration,
}

/// How long a repeated request waits for the reply of the first one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Gives a lease back, unless it ran out and is another request's by now.
const GIVE_BACK: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end";

impl RedisGuard {
    /// A guard in the Redis at this address; see [`Redis::at`].
    ///
    /// # Errors
    ///
    /// When this is no such address. Whether Redis is there is seen at the first use.
    pub fn new(address: &str) -> Result<Self, GuardError> {
        Redis::at(address).map(Self::over).map_err(|error| GuardError::new(error.to_string()))
    }

    /// A guard in this Redis.
    #[must_use]
    pub fn over(redis: Redis) -> Self {
        // Random enough to tell two guards apart, and nothing depends on its being secret.
        let name = RandomState::new().hash_one(std::process::id());
        Self { redis, name, prefix: "saga".to_owned(), lease: LEASE, patience: PATIENCE }
    }

    /// Begins its keys with this instead of `saga`.
    #[must_use]
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// For how long a transition may run before it is believed dead: longer than the longest of yours.
    #[must_use]
    pub const fn with_lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// For how long a repeated request waits for the reply of the first one, 10 seconds by default.
    #[must_use]
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    fn key(&self, turn: &Turn) -> String {
        format!("{}:{{{}}}:{}", self.prefix, Hex(&turn.saga), turn.round)
    }

    fn reply_key(&self, turn: &Turn) -> String {
        format!("{}:reply", self.key(turn))
    }

    fn lease_key(&self, turn: &Turn) -> String {
        format!("{}:lease:{}", self.key(turn), Hex(&turn.answers[..8]))
    }

    /// The request that has a lease.
    fn holder(&self, turn: &Turn) -> String {
        format!("{:x}:{}", self.name, turn.request)
    }

    async fn try_claim(&self, turn: &Turn) -> Result<Option<Claim>, GuardError> {
        let lease = u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX).max(1);
        let mut claim = redis::pipe();
        claim.cmd("SET").arg(self.key(turn)).arg(&turn.answers[..]).arg("NX").arg("GET");
        claim.arg("EX").arg(turn.seconds.max(1));
        claim.cmd("GET").arg(self.reply_key(turn));
        let holder = self.holder(turn);
        claim.cmd("SET").arg(self.lease_key(turn)).arg(&holder).arg("NX").arg("GET").arg("PX").arg(lease);
        let (before, reply, leased) =
            self.ask::<(Option<Vec<u8>>, Option<Vec<u8>>, Option<String>)>(turn, &claim).await?;
        Ok(match (before, reply) {
            (Some(before), _) if before != turn.answers => Some(Claim::Forked),
            (_, Some(reply)) => Some(Claim::Repeat(Some(reply))),
            // The lease decides: between the first command and the third, another may have come first.
            // Who has it by now may be this request, which was sent twice.
            (_, None) => leased.is_none_or(|leased| leased == holder).then_some(Claim::Fresh),
        })
    }

    /// All of one request in one lane, so that what gives a lease back comes after what took it, however late.
    async fn ask<T: redis::FromRedisValue>(&self, turn: &Turn, commands: &Pipeline) -> Result<T, GuardError> {
        self.redis.ask(turn.request, commands).await.map_err(failed)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn failed(error: RedisError) -> GuardError {
    GuardError::new(format!("Redis: {error}"))
}

impl Guard for RedisGuard {
    fn claim<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Claim> {
        Box::pin(async move {
            let mut waited = Duration::ZERO;
            let mut pause = Duration::from_millis(10);
            loop {
                if let Some(claim) = self.try_claim(turn).await? {
                    return Ok(claim);
                }
                if waited >= self.patience {
                    return Ok(Claim::Repeat(None));
                }
                tokio::time::sleep(pause).await;
                waited += pause;
                pause = (pause * 2).min(Duration::from_millis(500));
            }
        })
    }

    fn keep<'a>(&'a self, turn: &'a Turn, reply: Vec<u8>) -> Guarding<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let mut keep = redis::pipe();
            keep.cmd("SET").arg(self.reply_key(turn)).arg(&reply).arg("NX").arg("GET");
            keep.arg("EX").arg(turn.seconds.max(1));
            let (first,) = self.ask::<(Option<Vec<u8>>,)>(turn, &keep).await?;
            // No two sealed replies are equal, so an equal one is this, which was sent twice.
            Ok(first.filter(|first| *first != reply))
        })
    }

    fn kept<'a>(&'a self, turn: &'a Turn) -> Guarding<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let mut look = redis::pipe();
            look.cmd("GET").arg(self.key(turn)).cmd("GET").arg(self.reply_key(turn));
            let (answers, reply) = self.ask::<(Option<Vec<u8>>, Option<Vec<u8>>)>(turn, &look).await?;
            Ok(reply.filter(|_| answers.is_some_and(|answers| answers == turn.answers)))
        })
    }

    fn abandon(&self, turn: &Turn) {
        // Without a runtime the lease ends by itself.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (redis, lane) = (self.redis.clone(), turn.request);
        let mut give_back = redis::pipe();
        give_back.cmd("EVAL").arg(GIVE_BACK).arg(1).arg(self.lease_key(turn)).arg(self.holder(turn)).ignore();
        runtime.spawn(async move {
            if let Err(error) = redis.ask::<()>(lane, &give_back).await {
                tracing::debug!(%error, "a lease was not given back, and ends by itself");
            }
        });
    }
}

impl fmt::Debug for RedisGuard {
    /// Without the address, which may hold a password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisGuard").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
