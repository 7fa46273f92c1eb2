//! What an expression may change by more than an assignment: what methods are called on that are not known only to look,
//! and what functions are given.

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, ExprMethodCall, Macro, Token};

use super::changed::Part;
use super::pure;
use crate::parse::macros;
use crate::parse::places::{is_place_form, unwrap};

pub(super) fn touched_in(expr: &Expr) -> Vec<Part> {
    let mut touched = Touched::default();
    touched.visit_expr(expr);
    touched.parts
}

/// The same of a block.
pub(super) fn touched_in_block(block: &Block) -> Vec<Part> {
    let mut touched = Touched::default();
    touched.visit_block(block);
    touched.parts
}

#[derive(Default)]
struct Touched {
    parts: Vec<Part>,
}

impl Touched {
    /// `step(cursor)`, which may take a mutable reference on, and `step(&mut cursor)`.
    fn give(&mut self, arguments: &Punctuated<Expr, Token![,]>) {
        let places = arguments.iter().map(|argument| match unwrap(argument) {
            Expr::Reference(reference) if reference.mutability.is_some() => &reference.expr,
            given => given,
        });
        let places = places.filter(|place| is_place_form(place));
        self.parts.extend(places.filter_map(Part::of));
    }
}

impl<'ast> Visit<'ast> for Touched {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        visit::visit_expr_method_call(self, call);
        if !pure::looks(call) {
            self.parts.extend(Part::of(&call.receiver));
        }
        self.give(&call.args);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        visit::visit_expr_call(self, call);
        self.give(&call.args);
        // A closure may change what it captures, and a name in it is met where it is made.
        self.parts.extend(Part::of(&call.func));
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        match macros::arguments(mac) {
            Some(arguments) => arguments.iter().for_each(|argument| self.visit_expr(argument)),
            None => self.parts.extend(macros::identifiers(&mac.tokens).into_iter().map(Part::whole)),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
