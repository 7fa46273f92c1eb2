//! Measures several things side by side.
//!
//! The things take turns in short batches, so that whatever else the machine does meanwhile falls on all
//! of them alike; of the batches, the fastest and the middle one are reported. Compare the ratios: the
//! nanoseconds are the machine's.

pub mod http;

use std::hint::black_box;
use std::time::Instant;

/// Something to measure.
pub struct Subject<'a> {
    name: &'static str,
    run: Run<'a>,
    batches: Vec<f64>,
}

/// How it is done once.
enum Run<'a> {
    Again(Box<dyn FnMut() + 'a>),
    /// What it needs is made before it is measured.
    Prepared(Box<dyn FnMut() -> Once<'a> + 'a>),
}

/// Something that is ready to be done once.
pub type Once<'a> = Box<dyn FnOnce() + 'a>;

/// What came of a subject, in nanoseconds each.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Of the fastest batch.
    pub fastest: f64,
    /// Of the middle batch.
    pub median: f64,
}

impl<'a> Subject<'a> {
    /// A subject whose result is kept from being optimised away.
    pub fn new<T>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        let run = Box::new(move || {
            black_box(run());
        });
        Self { name, run: Run::Again(run), batches: Vec::new() }
    }

    /// A subject that is made ready each time, which is not measured.
    pub fn prepared(name: &'static str, make: impl FnMut() -> Once<'a> + 'a) -> Self {
        Self { name, run: Run::Prepared(Box::new(make)), batches: Vec::new() }
    }

    /// What was measured, as it is printed.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn run_batch(&mut self, times: u32) {
        let took = match &mut self.run {
            Run::Again(run) => {
                let start = Instant::now();
                for _ in 0..times {
                    run();
                }
                start.elapsed()
            }
            Run::Prepared(make) => {
                let ready: Vec<Once<'_>> = (0..times).map(|_| make()).collect();
                let start = Instant::now();
                for once in ready {
                    once();
                }
                start.elapsed()
            }
        };
        self.batches.push(took.as_secs_f64() * 1e9 / f64::from(times));
    }

    fn figures(&self) -> Figures {
        let mut batches = self.batches.clone();
        batches.sort_by(f64::total_cmp);
        Figures { fastest: batches[0], median: batches[batches.len() / 2] }
    }
}

/// Runs all subjects in turn, `batches` times `times`, and gives their figures in the same order.
pub fn measure(subjects: &mut [Subject<'_>], batches: u32, times: u32) -> Vec<Figures> {
    for subject in subjects.iter_mut() {
        subject.run_batch(times);
        subject.batches.clear(); // warm now
    }
    for _ in 0..batches {
        for subject in subjects.iter_mut() {
            subject.run_batch(times);
        }
    }
    subjects.iter().map(Subject::figures).collect()
}
