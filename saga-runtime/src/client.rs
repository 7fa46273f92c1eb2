//! What a client can do, of that which makes a difference to sagas.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::record::{Bare, Record, is_there};
use crate::step::StepKind;

/// What a client can do, as it declared on this request (`ClientCapabilities`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Client {
    elicitation: Record<Elicitation>,
    sampling: Record<Sampling>,
    roots: Record<Bare>,
    /// SEP-975: it takes requests up again.
    #[serde(rename = "resumableRequests")]
    resumes: Record<Bare>,
    extensions: Record<Extensions>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Elicitation {
    #[serde(deserialize_with = "is_there")]
    form: bool,
    #[serde(deserialize_with = "is_there")]
    url: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Sampling {
    #[serde(deserialize_with = "is_there")]
    tools: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Extensions {
    #[serde(rename = "rs.saga/sagas")]
    sagas: Record<Bare>,
}

impl Client {
    /// A client with these capabilities.
    #[must_use]
    pub fn new(capabilities: Map<String, Value>) -> Self {
        // Any object is read.
        Self::deserialize(Value::Object(capabilities)).unwrap_or_default()
    }

    /// A client that can do all that a tool may ask for.
    pub(crate) fn able() -> Self {
        Self::of(&StepKind::ALL)
    }

    /// A client that can do these.
    pub(crate) fn of(kinds: &[StepKind]) -> Self {
        let has = |kind| kinds.contains(&kind);
        let record = |is: bool| if is { Record::Is(Bare {}) } else { Record::Absent };
        let (form, url) = (has(StepKind::Elicit), has(StepKind::ElicitUrl));
        let (sample, tools) = (has(StepKind::Sample), has(StepKind::SampleTools));
        Self {
            elicitation: if form || url { Record::Is(Elicitation { form, url }) } else { Record::Absent },
            sampling: if sample || tools { Record::Is(Sampling { tools }) } else { Record::Absent },
            roots: record(has(StepKind::ListRoots)),
            ..Self::default()
        }
    }

    /// Whether the client declared what this kind of step needs (MCP 2026-07-28, client capabilities).
    #[must_use]
    pub fn supports(&self, kind: StepKind) -> bool {
        let (elicitation, sampling) = (self.elicitation.get(), self.sampling.get());
        match kind {
            // A bare `{}` means form mode.
            StepKind::Elicit => elicitation.is_some_and(|elicitation| elicitation.form || !elicitation.url),
            StepKind::ElicitUrl => elicitation.is_some_and(|elicitation| elicitation.url),
            StepKind::Sample => sampling.is_some(),
            StepKind::SampleTools => sampling.is_some_and(|sampling| sampling.tools),
            StepKind::ListRoots => self.roots.get().is_some(),
        }
    }
}

#[allow(dead_code, reason = "what dialects ask that features bring")]
impl Client {
    /// Before 2025-11-25 neither elicitation nor sampling had parts: whatever stands inside means nothing.
    #[must_use]
    pub(crate) fn without_parts(mut self) -> Self {
        if let Record::Is(elicitation) = &mut self.elicitation {
            *elicitation = Elicitation::default();
        }
        if let Record::Is(sampling) = &mut self.sampling {
            *sampling = Sampling::default();
        }
        self
    }

    /// The kinds of steps that it can be asked.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = StepKind> {
        StepKind::ALL.into_iter().filter(|kind| self.supports(*kind))
    }

    /// Whether it takes requests up again (SEP-975).
    pub(crate) const fn resumes(self) -> bool {
        self.resumes.get().is_some()
    }

    /// Whether it knows the extension of SEP-1597.
    pub(crate) fn knows_sagas(self) -> bool {
        self.extensions.get().is_some_and(|extensions| extensions.sagas.get().is_some())
    }
}
