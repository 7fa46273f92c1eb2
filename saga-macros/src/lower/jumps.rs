//! Where `break` and `continue` go. In a loop that suspends each of them names its loop, so that it means the
//! same in every copy of the code.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lifetime};

use super::Lowerer;
use crate::flow::BlockId;
use crate::parse::macros;

/// Something that `break` or `continue` may leave.
pub(super) struct Target {
    pub(super) label: Option<Lifetime>,
    pub(super) is_loop: bool,
    pub(super) breaks_to: BlockId,
    /// `None` for a labelled block.
    pub(super) continues_to: Option<BlockId>,
}

impl Lowerer<'_> {
    /// The target of a jump with this label, or of one without: then the innermost loop.
    pub(super) fn target(&self, label: Option<&Lifetime>) -> Option<&Target> {
        let mut targets = self.jumps.iter().rev();
        match label {
            Some(label) => {
                targets.find(|target| target.label.as_ref().is_some_and(|own| own.ident == label.ident))
            }
            None => targets.find(|target| target.is_loop),
        }
    }

    /// The expression with every `break` and `continue` of the loop around it naming that loop.
    pub(super) fn with_labels(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        if let Some(Target { label: Some(label), .. }) = self.target(None) {
            Labels { label: label.clone() }.visit_expr_mut(&mut expr);
        }
        expr
    }
}

struct Labels {
    label: Lifetime,
}

impl VisitMut for Labels {
    fn visit_expr_break_mut(&mut self, jump: &mut syn::ExprBreak) {
        jump.label.get_or_insert_with(|| self.label.clone());
        visit_mut::visit_expr_break_mut(self, jump);
    }

    fn visit_expr_continue_mut(&mut self, jump: &mut syn::ExprContinue) {
        jump.label.get_or_insert_with(|| self.label.clone());
    }

    fn visit_expr_for_loop_mut(&mut self, inner: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut inner.expr);
    }

    fn visit_expr_while_mut(&mut self, _: &mut syn::ExprWhile) {}

    fn visit_expr_loop_mut(&mut self, _: &mut syn::ExprLoop) {}

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        macros::for_each_argument_mut(mac, &["break", "continue"], |argument| self.visit_expr_mut(argument));
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
