//! How a command fails: a sentence on standard error and an exit status, never a panic.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line, or a file that it names, is wrong.
    Usage(String),
    /// It could not be done.
    Failed(String),
    /// It was done and ended badly; the person has seen how.
    Shown,
    /// The person stopped it.
    Interrupted,
    /// Whoever read the output has gone away.
    Unread,
}

impl Failure {
    /// A failure with the error that it comes from.
    pub(super) fn of(what: impl Display, error: &dyn Display) -> Self {
        Self::Failed(format!("{what}: {error}"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::of("could not write the output", &error),
        }
    }
}

/// Says what failed and gives the exit status.
pub(super) fn report(result: Result<(), Failure>) -> ExitCode {
    let (status, text) = match result {
        Ok(()) | Err(Failure::Unread) => (0, None),
        Err(Failure::Shown) => (1, None),
        Err(Failure::Failed(text)) => (1, Some(text)),
        Err(Failure::Usage(text)) => (2, Some(text)),
        Err(Failure::Interrupted) => (130, Some("interrupted".to_owned())),
    };
    if let Some(text) = text {
        // Where standard error is closed, too, the status must do.
        let _ = io::Write::write_all(&mut io::stderr(), format!("error: {text}\n").as_bytes());
    }
    ExitCode::from(status)
}

/// What clap has to say: an error of usage, or the help that was asked for.
pub(super) fn of_clap(error: &clap::Error) -> ExitCode {
    // As above.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
