//! Loops over an iterator that outlives them. It is held by its own name, so the loop draws one item after the other
//! from it, by its adaptors made again, and what those have counted is counted beside them:
//!
//! ```text
//! for (at, line) in lines.by_ref().take(2).enumerate() { body }
//!
//! let mut left = 2;
//! let mut count = 0;
//! loop {
//!     let Some(item) = iter::zip(count.., lines.by_ref().take(left)).next() else { break };
//!     left = left.saturating_sub(1);
//!     count += 1;
//!     let (at, line) = item;
//!     body
//! }
//! ```

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprForLoop, ExprMethodCall, ExprReference, Ident, Pat, Stmt, parse_quote, parse_quote_spanned,
};

use super::assigned::assigned_in_block;
use super::iterate::is_one_of;
use super::{Lowerer, pattern};
use crate::parse::places::unwrap;
use crate::tree::{Drawing, LocalId, Way};

/// Adaptors that know nothing of the items before; each takes one item to give one.
const ONE_BY_ONE: [&str; 6] = ["map", "inspect", "copied", "cloned", "map_while", "take_while"];

/// Those that take as many as they like to give one.
const SKIPPING: [&str; 2] = ["filter", "filter_map"];

/// The iterator of such a loop, to be made again for each item.
struct Drawn {
    /// What is counted, as it is before the loop.
    before: Vec<Stmt>,
    /// Gives one item.
    chain: Expr,
    /// What is counted, after each item.
    after: Vec<Stmt>,
    /// Whether each item that is drawn is one that an adaptor counts.
    counts: bool,
}

