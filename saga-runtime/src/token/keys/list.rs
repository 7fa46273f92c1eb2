//! The text of a list of keys, as an operator keeps it in a variable or a file, and its rotation.

use std::cmp::Reverse;
use std::fs::File;
use std::io::Read;
use std::mem::take;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use zeroize::Zeroizing;

use super::key::{Key, KeyId};
use super::remarks::{self, Lines, Remarks};
use super::{KeyRing, KeyState, MOST_KEYS, Ringed, Turn};
use crate::clock::SystemEntropy;
use crate::token::error::KeyError;

/// A list of keys as text, with its remarks; it holds secrets, and has no `Debug`.
#[derive(Clone, Default)]
pub struct KeyList {
    entries: Vec<Entry>,
    not_before: u64,
    of_not_before: Remarks,
    /// What stands above the first key, whichever that is.
    head: Lines,
    /// What stands below the last.
    foot: Lines,
}

/// What the list says of a key; `Plain` has no word after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    Pending,
    ActivateAt(u64),
    Until(u64),
    Revoked,
}

#[derive(Clone)]
struct Entry {
    key: Key,
    word: Word,
    remarks: Remarks,
}

/// What [`KeyList::rotate`] did, and what the operator does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rotated {
    /// A new key opens tokens and does not mint yet: roll the list out everywhere, then rotate again.
    Added(KeyId),
    /// A new key will mint from this moment (unix seconds) on: roll the list out everywhere before it.
    Scheduled(KeyId, u64),
    /// The new key mints, the old ones open until this moment (unix seconds): roll the list out everywhere, wait,
    /// then rotate again.
    Promoted(KeyId, u64),
    /// So many old keys are gone: roll the list out, and the rotation is over.
    Dropped(usize),
}

/// What some editors begin a file with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file of keys is small; what is larger is another file.
const LARGEST_FILE: u64 = 64 * 1024;

