//! Of which parameters is asked whether there is a cell in them that was changed, `body => parts`. A line with a
//! body alone is filled in by `UPDATE_EXPECT=1 cargo test -p saga-macros --lib cells`.

use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::TokenStream;

use crate::analysis::layout::layout;
use crate::diagnostics::Diagnostics;
use crate::lower::{Lowered, lower};
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};

#[test]
fn parameters_that_may_have_been_changed() {
    let mut text = String::new();
    for body in include_str!("cells.txt").lines().filter_map(|line| line.split(" => ").next()) {
        writeln!(text, "{body} => {}", perhaps_changed(body).join(" | ")).expect("a string takes all text");
    }
    expect_file!["cells.txt"].assert_eq(&text);
}

/// Of each question, of which `Q` stands for one, and of one after all.
fn perhaps_changed(body: &str) -> Vec<String> {
    let source = format!("async fn tool(a: Plan, b: Plan) {{ {body}; Q; (a.z == 1, b.z == 1) }}");
    let function = syn::parse_str(&source.replace("Q;", "elicit(\"?\").await?;")).expect("a tool is Rust");
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), function, &mut diagnostics);
    let Lowered { body, graph } = lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics);
    diagnostics.finish().expect("the body is one that the compiler accepts");
    let sites = layout(&body, &graph).into_iter();
    sites
        .map(|site| {
            let parts = site.again.iter().chain(&site.left).flat_map(|(local, parts)| {
                let name = body.local(*local).name.to_string();
                parts.iter().map(move |part| [std::slice::from_ref(&name), &part[..]].concat().join("."))
            });
            parts.collect::<Vec<_>>().join(", ")
        })
        .collect()
}
