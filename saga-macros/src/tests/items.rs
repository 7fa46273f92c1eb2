//! Where the items of a body stand, `body => once [..] again [..] refused [..]`: those that stand once for the whole
//! function, those that are written again with their block, and the names that would mean another thing. A line with a
//! body alone is filled in by `UPDATE_EXPECT=1 cargo test -p saga-macros --lib items`.

use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Item, Stmt};

use crate::diagnostics::Diagnostics;
use crate::lower::lower;
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};
use crate::tree::{Block, Node, Statement};

#[test]
fn the_items_of_a_body() {
    let mut text = String::new();
    for body in include_str!("items.txt").lines().filter_map(|line| line.split(" => ").next()) {
        let places = places(&body.replace('Q', "elicit(\"?\").await?"));
        writeln!(text, "{body} => {places}").expect("a string takes all text");
    }
    expect_file!["items.txt"].assert_eq(&text);
}

fn places(body: &str) -> String {
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), super::function(body), &mut diagnostics);
    let body = lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics).body;
    let once = body.items.iter().map(head).collect::<Vec<_>>().join(", ");
    let again = again(&body.block).join(", ");
    let errors = diagnostics.finish().err().into_iter().flatten().map(|error| error.to_string());
    let refused = errors.map(|error| error.split([' ', ',']).next().unwrap_or_default().to_owned());
    let refused = refused.collect::<Vec<_>>().join(", ");
    format!("once [{once}] again [{again}] refused [{refused}]")
}

/// The items that stand in a block, and in those inside it.
fn again(block: &Block) -> Vec<String> {
    let items = block.statements.iter().map(|statement| match statement {
        Statement::Verbatim(statement) => match &**statement {
            Stmt::Item(item) => vec![head(item)],
            _ => Vec::new(),
        },
        Statement::Expression { node, .. } => match &**node {
            Node::Block { block, .. } => again(block),
            _ => Vec::new(),
        },
        Statement::Let(_) => Vec::new(),
    });
    items.flatten().collect()
}

/// What an item begins with: `struct Size`, `use shapes::*`; and whether others are used inside.
fn head(item: &Item) -> String {
    let text = item.to_token_stream().to_string().replace(" :: ", "::");
    if let Item::Use(_) = item {
        return text.trim_end_matches(';').trim().to_owned();
    }
    let head = text.split(['{', '(', '=', ':', ';']).next().unwrap_or_default().trim();
    let uses = if text.contains("{ use ") { " using" } else { "" };
    format!("{head}{uses}")
}
