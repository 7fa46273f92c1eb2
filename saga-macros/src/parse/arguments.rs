//! The attribute's arguments: `#[saga_tool(name = "..", ttl = "10m", ..)]` and its siblings.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{Expr, LitInt, LitStr};

use super::Kind;
use crate::diagnostics::Diagnostics;

/// What the attribute says.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// What was read.
    given: Vec<String>,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    /// MCP's `ToolAnnotations`, or `Annotations` of a resource, as JSON names and values.
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
    /// A resource's address.
    pub(crate) uri: Option<LitStr>,
    pub(crate) mime_type: Option<LitStr>,
    /// Seconds.
    pub(crate) cache: Option<u32>,
}

/// What each kind of function takes.
const TOOL: [&str; 9] =
    ["name", "title", "annotations", "ttl", "max_age", "max_rounds", "attempts", "replay", "store_down"];
const PROMPT: [&str; 8] =
    ["name", "title", "ttl", "max_age", "max_rounds", "attempts", "replay", "store_down"];
const RESOURCE: [&str; 12] = [
    "uri",
    "name",
    "title",
    "mime_type",
    "annotations",
    "cache",
    "ttl",
    "max_age",
    "max_rounds",
    "attempts",
    "replay",
    "store_down",
];

/// Rust's names and MCP's, of a tool.
const ANNOTATIONS: [(&str, &str); 4] = [
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
];

/// The same of a resource.
const RESOURCE_ANNOTATIONS: [(&str, &str); 2] = [("audience", "audience"), ("priority", "priority")];

impl Arguments {
    pub(crate) fn parse(kind: Kind, tokens: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let mut arguments = Self::default();
        let parser = syn::meta::parser(|meta| arguments.one(kind, &meta, diagnostics));
        let parsed = parser.parse2(tokens);
        if let Err(error) = parsed {
            diagnostics.push(error);
        }
        arguments
    }

    /// Reads one argument. A mistake in it does not keep the others from being read.
    fn one(
        &mut self,
        kind: Kind,
        meta: &ParseNestedMeta<'_>,
        diagnostics: &mut Diagnostics,
    ) -> syn::Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        if !taken(kind).contains(&name.as_str()) {
            diagnostics.error(&meta.path, unknown(kind));
            return skip_value(meta);
        }
        if self.given.contains(&name) {
            diagnostics.error(&meta.path, format!("`{name}` is given twice; remove one of the two"));
        }
        self.given.push(name.clone());
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
                meta.parse_nested_meta(|annotation| self.annotation(kind, &annotation, diagnostics))?;
            }
            "uri" => self.uri = Some(meta.value()?.parse()?),
            "mime_type" => self.mime_type = Some(meta.value()?.parse()?),
            _ => self.cache = seconds(&meta.value()?.parse()?, diagnostics),
        }
        Ok(())
    }

    fn annotation(
        &mut self,
        kind: Kind,
        meta: &ParseNestedMeta<'_>,
        diagnostics: &mut Diagnostics,
    ) -> syn::Result<()> {
        let (all, what) = match kind {
            Kind::Resource => (&RESOURCE_ANNOTATIONS[..], "`audience` and `priority`"),
            _ => (&ANNOTATIONS[..], "`read_only`, `destructive`, `idempotent` and `open_world`"),
        };
        let known = all.iter().find(|(name, _)| meta.path.is_ident(name));
        let Some((_, json)) = known else {
            diagnostics.error(&meta.path, format!("unknown annotation; MCP has {what}"));
            return skip_value(meta);
        };
        // `read_only` alone says yes.
        let value =
            if meta.input.peek(syn::Token![=]) { meta.value()?.parse()? } else { syn::parse_quote!(true) };
        self.annotations.push((json, value));
        Ok(())
    }
}

const fn taken(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Tool | Kind::Method => &TOOL,
        Kind::Prompt => &PROMPT,
        Kind::Resource => &RESOURCE,
    }
}

fn unknown(kind: Kind) -> String {
    let shown = |name: &&str| {
        if *name == "annotations" { "`annotations(..)`".to_owned() } else { format!("`{name}`") }
    };
    let mut names: Vec<_> = taken(kind).iter().map(shown).collect();
    let last = names.pop().unwrap_or_default();
    format!("unknown argument of `{}`; it takes {} and {last}", kind.attribute(), names.join(", "))
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
