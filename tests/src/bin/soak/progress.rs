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
    /// Reads what is known, if it is of the same compiler.
    pub(crate) fn open(path: &Path, fingerprint: u64, fresh: bool) -> Result<Self, Failure> {
        let text = if path.exists() && !fresh { fs::read_to_string(path)? } else { String::new() };
        let head = format!("compiler {fingerprint:016x}");
        let mut lines = text.lines();
        if lines.next() != Some(&head) {
            fs::write(path, format!("{head}\n"))?;
            lines = "".lines();
        }
        let known = lines.filter_map(|line| line.split_once(' '));
        let known = known.filter_map(|(index, rest)| Some((index.parse().ok()?, rest.to_owned()))).collect();
        let file = OpenOptions::new().append(true).open(path)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_known_of_one_compiler() {
        let path = std::env::temp_dir().join(format!("saga-progress-{}.txt", std::process::id()));
        let open = |fingerprint, fresh| Progress::open(&path, fingerprint, fresh).expect("a file");
        open(1, true).add(7, &Verdict::Passed(3)).expect("a line");
        assert!(open(1, false).knows(7), "it goes on");
        assert!(!open(1, true).knows(7), "it begins anew when it is told to");
        open(1, false).add(7, &Verdict::Passed(3)).expect("a line");
        assert!(!open(2, false).knows(7), "of another compiler nothing is known");
        fs::remove_file(path).expect("it is there");
    }
}
