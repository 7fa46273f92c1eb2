//! Which awaits suspend: those whose method chain is rooted in a call of one of our functions, by bare name or by
//! a path through `saga_runtime`. Every other await is the author's own and runs inside the transition.

use syn::visit::{self, Visit};
use syn::{Expr, ExprAwait, ExprCall, ExprMethodCall, Lit, LitStr, Path};

use crate::tree::StepName;

/// An await that suspends.
pub(crate) struct Question<'a> {
    pub(crate) step: StepName,
    pub(crate) call: &'a ExprCall,
    /// The argument of `.key("..")`, where it is a literal.
    pub(crate) key: Option<&'a LitStr>,
}

/// The functions that `saga_runtime` has and this version of the compiler does not suspend on yet.
pub(crate) const NOT_YET: [&str; 4] = ["call", "checkpoint", "ask", "join_all"];

/// The question that this await asks, if it asks one.
pub(crate) fn question(await_: &ExprAwait) -> Option<Question<'_>> {
    let (call, key) = root_call(&await_.base)?;
    let Expr::Path(function) = &*call.func else { return None };
    let step = step_name(&ours(&function.path)?)?;
    Some(Question { step, call, key })
}

/// The name of our function in an await that this version cannot suspend on.
pub(crate) fn not_yet(await_: &ExprAwait) -> Option<&Path> {
    let (call, _) = root_call(&await_.base)?;
    let Expr::Path(function) = &*call.func else { return None };
    let name = ours(&function.path)?;
    NOT_YET.contains(&name.as_str()).then_some(&function.path)
}

/// The functions whose result suspends a tool.
pub(crate) const STEPS: [&str; 4] = ["elicit", "elicit_url", "sample", "list_roots"];

/// The name of a pattern that is a name: a question that initialises it is called after it.
pub(crate) fn name_of(pattern: &syn::Pat) -> Option<syn::Ident> {
    match pattern {
        syn::Pat::Ident(binding) => Some(binding.ident.clone()),
        syn::Pat::Type(typed) => name_of(&typed.pat),
        _ => None,
    }
}

/// Whether the tokens of a macro of which nothing is known seem to ask a question.
pub(crate) fn asks_inside(mac: &syn::Macro) -> bool {
    let names = super::macros::identifiers(&mac.tokens);
    names.iter().any(|name| STEPS.contains(&name.as_str())) && names.iter().any(|name| name == "await")
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

fn root_call(expr: &Expr) -> Option<(&ExprCall, Option<&LitStr>)> {
    match expr {
        Expr::Call(call) => Some((call, None)),
        Expr::MethodCall(method) => {
            let (call, key) = root_call(&method.receiver)?;
            Some((call, key_literal(method).or(key)))
        }
        Expr::Paren(inner) => root_call(&inner.expr),
        Expr::Group(inner) => root_call(&inner.expr),
        _ => None,
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

/// Whether an expression suspends, closures and `async` blocks apart: there a suspension is refused.
pub(crate) fn suspends(expr: &Expr) -> bool {
    let mut finder = Finder::default();
    finder.visit_expr(expr);
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
        self.found |= question(await_).is_some();
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
