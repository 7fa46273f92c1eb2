//! Writing the tree from its start: every node as the author wrote it, a suspension as a `leave`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Expr;
use syn::visit::{self, Visit};

use super::names::{braced, operand_slot, private};
use super::{Writer, Written, filled};
use crate::parse::attributes;
use crate::parse::places::unwrap;
use crate::tree::{
    Apply, Block, Condition, Filled, If, Let, Local, LocalId, Match, Node, Statement, first_of_the_last,
};

impl Writer<'_> {
    pub(super) fn node(&mut self, node: &Node) -> Written {
        match node {
            Node::Plain(expr) => self.plain(expr),
            Node::Ask { site, question } => self.leave(*site, question),
            Node::Call(call) => self.call(call),
            Node::Block { label, block } => self.labelled(label.as_ref(), |writer| writer.block(block)),
            Node::If(node) => self.if_from(node, 0, None),
            Node::Match(node) => {
                let scrutinee = self.node(&node.scrutinee);
                self.match_on(node, scrutinee)
            }
            Node::Loop { label, body } => {
                let (inside, ends) = self.within(label, |writer| writer.block(body).tokens);
                Written { tokens: quote!(#label: loop #inside), ends }
            }
            Node::For(node) => {
                let source = self.node(&node.source);
                self.for_over(node, &source)
            }
            Node::Return { value } => {
                let value = self.node(value);
                self.return_with(&value)
            }
            Node::Break { label, value } => {
                let value = self.node(value);
                self.break_with(label, &value)
            }
            Node::Apply(node) => self.apply(node),
        }
    }

    pub(super) fn return_with(&self, value: &Written) -> Written {
        if self.is_dead(value) {
            return dead(value);
        }
        let value = &value.tokens;
        Written { tokens: quote!(return (#value)), ends: false }
    }

    pub(super) fn break_with(&mut self, label: &syn::Lifetime, value: &Written) -> Written {
        if self.is_dead(value) {
            return dead(value);
        }
        let (label, value) = (self.break_label(label), &value.tokens);
        Written { tokens: quote!(break #label (#value)), ends: false }
    }

    /// A block, in braces.
    pub(super) fn block(&mut self, block: &Block) -> Written {
        self.statements(block.at, TokenStream::new(), &block.statements)
    }

    /// Statements after what was written already, in the braces of their block.
    pub(super) fn statements(
        &mut self,
        at: Span,
        mut before: TokenStream,
        statements: &[Statement],
    ) -> Written {
        let mut untyped = std::mem::take(&mut self.untyped);
        // The body of a loop has no value.
        let is_body = !untyped.is_empty();
        let first_of_the_last = first_of_the_last(statements);
        for (index, statement) in statements.iter().enumerate() {
            let last = index >= first_of_the_last;
            match statement {
                Statement::Expression { node, .. } if last && matches!(**node, Node::Loop { .. }) => {
                    // Its body is where all is done with them.
                    self.untyped = std::mem::take(&mut untyped);
                }
                statement if last && !is_body && !is_unit(statement) || self.hides(statement, &untyped) => {
                    before.extend(self.ties_of_untyped(&std::mem::take(&mut untyped)));
                }
                _ => {}
            }
            let Written { tokens, ends } = self.statement(statement);
            before.extend(tokens);
            untyped.extend(self.untyped_by(statement));
            if !ends && self.prune {
                if !last {
                    let unreachable = unreachable();
                    before.extend(quote!(; #unreachable));
                }
                return Written { tokens: braced(at, before), ends: false };
            }
        }
        before.extend(self.ties_of_untyped(&untyped));
        Written::falling_through(braced(at, before))
    }

    /// The locals that a statement binds and says nothing of their types. The arm of the start is to find them.
    fn untyped_by(&self, statement: &Statement) -> Vec<LocalId> {
        let Statement::Let(statement) = statement else { return Vec::new() };
        let untyped = |local: &LocalId| self.body.local(*local).untyped && !self.prune;
        statement.binds.iter().copied().filter(untyped).collect()
    }

    /// Whether a statement takes the name of one of the locals.
    fn hides(&self, statement: &Statement, locals: &[LocalId]) -> bool {
        let Statement::Let(statement) = statement else { return false };
        let shadows = |bind: &LocalId| self.body.local(*bind).shadows;
        statement.binds.iter().filter_map(shadows).any(|shadowed| locals.contains(&shadowed))
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Written {
        match statement {
            Statement::Verbatim(statement) => Written::falling_through(quote!(#statement)),
            Statement::Let(statement) => {
                let init = statement.init.as_ref().map(|init| self.node(init));
                self.let_with(statement, init)
            }
            Statement::Expression { node, semicolon } => {
                let Written { tokens, ends } = self.node(node);
                Written { tokens: quote!(#tokens #semicolon), ends }
            }
        }
    }

    /// A `let` with this value.
    pub(super) fn let_with(&mut self, statement: &Let, init: Option<Written>) -> Written {
        let Let { attributes, keyword, pattern, semicolon, .. } = statement;
        let aliases = self.aliases(&statement.binds);
        let (Some(value), Some(init)) = (&statement.init, init) else {
            return Written::falling_through(quote!(#aliases #(#attributes)* #keyword #pattern #semicolon));
        };
        // A `#[cfg]` may take away what does not end.
        let init = Written { ends: init.ends || attributes::is_conditional(attributes), ..init };
        if self.is_dead(&init) {
            return dead(&init);
        }
        let Written { tokens: init, ends } = init;
        let init = self.bound_by_let(statement, value, init);
        // A block before `else` needs parentheses; others would hide where the author wrote the value.
        let is_written = statement.otherwise.is_none() || matches!(statement.init, Some(Node::Plain(_)));
        let init = if is_written { init } else { quote!((#init)) };
        let otherwise = statement.otherwise.as_ref().map(|otherwise| {
            let otherwise = self.node(otherwise).tokens;
            quote!(else { #otherwise })
        });
        let tokens = quote!(#aliases #(#attributes)* #keyword #pattern = #init #otherwise #semicolon);
        Written { tokens, ends }
    }

    /// A block with its label, which a `break` may leave.
    pub(super) fn labelled(
        &mut self,
        label: Option<&syn::Lifetime>,
        write: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        let Some(label) = label else { return write(self) };
        let (Written { tokens, ends }, broken) = self.within(label, write);
        Written { tokens: quote!(#label: #tokens), ends: ends || broken }
    }

    /// An `if` from one of its conditions on, whose value may be known already.
    ///
    /// ```text
    /// [source]  if a && let P = b { then } else { otherwise }
    /// [nested]  'if: { if a { if let P = b { break 'if { then } } } { otherwise } }
    /// ```
    pub(super) fn if_from(&mut self, node: &If, first: usize, known: Option<Written>) -> Written {
        let (conditions, mut known) = (&node.conditions[first..], known);
        let mut heads = Vec::new();
        let mut innermost = None;
        for condition in conditions {
            let value = known.take().unwrap_or_else(|| self.node(&condition.value));
            if self.is_dead(&value) {
                innermost = Some(dead(&value).tokens);
                break;
            }
            let value = self.bound(&condition.binds, &condition.value, value.tokens);
            heads.push(head(condition, &value));
        }
        if conditions.iter().skip(1).any(|condition| condition.value.suspends())
            || self.shadows_itself(conditions)
        {
            return self.if_nested(node, conditions, &heads, innermost);
        }
        let binds: Vec<_> = conditions.iter().flat_map(|condition| condition.binds.clone()).collect();
        let aliases = self.aliases(&binds);
        let Written { tokens, ends } = match innermost {
            Some(dead) => Written { tokens: dead, ends: false },
            None => self.if_chain(node, &heads),
        };
        let tokens = if aliases.is_empty() { tokens } else { quote!({ #aliases #tokens }) };
        Written { tokens, ends }
    }

    /// Whether a condition binds the name of an earlier one, so that an alias must stand between them.
    fn shadows_itself(&self, conditions: &[Condition]) -> bool {
        let mut binds = conditions.iter().flat_map(|condition| &condition.binds);
        let all: Vec<_> = binds.clone().collect();
        binds.any(|bind| self.body.local(*bind).shadows.is_some_and(|shadowed| all.contains(&&shadowed)))
    }

    fn if_nested(
        &mut self,
        node: &If,
        conditions: &[Condition],
        heads: &[TokenStream],
        innermost: Option<TokenStream>,
    ) -> Written {
        let label = &node.label;
        let mut ends = false;
        let innermost = innermost.unwrap_or_else(|| {
            let then = self.block(&node.then);
            ends = then.ends;
            let then = then.tokens;
            quote!(break #label #then;)
        });
        if heads.is_empty() {
            return Written { tokens: innermost, ends: false };
        }
        let nested = heads.iter().zip(conditions).rev().fold(innermost, |inner, (head, condition)| {
            let aliases = self.aliases(&condition.binds);
            quote!(#aliases if #head { #inner })
        });
        let otherwise = node.otherwise.as_ref().map(|otherwise| self.node(otherwise));
        ends |= otherwise.as_ref().is_none_or(|otherwise| otherwise.ends);
        let otherwise = otherwise.map(|otherwise| otherwise.tokens);
        Written { tokens: quote!(#label: { #nested #otherwise }), ends }
    }

    fn if_chain(&mut self, node: &If, heads: &[TokenStream]) -> Written {
        let then = self.block(&node.then);
        let mut ends = then.ends || node.otherwise.is_none();
        let otherwise = node.otherwise.as_ref().map(|otherwise| {
            let otherwise = self.node(otherwise);
            ends |= otherwise.ends;
            let otherwise = otherwise.tokens;
            quote!(else { #otherwise })
        });
        let then = then.tokens;
        Written { tokens: quote!(if #(#heads)&&* #then #otherwise), ends }
    }

    pub(super) fn match_on(&mut self, node: &Match, scrutinee: Written) -> Written {
        if self.is_dead(&scrutinee) {
            return dead(&scrutinee);
        }
        let mut ends = false;
        let mut arms = TokenStream::new();
        for arm in &node.arms {
            let body = self.node(&arm.body);
            ends |= body.ends;
            let (attributes, pattern, body) = (&arm.attributes, &arm.pattern, body.tokens);
            arms.extend(quote!(#(#attributes)* #pattern => #body,));
        }
        // A struct literal may stand there only in parentheses.
        let plain = matches!(node.scrutinee, Node::Plain(_));
        let binds: Vec<_> = node.arms.iter().flat_map(|arm| arm.binds.clone()).collect();
        let scrutinee = self.bound(&binds, &node.scrutinee, scrutinee.tokens);
        let scrutinee = if plain { scrutinee } else { quote!((#scrutinee)) };
        let aliases = self.aliases(&binds);
        let keyword = node.keyword;
        let mut tokens = quote!(#keyword #scrutinee);
        node.braces.surround(&mut tokens, |inside| inside.extend(arms));
        let tokens = if aliases.is_empty() { tokens } else { quote!({ #aliases #tokens }) };
        Written { tokens, ends }
    }

    fn apply(&mut self, node: &Apply) -> Written {
        self.apply_from(node, TokenStream::new(), 0)
    }

    /// An expression around a hole from one of its temporaries on.
    pub(super) fn apply_from(&mut self, node: &Apply, mut before: TokenStream, first: usize) -> Written {
        for temporary in &node.temporaries[first..] {
            let value = self.node(&temporary.value);
            if self.is_dead(&value) {
                let dead = dead(&value).tokens;
                return Written { tokens: quote!({ #before #dead }), ends: false };
            }
            before.extend(self.let_temporary(temporary, &value.tokens));
        }
        let hole = self.node(&node.hole);
        self.around(node, &before, &hole)
    }

    /// An expression around a hole, after what was written already.
    pub(super) fn around(&mut self, node: &Apply, before: &TokenStream, hole: &Written) -> Written {
        let whole = if self.is_dead(hole) { dead(hole) } else { self.whole(node, hole) };
        if before.is_empty() {
            return whole;
        }
        let Written { tokens, ends } = whole;
        Written { tokens: quote!({ #before #tokens }), ends }
    }

    fn whole(&mut self, node: &Apply, hole: &Written) -> Written {
        let Apply { whole, marker, .. } = node;
        let slot = operand_slot(marker);
        let mut hole = self.beside_branches(&slot, &node.hole, hole.tokens.clone());
        if node.filled == Filled::InPlace {
            if is_looked_at(whole, marker) {
                hole = self.agreed(&slot, hole);
            }
            return self.plain(&filled(whole, marker, &hole));
        }
        // A `match`, and not a `let`, since what the hole borrows lives on in its arm.
        let Written { tokens, ends } = self.plain(whole);
        Written { tokens: quote!(match (#hole) { #marker => #tokens }), ends }
    }

    /// Whether what follows a value is left out, since control does not come out of it.
    pub(super) fn is_dead(&self, value: &Written) -> bool {
        self.prune && !value.ends
    }

    pub(super) fn let_temporary(
        &mut self,
        temporary: &crate::tree::Temporary,
        value: &TokenStream,
    ) -> TokenStream {
        let value = self.bound(&[temporary.local], &temporary.value, value.clone());
        let Local { name, mutable, .. } = self.body.local(temporary.local);
        let mutable = mutable.then(|| quote!(mut));
        quote!(let #mutable #name = #value;)
    }
}

/// Whether the marker stands where nothing is said of the type: what a method is called on, or what has a field.
fn is_looked_at(whole: &Expr, marker: &syn::Ident) -> bool {
    struct Looks<'m>(&'m syn::Ident, bool);
    impl<'ast> Visit<'ast> for Looks<'_> {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            let looked_at = match expr {
                Expr::MethodCall(call) => Some(&call.receiver),
                Expr::Field(field) => Some(&field.base),
                Expr::Try(expr) => Some(&expr.expr),
                _ => None,
            };
            let is_marker =
                |expr: &Expr| matches!(unwrap(expr), Expr::Path(path) if path.path.is_ident(self.0));
            self.1 |= looked_at.is_some_and(|expr| is_marker(expr));
            visit::visit_expr(self, expr);
        }
    }
    let mut looks = Looks(marker, false);
    looks.visit_expr(whole);
    looks.1
}

/// Whether a statement has no value that its block could have: nothing is lost by what is written after it.
fn is_unit(statement: &Statement) -> bool {
    match statement {
        Statement::Let(_) => true,
        Statement::Expression { node, semicolon } => {
            let is_unit = match &**node {
                Node::For(_) => true,
                Node::If(node) => node.otherwise.is_none(),
                Node::Plain(Expr::If(expr)) => expr.else_branch.is_none(),
                Node::Plain(expr) => matches!(expr, Expr::ForLoop(_) | Expr::While(_)),
                _ => false,
            };
            semicolon.is_some() || is_unit
        }
        Statement::Verbatim(_) => false,
    }
}

fn head(condition: &Condition, value: &TokenStream) -> TokenStream {
    let value = if matches!(condition.value, Node::Plain(_)) { value.clone() } else { quote!((#value)) };
    match &condition.pattern {
        None => value,
        Some(pattern) => quote!(let #pattern = #value),
    }
}

/// A value that control does not come out of, in place of what would have been done with it.
pub(super) fn dead(value: &Written) -> Written {
    let (unreachable, value) = (unreachable(), &value.tokens);
    Written { tokens: quote!({ let _ = #value; #unreachable }), ends: false }
}

/// What stands for code that control does not come to.
pub(super) fn unreachable() -> TokenStream {
    let private = private();
    quote!(#private::unreachable())
}
