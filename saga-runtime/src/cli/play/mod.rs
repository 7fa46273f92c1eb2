//! `play`: a client of one tool in the terminal.
//!
//! It does what any client does: it calls the tool, shows what is asked, and sends the token back with the
//! answers. Between two transitions it owns one `String`, the token, and with `--fresh` nothing else can be left:
//! every transition has a process of its own.

mod given;
mod show;
mod terminal;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use serde_json::{Map, Value};
use zeroize::Zeroizing;

use self::given::Given;
use super::failure::Failure;
use super::keys::Source;
use super::transition::{self, Ended, Question, Reply, Request, Sent};
use super::{KEYS, new_key, pick};
use crate::host::Registered;
use crate::sagas::Sagas;
use crate::token::KeyRing;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The tool; may be left out where there is one only
    tool: Option<String>,
    /// The tool's arguments
    #[arg(long, value_name = "JSON")]
    arguments: Option<String>,
    /// Run every transition in a process of its own, so that nothing but the token survives
    #[arg(long)]
    fresh: bool,
    /// Take the answers from a file: `{"key": answer, ..}`
    #[arg(long, value_name = "FILE.json")]
    answers: Option<PathBuf>,
}

/// What `play` plays without a terminal.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) arguments: String,
    pub(super) answers: String,
}

/// The keys of the tokens, as text, for the processes that this one starts.
pub(super) struct Keys(Zeroizing<String>);

impl Keys {
    /// The operator's keys, or a new one that is forgotten when the game is over.
    pub(super) fn find() -> Result<Self, Failure> {
        match Source::of_environment()? {
            Some(source) => Ok(Self(source.list()?.to_line())),
            None => Ok(Self(Zeroizing::new(new_key()?))),
        }
    }

    pub(super) fn ring(&self) -> Result<KeyRing, Failure> {
        KeyRing::parse(&self.0).map_err(|error| Failure::of(KEYS, &error))
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Keys(..)")
    }
}

/// Plays a tool to its end.
pub(super) async fn play(
    sagas: &Sagas,
    options: Options,
    examples: &BTreeMap<String, Example>,
    keys: &Keys,
) -> Result<(), Failure> {
    let tool = pick(sagas, options.tool.as_deref())?;
    let name = tool.definition.name;
    let mut player = Player::new(name, options.answers, examples.get(name))?;
    let arguments = match options.arguments {
        Some(text) => object(&text, "--arguments")?,
        None => player.arguments(tool, examples.get(name))?,
    };
    show::start(name, &arguments)?;
    let (mut token, mut answers) = (None, BTreeMap::new());
    for number in 1_u32.. {
        // The arguments are sent again, as the token has their digest only; from here on the token is gone, too.
        let request = Request { tool: name.to_owned(), arguments: arguments.clone(), token, answers };
        let (Reply { micros, ended }, process) = if options.fresh {
            let (reply, process) = transition::in_a_fresh_process(&request, &keys.0)?;
            (reply, Some(process))
        } else {
            (transition::here(sagas, request).await?, None)
        };
        let transition = show::Transition { number, micros, process };
        match ended {
            Ended::Suspended { token: sealed, site, held, questions } => {
                show::suspended(&transition, &sealed, &site, &held, &questions)?;
                answers = player.answers(&questions)?;
                token = Some(sealed);
            }
            Ended::Done(result) => {
                player.mention_unused();
                return show::done(&transition, &result);
            }
            Ended::Refused(reason) => return Err(Failure::Failed(reason)),
        }
    }
    Err(Failure::Failed("the tool never ends".to_owned()))
}

/// Who answers: a file or an example, a person, or a person where the file has no answer.
struct Player {
    given: Option<Given>,
    has_terminal: bool,
}

impl Player {
    fn new(tool: &str, file: Option<PathBuf>, example: Option<&Example>) -> Result<Self, Failure> {
        let has_terminal = io::stdin().is_terminal();
        let given = match (file, example) {
            (Some(file), _) => Some(Given::read(&file)?),
            (None, Some(example)) if !has_terminal => {
                Some(Given::parse(&example.answers, &format!("the example of `{tool}`"))?)
            }
            (None, _) => None,
        };
        Ok(Self { given, has_terminal })
    }

    /// The tool's arguments, where the command line has none.
    fn arguments(&self, tool: &Registered, example: Option<&Example>) -> Result<Map<String, Value>, Failure> {
        let name = tool.definition.name;
        let example = example.map(|example| object(&example.arguments, &format!("the example of `{name}`")));
        let example = example.transpose()?;
        let schema = &tool.definition.input_schema;
        if self.has_terminal && self.given.is_none() {
            return terminal::arguments(&tool.definition, example.unwrap_or_default());
        }
        match example {
            Some(example) => Ok(example),
            None if schema.get("required").is_none() => Ok(Map::new()),
            None => Err(Failure::Usage(format!("`{name}` has arguments; give them with `--arguments JSON`"))),
        }
    }

    fn answers(&mut self, questions: &[Question]) -> Result<BTreeMap<String, Sent>, Failure> {
        let mut answers = BTreeMap::new();
        for question in questions {
            show::question(question)?;
            answers.insert(question.key.clone(), self.answer(question)?);
        }
        Ok(answers)
    }

    fn answer(&mut self, question: &Question) -> Result<Sent, Failure> {
        // An answer that did not fit does not fit the second time either: a person, if there is one, knows better.
        let is_new = question.problems.is_empty() || !self.has_terminal;
        if let Some(given) = self.given.as_mut().filter(|_| is_new)
            && let Some(answer) = given.answer(question)?
        {
            show::answer(&answer)?;
            return Ok(answer);
        }
        if self.has_terminal {
            return terminal::ask(question);
        }
        let key = &question.key;
        Err(Failure::Usage(match &self.given {
            Some(given) => {
                format!("{} has no answer to `{key}`, and standard input is no terminal", given.origin())
            }
            None => format!(
                "nobody can answer `{key}`: standard input is no terminal; give answers with \
                 `--answers FILE.json`: {{\"{key}\": ..}}"
            ),
        }))
    }

    /// Answers that nobody asked for: most often a mistyped key.
    fn mention_unused(&self) {
        let unused = self.given.as_ref().map(Given::unused).unwrap_or_default();
        if !unused.is_empty() {
            tracing::info!("nothing asked for these answers: {}", unused.join(", "));
        }
    }
}

/// JSON that must be an object.
fn object(text: &str, origin: &str) -> Result<Map<String, Value>, Failure> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Failure::Usage(format!("{origin}: an object is expected, `{{\"name\": value, ..}}`"))),
        Err(error) => Err(Failure::Usage(format!("{origin}: this is not JSON: {error}"))),
    }
}
