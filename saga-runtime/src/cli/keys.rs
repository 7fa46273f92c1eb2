//! `keys check`, `keys rotate`, `keys revoke`: what an operator does with the list of keys.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use zeroize::Zeroizing;

use super::failure::Failure;
use super::{KEYS, KEYS_FILE, print};
use crate::clock::{Clock, SystemClock};
use crate::token::rfc3339;
use crate::token::{CLOCKS_APART, KeyError, KeyId, KeyList, KeyRing, Rotated};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Say which keys there are and what each is used for; fails if the list is not good
    Check(From),
    /// Take the next step of a rotation: add a new key, let it mint, drop the old one
    Rotate {
        #[command(flatten)]
        from: From,
        /// Let the new key mint from this moment on (`2026-07-28T12:00:00Z`), without a step in between
        #[arg(long, value_name = "TIME", value_parser = moment)]
        at: Option<u64>,
    },
    /// Refuse the tokens of a key that was stolen; a new one takes its place
    Revoke {
        /// The key's id, as `keys check` prints it
        #[arg(value_parser = key_id)]
        id: KeyId,
        #[command(flatten)]
        from: From,
    },
}

#[derive(Debug, Args)]
pub(super) struct From {
    /// The file of keys; else that of `SAGA_KEYS_FILE`, else `SAGA_KEYS`
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
}

/// Where a list of keys is.
pub(super) enum Source {
    File(PathBuf),
    Variable,
}

impl Source {
    /// Where the environment says that the keys are.
    pub(super) fn of_environment() -> Result<Option<Self>, Failure> {
        match (std::env::var_os(KEYS_FILE), std::env::var_os(KEYS)) {
            (Some(_), Some(_)) => Err(Failure::Usage(format!(
                "{KEYS} and {KEYS_FILE} are both set; the keys are in one of them"
            ))),
            (Some(path), None) => Ok(Some(Self::File(path.into()))),
            (None, Some(_)) => Ok(Some(Self::Variable)),
            (None, None) => Ok(None),
        }
    }

    pub(super) fn list(&self) -> Result<KeyList, Failure> {
        match self {
            Self::File(path) => {
                KeyList::read(path).map_err(|error| Failure::of("there are no keys to use", &error))
            }
            Self::Variable => {
                let not_set = |_| KeyError::NotSet { variable: KEYS.to_owned() };
                let list = std::env::var(KEYS).map(Zeroizing::new).map_err(not_set);
                list.and_then(|list| KeyList::parse(&list)).map_err(|error| Failure::of(KEYS, &error))
            }
        }
    }

    pub(super) fn ring(&self) -> Result<KeyRing, Failure> {
        self.ring_of(&self.list()?)
    }

    fn ring_of(&self, list: &KeyList) -> Result<KeyRing, Failure> {
        list.ring().map_err(|error| Failure::of(self.name(), &error))
    }

    /// The environment variable that says so.
    pub(super) const fn variable(&self) -> &'static str {
        match self {
            Self::File(_) => KEYS_FILE,
            Self::Variable => KEYS,
        }
    }

    /// What the keys are in.
    fn name(&self) -> String {
        match self {
            Self::File(path) => format!("`{}`", path.display()),
            Self::Variable => KEYS.to_owned(),
        }
    }
}

impl From {
    fn source(self) -> Result<Source, Failure> {
        let missing = || Failure::Usage(format!("where are the keys? give `--file`, {KEYS_FILE} or {KEYS}"));
        match self.file {
            Some(path) => Ok(Source::File(path)),
            None => Source::of_environment()?.ok_or_else(missing),
        }
    }
}

/// Does what the command says; `ttl` says how many seconds a question waits at most, for which the server must be built.
pub(super) fn execute(command: Command, ttl: impl FnOnce() -> Result<u32, Failure>) -> Result<(), Failure> {
    let now = SystemClock.now();
    match command {
        Command::Check(from) => check(&from.source()?, now),
        Command::Rotate { from, at } => rotate(&from.source()?, now, u64::from(ttl()?) + CLOCKS_APART, at),
        Command::Revoke { id, from } => revoke(&from.source()?, id, now),
    }
}

fn check(source: &Source, now: u64) -> Result<(), Failure> {
    if let Source::File(path) = source {
        warn_of_readers(path);
    }
    let list = source.list()?;
    for line in list.summary(now).map_err(|error| Failure::of(source.name(), &error))? {
        print(&line)?;
    }
    source.ring_of(&list)?.check_cutoff(now).map_err(|error| Failure::of(source.name(), &error))
}

