//! Code as its author wrote it, from its tokens: on stable a macro cannot ask for the source text of more than a
//! token, and the tokens' own printing puts spaces everywhere.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The code on one line, with the usual spaces.
pub(super) fn written(code: &impl ToTokens) -> String {
    let mut text = Text::default();
    text.tokens(code.to_token_stream());
    text.out
}

#[derive(Default)]
struct Text {
    out: String,
    /// Whether what comes next follows without a space.
    glued: bool,
    /// Whether what stands last can be the left side of an operator.
    operand: bool,
    /// Generic brackets that are open.
    generics: usize,
    /// Whether the parameters of a closure are open.
    closure: bool,
}

impl Text {
    fn push(&mut self, piece: &str) {
        if !self.glued && !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(piece);
        self.glued = false;
    }

    /// Without a space before it.
    fn close(&mut self, piece: &str) {
        self.glued = true;
        self.push(piece);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    self.push(&word);
                    self.operand = !KEYWORDS.contains(&word.as_str());
                }
                TokenTree::Literal(literal) => {
                    self.push(&literal.to_string().replace(['\n', '\r', '\t'], " "));
                    self.operand = true;
                }
                TokenTree::Group(group) => self.group(group.delimiter(), group.stream()),
                TokenTree::Punct(first) => {
                    let mut operator = first.as_char().to_string();
                    let mut spacing = first.spacing();
                    while let (Spacing::Joint, Some(TokenTree::Punct(next))) = (spacing, tokens.peek()) {
                        let longer = format!("{operator}{}", next.as_char());
                        if !OPERATORS.contains(&longer.as_str()) {
                            break;
                        }
                        (operator, spacing) = (longer, next.spacing());
                        tokens.next();
                    }
                    self.operator(&operator, tokens.peek());
                }
            }
        }
    }

    fn group(&mut self, delimiter: Delimiter, inside: TokenStream) {
        let (open, close) = match delimiter {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace if inside.is_empty() => ("{", "}"),
            Delimiter::Brace => ("{ ", " }"),
            Delimiter::None => return self.tokens(inside),
        };
        self.glued |= self.operand && delimiter != Delimiter::Brace;
        self.push(open);
        (self.glued, self.operand) = (true, false);
        let outer = std::mem::take(&mut self.generics);
        self.tokens(inside);
        self.generics = outer;
        self.close(close);
        self.operand = true;
    }

    fn operator(&mut self, operator: &str, next: Option<&TokenTree>) {
        match operator {
            "." | ".." | "..=" => self.tight(operator),
            "::" => {
                self.tight("::");
                if matches!(next, Some(TokenTree::Punct(next)) if next.as_char() == '<') {
                    self.operand = true;
                }
            }
            "," | ";" | ":" => {
                self.close(operator);
                self.operand = false;
            }
            "?" => {
                self.close("?");
                self.operand = true;
            }
            "!" if self.operand && matches!(next, Some(TokenTree::Group(_))) => {
                self.close("!");
                self.glued = true;
            }
            "<" if self.starts_generics() => {
                self.close("<");
                (self.glued, self.operand) = (true, false);
                self.generics += 1;
            }
            ">" | ">>" if self.generics >= operator.len() => {
                self.close(operator);
                self.generics -= operator.len();
                self.operand = true;
            }
            "|" if self.closure => {
                self.close("|");
                (self.closure, self.operand) = (false, false);
            }
            "'" => {
                self.push("'");
                self.glued = true;
            }
            _ if self.operand || !PREFIXES.contains(&operator) => {
                self.push(operator);
                self.operand = false;
            }
            prefix => {
                self.push(prefix);
                self.glued = true;
                self.closure = prefix == "|";
            }
        }
    }

    /// Between two operands, without spaces; before one, with the space that stands there.
    fn tight(&mut self, operator: &str) {
        self.glued |= self.operand;
        self.push(operator);
        (self.glued, self.operand) = (true, false);
    }

    /// After a turbofish, or after the name of a type.
    fn starts_generics(&self) -> bool {
        let word = self.out.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
        self.out.ends_with("::") || word.is_some_and(|word| word.starts_with(char::is_uppercase))
    }
}

/// Words after which an operand comes.
const KEYWORDS: [&str; 12] =
    ["as", "break", "else", "if", "in", "let", "match", "move", "mut", "ref", "return", "while"];

/// Operators of several tokens.
const OPERATORS: [&str; 23] = [
    "::", "..", "..=", "=>", "->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=", "/=",
    "%=", "^=", "&=", "|=", "<<=", ">>=",
];

/// Operators that may stand before an operand.
const PREFIXES: [&str; 7] = ["!", "&", "&&", "*", "-", "|", "#"];
