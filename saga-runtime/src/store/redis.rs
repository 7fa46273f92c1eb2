//! A store for many machines: Redis, or what speaks its protocol.
//!
//! ```text
//! saga:state:<handle>  the sealed state; SET EX, never changed
//! ```

use std::fmt;

use redis::RedisError;

use super::{Handle, Store, StoreError, Storing};
use crate::redis::Redis;

/// A store in Redis, shared by all instances of a server.
///
/// It connects at its first use, and again when the connection is lost. It must be used on a tokio runtime.
pub struct RedisStore {
    redis: Redis,
    prefix: String,
}

impl RedisStore {
    /// A store in the Redis at this address; see [`Redis::at`].
    ///
    /// # Errors
    ///
    /// When this is no such address. Whether Redis is there is seen at the first use.
    pub fn new(address: &str) -> Result<Self, StoreError> {
        Redis::at(address).map(Self::over).map_err(|error| StoreError::new(error.to_string()))
    }

    /// A store in this Redis.
    #[must_use]
    pub fn over(redis: Redis) -> Self {
        Self { redis, prefix: "saga".to_owned() }
    }

    /// Begins its keys with this instead of `saga`.
    #[must_use]
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    fn key(&self, handle: &Handle) -> String {
        format!("{}:state:{handle}", self.prefix)
    }
}

/// Any will do: each command stands alone.
fn lane(handle: &Handle) -> u64 {
    u64::from(handle.0[0])
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn failed(error: RedisError) -> StoreError {
    StoreError::new(format!("Redis: {error}"))
}

impl Store for RedisStore {
    fn put<'a>(&'a self, handle: &'a Handle, sealed: Vec<u8>, seconds: u32) -> Storing<'a, ()> {
        Box::pin(async move {
            let mut put = redis::pipe();
            put.cmd("SET").arg(self.key(handle)).arg(sealed).arg("EX").arg(seconds.max(1)).ignore();
            self.redis.ask::<()>(lane(handle), &put).await.map_err(failed)
        })
    }

    fn get<'a>(&'a self, handle: &'a Handle) -> Storing<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let mut get = redis::pipe();
            get.cmd("GET").arg(self.key(handle));
            let (found,) = self.redis.ask::<(Option<Vec<u8>>,)>(lane(handle), &get).await.map_err(failed)?;
            Ok(found)
        })
    }
}

impl fmt::Debug for RedisStore {
    /// Without the address, which may hold a password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RedisStore").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
