//! The items that stand for the function: a type of its name that is the tool, and, for tests and editors, the
//! function itself as it was written.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, Ident, ItemFn, Lit, Meta, Token, Type};

use super::Writer;
use super::closure::closures;
use super::names::{argument, frame, gone, left, parenthesized, private, request, slot, step_slot};
use crate::analysis::layout::SiteLayout;
use crate::analysis::lost_guards;
use crate::parse::macros::Awaits;
use crate::parse::places::unwrap;
use crate::parse::suspension::{self, KeyScope};
use crate::parse::{
    Arguments, Kind, Parameter, Source, Tool, attributes, calling, is_ours, macros, plain_name,
};
use crate::tree::{Body, SiteId};

/// The tool and its plain twin.
pub(crate) fn tool(tool: &Tool, body: &Body, layouts: &[SiteLayout], flow: &TokenStream) -> TokenStream {
    let private = private();
    let (name, visibility) = (&tool.name, &tool.visibility);
    let docs = docs(&tool.attributes);
    let conditions: Vec<_> = attributes::conditions(&tool.attributes).collect();
    let contexts: Vec<_> =
        tool.parameters.iter().filter(|parameter| parameter.source == Source::Context).collect();
    let provided: Vec<_> = contexts.iter().map(|parameter| referent(&parameter.ty)).collect();
    let definition = definition(tool);
    let machine = machine(tool, body, layouts);
    let take = take_arguments(tool);
    let supplied = tool.parameters.iter().map(supplied);
    let (twin, called, frame) = (twin(tool), called(tool), frame());
    let output = output(tool);
    let marker = marker(tool);
    // At the tool's name, where rustc reports a future that cannot go to another thread.
    let call = call(name, quote!(#frame, #(#supplied),*));
    let result = match tool.kind {
        Kind::Tool | Kind::Method => quote!(<#output as #private::IntoToolResult>::into_tool_result),
        Kind::Prompt => quote!(#private::prompt_result::<#output>),
        Kind::Resource => quote!(#private::resource_result::<#output>),
    };
    quote! {
        #(#docs)*
        #(#conditions)*
        #[allow(non_camel_case_types, reason = "the tool has the function's name")]
        #visibility struct #name {}

        #(#conditions)*
        #[automatically_derived]
        const _: () = {
            impl #name {
                /// The tool's flow graph.
                #[allow(dead_code, reason = "for whoever draws the tool")]
                pub const FLOW: #private::Flow = #flow;
            }

            #marker

            impl<__Context> #private::Machine<__Context> for #name
            where
                __Context: ?::core::marker::Sized + ::core::marker::Sync #(+ #private::Provides<#provided>)*,
            {
                fn definition() -> #private::Definition {
                    #definition
                }

                fn flow() -> &'static #private::Flow {
                    &Self::FLOW
                }

                fn run<'a>(
                    #frame: &'a #private::Frame,
                    __arguments: &'a #private::JsonObject,
                    __context: &'a __Context,
                ) -> #private::Running<'a> {
                    #machine
                    #take
                    #private::running(#call, #result)
                }
            }
        };

        #[cfg(test)]
        #twin

        #called
    }
}

/// What stands where the function is in tests: whoever calls it is told what to do.
fn called(tool: &Tool) -> TokenStream {
    let (private, output) = (private(), output(tool));
    let Tool { name, visibility, parameters, attributes, .. } = tool;
    let conditions = attributes::conditions(attributes);
    let types = parameters.iter().map(|parameter| &parameter.ty);
    quote! {
        #(#conditions)*
        #[cfg(not(test))]
        #[doc(hidden)]
        #[allow(dead_code, clippy::pedantic, reason = "for who calls the tool")]
        #visibility fn #name(#(_: #types),*) -> #private::Uncalled<#output>
        where
            for<'called> #private::ATool<'called>: #private::Called,
        {
            #private::uncalled()
        }
    }
}

