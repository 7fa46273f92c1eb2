//! A tool that is a method of an rmcp server, inside an `impl` with `#[tool_router]`. No items can stand there, so the
//! machine is a method, and what clients are told is in a function; rmcp's own `#[tool]` makes the route of a third.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::item::{arms, definition, description, docs, machine_lints, output, referent, take_arguments};
use super::names::{argument, frame, private, request};
use crate::analysis::layout::SiteLayout;
use crate::parse::{Parameter, Source, Tool};
use crate::tree::Body;

/// The method's machine, its definition, and the method that rmcp's router calls.
pub(crate) fn method(tool: &Tool, body: &Body, layouts: &[SiteLayout], flow: &TokenStream) -> TokenStream {
    let (private, frame) = (private(), frame());
    let (machine, registered) = (format_ident!("__{}_machine", tool.name), registered(tool));
    let arms = arms(body, layouts);
    let (lints, request) = (machine_lints(), request());
    let others = tool.parameters.iter().filter(|parameter| parameter.name != "self");
    let parameters = others.clone().map(|parameter| {
        let (name, ty, mutable) = (&parameter.name, &parameter.ty, parameter.mutable.then(|| quote!(mut)));
        quote!(#mutable #name: #ty)
    });
    let (written, output, supplied) = (&tool.output, output(tool), others.map(supplied));
    let (take, definition, route) = (take_arguments(tool), definition(tool), route(tool, &registered));
    quote! {
        #[doc(hidden)]
        #lints
        async fn #machine<#request>(&self, #frame: &#request #private::Frame, #(#parameters),*) #written {
            #arms
        }

        #[doc(hidden)]
        fn #registered() -> &'static #private::Registered {
            const FLOW: #private::Flow = #flow;
            static TOOL: ::std::sync::OnceLock<#private::Registered> = ::std::sync::OnceLock::new();
            TOOL.get_or_init(|| {
                #private::Registered::method::<Self>({ #definition }, &FLOW, |#frame, __arguments, server| {
                    #take
                    let end = <#output as #private::IntoToolResult>::into_tool_result;
                    #private::running(Self::#machine(server, #frame, #(#supplied),*), end)
                })
            })
        }

        #route
    }
}

/// A method that stands for one that was refused, so that the router finds it.
pub(crate) fn method_stub(tool: &Tool) -> TokenStream {
    let (private, name, visibility) = (private(), &tool.name, &tool.visibility);
    quote! {
        #[::rmcp::tool(description = "")]
        #[allow(missing_docs, reason = "the tool was refused")]
        #visibility async fn #name(&self) -> ::std::string::String {
            #private::unreachable()
        }
    }
}

fn registered(tool: &Tool) -> Ident {
    format_ident!("__{}_registered", tool.name)
}

/// The method that rmcp's router calls. Its attribute is rmcp's, so that the future is boxed as rmcp's features want.
fn route(tool: &Tool, registered: &Ident) -> TokenStream {
    let (private, name, visibility) = (private(), &tool.name, &tool.visibility);
    let docs = docs(&tool.attributes);
    let called = tool.published_name();
    let description = description(&tool.attributes).unwrap_or_default();
    let title = tool.arguments.title.iter();
    let annotations = tool.arguments.annotations.iter().map(|(name, value)| {
        let name = format_ident!("{}", snake_case(name));
        quote!(#name = #value)
    });
    quote! {
        #(#docs)*
        #[::rmcp::tool(
            name = #called,
            #(title = #title,)*
            description = #description,
            input_schema = #private::rmcp::input_schema(Self::#registered()),
            // rmcp's macro takes a schema and no option: a tool without one is described by the runtime.
            output_schema = match #private::rmcp::output_schema(Self::#registered()) {
                #private::Some(schema) => schema,
                #private::None => return #private::rmcp::listed(Self::#registered()),
            },
            annotations(#(#annotations),*),
        )]
        #visibility async fn #name(&self, call: #private::rmcp::MethodCall) -> #private::rmcp::MethodResult {
            #private::rmcp::call_method(self, Self::#registered(), call).await
        }
    }
}

fn supplied(parameter: &Parameter) -> TokenStream {
    let private = private();
    match parameter.source {
        Source::Argument => {
            let argument = argument(parameter);
            quote!(#argument)
        }
        Source::Saga => {
            let frame = frame();
            quote!(#frame.saga())
        }
        Source::Context | Source::Caller => {
            let provided = referent(&parameter.ty);
            quote!(<Self as #private::Provides<#provided>>::provide(server))
        }
    }
}

/// MCP's `readOnlyHint` as rmcp's `read_only_hint`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
