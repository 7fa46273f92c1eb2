//! Code generation: tree and layout → items. It has nothing left to refuse.
//!
//! The machine is one function with one `match`: an arm for the start, and one for each site. The arm of the start
//! is the author's function, in which a suspension leaves and never returns. The arm of a site takes the held
//! locals and goes on *inside* the same tree: what encloses the suspension is written out again from the inside to
//! the outside, a block as its remaining statements, a loop as the rest of its iteration and then the loop.
//! Nothing is dispatched within a transition, so that borrows live as the author wrote them. To leave is to tell the
//! frame why and to `break` out of a block around the `match`: no await, so that no local is in the future's state
//! because of a question, and rustc has less to look at.
//!
//! ```text
//! [source]  for region in &target.regions { let ok = elicit(region).await?; deploy(region, ok); } done()
//!
//! [start]   for region in &target.regions { let ok = leave(..)?; deploy(region, ok); } done()
//! [ok]      let (target, it) = ..; let region = ..;
//!           { let ok = answer?; deploy(region, ok); }
//!           for region in it { let ok = leave(..)?; deploy(region, ok); }
//!           done()
//! ```
//!
//! Types come from rustc: the code after a `leave` is dead, so that rustc types it and does not check its borrows.
//! There the held locals are tied to *slots*, of whose types the arms of the sites take them.

mod alias;
mod branches;
mod call;
mod closure;
mod diverge;
mod enter;
mod flow;
mod item;
mod known;
mod loops;
mod method;
pub(crate) mod names;
mod resume;
mod saga;
mod suspend;
mod way;

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Lifetime};

pub(crate) use self::flow::flow;
pub(crate) use self::item::{scripted_methods, stub, tool, twin};
pub(crate) use self::method::{method, method_stub};
pub(crate) use self::saga::{refused, saga};
use crate::analysis::layout::SiteLayout;
use crate::parse::macros;
use crate::tree::{Body, LocalId, fill};

/// Writes one arm of the machine.
struct Writer<'a> {
    body: &'a Body,
    layouts: &'a [SiteLayout],
    /// Whether to leave out what cannot be reached. The arm of the start is whole: it shows rustc every type.
    prune: bool,
    /// Loops of which the rest of an iteration is being written, innermost last.
    partial: Vec<Partial>,
    /// The labels that were left by a `break`.
    broken: BTreeSet<String>,
    /// Locals whose types the loop that is written next says.
    untyped: Vec<LocalId>,
    /// The slots of values that are one of several branches, as the arm of the start found them.
    branched: BTreeSet<Ident>,
}

/// A loop of which the rest of an iteration is being written.
struct Partial {
    label: Lifetime,
    /// The block around that rest and the loop after it: a `break` of the loop leaves it.
    whole: Lifetime,
    /// The block of that rest: a `continue` of the loop leaves it.
    rest: Lifetime,
}

impl Partial {
    fn new(label: &Lifetime) -> Self {
        let derived = |part| Lifetime::new(&format!("'{}_{part}", label.ident), Span::mixed_site());
        Self { label: label.clone(), whole: derived("whole"), rest: derived("rest") }
    }
}

/// Tokens, and whether control can come out at their end.
struct Written {
    tokens: TokenStream,
    ends: bool,
}

impl Written {
    fn falling_through(tokens: TokenStream) -> Self {
        Self { tokens, ends: true }
    }
}

impl<'a> Writer<'a> {
    fn new(body: &'a Body, layouts: &'a [SiteLayout], prune: bool) -> Self {
        Self {
            body,
            layouts,
            prune,
            partial: Vec::new(),
            broken: BTreeSet::new(),
            untyped: Vec::new(),
            branched: BTreeSet::new(),
        }
    }

    /// The label that a `break` of a loop names here.
    fn break_label(&mut self, label: &Lifetime) -> Lifetime {
        let target =
            Jumps { partial: &self.partial }.target(Some(label)).map(|partial| partial.whole.clone());
        let label = target.unwrap_or_else(|| label.clone());
        self.broken.insert(label.ident.to_string());
        label
    }

    /// Writes what a label encloses, and tells whether a `break` in it names the label. The same code may be written
    /// again elsewhere, with other ways out.
    fn within<T>(&mut self, label: &Lifetime, write: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let name = label.ident.to_string();
        let outside = self.broken.remove(&name);
        let written = write(self);
        let inside = self.broken.remove(&name);
        if outside {
            self.broken.insert(name);
        }
        (written, inside)
    }

    /// Code without suspensions, as it was written; only the jumps of a loop whose iteration is being finished
    /// leave that iteration instead.
    fn plain(&mut self, expr: &Expr) -> Written {
        let mut expr = expr.clone();
        if !self.partial.is_empty() {
            Jumps { partial: &self.partial }.visit_expr_mut(&mut expr);
        }
        Breaks { broken: &mut self.broken }.visit_expr(&expr);
        let ends = !diverge::diverges(&expr);
        Written { tokens: quote!(#expr), ends }
    }
}

/// An expression with its hole filled.
fn filled(whole: &Expr, marker: &Ident, hole: &TokenStream) -> Expr {
    fill(whole, marker, &Expr::Verbatim(hole.clone()))
}

struct Jumps<'a> {
    partial: &'a [Partial],
}

impl Jumps<'_> {
    fn target(&self, label: Option<&Lifetime>) -> Option<&Partial> {
        let label = label?;
        self.partial.iter().rev().find(|partial| partial.label.ident == label.ident)
    }
}

impl VisitMut for Jumps<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Continue(jump) = expr
            && let Some(Partial { rest, .. }) = self.target(jump.label.as_ref())
        {
            let attributes = &jump.attrs;
            *expr = syn::parse_quote!(#(#attributes)* break #rest);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_expr_break_mut(&mut self, jump: &mut syn::ExprBreak) {
        if let Some(Partial { whole, .. }) = self.target(jump.label.as_ref()) {
            jump.label = Some(whole.clone());
        }
        visit_mut::visit_expr_break_mut(self, jump);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        macros::for_each_argument_mut(mac, &["break", "continue"], |argument| self.visit_expr_mut(argument));
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

struct Breaks<'a> {
    broken: &'a mut BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Breaks<'_> {
    fn visit_expr_break(&mut self, jump: &'ast syn::ExprBreak) {
        self.broken.extend(jump.label.iter().map(|label| label.ident.to_string()));
        visit::visit_expr_break(self, jump);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if macros::may_jump(mac) {
            self.broken.extend(macros::labels(&mac.tokens));
        }
        let breaks = ["break"];
        macros::for_each_argument(mac, &breaks, |argument| {
            Breaks { broken: self.broken }.visit_expr(argument);
        });
    }
}