/// A call, all of which is where the function's name is.
fn call(name: &Ident, arguments: TokenStream) -> TokenStream {
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(name.span());
    quote!(#name #arguments)
}

/// The function's return type, always in the same tokens: rustc reports one that no client can get once.
pub(super) fn output(tool: &Tool) -> TokenStream {
    match &tool.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    }
}

/// A type that stands for a tool that was refused, so that rustc reports nothing else where it is named.
pub(crate) fn stub(tool: &Tool) -> TokenStream {
    let private = private();
    let (name, visibility) = (&tool.name, &tool.visibility);
    let marker = marker(tool);
    quote! {
        #[allow(non_camel_case_types, missing_docs, reason = "the tool was refused")]
        #visibility struct #name {}

        #marker

        #[automatically_derived]
        impl<__Context: ?::core::marker::Sized> #private::Machine<__Context> for #name {
            fn definition() -> #private::Definition {
                #private::unreachable()
            }

            fn flow() -> &'static #private::Flow {
                #private::unreachable()
            }

            fn run<'a>(
                _: &'a #private::Frame,
                _: &'a #private::JsonObject,
                _: &'a __Context,
            ) -> #private::Running<'a> {
                #private::unreachable()
            }
        }
    }
}

/// Says which of the three it is.
fn marker(tool: &Tool) -> TokenStream {
    let (private, name) = (private(), &tool.name);
    let kind = match tool.kind {
        Kind::Tool | Kind::Method => quote!(Tool),
        Kind::Prompt => quote!(Prompt),
        Kind::Resource => quote!(Resource),
    };
    quote! {
        #[automatically_derived]
        impl<__Context: ?::core::marker::Sized> #private::#kind<__Context> for #name
        where
            Self: #private::Machine<__Context>,
        {
        }
    }
}

/// The parameters that clients send.
fn arguments(tool: &Tool) -> impl Iterator<Item = &Parameter> {
    tool.parameters.iter().filter(|parameter| parameter.source == Source::Argument)
}

/// The name by which clients send it.
fn sent(parameter: &Parameter) -> String {
    plain_name(&parameter.name)
}

