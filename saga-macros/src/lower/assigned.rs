//! Which locals an expression assigns.

use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro, Pat};

use super::pattern;
use crate::parse::places::is_compound;
use crate::parse::{macros, plain_name};

/// The names of locals that an expression assigns or borrows mutably, wholly or in part; not those of its own.
pub(super) fn assigned_in(body: &Expr) -> Vec<String> {
    let mut assigned = Assigned::default();
    assigned.visit_expr(body);
    assigned.names
}

/// The same of a block.
pub(super) fn assigned_in_block(body: &Block) -> Vec<String> {
    let mut assigned = Assigned::default();
    assigned.visit_block(body);
    assigned.names
}

#[derive(Default)]
struct Assigned {
    names: Vec<String>,
    /// Names that mean another local here, one that the expression has itself.
    own: Vec<String>,
}

impl Assigned {
    fn root(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => {
                let name = path.path.get_ident().map(plain_name);
                self.names.extend(name.filter(|name| !self.own.contains(name)));
            }
            Expr::Field(field) => self.root(&field.base),
            Expr::Index(index) => self.root(&index.expr),
            Expr::Paren(paren) => self.root(&paren.expr),
            Expr::Unary(unary) => self.root(&unary.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|element| self.root(element)),
            _ => {}
        }
    }

    fn bind(&mut self, pattern: &Pat) {
        self.own.extend(pattern::bindings(pattern).into_iter().map(|binding| plain_name(&binding.name)));
    }

    /// What is bound inside is not seen outside.
    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.own.len();
        visit(self);
        self.own.truncate(outside);
    }
}

impl<'ast> Visit<'ast> for Assigned {
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.root(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if is_compound(&binary.op) {
            self.root(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.root(&reference.expr);
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(arguments) = macros::arguments(mac) {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.scoped(|assigned| visit::visit_block(assigned, block));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        self.bind(&local.pat);
    }

    fn visit_expr_if(&mut self, expr: &'ast syn::ExprIf) {
        self.scoped(|assigned| {
            assigned.visit_expr(&expr.cond);
            assigned.visit_block(&expr.then_branch);
        });
        expr.else_branch.iter().for_each(|(_, otherwise)| self.visit_expr(otherwise));
    }

    fn visit_expr_while(&mut self, expr: &'ast syn::ExprWhile) {
        self.scoped(|assigned| visit::visit_expr_while(assigned, expr));
    }

    /// `if let` and `while let`: bound until the end of their bodies.
    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        visit::visit_expr_let(self, expr);
        self.bind(&expr.pat);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scoped(|assigned| {
            assigned.bind(&arm.pat);
            visit::visit_arm(assigned, arm);
        });
    }

    fn visit_expr_for_loop(&mut self, expr: &'ast syn::ExprForLoop) {
        self.visit_expr(&expr.expr);
        self.scoped(|assigned| {
            assigned.bind(&expr.pat);
            assigned.visit_block(&expr.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.scoped(|assigned| {
            closure.inputs.iter().for_each(|input| assigned.bind(input));
            assigned.visit_expr(&closure.body);
        });
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
