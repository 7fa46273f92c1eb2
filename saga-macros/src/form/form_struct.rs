//! A flat struct as the user wrote it, checked as far as tokens allow; what its types allow, rustc checks.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Expr, Field, Fields, Generics, LitStr, Type};

use super::attributes::{Entries, Entry, doc_text, read_case, read_name};
use super::bounds::{self, Bound};
use super::case::Case;
use crate::diagnostics::Diagnostics;

/// What a person fills in.
pub(super) struct FormStruct<'a> {
    pub(super) name: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) title: Option<String>,
    pub(super) fields: Vec<FormField<'a>>,
}

/// One field, with what refines it.
pub(super) struct FormField<'a> {
    pub(super) field: &'a Ident,
    pub(super) field_type: &'a Type,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) bounds: Vec<Bound>,
    pub(super) format: Option<(Ident, TextFormat)>,
    pub(super) default: Option<FieldDefault>,
}

/// The formats that MCP knows.
#[derive(Clone, Copy)]
pub(super) enum TextFormat {
    Email,
    Uri,
    Date,
    DateTime,
}

/// What stands in the field when nothing is filled in.
pub(super) enum FieldDefault {
    /// `default`: the type's own.
    OfType(Ident),
    /// `default = value`.
    Value(Ident, Box<Expr>),
}

const FIELD_ATTRIBUTES: [&str; 11] = [
    "title",
    "description",
    "rename",
    "default",
    "min",
    "max",
    "min_length",
    "max_length",
    "format",
    "min_items",
    "max_items",
];

impl<'a> FormStruct<'a> {
    pub(super) fn parse(input: &'a DeriveInput, diagnostics: &mut Diagnostics) -> Self {
        let mut form =
            Self { name: &input.ident, generics: &input.generics, title: None, fields: Vec::new() };
        let mut entries = Entries::read(&input.attrs, "form", &["title", "rename_all"], diagnostics);
        form.title = entries.text("title", diagnostics).map(|(_, title)| title.value());
        let case = read_case(&mut entries, &input.attrs, diagnostics);
        let body = match &input.data {
            Data::Struct(body) => body,
            Data::Enum(_) => {
                diagnostics.error(
                    &input.ident,
                    "an enum is no form; a form has named fields; use `#[derive(Choice)]` and a form with a field of \
                     this type",
                );
                return form;
            }
            Data::Union(_) => {
                diagnostics
                    .error(&input.ident, "a union is no form; a form has named fields; write a struct");
                return form;
            }
        };
        match &body.fields {
            Fields::Named(named) => {
                for field in &named.named {
                    form.fields.extend(FormField::parse(field, case, diagnostics));
                }
            }
            Fields::Unnamed(unnamed) => diagnostics.error(
                unnamed,
                format!(
                    "a form's fields need names; the person reads them; write `struct {} {{ answer: .. }}`",
                    input.ident
                ),
            ),
            Fields::Unit => {}
        }
        form.refuse_equal_names(diagnostics);
        form
    }

    fn refuse_equal_names(&self, diagnostics: &mut Diagnostics) {
        for (index, field) in self.fields.iter().enumerate() {
            if self.fields[..index].iter().any(|earlier| earlier.name == field.name) {
                let message = format!(
                    "two fields have the name `{}`; an answer could not tell them apart; rename one of them",
                    field.name
                );
                diagnostics.error(field.field, message);
            }
        }
    }
}

impl<'a> FormField<'a> {
    fn parse(field: &'a Field, case: Option<Case>, diagnostics: &mut Diagnostics) -> Option<Self> {
        let ident = field.ident.as_ref()?;
        let mut entries = Entries::read(&field.attrs, "form", &FIELD_ATTRIBUTES, diagnostics);
        let own_name = read_name(&mut entries, &field.attrs, diagnostics).map(|name| name.value());
        let code_name = ident.unraw().to_string();
        let title = entries.text("title", diagnostics).map(|(_, title)| title.value());
        let description = entries.text("description", diagnostics).map(|(_, text)| text.value());
        let default = entries.take("default").map(|Entry { name, value }| match value {
            Some(value) => FieldDefault::Value(name, Box::new(value)),
            None => FieldDefault::OfType(name),
        });
        let bounds = Bound::read_all(&mut entries, diagnostics);
        bounds::check_literals(&bounds, default.as_ref(), diagnostics);
        let format = entries.text("format", diagnostics);
        let format =
            format.and_then(|(attribute, name)| Some((attribute, TextFormat::parse(&name, diagnostics)?)));
        Some(Self {
            field: ident,
            field_type: &field.ty,
            name: own_name
                .unwrap_or_else(|| case.map_or_else(|| code_name.clone(), |case| case.field(&code_name))),
            title,
            description: description.or_else(|| doc_text(&field.attrs)),
            bounds,
            format,
            default,
        })
    }
}

impl TextFormat {
    fn parse(name: &LitStr, diagnostics: &mut Diagnostics) -> Option<Self> {
        match name.value().as_str() {
            "email" => Some(Self::Email),
            "uri" => Some(Self::Uri),
            "date" => Some(Self::Date),
            "date-time" => Some(Self::DateTime),
            other => {
                diagnostics.error(
                    name,
                    format!(
                        "unknown format `{other}`; MCP knows `email`, `uri`, `date`, `date-time`; remove it and check \
                         the text in the tool"
                    ),
                );
                None
            }
        }
    }
}
