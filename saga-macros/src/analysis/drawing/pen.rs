//! The pen: walks the syntax in the order in which it runs, and draws every branch, loop and suspension on the way.
//!
//! ```text
//! [source]  if c { a } else { b }    [drawn]  Branch c ─yes→ a ─┐
//!                                             Branch c ─no──→ b ─┴→ what follows
//!
//! [source]  for x in xs { a }        [drawn]  Loop ─again→ a ─(back)→ Loop
//!                                             Loop ─done──→ what follows
//! ```

use std::collections::{BTreeMap, VecDeque};

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lifetime, Macro, Stmt};

use super::text::written;
use super::{Drawing, Edge, Node, NodeKind, Way};
use crate::lower::is_left_first;
use crate::parse::places::is_compound;
use crate::parse::{attributes, calling, macros, suspension};
use crate::tree::{Body, SiteId};

/// Draws a body, with everything on it.
pub(super) fn draw(block: &syn::Block, body: &Body, line: usize) -> Drawing {
    let mut pen = Pen::new(body, line);
    pen.block(block);
    let ended = std::mem::take(&mut pen.ended);
    pen.open.extend(ended);
    pen.node(NodeKind::End, line_of(block.brace_token.span.close()));
    pen.drawing
}

/// An edge whose end is not known yet.
#[derive(Debug, Clone)]
struct Loose {
    from: usize,
    label: String,
    way: Way,
}

impl Loose {
    fn new(from: usize, label: impl Into<String>) -> Self {
        Self { from, label: label.into(), way: Way::On }
    }
}

/// Something that `break` or `continue` may leave.
struct Target {
    label: Option<String>,
    /// The loop; `None` for a labelled block.
    head: Option<usize>,
    left: Vec<Loose>,
}

struct Pen {
    drawing: Drawing,
    /// The sites by the place of the call that makes their step. A macro may put several at one place.
    sites: BTreeMap<(usize, usize), VecDeque<SiteId>>,
    /// Where control comes from; empty where it cannot come.
    open: Vec<Loose>,
    targets: Vec<Target>,
    ended: Vec<Loose>,
}

impl Pen {
    fn new(body: &Body, line: usize) -> Self {
        let mut sites: BTreeMap<_, VecDeque<_>> = BTreeMap::new();
        for (index, site) in body.sites.iter().enumerate() {
            sites.entry(place_of(site.span)).or_default().push_back(SiteId(index));
        }
        let start = Node { kind: NodeKind::Start, line };
        let drawing = Drawing { nodes: vec![start], ..Drawing::default() };
        Self { drawing, sites, open: vec![Loose::new(0, "")], targets: Vec::new(), ended: Vec::new() }
    }

    /// Draws a point where control is.
    fn node(&mut self, kind: NodeKind, line: usize) -> usize {
        let node = self.drawing.nodes.len();
        self.drawing.nodes.push(Node { kind, line });
        for Loose { from, label, way } in std::mem::take(&mut self.open) {
            self.drawing.edges.push(Edge { from, to: node, label, way });
        }
        self.open = vec![Loose::new(node, "")];
        node
    }

    // Statements.

    fn block(&mut self, block: &syn::Block) {
        for statement in &block.stmts {
            match statement {
                Stmt::Item(_) => {}
                Stmt::Expr(expr, _) => self.expression(expr),
                Stmt::Macro(statement) => self.macro_call(&statement.mac),
                Stmt::Local(local) => self.local(local),
            }
        }
    }

    fn local(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else { return };
        self.expression(&init.expr);
        if let Some((_, otherwise)) = &init.diverge {
            let text = format!("let {} = {}", written(&local.pat), written(&init.expr));
            let branch = self.node(NodeKind::Branch(text), local.let_token.span().start().line);
            self.open = vec![Loose::new(branch, "no")];
            self.expression(otherwise);
            self.open.push(Loose::new(branch, "yes"));
        }
    }

    // Expressions.

    fn expression(&mut self, expr: &Expr) {
        if !attributes::is_conditional_expression(expr) {
            return self.present(expr);
        }
        let away = self.yes_or_no("#[cfg]", line_of(expr.span()));
        self.present(expr);
        self.open.push(away);
    }

