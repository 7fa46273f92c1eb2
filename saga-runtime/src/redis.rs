//! Where a Redis is and how it is reached: at one address or in a cluster, in the clear or over TLS. Connections are made
//! at the first use, and again when they are lost.
//!
//! ```no_run
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use saga_runtime::guard::RedisGuard;
//! use saga_runtime::redis::Redis;
//! use saga_runtime::store::RedisStore;
//!
//! // A guard and a store may share one.
//! let redis = Redis::at("redis://10.0.0.5:6379")?;
//! let (guard, store) = (RedisGuard::over(redis.clone()), RedisStore::over(redis));
//! # drop((guard, store));
//! # Ok(())
//! # }
//! ```

mod connections;

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "redis-tls")]
use redis::{ClientTlsConfig, TlsCertificates};
use redis::{ConnectionInfo, FromRedisValue, IntoConnectionInfo, Pipeline, RedisError};
#[cfg(feature = "redis-tls")]
use rustls::pki_types::CertificateDer;
#[cfg(feature = "redis-tls")]
use rustls::pki_types::pem::PemObject;

use self::connections::Connections;

/// A Redis (7.0 or later), or what speaks its protocol. Cheap to clone: clones share their connections.
#[derive(Clone)]
pub struct Redis {
    reached: Reached,
    connections: Arc<Connections>,
}

/// Where it is, and how it is reached.
#[derive(Clone)]
struct Reached {
    addresses: Vec<ConnectionInfo>,
    #[cfg(feature = "redis-cluster")]
    is_cluster: bool,
    #[cfg(feature = "redis-tls")]
    tls: Option<TlsCertificates>,
}

impl Redis {
    /// The Redis at this address: `redis://[user[:password]@]host[:port][/database]`, or `redis+unix:///path`; with the
    /// feature `redis-tls` also `rediss://..`, whose certificate must be good by the machine's own roots.
    ///
    /// # Errors
    ///
    /// When this is no such address. Whether Redis is there is seen at the first use.
    pub fn at(address: &str) -> Result<Self, AddressError> {
        Self::over(Reached::at(vec![read(address)?]))
    }

    /// The cluster that has nodes at these addresses; it names the others. All have the same user and password, and TLS
    /// or none.
    ///
    /// # Errors
    ///
    /// When there is none, or one is no address of a Redis.
    #[cfg(feature = "redis-cluster")]
    pub fn cluster<A: AsRef<str>>(addresses: impl IntoIterator<Item = A>) -> Result<Self, AddressError> {
        let addresses = addresses.into_iter().map(|address| read(address.as_ref()));
        let mut reached = Reached::at(addresses.collect::<Result<_, _>>()?);
        reached.is_cluster = true;
        Self::over(reached)
    }

    /// Trusts the certificates in this PEM text in place of the machine's: those of an authority of one's own.
    ///
    /// # Errors
    ///
    /// When they are none, or an address is not `rediss://..`.
    #[cfg(feature = "redis-tls")]
    pub fn trusting(self, roots: impl Into<Vec<u8>>) -> Result<Self, AddressError> {
        let roots = roots.into();
        if CertificateDer::pem_slice_iter(&roots).next().is_none() {
            return Err(AddressError::NO_TLS);
        }
        let root_cert = Some(roots);
        self.with_tls(|tls| TlsCertificates { root_cert, ..tls })
    }

    /// Shows Redis this certificate, with its key; both are PEM texts.
    ///
    /// # Errors
    ///
    /// When they are not, or an address is not `rediss://..`.
    #[cfg(feature = "redis-tls")]
    pub fn presenting(
        self,
        certificate: impl Into<Vec<u8>>,
        key: impl Into<Vec<u8>>,
    ) -> Result<Self, AddressError> {
        let client_tls = Some(ClientTlsConfig { client_cert: certificate.into(), client_key: key.into() });
        self.with_tls(|tls| TlsCertificates { client_tls, ..tls })
    }

    #[cfg(feature = "redis-tls")]
    fn with_tls(self, change: impl FnOnce(TlsCertificates) -> TlsCertificates) -> Result<Self, AddressError> {
        let tls = self.reached.tls.unwrap_or(TlsCertificates { client_tls: None, root_cert: None });
        Self::over(Reached { tls: Some(change(tls)), ..self.reached })
    }

    fn over(reached: Reached) -> Result<Self, AddressError> {
        Ok(Self { connections: Arc::new(Connections::to(&reached)?), reached })
    }

    /// Sends commands, together, and reads their replies. In a cluster they are about keys of one slot. What is sent in
    /// one lane is carried out in its order; where the connection is lost it may be carried out twice.
    pub(crate) async fn ask<T: FromRedisValue>(
        &self,
        lane: u64,
        commands: &Pipeline,
    ) -> Result<T, RedisError> {
        self.connections.ask(lane, commands).await
    }
}

impl Reached {
    fn at(addresses: Vec<ConnectionInfo>) -> Self {
        Self {
            addresses,
            #[cfg(feature = "redis-cluster")]
            is_cluster: false,
            #[cfg(feature = "redis-tls")]
            tls: None,
        }
    }
}

fn read(address: &str) -> Result<ConnectionInfo, AddressError> {
    #[cfg(not(feature = "redis-tls"))]
    if address.starts_with("rediss:") {
        return Err(AddressError::NEEDS_TLS);
    }
    address.into_connection_info().map_err(|_| AddressError::NONE)
}

impl fmt::Debug for Redis {
    /// Without the addresses, which may hold passwords.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Redis")
            .field("addresses", &self.reached.addresses.len())
            .finish_non_exhaustive()
    }
}

/// Why a Redis cannot be reached as it was said; without the address, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressError(&'static str);

impl AddressError {
    const NONE: Self =
        Self("not an address of a Redis, which is `redis://[user[:password]@]host[:port][/database]`");
    #[cfg(not(feature = "redis-tls"))]
    const NEEDS_TLS: Self = Self("`rediss://` is Redis over TLS, which needs the feature `redis-tls`");
    #[cfg(feature = "redis-cluster")]
    const NO_CLUSTER: Self = Self("not the addresses of a Redis cluster");
    #[cfg(feature = "redis-tls")]
    const NO_TLS: Self = Self("not certificates in PEM for a `rediss://` address");
}

impl fmt::Display for AddressError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

impl std::error::Error for AddressError {}