impl KeyList {
    /// Reads a list; [`KeyRing::parse`] has its form.
    ///
    /// # Errors
    ///
    /// When an item is not what a list has.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut list = Self::default();
        let (mut position, mut above) = (0, Lines::new());
        for line in text.lines() {
            let (line_of_keys, beside) = remarks::split(line);
            // A comma at the end of a line separates as the end of the line does.
            let keys = line_of_keys.trim();
            let keys = if text.contains('\n') { keys.strip_suffix(',').unwrap_or(keys) } else { keys };
            if keys.is_empty() && line_of_keys.trim().is_empty() {
                above.extend(beside);
                continue;
            }
            if position == 0 {
                list.head = take(&mut above);
            }
            let mut remarks = Remarks { above: take(&mut above), beside };
            for item in keys.split(',') {
                position += 1;
                list.item(item, position, take(&mut remarks))?;
            }
        }
        if list.entries.is_empty() {
            return Err(KeyError::Empty);
        }
        list.foot = above;
        Ok(list)
    }

    fn item(&mut self, item: &str, position: usize, remarks: Remarks) -> Result<(), KeyError> {
        let mut words = item.split_whitespace();
        let first = words.next().unwrap_or_default();
        if let Some(moment) = first.strip_prefix("not_before=") {
            self.not_before = time(moment, position)?;
            self.of_not_before = remarks;
            return words.next().map_or(Ok(()), |_| Err(KeyError::Word { position }));
        }
        let key = Key::parse(first, position)?;
        let word = words.next().map_or(Ok(Word::Plain), |word| Word::parse(word, position))?;
        if words.next().is_some() {
            return Err(KeyError::Word { position });
        }
        if self.entries.len() == MOST_KEYS {
            return Err(KeyError::TooMany);
        }
        self.entries.push(Entry { key, word, remarks });
        Ok(())
    }

    /// Reads the list in a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, and for the reasons that [`KeyList::parse`] has.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let failed = |reason: String| KeyError::File { path: path.display().to_string(), reason };
        // All the room at once: a text that grows leaves copies of itself behind.
        let mut bytes =
            Zeroizing::new(Vec::with_capacity(usize::try_from(LARGEST_FILE).unwrap_or_default() + 1));
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(failed("it is too large for a list of keys".to_owned()));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| failed("it is no text".to_owned()))?;
        Self::parse(text).map_err(|error| failed(error.to_string()))
    }

    /// The ring that this list says.
    ///
    /// # Errors
    ///
    /// When a key is there twice, there are too many, or none mints.
    pub fn ring(&self) -> Result<KeyRing, KeyError> {
        let mut has_minting = false;
        let turn = |word| match word {
            Word::Plain if has_minting => Turn::Opens { until: u64::MAX },
            Word::Plain => {
                has_minting = true;
                Turn::Mints { from: 0 }
            }
            Word::Pending => Turn::Pending,
            Word::ActivateAt(from) => Turn::Mints { from },
            Word::Until(until) => Turn::Opens { until },
            Word::Revoked => Turn::Revoked,
        };
        let turns: Vec<Turn> = self.entries.iter().map(|entry| entry.word).map(turn).collect();
        let keys =
            self.entries.iter().zip(turns).map(|(entry, turn)| Ringed { key: entry.key.clone(), turn });
        KeyRing::of(keys.collect(), self.not_before)
    }

    /// The list as text, one key to a line, with its remarks: a secret.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut lines = self.head.clone();
        for Entry { key, word, remarks } in &self.entries {
            lines.extend(remarks.around(item(key, *word)));
        }
        if let Some(cutoff) = self.cutoff() {
            lines.extend(self.of_not_before.around(cutoff));
        }
        lines.extend(self.foot.iter().cloned());
        remarks::joined(&lines, "\n")
    }

    /// The list as text on one line, for a variable: a secret.
    #[must_use]
    pub fn to_line(&self) -> Zeroizing<String> {
        let mut items: Lines = self.entries.iter().map(|entry| item(&entry.key, entry.word)).collect();
        items.extend(self.cutoff());
        remarks::joined(&items, ",")
    }

    fn cutoff(&self) -> Option<Zeroizing<String>> {
        (self.not_before > 0).then(|| Zeroizing::new(format!("not_before={}", rfc3339(self.not_before))))
    }

    /// What each key is used for at `now` (unix seconds) and until when, and from when on tokens are good: a line for
    /// each, without a secret.
    ///
    /// # Errors
    ///
    /// Those of [`KeyList::ring`].
    pub fn summary(&self, now: u64) -> Result<Vec<String>, KeyError> {
        let ring = self.ring()?;
        let lines = ring.states(now).zip(&self.entries).map(|((id, state), entry)| {
            let use_of_it = match (state, entry.word) {
                (KeyState::Pending, Word::ActivateAt(from)) => {
                    format!("opens tokens, and mints from {} on", rfc3339(from))
                }
                (KeyState::Pending, _) => "opens tokens, and mints when the list says so".to_owned(),
                (KeyState::Active, _) => "mints and opens tokens".to_owned(),
                (KeyState::OpenOnly, Word::Until(until)) => format!("opens tokens until {}", rfc3339(until)),
                (KeyState::OpenOnly, _) => "opens tokens".to_owned(),
                (KeyState::Revoked, Word::Until(until)) => {
                    format!("opens none since {}", rfc3339(until))
                }
                (KeyState::Revoked, _) => "opens none: it is revoked".to_owned(),
            };
            format!("{id}  {use_of_it}")
        });
        let cutoff = (self.not_before > 0)
            .then(|| format!("          refused is what was minted before {}", rfc3339(self.not_before)));
        Ok(lines.chain(cutoff).collect())
    }

    /// Takes the next of a rotation's three steps: adds a key that opens only; makes it mint, and the old one open for
    /// `grace` more seconds (the longest time to live of a question, and a minute for clocks); drops the old one.
    ///
    /// With `activate_at` the new key mints from that moment on, without a second step.
    ///
    /// # Errors
    ///
    /// While the old key may still be needed, and when no key could be made.
    pub fn rotate(&mut self, now: u64, grace: u64, activate_at: Option<u64>) -> Result<Rotated, KeyError> {
        self.settle(now, grace);
        if let Some(next) = self.position(|word| word == Word::Pending) {
            return Ok(self.promote(next, now.saturating_add(grace)));
        }
        if let Some(until) = self.entries.iter().find_map(|entry| entry.word.later_than(now)) {
            return Err(KeyError::TooEarly { until });
        }
        let count = self.entries.len();
        self.entries.retain(|entry| !matches!(entry.word, Word::Until(_) | Word::Revoked));
        if self.entries.len() < count {
            return Ok(Rotated::Dropped(count - self.entries.len()));
        }
        if let Some(next) = self.entries.iter().skip(1).position(|entry| entry.word == Word::Plain) {
            // `new,old`, written by hand: nobody knows since when.
            let until = now.saturating_add(grace);
            self.entries[next + 1].word = Word::Until(until);
            return Ok(Rotated::Promoted(self.entries[0].key.id(), until));
        }
        if self.entries.len() == MOST_KEYS {
            return Err(KeyError::TooMany);
        }
        let key = Key::generate(&SystemEntropy)?;
        let id = key.id();
        let word = activate_at.map_or(Word::Pending, Word::ActivateAt);
        self.entries.push(Entry { key, word, remarks: Remarks::default() });
        Ok(activate_at.map_or(Rotated::Added(id), |from| Rotated::Scheduled(id, from)))
    }

    /// A key whose `activate_at` is past mints: it goes to the front, where it needs no word.
    fn settle(&mut self, now: u64, grace: u64) {
        // Of several at the same moment the first, as in a ring.
        let due = |(at, entry): (usize, &Entry)| Some((entry.word.due(now)?, Reverse(at)));
        let latest = self.entries.iter().enumerate().filter_map(due).max();
        if let Some((from, Reverse(at))) = latest {
            self.unschedule(now);
            self.promote(at, from.saturating_add(grace));
        }
    }

    /// The keys whose `activate_at` is past lose that word, by which they would mint before one without a word.
    fn unschedule(&mut self, now: u64) {
        for entry in &mut self.entries {
            if entry.word.due(now).is_some() {
                entry.word = Word::Plain;
            }
        }
    }

    /// Makes the key at `next` mint, and those that minted open until `until`.
    fn promote(&mut self, next: usize, until: u64) -> Rotated {
        let mut new = self.entries.remove(next);
        new.word = Word::Plain;
        for entry in &mut self.entries {
            if matches!(entry.word, Word::Plain) {
                entry.word = Word::Until(until);
            }
        }
        let id = new.key.id();
        self.entries.insert(0, new);
        Rotated::Promoted(id, until)
    }

    /// Revokes the key `id`: its tokens are refused as soon as the list is in use. If it mints at `now` (unix seconds),
    /// another key takes its place at once, whose id this gives: a pending one, or else a new one. In a full list one
    /// that opens no tokens makes room for it.
    ///
    /// # Errors
    ///
    /// When the list has no such key, or no key could be made.
    pub fn revoke(&mut self, id: KeyId, now: u64) -> Result<Option<KeyId>, KeyError> {
        let found =
            self.entries.iter().position(|entry| entry.key.id() == id).ok_or(KeyError::Unknown(id))?;
        let minting = self.minting(now).filter(|minting| *minting != found);
        self.entries[found].word = Word::Revoked;
        let next = match minting {
            Some(_) if self.position(|word| word == Word::Plain).is_some() => return Ok(None),
            // It mints by the clock, which needs a key without a word beside it.
            Some(minting) => self.entries.remove(minting),
            None => self.successor(id, now)?,
        };
        let new = next.key.id();
        self.unschedule(now);
        self.entries.insert(0, Entry { word: Word::Plain, ..next });
        Ok(minting.is_none().then_some(new))
    }

    /// The key that mints at `now`; none in a list that no server takes.
    fn minting(&self, now: u64) -> Option<usize> {
        let minting = self.ring().ok()?.minting(now).id();
        self.entries.iter().position(|entry| entry.key.id() == minting)
    }

    /// The key that takes the place of the key `id`, which is revoked, and room for it.
    fn successor(&mut self, id: KeyId, now: u64) -> Result<Entry, KeyError> {
        // One that every instance has already.
        if let Some(pending) = self.position(|word| word == Word::Pending) {
            return Ok(self.entries.remove(pending));
        }
        let key = Key::generate(&SystemEntropy)?;
        if self.entries.len() == MOST_KEYS {
            // The revoked key stays if it can: then the log says why its tokens are refused.
            let others = |entry: &Entry| entry.key.id() != id && entry.word.opens_none(now);
            let spent = self.entries.iter().position(others);
            if let Some(spent) = spent.or_else(|| self.position(|word| word == Word::Revoked)) {
                self.entries.remove(spent);
            }
        }
        Ok(Entry { key, word: Word::Plain, remarks: Remarks::default() })
    }

    fn position(&self, is_it: impl Fn(Word) -> bool) -> Option<usize> {
        self.entries.iter().position(|entry| is_it(entry.word))
    }
}

