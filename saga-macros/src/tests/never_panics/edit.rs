//! Changes to tools: of their syntax, so that most still are functions, and of their tokens, so that many are none.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ItemFn, Pat};

use super::case::Chance;
use super::corpus::Corpus;
use crate::parse::suspension;

/// A tool, mostly a small one.
fn tool<'c>(corpus: &'c Corpus, chance: &mut Chance) -> &'c ItemFn {
    if chance.of_hundred(95) { chance.pick(&corpus.small) } else { &chance.pick(&corpus.tools).function }
}

/// A tool with one to four parts replaced by parts of others, taken away, repeated or wrapped.
pub(super) fn syntax(corpus: &Corpus, chance: &mut Chance) -> TokenStream {
    let mut function = tool(corpus, chance).clone();
    for _ in 0..=chance.below(4) {
        let mut counter = Edit { corpus, chance, at: usize::MAX, seen: 0 };
        counter.visit_block_mut(&mut function.block);
        let at = {
            let seen = counter.seen;
            chance.below(seen)
        };
        Edit { corpus, chance, at, seen: 0 }.visit_block_mut(&mut function.block);
    }
    if !suspension::block_suspends(&function.block) {
        // What asks nothing is for those who change tokens.
        let at = chance.below(function.block.stmts.len() + 1);
        function.block.stmts.insert(at, syn::parse_quote!(let asked = elicit(ask).await?;));
    }
    quote!(#function)
}

/// Changes the part with this number.
struct Edit<'c> {
    corpus: &'c Corpus,
    chance: &'c mut Chance,
    at: usize,
    seen: usize,
}

impl Edit<'_> {
    fn is_here(&mut self) -> bool {
        self.seen += 1;
        self.seen == self.at.wrapping_add(1)
    }
}

impl VisitMut for Edit<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        if self.is_here() {
            let (count, new) = (block.stmts.len(), self.chance.pick(&self.corpus.statements).clone());
            match (self.chance.below(5), count) {
                (0, 1..) => drop(block.stmts.remove(self.chance.below(count))),
                (1, 1..) => {
                    let again = block.stmts[self.chance.below(count)].clone();
                    block.stmts.insert(self.chance.below(count + 1), again);
                }
                (2, 2..) => block.stmts.swap(self.chance.below(count), self.chance.below(count)),
                _ => block.stmts.insert(self.chance.below(count + 1), new),
            }
        }
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.is_here() {
            *expr = changed(expr, self.corpus, self.chance);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if self.is_here() {
            *pattern = self.chance.pick(&self.corpus.patterns).clone();
            return;
        }
        visit_mut::visit_pat_mut(self, pattern);
    }
}

