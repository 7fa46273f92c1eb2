//! The dialects by name, and which of them a server speaks.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A protocol that sagas are spoken in. A server speaks the first three unless it is told otherwise
/// ([`Builder::dialects`](crate::Builder::dialects), `--dialect` on the command line).
///
/// ```
/// use saga_runtime::Dialect;
/// assert_eq!("resume-token".parse(), Ok(Dialect::ResumeToken));
/// assert_eq!(Dialect::Mrtr.name(), "mrtr");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `mrtr`: MCP 2026-07-28, multi round-trip requests.
    Mrtr,
    /// `saga`: the proposal SEP-1597, `tools/callSaga` and `tools/resumeSaga`.
    Saga,
    /// `push`: clients of MCP 2025-06-18 and 2025-11-25 that are asked by requests of the server's, on standard
    /// input and output.
    Push,
    /// `streamless`: the sketch of streamless round-trips, `dependent_requests` and `dependent_responses`. The one
    /// dialect with re-entry: for a client that sends no state back the tool runs again from its start, on the
    /// answers that the client sent.
    Streamless,
    /// `resume-token`: the proposal of PR #1003, `nextResumeToken` at each checkpoint. For clients that know it:
    /// others take the partial result for the whole.
    ResumeToken,
    /// `resumable`: the proposal SEP-975, requests that go on after the connection was lost, for clients of MCP
    /// 2025-06-18 and 2025-11-25 that declare it.
    Resumable,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Mrtr, Self::Saga, Self::Push, Self::Streamless, Self::ResumeToken, Self::Resumable];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mrtr => "mrtr",
            Self::Saga => "saga",
            Self::Push => "push",
            Self::Streamless => "streamless",
            Self::ResumeToken => "resume-token",
            Self::Resumable => "resumable",
        }
    }

    /// The name under which a server announces it among its extensions; none for those that MCP itself has.
    pub(super) const fn extension(self) -> Option<&'static str> {
        match self {
            Self::Mrtr | Self::Push => None,
            Self::Saga => Some(super::saga::NAME),
            Self::Streamless => Some("rs.saga/streamless"),
            Self::ResumeToken => Some("rs.saga/resume-tokens"),
            Self::Resumable => Some("rs.saga/resumable-requests"),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let known = Self::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// No dialect has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialect(String);

impl fmt::Display for UnknownDialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Dialect::ALL.map(Dialect::name).join(", ");
        write!(formatter, "no dialect is called `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownDialect {}

/// The dialects that a server speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dialects(BTreeSet<Dialect>);

impl Dialects {
    pub(crate) fn of(dialects: impl IntoIterator<Item = Dialect>) -> Self {
        Self(dialects.into_iter().collect())
    }

    pub(crate) fn has(&self, dialect: Dialect) -> bool {
        self.0.contains(&dialect)
    }

    /// Whether a client may ask for a session, in which it is asked.
    #[cfg(feature = "stdio")]
    pub(crate) fn have_sessions(&self) -> bool {
        self.has(Dialect::Push) || self.has(Dialect::Resumable)
    }

    /// Whether clients of revisions before 2026-07-28 are served: all dialects but one are theirs.
    pub(super) fn have_older(&self) -> bool {
        self.iter().any(|dialect| dialect != Dialect::Mrtr)
    }

    /// Whether calls that name no revision are served, one by one.
    pub(crate) fn have_plain_calls(&self) -> bool {
        self.has(Dialect::Streamless) || self.has(Dialect::ResumeToken)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Dialect> {
        self.0.iter().copied()
    }
}

impl Default for Dialects {
    fn default() -> Self {
        Self::of([Dialect::Mrtr, Dialect::Saga, Dialect::Push])
    }
}
