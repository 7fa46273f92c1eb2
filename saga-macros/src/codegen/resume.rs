//! Writing the tree from a suspension on: what encloses the site, from the inside to the outside.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Lifetime};

use super::enter::{dead, unreachable};
use super::names::{braced, frame, gone, held, inner, private, written_between};
use super::{Partial, Writer, Written, diverge};
use crate::parse::macros;
use crate::tree::{Apply, Block, For, If, Match, Node, Site, SiteId, Statement};

impl Writer<'_> {
    /// What remains of a node after the site inside it, with the node's value.
    pub(super) fn resume(&mut self, node: &Node, site: SiteId) -> Written {
        match node {
            Node::Plain(_) => unreachable!("plain code has no site inside; this is a bug in saga-macros"),
            Node::Ask { site, .. } => {
                let Site { span, end, .. } = *self.body.site(*site);
                let answer = written_between([span, end], &inner("answer"), quote!(0));
                Written::falling_through(braced(span, answer))
            }
            Node::Call(call) => self.call(call),
            Node::Block { label, block } => {
                self.labelled(label.as_ref(), |writer| writer.resume_block(block, site))
            }
            Node::If(node) => self.resume_if(node, site),
            Node::Match(node) => self.resume_match(node, site),
            Node::Loop { label, body } => self.whole_loop(label, |writer| {
                let rest = writer.rest_of_iteration(label, &TokenStream::new(), body, site);
                let again = rest.ends.then(|| writer.node(node));
                (rest.tokens, again)
            }),
            Node::For(node) => self.resume_for(node, site),
            Node::Return { value } => {
                let value = self.resume(value, site);
                self.return_with(&value)
            }
            Node::Break { label, value } => {
                let value = self.resume(value, site);
                self.break_with(label, &value)
            }
            Node::Apply(node) => self.resume_apply(node, site),
        }
    }

    /// The statements after the one with the site, in the scope that those before it made.
    pub(super) fn resume_block(&mut self, block: &Block, site: SiteId) -> Written {
        let mut before = TokenStream::new();
        let position = block.statements.iter().position(|statement| statement.contains(site));
        let position = position.expect("the site is in this block; this is a bug in saga-macros otherwise");
        for statement in &block.statements[..position] {
            match statement {
                Statement::Let(statement) => before.extend(self.rebind(&statement.binds, site)),
                // What it declares is there in the whole block; a macro's names mean what they mean here.
                Statement::Verbatim(statement) if matches!(**statement, syn::Stmt::Item(_)) => {
                    before.extend(quote!(#statement));
                }
                Statement::Verbatim(_) | Statement::Expression { .. } => {}
            }
        }
        let Written { tokens, ends } = self.resume_statement(&block.statements[position], site);
        before.extend(tokens);
        let rest = &block.statements[position + 1..];
        if !ends {
            if !rest.is_empty() {
                let unreachable = unreachable();
                before.extend(quote!(; #unreachable));
            }
            return Written { tokens: braced(block.at, before), ends: false };
        }
        self.statements(block.at, before, rest)
    }

    fn resume_statement(&mut self, statement: &Statement, site: SiteId) -> Written {
        match statement {
            Statement::Verbatim(_) => {
                unreachable!("a verbatim statement has no site; this is a bug in saga-macros")
            }
            Statement::Expression { node, semicolon } => {
                let Written { tokens, ends } = self.resume(node, site);
                Written { tokens: quote!(#tokens #semicolon), ends }
            }
            Statement::Let(statement) => match &statement.init {
                Some(init) if init.contains(site) => {
                    let init = self.resume(init, site);
                    self.let_with(statement, Some(init))
                }
                _ => {
                    let otherwise =
                        statement.otherwise.as_ref().expect("the site is in the `let` or its `else`");
                    let otherwise = self.resume(otherwise, site).tokens;
                    // rustc sees that it does not end, as it saw in the `let`, and nothing comes after it.
                    let unreachable = unreachable();
                    Written { tokens: quote!(let false = true else #otherwise; #unreachable), ends: false }
                }
            },
        }
    }

    fn resume_if(&mut self, node: &If, site: SiteId) -> Written {
        if node.then.contains(site) {
            let mut scope = TokenStream::new();
            for condition in &node.conditions {
                scope.extend(self.rebind(&condition.binds, site));
            }
            let Written { tokens, ends } = self.resume_block(&node.then, site);
            return Written { tokens: quote!({ #scope #tokens }), ends };
        }
        if let Some(otherwise) = &node.otherwise
            && otherwise.contains(site)
        {
            return self.resume(otherwise, site);
        }
        let conditions = node.conditions.iter();
        let index = conditions.clone().position(|condition| condition.value.contains(site));
        let index = index.expect("the site is in this `if`; this is a bug in saga-macros otherwise");
        let known = self.resume(&node.conditions[index].value, site);
        if index == 0 {
            return self.if_from(node, 0, Some(known));
        }
        self.resume_condition(node, index, known, site)
    }

    /// Goes on in a later condition: the earlier ones hold, and their patterns are bound, but not in the `else`.
    fn resume_condition(&mut self, node: &If, index: usize, known: Written, site: SiteId) -> Written {
        let mut scope = TokenStream::new();
        for condition in &node.conditions[..index] {
            scope.extend(self.rebind(&condition.binds, site));
        }
        if self.is_dead(&known) {
            let dead = dead(&known).tokens;
            return Written { tokens: quote!({ #scope #dead }), ends: false };
        }
        let mut rest = node.clone();
        rest.otherwise = None;
        let label = &node.label;
        let inner_label = Lifetime::new(&format!("'{}_rest", label.ident), Span::mixed_site());
        let then = node.then.clone();
        // `break` out of the conditions' scope with the value of `then`; fall out of it to the `else`.
        let jump =
            Node::Break { label: label.clone(), value: Box::new(Node::Block { label: None, block: then }) };
        rest.then = Block {
            at: node.then.at,
            statements: vec![Statement::Expression {
                node: Box::new(jump),
                semicolon: Some(<syn::Token![;]>::default()),
            }],
        };
        rest.label = inner_label;
        let (conditions, holds) =
            self.within(label, |writer| writer.if_from(&rest, index, Some(known)).tokens);
        let otherwise = node.otherwise.as_ref().map(|otherwise| self.node(otherwise));
        let ends = holds || otherwise.as_ref().is_none_or(|otherwise| otherwise.ends);
        let otherwise = otherwise.map(|otherwise| otherwise.tokens);
        Written { tokens: quote!(#label: { { #scope #conditions } #otherwise }), ends }
    }

    fn resume_match(&mut self, node: &Match, site: SiteId) -> Written {
        if node.scrutinee.contains(site) {
            let scrutinee = self.resume(&node.scrutinee, site);
            return self.match_on(node, scrutinee);
        }
        let arm = node.arms.iter().find(|arm| arm.body.contains(site));
        let arm = arm.expect("the site is in this `match`; this is a bug in saga-macros otherwise");
        let scope = self.rebind(&arm.binds, site);
        let Written { tokens, ends } = self.resume(&arm.body, site);
        Written { tokens: quote!({ #scope #tokens }), ends }
    }

    fn resume_for(&mut self, node: &For, site: SiteId) -> Written {
        if node.source.contains(site) {
            let source = self.resume(&node.source, site);
            return self.for_over(node, &source);
        }
        let (private, frame, item, gone) = (private(), frame(), inner("item"), gone());
        let name = &self.body.local(node.iterator).name;
        let value = held(node.iterator);
        // Not held if nothing of the loop is left to run but what comes of this iteration.
        let is_held = self.layouts[site.0].held.contains(&node.iterator);
        let (iterator, mut scope) = match self.body.positions.get(&node.iterator) {
            _ if !is_held => (TokenStream::new(), TokenStream::new()),
            Some(position) => {
                let (source, pattern) = (&position.source, &node.pattern);
                let iterator = quote! {
                    let (mut #name, #item) =
                        match #private::Positioned::resume(#private::into_iter(#source), #value) {
                            #private::Some(resumed) => resumed,
                            #private::None => {
                                #frame.stale();
                                #gone
                            }
                        };
                };
                (iterator, quote!(let #pattern = #item;))
            }
            None => (quote!(let mut #name = #value;), TokenStream::new()),
        };
        let aliases = self.aliases(&node.binds);
        scope.extend(self.rebind_values(&node.binds, site));
        self.whole_loop(&node.label, |writer| {
            let Written { tokens: rest, ends } =
                writer.rest_of_iteration(&node.label, &scope, &node.body, site);
            let again = (ends && is_held).then(|| Written::falling_through(writer.for_rest(node)));
            (quote!(#aliases #iterator #rest), again)
        })
    }

    /// The rest of an iteration, and the loop again if control comes out of that rest.
    fn whole_loop(
        &mut self,
        label: &Lifetime,
        write: impl FnOnce(&mut Self) -> (TokenStream, Option<Written>),
    ) -> Written {
        let whole = Partial::new(label).whole;
        let ((rest, again), broken) = self.within(&whole, write);
        let hidden = self.body.opaque.contains(&label.ident.to_string());
        let ends = broken || hidden || again.as_ref().is_some_and(|again| again.ends);
        let again = again.map_or_else(unreachable, |again| again.tokens);
        Written { tokens: quote!(#whole: { #rest #again }), ends }
    }

    /// The rest of the iteration that the site is in; `continue` ends it.
    fn rest_of_iteration(
        &mut self,
        label: &Lifetime,
        scope: &TokenStream,
        body: &Block,
        site: SiteId,
    ) -> Written {
        let partial = Partial::new(label);
        let (rest, whole) = (partial.rest.clone(), partial.whole.clone());
        self.partial.push(partial);
        let (inside, continued) = self.within(&rest, |writer| writer.resume_block(body, site));
        self.partial.pop();
        let (tokens, ends) = (inside.tokens, inside.ends || continued);
        if !self.body.opaque.contains(&label.ident.to_string()) || !diverge::may_hide_a_jump(&tokens) {
            return Written { tokens: quote!(#rest: { #scope #tokens }), ends };
        }
        // A macro may hide a `break` or a `continue`: they leave a loop that runs once.
        let (private, cell) = (private(), inner("cell"));
        let moved = self.moved_in(site, scope, &tokens);
        let tokens = quote! {
            #rest: {
                let mut #cell = #private::Some((#(#moved,)*));
                break #whole (#label: loop {
                    let #private::Some((#(#moved,)*)) = #cell.take() else { break #rest };
                    #scope
                    #tokens
                    break #rest;
                });
            }
        };
        Written { tokens, ends: true }
    }

    /// What the site was given that the rest of an iteration moves into its locals.
    fn moved_in(&self, site: SiteId, scope: &TokenStream, rest: &TokenStream) -> Vec<Ident> {
        let (scope, rest) = (macros::identifiers(scope), macros::identifiers(rest));
        let held = self.layouts[site.0].held.iter().map(|local| held(*local));
        let given = held.chain([inner("answer")]);
        let named = |name: &Ident| scope.iter().chain(&rest).any(|known| name == known);
        let item = Some(inner("item")).filter(|item| scope.iter().any(|known| item == known));
        given.filter(named).chain(item).collect()
    }

    fn resume_apply(&mut self, node: &Apply, site: SiteId) -> Written {
        let at = node.temporaries.iter().position(|temporary| temporary.value.contains(site));
        let mut before = TokenStream::new();
        for temporary in &node.temporaries[..at.unwrap_or(node.temporaries.len())] {
            before.extend(self.rebind(&[temporary.local], site));
        }
        let Some(at) = at else {
            let hole = self.resume(&node.hole, site);
            return self.around(node, &before, &hole);
        };
        let value = self.resume(&node.temporaries[at].value, site);
        if self.is_dead(&value) {
            let dead = dead(&value).tokens;
            return Written { tokens: quote!({ #before #dead }), ends: false };
        }
        before.extend(self.let_temporary(&node.temporaries[at], &value.tokens));
        self.apply_from(node, before, at + 1)
    }
}
