//! Calls of other sagas. The called saga keeps its own state; when control comes back, it is called again with the
//! arguments that it was called with, so all that has an effect is evaluated before the site, into temporaries, and
//! what is left of the call can be evaluated any number of times.
//!
//! ```text
//! [source]  call(review(next(), plan, &mut log, names[at].as_str())).await
//! [tree]    t1 = next(); [site: holds t1, plan, log, names] call(review(t1, plan, &mut log, names[at].as_str()))
//! ```

use syn::{Expr, ExprCall};

use super::Lowerer;
use super::borrow::unwrap;
use super::trace::assigned_in;
use crate::parse::suspension;
use crate::tree::{Call, LocalId, Node, Site, Temporary};

impl Lowerer<'_> {
    /// `call(review(&plan)).await`.
    pub(super) fn call(&mut self, call: &ExprCall) -> Node {
        let initialises = std::mem::take(&mut self.initialises);
        let Some(callee) = suspension::callee(call) else {
            // The parser has refused it.
            return Node::Plain(syn::parse_quote!(::core::unreachable!()));
        };
        let name = match &initialises[..] {
            [local] => local.to_string(),
            _ => callee.to_string(),
        };
        let (name, site) = (self.keys.key(&name), Site::call(callee));
        let mut value = call.clone();
        let (temporaries, passed) = self.arguments(value.args.first_mut());
        let site = self.site(&name, site);
        self.suspend(site);
        let value = self.with_labels(&Expr::Call(value));
        self.trace(&value);
        self.after(temporaries, Node::Call(Box::new(Call { site, value, passed })))
    }

    /// Evaluates the arguments of a callee, and gives the locals that it takes by value.
    fn arguments(&mut self, callee: Option<&mut Expr>) -> (Vec<Temporary>, Vec<LocalId>) {
        let (mut temporaries, mut passed) = (Vec::new(), Vec::new());
        let callee = callee.map(unwrap_mut);
        let arguments = match callee {
            Some(Expr::Call(callee)) => &mut callee.args,
            Some(Expr::MethodCall(callee)) => {
                self.receiver(&mut callee.receiver, &mut temporaries);
                &mut callee.args
            }
            _ => return (temporaries, passed),
        };
        let assigned: Vec<_> = arguments.iter().map(assigned_in).collect();
        for (index, argument) in arguments.iter_mut().enumerate() {
            let later = assigned[index + 1..].concat();
            self.argument(argument, &later, &mut temporaries, &mut passed);
        }
        (temporaries, passed)
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
            && !later.contains(&self.locals[local.0].name.to_string())
        {
            passed.push(local);
            return;
        }
        temporaries.extend(self.settle(argument));
        if self.is_borrow(argument) || matches!(unwrap(argument), Expr::Reference(_)) {
            return;
        }
        let temporary = self.hoist(argument);
        passed.push(temporary.local);
        temporaries.push(temporary);
    }
}

fn unwrap_mut(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Paren(paren) => unwrap_mut(&mut paren.expr),
        Expr::Group(group) => unwrap_mut(&mut group.expr),
        other => other,
    }
}
