//! The compiler of Saga.

mod analysis;
mod codegen;
mod diagnostics;
mod flow;
mod lower;
mod parse;
mod pipeline;
mod tree;

use proc_macro::TokenStream;

/// Compiles an `async fn` that asks questions into a tool whose state travels in a sealed token.
#[proc_macro_attribute]
pub fn saga_tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::saga_tool(arguments.into(), item.into()).into()
}
