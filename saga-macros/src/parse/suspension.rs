//! Which awaits suspend: those whose method chain is rooted in a call of one of our functions, by bare name or by
//! a path through `saga_runtime`. Every other await is the author's own and runs inside the transition.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprAwait, ExprMethodCall, ExprTry, Ident, Lit, LitStr, Path, Token};

use super::macros::{self, Awaits};
pub(super) use super::places::unwrap;
use super::{calling, plain_name};
use crate::tree::StepName;

/// An await that suspends.
pub(crate) struct Question {
    /// The function or the macro that asks, as the author wrote it.
    pub(crate) at: TokenStream,
    pub(crate) round: Round,
    pub(crate) steps: Vec<Part>,
}

/// How many steps a question has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// One: `elicit(..)`.
    One,
    /// Those that are written: `join!(..)`.
    Join,
    /// As many as there are at run time: `join_all(..)`.
    All,
    /// None: `checkpoint(..)` gives up the request and asks nobody.
    Nobody,
}

/// A step of a question.
pub(crate) struct Part {
    /// The function that makes it, where the step is not a value made before.
    pub(crate) step: Option<StepName>,
    /// The argument of `.key("..")`, where it is a literal.
    pub(crate) key: Option<LitStr>,
}

impl Question {
    /// The keys of the steps, in order: what the author wrote, else the locals that the await initialises, else
    /// what the step is. None for `join_all(..)` where nothing but the steps at run time tell.
    pub(crate) fn keys(&self, initialises: &[Ident], scope: &KeyScope) -> Vec<String> {
        self.names(initialises).into_iter().map(|name| scope.key(&name)).collect()
    }

    /// Whether it is a `join_all` of sagas, which is refused.
    pub(crate) fn calls_for_each(&self, base: &Expr) -> bool {
        self.round == Round::All && !calling::calls_in(base).is_empty()
    }

    /// Where a `join!` awaits its steps one by one, or a `join_all` in the closure that makes them, which is refused.
    pub(crate) fn awaits_each(&self, base: &Expr) -> Vec<Token![await]> {
        match root(base).0 {
            Expr::Macro(join) if self.round == Round::Join => {
                join_of(join).iter().flatten().filter_map(awaited).collect()
            }
            steps if self.round == Round::All => {
                let mut closures = Closures(Vec::new());
                closures.visit_expr(steps);
                closures.0
            }
            _ => Vec::new(),
        }
    }

    fn names(&self, initialises: &[Ident]) -> Vec<String> {
        if self.round == Round::All {
            return initialises.first().map(plain_name).into_iter().collect();
        }
        if self.round == Round::Nobody {
            return vec!["checkpoint".to_owned()];
        }
        let named = initialises.len() == self.steps.len();
        let keys = self.steps.iter().enumerate().map(|(index, part)| {
            let local = initialises.get(index).filter(|_| named).map(plain_name);
            part.name(local).unwrap_or_else(|| "step".to_owned())
        });
        keys.collect()
    }
}

/// Where a function's keys belong: those of a called saga carry its name, a tool's are as they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyScope {
    /// The name of the called saga.
    pub(crate) saga: Option<String>,
}

impl KeyScope {
    /// The key, or the name of a site, for a name in the function: `ok`, or `review.ok`.
    pub(crate) fn key(&self, name: &str) -> String {
        match &self.saga {
            Some(saga) => format!("{saga}.{name}"),
            None => name.to_owned(),
        }
    }
}

/// Takes the awaits away that a question was refused for.
pub(crate) fn await_none(base: &mut Expr) {
    struct Steps;
    impl VisitMut for Steps {
        fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
            not_awaited(&mut closure.body);
        }

        fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
            macros::for_each_argument_mut(mac, &["await"], not_awaited);
        }
    }
    Steps.visit_expr_mut(base);
}

fn not_awaited(step: &mut Expr) {
    while let Expr::Try(ExprTry { expr: inner, .. }) | Expr::Await(ExprAwait { base: inner, .. }) = step {
        *step = (**inner).clone();
    }
}

