//! Lowering: the function's body → a [tree](crate::tree) that keeps how it is written, and a
//! [graph](crate::flow) of the orders in which it may run, made in one walk while the scopes are at hand.

mod adjacent;
mod assigned;
mod beside;
mod borrow;
mod call;
mod changed;
mod compound;
mod control;
mod copied;
mod declared;
mod drawn;
mod early;
mod effects;
mod expression;
mod guard;
mod items;
mod iterate;
mod jumps;
mod lazy;
mod lend;
mod lenders;
mod operands;
mod pattern;
mod pure;
mod reach;
mod settle;
mod shared;
mod touched;
mod trace;
mod unseen;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;
use syn::{Expr, Ident, Lifetime, Pat, Stmt};

use self::changed::Part;
pub(crate) use self::compound::is_left_first;
use self::settle::Settled;
use self::shared::Done;
use self::touched::touched_in_block;
use crate::diagnostics::Diagnostics;
use crate::flow::{BlockId, Event, Exit, Graph};
use crate::parse::places::unwrap;
use crate::parse::suspension::{self, KeyScope};
use crate::parse::{Parameter, attributes, is_ours, macros, plain_name};
use crate::tree::{
    Block, Body, Concern, Drawing, Group, GroupId, Let, Local, LocalId, LocalKind, Named, Node, Rebuild,
    Site, SiteId, Statement, Supply, Way, first_of_the_last,
};

/// The function, lowered.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) body: Body,
    pub(crate) graph: Graph,
}

/// Lowers a body that the parser found nothing to refuse in.
pub(crate) fn lower(
    parameters: &[Parameter],
    block: &syn::Block,
    keys: KeyScope,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut lowerer = Lowerer::new(keys, diagnostics);
    lowerer.parameters(parameters);
    lowerer.touched = touched_in_block(block);
    let dropped = guard::dropped(block);
    let body = lowerer.block(block);
    lowerer.refuse_hoisted(block);
    for local in &mut lowerer.locals {
        if local.concern == Some(Concern::Guard) && dropped.contains(&plain_name(&local.name)) {
            local.concern = None;
        }
    }
    lowerer.graph.locals = lowerer.locals.len();
    let Lowerer { items, locals, groups, sites, positions, drawn, opaque, homes, graph, .. } = lowerer;
    let parameters = parameters.len();
    let body =
        Body { block: body, items, parameters, locals, groups, sites, positions, drawn, opaque, homes };
    Lowered { body, graph }
}

/// The attributes of a `let` without `#[saga(rebuild)]`, and whether that was among them.
fn asks_to_rebuild(attributes: &[syn::Attribute]) -> (Vec<syn::Attribute>, bool) {
    let (ours, others): (Vec<_>, Vec<_>) = attributes.iter().cloned().partition(is_ours);
    (others, !ours.is_empty())
}

/// What a temporary is like and where it comes from.
#[derive(Clone, Copy)]
struct Place {
    mutable: bool,
    span: Span,
}

struct Lowerer<'d> {
    diagnostics: &'d mut Diagnostics,
    items: Vec<syn::Item>,
    hoisted: Vec<items::Hoisted>,
    /// What brings methods in the open blocks, and is written again with them.
    brought: Vec<Vec<syn::Item>>,
    /// What the function's own macros name.
    macros: BTreeMap<String, Vec<LocalId>>,
    /// What they declare.
    declaring: BTreeMap<String, declared::Declares>,
    locals: Vec<Local>,
    groups: Vec<Group>,
    sites: Vec<Site>,
    positions: BTreeMap<LocalId, Rebuild>,
    drawn: BTreeMap<LocalId, Drawing>,
    homes: Vec<Ident>,
    opaque: BTreeSet<String>,
    /// Parameters through which nothing changes: what they show is the same until the end.
    steady_parameters: Vec<LocalId>,
    /// What methods may change anywhere in the function.
    touched: Vec<Part>,
    graph: Graph,
    current: BlockId,
    /// What is done with the place that is traced next.
    done: Done,
    /// Whether the code is in a closure that takes whatever it names.
    captures: bool,
    /// Names in scope, innermost last; `None` hides a local behind a name that the tree does not know.
    scopes: Vec<Vec<(String, Option<LocalId>)>>,
    /// Names in open blocks that macros may bind.
    unseen: Vec<unseen::Unseen>,
    jumps: Vec<jumps::Target>,
    fresh: usize,
    /// The locals that the expression initialises, which name the steps in it.
    initialises: Vec<Ident>,
    keys: KeyScope,
    /// The names of the sites.
    named: BTreeSet<String>,
}

