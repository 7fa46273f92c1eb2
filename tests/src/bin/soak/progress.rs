//! What was run so far, kept in a file so that a run can be stopped and gone on with.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use super::Failure;
use super::verdict::Verdict;

/// What became of each program.
pub(crate) struct Progress {
    file: File,
    known: BTreeMap<u64, String>,
}

impl Progress {
    /// Reads what is known.
    pub(crate) fn open(path: &Path, fresh: bool) -> Result<Self, Failure> {
        if fresh && path.exists() {
            fs::remove_file(path)?;
        }
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        let known = lines.filter_map(|(index, rest)| Some((index.parse().ok()?, rest.to_owned())));
        let known = known.collect();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file, known })
    }

    pub(crate) fn knows(&self, index: u64) -> bool {
        self.known.contains_key(&index)
    }

    /// Whether a program was held to the law.
    pub(crate) fn was_held(&self, index: u64) -> bool {
        self.known
            .get(&index)
            .is_some_and(|known| known.starts_with("passed") || known.starts_with("differs"))
    }

    pub(crate) fn add(&mut self, index: u64, verdict: &Verdict) -> Result<(), Failure> {
        let text = match verdict {
            Verdict::Passed(suspensions) => format!("passed {suspensions}"),
            other => other.kind(),
        };
        writeln!(self.file, "{index} {text}")?;
        self.known.insert(index, text);
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    fn count(&self, what: &str) -> usize {
        self.known.values().filter(|known| known.starts_with(what)).count()
    }

    pub(crate) fn failed(&self) -> bool {
        self.count("differs") + self.count("rejected") > 0
    }

    /// How often each refusal was met.
    pub(crate) fn refusals(&self) -> BTreeMap<&str, usize> {
        let mut refusals = BTreeMap::new();
        for reason in self.known.values().filter_map(|known| known.strip_prefix("refused ")) {
            *refusals.entry(reason).or_default() += 1;
        }
        refusals
    }

    pub(crate) fn summary(&self) -> String {
        let [passed, differs, refused, rejected, ill] =
            ["passed", "differs", "refused", "rejected", "ill-formed"].map(|what| self.count(what));
        format!(
            "{passed} keep the law, {differs} differ, {refused} refused by name, {rejected} rejected by rustc, \
             {ill} not well-formed"
        )
    }

    pub(crate) fn last_line(&self) -> String {
        let held = self.count("passed") + self.count("differs");
        let suspensions = self.known.values().filter_map(|known| known.strip_prefix("passed "));
        let suspensions = suspensions.filter_map(|count| count.parse::<usize>().ok()).sum::<usize>();
        format!("{held} programs, {suspensions} suspensions, {} differ", self.count("differs"))
    }
}
