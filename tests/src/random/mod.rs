//! Random tools: well-typed functions out of everything that the compiler accepts, from a seed.
//!
//! A program is made along the types (`values`, `statements`), with the locals in scope and what the borrow checker
//! lets be done with them (`scope`), as a tree of text (`node`) that can be written down, counted and made smaller.
//! It is held to the law like any body written by hand. Nothing here uses another crate, since `build.rs` writes the
//! programs of the test suite.

#![allow(clippy::unnecessary_wraps, reason = "productions are of one type, whether they can fail or not")]
#![allow(clippy::format_push_string, reason = "programs are put together, not fast")]

mod chance;
mod loops;
mod node;
mod patterns;
mod places;
mod questions;
mod rows;
mod sagas;
mod scope;
mod statements;
mod types;
mod values;

use std::collections::BTreeMap;

use self::chance::Chance;
use self::node::{Node, Style};
use self::scope::Scope;
use self::types::Ty;

/// A random program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    tree: Node,
    arguments: String,
    parameters: String,
}

impl Program {
    /// The program of this number, of all those that a seed gives.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        Generator::new(Chance::new(seed).number() ^ index).program()
    }

    /// The text of a module with the program as a tool, and a function `check` that holds it to the law.
    #[must_use]
    pub fn module(&self) -> String {
        let Self { arguments, parameters, .. } = self;
        let values = arguments.split(';').filter(|argument| !argument.is_empty());
        let (mut inserts, mut given) = (String::new(), String::new());
        for (name, value) in values.filter_map(|argument| argument.split_once('=')) {
            inserts += &format!("    arguments.insert(\"{name}\".to_owned(), json!({value}));\n");
            given += &format!(", {value}");
        }
        let (body, sagas) = (self.tree.render(Style::Saga), sagas::sagas().render(Style::Saga));
        format!(
            "{PRELUDE}{sagas}#[saga_tool]\nasync fn tool({parameters}) -> Result<String, ToolError> {{\n{body}}}\n\n\
             pub fn check(name: &str) -> Checked {{\n    let mut arguments = Map::new();\n{inserts}    \
             law::<tool, Fleet, _>(name, || tool(&FLEET{given}), &arguments, &*FLEET)\n}}\n"
        )
    }

    /// The text of a module with the plain function alone, for a compiler that knows nothing of Saga.
    #[must_use]
    pub fn plain_module(&self) -> String {
        let parameters = self.parameters.replace("#[context] ", "");
        let (body, sagas) = (self.tree.render(Style::Plain), sagas::sagas().render(Style::Plain));
        let sagas = sagas.replace("#[saga]\n", "");
        format!("{PRELUDE}{sagas}async fn tool({parameters}) -> Result<String, ToolError> {{\n{body}}}\n")
    }

    /// How often each construct of the language stands in the program.
    #[must_use]
    pub fn rows(&self) -> BTreeMap<&'static str, usize> {
        let mut rows = BTreeMap::new();
        self.tree.count(&mut rows);
        rows
    }

    /// The program with one thing less, in every way there is, the largest things first.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        self.tree.smaller().into_iter().map(|tree| Self { tree, ..self.clone() }).collect()
    }

    /// How much there is of it.
    #[must_use]
    pub fn length(&self) -> usize {
        self.tree.render(Style::Saga).len()
    }
}

const PRELUDE: &str = "#![allow(warnings, clippy::all, clippy::pedantic)]\nuse saga_tests::prelude::*;\n\n";

/// Makes one program.
struct Generator {
    chance: Chance,
    scope: Scope,
    /// How deep the expression is that is being made.
    nested: usize,
    /// How many questions and statements may still be made.
    questions: usize,
    statements: usize,
    /// Whether a question can be asked here.
    asks: bool,
    /// Whether a question is wanted here.
    eager: bool,
    /// Whether the function can be left here.
    leaves: bool,
    /// The loops and labelled blocks around that can be jumped out of.
    targets: Vec<Target>,
    /// Counts names.
    count: usize,
}

/// A loop or a labelled block.
#[derive(Debug, Clone)]
struct Target {
    label: String,
    /// What a `break` gives.
    value: Option<Ty>,
    /// Whether it can be continued.
    is_loop: bool,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let (questions, statements) = (3 + chance.below(6), 6 + chance.below(16));
        Self {
            chance,
            scope: Scope::default(),
            nested: 0,
            questions,
            statements,
            asks: true,
            eager: false,
            leaves: true,
            targets: Vec::new(),
            count: 0,
        }
    }

    fn program(mut self) -> Program {
        let (parameters, arguments) = self.parameters();
        let mut parts = vec![self.block_statements(12)];
        // Who has not asked yet does so now.
        if self.questions > 0 {
            parts.push(self.ask_and_forget());
        }
        let shown = self.shown(8);
        let shown = Node::value("", &Ty::Text, shown, []);
        parts.push(Node::new("", node::Sort::Part, "Ok(~)\n", [shown]));
        Program { tree: Node::sequence(parts), parameters, arguments }
    }

    /// The parameters, and their values.
    fn parameters(&mut self) -> (String, String) {
        let choices = [
            ("many", Ty::Number, "3_u32"),
            ("names", Ty::list(Ty::Text), "vec![\"ada\".to_owned(), \"bo\".to_owned()]"),
            ("sure", Ty::Bool, "true"),
            ("note", Ty::option(Ty::Text), "Some(\"n\".to_owned())"),
            ("title", Ty::Text, "\"title here\".to_owned()"),
            ("pair", Ty::pair(Ty::Number, Ty::Text), "(4_u32, \"four\".to_owned())"),
        ];
        let (mut parameters, mut arguments) = ("#[context] fleet: &Fleet".to_owned(), String::new());
        for (name, ty, value) in choices {
            if !self.chance.one_in(3) {
                continue;
            }
            let mutable = self.chance.one_in(2);
            let word = if mutable { "mut " } else { "" };
            parameters += &format!(", {word}{name}: {}", ty.name());
            arguments += &format!("{name}={value};");
            self.scope.declare(name, ty, mutable);
        }
        (parameters, arguments)
    }

    /// A name for a new local, sometimes one that is in use.
    fn name(&mut self) -> String {
        let known = self.scope.names();
        if self.chance.one_in(6)
            && let Some(name) = self.chance.pick(&known)
            && !name.starts_with("turns")
        {
            return name.clone();
        }
        let word = self
            .chance
            .word(&["first", "place", "value", "found", "word", "sum", "state", "it", "answer", "x"]);
        self.count += 1;
        format!("{word}{}", self.count)
    }

    fn label(&mut self) -> String {
        self.count += 1;
        let word = self.chance.word(&["outer", "search", "a", "again"]);
        format!("'{word}{}", self.count)
    }

    /// A program's piece inside a closure or a guard, where nothing is asked and nothing changed.
    fn quietly<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.asks, self.leaves, std::mem::take(&mut self.targets));
        (self.asks, self.leaves) = (false, false);
        self.scope.closures += 1;
        let inner = make(self);
        self.scope.closures -= 1;
        (self.asks, self.leaves, self.targets) = before;
        inner
    }
}
