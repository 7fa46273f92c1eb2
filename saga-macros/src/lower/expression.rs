//! Expressions: plain ones stay as they are, a suspension becomes a site, control flow becomes its node, and every
//! other expression around a suspension becomes an [`Apply`].

use syn::spanned::Spanned;
use syn::{BinOp, Expr};

use super::Lowerer;
use super::operands::Split;
use crate::flow::Exit;
use crate::parse::suspension;
use crate::tree::{Apply, Block, Condition, Filled, If, Node, Statement};

impl Lowerer<'_> {
    /// Lowers an expression and records what it does.
    pub(super) fn expression(&mut self, expr: &Expr) -> Node {
        if !suspension::suspends(expr) {
            let expr = self.with_labels(expr);
            self.trace(&expr);
            return Node::Plain(expr);
        }
        match expr {
            // The step of `let name = elicit(..).await?` is called after the local; deeper inside it is not.
            Expr::Try(_) | Expr::Paren(_) | Expr::Group(_) => {}
            Expr::Await(await_) if suspension::question(await_).is_some() => {}
            _ => self.initialises = None,
        }
        match expr {
            Expr::Await(await_) => match suspension::question(await_) {
                Some(question) => {
                    let key = question.key.map(syn::LitStr::value);
                    let (step, span) = (question.step, question.call.func.span());
                    self.ask(&await_.base, key, step, span)
                }
                None => self.apply(expr),
            },
            Expr::Paren(paren) => self.expression(&paren.expr),
            Expr::Group(group) => self.expression(&group.expr),
            Expr::Block(block) => self.labelled_block(block),
            Expr::If(expr) => self.if_node(expr),
            Expr::Match(expr) => self.match_node(expr),
            Expr::Loop(expr) => self.loop_node(expr),
            Expr::While(expr) => self.while_node(expr),
            Expr::ForLoop(expr) => self.for_node(expr),
            Expr::Return(expr) => {
                let value = expr.expr.as_ref().expect("a `return` that suspends has an operand");
                let value = Box::new(self.expression(value));
                self.exit(Exit::Return);
                self.diverge();
                Node::Return { value }
            }
            Expr::Break(jump) => self.break_node(jump),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => self.lazy(binary),
            other => self.apply(other),
        }
    }

    /// A suspension. The step's own expression may suspend, too: then it comes first.
    fn ask(
        &mut self,
        step: &Expr,
        key: Option<String>,
        name: crate::tree::StepName,
        span: proc_macro2::Span,
    ) -> Node {
        let local = self.initialises.take().map(|local| local.to_string());
        let (temporaries, step) = self.step_value(step);
        let key = key.or(local).unwrap_or_else(|| name.default_key().to_owned());
        let site = self.site(key, name, span);
        let resume = self.new_block();
        self.exit(Exit::Suspend { site, resume });
        self.current = resume;
        let ask = Node::Ask { site, step };
        if temporaries.is_empty() {
            return ask;
        }
        let marker = self.fresh("hole");
        let whole = syn::parse_quote!(#marker);
        let filled = Filled::InPlace;
        Node::Apply(Box::new(Apply { temporaries, hole: ask, whole, marker, filled }))
    }

    fn step_value(&mut self, step: &Expr) -> (Vec<crate::tree::Temporary>, Expr) {
        let mut temporaries = Vec::new();
        let mut step = step.clone();
        if suspension::suspends(&step) {
            temporaries.push(self.hoist(&mut step));
        }
        let step = self.with_labels(&step);
        self.trace(&step);
        (temporaries, step)
    }

    /// `a && b` and `a || b`: the right side is evaluated or not.
    fn lazy(&mut self, binary: &syn::ExprBinary) -> Node {
        let and = matches!(binary.op, BinOp::And(_));
        let value = self.expression(&binary.left);
        let (right, other, after) = (self.new_block(), self.new_block(), self.new_block());
        self.exit(Exit::Branch(vec![right, other]));
        self.current = right;
        let right = self.expression(&binary.right);
        self.exit(Exit::Goto(after));
        self.current = other;
        self.goto(after);
        let known: Node = Node::Plain(if and { syn::parse_quote!(false) } else { syn::parse_quote!(true) });
        let (then, otherwise) = if and { (right, known) } else { (known, right) };
        let condition = Condition { pattern: None, value, binds: Vec::new() };
        Node::If(Box::new(If {
            label: self.fresh_label("lazy"),
            conditions: vec![condition],
            then: Block {
                statements: vec![Statement::Expression { node: Box::new(then), semicolon: false }],
            },
            otherwise: Some(otherwise),
        }))
    }

    fn apply(&mut self, expr: &Expr) -> Node {
        if let Expr::Unsafe(_) | Expr::TryBlock(_) = expr {
            // The parser has refused the question inside.
            return Node::Plain(expr.clone());
        }
        let mut whole = expr.clone();
        let marker = self.fresh("hole");
        let Some(Split { temporaries, hole, filled }) = self.operands(&mut whole, &marker) else {
            self.diagnostics.error(
                expr,
                "a question cannot be asked in this place; its answer is needed inside a form of expression that \
                 the compiler does not know; bind it first: `let answer = ..await?;`",
            );
            return Node::Plain(syn::parse_quote!(::core::unreachable!()));
        };
        let whole = self.with_labels(&whole);
        self.trace_whole(&whole);
        Node::Apply(Box::new(Apply { temporaries, hole, whole, marker, filled }))
    }

    /// What is left around the hole: everything in it is evaluated after the hole.
    fn trace_whole(&mut self, whole: &Expr) {
        match whole {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                unreachable!("lazy operators have a node of their own; this is a bug in saga-macros")
            }
            other => self.trace(other),
        }
    }
}
