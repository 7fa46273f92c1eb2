//! Many forms of one thing in a table: what a question holds and derives for each, `form => [held] [derived]`. A local
//! that may be an iterator has a `+`, one that may be a shared reference a `&`, a text of the program a `!`, and one of
//! which only later code says the type a `?`. A line with a form alone is filled in by
//! `UPDATE_EXPECT=1 cargo test -p saga-macros --lib borrows`. cargo-mutants found the forms that the other tests did
//! not tell apart.

use std::fmt::Write;

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprGroup, ItemFn};

use crate::analysis::layout::layout;
use crate::diagnostics::Diagnostics;
use crate::lower::lower;
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};
use crate::tree::{LocalId, Rebuild, Way};

/// What stands before each form: `v` and `j` do not change, `w` and `i` are `mut`, `r` is a borrow, `m` one that may
/// be another.
const BEFORE: &str =
    "let v = list(); let mut w = list(); let j = 1; let mut i = 0; let r = &v; let mut m = &v;";

/// Makes `group(value)` what a macro by example makes of a `$value`, which no text says.
struct Groups;

impl VisitMut for Groups {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Call(call) = expr
            && matches!(&*call.func, Expr::Path(path) if path.path.is_ident("group"))
            && let Some(value) = call.args.pop()
        {
            let (attrs, group_token) = Default::default();
            *expr = Expr::Group(ExprGroup { attrs, group_token, expr: Box::new(value) });
        }
    }
}

/// The forms of a table, each in a tool that has `@` where the form goes. `Q` is a question.
#[expect(clippy::needless_pass_by_value, reason = "expectations are written in place")]
fn check(tool: &str, table: &str, expected: ExpectFile) {
    let mut text = String::new();
    for form in table.lines().filter_map(|line| line.split(" => ").next()) {
        let tool = tool.replace('@', form).replace('Q', "elicit(\"?\").await?");
        writeln!(text, "{form} => {}", held(&format!("{BEFORE} {tool}"))).expect("a string takes all text");
    }
    expected.assert_eq(&text);
}

fn held(body: &str) -> String {
    held_by(super::function(body))
}

fn held_by(mut function: ItemFn) -> String {
    Groups.visit_item_fn_mut(&mut function);
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), function, &mut diagnostics);
    let lowered = lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics);
    let mut text = String::new();
    for layout in layout(&lowered.body, &lowered.graph) {
        let name = |local: &LocalId| {
            let local = lowered.body.local(*local);
            let mutable = if local.mutable { "mut " } else { "" };
            let way = match local.way {
                Way::Itself => "",
                Way::Advanced => "+",
                Way::Lent => "&",
                Way::Text => "!",
            };
            let untyped = if local.untyped { "?" } else { "" };
            format!("{mutable}{}{way}{untyped}", local.name)
        };
        let names = |locals: Vec<LocalId>| locals.iter().map(name).collect::<Vec<_>>().join(", ");
        let (held, derived) = (names(layout.held), names(layout.rebuilt.into_iter().collect()));
        let astray = if layout.astray.is_empty() { "" } else { " astray" };
        write!(text, "[{held}] [{derived}]{astray} ").expect("a string takes all text");
        for declared in layout.declared {
            let annotation = lowered.body.local(declared).annotation.as_ref();
            let annotation = annotation.map(|ty| format!(": {}", ty.to_token_stream())).unwrap_or_default();
            write!(text, "declares {}{annotation} ", name(&declared)).expect("a string takes all text");
        }
    }
    if diagnostics.finish().is_err() {
        text += "refused";
    }
    text.trim_end().to_owned()
}

#[test]
fn a_binding() {
    let table = include_str!("borrows/bindings.txt");
    check("let x = @; Q; use_(x)", table, expect_file!["borrows/bindings.txt"]);
}

#[test]
fn a_pattern() {
    let table = include_str!("borrows/patterns.txt");
    check("let @ = v; Q; use_(x)", table, expect_file!["borrows/patterns.txt"]);
}

