//! The function as a tree in which every suspension has its place: what [`crate::lower`] makes of the body and
//! [`crate::codegen`] writes out, once for each way of entering it.
//!
//! Code that cannot suspend stays as it was written ([`Node::Plain`]). Around a suspension the tree has a node for
//! each form of control flow, and [`Apply`] for everything else: what is evaluated before the suspension goes into
//! temporaries, and what comes after stays in place.

mod fill;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprMethodCall, Ident, Item, Lifetime, Pat, Token};

use crate::parse::places::unwrap;
use crate::parse::{attributes, macros};

pub(crate) use self::fill::{fill, marked};

/// A local of the function: a parameter, a binding of the author's, or a temporary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalId(pub(crate) usize);

/// A suspension, numbered in source order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SiteId(pub(crate) usize);

/// Locals that one pattern binds together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupId(pub(crate) usize);

/// What a local is, apart from its type, which only rustc knows.
#[derive(Debug, Clone)]
pub(crate) struct Local {
    pub(crate) name: Ident,
    pub(crate) mutable: bool,
    pub(crate) kind: LocalKind,
    /// The type, where a deferred `let x: T;` wrote one.
    pub(crate) annotation: Option<syn::Type>,
    pub(crate) group: Option<GroupId>,
    pub(crate) supply: Supply,
    /// The local of the same name that cannot be named while this one is in scope.
    pub(crate) shadows: Option<LocalId>,
    pub(crate) way: Way,
    /// Whether what it is given first says little of its type: `let mut seen = Vec::new();`.
    pub(crate) untyped: bool,
    /// What a question would have to be asked with care for.
    pub(crate) concern: Option<Concern>,
}

/// Whether a local comes with every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Supply {
    /// It does not, or was changed since.
    Never,
    /// It does, as it was, and need not travel.
    AsItWas,
    /// It does, and may have been changed since through a shared reference, if its type has a cell.
    PerhapsChanged,
}

/// How a local's value travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Itself,
    /// It may be an iterator, which the author advances.
    Advanced,
    /// It may be a shared reference, which shows what travels.
    Lent,
    /// Its type says that it is a text of the program: `&'static str`.
    Text,
}

/// What is special about a local that is in scope at a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Concern {
    /// A `#[cfg]` decides whether there is such a local.
    Conditional,
    /// It looks like a guard, which means something by being there.
    Guard,
    /// It is a closure, which no bytes can carry.
    Closure,
}

/// How a local comes into being.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalKind {
    /// Supplied again with every request.
    Parameter,
    /// Bound by the author.
    Bound,
    /// Known to be a reference, because of how it is bound.
    Reference,
    /// A part of an expression that was evaluated before a suspension inside it.
    Temporary,
    /// The iterator of a `for` loop, which knows how to travel.
    Iterator,
}

/// A pattern that binds locals and, if they borrow a place, how to derive them again.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) pattern: Pat,
    pub(crate) rebuild: Option<Rebuild>,
}

/// A borrow that can be derived again from values that travel.
#[derive(Debug, Clone)]
pub(crate) struct Rebuild {
    /// The place, the borrow of it, or the iterator over it.
    pub(crate) source: Expr,
    /// The locals that it is derived from.
    pub(crate) inputs: Vec<LocalId>,
    /// Whether it is so without a look at its methods: the author asked for it, or it is a closure.
    pub(crate) is_trusted: bool,
    /// Whether the source is no borrow, so that what is bound without `ref` is a copy.
    pub(crate) copies: bool,
}

impl Rebuild {
    /// Of a closure of which types are to be inferred.
    pub(crate) const MOST_PARAMETERS: usize = 8;

    /// The closure whose parameters have the types that its uses say, if it is one.
    pub(crate) fn inferred_closure(&self) -> Option<&ExprClosure> {
        let Expr::Closure(closure) = unwrap(&self.source) else { return None };
        let is_typed = |input: &Pat| matches!(input, Pat::Type(_));
        (!closure.inputs.iter().all(is_typed)).then_some(closure)
    }

    /// Whether what was read of a place before stands in it: then it may be what it was although the place is another.
    pub(crate) fn is_read_early(&self) -> bool {
        !self.is_trusted && macros::mentions(&self.source.to_token_stream(), &["instead"])
    }

