//! The commands that every server binary gets: serve the tools, play one in the terminal, draw it.
//!
//! ```no_run
//! use std::process::ExitCode;
//! use saga_runtime::{Sagas, cli};
//!
//! fn main() -> ExitCode {
//!     cli::run(Sagas::builder("fleet", "1.0"))
//! }
//! ```
//!
//! ```text
//! play [TOOL]      run a tool here: its questions are asked in the terminal
//! serve            serve the tools over HTTP; `--dialect mrtr,saga,..` chooses the protocols
//! stdio            serve the tools on standard input and output
//! graph [TOOL]     draw a tool's flow: Mermaid, DOT, or JSON
//! schema           print the tools, prompts and resources as clients see them
//! keygen           print a new key
//! keys check       say what each key is used for
//! keys rotate      take the next step of a rotation
//! keys revoke ID   refuse the tokens of a stolen key
//! ```
//!
//! The environment has the rest: `SAGA_KEYS` the keys that seal the tokens (they go before those that the builder
//! was given), or `SAGA_KEYS_FILE` a file of them, which a server reads again when it changes and on `SIGHUP`;
//! a server whose tokens a codec seals has neither and does not start with them;
//! `RUST_LOG` what the log on standard error shows (`info`, `saga_runtime=debug,warn`).
//!
//! The exit status is 0 when all went well, 1 when it did not (a tool's own failure in `play` counts), 2 when the
//! command line is wrong, and 130 when the person interrupted it.

mod failure;
mod keys;
mod log;
mod play;
mod transition;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use serde::Serialize;

use self::failure::Failure;
use self::keys::Source;
use crate::dialect::Dialect;
use crate::host::Registered;
use crate::sagas::{Builder, Sagas};
use crate::serve;
use crate::serve::http::HttpService;
use crate::token::KeyRing;

/// The environment variable of the keys.
const KEYS: &str = "SAGA_KEYS";
/// The environment variable of the file of keys.
const KEYS_FILE: &str = "SAGA_KEYS_FILE";

/// Runs the command that the process was started with.
///
/// A tool to be played in a pipe needs answers: give them with [`Cli::example`].
#[must_use]
pub fn run<C: Send + Sync + 'static>(server: Builder<C>) -> ExitCode {
    Cli::new(server).run()
}

/// The command line of a server.
#[derive(Debug)]
pub struct Cli<C> {
    server: Builder<C>,
    examples: BTreeMap<String, play::Example>,
}

impl<C: Send + Sync + 'static> Cli<C> {
    /// The command line of the server that this builder makes.
    #[must_use]
    pub const fn new(server: Builder<C>) -> Self {
        Self { server, examples: BTreeMap::new() }
    }

    /// Gives `play` an example of a tool: its arguments and the answers, for where there is no terminal.
    ///
    /// Both are JSON. The answers have the form of `play --answers FILE.json`: an object of answers by key. The
    /// answer `ok#2` is for the second time that `ok` is asked, and `ok` for all times that have no answer of
    /// their own. An answer is, for
    ///
    /// - a form: its content, `{"yes": true}`; or `"decline"` or `"cancel"`;
    /// - a prompt: what the model says, `"Yes, it is safe"`;
    /// - a page to visit: `"accept"`, `"decline"` or `"cancel"`;
    /// - the roots: a list of addresses, `["file:///home"]`;
    /// - any of these: the result as MCP has it, `{"action": "accept", "content": {"yes": true}}`, or an error,
    ///   `{"error": {"code": -1, "message": "no"}}`.
    #[must_use]
    pub fn example(
        mut self,
        tool: impl Into<String>,
        arguments: impl Into<String>,
        answers: impl Into<String>,
    ) -> Self {
        let example = play::Example { arguments: arguments.into(), answers: answers.into() };
        self.examples.insert(tool.into(), example);
        self
    }

    /// Runs the command that the process was started with, on a runtime of its own.
    #[must_use]
    pub fn run(self) -> ExitCode {
        let arguments = match Arguments::try_parse() {
            Ok(arguments) => arguments,
            Err(error) => return failure::of_clap(&error),
        };
        match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => failure::report(runtime.block_on(self.execute(arguments.command))),
            Err(error) => {
                failure::report(Err(Failure::Failed(format!("no runtime could be started: {error}"))))
            }
        }
    }

    /// Runs the command that the process was started with, on the runtime that this is awaited on.
    pub async fn run_async(self) -> ExitCode {
        match Arguments::try_parse() {
            Ok(arguments) => failure::report(self.execute(arguments.command).await),
            Err(error) => failure::of_clap(&error),
        }
    }

    async fn execute(self, command: Command) -> Result<(), Failure> {
        log::start(matches!(command, Command::Serve { .. } | Command::Stdio { .. }));
        let Self { server, examples } = self;
        match command {
            Command::Keygen => print(&new_key()?),
            Command::Keys { .. } if server.has_codec() => Err(Failure::Usage(
                "a codec seals this server's tokens and has its own keys; those of `keys` would have no use"
                    .to_owned(),
            )),
            Command::Keys { command } => {
                keys::execute(command, || Ok(build(server, no_keys()?)?.longest_ttl()))
            }
            Command::Serve { http, hosts, origins, dialects } => {
                let sagas = build_to_serve(dialects.set(server))?;
                let mut service = sagas.http_service();
                if !hosts.is_empty() {
                    service = service.hosts(hosts);
                }
                let service = origins.into_iter().fold(service, HttpService::allow_origin);
                let served = serve::http::serve(service, http).await;
                served.map_err(|error| Failure::of(format!("{http} cannot be served"), &error))
            }
            Command::Stdio { dialects } => {
                let sagas = build_to_serve(dialects.set(server))?;
                let served = sagas.serve_stdio().await;
                served.map_err(|error| Failure::of("standard input and output cannot be served", &error))
            }
            Command::Transition => {
                let lacks =
                    || Failure::Usage(format!("`transition` is for `play --fresh`, which hands it {KEYS}"));
                let keys = Source::of_environment()?.ok_or_else(lacks)?;
                transition::execute(&build(server, Some(keys.ring()?))?).await
            }
            Command::Play(options) => {
                have_a_use(Source::of_environment()?.as_ref(), &server)?;
                let keys = play::Keys::find()?;
                let sagas = build(server, Some(keys.ring()?))?;
                play::play(&sagas, options, &examples, &keys).await
            }
            Command::Schema => {
                let sagas = build(server, no_keys()?)?;
                let all = sagas.tools().chain(sagas.prompts()).chain(sagas.resources());
                print(&pretty(&all.map(|one| one.shown().fields()).collect::<Vec<_>>()))
            }
            Command::Graph { tool, format } => {
                let sagas = build(server, no_keys()?)?;
                let flow = drawn(&sagas, tool.as_deref())?.flow;
                print(&match format {
                    Format::Mermaid => flow.to_mermaid(),
                    Format::Dot => flow.to_dot(),
                    Format::Json => pretty(&flow.to_json()),
                })
            }
        }
    }
}

