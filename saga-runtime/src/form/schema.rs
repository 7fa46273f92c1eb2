//! A form as the client sees it: MCP's restricted schema as a typed value that a front end can walk.

use std::borrow::Cow;

use serde_json::Value;

use super::{Content, Field, TypedProperty};

/// What a form asks for, field by field, in the order of declaration.
///
/// ```
/// use saga_runtime::form::{FormSchema, Property, PropertyKind};
///
/// let schema = FormSchema::new().with(Property::of::<u8>("replicas").maximum(9)).with(Property::of::<bool>("now"));
/// for property in schema.properties() {
///     match property.kind() {
///         PropertyKind::Integer { minimum, maximum, .. } => assert_eq!((*minimum, *maximum), (Some(0), Some(9))),
///         PropertyKind::Boolean { .. } => assert!(property.is_required()),
///         other => panic!("{} asks for {other:?}", property.name()),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FormSchema {
    pub(super) title: Option<String>,
    pub(super) properties: Vec<Property>,
}

impl FormSchema {
    /// A form that asks for nothing, which a person can still accept or decline.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the headline of the whole form.
    ///
    /// MCP's schema does not name it, but leaves room for it; clients that do not know it skip it.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds a property; one of the same name is replaced.
    #[must_use]
    pub fn with(mut self, property: impl Into<Property>) -> Self {
        let property = property.into();
        match self.properties.iter_mut().find(|known| known.name == property.name) {
            Some(known) => *known = property,
            None => self.properties.push(property),
        }
        self
    }

    /// Replaces the defaults by these values: `null` takes a default away, and a value of another type than the
    /// property's changes nothing.
    #[must_use]
    pub fn with_defaults(mut self, content: &Content) -> Self {
        for property in &mut self.properties {
            if let Some(value) = content.get(property.name()) {
                property.kind.set_default(value);
            }
        }
        self
    }

    /// The headline of the whole form, if it has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The properties, in the order of declaration.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The property of this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The form as MCP's `requestedSchema`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Texts that stand in the program are not copied each time that it asks.
    pub(super) name: Cow<'static, str>,
    pub(super) title: Option<Cow<'static, str>>,
    pub(super) description: Option<Cow<'static, str>>,
    pub(super) required: bool,
    /// Whether the titles of a choice are `enumNames`.
    pub(super) enum_names: bool,
    pub(super) kind: PropertyKind,
}

impl Property {
    /// A property for a field of type `T`, to be refined.
    pub fn of<T: Field>(name: impl Into<Cow<'static, str>>) -> TypedProperty<T> {
        TypedProperty::new(Self {
            name: name.into(),
            title: None,
            description: None,
            required: T::REQUIRED,
            enum_names: false,
            kind: T::kind(),
        })
    }

    /// The name under which the answer has the value.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The title, if it has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What to call the field when talking to a person: its title, or else its name.
    #[must_use]
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// What the field is for, if the author said so.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Whether an answer must have the field.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// The property as clients of before 2025-11-25 read it: a default for yes or no only, titles in `enumNames`.
    pub(crate) fn plain(mut self) -> Self {
        match &mut self.kind {
            PropertyKind::Choice { options, default } => {
                self.enum_names |= is_titled(options);
                *default = None;
            }
            PropertyKind::String { default, .. } => *default = None,
            PropertyKind::Number { default, .. } => *default = None,
            PropertyKind::Integer { default, .. } => *default = None,
            PropertyKind::Boolean { .. } | PropertyKind::Choices { .. } => {}
        }
        self
    }

    /// What may be filled in.
    #[must_use]
    pub fn kind(&self) -> &PropertyKind {
        &self.kind
    }

    /// The property as one entry of MCP's `requestedSchema.properties`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// What may be filled in: the rows of MCP's `PrimitiveSchemaDefinition`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PropertyKind {
    /// A text.
    String {
        /// The least number of characters.
        min_length: Option<u64>,
        /// The greatest number of characters.
        max_length: Option<u64>,
        /// What kind of text it is.
        format: Option<Format>,
        /// What stands there when nothing is filled in.
        default: Option<String>,
    },
    /// A number.
    Number {
        /// The least number.
        minimum: Option<f64>,
        /// The greatest number.
        maximum: Option<f64>,
        /// What stands there when nothing is filled in.
        default: Option<f64>,
    },
    /// A whole number.
    Integer {
        /// The least number.
        minimum: Option<i128>,
        /// The greatest number.
        maximum: Option<i128>,
        /// What stands there when nothing is filled in.
        default: Option<i128>,
    },
    /// Yes or no.
    Boolean {
        /// What stands there when nothing is filled in.
        default: Option<bool>,
    },
    /// One option of a list.
    Choice {
        /// The list.
        options: Vec<ChoiceOption>,
        /// The value of the option that is chosen when nothing is filled in.
        default: Option<String>,
    },
    /// Several options of a list.
    Choices {
        /// The list.
        options: Vec<ChoiceOption>,
        /// The least number of chosen options.
        min_items: Option<u64>,
        /// The greatest number of chosen options.
        max_items: Option<u64>,
        /// The values of the options that are chosen when nothing is filled in.
        default: Option<Vec<String>>,
    },
}

impl PropertyKind {
    /// Any text.
    #[must_use]
    pub const fn string() -> Self {
        Self::String { min_length: None, max_length: None, format: None, default: None }
    }

    /// Any number.
    #[must_use]
    pub const fn number() -> Self {
        Self::Number { minimum: None, maximum: None, default: None }
    }

    /// A whole number within these bounds.
    #[must_use]
    pub const fn integer(minimum: Option<i128>, maximum: Option<i128>) -> Self {
        Self::Integer { minimum, maximum, default: None }
    }

    /// What stands there when nothing is filled in.
    #[must_use]
    pub fn default_value(&self) -> Option<Value> {
        match self {
            Self::String { default, .. } | Self::Choice { default, .. } => default.clone().map(Value::from),
            Self::Number { default, .. } => default.map(Value::from),
            Self::Integer { default, .. } => default.and_then(integer_json),
            Self::Boolean { default } => default.map(Value::from),
            Self::Choices { default, .. } => default.clone().map(Value::from),
        }
    }
}

/// What kind of text is asked for: the formats that MCP knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute address with its scheme, like `https://example.com`.
    Uri,
    /// A day, like `2026-07-28`.
    Date,
    /// A day and a time with its zone, like `2026-07-28T12:00:00Z`.
    DateTime,
}

impl Format {
    /// The name that JSON Schema gives it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }
}

/// One option of a [`Choice`](super::Choice).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChoiceOption {
    /// What the answer has.
    pub value: Cow<'static, str>,
    /// What the person reads, where it is not the value.
    pub title: Option<Cow<'static, str>>,
}

impl ChoiceOption {
    /// An option that is shown as its value.
    pub fn new(value: impl Into<Cow<'static, str>>) -> Self {
        Self { value: value.into(), title: None }
    }

    /// An option that is shown as this title.
    pub fn titled(value: impl Into<Cow<'static, str>>, title: impl Into<Cow<'static, str>>) -> Self {
        Self { value: value.into(), title: Some(title.into()) }
    }

    /// What the person reads.
    #[must_use]
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.value)
    }
}

pub(super) fn is_titled(options: &[ChoiceOption]) -> bool {
    options.iter().any(|option| option.title.is_some())
}

/// `None` for a number that JSON's readers do not take: beyond 64 bits.
pub(super) fn integer_json(number: i128) -> Option<Value> {
    serde_json::Number::from_i128(number).map(Value::Number)
}
