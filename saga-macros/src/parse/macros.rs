//! Macros whose arguments are a list of expressions: what they use is known, and they may hold a suspension.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

use super::plain_name;

/// Macros of the standard library and of its neighbours that evaluate their arguments once, in order.
const LISTS: [&str; 27] = [
    "format",
    "print",
    "println",
    "eprint",
    "eprintln",
    "write",
    "writeln",
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
    "format_args",
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "dbg",
    "bail",
    "ensure",
    "anyhow",
    "concat",
    "stringify",
    "env",
    "join",
];

/// Unknown macros that are known for what they do not do.
const STRAIGHT: [&str; 8] = ["trace", "debug", "info", "warn", "error", "event", "json", "matches"];

/// Macros that await all of the futures that they are given.
const JOINS: [&str; 2] = ["join", "try_join"];
/// Macros that await the first of them.
const RACES: [&str; 2] = ["select", "select_biased"];

/// How a macro awaits what it is given, by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaits {
    All,
    First,
}

/// How the macro awaits what it is given; `None`, if it does not, or is perhaps Saga's own.
pub(crate) fn awaits(mac: &Macro) -> Option<Awaits> {
    let (first, last) = (mac.path.segments.first()?, mac.path.segments.last()?.ident.to_string());
    if RACES.contains(&last.as_str()) {
        return Some(Awaits::First);
    }
    let is_another = last != "join" || mac.path.segments.len() > 1 && first.ident != "saga_runtime";
    (is_another && JOINS.contains(&last.as_str())).then_some(Awaits::All)
}

/// Whether the macro is unknown, so that it may hide a `break` of the loop around it.
pub(crate) fn may_jump(mac: &Macro) -> bool {
    let name = mac.path.segments.last().map(|last| last.ident.to_string());
    name.is_some_and(|name| !STRAIGHT.contains(&name.as_str())) && !is_list(mac)
}

/// Whether the macro is one of the known ones.
pub(crate) fn is_list(mac: &Macro) -> bool {
    mac.path.segments.last().is_some_and(|last| LISTS.contains(&last.ident.to_string().as_str()))
}

/// For each argument of a known macro whether the macro borrows it, rather than to take its value.
pub(crate) fn borrowed(mac: &Macro) -> impl Iterator<Item = bool> + use<> {
    let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let (values, rest_borrowed) = match name.as_str() {
        // A condition, then a message.
        "assert" | "debug_assert" | "ensure" => (1, true),
        "vec" | "dbg" | "join" | "concat" | "stringify" | "env" => (0, false),
        _ => (0, true),
    };
    (0..).map(move |index| index >= values && rest_borrowed)
}

/// From which argument on a known macro may leave its arguments unevaluated: the message of an assertion.
pub(crate) fn lazy_from(mac: &Macro) -> Option<usize> {
    let name = mac.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "assert" | "ensure" => Some(1),
        "assert_eq" | "assert_ne" => Some(2),
        // Nothing of these is evaluated in a release build.
        "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => Some(0),
        _ => None,
    }
}

/// The arguments of a known macro, if they are a list of expressions (`vec![x; n]` is not).
pub(crate) fn arguments(mac: &Macro) -> Option<Punctuated<Expr, Token![,]>> {
    is_list(mac).then(|| Punctuated::parse_terminated.parse2(mac.tokens.clone()).ok()).flatten()
}

/// Visits the arguments of a known macro in which one of these words stands, if they are a list of expressions.
pub(crate) fn for_each_argument(mac: &Macro, words: &[&str], mut visit: impl FnMut(&Expr)) {
    if mentions(&mac.tokens, words) {
        for argument in arguments(mac).iter().flatten() {
            visit(argument);
        }
    }
}

/// Rewrites the arguments of a known macro in which one of these words stands, if they are a list of expressions.
pub(crate) fn for_each_argument_mut(mac: &mut Macro, words: &[&str], visit: impl FnMut(&mut Expr)) {
    if mentions(&mac.tokens, words)
        && let Some(mut arguments) = arguments(mac)
    {
        arguments.iter_mut().for_each(visit);
        mac.tokens = arguments.into_token_stream();
    }
}

/// Whether one of these words stands among the tokens: to parse them costs many times as much.
pub(crate) fn mentions(tokens: &TokenStream, words: &[&str]) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.iter().any(|word| ident == word),
        TokenTree::Group(group) => mentions(&group.stream(), words),
        TokenTree::Literal(_) | TokenTree::Punct(_) => false,
    })
}

/// Names that a format string captures, as in `"{region}"`, wherever a string literal stands among the tokens.
pub(crate) fn captured(tokens: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Literal(literal) => capture(&literal.to_string(), &mut names),
            TokenTree::Group(group) => names.extend(captured(&group.stream())),
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
    names
}

fn capture(literal: &str, names: &mut Vec<String>) {
    let mut rest = literal;
    while let Some(start) = rest.find('{') {
        rest = &rest[start + 1..];
        // A capture's name, or a name inside its format: `{x:>width$.precision$}`.
        let end = rest.find('}').unwrap_or(rest.len());
        let words = rest[..end].split(|character: char| !character.is_alphanumeric() && character != '_');
        names.extend(words.filter(|word| !word.is_empty()).map(ToOwned::to_owned));
    }
}

/// Every label among the tokens: a macro of which nothing is known may leave by it.
pub(crate) fn labels(tokens: &TokenStream) -> Vec<String> {
    let (mut labels, mut after_apostrophe) = (Vec::new(), false);
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(name) if after_apostrophe => labels.push(name.to_string()),
            TokenTree::Group(group) => labels.extend(self::labels(&group.stream())),
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
        after_apostrophe = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
    labels
}

/// Every identifier among the tokens, for macros of which nothing is known.
pub(crate) fn identifiers(tokens: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => names.push(plain_name(&ident)),
            TokenTree::Group(group) => names.extend(identifiers(&group.stream())),
            TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
    names
}
