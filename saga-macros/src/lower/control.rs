//! Control flow around a suspension: branches, loops and jumps.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lifetime, Pat};

use super::jumps::Target;
use super::settle::Settled;
use super::shared::Done;
use super::{Lowerer, pattern};
use crate::flow::{BlockId, Event, Exit};
use crate::parse::places::is_place_form;
use crate::parse::{macros, suspension};
use crate::tree::{
    Apply, Arm, Block, Condition, Filled, For, If, LocalId, LocalKind, Match, Node, Statement, Temporary,
    marked,
};

impl Lowerer<'_> {
    pub(super) fn labelled_block(&mut self, expr: &syn::ExprBlock) -> Node {
        let label = expr.label.as_ref().map(|label| label.name.clone());
        let after = self.new_block();
        let target = Target { label: label.clone(), is_loop: false, breaks_to: after, continues_to: None };
        self.jumps.push(target);
        let block = self.block(&expr.block);
        self.jumps.pop();
        self.goto(after);
        Node::Block { label, block }
    }

    pub(super) fn if_node(&mut self, expr: &syn::ExprIf) -> Node {
        let mut condition = (*expr.cond).clone();
        let mut settled = self.settle_condition(&mut condition);
        let (otherwise, after) = (self.new_block(), self.new_block());
        let label = self.fresh_label("if");
        let (conditions, then) = self.scoped(|lowerer| {
            let mut conditions = Vec::new();
            lowerer.conditions(&condition, otherwise, &mut settled, &mut conditions);
            (conditions, lowerer.block(&expr.then_branch))
        });
        self.exit(Exit::Goto(after));
        self.current = otherwise;
        let otherwise = expr.else_branch.as_ref().map(|(_, value)| self.expression(value));
        self.goto(after);
        let branch = If { label, conditions, then, otherwise };
        self.after(settled.temporaries, Node::If(Box::new(branch)))
    }

    /// Settles the indices of the place that the first condition borrows; what a later one picks is counted from the
    /// same nought, whenever it is picked.
    fn settle_condition(&mut self, condition: &mut Expr) -> Settled {
        match condition {
            // No `let` is in one that is not of `&&`.
            Expr::Binary(binary) => {
                let mut settled = self.settle_condition(&mut binary.left);
                if let Expr::Let(later) = &mut *binary.right
                    && !names_what_is_bound(&later.expr, &binary.left)
                {
                    self.count_to_picked(&mut later.expr, &mut settled.temporaries);
                }
                settled
            }
            Expr::Let(condition) => self.settle_matched(&mut condition.expr, &condition.pat),
            _ => Settled::default(),
        }
    }

    /// A node after the temporaries that it needs.
    pub(super) fn after(&mut self, temporaries: Vec<Temporary>, node: Node) -> Node {
        if temporaries.is_empty() {
            return node;
        }
        let marker = self.fresh("hole");
        let whole = marked(&marker, marker.span());
        let filled = Filled::InPlace;
        Node::Apply(Box::new(Apply { temporaries, hole: node, whole, marker, filled }))
    }

    /// What is looked at: what it is made of is there until the end, and a place stays one.
    fn looked_at(&mut self, expr: &mut Expr, temporaries: &mut Vec<Temporary>) -> Node {
        let mut node = self.expression(expr);
        let Node::Apply(apply) = &mut node else { return node };
        temporaries.append(&mut apply.temporaries);
        if apply.filled == Filled::InPlace || !is_place_form(&apply.whole) {
            return node;
        }
        let local = self.add_local(apply.marker.clone(), false, LocalKind::Temporary);
        self.declare(local);
        self.event(Event::Define(local));
        let hole = std::mem::replace(&mut apply.hole, Node::Plain(syn::parse_quote!(())));
        temporaries.push(Temporary { local, value: hole });
        expr.clone_from(&apply.whole);
        Node::Plain(expr.clone())
    }

    /// The same after other conditions: what it is made of is bound between them.
    ///
    /// ```text
    /// [source]  if ready && let Some(plan) = plans[count()][elicit("which?").await?] { .. }
    /// [tree]    if ready && let __t1 = count() && let __t2 = ask && let Some(plan) = plans[__t1][__t2] { .. }
    /// ```
    fn looked_at_later(
        &mut self,
        expr: &mut Expr,
        pattern: &Pat,
        conditions: &mut Vec<Condition>,
    ) -> (Node, Option<Expr>) {
        let asks = suspension::suspends(expr);
        let Settled { mut temporaries, kept } =
            if asks { self.settle_matched(expr, pattern) } else { Settled::default() };
        self.done = Done::by_patterns([pattern]);
        let node = self.looked_at(expr, &mut temporaries);
        conditions.extend(temporaries.into_iter().map(|Temporary { local, value }| Condition {
            pattern: Some(self.name_pattern(local)),
            value,
            binds: vec![local],
        }));
        (node, kept)
    }

    /// The conditions of `a && let P = b && c`, in order; the first of them is settled, and adds what it needs before it.
    fn conditions(
        &mut self,
        condition: &Expr,
        otherwise: BlockId,
        settled: &mut Settled,
        conditions: &mut Vec<Condition>,
    ) {
        match condition {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                self.conditions(&binary.left, otherwise, settled, conditions);
                self.conditions(&binary.right, otherwise, settled, conditions);
            }
            Expr::Let(condition) => {
                let mut matched = (*condition.expr).clone();
                let (value, kept) = match &conditions[..] {
                    [] => {
                        self.done = Done::by_patterns([&*condition.pat]);
                        (self.looked_at(&mut matched, &mut settled.temporaries), settled.kept.take())
                    }
                    _ => self.looked_at_later(&mut matched, &condition.pat, conditions),
                };
                let parts = self.parts(&matched, &condition.pat, kept.as_ref());
                self.branch(otherwise);
                self.note_moved(self.moved_by(&condition.pat, &matched));
                let lends = self.may_lend_to(&condition.pat, &condition.expr);
                let iterator = self.drawn_from(&condition.pat, &condition.expr);
                let binds = self.bind_parts(parts);
                self.note_drawn(iterator, &binds);
                if lends {
                    self.note_lent(&binds);
                }
                let pattern = Some((*condition.pat).clone());
                conditions.push(Condition { pattern, value, binds });
            }
            other => {
                let value = self.expression(other);
                self.branch(otherwise);
                conditions.push(Condition { pattern: None, value, binds: Vec::new() });
            }
        }
    }

    pub(super) fn match_node(&mut self, expr: &syn::ExprMatch) -> Node {
        let mut matched = (*expr.expr).clone();
        let by_ref = expr.arms.iter().map(|arm| &arm.pat).find(|pattern| pattern::has_ref(pattern));
        let Settled { mut temporaries, kept } = match by_ref {
            Some(by_ref) => self.settle_matched(&mut matched, by_ref),
            None => self.settle(&mut matched),
        };
        self.done = Done::by_patterns(expr.arms.iter().map(|arm| &arm.pat));
        let scrutinee = self.looked_at(&mut matched, &mut temporaries);
        let arms = self.one_of(&expr.arms, |lowerer, arm, otherwise| {
            lowerer.arm(&matched, kept.as_ref(), arm, otherwise)
        });
        let (keyword, braces) = (expr.match_token, expr.brace_token);
        let branches = Match { keyword, scrutinee, arms, braces };
        self.after(temporaries, Node::Match(Box::new(branches)))
    }

    /// Records arms, of which control takes one. From a guard that does not hold it goes to an arm after that, or to the same
    /// one for another case of its pattern: `Some(n) | Ok(n) if ..`.
    pub(super) fn one_of<T>(
        &mut self,
        arms: &[syn::Arm],
        mut record: impl FnMut(&mut Self, &syn::Arm, Option<BlockId>) -> T,
    ) -> Vec<T> {
        let (start, after) = (self.current, self.new_block());
        let (mut recorded, mut starts, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for arm in arms {
            let block = self.new_block();
            starts.push(block);
            let otherwise = matches!(arm.pat, Pat::Guard(_)).then(|| self.new_block());
            refused.push(otherwise);
            self.current = block;
            recorded.push(self.scoped(|lowerer| record(lowerer, arm, otherwise)));
            self.exit(Exit::Goto(after));
        }
        for (index, otherwise) in refused.into_iter().enumerate() {
            if let Some(otherwise) = otherwise {
                self.current = otherwise;
                self.exit(Exit::Branch(starts[index..].to_vec()));
            }
        }
        self.current = start;
        self.exit(Exit::Branch(starts));
        self.current = after;
        recorded
    }

    fn arm(
        &mut self,
        scrutinee: &Expr,
        kept: Option<&Expr>,
        arm: &syn::Arm,
        otherwise: Option<BlockId>,
    ) -> Arm {
        let (unguarded, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
            pattern => (pattern, None),
        };
        let lends = self.may_lend_to(unguarded, scrutinee);
        let moved = self.moved_by(unguarded, scrutinee);
        let iterator = self.drawn_from(unguarded, scrutinee);
        let mut binds = self.bind_parts(self.parts(scrutinee, unguarded, kept));
        self.note_drawn(iterator, &binds);
        if lends {
            self.note_lent(&binds);
        }
        if let (Some(guard), Some(otherwise)) = (guard, otherwise) {
            binds.extend(self.guard(guard, otherwise));
        }
        self.note_moved(moved);
        let (attributes, pattern) = (arm.attrs.clone(), arm.pat.clone());
        Arm { attributes, pattern, body: self.expression(&arm.body), binds }
    }

    /// What a guard binds, `if let Some(plan) = plan_of(id)`, is there in the arm. It is held, for what it may borrow is
    /// what the arm is still to move.
    fn guard(&mut self, guard: &Expr, otherwise: BlockId) -> Vec<LocalId> {
        match guard {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                let mut binds = self.guard(&binary.left, otherwise);
                binds.extend(self.guard(&binary.right, otherwise));
                binds
            }
            Expr::Let(condition) => {
                self.trace_done(&condition.expr, Done::by_patterns([&*condition.pat]));
                self.branch(otherwise);
                self.note_moved(self.moved_by(&condition.pat, &condition.expr));
                let lends = self.may_lend_to(&condition.pat, &condition.expr);
                let binds = self.bind(&condition.pat, None);
                if lends {
                    self.note_lent(&binds);
                }
                binds
            }
            other => {
                self.trace(other);
                self.branch(otherwise);
                Vec::new()
            }
        }
    }

    pub(super) fn loop_node(&mut self, expr: &syn::ExprLoop) -> Node {
        let (head, after) = (self.new_block(), self.new_block());
        self.goto(head);
        let label = self.enter(expr.label.as_ref(), head, after);
        let body = self.block(&expr.body);
        self.jumps.pop();
        self.exit(Exit::Goto(head));
        self.current = after;
        Node::Loop { label, body }
    }

    /// `while c { .. }` is `loop { if c { .. } else { break } }`.
    pub(super) fn while_node(&mut self, expr: &syn::ExprWhile) -> Node {
        let (head, after) = (self.new_block(), self.new_block());
        self.goto(head);
        let label = self.enter(expr.label.as_ref(), head, after);
        let mut condition = (*expr.cond).clone();
        let mut settled = self.settle_condition(&mut condition);
        let (conditions, then) = self.scoped(|lowerer| {
            let mut conditions = Vec::new();
            lowerer.conditions(&condition, after, &mut settled, &mut conditions);
            (conditions, lowerer.block(&expr.body))
        });
        self.jumps.pop();
        self.exit(Exit::Goto(head));
        self.current = after;
        let otherwise = Some(Node::Plain(syn::parse_quote!(break #label)));
        let branch = If { label: self.fresh_label("if"), conditions, then, otherwise };
        let branch = self.after(settled.temporaries, Node::If(Box::new(branch)));
        let body = vec![Statement::Expression { node: Box::new(branch), semicolon: None }];
        Node::Loop { label, body: Block { at: expr.body.brace_token.span.join(), statements: body } }
    }

    pub(super) fn for_node(&mut self, expr: &syn::ExprForLoop) -> Node {
        if !suspension::block_suspends(&expr.body) {
            return self.for_over_answer(expr);
        }
        if let Some(other) = self.drawing_loop(expr).or_else(|| self.loop_beside(expr)) {
            return self.expression(&other);
        }
        let (mut source, sieve) = self.sifted(&expr.expr, &expr.body);
        let mut temporaries = Vec::new();
        self.keep_lenders(&mut source, &mut temporaries);
        temporaries.extend(self.settle(&mut source).temporaries);
        let position = self.position(&source);
        let source = self.expression(&source);
        let mut name = self.fresh("iterator");
        name.set_span(name.span().located_at(expr.expr.span()));
        let iterator = self.add_local(name.clone(), true, LocalKind::Iterator);
        self.event(Event::Define(iterator));
        self.group(syn::parse_quote!(#name), &[iterator], position.clone());
        let rebuild = position.clone().map(|mut rebuild| {
            rebuild.inputs.push(iterator);
            rebuild
        });
        if let Some(position) = position {
            self.positions.insert(iterator, position);
        }
        let (head, after) = (self.new_block(), self.new_block());
        self.goto(head);
        self.event(Event::Use(iterator));
        if let Some(sieve) = &sieve {
            self.trace(sieve);
        }
        self.branch(after);
        let label = self.enter(expr.label.as_ref(), head, after);
        let lends = self.may_lend(&expr.expr);
        let (binds, body) = self.scoped(|lowerer| {
            let binds = lowerer.bind(&expr.pat, rebuild);
            if lends {
                lowerer.note_lent(&binds);
            }
            (binds, lowerer.block(&expr.body))
        });
        self.jumps.pop();
        self.exit(Exit::Goto(head));
        self.current = after;
        let pattern = pattern::of_let((*expr.pat).clone());
        let node = For { label, pattern, binds, source, sieve, iterator, body };
        self.after(temporaries, Node::For(Box::new(node)))
    }

    /// A loop that only its source suspends in: the loop itself stays as it is.
    fn for_over_answer(&mut self, expr: &syn::ExprForLoop) -> Node {
        let mut before = Vec::new();
        let source = self.looked_at(&mut expr.expr.clone(), &mut before);
        let marker = self.fresh("hole");
        let mut whole = expr.clone();
        *whole.expr = marked(&marker, expr.expr.span());
        let whole = self.with_labels(&Expr::ForLoop(whole));
        self.trace(&whole);
        let (temporaries, filled) = (Vec::new(), Filled::InPlace);
        let over = Apply { temporaries, hole: source, whole, marker, filled };
        self.after(before, Node::Apply(Box::new(over)))
    }

    fn enter(&mut self, label: Option<&syn::Label>, head: BlockId, after: BlockId) -> Lifetime {
        let label = label.map_or_else(|| self.fresh_label("loop"), |label| label.name.clone());
        self.jumps.push(Target {
            label: Some(label.clone()),
            is_loop: true,
            breaks_to: after,
            continues_to: Some(head),
        });
        label
    }

    pub(super) fn break_node(&mut self, jump: &syn::ExprBreak) -> Node {
        let value = jump.expr.as_ref().expect("a `break` that suspends has an operand");
        let value = Box::new(self.expression(value));
        let target = self.target(jump.label.as_ref());
        let (label, breaks_to) =
            target.map_or((None, None), |target| (target.label.clone(), Some(target.breaks_to)));
        if let Some(breaks_to) = breaks_to {
            self.exit(Exit::Goto(breaks_to));
        }
        self.diverge();
        match label.or_else(|| jump.label.clone()) {
            Some(label) => Node::Break { label, value },
            // No loop around: rustc has the better message, on the author's own token.
            None => Node::Return { value },
        }
    }
}

/// Whether an expression names what one of the conditions before it binds.
fn names_what_is_bound(expr: &Expr, conditions: &Expr) -> bool {
    match conditions {
        Expr::Binary(binary) => {
            names_what_is_bound(expr, &binary.left) || names_what_is_bound(expr, &binary.right)
        }
        Expr::Let(condition) => {
            let names = macros::identifiers(&expr.to_token_stream());
            pattern::bindings(&condition.pat)
                .iter()
                .any(|binding| names.iter().any(|name| binding.name == name))
        }
        _ => false,
    }
}
