//! Which locals may be shared references that cannot be derived again: what they show travels then. Their types decide,
//! which only rustc knows; of what is seen to be owned it is not asked.

use syn::{Block, Expr, ExprCall, ExprPath, Pat, Stmt, Type, UnOp};

use super::Lowerer;
use super::iterate::is_one_of;
use crate::parse::macros;
use crate::parse::places::unwrap;
use crate::parse::suspension;
use crate::tree::{Concern, LocalId, LocalKind, Way};

/// Methods whose value nobody expects to borrow. What is copied of a reference is one.
const OWNING: [&str; 14] = [
    "contains",
    "contains_key",
    "count",
    "ends_with",
    "into",
    "is_empty",
    "is_none",
    "is_some",
    "len",
    "starts_with",
    "sum",
    "to_owned",
    "to_string",
    "to_vec",
];

impl Lowerer<'_> {
    /// Whether what a pattern binds of a value may be shared references.
    pub(super) fn may_lend_to(&self, pattern: &Pat, value: &Expr) -> bool {
        is_written_reference(pattern) || is_failure(pattern) || self.may_lend(value)
    }

    /// Notes it of the bindings.
    pub(super) fn note_lent(&mut self, binds: &[LocalId]) {
        for bound in binds {
            let local = &mut self.locals[bound.0];
            if local.way == Way::Itself {
                local.way = Way::Lent;
            }
        }
    }

    /// Whether a value may be a shared reference.
    pub(super) fn may_lend(&self, value: &Expr) -> bool {
        match unwrap(value) {
            empty if is_untyped(empty) => true,
            Expr::Path(path) => self.is_lent(path),
            Expr::Field(field) => self.may_lend(&field.base),
            Expr::Index(index) => self.may_lend(&index.expr),
            Expr::Reference(reference) => reference.mutability.is_none(),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && self.may_lend(&unary.expr),
            Expr::Try(question_mark) => !is_parsed(&question_mark.expr) && self.may_lend(&question_mark.expr),
            // What a saga or another function gives may be of what it was given. A question's answer is owned, and
            // what a method awaits is but seldom of its receiver: to ask for its type would cost each of them.
            Expr::Await(wait) => {
                matches!(unwrap(&wait.base), Expr::Call(_))
                    && suspension::question(wait).is_none()
                    && self.may_lend(&wait.base)
            }
            Expr::MethodCall(call) if call.method == "clone" => self.may_lend(&call.receiver),
            Expr::MethodCall(call) => !is_one_of(call, &OWNING),
            Expr::Call(call) => self.may_lend_by_call(call),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|element| self.may_lend(element)),
            Expr::Array(array) => array.elems.iter().any(|element| self.may_lend(element)),
            Expr::Repeat(repeat) => self.may_lend(&repeat.expr),
            Expr::Macro(list) if list.mac.path.is_ident("vec") => macros::arguments(&list.mac)
                .is_some_and(|elements| elements.iter().any(|one| self.may_lend(one))),
            Expr::Block(block) => self.may_lend_at_end(&block.block),
            Expr::If(branch) => {
                let otherwise = branch.else_branch.as_ref().map(|(_, otherwise)| otherwise);
                self.may_lend_at_end(&branch.then_branch)
                    || otherwise.is_some_and(|otherwise| self.may_lend(otherwise))
            }
            Expr::Match(branches) => branches.arms.iter().any(|arm| self.may_lend(&arm.body)),
            _ => false,
        }
    }

    /// `cheapest(&flights)`, `Some(&flights[0])`; a closure may give of what it captures.
    fn may_lend_by_call(&self, call: &ExprCall) -> bool {
        self.is_closure(&call.func) || call.args.iter().any(|argument| self.may_lend(argument))
    }

    fn is_closure(&self, function: &Expr) -> bool {
        let Expr::Path(path) = unwrap(function) else { return false };
        self.local_of(path).is_some_and(|local| self.locals[local.0].concern == Some(Concern::Closure))
    }

    fn may_lend_at_end(&self, block: &Block) -> bool {
        matches!(block.stmts.last(), Some(Stmt::Expr(value, None)) if self.may_lend(value))
    }

    fn is_lent(&self, path: &ExprPath) -> bool {
        self.local_of(path).is_some_and(|local| {
            let local = &self.locals[local.0];
            local.way == Way::Lent || local.kind == LocalKind::Reference
        })
    }
}

/// `text.parse()`, of which an error may be lent.
fn is_parsed(value: &Expr) -> bool {
    matches!(unwrap(value), Expr::MethodCall(call) if call.method == "parse")
}

/// `Err(error)`: errors of the standard library travel by what they say.
fn is_failure(pattern: &Pat) -> bool {
    match pattern {
        Pat::TupleStruct(of) => of.path.segments.last().is_some_and(|last| last.ident == "Err"),
        Pat::Or(cases) => cases.cases.iter().any(is_failure),
        Pat::Paren(inner) => is_failure(&inner.pat),
        _ => false,
    }
}

/// `best: &Plan`.
pub(super) fn is_written_borrow(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Type(typed) if matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_none()))
}

/// `best: Option<&Plan>`.
pub(super) fn is_written_reference(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Type(typed) if shows_reference(&typed.ty))
}

pub(super) fn shows_reference(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return false };
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
            arguments
                .args
                .iter()
                .any(|argument| matches!(argument, syn::GenericArgument::Type(ty) if shows_reference(ty)))
        }
        Type::Tuple(tuple) => tuple.elems.iter().any(shows_reference),
        _ => false,
    }
}

/// `None`, `Vec::new()`, `BTreeMap::new()`, `vec![]`: only what happens to it later says of which type it is.
pub(super) fn is_untyped(value: &Expr) -> bool {
    match unwrap(value) {
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "None"),
        Expr::Macro(list) => list.mac.path.is_ident("vec") && list.mac.tokens.is_empty(),
        Expr::Call(call) => matches!(unwrap(&call.func), Expr::Path(path) if makes_empty(path)),
        _ => false,
    }
}

/// `Vec::new`, `HashMap::with_capacity`.
fn makes_empty(path: &ExprPath) -> bool {
    let mut segments = path.path.segments.iter().rev();
    let (Some(function), Some(of)) = (segments.next(), segments.next()) else { return false };
    let collections = ["Vec", "VecDeque", "BTreeMap", "BTreeSet", "HashMap", "HashSet"];
    collections.iter().any(|name| of.ident == name)
        && (function.ident == "new" || function.ident == "with_capacity")
}