fn rotate(source: &Source, now: u64, grace: u64, at: Option<u64>) -> Result<(), Failure> {
    let mut list = source.list()?;
    let rotated = list.rotate(now, grace, at).map_err(|error| Failure::of("nothing was changed", &error))?;
    source.write(&list, now)?;
    say(&match rotated {
        Rotated::Added(id) => format!(
            "{id} is new: it opens tokens and does not mint yet. Roll this list out to every instance, then rotate \
             again."
        ),
        Rotated::Scheduled(id, from) => format!(
            "{id} is new, and mints from {} on. Roll this list out to every instance before that; rotate again {} \
             seconds after it.",
            rfc3339(from),
            grace
        ),
        Rotated::Promoted(id, until) => format!(
            "{id} mints, and the keys before it open tokens until {}. Roll this list out to every instance; rotate \
             again after that time.",
            rfc3339(until)
        ),
        Rotated::Dropped(count) => {
            format!("{count} old keys are gone. Roll this list out to every instance; the rotation is over.")
        }
    })
}

fn revoke(source: &Source, id: KeyId, now: u64) -> Result<(), Failure> {
    let mut list = source.list()?;
    let new = list.revoke(id, now).map_err(|error| Failure::of("nothing was changed", &error))?;
    source.write(&list, now)?;
    let minting = new.map(|new| format!(" {new} mints in its place.")).unwrap_or_default();
    say(&format!(
        "{id} is revoked.{minting} Roll this list out to every instance now; the sagas under way start over."
    ))
}

impl Source {
    /// The new list goes where the old one was; a variable is somebody else's to set. One that no server takes goes
    /// nowhere: they would go on with the keys that they have.
    fn write(&self, list: &KeyList, now: u64) -> Result<(), Failure> {
        let unchanged = |error: &dyn std::fmt::Display| Failure::of("nothing was changed", error);
        let ring = list.ring().map_err(|error| unchanged(&error))?;
        ring.check_cutoff(now).map_err(|error| unchanged(&error))?;
        match self {
            Self::Variable => print(&list.to_line()),
            Self::File(path) => replace(path, &list.to_text())
                .map_err(|error| Failure::of(format!("{} could not be written", path.display()), &error)),
        }
    }
}

/// Puts a file in the place of another, whole or not at all.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link to the file.
    let path = fs::canonicalize(path)?;
    let mut new = path.clone().into_os_string();
    new.push(".new");
    let new = PathBuf::from(new);
    let replaced = write_like(&fs::metadata(&path)?, &new, text).and_then(|()| fs::rename(&new, &path));
    if replaced.is_err() {
        // It has keys in it. What is reported is why it is there.
        let _ = fs::remove_file(&new);
    }
    replaced
}

/// Writes a new file that whoever may read the old one may read.
fn write_like(old: &fs::Metadata, path: &Path, text: &str) -> io::Result<()> {
    let mut file = create_private(path)?;
    keep_owner(old, &file)?;
    file.set_permissions(old.permissions())?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}

/// A new file, also where one was left behind. A link is not followed: root writes where others may put links.
fn create_private(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Root, too, writes the file for the account that the server runs under.
#[cfg(unix)]
fn keep_owner(old: &fs::Metadata, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let (owner, group) = (old.uid(), old.gid());
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (owner, group) {
        return Ok(());
    }
    fchown(file, Some(owner), Some(group)).map_err(|error| {
        let what = format!(
            "its owner and group ({owner}:{group}) cannot be kept, and the server might not read it any more \
             ({error}); nothing was changed; run this as its owner, or as root"
        );
        io::Error::new(error.kind(), what)
    })
}

#[cfg(not(unix))]
fn keep_owner(_: &fs::Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn warn_of_readers(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let is_open = fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o007 != 0);
    if is_open {
        // The check goes on: some machines mount secrets this way, where nobody else lives.
        let _ = say(&format!(
            "{} can be read by everybody on this machine; take that away with `chmod o=`",
            path.display()
        ));
    }
}

#[cfg(not(unix))]
fn warn_of_readers(_: &Path) {}

/// To the operator; standard output may hold keys, and is for the machine.
fn say(text: &str) -> Result<(), Failure> {
    Ok(writeln!(io::stderr(), "{text}")?)
}

fn moment(text: &str) -> Result<u64, String> {
    let time =
        humantime::parse_rfc3339(text).map_err(|error| format!("{error}; write `2026-07-28T12:00:00Z`"))?;
    let since = time.duration_since(std::time::UNIX_EPOCH).map_err(|_| "before 1970".to_owned())?;
    if since.as_secs() <= SystemClock.now() {
        return Err("the moment is past".to_owned());
    }
    Ok(since.as_secs())
}

fn key_id(text: &str) -> Result<KeyId, String> {
    let id = u32::from_str_radix(text, 16).ok().filter(|_| text.len() == 8);
    id.map(|id| KeyId(id.to_be_bytes())).ok_or_else(|| "an id is eight hexadecimal digits".to_owned())
}
