//! What becomes of a random program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use saga_tests::random::Program;

use super::Failure;
use super::compile::{Compiler, Emit, Error};

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// rustc does not accept the plain function: the generator's mistake.
    IllFormed(Error),
    /// Saga refuses it by name.
    Refused(String),
    /// rustc refuses what Saga made of it: a bug.
    Rejected(Error),
    /// It keeps the law, with so many suspensions.
    Passed(usize),
    /// It breaks the law: a bug.
    Differs(String),
    /// It does not end: a bug.
    Hangs,
}

impl Verdict {
    pub(crate) const fn is_failure(&self) -> bool {
        matches!(self, Self::Rejected(_) | Self::Differs(_) | Self::Hangs)
    }

    /// What kind of failure it is: two of a kind may have the same cause.
    pub(crate) fn kind(&self) -> String {
        match self {
            Self::Passed(_) => "passed".to_owned(),
            Self::IllFormed(error) => format!("ill-formed {}", error.kind()),
            Self::Rejected(error) => format!("rejected {}", error.kind()),
            Self::Refused(reason) => format!("refused {reason}"),
            Self::Differs(_) => "differs".to_owned(),
            Self::Hangs => "differs: it hangs".to_owned(),
        }
    }
}

/// How far programs are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// To the compiler, which is all that a program needs that does not compile.
    Compiled,
    /// To the end.
    Ran,
}

/// How long a process may be silent. A tool takes milliseconds.
const PATIENCE: Duration = Duration::from_mins(1);

/// What becomes of each program.
pub(crate) fn judge(
    compiler: &Compiler,
    programs: &[Program],
    until: Until,
) -> Result<Vec<Verdict>, Failure> {
    let name = |index: usize| format!("p{index}");
    let mut verdicts = BTreeMap::new();
    let plain = compile_all(compiler, programs, &BTreeSet::new(), Program::plain_module, "", Emit::Check)?;
    verdicts.extend(plain.into_iter().map(|(index, error)| (index, Verdict::IllFormed(error))));
    let ill = verdicts.keys().copied().collect::<BTreeSet<_>>();
    let mut cases = String::new();
    for index in (0..programs.len()).filter(|index| !ill.contains(index)) {
        write!(cases, "(\"{0}\", {0}::check), ", name(index))?;
    }
    let emit = match until {
        Until::Compiled => Emit::Check,
        Until::Ran => Emit::Program,
    };
    for (index, error) in compile_all(compiler, programs, &ill, Program::module, &cases, emit)? {
        verdicts.insert(index, of_error(error));
    }
    if until == Until::Compiled {
        let accepted = (0..programs.len()).map(|index| (index, Verdict::Passed(0)));
        return Ok(accepted.chain(verdicts).collect::<BTreeMap<_, _>>().into_values().collect());
    }
    let mut left = (0..programs.len()).filter(|index| !verdicts.contains_key(index)).collect::<Vec<_>>();
    while !left.is_empty() {
        let (found, hangs) = run(compiler, &left.iter().map(|index| name(*index)).collect::<Vec<_>>())?;
        let at = |text: &str| text.strip_prefix('p').and_then(|index| index.parse::<usize>().ok());
        verdicts.extend(found.into_iter().filter_map(|(text, verdict)| Some((at(&text)?, verdict))));
        match hangs.as_deref().and_then(at) {
            Some(index) => drop(verdicts.insert(index, Verdict::Hangs)),
            None if left.iter().any(|index| !verdicts.contains_key(index)) => {
                return Err("the programs did not all run".into());
            }
            None => {}
        }
        left.retain(|index| !verdicts.contains_key(index));
    }
    Ok(verdicts.into_values().collect())
}

/// Compiles those of the programs that compile, and gives the first error of each of the others.
fn compile_all(
    compiler: &Compiler,
    programs: &[Program],
    without: &BTreeSet<usize>,
    module: fn(&Program) -> String,
    cases: &str,
    emit: Emit,
) -> Result<BTreeMap<usize, Error>, Failure> {
    let mut failed = BTreeMap::new();
    loop {
        let left =
            (0..programs.len()).filter(|index| !without.contains(index) && !failed.contains_key(index));
        let modules = left.map(|index| (format!("p{index}"), module(&programs[index]))).collect::<Vec<_>>();
        let present = |case: &&str| modules.iter().any(|(name, _)| case.contains(&format!("\"{name}\"")));
        let cases = cases.split_inclusive("), ").filter(present).collect::<String>();
        let main = format!("fn main() {{ saga_tests::batch::run(&[{cases}]); }}\n");
        let errors = compiler.compile(&modules, &main, emit)?;
        if errors.is_empty() {
            return Ok(failed);
        }
        for (name, mut errors) in errors {
            if let Some(index) = name.strip_prefix('p').and_then(|index| index.parse().ok()) {
                // What a macro says comes first: the rest may follow from it.
                errors.sort_by_key(|error| error.code.is_some());
                failed.insert(index, errors.swap_remove(0));
            }
        }
    }
}

fn of_error(error: Error) -> Verdict {
    let named = ["cannot travel in the saga token", "a stable order", "would run again after"];
    let refused = error.code.is_none() && error.message.contains(';')
        || named.iter().any(|message| error.message.contains(message));
    if refused { Verdict::Refused(nameless(&error.message)) } else { Verdict::Rejected(error) }
}

impl Error {
    fn kind(&self) -> String {
        format!("{} {}", self.code.as_deref().unwrap_or_default(), nameless(&self.message))
    }
}

/// A message without what stands in backticks.
fn nameless(message: &str) -> String {
    let parts = message.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 0 { part } else { "_" }).collect()
}

/// Runs programs, until one of them is silent for too long.
fn run(
    compiler: &Compiler,
    names: &[String],
) -> Result<(BTreeMap<String, Verdict>, Option<String>), Failure> {
    let mut process = Command::new(compiler.output(Emit::Program));
    let mut process = process.args(names).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let output = process.stdout.take().ok_or("a process without output")?;
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let (mut verdicts, mut begun) = (BTreeMap::new(), None);
    // Whose difference the lines tell that follow.
    let mut told = String::new();
    while let Ok(line) = lines.recv_timeout(PATIENCE) {
        let words = line.split(' ').collect::<Vec<_>>();
        match words[..] {
            ["begins", name] => begun = Some(name.to_owned()),
            ["passed", name, count] => {
                verdicts.insert(name.to_owned(), Verdict::Passed(count.parse()?));
                begun = None;
            }
            ["differs", name] => {
                verdicts.insert(name.to_owned(), Verdict::Differs(String::new()));
                name.clone_into(&mut told);
                begun = None;
            }
            _ => {
                if let Some(Verdict::Differs(text)) = verdicts.get_mut(&told) {
                    text.push_str(&line);
                    text.push('\n');
                }
            }
        }
    }
    process.kill()?;
    process.wait()?;
    Ok((verdicts, begun))
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed(Error { message, place, .. }) => {
                write!(formatter, "is not well-formed: {message} ({place})")
            }
            Self::Refused(reason) => write!(formatter, "is refused: {reason}"),
            Self::Rejected(Error { code, message, place }) => {
                let code = code.as_deref().unwrap_or("no code");
                write!(
                    formatter,
                    "does not compile, though its plain function does: {code} {message} ({place})"
                )
            }
            Self::Passed(suspensions) => write!(formatter, "keeps the law in {suspensions} suspensions"),
            Self::Differs(text) => write!(formatter, "breaks the law:\n{text}"),
            Self::Hangs => write!(formatter, "does not end"),
        }
    }
}
