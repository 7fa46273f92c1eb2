//! What cannot suspend: every such place in the body, each with the rewrite.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAwait, Macro};

use super::calling::Calling;
use super::macros::Awaits;
use super::suspension::Part;
use super::{attributes, calling, is_ours, macros, suspension};
use crate::diagnostics::Diagnostics;

/// Refuses suspensions in places that the compiler cannot cut.
pub(super) fn refuse(block: &Block, diagnostics: &mut Diagnostics) {
    let mut refuser = Refuser { diagnostics, inside: Vec::new(), keys: BTreeSet::new() };
    refuser.visit_block(block);
}

struct Refuser<'d> {
    diagnostics: &'d mut Diagnostics,
    /// What encloses the code being looked at and cannot be cut, outermost first.
    inside: Vec<Enclosure>,
    keys: BTreeSet<String>,
}

#[derive(Clone, Copy)]
enum Enclosure {
    Closure,
    Async,
    Unsafe,
    Guard,
    Try,
}

impl Enclosure {
    const fn message(self) -> &'static str {
        match self {
            Self::Closure => {
                "a question cannot be asked in a closure, since its caller cannot be resumed; ask it in the tool and \
                 pass the answer in, or write the loop that the closure is for as a `for`"
            }
            Self::Async => {
                "a question cannot be asked in an `async` block, since its future cannot be resumed; ask it in the \
                 tool before the block and use the answer inside"
            }
            Self::Unsafe => {
                "a question cannot be asked in an `unsafe` block; ask it before the block and use the answer inside"
            }
            Self::Guard => {
                "a question cannot be asked in a match guard, since the other arms would have to be tried again; ask \
                 it in the arm's body, or before the `match`"
            }
            Self::Try => {
                "a question cannot be asked in a `try` block yet; use `?` in the tool itself, or a `match`"
            }
        }
    }
}

impl Refuser<'_> {
    fn within(&mut self, enclosure: Enclosure, visit: impl FnOnce(&mut Self)) {
        self.inside.push(enclosure);
        visit(self);
        self.inside.pop();
    }
}

impl<'ast> Visit<'ast> for Refuser<'_> {
    fn visit_expr_await(&mut self, await_: &'ast ExprAwait) {
        if let Some(question) = suspension::question(await_) {
            if let Some(enclosure) = self.inside.last() {
                self.diagnostics.error(&question.at, enclosure.message());
            }
            self.distinct_keys(&question.steps);
            if question.calls_for_each(&await_.base) {
                self.called_for_each(&await_.base);
            }
            let each_awaited = question.awaits_each(&await_.base);
            for token in &each_awaited {
                self.diagnostics.error(
                    token,
                    "questions that are joined are asked in one round, which is awaited once; remove this `.await`",
                );
            }
            if !each_awaited.is_empty() {
                return;
            }
        } else if let Some(calling) = calling::of(await_) {
            if let Some(enclosure) = self.inside.last() {
                self.diagnostics.error(&calling.at, enclosure.message());
            }
            for call in calling.calls().filter(|call| calling::callee(call).is_none()) {
                self.diagnostics.error(
                    &call.args,
                    "`call` takes the call of a `#[saga]` function as it stands, since its arguments travel and the \
                     function is called with them again: `call(review(&plan)).await`, without `Box::pin`; if `call` \
                     is a function of your own, call it `self::call(..)`",
                );
            }
            self.distinct_keys(calling.steps());
            if calling.for_each {
                self.called_again(&await_.base, &calling);
            }
        }
        visit::visit_expr_await(self, await_);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(Enclosure::Closure, |refuser| visit::visit_expr_closure(refuser, closure));
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        self.within(Enclosure::Async, |refuser| visit::visit_expr_async(refuser, block));
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.within(Enclosure::Unsafe, |refuser| visit::visit_expr_unsafe(refuser, block));
    }

    fn visit_expr_try_block(&mut self, block: &'ast syn::ExprTryBlock) {
        self.within(Enclosure::Try, |refuser| visit::visit_expr_try_block(refuser, block));
    }

    fn visit_pat_guard(&mut self, guarded: &'ast syn::PatGuard) {
        self.visit_pat(&guarded.pat);
        self.within(Enclosure::Guard, |refuser| refuser.visit_expr(&guarded.guard));
    }

    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        let condition = condition_in(|conditions| conditions.visit_stmt(statement));
        if suspension::statement_suspends(statement) {
            self.refuse_under(condition);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let condition = condition_in(|conditions| {
            arm.attrs.iter().for_each(|attribute| conditions.visit_attribute(attribute));
            conditions.visit_expr(&arm.body);
        });
        if suspension::suspends(&arm.body) {
            self.refuse_under(condition);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let is_rebuild = || attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "rebuild");
        if is_ours(attribute) && !is_rebuild() {
            self.diagnostics
                .error(attribute, "unknown request to the compiler; it knows `#[saga(rebuild)]` on a `let`");
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(awaits) = suspension::awaited_by(mac) {
            return self.diagnostics.error(&mac.path, awaited_by_another(awaits));
        }
        match macros::arguments(mac) {
            Some(arguments) => {
                let lazy = macros::lazy_from(mac).unwrap_or(usize::MAX);
                for (index, argument) in arguments.iter().enumerate() {
                    if index >= lazy && suspension::suspends(argument) {
                        self.diagnostics.error(
                            argument,
                            "a question cannot be asked here, since the macro may not evaluate it: an assertion's \
                             message only if it fails, a `debug_` assertion never in a release build; bind the answer \
                             first, or write an `if`",
                        );
                    } else {
                        self.visit_expr(argument);
                    }
                }
            }
            None => self.visit_unknown_macro(mac),
        }
    }
}

