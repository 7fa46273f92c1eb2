//! Expressions: plain ones stay as they are, a suspension becomes a site, control flow becomes its node, and every
//! other expression around a suspension becomes an [`Apply`].

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Expr};

use super::Lowerer;
use super::operands::Split;
use super::shared::Done;
use crate::flow::Exit;
use crate::parse::places::is_compound;
use crate::parse::{calling, suspension};
use crate::tree::{Apply, Block, Condition, Filled, If, Node, Site, SiteId, Statement, Temporary, fill};

impl Lowerer<'_> {
    /// Lowers an expression and records what it does.
    pub(super) fn expression(&mut self, expr: &Expr) -> Node {
        if !suspension::suspends(expr) {
            let expr = self.with_labels(expr);
            self.trace(&expr);
            return Node::Plain(expr);
        }
        self.done = Done::default();
        match expr {
            // The step of `let name = elicit(..).await?` is called after the local; deeper inside it is not.
            Expr::Try(_) | Expr::Paren(_) => {}
            Expr::Await(await_) if suspension::suspends_itself(await_) => {}
            _ => self.initialises = Vec::new(),
        }
        match expr {
            Expr::Await(await_) => match suspension::question(await_) {
                Some(question) => {
                    let keys = question.keys(&std::mem::take(&mut self.initialises), &self.keys);
                    let steps = question.steps.iter().filter_map(|part| part.step).collect();
                    let place = [question.at.span(), await_.await_token.span()];
                    self.ask(&await_.base, keys, steps, place)
                }
                None => match calling::of(await_) {
                    Some(calling) => self.call(await_, &calling),
                    None => self.apply(expr),
                },
            },
            Expr::Paren(paren) => self.expression(&paren.expr),
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

    /// A suspension. The question's own expression may suspend, too: then it comes first.
    fn ask(
        &mut self,
        question: &Expr,
        keys: Vec<String>,
        steps: Vec<crate::tree::StepName>,
        place: [Span; 2],
    ) -> Node {
        let (temporaries, question) = self.question_value(question);
        let name = if keys.is_empty() { self.keys.key("join_all") } else { keys.join("+") };
        let site = self.site(&name, Site::question(keys, steps, place));
        self.suspend(site);
        self.after(temporaries, Node::Ask { site, question })
    }

    /// Control leaves at a site, and comes back to what follows.
    pub(super) fn suspend(&mut self, site: SiteId) {
        let resume = self.new_block();
        self.exit(Exit::Suspend { site, resume });
        self.current = resume;
    }

    fn question_value(&mut self, question: &Expr) -> (Vec<Temporary>, Expr) {
        let mut temporaries = Vec::new();
        let mut question = question.clone();
        if suspension::suspends(&question) {
            temporaries.push(self.hoist(&mut question));
        }
        let question = self.with_labels(&question);
        self.trace(&question);
        (temporaries, question)
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
                at: Span::call_site(),
                statements: vec![Statement::Expression { node: Box::new(then), semicolon: None }],
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
        if let Expr::Binary(binary) = &mut whole
            && is_compound(&binary.op)
        {
            self.order_compound(binary);
        }
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
        // Everything that is left around the hole is evaluated after it.
        self.trace(&whole);
        Node::Apply(Box::new(flat(Apply { temporaries, hole, whole, marker, filled })))
    }
}

/// An expression around an expression around a hole is one around the hole: what the inner one borrows lives as long
/// as the outer one needs it.
fn flat(outer: Apply) -> Apply {
    let Node::Apply(inner) = outer.hole else { return outer };
    let Apply { temporaries: inner_temporaries, hole, whole, marker, filled } = *inner;
    let mut temporaries = outer.temporaries;
    temporaries.extend(inner_temporaries);
    let filled = if filled == Filled::InPlace { outer.filled } else { filled };
    let whole = fill(&outer.whole, &outer.marker, &whole);
    Apply { temporaries, hole, whole, marker, filled }
}
