//! Makes a program that fails smaller, for as long as it fails in the same way.

use saga_tests::random::Program;

use super::Failure;
use super::compile::Compiler;
use super::verdict::{Until, Verdict, judge};

/// How many smaller programs are tried at once.
const AT_ONCE: usize = 32;

/// The smallest program found that fails as this one does.
pub(crate) fn shrink(
    compiler: &Compiler,
    program: &Program,
    verdict: &Verdict,
) -> Result<Program, Failure> {
    let mut smallest = program.clone();
    while let Some(smaller) = step(compiler, &smallest, verdict)? {
        eprintln!("  {} characters", smaller.length());
        smallest = smaller;
    }
    Ok(smallest)
}

fn step(compiler: &Compiler, program: &Program, verdict: &Verdict) -> Result<Option<Program>, Failure> {
    let mut candidates = program.smaller();
    candidates.retain(|candidate| candidate.length() < program.length());
    candidates.sort_by_key(Program::length);
    let until = match verdict {
        Verdict::Rejected(_) | Verdict::Refused(_) => Until::Compiled,
        _ => Until::Ran,
    };
    for candidates in candidates.chunks(AT_ONCE) {
        let verdicts = judge(compiler, candidates, until)?;
        let same = candidates.iter().zip(&verdicts).find(|(_, found)| found.is_like(verdict));
        if let Some((smaller, _)) = same {
            return Ok(Some(smaller.clone()));
        }
    }
    Ok(None)
}
