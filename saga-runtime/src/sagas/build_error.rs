//! Why a server could not be built.

use std::fmt;

use crate::token::{KeyError, SealerError};

/// Why a server's sagas could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// Two tools, two prompts or two resources have this name.
    SameName(&'static str),
    /// A policy was given for a tool that is not there.
    NoSuchTool(String),
    /// The tool's tokens are good once, and nothing guards that.
    NoGuard(&'static str),
    /// A question holds a local that would be misread from the token.
    Unsealable {
        /// The tool.
        tool: &'static str,
        /// The question.
        site: &'static str,
        /// Which part of which local, why, and what to write.
        problem: String,
    },
    /// An argument is to be repeated in a header, and is no text, whole number or `bool`.
    Header {
        /// The tool.
        tool: &'static str,
        /// Its argument.
        argument: String,
    },
    /// Two resources have this address.
    SameAddress(&'static str),
    /// A resource's address cannot be read.
    Address {
        /// The address.
        uri: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A setting is 0, with which no question could ever be answered.
    Zero {
        /// The setting.
        setting: &'static str,
        /// The tool that has it; `None` is the server.
        tool: Option<&'static str>,
    },
    /// A codec seals, which has its own keys: the server's would have no use.
    KeysBesideCodec,
    /// The keys cannot be used.
    Keys(KeyError),
    /// The keys and the server's name do not make a sealer.
    Sealer(SealerError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameName(name) => {
                write!(formatter, "two are called `{name}`; give one another name with `name = \"..\"`")
            }
            Self::Unsealable { tool, site, problem } => {
                write!(formatter, "`{tool}` cannot wait at `{site}`: {problem}")
            }
            Self::Header { tool, argument } => write!(
                formatter,
                "`{argument}` of `{tool}` is no text, whole number or `bool`, so no header can repeat it"
            ),
            Self::SameAddress(uri) => write!(formatter, "two resources are at `{uri}`"),
            Self::Address { uri, problem } => {
                write!(formatter, "`{uri}` is no resource's address: {problem}")
            }
            Self::NoSuchTool(name) => {
                write!(formatter, "no tool is called `{name}`; its policy has nowhere to go")
            }
            Self::NoGuard(name) => write!(
                formatter,
                "`{name}` has `replay = \"once\"` and the server has no guard; give the builder `.guard(..)`"
            ),
            Self::Zero { setting, tool } => {
                let whose = tool.map_or_else(|| "the server".to_owned(), |tool| format!("`{tool}`"));
                write!(formatter, "`{setting}` of {whose} is 0, with which no question could be answered")
            }
            Self::KeysBesideCodec => formatter.write_str(
                "`.codec(..)` has its own keys, so those of `.keys(..)` would seal nothing; give the builder one of the two",
            ),
            Self::Keys(error) => error.fmt(formatter),
            Self::Sealer(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for BuildError {}