/// Another expression, or this one with something around it.
fn changed(old: &Expr, corpus: &Corpus, chance: &mut Chance) -> Expr {
    let new = chance.pick(&corpus.expressions).clone();
    let tokens = match chance.below(32) {
        0 => quote!({ #old }),
        1 => quote!((#old)),
        2 => quote!((#old)?),
        3 => quote!((#old).await),
        4 => quote!(elicit(#old).await?),
        5 => quote!(vec![#old, #new]),
        6 => quote!(if #old { #new } else { #old }),
        7 => quote!(loop { break #old; }),
        8 => quote!(match #old { x if #new => x, _ => #old }),
        9 => quote!((|| #old)()),
        10 => quote!((async { #old }).await),
        11 => quote!(&#old),
        12 => quote!(&mut (#old)),
        13 => quote!(return #old),
        14 => quote!({ let x = #old; #new; x }),
        15 => quote!('label: { break 'label #old; }),
        16 => quote!((#old, #new)),
        17 => quote!(format!("{} {}", #old, #new)),
        18 => quote!((#old)[#new]),
        19 => quote!(if let Some(x) = #old && #new { x } else { return #old }),
        20 => quote!(call(same(#old, #new)).await),
        21 => quote!(join!(elicit(#old), sample(#new)).await),
        22 => quote!({ for x in #old { #new; } }),
        23 => quote!({ while let Some(x) = #old { #new; continue; } }),
        _ => return new,
    };
    // What does not parse is for those who change tokens.
    syn::parse2(tokens).unwrap_or(new)
}

/// A tool with one to three tokens taken away, repeated, exchanged, or replaced by any.
pub(super) fn tokens(corpus: &Corpus, chance: &mut Chance) -> TokenStream {
    let function = tool(corpus, chance);
    let mut item = quote!(#function);
    for _ in 0..=chance.below(3) {
        item = edited(item, chance);
    }
    item
}

fn edited(tokens: TokenStream, chance: &mut Chance) -> TokenStream {
    let mut trees = tokens.into_iter().collect::<Vec<_>>();
    let count = trees.len();
    // Deeper, as long as there is something.
    let groups = (0..count).filter(|index| matches!(trees[*index], TokenTree::Group(_))).collect::<Vec<_>>();
    if !groups.is_empty() && chance.of_hundred(85) {
        let index = *chance.pick(&groups);
        if let TokenTree::Group(group) = &trees[index] {
            trees[index] = Group::new(group.delimiter(), edited(group.stream(), chance)).into();
        }
        return trees.into_iter().collect();
    }
    match (chance.below(5), count) {
        (0, 1..) => drop(trees.remove(chance.below(count))),
        (1, 1..) => {
            let again = trees[chance.below(count)].clone();
            trees.insert(chance.below(count + 1), again);
        }
        (2, 2..) => trees.swap(chance.below(count), chance.below(count)),
        (3, 1..) => trees[chance.below(count)] = tree(chance, 1),
        _ => trees.insert(chance.below(count + 1), tree(chance, 1)),
    }
    trees.into_iter().collect()
}

const WORDS: [&str; 48] = [
    "elicit",
    "sample",
    "call",
    "join",
    "join_all",
    "checkpoint",
    "list_roots",
    "ask",
    "await",
    "async",
    "fn",
    "let",
    "mut",
    "ref",
    "if",
    "else",
    "match",
    "for",
    "in",
    "while",
    "loop",
    "break",
    "continue",
    "return",
    "move",
    "unsafe",
    "self",
    "Self",
    "crate",
    "super",
    "x",
    "y",
    "name",
    "count",
    "fleet",
    "Some",
    "None",
    "Ok",
    "Err",
    "true",
    "false",
    "String",
    "u8",
    "vec",
    "format",
    "struct",
    "key",
    "as",
];

fn tree(chance: &mut Chance, depth: usize) -> TokenTree {
    match chance.below(10) {
        0..5 => Ident::new(WORDS[chance.below(WORDS.len())], Span::call_site()).into(),
        5 | 6 => {
            let spacing = *chance.pick(&[Spacing::Alone, Spacing::Joint]);
            Punct::new(
                *chance
                    .pick(&['.', ',', ';', ':', '?', '&', '|', '=', '<', '>', '!', '*', '-', '#', '@', '\'']),
                spacing,
            )
            .into()
        }
        7 => match chance.below(4) {
            0 => Literal::string("text {} {name}").into(),
            1 => Literal::u8_suffixed(7).into(),
            2 => Literal::character('c').into(),
            _ => Literal::usize_unsuffixed(chance.below(20)).into(),
        },
        _ if depth > 4 => Ident::new("deep", Span::call_site()).into(),
        _ => {
            let delimiter = *chance.pick(&[
                Delimiter::Parenthesis,
                Delimiter::Brace,
                Delimiter::Bracket,
                Delimiter::None,
            ]);
            let count = chance.below(6);
            Group::new(delimiter, (0..count).map(|_| tree(chance, depth + 1)).collect()).into()
        }
    }
}

/// Any tokens.
pub(super) fn soup(chance: &mut Chance, most: usize) -> TokenStream {
    let count = chance.below(most);
    (0..count).map(|_| tree(chance, 0)).collect()
}

/// What an attribute might be given.
pub(super) fn arguments(chance: &mut Chance) -> TokenStream {
    let known = [
        quote!(name = "n"),
        quote!(title = "t"),
        quote!(ttl = "10m"),
        quote!(ttl = "m"),
        quote!(max_age = "99999999999999d"),
        quote!(max_rounds = 70000),
        quote!(attempts = -1),
        quote!(annotations(read_only, destructive = maybe)),
        quote!(uri = "trip://{id}/{+rest}"),
        quote!(uri = "{"),
        quote!(replay = "once"),
        quote!(store_down = 1),
        quote!(,),
    ];
    if chance.of_hundred(30) {
        return soup(chance, 8);
    }
    let count = chance.below(4);
    (0..count)
        .flat_map(|_| {
            let one = chance.pick(&known).clone();
            quote!(#one,)
        })
        .collect()
}

/// A form or a choice, changed.
pub(super) fn form(chance: &mut Chance) -> TokenStream {
    let whole = quote! {
        /// A form.
        #[form(title = "Form", rename_all = "kebab-case")]
        #[choice(rename_all = "lowercase")]
        struct Form<T> where T: Copy {
            /// A text.
            #[form(min_length = 1, max_length = 3, format = "email", default = "a")]
            text: String,
            #[form(min = 1, max = 9, default = 3, title = "N", description = "d", rename = "n")]
            number: Option<u8>,
            #[serde(rename = "list")]
            #[form(min_items = 1, default = [A])]
            list: Vec<Kind>,
        }
    };
    let choice = quote! {
        #[choice(rename_all = "UPPERCASE")]
        enum Kind { #[choice(title = "A", rename = "a")] A, B = 2, C(u8), D { x: u8 } }
    };
    let mut item = if chance.of_hundred(50) { whole } else { choice };
    for _ in 0..=chance.below(4) {
        item = edited(item, chance);
    }
    item
}
