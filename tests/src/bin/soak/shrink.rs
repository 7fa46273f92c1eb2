//! Makes a program that fails smaller, for as long as it fails in the same way.

use saga_tests::random::Program;

use super::Failure;
use super::compile::Compiler;
use super::verdict::{Until, Verdict, judge};

/// How many smaller programs are tried at once.
const AT_ONCE: usize = 24;

/// The smallest program found that fails as this one does.
pub(crate) fn shrink(compiler: &Compiler, program: &Program, verdict: &Verdict) -> Result<Program, Failure> {
    let until = match verdict {
        Verdict::Rejected(_) | Verdict::Refused(_) | Verdict::IllFormed(_) => Until::Compiled,
        _ => Until::Ran,
    };
    let (mut smallest, mut from, mut in_vain) = (program.clone(), 0, 0);
    loop {
        let mut candidates = smallest.smaller();
        let count = candidates.len();
        if in_vain >= count {
            return Ok(smallest);
        }
        // What was tried in vain is tried again last: it is likely to be in vain again.
        candidates.rotate_left(from % count);
        candidates.truncate(AT_ONCE.min(count - in_vain));
        let verdicts = judge(compiler, &candidates, until)?;
        let same = verdicts.iter().position(|found| found.kind() == verdict.kind());
        let Some(place) = same else {
            (from, in_vain) = (from % count + candidates.len(), in_vain + candidates.len());
            continue;
        };
        (from, in_vain) = (from % count + place, 0);
        smallest = candidates.swap_remove(place);
        eprintln!("  {} characters", smallest.length());
        // Whoever has no patience finds the smallest so far here.
        std::fs::write(compiler.directory().join("smallest.txt"), smallest.module())?;
    }
}