impl<'d> Lowerer<'d> {
    fn new(keys: KeyScope, diagnostics: &'d mut Diagnostics) -> Self {
        let mut graph = Graph::default();
        graph.blocks.push(crate::flow::Block::default());
        Self {
            diagnostics,
            items: Vec::new(),
            hoisted: Vec::new(),
            brought: Vec::new(),
            macros: BTreeMap::new(),
            declaring: BTreeMap::new(),
            locals: Vec::new(),
            groups: Vec::new(),
            sites: Vec::new(),
            positions: BTreeMap::new(),
            drawn: BTreeMap::new(),
            homes: Vec::new(),
            opaque: BTreeSet::new(),
            steady_parameters: Vec::new(),
            touched: Vec::new(),
            graph,
            current: BlockId(0),
            done: Done::default(),
            captures: false,
            scopes: vec![Vec::new()],
            unseen: Vec::new(),
            jumps: Vec::new(),
            fresh: 0,
            initialises: Vec::new(),
            keys,
            named: BTreeSet::new(),
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            let kind = if parameter.is_reference() { LocalKind::Reference } else { LocalKind::Parameter };
            let local = self.add_local(parameter.name.clone(), parameter.mutable, kind);
            if parameter.comes_again() {
                self.locals[local.0].supply =
                    if parameter.may_have_cell() { Supply::PerhapsChanged } else { Supply::AsItWas };
            }
            if !parameter.is_reference() && lend::shows_reference(&parameter.ty) {
                self.note_lent(&[local]);
            }
            if parameter.is_steady() {
                self.steady_parameters.push(local);
            }
            self.declare(local);
            self.event(Event::Define(local));
        }
    }

    // Scopes.

    fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Vec::new());
        let result = inside(self);
        self.scopes.pop();
        result
    }

    fn add_local(&mut self, name: Ident, mutable: bool, kind: LocalKind) -> LocalId {
        let id = LocalId(self.locals.len());
        self.locals.push(Local {
            name,
            mutable,
            kind,
            annotation: None,
            group: None,
            supply: Supply::Never,
            shadows: None,
            way: Way::Itself,
            untyped: false,
            concern: None,
        });
        id
    }

    fn declare(&mut self, local: LocalId) {
        let name = plain_name(&self.locals[local.0].name);
        self.locals[local.0].shadows = self.resolve(&name);
        self.scopes.last_mut().expect("a scope is open while lowering").push((name, Some(local)));
    }

    /// Hides a local behind a name that the tree does not know, a closure's parameter for example.
    fn hide(&mut self, name: String) {
        self.scopes.last_mut().expect("a scope is open while lowering").push((name, None));
    }

    fn resolve(&self, name: &str) -> Option<LocalId> {
        let mut names = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        names.find(|(known, _)| known == name).and_then(|(_, local)| *local)
    }

    fn fresh(&mut self, prefix: &str) -> Ident {
        self.fresh += 1;
        Ident::new(&format!("__{prefix}{}", self.fresh), Span::mixed_site())
    }

    fn fresh_label(&mut self, prefix: &str) -> Lifetime {
        self.fresh += 1;
        Lifetime::new(&format!("'__{prefix}{}", self.fresh), Span::mixed_site())
    }

    /// A local for a part of an expression.
    fn temporary(&mut self, value: Node, rebuild: Option<Rebuild>, place: Place) -> crate::tree::Temporary {
        let Place { mutable, span } = place;
        // Where it stands, for rustc to point at.
        let mut name = self.fresh("t");
        name.set_span(name.span().located_at(span));
        let local = self.add_local(name, mutable, LocalKind::Temporary);
        self.declare(local);
        self.event(Event::Define(local));
        if rebuild.is_some() {
            let pattern = self.name_pattern(local);
            self.group(pattern, &[local], rebuild);
        }
        crate::tree::Temporary { local, value }
    }

    fn group(&mut self, pattern: Pat, locals: &[LocalId], rebuild: Option<Rebuild>) -> GroupId {
        if let Some(rebuild) = &rebuild {
            self.note_borrowed(rebuild);
        }
        let id = GroupId(self.groups.len());
        for local in locals {
            self.locals[local.0].group = Some(id);
        }
        self.groups.push(Group { pattern: pattern::of_let(pattern::without_tests(pattern)), rebuild });
        self.event(Event::Bind(id));
        id
    }

    // The graph.

    fn event(&mut self, event: Event) {
        self.graph.blocks[self.current.0].events.push(event);
    }

    fn new_block(&mut self) -> BlockId {
        self.graph.blocks.push(crate::flow::Block::default());
        BlockId(self.graph.blocks.len() - 1)
    }

    fn exit(&mut self, exit: Exit) {
        self.graph.blocks[self.current.0].exit = exit;
    }

    fn goto(&mut self, target: BlockId) {
        self.exit(Exit::Goto(target));
        self.current = target;
    }

    /// Goes on in a block that control cannot reach: after a `return`, for example.
    fn diverge(&mut self) {
        self.current = self.new_block();
    }

    // Statements.

    fn block(&mut self, block: &syn::Block) -> Block {
        self.scoped(|lowerer| {
            // Items are visible in the whole block.
            let items = lowerer.items(block).into_iter();
            let mut statements: Vec<_> =
                items.map(|item| Statement::Verbatim(Box::new(Stmt::Item(item)))).collect();
            let unseen_outside = lowerer.unseen.len();
            let mut left = &block.stmts[..];
            while let [statement, after @ ..] = left {
                let over = adjacent::loop_over(statement, after);
                left = if over.is_some() { &after[1..] } else { after };
                lowerer.statement(over.as_ref().unwrap_or(statement), &mut statements);
            }
            lowerer.refuse_declared_by_macros(block);
            lowerer.unseen.truncate(unseen_outside);
            lowerer.brought.pop();
            // `if .. {}` needs none, but may be written as an expression in parentheses.
            let inner = first_of_the_last(&statements);
            for statement in &mut statements[..inner] {
                if let Statement::Expression { node, semicolon } = statement
                    && !matches!(**node, Node::Plain(_))
                {
                    semicolon.get_or_insert_default();
                }
            }
            Block { at: block.brace_token.span.join(), statements }
        })
    }

    fn statement(&mut self, statement: &Stmt, statements: &mut Vec<Statement>) {
        match statement {
            Stmt::Item(item @ syn::Item::Macro(_)) => {
                self.note_macro(item);
                statements.push(Statement::Verbatim(Box::new(statement.clone())));
            }
            Stmt::Item(_) => {}
            Stmt::Local(local) => self.let_statement(local, statements),
            Stmt::Expr(expr, semicolon) => {
                let node = self.expression(expr);
                statements.push(Statement::Expression { node: Box::new(node), semicolon: *semicolon });
            }
            Stmt::Macro(statement) => {
                let call = Expr::Macro(syn::ExprMacro {
                    attrs: statement.attrs.clone(),
                    mac: statement.mac.clone(),
                });
                if suspension::suspends(&call) || macros::is_list(&statement.mac) {
                    let node = self.expression(&call);
                    statements.push(Statement::Expression {
                        node: Box::new(node),
                        semicolon: statement.semi_token,
                    });
                } else {
                    self.trace(&call);
                    self.note_unseen(&statement.mac);
                    statements.push(Statement::Verbatim(Box::new(Stmt::Macro(statement.clone()))));
                }
            }
        }
    }

    fn let_statement(&mut self, local: &syn::Local, statements: &mut Vec<Statement>) {
        let (attributes, on_request) = asks_to_rebuild(&local.attrs);
        let is_conditional = attributes::is_conditional(&local.attrs);
        if is_conditional {
            self.may_mean_outside(&pattern::names(&local.pat));
        }
        let Some(init) = &local.init else {
            let binds = self.declare_uninitialised(&local.pat);
            self.note_concern(&binds, is_conditional.then_some(Concern::Conditional));
            let (pattern, init, otherwise, semicolon) = (local.pat.clone(), None, None, local.semi_token);
            let keyword = local.let_token;
            let statement = Let { attributes, keyword, pattern, init, otherwise, semicolon, binds };
            statements.push(Statement::Let(Box::new(statement)));
            return;
        };
        let mut value = (*init.expr).clone();
        let mut shown = Vec::new();
        if lend::is_written_borrow(&local.pat) && !is_conditional {
            self.read_shown_early(&mut value, &mut shown);
        }
        // What is hoisted out of it would be there without it.
        let settled =
            if is_conditional { Settled::default() } else { self.settle_matched(&mut value, &local.pat) };
        let Settled { temporaries, kept } = settled;
        for temporary in shown.into_iter().chain(temporaries) {
            statements.push(self.let_temporary(temporary));
        }
        self.initialises = suspension::names_of(&local.pat);
        self.done = Done::by_patterns([&local.pat]);
        let node = self.perhaps(is_conditional, |lowerer| lowerer.expression(&value));
        self.initialises = Vec::new();
        let parts = if on_request {
            vec![(local.pat.clone(), Some(self.rebuild_as_asked(&value)))]
        } else {
            self.parts(&value, &local.pat, kept.as_ref())
        };
        let otherwise = init.diverge.as_ref().map(|(_, otherwise)| self.branch_aside(otherwise));
        self.note_moved(self.moved_by_let(local, &value));
        let lends = self.may_lend_to(&local.pat, &value);
        let iterator = self.drawn_from(&local.pat, &value);
        let binds = self.bind_parts(parts);
        self.note_drawn(iterator, &binds);
        self.note_ways(&binds, &local.pat, &value);
        if lends {
            self.note_lent(&binds);
        }
        let concern =
            if is_conditional { Some(Concern::Conditional) } else { guard::concern(&local.pat, &value) };
        self.note_concern(&binds, concern);
        let (pattern, init, semicolon) = (local.pat.clone(), Some(node), local.semi_token);
        let keyword = local.let_token;
        let statement = Let { attributes, keyword, pattern, init, otherwise, semicolon, binds };
        statements.push(Statement::Let(Box::new(statement)));
    }

    fn note_concern(&mut self, binds: &[LocalId], concern: Option<Concern>) {
        for bound in binds {
            let local = &mut self.locals[bound.0];
            local.concern = local.concern.or(concern);
        }
    }

    /// Notes how the locals of a `let` travel, as far as it shows that.
    fn note_ways(&mut self, binds: &[LocalId], pattern: &Pat, value: &Expr) {
        if let (Pat::Tuple(patterns), Expr::Tuple(values)) = (pattern, unwrap(value))
            && patterns.elems.len() == values.elems.len()
        {
            let mut binds = binds;
            for (pattern, value) in patterns.elems.iter().zip(&values.elems) {
                let (of_this, of_others) = binds.split_at(pattern::bindings(pattern).len().min(binds.len()));
                self.note_ways(of_this, pattern, value);
                binds = of_others;
            }
            return;
        }
        let [bound] = binds else { return };
        let local = &mut self.locals[bound.0];
        let is_mutable_name = local.mutable && matches!(pattern, Pat::Ident(_));
        if is_mutable_name && iterate::may_iterate(value) {
            local.way = Way::Advanced;
        }
        if pattern::is_static_text(pattern) {
            local.way = Way::Text;
        }
        local.untyped = is_mutable_name && lend::is_untyped(value);
    }

    /// The `else` of a `let`, which control does not come back from.
    fn branch_aside(&mut self, otherwise: &Expr) -> Node {
        let (aside, ahead) = (self.new_block(), self.new_block());
        self.exit(Exit::Branch(vec![aside, ahead]));
        self.current = aside;
        let node = self.expression(otherwise);
        self.current = ahead;
        node
    }

    /// `name`, `mut name`.
    fn name_pattern(&self, local: LocalId) -> Pat {
        let Local { name, mutable, .. } = &self.locals[local.0];
        let mutability = mutable.then(<syn::Token![mut]>::default);
        syn::parse_quote!(#mutability #name)
    }

    fn let_temporary(&self, temporary: crate::tree::Temporary) -> Statement {
        let pattern = self.name_pattern(temporary.local);
        let (init, otherwise, binds) = (Some(temporary.value), None, vec![temporary.local]);
        let (attributes, keyword, semicolon) = Default::default();
        Statement::Let(Box::new(Let { attributes, keyword, pattern, init, otherwise, semicolon, binds }))
    }

    fn scope(&self) -> BTreeMap<LocalId, Named> {
        let names = self.scopes.iter().flatten();
        let locals = names.filter_map(|(name, local)| Some((name, (*local)?)));
        let means = |name: &str| self.resolve(name);
        locals.map(|(name, local)| (local, Named::when(means(name) == Some(local)))).collect()
    }

    /// A new site, told apart from others of the same name by its place among them.
    fn site(&mut self, name: &str, site: Site) -> SiteId {
        let others = (2..).map(|number| format!("{name}~{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(others);
        // The author may have given another the key `ok~2`.
        let name =
            names.find(|name| self.named.insert(name.clone())).expect("there are more numbers than sites");
        let scope = self.scope();
        self.sites.push(Site { name, scope, ..site });
        SiteId(self.sites.len() - 1)
    }
}