    fn present(&mut self, expr: &Expr) {
        match expr {
            Expr::If(expr) => self.if_expression(expr),
            Expr::Match(expr) => self.match_expression(expr),
            Expr::ForLoop(expr) => {
                self.expression(&expr.expr);
                let text = format!("for {} in {}", written(&expr.pat), written(&expr.expr));
                let head = self.node(NodeKind::Loop(text), line_of(expr.for_token.span()));
                self.open = vec![Loose::new(head, "again")];
                self.looped(head, expr.label.as_ref(), |pen| pen.block(&expr.body));
                self.open.push(Loose { way: Way::Done(head), ..Loose::new(head, "done") });
            }
            Expr::While(expr) => self.while_loop(expr),
            Expr::Loop(expr) => {
                let head = self.node(NodeKind::Loop("loop".to_owned()), line_of(expr.loop_token.span()));
                self.looped(head, expr.label.as_ref(), |pen| pen.block(&expr.body));
            }
            Expr::Block(expr) => match &expr.label {
                None => self.block(&expr.block),
                Some(label) => self.within(Some(&label.name), None, |pen| pen.block(&expr.block)),
            },
            Expr::Unsafe(expr) => self.block(&expr.block),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => self.lazy(binary),
            Expr::Assign(assign) => {
                self.expression(&assign.right);
                self.expression(&assign.left);
            }
            Expr::Binary(binary) if is_compound(&binary.op) && !is_left_first(binary) => {
                self.expression(&binary.right);
                self.expression(&binary.left);
            }
            Expr::Return(expr) => {
                expr.expr.iter().for_each(|value| self.expression(value));
                let fails = expr.expr.as_ref().is_some_and(|value| is_error(value));
                let ended = std::mem::take(&mut self.open).into_iter();
                self.ended.extend(
                    ended.map(|loose| Loose { way: if fails { Way::Failing } else { loose.way }, ..loose }),
                );
            }
            Expr::Break(jump) => {
                jump.expr.iter().for_each(|value| self.expression(value));
                let open = std::mem::take(&mut self.open);
                if let Some(target) = self.target(jump.label.as_ref()) {
                    target.left.extend(open);
                }
            }
            Expr::Continue(jump) => {
                let head = self.target(jump.label.as_ref()).and_then(|target| target.head);
                self.back_to(head);
            }
            Expr::Await(await_) => {
                self.expression(&await_.base);
                if let Some(question) = suspension::question(await_) {
                    self.site(question.at.span());
                } else if let Some(calling) = calling::of(await_) {
                    self.site(calling.span());
                }
            }
            Expr::Macro(expr) => self.macro_call(&expr.mac),
            // What is inside runs elsewhere, if at all, and its `return` is its own.
            Expr::Closure(_) | Expr::Async(_) | Expr::Const(_) => {}
            other => self.parts(other),
        }
    }

    /// The parts of an expression in source order, which is evaluation order.
    fn parts(&mut self, expr: &Expr) {
        struct Parts<'a>(&'a mut Pen);
        impl<'ast> Visit<'ast> for Parts<'_> {
            fn visit_expr(&mut self, expr: &'ast Expr) {
                self.0.expression(expr);
            }
            fn visit_item(&mut self, _: &'ast syn::Item) {}
            fn visit_type(&mut self, _: &'ast syn::Type) {}
        }
        visit::visit_expr(&mut Parts(self), expr);
    }

    fn site(&mut self, span: Span) {
        let site = self.sites.get_mut(&place_of(span)).and_then(VecDeque::pop_front);
        if let Some(site) = site {
            self.node(NodeKind::Site(site), line_of(span));
        }
    }

    fn if_expression(&mut self, expr: &syn::ExprIf) {
        let otherwise = self.condition(&expr.cond, line_of(expr.if_token.span()));
        self.block(&expr.then_branch);
        let then = std::mem::replace(&mut self.open, otherwise);
        expr.else_branch.iter().for_each(|(_, value)| self.expression(value));
        self.open.extend(then);
    }

    /// A condition: goes on where it holds, and gives where it does not. Its parts are one branch, unless a later
    /// part suspends.
    fn condition(&mut self, condition: &Expr, line: usize) -> Vec<Loose> {
        let (mut otherwise, mut texts) = (Vec::new(), Vec::new());
        for part in parts_of(condition) {
            if suspension::suspends(part) && !texts.is_empty() {
                otherwise.push(self.yes_or_no(&texts.join(" && "), line));
                texts.clear();
            }
            match part {
                Expr::Let(part) => self.expression(&part.expr),
                part => self.expression(part),
            }
            texts.push(written(part));
        }
        otherwise.push(self.yes_or_no(&texts.join(" && "), line));
        otherwise
    }

    /// Goes on with "yes", and gives the "no".
    fn yes_or_no(&mut self, text: &str, line: usize) -> Loose {
        let branch = self.node(NodeKind::Branch(text.to_owned()), line);
        self.open = vec![Loose::new(branch, "yes")];
        Loose::new(branch, "no")
    }

