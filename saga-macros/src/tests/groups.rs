//! What a macro by example brings, `form ==> what it is without its groups`. `group(value)` is such a group, which no text
//! shows. A line with a form alone is filled in by `UPDATE_EXPECT=1 cargo test -p saga-macros --lib groups`.

use std::fmt::Write;

use expect_test::expect_file;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::diagnostics::Diagnostics;
use crate::parse::{Kind, parse};

#[test]
fn what_a_macro_brings() {
    let mut text = String::new();
    for form in include_str!("groups.txt").lines().filter_map(|line| line.split(" ==> ").next()) {
        let body = grouped(form.parse().expect("a form is tokens"));
        let function = syn::parse2(quote!(async fn tool() { #body })).expect("a tool is Rust");
        let tool = parse(Kind::Tool, TokenStream::new(), function, &mut Diagnostics::new());
        let statements = tool.block.stmts.iter().map(|statement| statement.to_token_stream().to_string());
        writeln!(text, "{form} ==> {}", statements.collect::<Vec<_>>().join(" "))
            .expect("a string takes all text");
    }
    expect_file!["groups.txt"].assert_eq(&text);
}

/// Makes `group(value)` a group.
fn grouped(tokens: TokenStream) -> TokenStream {
    let mut made: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            made.push(token);
            continue;
        };
        let named = matches!(made.last(), Some(TokenTree::Ident(name)) if name == "group");
        let delimiter = if named { Delimiter::None } else { group.delimiter() };
        if named {
            made.pop();
        }
        made.push(Group::new(delimiter, grouped(group.stream())).into());
    }
    made.into_iter().collect()
}
