//! Measures several things side by side.
//!
//! The things take turns in short batches, so that whatever else the machine does meanwhile falls on all
//! of them alike; of the batches, the fastest and the middle one are reported. Compare the ratios: the
//! nanoseconds are the machine's.

use std::hint::black_box;
use std::time::Instant;

/// Something to measure; `run` does it once.
pub struct Subject<'a> {
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    batches: Vec<f64>,
}

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
        Self { name, run, batches: Vec::new() }
    }

    /// What was measured, as it is printed.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn run_batch(&mut self, times: u32) {
        let start = Instant::now();
        for _ in 0..times {
            (self.run)();
        }
        self.batches.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(times));
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
