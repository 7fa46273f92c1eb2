//! One case: what stands in an attribute, and below it.

use std::fmt;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::corpus::Corpus;
use super::edit;
use crate::form;
use crate::parse::{Kind, suspension};
use crate::pipeline::{called_saga, saga};

/// Random bits out of a case's number (`SplitMix64`).
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let index = (mixed ^ (mixed >> 31)) % u64::try_from(count.max(1)).unwrap_or(u64::MAX);
        usize::try_from(index).unwrap_or_default()
    }

    pub(super) fn of_hundred(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'t, T>(&mut self, options: &'t [T]) -> &'t T {
        &options[self.below(options.len())]
    }
}

/// What compiles a case.
#[derive(Debug, Clone, Copy)]
enum Macro {
    Saga(Kind),
    Called,
    Form,
    Choice,
}

pub(super) struct Case {
    by: Macro,
    arguments: TokenStream,
    item: TokenStream,
}

impl Case {
    pub(super) fn new(corpus: &Corpus, number: u64) -> Self {
        // Numbers that follow each other have nothing in common.
        let mut chance = Chance(number.wrapping_mul(0xa076_1d64_78bd_642f));
        let by = match chance.below(100) {
            0..70 => Macro::Saga(Kind::Tool),
            70..85 => Macro::Called,
            85..90 => Macro::Saga(Kind::Method),
            90..94 => Macro::Saga(Kind::Prompt),
            94..98 => Macro::Saga(Kind::Resource),
            98 => Macro::Form,
            _ => Macro::Choice,
        };
        let arguments = if chance.of_hundred(90) { TokenStream::new() } else { edit::arguments(&mut chance) };
        let item = match (by, chance.below(100)) {
            (Macro::Form | Macro::Choice, _) => edit::form(&mut chance),
            (_, 0..65) => edit::syntax(corpus, &mut chance),
            (_, 65..92) => edit::tokens(corpus, &mut chance),
            (_, 92..98) => {
                let body = edit::soup(&mut chance, 30);
                quote!(async fn tool(name: String) -> Result<String, ToolError> { #body })
            }
            _ => edit::soup(&mut chance, 40),
        };
        Self { by, arguments, item }
    }

    /// Whether it parses as a function with a question in it.
    pub(super) fn suspends(&self) -> bool {
        let function = syn::parse2::<ItemFn>(self.item.clone());
        function.is_ok_and(|function| suspension::block_suspends(&function.block))
    }

    pub(super) fn compile(&self) -> TokenStream {
        match self.by {
            Macro::Saga(kind) => saga(kind, &self.arguments, &self.item),
            Macro::Called => called_saga(&self.arguments, &self.item),
            Macro::Form => form::derive_form(self.item.clone()),
            Macro::Choice => form::derive_choice(self.item.clone()),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { by, arguments, item } = self;
        write!(formatter, "{by:?} ({arguments}) {item}")
    }
}
