//! Lenders: values without a name that a chain of methods borrows from, `name().trim()`. In an expression they live as long
//! as the whole of it; a temporary with the chain alone would outlive them.

use syn::Expr;

use super::iterate::{ADAPTING, SIFTING, is_one_of};
use super::{Lowerer, guard, pure};
use crate::tree::Temporary;

/// Methods that take what they are called on, or whose value is of what that was made from.
const TAKING: [&str; 26] = [
    "and_then",
    "chain",
    "collect",
    "expect",
    "filter_map",
    "find",
    "flat_map",
    "fuse",
    "inspect",
    "into_iter",
    "into_keys",
    "into_values",
    "map",
    "map_err",
    "map_while",
    "next",
    "next_back",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "scan",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

/// Methods that do not change what they are called on, beside those that are known to [look](pure::looks).
const READING: [&str; 10] = [
    "as_path",
    "chunks",
    "chunks_exact",
    "lines",
    "range",
    "rchunks",
    "split",
    "split_whitespace",
    "values",
    "windows",
];

impl Lowerer<'_> {
    /// Keeps what a chain may borrow from in temporaries of its own, in the order in which they are evaluated. What
    /// looks like a guard is not kept: it would be there until the question.
    pub(super) fn keep_lenders(&mut self, chain: &mut Expr, temporaries: &mut Vec<Temporary>) {
        if !guard::is_taken_in(chain) {
            self.lenders(chain, temporaries);
        }
    }

    fn lenders(&mut self, chain: &mut Expr, temporaries: &mut Vec<Temporary>) {
        match chain {
            Expr::Paren(paren) => self.lenders(&mut paren.expr, temporaries),
            Expr::Try(question_mark) => self.lenders(&mut question_mark.expr, temporaries),
            Expr::Field(field) => self.keep_lender(&mut field.base, false, temporaries),
            Expr::MethodCall(call) => {
                if [&TAKING[..], &ADAPTING, &SIFTING].iter().any(|methods| is_one_of(call, methods)) {
                    self.lenders(&mut call.receiver, temporaries);
                } else {
                    let changes = !pure::looks(call) && !is_one_of(call, &READING);
                    self.keep_lender(&mut call.receiver, changes, temporaries);
                }
                self.keep_borrowed(call, temporaries);
            }
            _ => {}
        }
    }

    /// `names.difference(&others())`: what an argument borrows, if nothing is evaluated before it.
    fn keep_borrowed(&mut self, call: &mut syn::ExprMethodCall, temporaries: &mut Vec<Temporary>) {
        for argument in &mut call.args {
            match argument {
                Expr::Reference(reference) => {
                    self.keep_lender(&mut reference.expr, reference.mutability.is_some(), temporaries);
                }
                other if self.is_constant(other) => {}
                _ => return,
            }
        }
    }

    fn keep_lender(&mut self, lender: &mut Expr, changes: bool, temporaries: &mut Vec<Temporary>) {
        match lender {
            Expr::Paren(paren) => self.keep_lender(&mut paren.expr, changes, temporaries),
            Expr::Field(field) => self.keep_lender(&mut field.base, changes, temporaries),
            Expr::Index(index) => self.keep_lender(&mut index.expr, changes, temporaries),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.keep_lender(&mut unary.expr, changes, temporaries);
            }
            Expr::Path(_) | Expr::Verbatim(_) | Expr::Closure(_) | Expr::Reference(_) => {}
            // What is of a place is there without it.
            other if self.is_constant(other) || self.is_borrow(other) || self.is_iteration(other) => {}
            value => {
                self.lenders(value, temporaries);
                let temporary = self.hoist(value);
                let local = &mut self.locals[temporary.local.0];
                local.mutable |= changes && local.group.is_none();
                temporaries.push(temporary);
            }
        }
    }
}
