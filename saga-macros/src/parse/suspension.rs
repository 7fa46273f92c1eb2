//! Which awaits suspend: those whose method chain is rooted in a call of one of our functions, by bare name or by
//! a path through `saga_runtime`. Every other await is the author's own and runs inside the transition.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAwait, ExprCall, ExprMethodCall, Ident, Lit, LitStr, Path, Token};

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
        self.round == Round::All && !calls_in(base).is_empty()
    }

    fn names(&self, initialises: &[Ident]) -> Vec<String> {
        if self.round == Round::All {
            return initialises.first().map(ToString::to_string).into_iter().collect();
        }
        if self.round == Round::Nobody {
            return vec!["checkpoint".to_owned()];
        }
        let named = initialises.len() == self.steps.len();
        let keys = self.steps.iter().enumerate().map(|(index, part)| {
            let local = initialises.get(index).filter(|_| named).map(ToString::to_string);
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

/// The question that this await asks, if it asks one.
pub(crate) fn question(await_: &ExprAwait) -> Option<Question> {
    let (root, key) = root(&await_.base);
    match root {
        Expr::Call(call) => {
            let Expr::Path(function) = &*call.func else { return None };
            let (name, at) = (ours(&function.path)?, function.to_token_stream());
            if name == "join_all" {
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
            if steps.iter().any(|step| call_of(step).is_some()) {
                return None;
            }
            let steps = steps.iter().map(part).collect();
            Some(Question { at: join.mac.path.to_token_stream(), round: Round::Join, steps })
        }
        _ => None,
    }
}

/// An await that runs other sagas: `call(review(&plan)).await`, or several, with steps among them:
/// `join!(call(fly(&trip)), call(sleep(&trip))).await`.
pub(crate) struct Calling {
    /// The function or the macro, as the author wrote it.
    pub(crate) at: TokenStream,
    pub(crate) branches: Vec<CallOrStep>,
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
        self.calls().filter_map(callee).map(ToString::to_string)
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
            let local = initialises.get(index).filter(|_| named).map(ToString::to_string);
            match branch {
                CallOrStep::Call(call) => local.or_else(|| callee(call).map(ToString::to_string)),
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

impl Part {
    fn name(&self, local: Option<String>) -> Option<String> {
        let written = self.key.as_ref().map(LitStr::value);
        written.or(local).or_else(|| self.step.map(|step| step.default_key().to_owned()))
    }
}

/// The sagas that this await runs, if it runs any.
pub(crate) fn calling(await_: &ExprAwait) -> Option<Calling> {
    match root(&await_.base).0 {
        Expr::Call(call) => {
            let call = call_of(&await_.base).filter(|direct| *direct == call)?;
            Some(Calling { at: call.func.to_token_stream(), branches: vec![CallOrStep::Call(call.clone())] })
        }
        Expr::Macro(join) => {
            let steps = join_of(join)?;
            let branches: Vec<_> = steps.iter().map(branch).collect();
            let at = join.mac.path.to_token_stream();
            let calls = branches.iter().any(|branch| matches!(branch, CallOrStep::Call(_)));
            calls.then_some(Calling { at, branches })
        }
        _ => None,
    }
}

/// The expressions in an await that runs other sagas, each a call of a saga or a step.
pub(crate) fn for_each_branch_mut(base: &mut Expr, mut visit: impl FnMut(&mut Expr)) {
    match base {
        Expr::MethodCall(each) => for_each_branch_mut(&mut each.receiver, visit),
        Expr::Paren(paren) => for_each_branch_mut(&mut paren.expr, visit),
        Expr::Group(group) => for_each_branch_mut(&mut group.expr, visit),
        Expr::Macro(join) => super::macros::for_each_argument_mut(&mut join.mac, visit),
        call => visit(call),
    }
}

fn branch(branch: &Expr) -> CallOrStep {
    match call_of(branch) {
        Some(call) => CallOrStep::Call(call.clone()),
        None => CallOrStep::Step(part(branch)),
    }
}

/// The arguments of our `join!`.
fn join_of(join: &syn::ExprMacro) -> Option<Punctuated<Expr, Token![,]>> {
    (ours(&join.mac.path)? == "join").then(|| super::macros::arguments(&join.mac)).flatten()
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
            if calling(await_).is_none() {
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
        Expr::Call(callee) => match &*callee.func {
            Expr::Path(function) => {
                let segments: Vec<_> = function.path.segments.iter().map(|segment| &segment.ident).collect();
                let pins = matches!(segments[..], [.., of, new] if *of == "Box" && *new == "pin");
                segments.last().copied().filter(|_| !pins)
            }
            _ => None,
        },
        Expr::MethodCall(callee) => Some(&callee.method),
        _ => None,
    }
}

fn unwrap(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => unwrap(&paren.expr),
        Expr::Group(group) => unwrap(&group.expr),
        other => other,
    }
}

fn part(step: &Expr) -> Part {
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
    let names = super::macros::identifiers(&mac.tokens);
    let asks = names.iter().any(|name| STEPS.contains(&name.as_str())) || calls_inside(&mac.tokens);
    asks && names.iter().any(|name| name == "await")
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
fn root(expr: &Expr) -> (&Expr, Option<LitStr>) {
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
    question(await_).is_some() || calling(await_).is_some()
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
    fn visit_expr_await(&mut self, await_: &'ast ExprAwait) {
        self.found |= suspends_itself(await_);
        visit::visit_expr_await(self, await_);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if let Some(arguments) = super::macros::arguments(mac) {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
    }
}