impl Refuser<'_> {
    fn refuse_under(&mut self, condition: Option<&syn::Attribute>) {
        if let Some(condition) = condition {
            self.diagnostics.error(
                condition,
                "a question cannot be asked under a `#[cfg]`, which is decided after the sites of the function are \
                 known; write `if cfg!(..) { .. }`, or a function for each case",
            );
        }
    }

    /// A client tells answers apart by their keys.
    fn distinct_keys<'s, S>(&mut self, steps: S)
    where
        S: IntoIterator<Item = &'s Part>,
    {
        for key in steps.into_iter().filter_map(|part| part.key.as_ref()) {
            if self.keys.insert(key.value()) {
                continue;
            }
            let message = format!(
                "two questions have the key `{}`, by which a client tells answers apart; give this one another",
                key.value()
            );
            self.diagnostics.error(key, message);
        }
    }

    /// A `join_all` of sagas of another form than `names.iter().map(|name| call(review(name)))`.
    fn called_for_each(&mut self, steps: &Expr) {
        for call in calling::calls_in(steps) {
            self.diagnostics.error(
                &call.func,
                "`join_all` calls a saga for each item of what it goes over, which it does again after a question: \
                 `join_all(names.iter().map(|name| call(review(name))))`; collect the items before, or call the sagas \
                 in a `for`, one after the other",
            );
        }
    }

    /// The closure of `join_all(names.iter().map(|name| call(review(name))))` is called again when a saga goes on.
    fn called_again(&mut self, base: &Expr, calling: &Calling) {
        if let Some(capture) = calling::closure_of(base).and_then(|closure| closure.capture) {
            self.diagnostics.error(
                &capture,
                "this closure is called again after a question, and cannot take what it captures each time; leave \
                 out `move`",
            );
        }
        let arguments = calling.calls().filter_map(|call| call.args.first()).flat_map(calling::arguments);
        for argument in arguments.filter(|argument| !calling::is_again(argument)) {
            self.diagnostics.error(
                argument,
                "the sagas of a `join_all` are called with their arguments again after a question, so these only \
                 name and borrow what there is; evaluate this before, for all items: `let prepared: Vec<_> = ..`",
            );
        }
    }

    /// A macro of which nothing is known: a question inside it would not be seen.
    fn visit_unknown_macro(&mut self, mac: &Macro) {
        if suspension::asks_inside(mac) {
            self.diagnostics.error(
                &mac.path,
                "a question cannot be asked inside this macro, since its arguments are not a list of expressions; \
                 bind the answer first: `let answer = ..await?;`",
            );
        }
    }
}

const fn awaited_by_another(awaits: Awaits) -> &'static str {
    match awaits {
        Awaits::All => {
            "this macro awaits by itself, and a question is answered with another request; ask several in one round: \
             `saga_runtime::join!(elicit(..), elicit(..)).await?`"
        }
        Awaits::First => {
            "a question cannot race, since it is answered with another request; ask it by itself, \
             `elicit(..).await?`, and let it expire: `#[saga_tool(ttl = \"10m\")]`"
        }
    }
}

/// The first `#[cfg]` in a statement or an arm, wherever in it the parser has put it.
fn condition_in<'ast>(visit: impl FnOnce(&mut Conditions<'ast>)) -> Option<&'ast syn::Attribute> {
    let mut conditions = Conditions { found: None };
    visit(&mut conditions);
    conditions.found
}

struct Conditions<'ast> {
    found: Option<&'ast syn::Attribute>,
}

impl<'ast> Visit<'ast> for Conditions<'ast> {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        self.found = self.found.or(attributes::is_condition(attribute).then_some(attribute));
    }

    // Statements, arms and closures further inside have their own.
    fn visit_block(&mut self, _: &'ast Block) {}

    fn visit_arm(&mut self, _: &'ast syn::Arm) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
