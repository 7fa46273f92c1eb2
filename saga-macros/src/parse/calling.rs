//! Awaits that run other sagas: `call(review(&plan)).await`, or several in one round, with steps among them, or one for
//! each item of an iterator.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAwait, ExprCall, ExprClosure, Ident};

use super::places::is_borrowing;
use super::suspension::{Part, join_of, ours, part, root, unwrap};
use super::{macros, plain_name};

/// An await that runs other sagas: `call(review(&plan)).await`, or several, with steps among them:
/// `join!(call(fly(&trip)), call(sleep(&trip))).await`, or as many as there are items:
/// `join_all(names.iter().map(|name| call(review(name)))).await`.
pub(crate) struct Calling {
    /// The function or the macro, as the author wrote it.
    pub(crate) at: TokenStream,
    pub(crate) branches: Vec<CallOrStep>,
    /// Whether the branch is one for each item.
    pub(crate) for_each: bool,
}

/// One of those that an await runs.
pub(crate) enum CallOrStep {
    /// `call(review(&plan))`.
    Call(ExprCall),
    Step(Part),
}

impl Calling {
    /// The names of what is called.
    pub(crate) fn callees(&self) -> impl Iterator<Item = String> {
        self.calls().filter_map(callee).map(plain_name)
    }

    pub(crate) fn calls(&self) -> impl Iterator<Item = &ExprCall> {
        self.branches.iter().filter_map(|branch| match branch {
            CallOrStep::Call(call) => Some(call),
            CallOrStep::Step(_) => None,
        })
    }

    pub(crate) fn steps(&self) -> impl Iterator<Item = &Part> {
        self.branches.iter().filter_map(|branch| match branch {
            CallOrStep::Call(_) => None,
            CallOrStep::Step(part) => Some(part),
        })
    }

    /// A name for each, in order: what the author wrote, else the local that the await initialises, else what is
    /// called.
    pub(crate) fn names(&self, initialises: &[Ident]) -> Vec<String> {
        let named = initialises.len() == self.branches.len();
        let each = self.branches.iter().enumerate().map(|(index, branch)| {
            let local = initialises.get(index).filter(|_| named).map(plain_name);
            match branch {
                CallOrStep::Call(call) => local.or_else(|| callee(call).map(plain_name)),
                CallOrStep::Step(part) => part.name(local),
            }
        });
        each.map(|name| name.unwrap_or_else(|| "step".to_owned())).collect()
    }

    /// Where the author calls: the one that is called, else the macro that calls several.
    pub(crate) fn span(&self) -> Span {
        match &self.branches[..] {
            [CallOrStep::Call(call)] => callee(call).map_or_else(|| self.at.span(), Ident::span),
            _ => self.at.span(),
        }
    }
}

/// The sagas that this await runs, if it runs any.
pub(crate) fn of(await_: &ExprAwait) -> Option<Calling> {
    match root(&await_.base).0 {
        Expr::Call(call) => {
            let direct = call_of(&await_.base).filter(|direct| *direct == call);
            let (called, for_each) = match direct {
                Some(direct) => (direct, false),
                None => (call_of(&each(call)?.0.body)?, true),
            };
            let branches = vec![CallOrStep::Call(called.clone())];
            Some(Calling { at: call.func.to_token_stream(), branches, for_each })
        }
        Expr::Macro(join) => {
            let steps = join_of(join)?;
            let branches: Vec<_> = steps.iter().map(branch).collect();
            let at = join.mac.path.to_token_stream();
            let calls = branches.iter().any(|branch| matches!(branch, CallOrStep::Call(_)));
            calls.then_some(Calling { at, branches, for_each: false })
        }
        _ => None,
    }
}

/// The closure of `join_all(names.iter().map(|name| call(review(name))))`, and what it is called for.
pub(crate) fn each(all: &ExprCall) -> Option<(&ExprClosure, &Expr)> {
    let Expr::Path(function) = &*all.func else { return None };
    let Expr::MethodCall(map) = unwrap(all.args.first()?) else { return None };
    let Expr::Closure(closure) = unwrap(map.args.first()?) else { return None };
    let calls =
        ours(&function.path)? == "join_all" && map.method == "map" && call_of(&closure.body).is_some();
    calls.then_some((closure, &*map.receiver))
}

