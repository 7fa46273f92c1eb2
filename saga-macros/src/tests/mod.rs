//! Tests of the compiler's stages: source in, text out.

mod around;
mod borrows;
mod cells;
mod diagnostics;
mod expansion;
mod groups;
mod items;
mod layout;
mod lowering;
mod messages;
mod never_panics;
mod unseen;

use proc_macro2::TokenStream;
use syn::ItemFn;

use crate::diagnostics::Diagnostics;
use crate::lower::{Lowered, lower};
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};

/// A tool's function out of its body.
fn function(body: &str) -> ItemFn {
    let source = format!(
        "async fn tool(name: String, mut count: u32, #[context] fleet: &Fleet) -> Result<String, ToolError> {{ \
         {body} }}"
    );
    syn::parse_str(&source).unwrap_or_else(|error| panic!("{error} in {source}"))
}

fn lowered(body: &str) -> Lowered {
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), function(body), &mut diagnostics);
    let lowered = lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics);
    diagnostics.finish().expect("the body is one that the compiler accepts");
    crate::flow::verify::verify(&lowered.graph, lowered.body.sites.len()).expect("the graph is well formed");
    lowered
}