#[derive(Debug, Parser)]
#[command(about = "A server of tools that ask on the way", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a tool here: its questions are asked in the terminal
    Play(play::Options),
    /// Serve the tools over HTTP
    Serve {
        /// The address to listen on
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
        http: SocketAddr,
        /// A name that the server goes by, where a proxy passes the client's `Host` on; may be repeated
        #[arg(long = "host", value_name = "NAME")]
        hosts: Vec<String>,
        /// A page's origin that may send requests, like `https://app.example.com`; may be repeated
        #[arg(long = "origin", value_name = "ORIGIN")]
        origins: Vec<String>,
        #[command(flatten)]
        dialects: Spoken,
    },
    /// Serve the tools on standard input and output
    Stdio {
        #[command(flatten)]
        dialects: Spoken,
    },
    /// Draw the flow of a tool, a prompt or a resource: its questions, branches and loops, and what each question holds
    Graph {
        /// Its name; may be left out where there is one tool only
        tool: Option<String>,
        #[arg(long, value_enum, default_value_t = Format::Mermaid)]
        format: Format,
    },
    /// Print the tools, prompts and resources as clients see them, with their schemas
    Schema,
    /// Print a new key, for `SAGA_KEYS`
    Keygen,
    /// Check, rotate or revoke the keys
    Keys {
        #[command(subcommand)]
        command: keys::Command,
    },
    /// Do one transition: a request on standard input, the reply on standard output (for `play --fresh`)
    #[command(hide = true)]
    Transition,
}

#[derive(Debug, clap::Args)]
struct Spoken {
    /// The protocols to speak: mrtr, saga, push, streamless, resume-token, resumable [default: the server's own,
    /// which are mrtr,saga,push unless it says otherwise]
    #[arg(long = "dialect", value_name = "NAME,..", value_delimiter = ',')]
    names: Vec<Dialect>,
}

impl Spoken {
    fn set<C: Send + Sync + 'static>(self, server: Builder<C>) -> Builder<C> {
        if self.names.is_empty() { server } else { server.dialects(self.names) }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Mermaid,
    Dot,
    Json,
}

/// The server with these keys, if it has a use for them.
fn build<C: Send + Sync + 'static>(server: Builder<C>, keys: Option<KeyRing>) -> Result<Sagas, Failure> {
    let server = match keys.filter(|_| !server.has_codec()) {
        Some(keys) => server.keys(keys),
        None => server,
    };
    server.build().map_err(|error| Failure::of("the server could not be built", &error))
}

