//! Which names a macro seems to have bound before a question, `body => refused [..]`: those that would not be there after
//! it. A line with a body alone is filled in by `UPDATE_EXPECT=1 cargo test -p saga-macros --lib unseen`.

use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::TokenStream;

use crate::diagnostics::Diagnostics;
use crate::lower::lower;
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};

#[test]
fn names_that_a_macro_binds() {
    let mut text = String::new();
    for body in include_str!("unseen.txt").lines().filter_map(|line| line.split(" => ").next()) {
        let refused = refused(&body.replace('Q', "elicit(\"?\").await?")).join(", ");
        writeln!(text, "{body} => refused [{refused}]").expect("a string takes all text");
    }
    expect_file!["unseen.txt"].assert_eq(&text);
}

/// The name that each message begins with.
fn refused(body: &str) -> Vec<String> {
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), super::function(body), &mut diagnostics);
    lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics);
    let errors = diagnostics.finish().err().into_iter().flatten().map(|error| error.to_string());
    errors.map(|error| error.split(" seems").next().unwrap_or_default().to_owned()).collect()
}
