//! The remarks of a list of keys, which stay when the list is written again. A key may stand in one.

use zeroize::Zeroizing;

pub(super) type Lines = Vec<Zeroizing<String>>;

/// What stands around a key: lines above it, and the rest of its own line.
#[derive(Clone, Default)]
pub(super) struct Remarks {
    pub(super) above: Lines,
    pub(super) beside: Option<Zeroizing<String>>,
}

impl Remarks {
    /// The lines of a key with its remarks.
    pub(super) fn around(&self, key: Zeroizing<String>) -> Lines {
        let mut lines = self.above.clone();
        lines.push(match &self.beside {
            Some(beside) => joined(&[key, beside.clone()], "  "),
            None => key,
        });
        lines
    }
}

/// A line's keys, and the remark after them, with its `#`.
pub(super) fn split(line: &str) -> (&str, Option<Zeroizing<String>>) {
    match line.split_once('#') {
        Some((keys, remark)) => (keys, Some(Zeroizing::new(format!("#{}", remark.trim_end())))),
        None => (line, None),
    }
}

/// The parts as one text, with all its room at once: a text that grows leaves copies of itself behind.
pub(super) fn joined(parts: &[Zeroizing<String>], separator: &str) -> Zeroizing<String> {
    let length = parts.iter().map(|part| part.len() + separator.len()).sum();
    let mut text = Zeroizing::new(String::with_capacity(length));
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(part);
    }
    text
}
