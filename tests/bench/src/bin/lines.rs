//! A loop whose body seldom asks: 100,000 lines with three questions among them, beside the same loop as a plain
//! function that is answered on the spot. A tool that goes on walks to the line where it stood, so that questions
//! late in the text cost most.
//!
//! ```text
//! cd tests/bench && cargo run --release --bin lines
//! ```

use std::fmt::Write as _;
use std::hint::black_box;

use saga_bench::{Subject, measure};
use saga_runtime::script::{self, Script};
use saga_runtime::step::Answer;
use saga_runtime::{Form, StepError, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

const LINES: usize = 100_000;

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

/// The text, which the server has.
struct Journal(String);

/// Adds up the amounts, and asks about the marked ones.
#[saga_tool]
async fn audit(#[context] journal: &Journal) -> Result<u64, ToolError> {
    let mut sum = 0;
    for line in journal.0.lines() {
        let amount = amount(line);
        if line.ends_with('?') {
            let ok: Confirm = elicit(line).await?;
            if !ok.yes {
                continue;
            }
        }
        sum += amount;
    }
    Ok(sum)
}

/// The same without the compiler.
async fn plain_audit(journal: &Journal) -> Result<u64, ToolError> {
    let mut sum = 0;
    for line in journal.0.lines() {
        let amount = amount(line);
        if line.ends_with('?') {
            let ok = asked(line).await?;
            if !ok.yes {
                continue;
            }
        }
        sum += amount;
    }
    Ok(sum)
}

/// The number in a line like `2026-07-28 lunch 1250`.
fn amount(line: &str) -> u64 {
    line.split(' ').nth(2).and_then(|amount| amount.parse().ok()).unwrap_or(0)
}

#[expect(clippy::unused_async, reason = "a question is awaited")]
async fn asked(line: &str) -> Result<Confirm, StepError> {
    Ok(Confirm { yes: !black_box(line).is_empty() })
}

/// A text with questions in these lines.
fn journal(questions: &[usize]) -> Journal {
    let mut text = String::new();
    for line in 0..LINES {
        let mark = if questions.contains(&line) { " ?" } else { "" };
        let _ = writeln!(text, "2026-07-{:02} lunch {}{mark}", line % 31 + 1, line % 5000);
    }
    Journal(text)
}

fn compiled(journal: &Journal) -> String {
    let answers = (0..3).map(|_| Answer::accept(serde_json::json!({ "yes": true })));
    Script::new(answers).run_compiled::<audit, _>(serde_json::json!({}), journal).text()
}

fn main() {
    println!("{:<34} {:>9} {:>9} {:>7}", "100,000 lines, ms", "plain", "compiled", "times");
    for (place, questions) in [
        ("no question", &[][..]),
        ("questions in lines 1, 2 and 3", &[0, 1, 2][..]),
        ("questions at 1/4, 1/2 and 3/4", &[LINES / 4, LINES / 2, 3 * LINES / 4][..]),
        ("questions in the last three lines", &[LINES - 3, LINES - 2, LINES - 1][..]),
    ] {
        let journal = journal(questions);
        let same = script::run(plain_audit(&journal)).expect("it ends well").to_string();
        assert_eq!(same, compiled(&journal));
        let mut subjects = [
            Subject::new("plain", || script::run(plain_audit(&journal)).map_err(drop)),
            Subject::new("compiled", || compiled(&journal)),
        ];
        let figures = measure(&mut subjects, 30, 3);
        let [plain, compiled] = figures[..] else { unreachable!() };
        println!(
            "{place:<34} {:>9.2} {:>9.2} {:>7.2}",
            plain.fastest / 1e6,
            compiled.fastest / 1e6,
            compiled.fastest / plain.fastest
        );
    }
}