    fn lazy(&mut self, binary: &syn::ExprBinary) {
        self.expression(&binary.left);
        let no = self.yes_or_no(&written(&binary.left), line_of(binary.op.span()));
        let skipped = match binary.op {
            BinOp::And(_) => no,
            _ => std::mem::replace(&mut self.open, vec![no]).remove(0),
        };
        self.expression(&binary.right);
        self.open.push(skipped);
    }

    fn match_expression(&mut self, expr: &syn::ExprMatch) {
        self.expression(&expr.expr);
        let text = format!("match {}", written(&expr.expr));
        let branch = self.node(NodeKind::Branch(text), line_of(expr.match_token.span()));
        let mut after = Vec::new();
        for arm in &expr.arms {
            self.open = vec![Loose::new(branch, written(&arm.pat))];
            if let syn::Pat::Guard(guarded) = &arm.pat {
                self.expression(&guarded.guard);
            }
            self.expression(&arm.body);
            after.append(&mut self.open);
        }
        self.open = after;
    }

    fn while_loop(&mut self, expr: &syn::ExprWhile) {
        let (text, line) = (format!("while {}", written(&expr.cond)), line_of(expr.while_token.span()));
        let head = self.node(NodeKind::Loop(text), line);
        self.open = vec![Loose::new(head, "again")];
        if !suspension::suspends(&expr.cond) {
            self.looped(head, expr.label.as_ref(), |pen| {
                pen.expression(&expr.cond);
                pen.block(&expr.body);
            });
            self.open.push(Loose { way: Way::Done(head), ..Loose::new(head, "done") });
            return;
        }
        let mut otherwise = Vec::new();
        self.looped(head, expr.label.as_ref(), |pen| {
            otherwise = pen.condition(&expr.cond, line);
            pen.block(&expr.body);
        });
        self.open.extend(otherwise.into_iter().map(|loose| Loose { way: Way::Done(head), ..loose }));
    }

    // Jumps.

    /// The body of a loop; goes on where a `break` leaves it.
    fn looped(&mut self, head: usize, label: Option<&syn::Label>, body: impl FnOnce(&mut Self)) {
        self.within(label.map(|label| &label.name), Some(head), |pen| {
            body(pen);
            pen.back_to(Some(head));
        });
    }

    fn within(&mut self, label: Option<&Lifetime>, head: Option<usize>, inside: impl FnOnce(&mut Self)) {
        let label = label.map(|label| label.ident.to_string());
        self.targets.push(Target { label, head, left: Vec::new() });
        inside(self);
        let left = self.targets.pop().map(|target| target.left);
        self.open.extend(left.unwrap_or_default());
    }

    fn back_to(&mut self, head: Option<usize>) {
        for Loose { from, label, .. } in std::mem::take(&mut self.open) {
            self.drawing.edges.extend(head.map(|to| Edge { from, to, label, way: Way::Back }));
        }
    }

    fn target(&mut self, label: Option<&Lifetime>) -> Option<&mut Target> {
        let mut targets = self.targets.iter_mut().rev();
        match label {
            Some(label) => targets.find(|target| target.label.as_ref().is_some_and(|own| label.ident == own)),
            None => targets.find(|target| target.head.is_some()),
        }
    }

    fn macro_call(&mut self, mac: &Macro) {
        match macros::arguments(mac) {
            Some(arguments) => {
                arguments.iter().for_each(|argument| self.expression(argument));
                if is_failure(mac) {
                    self.open.clear();
                }
            }
            None if is_quiet(mac) => {}
            None => {
                let hidden = self.open.iter().map(|loose| Loose { way: Way::Hidden, ..loose.clone() });
                self.ended.extend(hidden);
            }
        }
    }
}

/// Macros that control does not come back from: a failure, like `?`.
fn is_failure(mac: &Macro) -> bool {
    let failures = ["panic", "unreachable", "todo", "unimplemented", "bail"];
    mac.path.segments.last().is_some_and(|last| failures.iter().any(|failure| last.ident == failure))
}

/// Macros with arguments of their own that are known to hide no `return`.
fn is_quiet(mac: &Macro) -> bool {
    let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let logs = ["trace", "debug", "info", "warn", "error", "event", "log"];
    logs.contains(&name.as_str()) || name == "json" || macros::is_list(mac)
}

/// `Err(..)`.
fn is_error(value: &Expr) -> bool {
    match value {
        Expr::Call(call) => call.func.to_token_stream().to_string() == "Err",
        Expr::Paren(inner) => is_error(&inner.expr),
        _ => false,
    }
}

/// The conditions of `a && let P = b && c`.
fn parts_of(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            let mut parts = parts_of(&binary.left);
            parts.extend(parts_of(&binary.right));
            parts
        }
        other => vec![other],
    }
}

fn place_of(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column)
}

fn line_of(span: Span) -> usize {
    span.start().line
}
