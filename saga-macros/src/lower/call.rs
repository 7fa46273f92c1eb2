//! Calls of other sagas. A called saga keeps its own state; when control comes back, it is called again with the
//! arguments that it was called with, so all that has an effect is evaluated before the site, into temporaries, and
//! what is left of the call can be evaluated any number of times.
//!
//! ```text
//! [source]  call(review(next(), plan, &mut log, names[at].as_str())).await
//! [tree]    t1 = next(); [site: holds t1, plan, log, names] call(review(t1, plan, &mut log, names[at].as_str()))
//! ```

use syn::spanned::Spanned;
use syn::{Expr, parse_quote_spanned};

use super::Lowerer;
use super::assigned::assigned_in;
use super::borrow::unwrap;
use super::changed::Part;
use super::operands::root_of;
use crate::parse::calling::{self, Calling};
use crate::parse::places::unwrap_mut;
use crate::parse::plain_name;
use crate::tree::{Call, LocalId, Node, Rebuild, Received, Site, Temporary};

impl Lowerer<'_> {
    /// `call(review(&plan)).await`, `join!(call(fly(&trip)), call(sleep(&trip))).await`.
    pub(super) fn call(&mut self, await_: &syn::ExprAwait, calling: &Calling) -> Node {
        let names = calling.names(&std::mem::take(&mut self.initialises));
        let keys: Vec<_> = names.iter().map(|name| self.keys.key(name)).collect();
        let (name, callees) = (keys.join("+"), calling.callees().collect::<Vec<_>>().join(", "));
        let site = Site::call(callees, keys, [calling.span(), await_.await_token.span()]);
        let mut value = (*await_.base).clone();
        let Operands { temporaries, passed, source } = match calling::source_mut(&mut value) {
            Some(source) if calling.for_each => self.source_of_calls(source),
            _ => self.operands_of_calls(&mut value),
        };
        let site = self.site(&name, site);
        self.suspend(site);
        let value = self.with_labels(&value);
        self.trace(&value);
        let received = if calling.for_each { Vec::new() } else { self.received(&value) };
        // What is called is by itself where control comes back.
        let after = self.new_block();
        self.goto(after);
        self.after(temporaries, Node::Call(Box::new(Call { site, value, source, passed, received })))
    }

    /// The locals that methods are called on.
    fn received(&self, value: &Expr) -> Vec<Received> {
        let (mut received, mut value) = (Vec::new(), value.clone());
        calling::for_each_branch_mut(&mut value, |branch| {
            let callee = calling::call_of(branch).and_then(|call| call.args.first());
            let Some(saga @ Expr::MethodCall(callee)) = callee.map(unwrap) else { return };
            let local = root_of(&callee.receiver).and_then(|root| self.resolve(&root));
            let fields = Part::of(&callee.receiver).map(|part| part.fields).unwrap_or_default();
            received.extend(local.map(|local| Received { local, fields, saga: saga.clone() }));
        });
        received
    }

    /// What sagas are called for: an iterator over a place is made again, and of any other the items travel.
    fn source_of_calls(&mut self, source: &mut Expr) -> Operands {
        let mut operands = Operands { temporaries: self.settle(source).temporaries, ..Operands::default() };
        if self.is_iteration(source) {
            operands.source = Some(self.rebuild_of(source));
            return operands;
        }
        let at = source.span();
        *source = parse_quote_spanned!(at=> ::core::iter::Iterator::collect::<::std::vec::Vec<_>>(#source));
        let temporary = self.hoist(source);
        *source = parse_quote_spanned!(at=> #source.into_iter());
        operands.passed.push(temporary.local);
        operands.temporaries.push(temporary);
        operands
    }

    /// Evaluates the arguments of all that is called, in order.
    fn operands_of_calls(&mut self, base: &mut Expr) -> Operands {
        let mut assigned = Vec::new();
        calling::for_each_branch_mut(base, |branch| {
            assigned.extend(operands(branch).into_iter().map(|(operand, _)| assigned_in(operand)));
        });
        let (mut temporaries, mut passed, mut next) = (Vec::new(), Vec::new(), 0);
        calling::for_each_branch_mut(base, |branch| {
            for (operand, role) in operands(branch) {
                next += 1;
                match role {
                    Role::Receiver => self.receiver(operand, &mut temporaries),
                    Role::Argument => {
                        self.argument(operand, &assigned[next..].concat(), &mut temporaries, &mut passed);
                    }
                }
            }
        });
        Operands { temporaries, passed, source: None }
    }

    /// An argument stays where it stands if it borrows, or is a local: all else is evaluated once.
    fn argument(
        &mut self,
        argument: &mut Expr,
        later: &[String],
        temporaries: &mut Vec<Temporary>,
        passed: &mut Vec<LocalId>,
    ) {
        if matches!(unwrap(argument), Expr::Closure(_)) || self.is_constant(argument) {
            return;
        }
        if let Expr::Path(path) = unwrap(argument)
            && let Some(local) = self.local_of(path)
            && !later.contains(&plain_name(&self.locals[local.0].name))
        {
            if !passed.contains(&local) {
                passed.push(local);
            }
            return;
        }
        if let Some(mut parts) = parts_of(argument) {
            for at in 0..parts.len() {
                let assigned = parts[at + 1..].iter().flat_map(|part| assigned_in(part));
                let later: Vec<_> = later.iter().cloned().chain(assigned).collect();
                self.argument(parts[at], &later, temporaries, passed);
            }
            return;
        }
        temporaries.extend(self.settle(argument).temporaries);
        if self.is_borrow(argument) || matches!(unwrap(argument), Expr::Reference(_)) {
            return;
        }
        let temporary = self.hoist(argument);
        passed.push(temporary.local);
        temporaries.push(temporary);
    }
}

/// The parts of `Some(&name)`, `(&name, 2)` and `&[&one, &other]`, which stay where they stand: what the callee takes says
/// as what each is borrowed.
fn parts_of(argument: &mut Expr) -> Option<Vec<&mut Expr>> {
    match argument {
        Expr::Paren(paren) => parts_of(&mut paren.expr),
        Expr::Call(call) if is_constructor(&call.func) => Some(call.args.iter_mut().collect()),
        Expr::Tuple(tuple) => Some(tuple.elems.iter_mut().collect()),
        Expr::Reference(reference) if reference.mutability.is_none() => match &mut *reference.expr {
            Expr::Array(array) => Some(array.elems.iter_mut().collect()),
            _ => None,
        },
        _ => None,
    }
}

/// By Rust's naming: `Some`, `Wrapper`.
fn is_constructor(function: &Expr) -> bool {
    let Expr::Path(path) = unwrap(function) else { return false };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| name.starts_with(char::is_uppercase))
}

/// What is evaluated before a call.
#[derive(Default)]
struct Operands {
    temporaries: Vec<Temporary>,
    /// The locals that are taken by value.
    passed: Vec<LocalId>,
    /// What is made again.
    source: Option<Rebuild>,
}

enum Role {
    Receiver,
    Argument,
}

/// What is evaluated of a branch before it is called, in order: a saga's arguments, or a step.
fn operands(branch: &mut Expr) -> Vec<(&mut Expr, Role)> {
    if calling::call_of(branch).is_none() {
        return vec![(branch, Role::Argument)];
    }
    let Expr::Call(call) = unwrap_mut(branch) else { return Vec::new() };
    match call.args.first_mut().map(unwrap_mut) {
        Some(Expr::Call(callee)) => {
            callee.args.iter_mut().map(|argument| (argument, Role::Argument)).collect()
        }
        Some(Expr::MethodCall(callee)) => {
            let arguments = callee.args.iter_mut().map(|argument| (argument, Role::Argument));
            std::iter::once((&mut *callee.receiver, Role::Receiver)).chain(arguments).collect()
        }
        // The parser has refused it.
        _ => Vec::new(),
    }
}
