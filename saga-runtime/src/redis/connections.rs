//! Connections to one Redis, or to the nodes of a cluster.

use std::sync::OnceLock;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
#[cfg(feature = "redis-cluster")]
use redis::cluster::{ClusterClient, ClusterClientBuilder};
#[cfg(feature = "redis-cluster")]
use redis::cluster_async::ClusterConnection;
use redis::{Client, FromRedisValue, Pipeline, RedisError};
#[cfg(feature = "redis-cluster")]
use tokio::sync::OnceCell;

use super::{AddressError, Reached};

pub(super) enum Connections {
    One(Box<Few>),
    /// It has a connection to each node, and follows the cluster's changes.
    #[cfg(feature = "redis-cluster")]
    Cluster {
        client: Box<ClusterClient>,
        made: OnceCell<ClusterConnection>,
    },
}

/// A few connections to one Redis.
pub(super) struct Few {
    client: Client,
    made: [OnceLock<ConnectionManager>; CONNECTIONS],
}

/// Each carries many requests at a time; several, so that one large reply does not hold up all.
const CONNECTIONS: usize = 4;
/// How long Redis may take to answer: a tool waits for it.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

impl Connections {
    pub(super) fn to(reached: &Reached) -> Result<Self, AddressError> {
        #[cfg(feature = "redis-tls")]
        choose_cryptography();
        #[cfg(feature = "redis-cluster")]
        if reached.is_cluster {
            return Self::to_cluster(reached);
        }
        let address = reached.addresses.first().ok_or(AddressError::NONE)?.clone();
        #[cfg(feature = "redis-tls")]
        if let Some(tls) = &reached.tls {
            let client = Client::build_with_tls(address, tls.clone());
            return client.map(Self::to_one).map_err(|_| AddressError::NO_TLS);
        }
        Client::open(address).map(Self::to_one).map_err(|_| AddressError::NONE)
    }

    fn to_one(client: Client) -> Self {
        let made = [const { OnceLock::new() }; CONNECTIONS];
        Self::One(Box::new(Few { client, made }))
    }

    #[cfg(feature = "redis-cluster")]
    fn to_cluster(reached: &Reached) -> Result<Self, AddressError> {
        let builder = ClusterClientBuilder::new(reached.addresses.clone())
            .connection_timeout(ANSWERS_WITHIN)
            .response_timeout(ANSWERS_WITHIN)
            .retries(1);
        #[cfg(feature = "redis-tls")]
        if let Some(tls) = &reached.tls {
            let is_clear = |address: &redis::ConnectionInfo| {
                !matches!(address.addr(), redis::ConnectionAddr::TcpTls { .. })
            };
            if reached.addresses.iter().any(is_clear) {
                return Err(AddressError::NO_TLS);
            }
            let client = builder.certs(tls.clone()).build();
            return client.map(Self::to_nodes).map_err(|_| AddressError::NO_TLS);
        }
        builder.build().map(Self::to_nodes).map_err(|_| AddressError::NO_CLUSTER)
    }

    #[cfg(feature = "redis-cluster")]
    fn to_nodes(client: ClusterClient) -> Self {
        Self::Cluster { client: Box::new(client), made: OnceCell::new() }
    }

    pub(super) async fn ask<T: FromRedisValue>(
        &self,
        lane: u64,
        commands: &Pipeline,
    ) -> Result<T, RedisError> {
        match self {
            Self::One(few) => few.ask(lane, commands).await,
            #[cfg(feature = "redis-cluster")]
            Self::Cluster { client, made } => {
                let connection = made.get_or_try_init(|| client.get_async_connection()).await?;
                commands.query_async(&mut connection.clone()).await
            }
        }
    }
}

impl Few {
    /// Asks once more where the connection was lost, which is found out by asking: Redis may have been started anew
    /// since. It may carry out the commands twice then.
    async fn ask<T: FromRedisValue>(&self, lane: u64, commands: &Pipeline) -> Result<T, RedisError> {
        match commands.query_async(&mut self.connection(lane)?).await {
            Err(error) if error.is_connection_dropped() => {
                commands.query_async(&mut self.connection(lane)?).await
            }
            answered => answered,
        }
    }

    fn connection(&self, lane: u64) -> Result<ConnectionManager, RedisError> {
        let lane = usize::try_from(lane % CONNECTIONS as u64).unwrap_or_default();
        let connection = &self.made[lane];
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

/// rustls panics where a process has several libraries of cryptography and has chosen none. Who has chosen keeps his.
#[cfg(feature = "redis-tls")]
fn choose_cryptography() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Somebody else may be first.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
