//! A borrow by a method is derived again: the method runs once more. That is of no matter for the standard library's
//! `iter` and `lines`, and may be for one of the author's of such a name, so the type that has it must be known. (What
//! an `as_str` is, its name says.)

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use super::Writer;
use super::names::{located_at, private};
use crate::parse::places::{is_borrowing, unwrap};
use crate::parse::plain_name;
use crate::tree::{FURTHER, LocalId, PICKING, Rebuild};

impl Writer<'_> {
    /// The value of these bindings, which rustc refuses if they are derived again by methods of unknown types. One
    /// arm says it for all.
    pub(super) fn known(&self, binds: &[LocalId], value: TokenStream) -> TokenStream {
        let groups = self.groups_of(binds, |local| !self.prune && self.is_derived(local));
        let rebuilds = groups.into_iter().filter_map(|group| self.body.group(group).rebuild.as_ref());
        let rebuilds = rebuilds.filter(|rebuild| !rebuild.is_trusted);
        let checks = rebuilds.map(|rebuild| self.checks(rebuild)).collect::<TokenStream>();
        if checks.is_empty() { value } else { quote!(({ #checks #value })) }
    }

    /// The same for what sagas are called for, whose items come in the same order again.
    pub(super) fn known_source(&self, source: &Rebuild) -> TokenStream {
        if self.prune {
            return TokenStream::new();
        }
        let (private, iterator, checks) = (private(), &source.source, self.checks(source));
        let stable = located_at(iterator.span(), quote!(#private::stable(&#iterator);));
        quote!(#checks if false { #stable })
    }

    /// Dead code that rustc types.
    fn checks(&self, rebuild: &Rebuild) -> TokenStream {
        let mut source = rebuild.source.clone();
        let mut receivers = Receivers { held: self.held_as_they_are(rebuild), ..Receivers::default() };
        receivers.visit_expr_mut(&mut source);
        let Receivers { checks, has_closure, .. } = receivers;
        let closures = has_closure.then(|| quote!(let _ = #source;));
        if checks.is_empty() { checks } else { quote!(if false { #checks #closures }) }
    }

    /// The local that a loop goes over by a method, if it travels as it is.
    pub(super) fn held_source<'r>(&self, rebuild: &'r Rebuild) -> Option<&'r Expr> {
        let mut first = &rebuild.source;
        while let Expr::MethodCall(call) = unwrap(first) {
            first = &call.receiver;
        }
        is_named(first, &self.held_as_they_are(rebuild)).then_some(first)
    }

    fn held_as_they_are(&self, rebuild: &Rebuild) -> Vec<String> {
        let held = rebuild.inputs.iter().filter(|input| self.is_held(**input) && !self.is_chosen(**input));
        held.map(|input| plain_name(&self.body.local(*input).name)).collect()
    }

    fn is_derived(&self, local: LocalId) -> bool {
        let is_loop = self.body.positions.contains_key(&local);
        self.layouts
            .iter()
            .any(|layout| layout.rebuilt.contains(&local) || is_loop && layout.held.contains(&local))
    }
}

/// Whether an expression is one of these names.
fn is_named(expr: &Expr, names: &[String]) -> bool {
    let Expr::Path(path) = unwrap(expr) else { return false };
    path.path.get_ident().is_some_and(|name| names.contains(&plain_name(name)))
}

/// Says that something is known by its type; of a local that cannot travel nothing more is said.
fn known(receiver: &Expr, held: &[String]) -> TokenStream {
    let private = private();
    let known = if is_named(receiver, held) {
        let (choices, known) = (choices_of_sources(), source_of(receiver, &quote!(known)));
        quote!({ #choices #known() };)
    } else {
        quote!(#private::known(&#receiver);)
    };
    located_at(receiver.span(), known)
}

/// What is done by the type of what a loop goes over.
pub(super) fn source_of(local: &Expr, choice: &TokenStream) -> TokenStream {
    let private = private();
    quote!((&&#private::Source::of(&#local)).#choice)
}

pub(super) fn choices_of_sources() -> TokenStream {
    let private = private();
    quote!(use #private::{OfKnown as _, OfRefused as _, OfUnknown as _};)
}

/// Finds what the first method of each chain that does more than borrow is called on, and each in a closure.
#[derive(Default)]
struct Receivers {
    checks: TokenStream,
    /// The names of locals that travel as they are.
    held: Vec<String>,
    has_closure: bool,
    in_closure: bool,
}

impl VisitMut for Receivers {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            // What it would insert is there: its closure is not called again.
            Expr::MethodCall(call) if call.method == "get_or_insert_with" => {
                self.visit_expr_mut(&mut call.receiver);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
        let Expr::MethodCall(call) = expr else { return };
        if let Some(Expr::Path(function)) = call.args.first_mut()
            && FURTHER.iter().any(|method| call.method == method)
        {
            let (private, at) = (private(), function.span());
            // The closure that it stands for.
            let closure = located_at(at, quote!(|given| { #private::known(&given); #function(given) }));
            call.args = std::iter::once(Expr::Verbatim(closure)).collect();
            self.has_closure = true;
        }
        let (private, receiver) = (private(), &call.receiver);
        let known = known(receiver, &self.held);
        let is_first = match &**receiver {
            Expr::MethodCall(before) => is_borrowing(before),
            _ => true,
        };
        if is_borrowing(call) {
            return;
        }
        if self.in_closure {
            *expr = syn::parse_quote!({ #known #call });
        } else if is_first {
            self.checks.extend(known);
        } else if PICKING.contains(&call.method.to_string().as_str()) {
            self.checks.extend(located_at(receiver.span(), quote!(#private::stable(&#receiver);)));
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.has_closure = true;
        let outside = std::mem::replace(&mut self.in_closure, true);
        self.visit_expr_mut(&mut closure.body);
        self.in_closure = outside;
    }
}