/// A server with the operator's keys, where there are any, and with an eye on their file.
fn build_to_serve<C: Send + Sync + 'static>(server: Builder<C>) -> Result<Sagas, Failure> {
    let source = Source::of_environment()?;
    have_a_use(source.as_ref(), &server)?;
    let sagas = build(server, source.as_ref().map(Source::ring).transpose()?)?;
    if let Some(Source::File(path)) = source {
        tokio::spawn(sagas.clone().watch_keys(path));
    }
    Ok(sagas)
}

/// An operator's keys are in use, or the server does not start: who revokes one must not trust in vain that its tokens
/// are refused.
fn have_a_use<C: Send + Sync + 'static>(keys: Option<&Source>, server: &Builder<C>) -> Result<(), Failure> {
    let Some(keys) = keys.filter(|_| server.has_codec()) else { return Ok(()) };
    let variable = keys.variable();
    Err(Failure::Usage(format!(
        "{variable} is set, and a codec seals this server's tokens, which has its own keys: those of {variable} would \
         have no use; unset it"
    )))
}

/// Keys for commands that seal nothing, so that they need not warn of it.
fn no_keys() -> Result<Option<KeyRing>, Failure> {
    KeyRing::parse(&new_key()?).map(Some).map_err(|error| Failure::of("no key could be made", &error))
}

fn new_key() -> Result<String, Failure> {
    KeyRing::generate_key().map_err(|error| Failure::of("no key could be made", &error))
}

/// What is drawn under this name: a tool, or else a prompt or a resource.
fn drawn<'a>(sagas: &'a Sagas, name: Option<&str>) -> Result<&'a Registered, Failure> {
    let mut others = sagas.prompts().chain(sagas.resources());
    match name.filter(|name| sagas.tool(name).is_none()) {
        Some(name) => {
            others.find(|one| one.definition.name == name).map_or_else(|| pick(sagas, Some(name)), Ok)
        }
        None => pick(sagas, name),
    }
}

/// The tool of this name, or the only one.
fn pick<'a>(sagas: &'a Sagas, name: Option<&str>) -> Result<&'a Registered, Failure> {
    let names =
        || sagas.tools().map(|tool| format!("`{}`", tool.definition.name)).collect::<Vec<_>>().join(", ");
    match (name, sagas.tools().count()) {
        (_, 0) => Err(Failure::Usage("the server has no tools".to_owned())),
        (Some(name), _) => {
            let unknown = || Failure::Usage(format!("no tool is called `{name}`; there is {}", names()));
            sagas.tool(name).ok_or_else(unknown)
        }
        (None, 1) => sagas.tools().next().ok_or_else(|| Failure::Usage("the server has no tools".to_owned())),
        (None, _) => Err(Failure::Usage(format!("which tool? there are {}", names()))),
    }
}

fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Prints a text and a line's end; a reader who has gone away has seen enough.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text.trim_end())?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuildError;
    use crate::clock::Entropy;
    use crate::token::{Codec, CodecError};

    /// Seals nothing.
    #[derive(Debug)]
    struct Vault;

    impl Codec for Vault {
        fn overhead(&self) -> usize {
            0
        }

        fn seal(&self, _: &[u8], _: &[u8], _: &dyn Entropy) -> Result<Vec<u8>, CodecError> {
            Err(CodecError::new())
        }

        fn open(&self, _: &[u8], _: &[u8]) -> Result<Vec<u8>, CodecError> {
            Err(CodecError::new())
        }
    }

    #[test]
    fn keys_that_have_no_use_are_refused() {
        let (bare, sealed) =
            (|| Sagas::builder("fleet", "1.0"), || Sagas::builder("fleet", "1.0").codec(Vault));
        for (source, variable) in
            [(Source::Variable, "SAGA_KEYS "), (Source::File("keys".into()), "SAGA_KEYS_FILE ")]
        {
            assert!(have_a_use(Some(&source), &bare()).is_ok());
            let refused = have_a_use(Some(&source), &sealed());
            assert!(matches!(refused, Err(Failure::Usage(text)) if text.starts_with(variable)));
        }
        assert!(have_a_use(None, &sealed()).is_ok());
        // Commands that seal nothing have a key all the same.
        assert!(build(sealed(), no_keys().unwrap()).unwrap().keys().is_none());
    }

    /// Whoever changes such keys would take it that they are in use.
    #[test]
    fn keys_beside_a_codec_are_refused() {
        let with_codec = || Sagas::builder("fleet", "1.0").codec(Vault);
        assert!(with_codec().build().is_ok());
        let keys = KeyRing::parse(&KeyRing::generate_key().unwrap()).unwrap();
        let error = with_codec().keys(keys).build().unwrap_err();
        assert!(matches!(error, BuildError::KeysBesideCodec), "{error}");
    }
}