/// What `join_all(names.iter().map(..))` goes over, where it stands.
pub(crate) fn source_mut(base: &mut Expr) -> Option<&mut Expr> {
    match base {
        Expr::MethodCall(each) => source_mut(&mut each.receiver),
        Expr::Paren(paren) => source_mut(&mut paren.expr),
        Expr::Call(all) => match all.args.first_mut()? {
            Expr::MethodCall(map) => Some(&mut map.receiver),
            _ => None,
        },
        _ => None,
    }
}

/// The expressions in an await that runs other sagas, each a call of a saga or a step.
pub(crate) fn for_each_branch_mut(base: &mut Expr, mut visit: impl FnMut(&mut Expr)) {
    match base {
        Expr::MethodCall(each) => for_each_branch_mut(&mut each.receiver, visit),
        Expr::Paren(paren) => for_each_branch_mut(&mut paren.expr, visit),
        Expr::Macro(join) => macros::for_each_argument_mut(&mut join.mac, &["call"], visit),
        call => visit(call),
    }
}

fn branch(branch: &Expr) -> CallOrStep {
    match call_of(branch) {
        Some(call) => CallOrStep::Call(call.clone()),
        None => CallOrStep::Step(part(branch)),
    }
}

/// The call of `call`: `call(review(&plan))`.
pub(crate) fn call_of(expr: &Expr) -> Option<&ExprCall> {
    let Expr::Call(call) = unwrap(expr) else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    (ours(&function.path)? == "call" && call.args.len() == 1).then_some(call)
}

/// The calls of `call` in an expression, in closures, too, that are not awaited there.
pub(crate) fn calls_in(expr: &Expr) -> Vec<&ExprCall> {
    #[derive(Default)]
    struct Calls<'ast>(Vec<&'ast ExprCall>);
    impl<'ast> Visit<'ast> for Calls<'ast> {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0.extend(call_of(expr).filter(|_| matches!(expr, Expr::Call(_))));
            visit::visit_expr(self, expr);
        }

        fn visit_expr_await(&mut self, await_: &'ast ExprAwait) {
            if of(await_).is_none() {
                visit::visit_expr_await(self, await_);
            }
        }
    }
    let mut calls = Calls::default();
    calls.visit_expr(expr);
    calls.0
}

/// What a call's argument calls: `review` in `call(review(&plan))`. `None` if it is no call, or one that only wraps
/// another.
pub(crate) fn callee(call: &ExprCall) -> Option<&Ident> {
    match unwrap(call.args.first()?) {
        Expr::Call(callee) if pins(callee) => None,
        Expr::Call(callee) => match &*callee.func {
            Expr::Path(function) => function.path.segments.last().map(|segment| &segment.ident),
            _ => None,
        },
        Expr::MethodCall(callee) => Some(&callee.method),
        _ => None,
    }
}

/// Whether it is a call of `Box::pin`.
pub(super) fn pins(call: &ExprCall) -> bool {
    let Expr::Path(function) = &*call.func else { return false };
    let segments: Vec<_> = function.path.segments.iter().map(|segment| &segment.ident).collect();
    matches!(segments[..], [.., of, new] if *of == "Box" && *new == "pin")
}

/// The closure of a `join_all` of sagas.
pub(super) fn closure_of(base: &Expr) -> Option<&ExprClosure> {
    let Expr::Call(all) = root(base).0 else { return None };
    each(all).map(|(closure, _)| closure)
}

/// What a saga is called with, and on.
pub(super) fn arguments(callee: &Expr) -> Vec<&Expr> {
    match unwrap(callee) {
        Expr::Call(callee) => callee.args.iter().collect(),
        Expr::MethodCall(callee) => std::iter::once(&*callee.receiver).chain(&callee.args).collect(),
        _ => Vec::new(),
    }
}

/// Whether an argument only names and borrows what there is: it is the same whenever it is evaluated.
pub(super) fn is_again(argument: &Expr) -> bool {
    match unwrap(argument) {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(field) => is_again(&field.base),
        Expr::Index(index) => is_again(&index.expr) && is_again(&index.index),
        Expr::Reference(reference) => is_again(&reference.expr),
        Expr::Unary(unary) => is_again(&unary.expr),
        Expr::Cast(cast) => is_again(&cast.expr),
        Expr::MethodCall(call) => is_borrowing(call) && is_again(&call.receiver),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_again),
        Expr::Binary(binary) => is_again(&binary.left) && is_again(&binary.right),
        _ => false,
    }
}
