//! An expression around a question, `form => what is evaluated before it; what is left around it`, where `_` is the
//! answer. A line with a form alone is filled in by `UPDATE_EXPECT=1 cargo test -p saga-macros --lib around`.

use std::fmt::Write;

use expect_test::expect_file;
use quote::ToTokens;

use crate::tree::{Apply, Body, Node, Statement};

/// What stands before each form.
const BEFORE: &str = "let v = list(); let mut w = list(); let j = 1; let mut i = 0;";

#[test]
fn around_an_answer() {
    let mut text = String::new();
    for form in include_str!("around.txt").lines().filter_map(|line| line.split(" => ").next()) {
        let body = super::lowered(&format!("{BEFORE} {};", form.replace('Q', "elicit(\"?\").await?"))).body;
        let Some(Statement::Expression { node, .. }) = body.block.statements.last() else {
            panic!("{form} is an expression")
        };
        writeln!(text, "{form} => {}", around(&body, node)).expect("a string takes all text");
    }
    expect_file!["around.txt"].assert_eq(&text);
}

fn around(body: &Body, node: &Node) -> String {
    match node {
        Node::Plain(expr) => short(expr),
        Node::Ask { .. } => "_".to_owned(),
        Node::Apply(apply) => {
            let Apply { temporaries, hole, whole, marker, .. } = &**apply;
            let temporaries = temporaries.iter().map(|temporary| {
                let name = &body.local(temporary.local).name;
                format!("{name} = {}; ", around(body, &temporary.value))
            });
            let whole = short(whole).replace(&marker.to_string(), &around(body, hole));
            temporaries.chain([whole]).collect()
        }
        Node::If(branch) => {
            let conditions = branch.conditions.iter().map(|condition| around(body, &condition.value));
            format!("if {}", conditions.collect::<Vec<_>>().join(" && "))
        }
        Node::Match(branches) => format!("match {}", around(body, &branches.scrutinee)),
        Node::Call(call) => {
            let received = call.received.iter().map(|received| body.local(received.local).name.to_string());
            format!("called on [{}]", received.collect::<Vec<_>>().join(", "))
        }
        _ => "..".to_owned(),
    }
}

/// The text of an expression, without the paths of the runtime.
fn short(expr: &syn::Expr) -> String {
    let text = expr.to_token_stream().to_string();
    text.replace(":: saga_runtime :: __private :: ", "").replace(' ', "")
}
