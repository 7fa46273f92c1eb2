//! See the crate's documentation.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let _ = saga_fuzz::state(input);
});
