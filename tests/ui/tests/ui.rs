//! What an author reads when the compiler refuses. Bless with `TRYBUILD=overwrite cargo test -p saga-ui`.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/travels/*.rs");
    cases.compile_fail("tests/ui/places/*.rs");
    cases.compile_fail("tests/ui/surface/*.rs");
    cases.compile_fail("tests/ui/calls/*.rs");
    cases.compile_fail("tests/ui/forms/*.rs");
    cases.pass("tests/ui/rewrites/*.rs");
    cases.pass("tests/ui/quiet/*.rs");
}
