//! Items that a macro declares: `unit!(Meter);`, `thread_local! { static COUNT: .. }`. What stands after a question is a part
//! of the function in which the macro is not called again, for it may do more than to declare. So what it declares is not
//! there, and is refused by its name, as far as that is seen.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Ident, ItemMacro, Macro, Stmt};

use super::Lowerer;
use crate::parse::{macros, plain_name, suspension};

/// What a macro of the function's own declares.
#[derive(Default)]
pub(super) struct Declares {
    names: Vec<Ident>,
    /// Whether it declares what it is given the name of: `struct $name`.
    given: bool,
}

impl Lowerer<'_> {
    /// Refuses what a block names after its first question, and a macro before that declares.
    pub(super) fn refuse_declared_by_macros(&mut self, block: &Block) {
        for (index, statement) in block.stmts.iter().enumerate() {
            let Stmt::Macro(call) = statement else { continue };
            let declared = self.declared_by(&call.mac);
            let rest = &block.stmts[index..];
            let asks = rest.iter().position(suspension::statement_suspends);
            let (false, Some(asks)) = (declared.is_empty(), asks) else { continue };
            let later: TokenStream = rest[asks + 1..].iter().map(ToTokens::to_token_stream).collect();
            let later = macros::identifiers(&later);
            for name in declared.iter().filter(|name| later.contains(&plain_name(name))) {
                self.diagnostics.error(
                    name,
                    format!(
                        "`{name}` is declared by a macro before the question, of which the compiler knows nothing, so \
                         that it would not be there after it; call the macro outside of the function"
                    ),
                );
            }
        }
    }

    /// Notes what a macro of the function's own declares.
    pub(super) fn note_declaring(&mut self, item: &ItemMacro) {
        if let Some(name) = &item.ident {
            let mut declares = Declares::default();
            let tokens: Vec<_> = item.mac.tokens.clone().into_iter().collect();
            for rule in tokens.windows(2) {
                if let [TokenTree::Punct(arrow), TokenTree::Group(transcriber)] = rule
                    && arrow.as_char() == '>'
                {
                    declares.note(&transcriber.stream());
                }
            }
            self.declaring.insert(plain_name(name), declares);
        }
    }

    fn declared_by(&self, mac: &Macro) -> Vec<Ident> {
        let mut declares = Declares::default();
        if starts_an_item(&mac.tokens) {
            declares.note(&mac.tokens);
        }
        let known = mac.path.get_ident().and_then(|name| self.declaring.get(&plain_name(name)));
        if let Some(known) = known {
            declares.names.extend(known.names.iter().cloned());
            if known.given {
                declares.names.extend(given(&mac.tokens));
            }
        }
        declares.names
    }
}

impl Declares {
    fn note(&mut self, tokens: &TokenStream) {
        let tokens: Vec<_> = tokens.clone().into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let mut after = tokens[index + 1..].iter().filter(|token| !is_word(token, &["mut", "ref"]));
            match (token, after.next()) {
                (TokenTree::Punct(dollar), Some(TokenTree::Group(repeated)))
                    if dollar.as_char() == '$' && repeated.delimiter() == Delimiter::Parenthesis =>
                {
                    self.note(&repeated.stream());
                }
                (keyword, Some(TokenTree::Punct(dollar)))
                    if is_word(keyword, &KEYWORDS) && dollar.as_char() == '$' =>
                {
                    self.given = true;
                }
                (keyword, Some(TokenTree::Ident(name))) if is_word(keyword, &KEYWORDS) && is_seen(name) => {
                    self.names.push(name.clone());
                }
                _ => {}
            }
        }
    }
}

/// Words before the name of an item that is named as nothing else is, by Rust's naming.
const KEYWORDS: [&str; 7] = ["const", "enum", "static", "struct", "trait", "type", "union"];

/// Whether a macro is given an item.
fn starts_an_item(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter().skip_while(|token| match token {
        TokenTree::Punct(hash) => hash.as_char() == '#',
        TokenTree::Group(_) => true,
        TokenTree::Ident(public) => public == "pub",
        TokenTree::Literal(_) => false,
    });
    tokens.next().is_some_and(|token| is_word(&token, &["enum", "static", "struct", "trait", "union"]))
}

/// The names that a macro is given: `Meter`, and neither of `Kind::Length`.
fn given(tokens: &TokenStream) -> Vec<Ident> {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    let is_colon = |index: usize| {
        let token = tokens.get(index);
        matches!(token, Some(TokenTree::Punct(colon)) if colon.as_char() == ':')
    };
    let is_in_path = |index: usize| index > 1 && is_colon(index - 1) && is_colon(index - 2);
    let names = tokens.iter().enumerate().filter_map(|(index, token)| match token {
        TokenTree::Ident(name) if is_seen(name) && !is_colon(index + 1) && !is_in_path(index) => {
            Some(name.clone())
        }
        _ => None,
    });
    names.collect()
}

fn is_seen(name: &Ident) -> bool {
    plain_name(name).starts_with(char::is_uppercase)
}

fn is_word(token: &TokenTree, words: &[&str]) -> bool {
    matches!(token, TokenTree::Ident(ident) if words.iter().any(|word| ident == word))
}
