//! Of which parameters is asked whether there is a cell in them that was changed, `body => parameters`. A line with a
//! body alone is filled in by `UPDATE_EXPECT=1 cargo test -p saga-macros --lib cells`.

use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::TokenStream;

use crate::diagnostics::Diagnostics;
use crate::lower::lower;
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};
use crate::tree::Supply;

#[test]
fn parameters_that_may_have_been_changed() {
    let mut text = String::new();
    for body in include_str!("cells.txt").lines().filter_map(|line| line.split(" => ").next()) {
        writeln!(text, "{body} => {}", perhaps_changed(body).join(", ")).expect("a string takes all text");
    }
    expect_file!["cells.txt"].assert_eq(&text);
}

fn perhaps_changed(body: &str) -> Vec<String> {
    let source = format!("async fn tool(a: Plan, b: Plan) {{ {body} }}");
    let function = syn::parse_str(&source).expect("a tool is Rust");
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), function, &mut diagnostics);
    let lowered = lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics);
    diagnostics.finish().expect("the body is one that the compiler accepts");
    let locals = lowered.body.locals.iter().filter(|local| local.supply == Supply::PerhapsChanged);
    locals.map(|local| local.name.to_string()).collect()
}