/// The awaits that closures end with, of questions.
struct Closures(Vec<Token![await]>);

impl<'ast> Visit<'ast> for Closures {
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if suspends(&closure.body) {
            self.0.extend(awaited(&closure.body));
        }
    }
}

/// The await that an expression ends with, `?` apart.
fn awaited(step: &Expr) -> Option<Token![await]> {
    match unwrap(step) {
        Expr::Try(tried) => awaited(&tried.expr),
        Expr::Await(await_) => Some(await_.await_token),
        _ => None,
    }
}

/// The question that this await asks, if it asks one.
pub(crate) fn question(await_: &ExprAwait) -> Option<Question> {
    let (root, key) = root(&await_.base);
    match root {
        Expr::Call(call) => {
            let Expr::Path(function) = &*call.func else { return None };
            let (name, at) = (ours(&function.path)?, function.to_token_stream());
            if name == "join_all" {
                if calling::each(call).is_some() {
                    return None;
                }
                return Some(Question { at, round: Round::All, steps: Vec::new() });
            }
            if name == "checkpoint" {
                return Some(Question { at, round: Round::Nobody, steps: Vec::new() });
            }
            let step = step_name(&name);
            let steps = (name == "ask" || step.is_some()).then(|| vec![Part { step, key }])?;
            Some(Question { at, round: Round::One, steps })
        }
        Expr::Macro(join) => {
            let steps = join_of(join)?;
            if steps.iter().any(|step| calling::call_of(step).is_some()) {
                return None;
            }
            let steps = steps.iter().map(part).collect();
            Some(Question { at: join.mac.path.to_token_stream(), round: Round::Join, steps })
        }
        _ => None,
    }
}

impl Part {
    pub(super) fn name(&self, local: Option<String>) -> Option<String> {
        let written = self.key.as_ref().map(LitStr::value);
        written.or(local).or_else(|| self.step.map(|step| step.default_key().to_owned()))
    }
}

/// The arguments of our `join!`.
pub(super) fn join_of(join: &syn::ExprMacro) -> Option<Punctuated<Expr, Token![,]>> {
    (ours(&join.mac.path)? == "join").then(|| macros::arguments(&join.mac)).flatten()
}

pub(super) fn part(step: &Expr) -> Part {
    let (root, key) = root(step);
    let step = match root {
        Expr::Call(call) => match &*call.func {
            Expr::Path(function) => ours(&function.path).and_then(|name| step_name(&name)),
            _ => None,
        },
        _ => None,
    };
    Part { step, key }
}

/// The functions whose result suspends a tool.
pub(crate) const STEPS: [&str; 6] =
    ["elicit", "elicit_url", "sample", "list_roots", "join_all", "checkpoint"];

