//! What generated code calls, with the types that most tools have: compiled with the runtime once, where the debug build
//! of a server finds it and need not compile it again.

use std::hint::black_box;

use crate::arguments::Argument;
use crate::frame::{Frame, Holding, Taking};
use crate::step::{ElicitUrl, ListRoots, Question, Sample};

/// Names it all. Nobody calls it.
pub fn instances() {
    macro_rules! held {
        ($($of:ty),*) => {$(
            black_box(Holding::local::<$of> as fn(_, _, _));
            black_box(Taking::local::<$of> as fn(_, _, _) -> _);
        )*};
    }
    macro_rules! argument {
        ($($of:ty),*) => {$(
            black_box(<$of as Argument>::describe as fn(_, _, _));
            black_box(<$of as Argument>::take as fn(_, _) -> _);
        )*};
    }
    held!(String, Vec<String>, Option<String>, bool, u32, u64, i32, i64, usize, f64);
    argument!(String, Vec<String>, Option<String>, bool, u32, u64, i32, i64, usize, f64);
    argument!(Option<bool>, Option<u32>, Option<u64>, Option<i64>, Option<f64>);
    asked::<Sample>();
    asked::<ElicitUrl>();
    asked::<ListRoots>();
}

fn asked<Q: Question>() {
    black_box(Frame::leave::<Q> as fn(_, _, _, _, _));
    black_box(Frame::answer::<Q> as fn(_, _) -> _);
}