/// The parameter's part of the schema.
fn argument_of_schema(parameter: &Parameter) -> TokenStream {
    let (private, name, ty) = (private(), sent(parameter), &parameter.ty);
    let header = parameter.header.iter().map(|header| ("x-mcp-header", header.value()));
    let text = description(&parameter.docs).unwrap_or_default();
    // As schemars does it: a heading is the title.
    let (title, text) = match text.strip_prefix('#') {
        Some(heading) => heading.split_once('\n').unwrap_or((heading, "")),
        None => ("", &*text),
    };
    let documented = [("title", title.trim_start_matches('#').trim()), ("description", text.trim())];
    let documented = documented.into_iter().filter(|(_, text)| !text.is_empty());
    let notes = documented.map(|(key, text)| (key, text.to_owned())).chain(header);
    let notes = notes.map(|(key, text)| quote!((#key, #text)));
    quote!(<#ty as #private::Argument>::describe(&mut signature, #name, &[#(#notes),*]);)
}

/// Takes the arguments out of the request.
pub(super) fn take_arguments(tool: &Tool) -> TokenStream {
    if arguments(tool).next().is_none() {
        return TokenStream::new();
    }
    let private = private();
    let comes = match tool.kind {
        Kind::Tool | Kind::Method => quote!(values),
        Kind::Prompt | Kind::Resource => quote!(texts),
    };
    let names: Vec<_> = arguments(tool).map(argument).collect();
    let takes = arguments(tool).map(|parameter| {
        let (name, ty) = (sent(parameter), &parameter.ty);
        quote!(<#ty as #private::Argument>::take(&mut __given, #name))
    });
    quote! {
        let mut __given = #private::Given::#comes(__arguments);
        let (#(#private::Some(#names),)*) = (#(#takes,)*) else { return __given.refused() };
    }
}

fn supplied(parameter: &Parameter) -> TokenStream {
    let private = private();
    match parameter.source {
        Source::Argument => {
            let argument = argument(parameter);
            quote!(#argument)
        }
        Source::Caller => unreachable!("only a called saga has a caller; this is a bug in saga-macros"),
        Source::Saga => {
            let frame = frame();
            quote!(#frame.saga())
        }
        Source::Context => {
            let provided = referent(&parameter.ty);
            quote!(<__Context as #private::Provides<#provided>>::provide(__context))
        }
    }
}

pub(super) fn referent(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => &reference.elem,
        other => other,
    }
}

pub(super) fn definition(tool: &Tool) -> TokenStream {
    let private = private();
    let arguments = &tool.arguments;
    let name = tool.published_name();
    let output = output(tool);
    let title = arguments.title.iter().map(|title| quote!(definition.title = #private::Some(#title);));
    let description = description(&tool.attributes);
    let description =
        description.iter().map(|text| quote!(definition.description = #private::Some(#text.into());));
    let of = if matches!(tool.kind, Kind::Tool | Kind::Method) { quote!(Bool) } else { quote!(from) };
    let annotations = arguments.annotations.iter().map(
        |(name, value)| quote!(definition.annotations.insert(#name.into(), #private::Value::#of(#value));),
    );
    let variant = |of: &str, name: Option<&str>| {
        let (of, name) = (format_ident!("{of}"), format_ident!("{}", name?));
        Some(quote!(#private::#of::#name))
    };
    let output_schema = match tool.kind {
        Kind::Tool | Kind::Method => quote!(<#output as #private::IntoToolResult>::output_schema()),
        Kind::Prompt | Kind::Resource => quote!(#private::None),
    };
    let kind = kind(tool);
    let arguments_of = self::arguments(tool).map(argument_of_schema);
    let settings = [
        ("ttl", arguments.ttl.map(|value| quote!(#value))),
        ("max_age", arguments.max_age.map(|value| quote!(#value))),
        ("max_rounds", arguments.max_rounds.map(|value| quote!(#value))),
        ("attempts", arguments.attempts.map(|value| quote!(#value))),
        ("replay", variant("Replay", arguments.replay)),
        ("store_down", variant("StoreDown", arguments.store_down)),
    ];
    let settings = settings.into_iter().filter_map(|(name, value)| {
        let (name, value) = (format_ident!("{name}"), value?);
        Some(quote!(definition.policy.#name = #private::Some(#value);))
    });
    quote! {
        #[allow(unused_mut, reason = "a tool without settings changes nothing")]
        let mut definition = #private::Definition::new(
            #name,
            {
                #[allow(unused_mut, reason = "a tool without arguments describes none")]
                let mut signature = #private::Signature::new();
                #(#arguments_of)*
                signature
            },
            #output_schema,
        );
        #kind
        #(#title)*
        #(#description)*
        #(#annotations)*
        #(#settings)*
        definition
    }
}

/// How clients come to it, where that is not by `tools/call`.
fn kind(tool: &Tool) -> TokenStream {
    let private = private();
    match tool.kind {
        Kind::Tool | Kind::Method => TokenStream::new(),
        Kind::Prompt => quote!(definition.kind = #private::Kind::Prompt;),
        Kind::Resource => {
            let Arguments { uri, mime_type, cache, .. } = &tool.arguments;
            let mime_type = mime_type.iter().map(|text| quote!(place.mime_type = #private::Some(#text);));
            let cache = cache.iter().map(|seconds| quote!(place.cache = #seconds;));
            quote! {
                #[allow(unused_mut, reason = "a resource may say no more than its address")]
                let mut place = #private::Place::new(#uri);
                #(#mime_type)*
                #(#cache)*
                definition.kind = #private::Kind::Resource(place);
            }
        }
    }
}

fn machine(tool: &Tool, body: &Body, layouts: &[SiteLayout]) -> TokenStream {
    let (private, frame, output, name) = (private(), frame(), &tool.output, &tool.name);
    // Under the author's name, which spans and backtraces show.
    let macros = attributes::macros_below(&tool.attributes);
    let parameters = tool.parameters.iter().map(|parameter| {
        let (name, ty) = (&parameter.name, &parameter.ty);
        let mutable = parameter.mutable.then(|| quote!(mut));
        quote!(#mutable #name: #ty)
    });
    let (arms, lints, request) = (arms(body, layouts), machine_lints(), request());
    quote! {
        #lints
        #(#macros)*
        async fn #name<#request>(#frame: &#request #private::Frame, #(#parameters),*) #output {
            #arms
        }
    }
}

/// A warning: a macro on stable warns by the use of a deprecated function.
fn lost_guard(name: &Ident) -> TokenStream {
    let warning = quote_spanned!(name.span()=> warning::a_question_ends_this_guard(););
    quote!(::saga_runtime::#warning)
}

/// What a machine may do that an author should not.
pub(super) fn machine_lints() -> TokenStream {
    // Of the group `unused` all but `unused_must_use`: a forgotten `?` is forgotten in every arm.
    quote! {
        #[allow(
            unused_variables,
            unused_assignments,
            unused_mut,
            unused_imports,
            unused_labels,
            unused_parens,
            unused_braces,
            unused_unsafe,
            unused_macros,
            unused_doc_comments,
            dead_code,
            non_shorthand_field_patterns,
            path_statements,
            redundant_semicolons,
            unreachable_patterns,
            unreachable_code,
            irrefutable_let_patterns,
            clippy::all,
            clippy::pedantic,
            reason = "each arm has only a part of the function; the plain twin is linted whole"
        )]
    }
}

/// The machine: the function from its start, and from each site.
pub(super) fn arms(body: &Body, layouts: &[SiteLayout]) -> TokenStream {
    let (private, frame, items, left, gone) = (private(), frame(), &body.items, left(), gone());
    let slots = layouts.iter().enumerate().map(|(index, layout)| {
        let site = SiteId(index);
        let tied = layout.held.iter().chain(&layout.declared).copied().chain(closures(body, layout));
        let slots = tied.map(|local| slot(site, local));
        let step_slot = step_slot(site);
        let step_slot =
            body.site(site).calls.is_none().then(|| quote!(let #step_slot = #private::Slot::NEW;));
        quote!(#(let #slots = #private::Slot::NEW;)* #step_slot)
    });
    let mut starting = Writer::new(body, layouts, false);
    let start = starting.block(&body.block).tokens;
    let homes_of_start = homes(body, &start);
    let start = if homes_of_start.is_empty() { start } else { quote!({ #homes_of_start #start }) };
    let branched = starting.branched;
    let value_slots = branched.iter();
    let arms = (0..body.sites.len()).map(|index| {
        let site = SiteId(index);
        let mut writer = Writer { branched: branched.clone(), ..Writer::new(body, layouts, true) };
        let (take, answer) = (writer.take(site), writer.take_answer(site));
        let parameters = writer.rebind_parameters(site);
        let rest = writer.resume_block(&body.block, site).tokens;
        let (name, homes) = (&body.site(site).name, homes(body, &rest));
        quote!(#private::Some(#name) => { #homes #take #answer #parameters #rest })
    });
    let warnings = lost_guards(body, layouts).into_iter().map(|local| lost_guard(&body.local(local).name));
    quote! {
        #(#items)*
        #(#warnings)*
        use #private::Untied as _;
        #(#slots)*
        #(let #value_slots = #private::Slot::NEW;)*
        #left: {
            return match #frame.site() {
                #private::None => #start,
                #(#arms)*
                #private::Some(_) => {
                    #frame.no_such_site();
                    #gone
                }
            };
        }
        // Never awakes: whoever polls sees in the frame that the function has left.
        match #private::left().await {}
    }
}

/// The homes of copies that are in an arm, to its end.
fn homes(body: &Body, arm: &TokenStream) -> TokenStream {
    let private = private();
    let homes = body.homes.iter().filter(|home| macros::mentions(arm, &[&home.to_string()]));
    quote!(#(let mut #homes = #private::None;)*)
}

/// The function as it was written; its steps are answered by a script.
pub(crate) fn twin(tool: &Tool) -> ItemFn {
    let mut twin = tool.plain.clone();
    // It was refused, if it is there.
    twin.sig.constness = None;
    twin.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
    twin.block = Box::new(scripted(&twin.block, KeyScope::default()));
    if let Some(attempts) = tool.arguments.attempts {
        let private = private();
        twin.block.stmts.insert(0, syn::parse_quote!(#private::script::attempts(#attempts);));
    }
    twin.attrs
        .push(syn::parse_quote!(#[allow(dead_code, clippy::unused_async, reason = "for tests of the tool")]));
    twin
}

/// An `impl` whose methods' steps are answered by a script.
pub(crate) fn scripted_methods(mut block: syn::ItemImpl) -> syn::ItemImpl {
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item {
            method.block = scripted(&method.block, KeyScope::default());
        }
    }
    block
}

/// A body whose steps are answered by a script.
pub(super) fn scripted(block: &syn::Block, keys: KeyScope) -> syn::Block {
    let mut block = block.clone();
    Scripted { initialises: Vec::new(), keys, in_closure: false }.visit_block_mut(&mut block);
    block
}

struct Scripted {
    initialises: Vec<Ident>,
    keys: KeyScope,
    /// Inside a closure that is not `async`: a question in it was refused, and that it cannot be awaited is no news.
    in_closure: bool,
}

impl VisitMut for Scripted {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        self.initialises = suspension::names_of(&local.pat);
        local.attrs.retain(|attribute| !is_ours(attribute));
        visit_mut::visit_local_mut(self, local);
        self.initialises = Vec::new();
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if !matches!(expr, Expr::Try(_) | Expr::Paren(_) | Expr::Await(_)) {
            self.initialises = Vec::new();
        }
        if self.in_closure && is_tried(expr) {
            visit_mut::visit_expr_mut(self, expr);
            let Expr::Try(tried) = expr else { return };
            let (answer, private) = (&tried.expr, private());
            *expr = syn::parse_quote!(#private::script::no_answer(#answer));
            return;
        }
        if let Expr::Macro(joined) = expr
            && suspension::awaited_by(&joined.mac) == Some(Awaits::All)
            && let Some(steps) = macros::arguments(&joined.mac)
        {
            *expr = refused_join(&steps);
            return;
        }
        let Expr::Await(await_) = expr else { return visit_mut::visit_expr_mut(self, expr) };
        let question = suspension::question(await_);
        let refused = question.as_ref().is_some_and(|question| question.calls_for_each(&await_.base));
        if question.as_ref().is_some_and(|question| !question.awaits_each(&await_.base).is_empty()) {
            suspension::await_none(&mut await_.base);
        }
        let called = match question {
            Some(question) => Some((quote!(ask), question.keys(&self.initialises, &self.keys))),
            None => calling::of(await_).map(|calling| {
                let names = calling.names(&self.initialises).into_iter();
                (quote!(call), names.map(|name| self.keys.key(&name)).collect())
            }),
        };
        self.initialises = Vec::new();
        visit_mut::visit_expr_mut(self, &mut await_.base);
        if refused {
            // What was refused would not compile as a plain function either, which is no news.
            *await_.base = syn::parse_quote!(::core::future::pending());
            return;
        }
        let Some((called, keys)) = called else { return };
        let (base, private) = (&await_.base, private());
        let called = called_at(base.span(), quote!(#private::script::#called), quote!(#base, &[#(#keys),*]));
        if self.in_closure {
            *expr = syn::parse_quote!(#private::script::refused(#called));
        } else {
            *await_.base = syn::parse_quote!(#called);
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        let around = std::mem::replace(&mut self.in_closure, closure.asyncness.is_none());
        visit_mut::visit_expr_closure_mut(self, closure);
        self.in_closure = around;
    }

    fn visit_expr_async_mut(&mut self, block: &mut syn::ExprAsync) {
        let around = std::mem::replace(&mut self.in_closure, false);
        visit_mut::visit_expr_async_mut(self, block);
        self.in_closure = around;
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.initialises = Vec::new();
        if suspension::awaited_by(mac).is_some() {
            // It was refused; that it would not compile either is no news.
            *mac = syn::parse_quote!(::core::unreachable!());
            return;
        }
        if !macros::mentions(&mac.tokens, &["await", "saga"]) {
            return;
        }
        if let Some(mut arguments) = macros::arguments(mac) {
            arguments.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
            mac.tokens = quote!(#arguments);
        } else if suspension::asks_inside(mac) {
            // It was refused; that it would not compile either is no news.
            *mac = syn::parse_quote!(::core::unreachable!());
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

pub(super) fn docs(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).collect()
}

/// What a `join!` of another library would give, which was refused.
fn refused_join(steps: &Punctuated<Expr, Token![,]>) -> Expr {
    let private = private();
    let outputs = steps.iter().map(|step| {
        let asked = suspension::is_question(step).then(|| quote!(#private::script::ask(#step, &[])));
        let awaited = asked.unwrap_or_else(|| quote!(#step));
        quote!(#private::script::refused(#awaited))
    });
    syn::parse_quote!((#(#outputs,)*))
}

/// `elicit(..).await?`, `call(..).await?`.
fn is_tried(expr: &Expr) -> bool {
    let Expr::Try(tried) = expr else { return false };
    let Expr::Await(await_) = unwrap(&tried.expr) else { return false };
    suspension::question(await_).is_some() || calling::of(await_).is_some()
}

/// A call of ours where the author wrote a question: rustc reports what is wrong with its answer there, as it does in the
/// compiled tool, and so once.
fn called_at(at: Span, function: TokenStream, arguments: TokenStream) -> TokenStream {
    let (function, arguments) = (parenthesized(at, function), parenthesized(at, arguments));
    quote!(#function #arguments)
}

/// The doc comment as text, one space of indentation taken from each line.
pub(super) fn description(attributes: &[Attribute]) -> Option<String> {
    let mut lines = Vec::new();
    for attribute in docs(attributes) {
        if let Meta::NameValue(doc) = &attribute.meta
            && let Expr::Lit(literal) = &doc.value
            && let Lit::Str(text) = &literal.lit
        {
            let text = text.value();
            lines.push(text.strip_prefix(' ').unwrap_or(&text).to_owned());
        }
    }
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_a_question_ends_warns() {
        let warns = |body: &TokenStream| {
            let tool = quote!(async fn tool(lock: Lock) -> Result<(), ToolError> { #body Ok(()) });
            let items = crate::pipeline::saga(Kind::Tool, &TokenStream::new(), &tool).to_string();
            items.contains("a_question_ends_this_guard")
        };
        let asks = quote!(elicit("go?").await?;);
        assert!(warns(&quote!(let _guard = lock.take(); #asks)));
        assert!(warns(&quote!(let _held = lock.lock().await.unwrap(); #asks)));
        assert!(warns(&quote!(let mut list = lock.write()?; list.push(1); #asks)));
        assert!(!warns(&quote!({ let _guard = lock.take(); } #asks)));
        assert!(!warns(&quote!(let guard = lock.lock(); drop(guard); #asks)));
        assert!(!warns(&quote!(let _guard = lock.take();)));
        // One that is needed after the question is an error of rustc's.
        assert!(!warns(&quote!(let guard = lock.lock().await; #asks use_(guard);)));
        assert!(!warns(&quote!(let text = file.read(&mut buffer).await?; #asks)));
    }

    #[test]
    fn a_raw_name_is_published_as_it_means() {
        let tool = quote! {
            async fn r#move(r#in: String) -> Result<(), ToolError> {
                let r#type = elicit("?").await?;
                call(r#try(&r#type)).await?;
                elicit(r#in).await
            }
        };
        let items = crate::pipeline::saga(Kind::Tool, &TokenStream::new(), &tool).to_string();
        assert!(!items.contains("\"r#"), "{items}");
        for name in ["move", "in", "type", "try"] {
            assert!(items.contains(&format!("\"{name}\"")), "{name} in {items}");
        }
    }
}