impl Lowerer<'_> {
    /// The loop that draws its items one after the other, if it is over an iterator that outlives it.
    pub(super) fn drawing_loop(&mut self, expr: &ExprForLoop) -> Option<Expr> {
        let Drawn { before, chain, after, .. } = self.drawn(&expr.expr, &assigned_in_block(&expr.body))?;
        let (mut item, at) = (self.fresh("item"), expr.expr.span());
        item.set_span(item.span().located_at(at));
        let (label, body) = (&expr.label, &expr.body);
        let pattern = pattern::of_let((*expr.pat).clone());
        let draw: Stmt = parse_quote_spanned! {at=>
            let ::core::option::Option::Some(#item) = #chain.next() else { break };
        };
        Some(parse_quote_spanned! {at=> {
            #(#before)*
            #label loop {
                #draw
                #(#after)*
                let #pattern = #item;
                #body
            }
        }})
    }

    /// The iterator of a loop whose body assigns these locals.
    fn drawn(&mut self, source: &Expr, assigned: &[String]) -> Option<Drawn> {
        if self.draws_from(source) {
            return Some(Drawn::from(source));
        }
        let Expr::MethodCall(call) = unwrap(source) else { return None };
        let drawn = self.drawn(&call.receiver, assigned)?;
        Some(self.adapted(call, drawn, assigned))
    }

    /// Whether it borrows an iterator mutably: `lines.by_ref()`, `&mut lines`.
    fn draws_from(&self, source: &Expr) -> bool {
        match unwrap(source) {
            Expr::MethodCall(call) => call.method == "by_ref" && self.is_place(&call.receiver),
            // A collection would be gone over anew.
            Expr::Reference(reference) => reference.mutability.is_some() && self.is_advanced(&reference.expr),
            _ => false,
        }
    }

    fn is_advanced(&self, iterator: &Expr) -> bool {
        self.advanced(iterator).is_some()
    }

    fn advanced(&self, iterator: &Expr) -> Option<LocalId> {
        let Expr::Path(path) = unwrap(iterator) else { return None };
        self.local_of(path).filter(|local| self.locals[local.0].way == Way::Advanced)
    }

    /// The iterator, advanced by hand, of which this pattern binds an item, or parts of one: `Some(line) = lines.next()`,
    /// `line = lines.next().unwrap()`.
    pub(super) fn drawn_from(&self, pattern: &Pat, value: &Expr) -> Option<Drawing> {
        let value = unwrap(value);
        let drawing = |iterator, item: &Pat| Drawing { iterator, is_whole: matches!(item, Pat::Ident(_)) };
        match (pattern, value) {
            (Pat::TupleStruct(some), Expr::MethodCall(call)) if call.method == "next" => {
                Some(drawing(self.advanced(without_by_ref(&call.receiver))?, some.elems.first()?))
            }
            (item, Expr::MethodCall(call)) if is_one_of(call, &["expect", "unwrap"]) => {
                match unwrap(&call.receiver) {
                    Expr::MethodCall(call) if call.method == "next" => {
                        Some(drawing(self.advanced(without_by_ref(&call.receiver))?, item))
                    }
                    _ => None,
                }
            }
            (part, Expr::Path(item)) => {
                let item = *self.drawn.get(&self.local_of(item)?)?;
                item.is_whole.then(|| drawing(item.iterator, part))
            }
            _ => None,
        }
    }

    pub(super) fn note_drawn(&mut self, drawing: Option<Drawing>, binds: &[LocalId]) {
        if let Some(drawing) = drawing {
            self.drawn.extend(binds.iter().map(|part| (*part, drawing)));
        }
    }

    fn adapted(&mut self, call: &ExprMethodCall, drawn: Drawn, assigned: &[String]) -> Drawn {
        let (method, arguments) = (call.method.to_string(), call.args.iter().collect::<Vec<_>>());
        match (method.as_str(), &arguments[..]) {
            ("enumerate", []) => {
                let (count, chain) = (drawn.name("count"), &drawn.chain);
                let chain = parse_quote_spanned!(call.method.span()=> ::core::iter::zip(#count.., #chain));
                let (before, after) = (parse_quote!(let mut #count = 0_usize;), parse_quote!(#count += 1;));
                drawn.counting(before, chain, after)
            }
            ("take", [limit]) => {
                let left = drawn.name("left");
                let after = parse_quote!(#left = ::core::primitive::usize::saturating_sub(#left, 1););
                let chain = with(call, &drawn.chain, &parse_quote!(#left));
                drawn.counting(number(&left, limit), chain, after)
            }
            ("skip", [count]) if !drawn.counts => {
                let left = drawn.name("left");
                let chain = with(call, &drawn.chain, &parse_quote!(#left));
                drawn.counting(number(&left, count), chain, parse_quote!(#left = 0;)).uncounted()
            }
            ("zip", [other]) if self.draws_from(other) => {
                let chain = with(call, &drawn.chain, &Drawn::from(other).chain);
                Drawn { chain, ..drawn }
            }
            ("zip", [other]) => {
                let other_name = drawn.name("other");
                let before = parse_quote!(let mut #other_name = (#other).into_iter(););
                let chain = with(call, &drawn.chain, &parse_quote!(#other_name.by_ref()));
                drawn.beside(before, chain)
            }
            (_, arguments)
                if arguments.iter().all(|argument| self.is_adaptor(argument, assigned))
                    && (is_one_of(call, &ONE_BY_ONE) || is_one_of(call, &SKIPPING) && !drawn.counts) =>
            {
                let mut again = call.clone();
                *again.receiver = drawn.chain;
                Drawn { chain: Expr::MethodCall(again), ..drawn }
            }
            _ => {
                self.diagnostics.error(
                    &call.method,
                    format!(
                        "`{method}` here cannot go over a question, since the iterator is borrowed by the loop and \
                         what `{method}` has seen of it does not travel; draw the items by `while let Some(item) = \
                         iterator.next()`, or collect them before the loop"
                    ),
                );
                drawn
            }
        }
    }

    /// A function, or a closure, which is made again for each item: what it captures is the same, or is borrowed, which
    /// keeps it from becoming another.
    fn is_adaptor(&self, argument: &Expr, assigned: &[String]) -> bool {
        let Expr::Closure(closure) = unwrap(argument) else { return self.is_constant(argument) };
        match closure.capture {
            Some(_) => self.locals_in(argument).into_iter().all(|local| self.is_steady(local)),
            None => !self.names_one_of(argument, assigned),
        }
    }
}

impl Drawn {
    fn from(source: &Expr) -> Self {
        let chain = match unwrap(source) {
            Expr::Reference(ExprReference { expr, .. }) => parse_quote_spanned!(expr.span()=> #expr.by_ref()),
            by_ref => by_ref.clone(),
        };
        Self { before: Vec::new(), chain, after: Vec::new(), counts: false }
    }

    /// A name for what is held beside the iterator. It is in the token, and so it does not change with other loops.
    fn name(&self, what: &str) -> Ident {
        Ident::new(&format!("__{what}{}", self.before.len()), Span::mixed_site())
    }

    fn counting(mut self, before: Stmt, chain: Expr, after: Stmt) -> Self {
        self.after.push(after);
        self.counts = true;
        self.beside(before, chain)
    }

    fn uncounted(self) -> Self {
        Self { counts: false, ..self }
    }

    fn beside(mut self, before: Stmt, chain: Expr) -> Self {
        self.before.push(before);
        Self { chain, ..self }
    }
}

fn without_by_ref(iterator: &Expr) -> &Expr {
    match unwrap(iterator) {
        Expr::MethodCall(call) if call.method == "by_ref" => &call.receiver,
        iterator => iterator,
    }
}

/// The adaptor over a chain, with this argument.
fn with(call: &ExprMethodCall, chain: &Expr, argument: &Expr) -> Expr {
    let mut again = call.clone();
    *again.receiver = chain.clone();
    again.args = [argument.clone()].into_iter().collect();
    Expr::MethodCall(again)
}

fn number(name: &Ident, value: &Expr) -> Stmt {
    let span: Span = value.span();
    parse_quote_spanned!(span=> let mut #name: ::core::primitive::usize = #value;)
}
