//! A random program as a tree of text: it is written down, counted by construct, and made smaller.

use std::collections::BTreeMap;

use super::rows;
use super::types::Ty;

/// A piece of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The construct, a row of `docs/language.md`; empty for what is none.
    pub(crate) row: &'static str,
    pub(crate) sort: Sort,
    pub(crate) pieces: Vec<Piece>,
}

/// What a piece of a program is to what stands around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sort {
    /// It can be left out.
    Statement,
    /// A value of this type can stand in its place.
    Value(Ty),
    /// A step, which is asked where it stands.
    Question,
    /// A call of a saga, which is awaited where it stands.
    Call,
    /// Several of these, awaited together.
    Together,
    /// Neither.
    Part,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Node(Node),
}

/// How the questions of a program are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As an author writes them.
    Saga,
    /// As what the plain function does, for a compiler that knows nothing of Saga.
    Plain,
}

impl Node {
    /// A piece whose text has a `~` for each of its parts.
    pub(crate) fn new(
        row: &'static str,
        sort: Sort,
        template: impl AsRef<str>,
        parts: impl IntoIterator<Item = Self>,
    ) -> Self {
        let mut parts = parts.into_iter();
        let mut pieces = Vec::new();
        for (index, text) in template.as_ref().split('~').enumerate() {
            if index > 0 {
                pieces.extend(parts.next().map(Piece::Node));
            }
            pieces.push(Piece::Text(text.to_owned()));
        }
        Self { row, sort, pieces }
    }

    pub(crate) fn statement(
        row: &'static str,
        template: impl AsRef<str>,
        parts: impl IntoIterator<Item = Self>,
    ) -> Self {
        Self::new(row, Sort::Statement, template, parts)
    }

    pub(crate) fn value(
        row: &'static str,
        ty: &Ty,
        template: impl AsRef<str>,
        parts: impl IntoIterator<Item = Self>,
    ) -> Self {
        Self::new(row, Sort::Value(ty.clone()), template, parts)
    }

    /// Text without parts, which is never made smaller.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { row: "", sort: Sort::Part, pieces: vec![Piece::Text(text.into())] }
    }

    /// Statements one after the other.
    pub(crate) fn sequence(statements: Vec<Self>) -> Self {
        Self { row: "", sort: Sort::Part, pieces: statements.into_iter().map(Piece::Node).collect() }
    }

    /// The program text.
    pub(crate) fn render(&self, style: Style) -> String {
        let mut text = String::new();
        self.write(style, &mut text);
        text
    }

    fn write(&self, style: Style, text: &mut String) {
        let (before, after) = match (&self.sort, style) {
            (Sort::Question, Style::Plain) => ("saga_runtime::script::ask(", ", &[]).await"),
            (Sort::Question | Sort::Together, Style::Saga) => ("", ".await"),
            (Sort::Call, Style::Plain) => ("Box::pin(", ").await"),
            (Sort::Call, Style::Saga) => ("call(", ").await"),
            (Sort::Together, Style::Plain) => ("saga_runtime::script::call(", ", &[]).await"),
            (Sort::Statement, _) => ("", "\n"),
            (Sort::Value(_) | Sort::Part, _) => ("", ""),
        };
        text.push_str(before);
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Node(node) => node.write(style, text),
            }
        }
        text.push_str(after);
    }

    /// How often each construct stands in the program.
    pub(crate) fn count(&self, rows: &mut BTreeMap<&'static str, usize>) {
        if !self.row.is_empty() && (self.asks() || rows::HELD.contains(&self.row)) {
            *rows.entry(self.row).or_default() += 1;
        }
        for node in self.nodes() {
            node.count(rows);
        }
    }

    /// Whether it asks anything.
    fn asks(&self) -> bool {
        matches!(self.sort, Sort::Question | Sort::Call | Sort::Together) || self.nodes().any(Self::asks)
    }

    fn nodes(&self) -> impl Iterator<Item = &Self> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Node(node) => Some(node),
            Piece::Text(_) => None,
        })
    }

    /// The program with one thing less, in every way there is, the largest things first.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut smaller = self.reduced();
        for (index, piece) in self.pieces.iter().enumerate() {
            let Piece::Node(node) = piece else { continue };
            for less in node.smaller() {
                let mut whole = self.clone();
                whole.pieces[index] = Piece::Node(less);
                smaller.push(whole);
            }
        }
        smaller
    }

    /// What can stand in this piece's own place.
    fn reduced(&self) -> Vec<Self> {
        match &self.sort {
            Sort::Statement if self.pieces.is_empty() => Vec::new(),
            Sort::Statement => {
                let inner = self.nodes().filter(|node| node.sort == Sort::Part && !node.pieces.is_empty());
                let nothing = Self { pieces: Vec::new(), ..self.clone() };
                std::iter::once(nothing).chain(inner.cloned()).collect()
            }
            Sort::Value(ty) => {
                let mut same = Vec::new();
                self.values_of(ty, &mut same);
                let simplest = Self::value("", ty, ty.simplest(), []);
                if *self != simplest && self.render(Style::Saga).len() > simplest.render(Style::Saga).len() {
                    same.insert(0, simplest);
                }
                same
            }
            Sort::Question | Sort::Call | Sort::Together | Sort::Part => Vec::new(),
        }
    }

    fn values_of(&self, ty: &Ty, found: &mut Vec<Self>) {
        for node in self.nodes() {
            match &node.sort {
                Sort::Value(other) if other == ty => found.push(node.clone()),
                Sort::Statement => {}
                _ => node.values_of(ty, found),
            }
        }
    }
}
