//! The tools that cases are made of: those of the law, and those that are refused.

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Expr, Item, ItemFn, Pat, Stmt};

/// How many expressions a part of a tool has at most, and a small tool.
const PART: usize = 8;
const SMALL: usize = 14;

/// Tools, and their parts.
#[derive(Default)]
pub(super) struct Corpus {
    pub(super) tools: Vec<Tool>,
    /// Those that are small, of which most cases are made: they take a tenth of the time.
    pub(super) small: Vec<ItemFn>,
    pub(super) expressions: Vec<Expr>,
    pub(super) statements: Vec<Stmt>,
    pub(super) patterns: Vec<Pat>,
    /// How many expressions were seen.
    seen: usize,
}

pub(super) struct Tool {
    pub(super) function: ItemFn,
    /// Whether it is a tool that the law is held to.
    pub(super) accepted: bool,
}

impl Corpus {
    pub(super) fn read() -> Self {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tests");
        let mut corpus = Self::default();
        corpus.read_files(&tests.join("equivalence"), true);
        corpus.read_files(&tests.join("../ui/tests/ui"), false);
        for function in corpus.tools.iter().map(|tool| tool.function.clone()).collect::<Vec<_>>() {
            if corpus.size(|corpus| corpus.visit_item_fn(&function)) <= SMALL {
                corpus.small.push(function);
            }
        }
        corpus
    }

    /// How many expressions are visited.
    fn size(&mut self, visit: impl FnOnce(&mut Self)) -> usize {
        let before = self.seen;
        visit(self);
        self.seen - before
    }

    fn read_files(&mut self, folder: &Path, accepted: bool) {
        let entries = fs::read_dir(folder).expect("the corpus is in the repository");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("a folder's entry can be read").path()).collect();
        // A case is the same on every machine.
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.read_files(&path, accepted);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).expect("a test can be read");
                // One that is about a syntax error is no file.
                let Ok(file) = syn::parse_file(&text) else { continue };
                file.items.into_iter().for_each(|item| self.read_item(item, accepted));
            }
        }
    }

    fn read_item(&mut self, item: Item, accepted: bool) {
        let Item::Fn(mut function) = item else { return };
        let ours = |name: &str| {
            let mut attributes = function.attrs.iter();
            attributes
                .any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == name))
        };
        let is_tool = ours("saga_tool");
        if is_tool || ours("saga") {
            function.attrs.clear();
            self.tools.push(Tool { function, accepted: accepted && is_tool });
        }
    }
}

impl<'ast> Visit<'ast> for Corpus {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.seen += 1;
        if self.size(|corpus| visit::visit_expr(corpus, expr)) < PART {
            self.expressions.push(expr.clone());
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if self.size(|corpus| visit::visit_stmt(corpus, statement)) <= PART {
            self.statements.push(statement.clone());
        }
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        self.patterns.push(pattern.clone());
        visit::visit_pat(self, pattern);
    }
}
