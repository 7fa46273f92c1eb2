//! Code that cannot suspend, as events of the graph: what it uses and defines, in the order in which it runs.

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Ident, Macro, Pat, Stmt, UnOp};

use super::assigned::assigned_in;
use super::jumps::Target;
use super::shared::Done;
use super::{Lowerer, pattern};
use crate::flow::{Event, Exit};
use crate::parse::places::is_compound;
use crate::parse::{attributes, macros, plain_name};
use crate::tree::{Local, LocalKind};

impl Lowerer<'_> {
    /// Records what an expression does.
    pub(super) fn trace(&mut self, expr: &Expr) {
        let is_conditional = attributes::is_conditional_expression(expr);
        self.perhaps(is_conditional, |lowerer| lowerer.trace_present(expr));
        if is_conditional {
            self.define_deferred(&assigned_in(expr));
        }
    }

    /// What is assigned once has no value before: where one case assigns it, the other cases do, too.
    fn define_deferred(&mut self, names: &[String]) {
        for local in names.iter().filter_map(|name| self.resolve(name)).collect::<Vec<_>>() {
            let Local { mutable, kind, group, .. } = &self.locals[local.0];
            if !mutable && *kind == LocalKind::Bound && group.is_none() {
                self.event(Event::Define(local));
            }
        }
    }

    /// Records what is done by something that a `#[cfg]` may take away: control may also go past it.
    pub(super) fn perhaps<T>(&mut self, is_conditional: bool, record: impl FnOnce(&mut Self) -> T) -> T {
        if !is_conditional {
            return record(self);
        }
        let (present, after) = (self.new_block(), self.new_block());
        self.exit(Exit::Branch(vec![present, after]));
        self.current = present;
        let recorded = record(self);
        self.goto(after);
        recorded
    }

    /// The same of what something is done with.
    pub(super) fn trace_done(&mut self, expr: &Expr, done: Done) {
        self.done = done;
        self.trace(expr);
    }

    fn trace_present(&mut self, expr: &Expr) {
        let done = std::mem::take(&mut self.done);
        match expr {
            Expr::Path(path) => match self.local_of(path) {
                Some(local) => {
                    self.event(Event::Use(local));
                    self.note_whole(local, done);
                }
                None => self.refuse_unseen(path),
            },
            Expr::Paren(paren) => self.trace_done(&paren.expr, done),
            Expr::Field(field) => {
                self.note_part(expr, done);
                self.trace_done(&field.base, Done::NOTED);
            }
            Expr::Index(index) => {
                self.note_part(expr, done.in_element());
                self.trace_done(&index.expr, Done::NOTED);
                self.trace(&index.index);
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.note_part(expr, done);
                self.trace_done(&unary.expr, Done::NOTED);
            }
            Expr::Unary(unary) => self.trace_done(&unary.expr, Done::LOOK),
            Expr::Cast(cast) => self.trace_done(&cast.expr, Done::LOOK),
            Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if self.local_of(path).is_none()) => {
                call.args.iter().for_each(|argument| self.trace(argument));
            }
            Expr::Assign(assign) => {
                self.trace(&assign.right);
                self.trace_assigned(&assign.left);
            }
            Expr::Binary(binary) => self.trace_binary(binary),
            Expr::If(expr) => self.trace_if(expr),
            Expr::Match(expr) => self.trace_match(expr),
            Expr::Block(expr) => {
                let after = self.new_block();
                self.jumps.push(Target {
                    label: expr.label.as_ref().map(|label| label.name.clone()),
                    is_loop: false,
                    breaks_to: after,
                    continues_to: None,
                });
                self.trace_block(&expr.block);
                self.jumps.pop();
                self.goto(after);
            }
            Expr::Unsafe(expr) => self.trace_block(&expr.block),
            Expr::Loop(expr) => self.trace_loop(expr.label.as_ref(), None, &expr.body),
            Expr::While(expr) => self.trace_loop(expr.label.as_ref(), Some(&expr.cond), &expr.body),
            Expr::ForLoop(expr) => self.trace_for(expr),
            Expr::Break(jump) => self.trace_break(jump),
            Expr::Continue(jump) => {
                if let Some(target) = self.target(jump.label.as_ref()).and_then(|target| target.continues_to)
                {
                    self.exit(Exit::Goto(target));
                }
                self.diverge();
            }
            Expr::Return(expr) => {
                expr.expr.iter().for_each(|value| self.trace(value));
                self.exit(Exit::Return);
                self.diverge();
            }
            Expr::Closure(closure) => self.scoped(|lowerer| {
                for input in &closure.inputs {
                    lowerer.hide_pattern(input);
                }
                lowerer.use_all(&closure.body, closure.capture.is_some());
            }),
            Expr::Async(block) => {
                self.scoped(|lowerer| {
                    let body = syn::ExprBlock { attrs: Vec::new(), label: None, block: block.block.clone() };
                    lowerer.use_all(&Expr::Block(body), block.capture.is_some());
                });
            }
            Expr::Macro(expr) => self.trace_macro(&expr.mac),
            Expr::Reference(reference) => {
                self.trace_done(&reference.expr, Done::SHARE);
                // Through a mutable borrow the local may become another value.
                match (reference.mutability, &*reference.expr) {
                    (Some(_), Expr::Path(path)) => {
                        if let Some(local) = self.local_of(path) {
                            self.event(Event::Assign(local));
                        }
                    }
                    (Some(_), part) => self.note_changed(part),
                    (None, _) => {}
                }
            }
            Expr::MethodCall(call) => {
                self.trace_done(&call.receiver, Done::by_method(call));
                call.args.iter().for_each(|argument| self.trace(argument));
                if let Some(local) = self.moved_on_by(call) {
                    self.event(Event::Assign(local));
                }
            }
            Expr::Verbatim(tokens) => self.use_tokens(tokens),
            other => self.trace_parts(other),
        }
    }

    /// The parts of an expression whose own evaluation is of no matter, in source order, which is evaluation order.
    fn trace_parts(&mut self, expr: &Expr) {
        struct Parts<'a, 'd>(&'a mut Lowerer<'d>);
        impl<'ast> Visit<'ast> for Parts<'_, '_> {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.0.trace(expr);
            }
            fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
                literal.fields.iter().for_each(|field| self.visit_field_value(field));
                if let Some(base) = &literal.rest {
                    self.0.trace_done(base, Done::PART);
                    self.0.note_base(base, literal);
                }
            }
            fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
                let is_conditional = attributes::is_conditional(&field.attrs);
                self.0.perhaps(is_conditional, |lowerer| lowerer.trace(&field.expr));
            }
            fn visit_item(&mut self, _: &'ast syn::Item) {}
            fn visit_type(&mut self, _: &'ast syn::Type) {}
        }
        visit::visit_expr(&mut Parts(self), expr);
    }

    /// The target of an assignment: a whole local gets a new value, a part of one is a use of it.
    pub(super) fn trace_assigned(&mut self, target: &Expr) {
        match target {
            Expr::Path(path) => {
                if let Some(local) = self.local_of(path) {
                    self.event(Event::Define(local));
                    self.event(Event::Assign(local));
                }
            }
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.trace_assigned(part)),
            Expr::Array(array) => array.elems.iter().for_each(|part| self.trace_assigned(part)),
            Expr::Paren(paren) => self.trace_assigned(&paren.expr),
            Expr::Infer(_) => {}
            other => {
                self.trace(other);
                self.note_changed(other);
            }
        }
    }

    fn trace_binary(&mut self, binary: &syn::ExprBinary) {
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                self.trace(&binary.left);
                let (right, after) = (self.new_block(), self.new_block());
                self.exit(Exit::Branch(vec![right, after]));
                self.current = right;
                self.trace(&binary.right);
                self.goto(after);
            }
            _ => {
                // A text takes what is added to it.
                let left = if matches!(binary.op, BinOp::Add(_)) { Done::default() } else { Done::LOOK };
                self.trace_done(&binary.left, left);
                self.trace_done(&binary.right, Done::LOOK);
                if is_compound(&binary.op)
                    && let Expr::Path(path) = &*binary.left
                    && let Some(local) = self.local_of(path)
                {
                    self.event(Event::Assign(local));
                }
            }
        }
    }

    fn trace_if(&mut self, expr: &syn::ExprIf) {
        let (otherwise, after) = (self.new_block(), self.new_block());
        self.scoped(|lowerer| {
            lowerer.trace_condition(&expr.cond, otherwise);
            lowerer.trace_block(&expr.then_branch);
        });
        self.exit(Exit::Goto(after));
        self.current = otherwise;
        if let Some((_, value)) = &expr.else_branch {
            self.trace(value);
        }
        self.goto(after);
    }

    /// A condition: goes on where it holds, to `otherwise` where it does not. Binds its patterns.
    fn trace_condition(&mut self, condition: &Expr, otherwise: crate::flow::BlockId) {
        match condition {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                self.trace_condition(&binary.left, otherwise);
                self.trace_condition(&binary.right, otherwise);
            }
            Expr::Let(condition) => {
                self.trace_done(&condition.expr, Done::by_patterns([&*condition.pat]));
                self.branch(otherwise);
                self.note_moved(self.moved_by(&condition.pat, &condition.expr));
                self.hide_pattern(&condition.pat);
            }
            other => {
                self.trace(other);
                self.branch(otherwise);
            }
        }
    }

    /// Goes on in a new block, or to `otherwise`.
    pub(super) fn branch(&mut self, otherwise: crate::flow::BlockId) {
        let next = self.new_block();
        self.exit(Exit::Branch(vec![next, otherwise]));
        self.current = next;
    }

    fn trace_match(&mut self, expr: &syn::ExprMatch) {
        self.trace_done(&expr.expr, Done::by_patterns(expr.arms.iter().map(|arm| &arm.pat)));
        self.one_of(&expr.arms, |lowerer, arm, otherwise| {
            let moved = lowerer.moved_by(&arm.pat, &expr.expr);
            lowerer.hide_pattern(&arm.pat);
            if let (Pat::Guard(guarded), Some(otherwise)) = (&arm.pat, otherwise) {
                lowerer.trace_condition(&guarded.guard, otherwise);
            }
            lowerer.note_moved(moved);
            lowerer.trace(&arm.body);
        });
    }

    fn trace_loop(&mut self, label: Option<&syn::Label>, condition: Option<&Expr>, body: &syn::Block) {
        let (head, after) = (self.new_block(), self.new_block());
        self.goto(head);
        self.enter_loop(label, head, after);
        self.scoped(|lowerer| {
            if let Some(condition) = condition {
                lowerer.trace_condition(condition, after);
            }
            lowerer.trace_block(body);
        });
        self.jumps.pop();
        self.exit(Exit::Goto(head));
        self.current = after;
    }

    fn trace_for(&mut self, expr: &syn::ExprForLoop) {
        self.trace(&expr.expr);
        let (head, after) = (self.new_block(), self.new_block());
        self.goto(head);
        self.branch(after);
        self.enter_loop(expr.label.as_ref(), head, after);
        self.scoped(|lowerer| {
            lowerer.hide_pattern(&expr.pat);
            lowerer.trace_block(&expr.body);
        });
        self.jumps.pop();
        self.exit(Exit::Goto(head));
        self.current = after;
    }

    fn enter_loop(
        &mut self,
        label: Option<&syn::Label>,
        head: crate::flow::BlockId,
        after: crate::flow::BlockId,
    ) {
        self.jumps.push(Target {
            label: label.map(|label| label.name.clone()),
            is_loop: true,
            breaks_to: after,
            continues_to: Some(head),
        });
    }

    fn trace_break(&mut self, jump: &syn::ExprBreak) {
        jump.expr.iter().for_each(|value| self.trace(value));
        if let Some(target) = self.target(jump.label.as_ref()).map(|target| target.breaks_to) {
            self.exit(Exit::Goto(target));
        }
        self.diverge();
    }

    fn trace_block(&mut self, block: &syn::Block) {
        self.scoped(|lowerer| block.stmts.iter().for_each(|statement| lowerer.trace_statement(statement)));
    }

    fn trace_statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Item(item) => self.note_macro(item),
            Stmt::Expr(expr, _) => self.trace(expr),
            Stmt::Macro(statement) => {
                let is_conditional = attributes::is_conditional(&statement.attrs);
                self.perhaps(is_conditional, |lowerer| lowerer.trace_macro(&statement.mac));
            }
            Stmt::Local(local) => {
                let is_conditional = attributes::is_conditional(&local.attrs);
                if let Some(init) = &local.init {
                    self.perhaps(is_conditional, |lowerer| {
                        lowerer.trace_done(&init.expr, Done::by_patterns([&local.pat]));
                    });
                    if let Some((_, otherwise)) = &init.diverge {
                        let (aside, ahead) = (self.new_block(), self.new_block());
                        self.exit(Exit::Branch(vec![aside, ahead]));
                        self.current = aside;
                        self.trace(otherwise);
                        self.current = ahead;
                    }
                    self.note_moved(self.moved_by_let(local, &init.expr));
                }
                if is_conditional {
                    self.may_mean_outside(&pattern::names(&local.pat));
                }
                self.hide_pattern(&local.pat);
            }
        }
    }

    /// Names that a `#[cfg]` may leave to what they mean outside, which is used and assigned by them then.
    pub(super) fn may_mean_outside(&mut self, names: &[Ident]) {
        for local in names.iter().filter_map(|name| self.resolve(&plain_name(name))).collect::<Vec<_>>() {
            self.event(Event::Use(local));
            self.event(Event::Assign(local));
        }
    }

    /// Names that only code without suspensions sees: they hide what they shadow.
    fn hide_pattern(&mut self, pattern: &Pat) {
        self.may_mean_outside(&pattern::conditional(pattern));
        for binding in pattern::bindings(pattern) {
            self.hide(plain_name(&binding.name));
        }
    }

    // Macros, closures: everything named is used.

    pub(super) fn trace_macro(&mut self, mac: &Macro) {
        if let Some(name) = mac.path.get_ident() {
            self.use_macros(&[plain_name(name)]);
        }
        let Some(arguments) = macros::arguments(mac) else {
            self.use_tokens(&mac.tokens);
            return self.maybe_jump(mac);
        };
        for (argument, is_borrowed) in arguments.iter().zip(macros::borrowed(mac)) {
            let done = if is_borrowed { Done::LOOK } else { Done::default() };
            match argument {
                // `format!("{name}", name = value)`: an argument's name, not an assignment.
                Expr::Assign(named) => self.trace_done(&named.right, done),
                other => self.trace_done(other, done),
            }
        }
        self.refuse_unseen_captured(mac);
        self.use_names(macros::captured(&mac.tokens), Done::LOOK);
    }

    /// A macro of which nothing is known may hide a `break` or a `continue`, also by a label that it is given.
    fn maybe_jump(&mut self, mac: &Macro) {
        if !macros::may_jump(mac) {
            return;
        }
        let named = macros::labels(&mac.tokens);
        let is_named = |target: &&Target| {
            target.label.as_ref().is_some_and(|label| named.iter().any(|name| label.ident == name))
        };
        let targets = self.target(None).into_iter().chain(self.jumps.iter().filter(is_named));
        let (mut jumps, mut opaque) = (Vec::new(), Vec::new());
        for Target { label, is_loop, breaks_to, continues_to } in targets {
            jumps.extend(std::iter::once(*breaks_to).chain(*continues_to));
            opaque.extend(label.iter().filter(|_| *is_loop).map(|label| label.ident.to_string()));
        }
        if jumps.is_empty() {
            return;
        }
        self.opaque.extend(opaque);
        let next = self.new_block();
        self.exit(Exit::Branch(std::iter::once(next).chain(jumps).collect()));
        self.current = next;
    }

    fn use_tokens(&mut self, tokens: &TokenStream) {
        let names = macros::identifiers(tokens);
        self.use_macros(&names);
        self.use_names(names, Done::ANYTHING);
        self.use_names(macros::captured(tokens), Done::ANYTHING);
    }

    fn use_names(&mut self, names: Vec<String>, done: Done) {
        for name in names {
            if let Some(local) = self.resolve(&name) {
                self.event(Event::Use(local));
                self.note_whole(local, done);
            }
        }
    }

    /// The body of a closure or an `async` block: it may run whenever, so all that it names is used here.
    fn use_all(&mut self, body: &Expr, takes: bool) {
        let jumps = std::mem::take(&mut self.jumps);
        let captures = self.captures;
        self.captures |= takes;
        let inside = self.new_block();
        let after = self.new_block();
        self.exit(Exit::Branch(vec![inside, after]));
        self.current = inside;
        self.trace(body);
        self.goto(after);
        (self.jumps, self.captures) = (jumps, captures);
        // What it assigns it captures by reference; that is a use, and no path around it defines the local.
        let assigned = assigned_in(body);
        self.use_names(assigned, Done::NOTED);
    }
}