/// A key and its word, as a list has them.
fn item(key: &Key, word: Word) -> Zeroizing<String> {
    let (key, word) = (Zeroizing::new(key.to_text()), Zeroizing::new(word.to_text()));
    remarks::joined(&[key, word], "")
}

impl Word {
    fn parse(word: &str, position: usize) -> Result<Self, KeyError> {
        match word.split_once('=') {
            None if word == "pending" => Ok(Self::Pending),
            None if word == "revoked" => Ok(Self::Revoked),
            Some(("activate_at", moment)) => Ok(Self::ActivateAt(time(moment, position)?)),
            Some(("until", moment)) => Ok(Self::Until(time(moment, position)?)),
            None | Some(_) => Err(KeyError::Word { position }),
        }
    }

    fn to_text(self) -> String {
        match self {
            Self::Plain => String::new(),
            Self::Pending => " pending".to_owned(),
            Self::ActivateAt(from) => format!(" activate_at={}", rfc3339(from)),
            Self::Until(until) => format!(" until={}", rfc3339(until)),
            Self::Revoked => " revoked".to_owned(),
        }
    }

    /// Since when it mints by the clock.
    fn due(self, now: u64) -> Option<u64> {
        match self {
            Self::ActivateAt(from) => (from <= now).then_some(from),
            Self::Plain | Self::Pending | Self::Until(_) | Self::Revoked => None,
        }
    }

    fn opens_none(self, now: u64) -> bool {
        match self {
            Self::Until(until) => until <= now,
            Self::Revoked => true,
            Self::Plain | Self::Pending | Self::ActivateAt(_) => false,
        }
    }

    /// The moment that it waits for, if that is still to come.
    fn later_than(self, now: u64) -> Option<u64> {
        match self {
            Self::Until(moment) | Self::ActivateAt(moment) => (moment > now).then_some(moment),
            Self::Plain | Self::Pending | Self::Revoked => None,
        }
    }
}

/// A moment as RFC 3339 writes it, in unix seconds; 0 would be no moment at all.
fn time(text: &str, position: usize) -> Result<u64, KeyError> {
    let parsed = humantime::parse_rfc3339(text).ok();
    let seconds = parsed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map(|since| since.as_secs());
    seconds.filter(|seconds| *seconds > 0).ok_or(KeyError::Time { position })
}

/// Unix seconds as RFC 3339 writes them.
pub(crate) fn rfc3339(seconds: u64) -> String {
    // The last second that the format has: 9999-12-31T23:59:59Z.
    let time: SystemTime = UNIX_EPOCH + Duration::from_secs(seconds.min(253_402_300_799));
    humantime::format_rfc3339_seconds(time).to_string()
}
