//! Macros that are no list of expressions but mean one: each is written as the expression that it stands for.
//!
//! ```text
//! matches!(value, pattern if guard)   match value { pattern if guard => true, _ => false }
//! vec![value; count]                  match (value, count) { (v, n) => vec![v; n] }        where one of them asks
//! json!({ "a": value, "b": place })   match (value, &place) { (a, b) => json!({ "a": a, "b": b }) }       likewise
//! ```
//!
//! A name in capitals that can be no constant, for none fits always, is bound for all to see: `let N @ _ = size();`.
//!
//! And `Box::pin(call(review(&plan))).await`, which recursion is used to, is the await of what it pins.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprAwait, Ident, Macro, Pat, Stmt, Token, token};

use super::suspension::{suspends, suspends_itself, unwrap};
use super::{attributes, calling};

/// Which macros are written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Desugar {
    /// Those in which a question is asked; the rest stays for the lints as it was written.
    Questions,
    /// All whose parts the compiler wants to see.
    All,
}

/// A block with its macros written out.
pub(crate) fn desugar(block: &Block, which: Desugar) -> Block {
    let mut block = block.clone();
    Macros { which }.visit_block_mut(&mut block);
    block
}

struct Macros {
    which: Desugar,
}

impl VisitMut for Macros {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(mac) = expr
            && !attributes::is_conditional(&mac.attrs)
            && let Some(meaning) = self.meaning(&mac.mac)
        {
            *expr = meaning;
        }
        if let Expr::Await(wait) = expr
            && let Some(question) = pinned_question(wait)
        {
            *wait.base = question;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Macro(mac) = statement
            && !attributes::is_conditional(&mac.attrs)
            && let Some(meaning) = self.meaning(&mac.mac)
        {
            *statement = Stmt::Expr(meaning, mac.semi_token);
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if local.init.as_ref().is_none_or(|init| init.diverge.is_none()) {
            self.bind(&mut local.pat);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_for_loop_mut(&mut self, expr: &mut syn::ExprForLoop) {
        self.bind(&mut expr.pat);
        visit_mut::visit_expr_for_loop_mut(self, expr);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        closure.inputs.iter_mut().for_each(|input| self.bind(input));
        visit_mut::visit_expr_closure_mut(self, closure);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        // `Sizes { W, .. }` binds wherever it stands.
        if self.which == Desugar::All
            && field.colon_token.is_none()
            && matches!(&*field.pat, Pat::Ident(binding) if is_capital(&binding.ident))
        {
            self.bind(&mut field.pat);
            field.colon_token.get_or_insert_default();
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let desugared = ["matches", "vec", "json"];
        super::macros::for_each_argument_mut(mac, &desugared, |argument| self.visit_expr_mut(argument));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Makes every name of a pattern that fits always one that is seen to be bound.
struct Bound;

impl VisitMut for Bound {
    fn visit_pat_ident_mut(&mut self, binding: &mut syn::PatIdent) {
        if is_capital(&binding.ident) && binding.subpat.is_none() {
            binding.subpat = Some((<Token![@]>::default(), Box::new(syn::parse_quote!(_))));
        }
        visit_mut::visit_pat_ident_mut(self, binding);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

fn is_capital(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

impl Macros {
    fn bind(&self, pattern: &mut Pat) {
        if self.which == Desugar::All {
            Bound.visit_pat_mut(pattern);
        }
    }

    fn meaning(&self, mac: &Macro) -> Option<Expr> {
        let name = mac.path.segments.last()?.ident.to_string();
        let tokens = mac.tokens.clone();
        match name.as_str() {
            "matches" => self.matches(mac, tokens),
            "vec" => repeated(mac, tokens),
            "json" => json(mac, tokens),
            _ => None,
        }
    }

    fn matches(&self, mac: &Macro, tokens: TokenStream) -> Option<Expr> {
        let parser = |input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pattern = Pat::parse_multi_with_leading_vert(input)?;
            let guard = input.peek(Token![if]).then(|| {
                input.parse::<Token![if]>()?;
                input.parse::<Expr>()
            });
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pattern, guard.transpose()?))
        };
        let (value, pattern, guard) = parser.parse2(tokens).ok()?;
        let asks = suspends(&value) || guard.as_ref().is_some_and(suspends);
        if self.which == Desugar::Questions && !asks {
            return None;
        }
        let guard = guard.map(|guard| quote!(if #guard));
        let tokens = quote_spanned! {mac.path.span()=>
            match #value {
                #pattern #guard => true,
                #[allow(unreachable_patterns, reason = "as in the macro")]
                _ => false,
            }
        };
        syn::parse2(tokens).ok()
    }
}

/// What `Box::pin(..)` pins, if its await suspends.
fn pinned_question(wait: &ExprAwait) -> Option<Expr> {
    let Expr::Call(pin) = unwrap(&wait.base) else { return None };
    let [pinned] = &pin.args.iter().collect::<Vec<_>>()[..] else { return None };
    let question = ExprAwait { base: Box::new((*pinned).clone()), ..wait.clone() };
    let asks = calling::pins(pin) && suspends_itself(&question);
    asks.then_some(*question.base)
}

fn repeated(mac: &Macro, tokens: TokenStream) -> Option<Expr> {
    let parser = |input: ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((value, input.parse::<Expr>()?))
    };
    let (value, count) = parser.parse2(tokens).ok()?;
    if !suspends(&value) && !suspends(&count) {
        return None;
    }
    let (path, bang) = (&mac.path, &mac.bang_token);
    let (element, length) = (bound(0, value.span()), bound(1, count.span()));
    Some(syn::parse_quote!(match (#value, #count) { (#element, #length) => #path #bang [#element; #length] }))
}

fn json(mac: &Macro, tokens: TokenStream) -> Option<Expr> {
    let mut values = Vec::new();
    let template = (|input: ParseStream<'_>| json_value(input, &mut values)).parse2(tokens).ok()?;
    if !values.iter().any(|part| suspends(&part.value)) {
        return None;
    }
    let (path, bang) = (&mac.path, &mac.bang_token);
    let spans = values.iter().map(|part| part.value.span());
    let names: Vec<_> = spans.enumerate().map(|(index, span)| bound(index, span)).collect();
    // The macro borrows what stands in it, but for keys.
    let values = values.iter().map(
        |Part { value, is_key }| {
            if !is_key && is_place(value) { quote!(&#value) } else { quote!(#value) }
        },
    );
    Some(syn::parse_quote!(match (#(#values,)*) { (#(#names,)*) => #path #bang (#template) }))
}

/// An expression in a JSON value.
struct Part {
    value: Expr,
    is_key: bool,
}

/// Takes the expressions out of a JSON value, and leaves names in their places.
fn json_value(input: ParseStream<'_>, values: &mut Vec<Part>) -> syn::Result<TokenStream> {
    let content;
    if input.peek(token::Brace) {
        syn::braced!(content in input);
        let entries = json_list(&content, |content| {
            let mut key = TokenStream::new();
            while !content.peek(Token![:]) || content.peek(Token![::]) {
                key.extend([content.parse::<TokenTree>()?]);
            }
            let key = json_key(key, values)?;
            let colon: Token![:] = content.parse()?;
            let value = json_value(content, values)?;
            Ok(quote!(#key #colon #value))
        })?;
        return Ok(quote!({ #entries }));
    }
    if input.peek(token::Bracket) {
        syn::bracketed!(content in input);
        let elements = json_list(&content, |content| json_value(content, values))?;
        return Ok(quote!([#elements]));
    }
    let value: Expr = input.parse()?;
    if matches!(&value, Expr::Path(path) if path.path.is_ident("null")) || matches!(value, Expr::Lit(_)) {
        return Ok(quote!(#value));
    }
    let name = bound(values.len(), value.span());
    values.push(Part { value, is_key: false });
    Ok(quote!(#name))
}

/// A key may be any expression, which is evaluated before its value.
fn json_key(key: TokenStream, values: &mut Vec<Part>) -> syn::Result<TokenStream> {
    let value: Expr = syn::parse2(key)?;
    if let Expr::Lit(_) = value {
        return Ok(quote!(#value));
    }
    let name = bound(values.len(), value.span());
    values.push(Part { value, is_key: true });
    Ok(quote!(#name))
}

fn json_list(
    content: ParseStream<'_>,
    mut one: impl FnMut(ParseStream<'_>) -> syn::Result<TokenStream>,
) -> syn::Result<TokenStream> {
    let mut list = TokenStream::new();
    while !content.is_empty() {
        let (entry, comma) = (one(content)?, content.parse::<Option<Token![,]>>()?);
        list.extend(quote!(#entry #comma));
    }
    Ok(list)
}

fn bound(index: usize, span: Span) -> Ident {
    Ident::new(&format!("__part{index}"), Span::mixed_site().located_at(span))
}

fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    #[test]
    fn the_keys_of_a_json_value_are_evaluated_before_their_values() {
        // The plain function is written so, too: the law does not see it.
        let written = quote!({ json!({ (key()): elicit("?").await?, "n": n, name: 1 }) });
        let block = syn::parse2(written).expect("a block");
        let written = desugar(&block, Desugar::All).to_token_stream().to_string();
        for part in [
            r#"match ((key ()) , elicit ("?") . await ? , & n , name ,)"#,
            r#"json ! ({ __part0 : __part1 , "n" : __part2 , __part3 : 1 })"#,
        ] {
            assert!(written.contains(part), "{part} in {written}");
        }
    }
}