/// The names of a pattern that is a name, or a tuple of names: the steps that initialise them are called after them.
pub(crate) fn names_of(pattern: &syn::Pat) -> Vec<Ident> {
    match pattern {
        syn::Pat::Ident(binding) => vec![binding.ident.clone()],
        syn::Pat::Type(typed) => names_of(&typed.pat),
        syn::Pat::Tuple(tuple) => {
            let names = tuple.elems.iter().map(names_of);
            names
                .map(|names| <[Ident; 1]>::try_from(names).ok().map(|[name]| name))
                .collect::<Option<_>>()
                .unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Whether the tokens of a macro of which nothing is known seem to ask a question.
pub(crate) fn asks_inside(mac: &syn::Macro) -> bool {
    let names = macros::identifiers(&mac.tokens);
    let asks = names.iter().any(|name| STEPS.contains(&name.as_str())) || calls_inside(&mac.tokens);
    asks && names.iter().any(|name| name == "await")
}

/// How a macro awaits by itself what it is given, if a question is among that.
pub(crate) fn awaited_by(mac: &syn::Macro) -> Option<Awaits> {
    macros::awaits(mac).filter(|_| form_inside(&mac.tokens))
}

/// Whether an expression is a question that is not awaited.
pub(crate) fn is_question(expr: &Expr) -> bool {
    part(expr).step.is_some()
}

/// Whether there is an `elicit(..)` or its like in the tokens that is no method and no path. Other questions have names
/// that people give to functions of their own.
fn form_inside(tokens: &TokenStream) -> bool {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let is_punct = |token: Option<&TokenTree>, of: &[char]| matches!(token, Some(TokenTree::Punct(punct)) if of.contains(&punct.as_char()));
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => form_inside(&group.stream()),
        TokenTree::Ident(name) => {
            let is_free = !is_punct(at.checked_sub(1).and_then(|before| tokens.get(before)), &['.', ':']);
            let is_called = match tokens.get(at + 1) {
                Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
                next => is_punct(next, &[':']),
            };
            is_free && is_called && (name == "elicit" || name == "elicit_url" || name == "list_roots")
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether there is a `call(..)` or an `ask(..)` in the tokens that is no method and no path.
fn calls_inside(tokens: &TokenStream) -> bool {
    let mut free = true;
    let mut is_call = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => {
                let is_argument = group.delimiter() == Delimiter::Parenthesis;
                if is_call && is_argument || calls_inside(&group.stream()) {
                    return true;
                }
                (free, is_call) = (true, false);
            }
            TokenTree::Ident(name) => (free, is_call) = (true, free && (name == "call" || name == "ask")),
            TokenTree::Punct(punct) => (free, is_call) = (!matches!(punct.as_char(), '.' | ':'), false),
            TokenTree::Literal(_) => (free, is_call) = (true, false),
        }
    }
    false
}

fn step_name(name: &str) -> Option<StepName> {
    match name {
        "elicit" => Some(StepName::Elicit),
        "elicit_url" => Some(StepName::ElicitUrl),
        "sample" => Some(StepName::Sample),
        "list_roots" => Some(StepName::ListRoots),
        _ => None,
    }
}

/// The last segment of a path that may name one of our functions.
pub(crate) fn ours(path: &Path) -> Option<String> {
    let last = path.segments.last()?.ident.to_string();
    let first = path.segments.first()?;
    (path.segments.len() == 1 || first.ident == "saga_runtime").then_some(last)
}

/// What a method chain is rooted in, and the chain's `.key("..")`.
pub(super) fn root(expr: &Expr) -> (&Expr, Option<LitStr>) {
    match expr {
        Expr::MethodCall(method) => {
            let (root, key) = root(&method.receiver);
            (root, key_literal(method).cloned().or(key))
        }
        Expr::Paren(inner) => root(&inner.expr),
        Expr::Group(inner) => root(&inner.expr),
        other => (other, None),
    }
}

fn key_literal(method: &ExprMethodCall) -> Option<&LitStr> {
    match method.args.first() {
        Some(Expr::Lit(literal)) if method.method == "key" => match &literal.lit {
            Lit::Str(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an await suspends, whatever is in it.
pub(crate) fn suspends_itself(await_: &ExprAwait) -> bool {
    question(await_).is_some() || calling::of(await_).is_some()
}

/// Whether an expression suspends, closures and `async` blocks apart: there a suspension is refused.
pub(crate) fn suspends(expr: &Expr) -> bool {
    let mut finder = Finder::default();
    finder.visit_expr(expr);
    finder.found
}

/// Whether a statement suspends.
pub(crate) fn statement_suspends(statement: &syn::Stmt) -> bool {
    let mut finder = Finder::default();
    finder.visit_stmt(statement);
    finder.found
}

/// Whether a block suspends.
pub(crate) fn block_suspends(block: &syn::Block) -> bool {
    let mut finder = Finder::default();
    finder.visit_block(block);
    finder.found
}

#[derive(Default)]
struct Finder {
    found: bool,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        // It is asked of every expression around a question: the first one found is enough.
        if !self.found {
            visit::visit_expr(self, expr);
        }
    }

    fn visit_expr_await(&mut self, await_: &'ast ExprAwait) {
        self.found |= suspends_itself(await_);
        visit::visit_expr_await(self, await_);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        macros::for_each_argument(mac, &["await"], |argument| self.visit_expr(argument));
    }
}
