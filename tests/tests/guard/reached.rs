//! Redis over TLS, and in a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use saga_runtime::guard::{Guard, RedisGuard, Turn};
use saga_runtime::host::Outcome;
use saga_runtime::redis::Redis as Reached;
use saga_runtime::store::{RedisStore, Spill};
use saga_tests::external::Redis;

use crate::faults::{is_refused_for_now, until};
use crate::race::{other_answers, same_answers};
use crate::{Bank, builder, call, send, start, told};

/// A directory with certificates: of an authority, of a Redis and of its clients.
struct Certificates {
    directory: PathBuf,
    roots: String,
    client: (String, String),
}

impl Certificates {
    fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("saga-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "an authority");
        let key = KeyPair::generate().expect("a key");
        let roots = params.self_signed(&key).expect("a certificate").pem();
        let authority = Issuer::new(params, key);
        let (certificate, key) = signed(&authority, "127.0.0.1");
        for (file, text) in [("ca.pem", &roots), ("cert.pem", &certificate), ("key.pem", &key)] {
            std::fs::write(directory.join(file), text).expect("a file");
        }
        Self { directory, roots, client: signed(&authority, "client") }
    }

    /// As a client of this authority reaches a Redis.
    fn known_to(&self, redis: Reached) -> Reached {
        let (certificate, key) = self.client.clone();
        let redis = redis.trusting(self.roots.clone()).expect("roots");
        redis.presenting(certificate, key).expect("a certificate")
    }
}

impl Drop for Certificates {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn signed(authority: &Issuer<'_, KeyPair>, name: &str) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let mut params = CertificateParams::new([name.to_owned()]).expect("a name");
    params.distinguished_name.push(DnType::CommonName, name);
    (params.signed_by(&key, authority).expect("a certificate").pem(), key.serialize_pem())
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_one_of_many_wins() {
    let certificates = Certificates::new("tls");
    let Some(redis) = Redis::secured("guard::reached, Redis over TLS", &certificates.directory) else {
        return;
    };
    let reached = || Reached::at(&redis.secured_address()).expect("an address");
    same_answers(RedisGuard::over(certificates.known_to(reached()))).await;
    other_answers(RedisGuard::over(certificates.known_to(reached()))).await;

    // By the machine's roots it is nobody, another authority does not know it, and it knows no client without a
    // certificate.
    let stranger = Certificates::new("stranger");
    let turn = Turn::new([1; 16], 1, [2; 32], 60);
    for (redis, is_reached) in [
        (certificates.known_to(reached()), true),
        (reached(), false),
        (stranger.known_to(reached()), false),
        (reached().trusting(certificates.roots.clone()).expect("roots"), false),
        (Reached::at(&redis.secured_address().replace("rediss", "redis")).expect("an address"), false),
    ] {
        let claimed = RedisGuard::over(redis).claim(&turn).await;
        assert_eq!(claimed.is_ok(), is_reached, "{claimed:?}");
    }
}

#[test]
fn what_is_no_certificate_is_refused_and_not_printed() {
    let certificates = Certificates::new("files");
    let reached = || Reached::at("rediss://user:secret@127.0.0.1:1").expect("an address");
    assert!(!format!("{:?}", certificates.known_to(reached())).contains("secret"));
    let (certificate, key) = certificates.client.clone();
    assert!(reached().presenting(key, certificate.clone()).is_err());
    assert!(reached().presenting(certificate, "no key").is_err());
    assert!(reached().trusting("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----").is_err());
    assert!(reached().trusting("no roots").is_err());
    let in_the_clear = Reached::at("redis://127.0.0.1:1").expect("an address");
    assert!(in_the_clear.trusting(certificates.roots.clone()).is_err());
    let none: [&str; 0] = [];
    assert!(Reached::cluster(none).is_err());
    assert!(Reached::cluster(["http://127.0.0.1"]).is_err());
    let cluster = Reached::cluster(["rediss://127.0.0.1:1", "redis://127.0.0.1:2"]);
    assert!(cluster.is_err() || cluster.expect("checked").trusting(certificates.roots.clone()).is_err());
}

/// The keys of guards by saga, each with its node and its slot.
fn keys(nodes: &[Redis]) -> BTreeMap<String, BTreeSet<(usize, String)>> {
    let mut sagas = BTreeMap::<_, BTreeSet<_>>::new();
    for (number, node) in nodes.iter().enumerate() {
        let found = node.command("KEYS *");
        for key in found.split_whitespace().filter(|word| word.starts_with("saga:{")) {
            let saga = key.split(['{', '}']).nth(1).expect("a saga").to_owned();
            sagas.entry(saga).or_default().insert((number, node.command(&format!("CLUSTER KEYSLOT {key}"))));
        }
    }
    sagas
}

/// One node is in the client's settings; it finds the others. What belongs to one saga is in one slot, on one node.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_cluster_one_of_many_wins_and_a_saga_is_on_one_node() {
    let certificates = Certificates::new("cluster");
    let directory: &Path = &certificates.directory;
    let Some(nodes) = Redis::cluster("guard::reached, a cluster of three nodes", directory) else { return };
    let clear = Reached::cluster([nodes[1].address()]).expect("an address");
    let secured = Reached::cluster([nodes[1].secured_address()]).expect("an address");
    let secured = certificates.known_to(secured);
    for redis in [clear, secured] {
        for _ in 0..4 {
            same_answers(RedisGuard::over(redis.clone())).await;
            other_answers(RedisGuard::over(redis.clone())).await;
        }
    }
    let sagas = keys(&nodes);
    assert_eq!(sagas.len(), 16);
    assert!(sagas.values().all(|places| places.len() == 1), "{sagas:?}");
    let used: BTreeSet<_> = sagas.values().flatten().map(|(node, _)| *node).collect();
    assert!(used.len() > 1, "16 sagas on one of three nodes: {sagas:?}");
}

/// A node is down: its sagas are refused, those of others go on. It comes back: all go on. States in the store likewise.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_cluster_a_node_goes_away_and_comes_back() {
    let certificates = Certificates::new("node");
    let Some(mut nodes) = Redis::cluster("guard::reached, a node that is killed", &certificates.directory)
    else {
        return;
    };
    let redis = Reached::cluster(nodes.iter().map(Redis::address)).expect("addresses");
    let bank = Arc::new(Bank::default());
    let spill = Spill::above(0, RedisStore::over(redis.clone()));
    let sagas = builder(&bank).guard(RedisGuard::over(redis)).spill(spill).build().expect("sagas");
    let mut tokens = Vec::new();
    for _ in 0..24 {
        tokens.push(start(&sagas, "charge").await);
    }
    nodes[2].stop();
    let goes_on = async |token: &String| send(&sagas, "charge", call(Some(token), &[("first", 1)])).await;
    let mut refused = Vec::new();
    for token in &tokens {
        match goes_on(token).await {
            outcome if is_refused_for_now(&outcome) => refused.push(token.clone()),
            // It forgot nothing of theirs; what the killed node knew is gone with it.
            Outcome::Suspended(_) => {}
            outcome => panic!("{}", told(&outcome)),
        }
    }
    assert!(!refused.is_empty() && refused.len() < tokens.len(), "{} of {}", refused.len(), tokens.len());
    nodes[2].restart();
    for token in &refused {
        until(async || !is_refused_for_now(&goes_on(token).await)).await;
    }
}
