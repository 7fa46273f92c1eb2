//! Any tokens in, tokens out: the compiler refuses, it does not panic.
//!
//! A case is made of its number alone. A few thousand run with the suite; ten million, and where a run was stopped
//! the rest of them:
//!
//! ```text
//! SAGA_CASES=0..10000000 cargo test --profile long -p saga-macros --lib never_panics -- --nocapture
//! ```
//!
//! Assertions of the compiler's own count as panics; that profile has them, and takes a quarter of a millisecond for a
//! case.

mod case;
mod corpus;
mod edit;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use proc_macro2::TokenStream;

use self::case::Case;
use self::corpus::Corpus;
use crate::pipeline::saga_tool;

/// How many cases the suite has.
const CASES: u64 = 2_000;

/// How many cases a thread takes at a time. Afterwards it forgets all source texts, which the tokens of a test point
/// into and which would otherwise fill the memory.
const AT_ONCE: u64 = 10_000;

/// What ran so far.
#[derive(Default)]
struct Count {
    run: AtomicU64,
    suspending: AtomicU64,
    panics: Mutex<Vec<String>>,
}

#[test]
fn any_tokens_and_any_mutated_tool() {
    let cases = match std::env::var("SAGA_CASES") {
        Ok(range) => range_of(&range).expect("`SAGA_CASES` is a range like `0..10000000`"),
        Err(_) => 0..CASES,
    };
    let (next, count) = (AtomicU64::new(cases.start), Count::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(AT_ONCE, Ordering::Relaxed);
                    if start >= cases.end {
                        break;
                    }
                    run(start..cases.end.min(start + AT_ONCE), &count);
                }
            });
        }
    });
    let panics = count.panics.into_inner().expect("no thread panicked with the lock held");
    assert!(panics.is_empty(), "{} cases panicked:\n{}", panics.len(), panics.join("\n"));
    let (run, suspending) = (count.run.into_inner(), count.suspending.into_inner());
    assert!(suspending * 2 >= run, "only {suspending} of {run} cases parse as a function that suspends");
}

fn range_of(text: &str) -> Option<Range<u64>> {
    let (start, end) = text.split_once("..")?;
    Some(start.parse().ok()?..end.parse().ok()?)
}

fn run(cases: Range<u64>, count: &Count) {
    proc_macro2::extra::invalidate_current_thread_spans();
    let corpus = Corpus::read();
    for number in cases.clone() {
        let case = Case::new(&corpus, number);
        count.suspending.fetch_add(u64::from(case.suspends()), Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| case.compile())).is_err() {
            let mut panics = count.panics.lock().expect("no thread panicked with the lock held");
            panics.push(format!("case {number}: {case}"));
        }
    }
    let run = count.run.fetch_add(cases.end - cases.start, Ordering::Relaxed) + cases.end - cases.start;
    let suspending = count.suspending.load(Ordering::Relaxed);
    let panics = count.panics.lock().map_or(0, |panics| panics.len());
    println!(
        "{run} cases, {suspending} parse as a function that suspends, {panics} panicked; after {}",
        cases.end
    );
}

#[test]
fn the_corpus_is_accepted() {
    let corpus = Corpus::read();
    let tools = corpus.tools.iter().filter(|tool| tool.accepted);
    let refused = tools.filter(|tool| {
        let (function, arguments) = (&tool.function, TokenStream::new());
        saga_tool(&arguments, &quote::quote!(#function)).to_string().contains("compile_error")
    });
    let refused = refused.map(|tool| tool.function.sig.ident.to_string()).collect::<Vec<_>>();
    assert!(
        corpus.tools.len() > 500 && refused.is_empty(),
        "{} tools, refused {refused:?}",
        corpus.tools.len()
    );
}
