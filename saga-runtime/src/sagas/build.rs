//! The last step of a builder: what it gathered is checked, and becomes a server.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::builder::{Builder, ChangePolicy, Parts};
use super::{BuildError, Sagas, Shared};
use crate::dialect::meta;
use crate::guard::Replay;
use crate::host::{Host, Misread, Registered};
use crate::mirror;
use crate::resource::address::Address;
use crate::token::{KeyRing, Limits, Sealer, tool_id};
use crate::tool::{Definition, Kind, Place};

impl<C: Send + Sync + 'static> Builder<C> {
    /// The server's sagas.
    ///
    /// # Errors
    ///
    /// Two tools of one name, a question that holds what cannot travel, or keys that cannot be used.
    pub fn build(self) -> Result<Sagas, BuildError> {
        self.parts.build()
    }
}

impl Parts {
    fn build(self) -> Result<Sagas, BuildError> {
        let sealer = self.sealer()?.with_padding(self.padding);
        let mut tools = by_name(self.tools)?;
        let mut prompts = by_name(self.prompts)?;
        let mut resources = by_address(self.resources)?;
        let mut all: Vec<&mut Registered> = Vec::new();
        all.extend(
            tools.values_mut().chain(prompts.values_mut()).chain(resources.iter_mut().map(|(_, one)| one)),
        );
        apply(&mut all, self.policies)?;
        let Self { guard, spill, limits, ttl, attempts, clock, entropy, .. } = self;
        let host = Host { sealer, clock, entropy, limits, guard, spill, ttl, attempts };
        lets_questions_be_answered(None, host.limits, host.ttl, host.attempts)?;
        for one in &all {
            let (limits, ttl, attempts) = (host.limits_of(one), host.ttl_of(one), host.attempts_of(one));
            lets_questions_be_answered(Some(one.definition.name), limits, ttl, attempts)?;
        }
        if host.guard.is_none() {
            needs_no_guard(&all)?;
        }
        all.iter().try_for_each(|one| holds_what_can_travel(one))?;
        let by_id = tools.keys().map(|name| (tool_id(name), *name)).collect();
        let (name, version, principal) = (self.name, self.version, self.principal);
        let (dialects, strict_steps) = (self.dialects, self.strict_steps);
        let shared = Shared {
            signature: Arc::new(meta::signature(&name, &version).into()),
            name,
            version,
            tools,
            prompts,
            resources,
            by_id,
            host,
            principal,
            dialects,
            strict_steps,
        };
        Ok(Sagas { server: None, shared: Arc::new(shared) })
    }
}

fn by_name(all: Vec<Registered>) -> Result<BTreeMap<&'static str, Registered>, BuildError> {
    let mut by_name = BTreeMap::new();
    for one in all {
        let name = one.definition.name;
        mirror::of(&one.definition.input_schema)
            .map_err(|argument| BuildError::Header { tool: name, argument })?;
        if by_name.insert(name, one).is_some() {
            return Err(BuildError::SameName(name));
        }
    }
    Ok(by_name)
}

fn by_address(all: Vec<Registered>) -> Result<Vec<(Address, Registered)>, BuildError> {
    let mut by_address: Vec<(Address, Registered)> = Vec::new();
    for one in all {
        let Definition { name, kind, .. } = one.definition;
        let Kind::Resource(Place { uri, .. }) = kind else { continue };
        let address =
            Address::parse(uri).map_err(|error| BuildError::Address { uri, problem: error.to_string() })?;
        if by_address.iter().any(|(other, _)| *other == address) {
            return Err(BuildError::SameAddress(uri));
        }
        // A token is bound to the name.
        if by_address.iter().any(|(_, other)| other.definition.name == name) {
            return Err(BuildError::SameName(name));
        }
        by_address.push((address, one));
    }
    by_address.sort_by_key(|(address, _)| address.is_template());
    Ok(by_address)
}

fn apply(all: &mut [&mut Registered], policies: Vec<(String, Box<ChangePolicy>)>) -> Result<(), BuildError> {
    for (name, change) in policies {
        let found = all.iter_mut().find(|registered| registered.definition.name == name);
        change(&mut found.ok_or(BuildError::NoSuchTool(name))?.definition.policy);
    }
    Ok(())
}

fn lets_questions_be_answered(
    tool: Option<&'static str>,
    limits: Limits,
    ttl: u32,
    attempts: u8,
) -> Result<(), BuildError> {
    let settings = [
        ("ttl", ttl == 0),
        ("max_age", limits.max_age == 0),
        ("max_rounds", limits.max_rounds == 0),
        ("max_state", limits.max_state == 0),
        ("attempts", attempts == 0),
    ];
    match settings.into_iter().find(|(_, is_zero)| *is_zero) {
        Some((setting, _)) => Err(BuildError::Zero { setting, tool }),
        None => Ok(()),
    }
}

/// Every site's held locals are of types that are read as they are written. (What a tool holds whose context is the
/// server that will serve it is looked at when it is first called.)
fn holds_what_can_travel(one: &Registered) -> Result<(), BuildError> {
    one.misread(None).map_or(Ok(()), |Misread { site, problem }| {
        Err(BuildError::Unsealable { tool: one.definition.name, site, problem: problem.clone() })
    })
}

fn needs_no_guard(all: &[&mut Registered]) -> Result<(), BuildError> {
    let is_once = |tool: &&&mut Registered| tool.definition.policy.replay == Some(Replay::Once);
    all.iter().find(is_once).map_or(Ok(()), |tool| Err(BuildError::NoGuard(tool.definition.name)))
}

impl Parts {
    fn sealer(&self) -> Result<Sealer, BuildError> {
        if let Some(codec) = &self.codec {
            if self.keys.is_some() {
                return Err(BuildError::KeysBesideCodec);
            }
            return Sealer::with_codec(&self.name, Arc::clone(codec)).map_err(BuildError::Sealer);
        }
        let keys = match &self.keys {
            Some(keys) => keys.clone(),
            None => KeyRing::ephemeral().map_err(BuildError::Keys)?,
        };
        if keys.is_ephemeral() {
            tracing::warn!(
                "no keys were given, so one was made that dies with this process: tokens do not survive a restart \
                 and no other instance opens them; for that set SAGA_KEYS to keys of `keygen`, or give the builder \
                 `.keys(..)` where the server has not Saga's command line"
            );
        }
        keys.check_cutoff(self.clock.now()).map_err(BuildError::Sealer)?;
        Sealer::with_entropy(&self.name, keys, &*self.entropy).map_err(BuildError::Sealer)
    }
}
