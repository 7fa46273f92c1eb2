//! Values of branches: of `if on { 1_u8 } else { elicit(..).await?; 2 }` the arm of the site has one branch alone, which says
//! less of the type than both. The value gets one branch more in every arm, which is never taken and has the type that a
//! slot has from the arm of the start:
//!
//! ```text
//! let mask = if false { unreachable(); slot.absent() } else { 2 };
//! send(match width { Some(width) => width, None => .., _ if false => { unreachable(); slot.absent() } });
//! ```
//!
//! Nothing flows into the slot, so that no borrow lives the longer for it; and what the branch gives is coerced as beside
//! the others. A `match` gets an arm, since a block around it would end what it looks at too early.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::parse_quote;
use syn::visit::Visit;
use syn::{Expr, ExprAsync, ExprClosure, ExprReference, Ident, Lifetime, Macro, Pat, Stmt};

use super::Writer;
use super::diverge::diverges;
use super::enter::unreachable;
use super::names::{bound_slot, inner};
use crate::parse::macros;
use crate::tree::{Block, Let, LocalId, Node, Statement};

impl Writer<'_> {
    /// A value that these locals are bound to.
    pub(super) fn bound(&mut self, binds: &[LocalId], node: &Node, value: TokenStream) -> TokenStream {
        let value = match binds.first() {
            Some(first) => {
                let slot = bound_slot(*first);
                let value = self.beside_branches(&slot, node, value);
                self.agreed(&slot, value)
            }
            None => value,
        };
        self.known(binds, value)
    }

    /// The same of a `let`, which may say the type that the branches are coerced to, and lets what they borrow live on.
    pub(super) fn bound_by_let(&mut self, statement: &Let, node: &Node, value: TokenStream) -> TokenStream {
        let Let { pattern, binds, .. } = statement;
        if !matches!(pattern, Pat::Type(_)) && !gives_borrow(node) {
            return self.bound(binds, node, value);
        }
        let value = match binds.first() {
            Some(first) => self.beside_branches(&bound_slot(*first), node, value),
            None => value,
        };
        self.known(binds, value)
    }

    /// The value of branches that nothing outside is said of, which gives the slot its type. Where the branches are of
    /// several, rustc says so in the arm of the start, and has nothing to say of any type in the others.
    pub(super) fn agreed(&self, slot: &Ident, value: TokenStream) -> TokenStream {
        if self.prune || !self.branched.contains(slot) {
            return value;
        }
        let (agreed, typed) = (inner("agreed"), Lifetime::new("'__typed", Span::mixed_site()));
        quote! {
            match (#value) {
                #agreed => {
                    #typed: {
                        break #typed;
                        #slot.given(#agreed);
                    }
                    #agreed
                }
            }
        }
    }

    /// A value, beside its slot if it is one of several branches. The arm of the start, which has them all, decides that.
    pub(super) fn beside_branches(&mut self, slot: &Ident, node: &Node, value: TokenStream) -> TokenStream {
        if !node.suspends() || !has_branches(node) || self.prune && !self.branched.contains(slot) {
            return value;
        }
        let Ok(written) = syn::parse2::<Expr>(value.clone()) else { return value };
        if !self.prune {
            if has_closure(&written) && Given::by(node).may_be_closures() {
                return value;
            }
            self.branched.insert(slot.clone());
        }
        // Control does not come out of it, so that what the others have assigned is assigned after it.
        let unreachable = unreachable();
        let absent = quote!({ #unreachable; #slot.absent() });
        let Expr::Match(mut several) = written else {
            return quote!(if false #absent else { #value });
        };
        // The last one: rustc compares them in their order, and tells of one that the author wrote.
        several.arms.push(parse_quote!(_ if false => #absent,));
        several.into_token_stream()
    }
}

/// Whether a value comes from one of several branches.
fn has_branches(node: &Node) -> bool {
    match node {
        Node::If(node) => node.otherwise.is_some(),
        Node::Match(_) | Node::Loop { .. } | Node::Block { label: Some(_), .. } => true,
        Node::Block { label: None, block } => match block.statements.last() {
            Some(Statement::Expression { node, semicolon: None }) => has_branches(node),
            _ => false,
        },
        _ => false,
    }
}

/// Whether one of the branches may give a borrow of a value of its own, which a `let` lets live on.
fn gives_borrow(node: &Node) -> bool {
    struct Borrows(bool);
    impl<'ast> Visit<'ast> for Borrows {
        fn visit_expr_reference(&mut self, _: &'ast ExprReference) {
            self.0 = true;
        }

        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= !["vec", "format"].iter().any(|known| mac.path.is_ident(known));
        }
    }
    let borrows = |value: &Expr| {
        let mut borrows = Borrows(false);
        borrows.visit_expr(value);
        borrows.0
    };
    let block = |block: &Block| match block.statements.last() {
        Some(Statement::Expression { node, semicolon: None }) => gives_borrow(node),
        _ => false,
    };
    match node {
        Node::If(node) => block(&node.then) || node.otherwise.as_ref().is_some_and(gives_borrow),
        Node::Match(node) => node.arms.iter().any(|arm| gives_borrow(&arm.body)),
        Node::Block { block: inner, .. } => block(inner),
        Node::Plain(value) => borrows(value),
        Node::Apply(node) => borrows(&node.whole),
        _ => false,
    }
}

/// The branches that give a value: control comes out of them.
#[derive(Default)]
struct Given {
    branches: usize,
    after_a_question: bool,
    /// Whether a question stands where the branches are not told apart.
    unclear: bool,
}

impl Given {
    fn by(node: &Node) -> Self {
        let mut given = Self::default();
        given.node(node, false);
        given
    }

    /// Whether a closure that is written there may be a part of the value. What a branch gives after a question is of
    /// none that was written before it, and another branch gives the same type.
    fn may_be_closures(&self) -> bool {
        self.unclear || !self.after_a_question || self.branches < 2
    }

    fn node(&mut self, node: &Node, asked: bool) {
        match node {
            Node::If(node) => {
                self.unclear |= node.conditions.iter().any(|condition| condition.value.suspends());
                self.block(&node.then, asked);
                if let Some(otherwise) = &node.otherwise {
                    self.node(otherwise, asked);
                }
            }
            Node::Match(node) => {
                self.unclear |= node.scrutinee.suspends();
                node.arms.iter().for_each(|arm| self.node(&arm.body, asked));
            }
            Node::Block { label: None, block } => self.block(block, asked),
            Node::Plain(Expr::Macro(expr)) if !macros::is_list(&expr.mac) => self.unclear = true,
            Node::Plain(expr) if !gives(expr) => {}
            Node::Plain(_) | Node::Ask { .. } | Node::Call(_) | Node::Apply(_) => {
                self.branches += 1;
                self.after_a_question |= asked || node.suspends();
            }
            Node::Block { .. } | Node::Loop { .. } | Node::For(_) => self.unclear = true,
            Node::Return { .. } | Node::Break { .. } => {}
        }
    }

    fn block(&mut self, block: &Block, asked: bool) {
        if let Some((Statement::Expression { node, semicolon: None }, before)) = block.statements.split_last()
        {
            self.node(node, asked || before.iter().any(Statement::suspends));
        }
    }
}

/// Whether control comes out of the expression with a value, whose type it says. Most macros that are known give none.
fn gives(expr: &Expr) -> bool {
    match expr {
        Expr::Macro(expr) => ["vec", "format"].iter().any(|known| expr.mac.path.is_ident(known)),
        // Of what it is none the other branches say, which may be a closure: `Some(|n| n + 1)`.
        Expr::Path(expr) if expr.path.is_ident("None") => false,
        Expr::Block(expr) => match expr.block.stmts.last() {
            Some(Stmt::Expr(value, None)) => gives(value),
            _ => false,
        },
        _ => !diverges(expr),
    }
}

/// Whether there is a closure or an `async` block, which is of a type of its own wherever it is written.
fn has_closure(value: &Expr) -> bool {
    struct Closures(bool);
    impl<'ast> Visit<'ast> for Closures {
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {
            self.0 = true;
        }

        fn visit_expr_async(&mut self, _: &'ast ExprAsync) {
            self.0 = true;
        }

        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= may_have_closure(&mac.tokens);
        }
    }
    let mut closures = Closures(false);
    closures.visit_expr(value);
    closures.0
}

/// What stands in a macro need not be code.
fn may_have_closure(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '|',
        TokenTree::Ident(word) => word == "async",
        TokenTree::Group(group) => may_have_closure(&group.stream()),
        TokenTree::Literal(_) => false,
    })
}
