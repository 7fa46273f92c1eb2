//! The attribute's arguments: `#[saga_tool(name = "..", ttl = "10m", ..)]`.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{Expr, LitInt, LitStr};

use crate::diagnostics::Diagnostics;

/// What the attribute says.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    /// MCP's `ToolAnnotations`, as JSON names and values.
    pub(crate) annotations: Vec<(&'static str, Expr)>,
    /// Seconds.
    pub(crate) ttl: Option<u32>,
    /// Seconds.
    pub(crate) max_age: Option<u32>,
    pub(crate) max_rounds: Option<u16>,
    pub(crate) attempts: Option<u8>,
    /// A variant of the runtime's `Replay`.
    pub(crate) replay: Option<&'static str>,
    /// A variant of the runtime's `StoreDown`.
    pub(crate) store_down: Option<&'static str>,
}

/// Rust's names and MCP's.
const ANNOTATIONS: [(&str, &str); 4] = [
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
];

impl Arguments {
    pub(crate) fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let mut arguments = Self::default();
        let parser = syn::meta::parser(|meta| arguments.one(&meta, diagnostics));
        let parsed = parser.parse2(tokens);
        if let Err(error) = parsed {
            diagnostics.push(error);
        }
        arguments
    }

    /// Reads one argument. A mistake in it does not keep the others from being read.
    fn one(&mut self, meta: &ParseNestedMeta<'_>, diagnostics: &mut Diagnostics) -> syn::Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "name" => self.name = Some(meta.value()?.parse()?),
            "title" => self.title = Some(meta.value()?.parse()?),
            "ttl" => self.ttl = seconds(&meta.value()?.parse()?, diagnostics),
            "max_age" => self.max_age = seconds(&meta.value()?.parse()?, diagnostics),
            "max_rounds" => self.max_rounds = Some(meta.value()?.parse::<LitInt>()?.base10_parse()?),
            "attempts" => self.attempts = Some(meta.value()?.parse::<LitInt>()?.base10_parse()?),
            "replay" => {
                let words = [("window", "Window"), ("once", "Once")];
                self.replay = word(&meta.value()?.parse()?, words, diagnostics);
            }
            "store_down" => {
                let words = [("refuse", "Refuse"), ("run", "Run")];
                self.store_down = word(&meta.value()?.parse()?, words, diagnostics);
            }
            "annotations" => {
                meta.parse_nested_meta(|annotation| self.annotation(&annotation, diagnostics))?;
            }
            _ => {
                diagnostics.error(
                    &meta.path,
                    "unknown argument of `#[saga_tool]`; it takes `name`, `title`, `annotations(..)`, `ttl`, \
                     `max_age`, `max_rounds`, `attempts`, `replay` and `store_down`",
                );
                skip_value(meta)?;
            }
        }
        Ok(())
    }

    fn annotation(&mut self, meta: &ParseNestedMeta<'_>, diagnostics: &mut Diagnostics) -> syn::Result<()> {
        let known = ANNOTATIONS.iter().find(|(name, _)| meta.path.is_ident(name));
        let Some((_, json)) = known else {
            diagnostics.error(
                &meta.path,
                "unknown annotation; MCP has `read_only`, `destructive`, `idempotent` and `open_world`",
            );
            return skip_value(meta);
        };
        // `read_only` alone says yes.
        let value =
            if meta.input.peek(syn::Token![=]) { meta.value()?.parse()? } else { syn::parse_quote!(true) };
        self.annotations.push((json, value));
        Ok(())
    }
}

/// Goes past what an unknown argument was given.
fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        meta.input.parse::<proc_macro2::Group>()?;
    }
    Ok(())
}

/// One of two words, and the variant that it stands for.
fn word(
    text: &LitStr,
    words: [(&str, &'static str); 2],
    diagnostics: &mut Diagnostics,
) -> Option<&'static str> {
    let found = words.iter().find(|(word, _)| text.value() == *word);
    if found.is_none() {
        let [(one, _), (other, _)] = words;
        diagnostics.error(text, format!("unknown setting; write \"{one}\" or \"{other}\""));
    }
    found.map(|(_, variant)| *variant)
}

/// A duration as people write it: `90s`, `10m`, `24h`, `7d`.
fn seconds(text: &LitStr, diagnostics: &mut Diagnostics) -> Option<u32> {
    let value = text.value();
    let unit = match value.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 60 * 60,
        Some('d') => 24 * 60 * 60,
        _ => 0,
    };
    let number = value.get(..value.len().saturating_sub(1)).and_then(|digits| digits.parse::<u32>().ok());
    let seconds = number.filter(|_| unit > 0).and_then(|number| number.checked_mul(unit));
    let seconds = seconds.filter(|seconds| *seconds > 0);
    if seconds.is_none() {
        diagnostics
            .error(text, "not a duration; write a whole number with its unit: `90s`, `10m`, `24h`, `7d`");
    }
    seconds
}
