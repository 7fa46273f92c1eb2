//! Parameters that may be changed without `mut`: what has a cell inside is changed through a shared reference, `see(&plan)`.
//! Whether there is one its type says, which only rustc knows; here is seen of which parameters it need be asked.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Macro, Pat};

use super::operands::root_of;
use super::pure;
use crate::parse::macros;
use crate::parse::places::unwrap;

/// Methods of cells, which take nothing out of what they are called on.
const OF_CELLS: [&str; 14] = [
    "borrow",
    "borrow_mut",
    "fetch_add",
    "fetch_sub",
    "get_or_init",
    "load",
    "lock",
    "read",
    "replace",
    "set",
    "store",
    "swap",
    "update",
    "write",
];

/// The names of what may be changed through shared references. Of what is taken in parts there is no whole to look at.
pub(super) fn changed_through_references(block: &Block) -> BTreeSet<String> {
    let mut uses = Uses::default();
    uses.visit_block(block);
    &uses.shared - &uses.parted
}

#[derive(Default)]
struct Uses {
    shared: BTreeSet<String>,
    parted: BTreeSet<String>,
}

impl Uses {
    /// A place that is looked at where it is, and not taken.
    fn place(&mut self, place: &Expr) {
        match place {
            Expr::Path(_) => {}
            Expr::Field(field) => self.place(&field.base),
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Index(index) => {
                self.place(&index.expr);
                self.visit_expr(&index.index);
            }
            value => self.visit_expr(value),
        }
    }

    fn share(&mut self, place: &Expr) {
        self.shared.extend(root_of(place));
        self.place(place);
    }

    /// What a pattern takes apart.
    fn take_apart(&mut self, value: &Expr) {
        self.parted.extend(root_of(value));
        self.visit_expr(value);
    }

    /// A field by itself, which may be moved out.
    fn take_field(&mut self, field: &Expr) {
        self.parted.extend(root_of(field));
        self.place(field);
    }

    /// Code of which is not known what it takes.
    fn take_all(&mut self, code: &impl ToTokens) {
        self.parted.extend(macros::identifiers(&code.to_token_stream()).iter().map(ToString::to_string));
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Reference(reference) => self.share(&reference.expr),
            Expr::MethodCall(call) => {
                let is_part = matches!(unwrap(&call.receiver), Expr::Field(_) | Expr::Index(_));
                let leaves = pure::looks(call) || OF_CELLS.contains(&call.method.to_string().as_str());
                if is_part && !leaves {
                    self.parted.extend(root_of(&call.receiver));
                }
                if pure::looks(call) {
                    self.place(&call.receiver);
                } else {
                    self.share(&call.receiver);
                }
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Field(_) => self.take_field(expr),
            Expr::Index(_) => self.place(expr),
            Expr::Unary(unary) => self.place(&unary.expr),
            Expr::Cast(cast) => self.place(&cast.expr),
            Expr::Binary(binary) => {
                match binary.op {
                    // A text takes what is added to it.
                    BinOp::Add(_) => self.visit_expr(&binary.left),
                    _ => self.place(&binary.left),
                }
                self.place(&binary.right);
            }
            Expr::Match(branches) => {
                self.take_apart(&branches.expr);
                branches.arms.iter().for_each(|arm| self.visit_arm(arm));
            }
            Expr::Let(condition) => self.take_apart(&condition.expr),
            Expr::Struct(literal) => {
                literal.rest.iter().for_each(|base| self.take_apart(base));
                literal.fields.iter().for_each(|field| self.visit_expr(&field.expr));
            }
            Expr::Closure(closure) if closure.capture.is_some() => self.take_all(closure),
            Expr::Async(block) if block.capture.is_some() => self.take_all(block),
            other => visit::visit_expr(self, other),
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        match (&local.init, &local.pat) {
            (Some(init), Pat::Ident(_)) => self.visit_expr(&init.expr),
            (Some(init), Pat::Type(typed)) if matches!(*typed.pat, Pat::Ident(_)) => {
                self.visit_expr(&init.expr);
            }
            (Some(init), _) => self.take_apart(&init.expr),
            (None, _) => {}
        }
        if let Some((_, otherwise)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            self.visit_expr(otherwise);
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        match macros::arguments(mac) {
            Some(arguments) if !mac.path.is_ident("vec") => {
                for argument in &arguments {
                    match argument {
                        Expr::Assign(named) => self.place(&named.right),
                        other => self.place(other),
                    }
                }
            }
            Some(arguments) => arguments.iter().for_each(|argument| self.visit_expr(argument)),
            None => self.take_all(&mac.tokens),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