    /// Whether what it borrows, or a part of that, can be changed through it.
    pub(crate) fn is_mutable(&self) -> bool {
        struct Mutable(bool);
        impl<'ast> Visit<'ast> for Mutable {
            fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
                self.0 |= reference.mutability.is_some();
                visit::visit_expr_reference(self, reference);
            }

            fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
                self.0 |= gives_mutable(call);
                visit::visit_expr_method_call(self, call);
            }
        }
        let mut mutable = Mutable(false);
        mutable.visit_expr(&self.source);
        mutable.0
    }
}

/// Methods of an option that hand on what is in it, of which a function may give a part.
pub(crate) const FURTHER: [&str; 2] = ["and_then", "map"];

/// Methods that pick one of an iterator's items: which one depends on their order.
pub(crate) const PICKING: [&str; 11] = [
    "find",
    "last",
    "max",
    "max_by",
    "max_by_key",
    "min",
    "min_by",
    "min_by_key",
    "next",
    "next_back",
    "nth",
];

fn gives_mutable(call: &ExprMethodCall) -> bool {
    let method = call.method.to_string();
    method.contains("mut") || method.starts_with("get_or_insert")
}

/// One suspension.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The stable name.
    pub(crate) name: String,
    /// The sagas that are called here, for people; `None` where a question is asked.
    pub(crate) calls: Option<String>,
    /// The keys of its steps, for those that have none of their own.
    pub(crate) keys: Vec<String>,
    /// The functions that made the steps, as far as they are known.
    pub(crate) steps: Vec<StepName>,
    /// Where the author asks.
    pub(crate) span: Span,
    /// The `await`, which ends the question.
    pub(crate) end: Span,
    /// The locals in scope, each with whether its name means it.
    pub(crate) scope: BTreeMap<LocalId, Named>,
}

impl Site {
    /// A question; its name and its scope are still to be known.
    pub(crate) fn question(keys: Vec<String>, steps: Vec<StepName>, [span, end]: [Span; 2]) -> Self {
        Self { name: String::new(), calls: None, keys, steps, span, end, scope: BTreeMap::new() }
    }

    /// A call of these sagas, and of steps with these keys.
    pub(crate) fn call(callees: String, keys: Vec<String>, span: [Span; 2]) -> Self {
        Self { calls: Some(callees), ..Self::question(keys, Vec::new(), span) }
    }
}

/// Whether a local in scope can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Yes,
    /// Its name means another local here.
    Shadowed,
}

impl Named {
    pub(crate) const fn when(named: bool) -> Self {
        if named { Self::Yes } else { Self::Shadowed }
    }
}

/// The functions whose result a tool may await as a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepName {
    Elicit,
    ElicitUrl,
    Sample,
    ListRoots,
}

impl StepName {
    /// The key of a step that initialises no local and was given none.
    pub(crate) const fn default_key(self) -> &'static str {
        match self {
            Self::Elicit | Self::ElicitUrl => "elicit",
            Self::Sample => "sample",
            Self::ListRoots => "list_roots",
        }
    }
}

/// A piece of the function.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// Code that cannot suspend, as it was written.
    Plain(Expr),
    /// A suspension: the step's expression cannot suspend itself.
    Ask {
        site: SiteId,
        question: Expr,
    },
    /// A call of another saga, which may suspend: control comes back *before* the call.
    Call(Box<Call>),
    Block {
        label: Option<Lifetime>,
        block: Block,
    },
    If(Box<If>),
    Match(Box<Match>),
    Loop {
        label: Lifetime,
        body: Block,
    },
    For(Box<For>),
    Return {
        value: Box<Node>,
    },
    Break {
        label: Lifetime,
        value: Box<Node>,
    },
    Apply(Box<Apply>),
}

/// `call(review(plan, &log)).await`, or `join!(call(..), ..).await`.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) site: SiteId,
    /// What is awaited: nothing in it has an effect of its own.
    pub(crate) value: Expr,
    /// What it calls a saga for each item of, where that is made again.
    pub(crate) source: Option<Rebuild>,
    /// The locals that it takes by value: they are encoded before it.
    pub(crate) passed: Vec<LocalId>,
    /// The locals that it may take, or may change.
    pub(crate) received: Vec<Received>,
}

