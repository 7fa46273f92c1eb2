//! Checked forms and choices into impls. Nothing can fail here, and nothing is decided here: the impls are calls of
//! `saga_runtime::form`, by absolute paths and with names of our own, so that whatever the user's crate shadows or declares stays out of
//! the way.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Expr, Generics};

use super::attributes::string_literal;
use super::choice::{ChoiceEnum, ChoiceVariant};
use super::form_struct::{FieldDefault, FormField, FormStruct, TextFormat};

/// ```text
/// [source]     #[derive(Form)] struct Target { #[form(max = 9)] replicas: u8 }
/// [generated]  const _: () = {
///                  fn properties() -> (TypedProperty<u8>,) { (Property::of::<u8>("replicas").maximum(9),) }
///                  impl Form for Target {
///                      fn schema() -> FormSchema {
///                          let (field_0,) = properties();
///                          FormSchema::new().with(field_0)
///                      }
///                      fn read(content: &Content) -> Result<Self, Vec<Problem>> {
///                          let (field_0,) = properties();
///                          let mut reader = Reader::new(content);
///                          let (Some(field_0),) = (reader.field(&field_0),) else {
///                              return Err(reader.into_problems());
///                          };
///                          Ok(Self { replicas: field_0 })
///                      }
///                      fn write(&self) -> Content {
///                          let (field_0,) = properties();
///                          let mut content = Content::new();
///                          field_0.write(&self.replicas, &mut content);
///                          content
///                      }
///                  }
///              };
/// ```
pub(super) fn form(form: &FormStruct<'_>) -> TokenStream {
    if form.fields.is_empty() {
        return empty_form(form);
    }
    let generics = bounded(form.generics, &quote!(::saga_runtime::form::Field));
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let arguments = type_generics.as_turbofish();
    let variables: Vec<Ident> = (0..form.fields.len())
        .map(|index| format_ident!("__field_{index}", span = Span::mixed_site()))
        .collect();
    let fields: Vec<&Ident> = form.fields.iter().map(|field| field.field).collect();
    let types = form.fields.iter().map(|field| field.field_type);
    let properties = form.fields.iter().map(property);
    let title = form.title.iter().map(|title| quote!(.titled(#title)));
    let get_properties = quote!(let (#(#variables,)*) = __properties #arguments (););
    let item = form_impl(
        form.name,
        &generics,
        &quote! {
            #get_properties
            ::saga_runtime::form::FormSchema::new() #(#title)* #(.with(#variables))*
        },
        &quote! {
            #get_properties
            let mut __reader = ::saga_runtime::form::Reader::new(__content);
            let (#(::core::option::Option::Some(#variables),)*) = (#(__reader.field(&#variables),)*) else {
                return ::core::result::Result::Err(__reader.into_problems());
            };
            ::core::result::Result::Ok(Self { #(#fields: #variables),* })
        },
        &quote! {
            #get_properties
            let mut __content = ::saga_runtime::form::Content::new();
            #(#variables.write(&self.#fields, &mut __content);)*
            __content
        },
    );
    quote! {
        const _: () = {
            fn __properties #impl_generics () -> (#(::saga_runtime::form::TypedProperty<#types>,)*) #where_clause {
                (#(#properties,)*)
            }

            #item
        };
    }
}

/// A form without fields: whatever is filled in, there is nothing to read.
fn empty_form(form: &FormStruct<'_>) -> TokenStream {
    let title = form.title.iter().map(|title| quote!(.titled(#title)));
    let schema = quote!(::saga_runtime::form::FormSchema::new() #(#title)*);
    let read = quote! {
        let _ = __content;
        ::core::result::Result::Ok(Self {})
    };
    form_impl(form.name, form.generics, &schema, &read, &quote!(::saga_runtime::form::Content::new()))
}

/// Each call stands at its attribute, and what they are called on at the field's name: that is where rustc says
/// that a field of this type does not have such an attribute.
fn property(property: &FormField<'_>) -> TokenStream {
    let FormField { field, field_type, name, title, description, bounds, format, default } = property;
    let title = title.iter().map(|title| quote!(.title(#title)));
    let description = description.iter().map(|description| quote!(.description(#description)));
    let bounds = bounds.iter().map(|bound| {
        let method = Ident::new(bound.kind.method(), at(&bound.attribute));
        let value = &bound.value;
        quote_spanned!(at(&bound.attribute)=> .#method(#value))
    });
    let format = format.iter().map(|(attribute, format)| {
        let format = text_format(*format);
        quote_spanned!(at(attribute)=> .format(#format))
    });
    let default = default.iter().map(default_call);
    quote_spanned! {at(field)=>
        ::saga_runtime::form::Property::of::<#field_type>(#name)
            #(#title)* #(#description)* #(#bounds)* #(#format)* #(#default)*
    }
}

/// The place of the user's word, for code that is ours.
fn at(word: &Ident) -> Span {
    Span::mixed_site().located_at(word.span())
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
fn default_call(default: &FieldDefault) -> TokenStream {
    match default {
        FieldDefault::OfType(attribute) => {
            quote_spanned!(at(attribute)=> .default(::core::default::Default::default()))
        }
        FieldDefault::Value(attribute, value)
            if string_literal(value).is_some() || matches!(**value, Expr::Array(_)) =>
        {
            quote_spanned!(at(attribute)=> .default(::core::convert::From::from(#value)))
        }
        FieldDefault::Value(attribute, value) => quote_spanned!(at(attribute)=> .default(#value)),
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
    let options = choice.options.iter().map(option);
    let (variants, values): (Vec<_>, Vec<_>) =
        choice.options.iter().map(|option| (option.variant, &option.value)).unzip();
    choice_impl(
        choice.name,
        choice.generics,
        &quote!(::std::vec::Vec::from([#(#options),*])),
        &quote! {
            match __value {
                #(#values => ::core::option::Option::Some(Self::#variants),)*
                _ => ::core::option::Option::None,
            }
        },
        &quote!(match self { #(Self::#variants => #values,)* }),
    )
}

fn option(option: &ChoiceVariant<'_>) -> TokenStream {
    let ChoiceVariant { variant: _, value, title } = option;
    let Some(title) = title else { return quote!(::saga_runtime::form::ChoiceOption::new(#value)) };
    quote!(::saga_runtime::form::ChoiceOption::titled(#value, #title))
}

/// An impl for a struct that was refused, so that its uses are checked and not refused as well.
pub(super) fn refused_form(input: &DeriveInput) -> TokenStream {
    let schema = quote!(::saga_runtime::form::FormSchema::new());
    let read = quote! {
        let _ = __content;
        ::core::result::Result::Err(::std::vec::Vec::new())
    };
    form_impl(&input.ident, &input.generics, &schema, &read, &quote!(::saga_runtime::form::Content::new()))
}

/// An impl for an enum that was refused, likewise.
pub(super) fn refused_choice(input: &DeriveInput) -> TokenStream {
    let from_value = quote! {
        let _ = __value;
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
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let beside = beside_references(name, generics);
    quote! {
        #beside

        #[automatically_derived]
        impl #impl_generics ::saga_runtime::form::Form for #name #type_generics #where_clause {
            fn schema() -> ::saga_runtime::form::FormSchema {
                #schema
            }

            fn read(
                __content: &::saga_runtime::form::Content,
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
    let beside = beside_references(name, generics);
    quote! {
        #beside

        #[automatically_derived]
        impl #impl_generics ::saga_runtime::form::Choice for #name #type_generics #where_clause {
            fn options() -> ::std::vec::Vec<::saga_runtime::form::ChoiceOption> {
                #options
            }

            fn from_value(__value: &::core::primitive::str) -> ::core::option::Option<Self> {
                #from_value
            }

            fn value(&self) -> &'static ::core::primitive::str {
                #value
            }
        }
    }
}

/// An answer may stand beside references over a question, `(&Person, Answer)`, where it is `Clone`. Of any lifetime:
/// rustc refuses a bound that does not hold where it is written, unless it depends on one.
fn beside_references(name: &Ident, generics: &Generics) -> TokenStream {
    let mut bounded = generics.clone();
    let predicates = &mut bounded.make_where_clause().predicates;
    predicates
        .push(syn::parse_quote!(for<'__copy> Self: ::saga_runtime::__private::Copies<'__copy> + 'static));
    let (_, type_generics, _) = generics.split_for_impl();
    bounded.params.insert(0, syn::parse_quote!('__state));
    let (impl_generics, _, where_clause) = bounded.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::saga_runtime::__private::Lends<'__state> for #name #type_generics #where_clause {
            type Home = Self;
            type Again<'__home> = Self where '__state: '__home;

            fn home(&self) -> Self {
                ::saga_runtime::__private::Copies::copied(self)
            }

            fn lend<'__home>(__home: &'__home Self) -> Self where '__state: '__home {
                ::saga_runtime::__private::Copies::copied(__home)
            }
        }
    }
}

/// Each type parameter with this bound more, as the standard derives have it.
fn bounded(generics: &Generics, bound: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(syn::parse_quote!(#bound));
    }
    generics
}
