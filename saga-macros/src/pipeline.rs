//! The stages in order, each a function from one named type to the next. Read this first.
//!
//! ```text
//! tokens ─parse→ Tool ─lower→ Body + Graph ─analyse→ SiteLayout per site ─generate→ items
//! ```
//!
//! The law that all of them serve: driving the compiled tool request by request, with its state serialized and
//! decoded in a fresh process at every suspension, gives the same questions in the same order, the same side
//! effects and the same result as running the plain `async fn` once. `tests/equivalence` holds it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::ItemFn;

use crate::diagnostics::Diagnostics;
use crate::lower::Lowered;
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, Parameter, Tool};
use crate::{analysis, codegen, flow, lower, parse};

/// Compiles what stands below `#[saga_tool(arguments)]`.
#[cfg(test)]
pub(crate) fn saga_tool(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    saga(Kind::Tool, arguments, item)
}

/// Compiles what stands below `#[saga_tool(arguments)]`, or the attribute of another kind.
pub(crate) fn saga(kind: Kind, arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    let function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => return half_typed(kind, arguments, item, error),
    };
    let mut diagnostics = Diagnostics::new();
    let tool = parse::parse(kind, arguments.clone(), function, &mut diagnostics);
    let items = compile(&tool, &mut diagnostics);
    match diagnostics.finish() {
        Ok(()) => items,
        Err(error) => refused(&tool, &error),
    }
}

/// What stands for a function whose body is no Rust yet: the error, the function with its body as it was written, for
/// an editor to go on with, and the type that callers expect. Only what was written, where it is no function at all.
fn half_typed(kind: Kind, arguments: &TokenStream, item: &TokenStream, error: syn::Error) -> TokenStream {
    if let Some(error) = parse::item::refuse_other(kind.attribute(), item) {
        return no_function(&error, item);
    }
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(error);
    let rest = match without_body(item).filter(|_| kind != Kind::Method) {
        Some((function, body)) => {
            let tool = parse::parse(kind, arguments.clone(), function, &mut diagnostics);
            let (ItemFn { attrs, vis, sig, .. }, stub) = (&tool.plain, codegen::stub(&tool));
            quote!(#stub #[allow(unused, reason = "it is no Rust yet")] #(#attrs)* #vis #sig #body)
        }
        None => item.clone(),
    };
    let error = diagnostics.finish().err().map(|error| error.to_compile_error());
    quote!(#error #rest)
}

/// What stands for something that is no function: the error, and what was written. The questions in it are answered by
/// a script, as those of every function that was refused, so that they are not reported once more.
fn no_function(error: &syn::Error, item: &TokenStream) -> TokenStream {
    let (error, mut item) = (error.to_compile_error(), item.clone());
    if let Ok(syn::Item::Impl(block)) = syn::parse2(item.clone()) {
        let block = codegen::scripted_methods(block);
        item = quote!(#block);
    }
    quote!(#error #item)
}

/// The function with an empty body, and its body.
fn without_body(item: &TokenStream) -> Option<(ItemFn, TokenTree)> {
    let mut tokens: Vec<_> = item.clone().into_iter().collect();
    let is_body =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let body = tokens.pop().filter(is_body)?;
    let function = tokens.into_iter().collect::<TokenStream>();
    Some((syn::parse2(quote!(#function {})).ok()?, body))
}

/// Compiles what stands below `#[saga]`.
pub(crate) fn called_saga(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    let function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = parse::item::refuse_other("#[saga]", item).unwrap_or(error);
            return no_function(&error, item);
        }
    };
    let mut diagnostics = Diagnostics::new();
    let saga = parse::saga(arguments, function, &mut diagnostics);
    let lowered = lowered(&saga.parameters, &saga.block, saga.keys(), &mut diagnostics);
    let layouts = analysis::layout::layout(&lowered.body, &lowered.graph);
    analysis::refuse(&lowered.body, &layouts, &mut diagnostics);
    let item = codegen::saga(&saga, &lowered.body, &layouts);
    match diagnostics.finish() {
        Ok(()) => item,
        Err(error) => {
            let (error, refused) = (error.to_compile_error(), codegen::refused(&saga));
            quote!(#error #refused)
        }
    }
}

/// Lowers a body; a graph that is not well formed is a bug in the compiler.
fn lowered(
    parameters: &[Parameter],
    block: &syn::Block,
    keys: KeyScope,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let lowered = lower::lower(parameters, block, keys, diagnostics);
    if cfg!(debug_assertions)
        && let Err(broken) = flow::verify::verify(&lowered.graph, lowered.body.sites.len())
    {
        panic!("{broken}; this is a bug in saga-macros\n{}", lowered.graph);
    }
    lowered
}

fn compile(tool: &Tool, diagnostics: &mut Diagnostics) -> TokenStream {
    let lowered = lowered(&tool.parameters, &tool.block, KeyScope::default(), diagnostics);
    let layouts = analysis::layout::layout(&lowered.body, &lowered.graph);
    analysis::refuse(&lowered.body, &layouts, diagnostics);
    let flow = codegen::flow(tool, &lowered, &layouts);
    match tool.kind {
        Kind::Method => codegen::method(tool, &lowered.body, &layouts, &flow),
        _ => codegen::tool(tool, &lowered.body, &layouts, &flow),
    }
}

/// What stands for a function that was refused: the errors, and the function as it was written, so that an editor
/// goes on working and callers find the name.
fn refused(tool: &Tool, error: &syn::Error) -> TokenStream {
    let error = error.to_compile_error();
    if tool.kind == Kind::Method {
        let stub = codegen::method_stub(tool);
        return quote!(#error #stub);
    }
    let twin = codegen::twin(tool);
    if tool.plain.sig.receiver().is_some() {
        // Inside an `impl`, where no other item may stand.
        return quote!(#error #[allow(unused, reason = "the tool was refused")] #twin);
    }
    let stub = codegen::stub(tool);
    quote!(#error #stub #[allow(unused, reason = "the tool was refused")] #twin)
}
