//! Chains of adaptors whose next one asks: `items.iter().map(size).take(elicit(..).await?)`. To make an adaptor runs
//! nothing of it, so the chain is made after the question, if the iterator that it begins with can be made again. Of
//! another iterator the remaining items travel.

use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

use super::iterate::{ITERATING, PARTING, is_one_of, may_iterate};
use super::{Lowerer, Place};
use crate::parse::places::{is_place_form, unwrap};
use crate::tree::Temporary;

/// Adaptors that do nothing until they are asked for an item, each with a closure, or with nothing.
const LAZY: [&str; 14] = [
    "cloned",
    "copied",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "fuse",
    "inspect",
    "map",
    "map_while",
    "rev",
    "skip_while",
    "take_while",
];

/// Methods of texts and lists that do nothing until they are asked for an item.
const SPLITTING: [&str; 9] = [
    "match_indices",
    "matches",
    "rsplit",
    "rsplitn",
    "split",
    "split_ascii_whitespace",
    "split_inclusive",
    "split_terminator",
    "splitn",
];

impl Lowerer<'_> {
    /// Whether an operand is a chain of adaptors over an iterator that can be made again.
    pub(super) fn is_lazy(&self, operand: &Expr) -> bool {
        let Expr::MethodCall(call) = unwrap(operand) else { return false };
        let adapts = is_one_of(call, &["skip", "take"])
            || is_one_of(call, &LAZY) && call.args.iter().all(|adaptor| self.is_made_later(adaptor));
        self.splits(call) || adapts && (self.is_iteration(&call.receiver) || self.is_lazy(&call.receiver))
    }

    /// `text.split(' ')`, which can be made again where `text` is one.
    fn splits(&self, call: &ExprMethodCall) -> bool {
        is_one_of(call, &SPLITTING)
            && is_place_form(&call.receiver)
            && call.args.iter().all(|argument| self.is_constant(argument))
    }

    /// A closure that copies nothing when it is made, or a function.
    fn is_made_later(&self, adaptor: &Expr) -> bool {
        match unwrap(adaptor) {
            Expr::Closure(closure) => closure.capture.is_none(),
            function => self.is_constant(function),
        }
    }

    /// Moves what a chain begins with into a temporary, and leaves the rest where it stands.
    pub(super) fn settle_lazy(&mut self, operand: &mut Expr, temporaries: &mut Vec<Temporary>) {
        if self.is_iteration(operand) {
            temporaries.push(self.hoist(operand));
            return;
        }
        match operand {
            Expr::Paren(paren) => self.settle_lazy(&mut paren.expr, temporaries),
            Expr::MethodCall(call) if self.splits(call) => {
                self.settle_place(&mut call.receiver, false, temporaries);
                temporaries.push(self.hoist_split(operand));
            }
            Expr::MethodCall(call) => {
                self.settle_lazy(&mut call.receiver, temporaries);
                for argument in &mut call.args {
                    self.operand_value(argument, temporaries);
                }
            }
            _ => {}
        }
    }

    fn hoist_split(&mut self, split: &mut Expr) -> Temporary {
        let (again, place) = (self.rebuild_of(split), Place { mutable: true, span: split.span() });
        let node = self.expression(split);
        let temporary = self.temporary(node, Some(again), place);
        let name = &self.locals[temporary.local.0].name;
        *split = syn::parse_quote!(#name);
        temporary
    }
}

/// Whether a value is an iterator, as its methods say: `list.into_iter().map(size)`, but not `option.map(size)`.
pub(super) fn iterates(value: &Expr) -> bool {
    let Expr::MethodCall(call) = unwrap(value) else { return false };
    let begins = is_one_of(call, &ITERATING)
        || is_one_of(call, &PARTING)
        || is_one_of(call, &SPLITTING)
        || is_one_of(call, &["drain", "into_iter", "into_keys", "into_values"]);
    begins || may_iterate(value) && iterates(&call.receiver)
}