#[test]
fn a_loop() {
    let table = include_str!("borrows/loops.txt");
    check("for x in @ { Q; use_(x); }", table, expect_file!["borrows/loops.txt"]);
}

#[test]
fn what_stands_before_a_question() {
    let table = include_str!("borrows/operands.txt");
    check("@; use_(v, w, i)", table, expect_file!["borrows/operands.txt"]);
}

#[test]
fn a_body() {
    let table = include_str!("borrows/bodies.txt");
    check("@", table, expect_file!["borrows/bodies.txt"]);
}

#[test]
fn a_parameter() {
    let mut text = String::new();
    for parameter in
        include_str!("borrows/parameters.txt").lines().filter_map(|line| line.split(" => ").next())
    {
        let source = format!("async fn tool({parameter}) {{ x = other(); elicit(\"?\").await?; use_(x) }}");
        let function = syn::parse_str(&source).expect("a tool is Rust");
        writeln!(text, "{parameter} => {}", held_by(function)).expect("a string takes all text");
    }
    expect_file!["borrows/parameters.txt"].assert_eq(&text);
}

/// From what a borrow is derived again: `copied` out of a place, or `trusted` to be the same without a look at its
/// methods.
#[test]
fn what_is_derived_again() {
    let mut text = String::new();
    for form in include_str!("borrows/sources.txt").lines().filter_map(|line| line.split(" => ").next()) {
        let lowered =
            super::lowered(&format!("let v = v(); let mut w = w(); {form}; elicit(\"?\").await?; use_(x)"));
        let derived = lowered.body.groups.iter().filter_map(|group| group.rebuild.as_ref());
        let source = |rebuild: &Rebuild| {
            let copied = if rebuild.copies { "copied " } else { "" };
            let trusted = if rebuild.is_trusted { "trusted " } else { "" };
            format!("{copied}{trusted}{}", rebuild.source.to_token_stream())
        };
        writeln!(text, "{form} => {}", derived.map(source).collect::<Vec<_>>().join(", "))
            .expect("a string takes all text");
    }
    expect_file!["borrows/sources.txt"].assert_eq(&text);
}

/// Which local is an item of which iterator.
#[test]
fn an_item_that_is_drawn() {
    let mut text = String::new();
    for form in include_str!("borrows/drawn.txt").lines().filter_map(|line| line.split(" => ").next()) {
        let source = format!(
            "let mut lines = text().lines(); let other = make(); {}",
            form.replace('Q', "elicit(\"?\").await?")
        );
        let lowered = super::lowered(&source);
        let name = |local: &LocalId| lowered.body.local(*local).name.to_string();
        let drawn = lowered.body.drawn.iter().map(|(item, drawing)| {
            let part = if drawing.is_whole { "" } else { "a part " };
            format!("{} {part}of {}", name(item), name(&drawing.iterator))
        });
        writeln!(text, "{form} => {}", drawn.collect::<Vec<_>>().join(", "))
            .expect("a string takes all text");
    }
    expect_file!["borrows/drawn.txt"].assert_eq(&text);
}

/// What a borrow is matched by once more when it is derived again.
#[test]
fn a_pattern_that_is_matched_again() {
    let mut text = String::new();
    for form in include_str!("borrows/again.txt").lines().filter_map(|line| line.split(" => ").next()) {
        let lowered =
            super::lowered(&format!("let mut w = w(); if let {form} = &mut w {{ elicit(\"?\").await?; }}"));
        let derived = lowered.body.groups.iter().filter(|group| group.rebuild.is_some());
        let patterns = derived.map(|group| group.pattern.to_token_stream().to_string()).collect::<Vec<_>>();
        writeln!(text, "{form} => {}", patterns.join(", ")).expect("a string takes all text");
    }
    expect_file!["borrows/again.txt"].assert_eq(&text);
}