/// A local that methods are called on, or on a part of it: `plan` in `call(plan.review())`.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) local: LocalId,
    /// The fields that lead to the part.
    pub(crate) fields: Vec<String>,
    /// `plan.review()`: by its type rustc tells whether the local is taken.
    pub(crate) saga: Expr,
}

#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Where its braces are.
    pub(crate) at: Span,
    pub(crate) statements: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(crate) enum Statement {
    Let(Box<Let>),
    /// An expression; the last one without a semicolon is the block's value.
    Expression {
        node: Box<Node>,
        semicolon: Option<Token![;]>,
    },
    /// A macro in statement position, or anything else that stays as it was.
    Verbatim(Box<syn::Stmt>),
}

#[derive(Debug, Clone)]
pub(crate) struct Let {
    pub(crate) attributes: Vec<syn::Attribute>,
    pub(crate) keyword: Token![let],
    pub(crate) pattern: Pat,
    /// `None` for `let x;`.
    pub(crate) init: Option<Node>,
    pub(crate) otherwise: Option<Node>,
    pub(crate) semicolon: Token![;],
    pub(crate) binds: Vec<LocalId>,
}

/// `if a && let P = b { .. } else { .. }`.
#[derive(Debug, Clone)]
pub(crate) struct If {
    pub(crate) label: Lifetime,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) then: Block,
    pub(crate) otherwise: Option<Node>,
}

#[derive(Debug, Clone)]
pub(crate) struct Condition {
    /// `None` for a boolean condition.
    pub(crate) pattern: Option<Pat>,
    pub(crate) value: Node,
    pub(crate) binds: Vec<LocalId>,
}

#[derive(Debug, Clone)]
pub(crate) struct Match {
    pub(crate) keyword: Token![match],
    pub(crate) scrutinee: Node,
    pub(crate) arms: Vec<Arm>,
    /// Around the arms: rustc points from the keyword to their end.
    pub(crate) braces: syn::token::Brace,
}

#[derive(Debug, Clone)]
pub(crate) struct Arm {
    pub(crate) attributes: Vec<syn::Attribute>,
    /// With its guard, which cannot suspend.
    pub(crate) pattern: Pat,
    pub(crate) body: Node,
    pub(crate) binds: Vec<LocalId>,
}

/// `for PATTERN in SOURCE { .. }`.
#[derive(Debug, Clone)]
pub(crate) struct For {
    pub(crate) label: Lifetime,
    pub(crate) pattern: Pat,
    pub(crate) binds: Vec<LocalId>,
    pub(crate) source: Node,
    /// The closure that says which items the loop is for, where it goes over a borrow.
    pub(crate) sieve: Option<Expr>,
    pub(crate) iterator: LocalId,
    pub(crate) body: Block,
}

/// An expression of which a part suspends: temporaries first, then the hole, then what is left around it.
#[derive(Debug, Clone)]
pub(crate) struct Apply {
    pub(crate) temporaries: Vec<Temporary>,
    pub(crate) hole: Node,
    /// The expression, with [`Apply::marker`] where the hole's value goes.
    pub(crate) whole: Expr,
    pub(crate) marker: Ident,
    pub(crate) filled: Filled,
}

/// How a hole's value comes into its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filled {
    /// Where it stands: nothing of the expression is evaluated before it.
    InPlace,
    /// By a name that it is bound to first: other parts would be evaluated, and moved, before it.
    ByName,
}

#[derive(Debug, Clone)]
pub(crate) struct Temporary {
    pub(crate) local: LocalId,
    pub(crate) value: Node,
}

/// What a local was drawn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawing {
    pub(crate) iterator: LocalId,
    /// Whether it is an item, and no part of one.
    pub(crate) is_whole: bool,
}

