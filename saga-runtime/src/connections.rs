//! Connections to Redis, for the guard and the store: made at the first use, and again when they are lost.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, FromRedisValue, Pipeline, RedisError};

/// A few connections to one Redis.
pub(crate) struct Connections {
    client: Client,
    made: [OnceLock<ConnectionManager>; CONNECTIONS],
    next: AtomicUsize,
}

/// Each carries many requests at a time; several, so that one large reply does not hold up all.
const CONNECTIONS: usize = 4;
/// How long Redis may take to answer: a tool waits for it.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

impl Connections {
    /// Connections to the Redis at this address; or why it is none, without the address, which may hold a password.
    pub(crate) fn to_one(address: &str) -> Result<Self, &'static str> {
        let client = Client::open(address).map_err(|_| "not an address of a Redis")?;
        Ok(Self { client, made: [const { OnceLock::new() }; CONNECTIONS], next: AtomicUsize::new(0) })
    }

    /// Sends commands, together, and reads their replies.
    pub(crate) async fn ask<T: FromRedisValue>(&self, commands: &Pipeline) -> Result<T, RedisError> {
        commands.query_async(&mut self.connection()?).await
    }

    /// A connection, for what outlives the caller.
    pub(crate) fn connection(&self) -> Result<ConnectionManager, RedisError> {
        let next = self.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS;
        let connection = &self.made[next];
        if let Some(connection) = connection.get() {
            return Ok(connection.clone());
        }
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(ANSWERS_WITHIN))
            .set_response_timeout(Some(ANSWERS_WITHIN))
            .set_number_of_retries(1);
        let made = ConnectionManager::new_lazy_with_config(self.client.clone(), config)?;
        Ok(connection.get_or_init(|| made).clone())
    }
}
