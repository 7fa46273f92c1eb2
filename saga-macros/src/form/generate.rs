//! Checked forms and choices into impls. Nothing can fail here, and nothing is decided here: the impls are calls of
//! `saga_runtime::form`, by absolute paths, so that whatever the user's crate shadows stays out of the way.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{DeriveInput, Expr, Generics};

use super::attributes::string_literal;
use super::choice::{ChoiceEnum, ChoiceVariant};
use super::form_struct::{Default, FormField, FormStruct, TextFormat};

/// ```text
/// [source]     #[derive(Form)] struct Target { #[form(max = 9)] replicas: u8 }
/// [generated]  impl Form for Target {
///                  fn schema() -> FormSchema {
///                      FormSchema::new().with(Property::of::<u8>("replicas").maximum(9))
///                  }
///                  fn read(content: &Content) -> Result<Self, Vec<Problem>> {
///                      let mut reader = Reader::new(Self::schema(), content);
///                      let (Some(field_0),) = (reader.field::<u8>("replicas"),) else {
///                          return Err(reader.into_problems());
///                      };
///                      Ok(Self { replicas: field_0 })
///                  }
///                  fn write(&self) -> Content {
///                      Writer::new().field::<u8>("replicas", &self.replicas).finish()
///                  }
///              }
/// ```
pub(super) fn form(form: &FormStruct<'_>) -> TokenStream {
    let title = form.title.iter().map(|title| quote!(.titled(#title)));
    let properties = form.fields.iter().map(property);
    let schema = quote!(::saga_runtime::form::FormSchema::new() #(#title)* #(.with(#properties))*);
    let write = form
        .fields
        .iter()
        .map(|FormField { field, field_type, name, .. }| quote!(.field::<#field_type>(#name, &self.#field)));
    let write = quote!(::saga_runtime::form::Writer::new() #(#write)* .finish());
    form_impl(form.name, form.generics, &schema, &read(form), &write)
}

fn read(form: &FormStruct<'_>) -> TokenStream {
    if form.fields.is_empty() {
        return quote!(::core::result::Result::Ok(Self {}));
    }
    let values: Vec<Ident> = (0..form.fields.len())
        .map(|index| format_ident!("__field_{index}", span = Span::mixed_site()))
        .collect();
    let reads = form
        .fields
        .iter()
        .map(|FormField { field_type, name, .. }| quote!(reader.field::<#field_type>(#name)));
    let fields = form.fields.iter().map(|field| field.field);
    quote! {
        let mut reader = ::saga_runtime::form::Reader::new(Self::schema(), content);
        let (#(::core::option::Option::Some(#values),)*) = (#(#reads,)*) else {
            return ::core::result::Result::Err(reader.into_problems());
        };
        ::core::result::Result::Ok(Self { #(#fields: #values),* })
    }
}

fn property(field: &FormField<'_>) -> TokenStream {
    let FormField { field: _, field_type, name, title, description, bounds, format, default } = field;
    let title = title.iter().map(|title| quote!(.title(#title)));
    let description = description.iter().map(|description| quote!(.description(#description)));
    // A call stands at its attribute, where rustc says that the field's type does not have it.
    let bounds = bounds.iter().map(|bound| {
        let method = Ident::new(bound.kind.method(), bound.attribute.span());
        let value = &bound.value;
        quote_spanned!(bound.attribute.span()=> .#method(#value))
    });
    let format = format.iter().map(|(attribute, format)| {
        let format = text_format(*format);
        quote_spanned!(attribute.span()=> .format(#format))
    });
    let default = default.iter().map(default_call);
    quote! {
        ::saga_runtime::form::Property::of::<#field_type>(#name)
            #(#title)* #(#description)* #(#bounds)* #(#format)* #(#default)*
    }
}

fn text_format(format: TextFormat) -> TokenStream {
    match format {
        TextFormat::Email => quote!(::saga_runtime::form::Format::Email),
        TextFormat::Uri => quote!(::saga_runtime::form::Format::Uri),
        TextFormat::Date => quote!(::saga_runtime::form::Format::Date),
        TextFormat::DateTime => quote!(::saga_runtime::form::Format::DateTime),
    }
}

/// A string literal becomes the field's `String` and an array its `Vec`; all else has the field's type already.
fn default_call(default: &Default) -> TokenStream {
    match default {
        Default::OfType(attribute) => {
            quote_spanned!(attribute.span()=> .default(::core::default::Default::default()))
        }
        Default::Value(attribute, value)
            if string_literal(value).is_some() || matches!(value, Expr::Array(_)) =>
        {
            quote_spanned!(attribute.span()=> .default(::core::convert::From::from(#value)))
        }
        Default::Value(attribute, value) => quote_spanned!(attribute.span()=> .default(#value)),
    }
}

/// ```text
/// [source]     #[derive(Choice)] enum Size { Small, Large }
/// [generated]  impl Choice for Size {
///                  fn options() -> Vec<ChoiceOption> { vec![ChoiceOption::new("Small"), ChoiceOption::new("Large")] }
///                  fn from_value(value: &str) -> Option<Self> {
///                      match value { "Small" => Some(Self::Small), "Large" => Some(Self::Large), _ => None }
///                  }
///                  fn value(&self) -> &'static str {
///                      match self { Self::Small => "Small", Self::Large => "Large" }
///                  }
///              }
/// ```
pub(super) fn choice(choice: &ChoiceEnum<'_>) -> TokenStream {
    let options = choice.options.iter().map(|ChoiceVariant { value, title, .. }| match title {
        Some(title) => quote!(::saga_runtime::form::ChoiceOption::titled(#value, #title)),
        None => quote!(::saga_runtime::form::ChoiceOption::new(#value)),
    });
    let (variants, values): (Vec<_>, Vec<_>) =
        choice.options.iter().map(|option| (option.variant, &option.value)).unzip();
    choice_impl(
        choice.name,
        choice.generics,
        &quote!(::std::vec::Vec::from([#(#options),*])),
        &quote! {
            match value {
                #(#values => ::core::option::Option::Some(Self::#variants),)*
                _ => ::core::option::Option::None,
            }
        },
        &quote!(match self { #(Self::#variants => #values,)* }),
    )
}

/// An impl for a struct that was refused, so that its uses are checked and not refused as well.
pub(super) fn refused_form(input: &DeriveInput) -> TokenStream {
    let schema = quote!(::saga_runtime::form::FormSchema::new());
    let read = quote! {
        let _ = content;
        ::core::result::Result::Err(::std::vec::Vec::new())
    };
    form_impl(&input.ident, &input.generics, &schema, &read, &quote!(::saga_runtime::form::Content::new()))
}

/// An impl for an enum that was refused, likewise.
pub(super) fn refused_choice(input: &DeriveInput) -> TokenStream {
    let from_value = quote! {
        let _ = value;
        ::core::option::Option::None
    };
    choice_impl(&input.ident, &input.generics, &quote!(::std::vec::Vec::new()), &from_value, &quote!(""))
}

fn form_impl(
    name: &Ident,
    generics: &Generics,
    schema: &TokenStream,
    read: &TokenStream,
    write: &TokenStream,
) -> TokenStream {
    let generics = bounded(generics, &quote!(::saga_runtime::form::Field));
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::saga_runtime::form::Form for #name #type_generics #where_clause {
            fn schema() -> ::saga_runtime::form::FormSchema {
                #schema
            }

            fn read(
                content: &::saga_runtime::form::Content,
            ) -> ::core::result::Result<Self, ::std::vec::Vec<::saga_runtime::Problem>> {
                #read
            }

            fn write(&self) -> ::saga_runtime::form::Content {
                #write
            }
        }
    }
}

fn choice_impl(
    name: &Ident,
    generics: &Generics,
    options: &TokenStream,
    from_value: &TokenStream,
    value: &TokenStream,
) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::saga_runtime::form::Choice for #name #type_generics #where_clause {
            fn options() -> ::std::vec::Vec<::saga_runtime::form::ChoiceOption> {
                #options
            }

            fn from_value(value: &::core::primitive::str) -> ::core::option::Option<Self> {
                #from_value
            }

            fn value(&self) -> &'static ::core::primitive::str {
                #value
            }
        }
    }
}

/// Each type parameter with this bound more, as the standard derives have it.
fn bounded(generics: &Generics, bound: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    let parameters: Vec<TokenStream> =
        generics.type_params().map(|parameter| parameter.ident.to_token_stream()).collect();
    for parameter in parameters {
        generics.make_where_clause().predicates.push(syn::parse_quote!(#parameter: #bound));
    }
    generics
}
