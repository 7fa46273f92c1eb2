//! Whether control can come out of code that cannot suspend. It must find every end that [`crate::lower`] gives the
//! graph: behind one, locals are not live, and code that names them must not be written.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

use crate::parse::{attributes, macros};

/// Whether control never comes out of the expression.
pub(super) fn diverges(expr: &Expr) -> bool {
    !attributes::is_conditional_expression(expr) && diverges_present(expr)
}

fn diverges_present(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Paren(inner) => diverges(&inner.expr),
        Expr::Block(inner) => {
            block_diverges(&inner.block)
                && inner.label.as_ref().is_none_or(|label| !breaks(expr, &label.name))
        }
        Expr::Unsafe(inner) => block_diverges(&inner.block),
        Expr::If(branch) => {
            let otherwise = branch.else_branch.as_ref().is_some_and(|(_, otherwise)| diverges(otherwise));
            diverges(&branch.cond) || block_diverges(&branch.then_branch) && otherwise
        }
        Expr::Match(branch) => diverges(&branch.expr) || branch.arms.iter().all(|arm| diverges(&arm.body)),
        Expr::Loop(inner) => !leaves_loop(inner),
        Expr::Assign(assign) => diverges(&assign.right),
        Expr::Call(call) => call.args.iter().any(diverges),
        Expr::MethodCall(call) => diverges(&call.receiver) || call.args.iter().any(diverges),
        _ => false,
    }
}

fn block_diverges(block: &Block) -> bool {
    block.stmts.iter().any(|statement| match statement {
        Stmt::Expr(expr, _) => diverges(expr),
        Stmt::Local(local) => {
            !attributes::is_conditional(&local.attrs)
                && local.init.as_ref().is_some_and(|init| diverges(&init.expr))
        }
        Stmt::Item(_) | Stmt::Macro(_) => false,
    })
}

fn breaks(expr: &Expr, label: &syn::Lifetime) -> bool {
    let mut jumps = Jumps { label: Some(label), depth: 1, found: false };
    visit::visit_expr(&mut jumps, expr);
    jumps.found
}

fn leaves_loop(expr: &syn::ExprLoop) -> bool {
    let mut jumps = Jumps { label: expr.label.as_ref().map(|label| &label.name), depth: 0, found: false };
    visit::visit_block(&mut jumps, &expr.body);
    jumps.found
}

/// Finds a `break` of a label or, outside of inner loops, one without.
struct Jumps<'a> {
    label: Option<&'a syn::Lifetime>,
    depth: usize,
    found: bool,
}

impl Jumps<'_> {
    fn deeper(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

impl<'ast> Visit<'ast> for Jumps<'_> {
    fn visit_expr_break(&mut self, jump: &'ast syn::ExprBreak) {
        self.found |= match &jump.label {
            Some(label) => self.label.is_some_and(|own| own.ident == label.ident),
            None => self.depth == 0,
        };
        visit::visit_expr_break(self, jump);
    }

    fn visit_expr_loop(&mut self, inner: &'ast syn::ExprLoop) {
        self.deeper(|jumps| visit::visit_expr_loop(jumps, inner));
    }

    fn visit_expr_while(&mut self, inner: &'ast syn::ExprWhile) {
        self.deeper(|jumps| visit::visit_expr_while(jumps, inner));
    }

    fn visit_expr_for_loop(&mut self, inner: &'ast syn::ExprForLoop) {
        self.deeper(|jumps| visit::visit_expr_for_loop(jumps, inner));
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let named =
            |label: &syn::Lifetime| macros::labels(&mac.tokens).iter().any(|name| label.ident == name);
        self.found |= macros::may_jump(mac) && (self.depth == 0 || self.label.is_some_and(named));
        macros::for_each_argument(mac, &["break"], |argument| {
            let mut jumps = Jumps { found: false, ..*self };
            jumps.visit_expr(argument);
            self.found |= jumps.found;
        });
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a macro in what is written may hide a `break` or a `continue`.
pub(super) fn may_hide_a_jump(written: &TokenStream) -> bool {
    struct Hides(bool);
    impl<'ast> Visit<'ast> for Hides {
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.0 |= macros::may_jump(mac);
            for argument in macros::arguments(mac).into_iter().flatten() {
                let mut inside = Hides(false);
                inside.visit_expr(&argument);
                self.0 |= inside.0;
            }
        }
    }
    let Ok(block) = syn::parse2::<Block>(quote!({ #written })) else { return true };
    let mut hides = Hides(false);
    hides.visit_block(&block);
    hides.0
}