/// The whole function, lowered.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) block: Block,
    pub(crate) items: Vec<Item>,
    /// How many of the locals are parameters: they come first.
    pub(crate) parameters: usize,
    pub(crate) locals: Vec<Local>,
    pub(crate) groups: Vec<Group>,
    pub(crate) sites: Vec<Site>,
    /// The iterators of `for` loops over borrows: they travel as positions.
    pub(crate) positions: BTreeMap<LocalId, Rebuild>,
    /// Items, and parts of items, of iterators that are advanced by hand: `Some(line) = lines.next()`.
    pub(crate) drawn: BTreeMap<LocalId, Drawing>,
    /// The labels of loops in which a macro may hide a `break` or a `continue`.
    pub(crate) opaque: BTreeSet<String>,
    /// Where copies are that methods are called on: what is borrowed from one is there as long as if from its place.
    pub(crate) homes: Vec<Ident>,
}

impl Body {
    pub(crate) fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0]
    }

    pub(crate) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.0]
    }

    pub(crate) fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0]
    }
}

impl Node {
    /// Whether this site is inside.
    pub(crate) fn contains(&self, site: SiteId) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Ask { site: own, .. } => *own == site,
            Self::Call(call) => call.site == site,
            Self::Block { block, .. } | Self::Loop { body: block, .. } => block.contains(site),
            Self::If(node) => {
                node.conditions.iter().any(|condition| condition.value.contains(site))
                    || node.then.contains(site)
                    || node.otherwise.as_ref().is_some_and(|otherwise| otherwise.contains(site))
            }
            Self::Match(node) => {
                node.scrutinee.contains(site) || node.arms.iter().any(|arm| arm.body.contains(site))
            }
            Self::For(node) => node.source.contains(site) || node.body.contains(site),
            Self::Return { value } | Self::Break { value, .. } => value.contains(site),
            Self::Apply(node) => {
                node.hole.contains(site)
                    || node.temporaries.iter().any(|temporary| temporary.value.contains(site))
            }
        }
    }

    /// Whether any site is inside.
    pub(crate) fn suspends(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            // Every other node is only made around a suspension, or around a node that was.
            Self::Ask { .. } | Self::Call(_) => true,
            Self::Block { block, .. } | Self::Loop { body: block, .. } => block.suspends(),
            Self::If(node) => {
                node.conditions.iter().any(|condition| condition.value.suspends())
                    || node.then.suspends()
                    || node.otherwise.as_ref().is_some_and(Node::suspends)
            }
            Self::Match(node) => node.scrutinee.suspends() || node.arms.iter().any(|arm| arm.body.suspends()),
            Self::For(node) => node.source.suspends() || node.body.suspends(),
            Self::Return { value } | Self::Break { value, .. } => value.suspends(),
            Self::Apply(node) => {
                node.hole.suspends() || node.temporaries.iter().any(|temporary| temporary.value.suspends())
            }
        }
    }
}

impl Block {
    pub(crate) fn contains(&self, site: SiteId) -> bool {
        self.statements.iter().any(|statement| statement.contains(site))
    }

    pub(crate) fn suspends(&self) -> bool {
        self.statements.iter().any(Statement::suspends)
    }
}

/// From which statement on each may be the last of its block: a `#[cfg]` may take away those after it.
pub(crate) fn first_of_the_last(statements: &[Statement]) -> usize {
    statements.iter().rposition(|statement| !statement.is_conditional()).unwrap_or(0)
}

impl Statement {
    /// Whether a `#[cfg]` decides whether it is there.
    fn is_conditional(&self) -> bool {
        match self {
            Self::Let(statement) => attributes::is_conditional(&statement.attributes),
            Self::Expression { node, .. } => {
                matches!(&**node, Node::Plain(expr) if attributes::is_conditional_expression(expr))
            }
            Self::Verbatim(statement) => {
                matches!(&**statement, syn::Stmt::Macro(mac) if attributes::is_conditional(&mac.attrs))
            }
        }
    }

    pub(crate) fn contains(&self, site: SiteId) -> bool {
        match self {
            Self::Let(statement) => {
                [&statement.init, &statement.otherwise].into_iter().flatten().any(|node| node.contains(site))
            }
            Self::Expression { node, .. } => node.contains(site),
            Self::Verbatim(_) => false,
        }
    }

    pub(crate) fn suspends(&self) -> bool {
        match self {
            Self::Let(statement) => {
                [&statement.init, &statement.otherwise].into_iter().flatten().any(Node::suspends)
            }
            Self::Expression { node, .. } => node.suspends(),
            Self::Verbatim(_) => false,
        }
    }
}
