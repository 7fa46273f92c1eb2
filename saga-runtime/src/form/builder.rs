//! A property while it is made: it knows the field's Rust type, so that a bound or a default of another type,
//! or of a kind that the field has not, is a compile error on the attribute.

use std::marker::PhantomData;

use serde_json::Value;

use super::check::{as_integer, as_number};
use super::{Field, Format, Numeric, Property, PropertyKind, Several, Text};

/// A [`Property`] for a field of type `T`, being refined; made by [`Property::of`].
///
/// ```
/// use saga_runtime::form::{Format, Property};
/// use serde_json::json;
///
/// let property = Property::of::<String>("mail").title("E-mail").format(Format::Email).build();
/// assert_eq!(property.to_json(), json!({"type": "string", "format": "email", "title": "E-mail"}));
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct PropertyBuilder<T> {
    property: Property,
    field: PhantomData<fn() -> T>,
}

impl<T: Field> PropertyBuilder<T> {
    pub(super) fn new(property: Property) -> Self {
        Self { property, field: PhantomData }
    }

    /// Sets what the field is called.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.property.title = Some(title.into());
        self
    }

    /// Sets what the field is for.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.property.description = Some(description.into());
        self
    }

    /// Sets what stands there when nothing is filled in; the field is no longer required.
    pub fn default(mut self, value: T::Value) -> Self {
        if let Some(value) = value.write() {
            self.property.kind.set_default(&value);
            self.property.required = false;
        }
        self
    }

    /// Sets the least number.
    pub fn minimum(mut self, least: T::Value) -> Self
    where
        T: Numeric,
    {
        match &mut self.property.kind {
            PropertyKind::Number { minimum, .. } => *minimum = least.write().as_ref().and_then(as_number),
            PropertyKind::Integer { minimum, .. } => *minimum = least.write().as_ref().and_then(as_integer),
            _ => {}
        }
        self
    }

    /// Sets the greatest number.
    pub fn maximum(mut self, greatest: T::Value) -> Self
    where
        T: Numeric,
    {
        match &mut self.property.kind {
            PropertyKind::Number { maximum, .. } => *maximum = greatest.write().as_ref().and_then(as_number),
            PropertyKind::Integer { maximum, .. } => {
                *maximum = greatest.write().as_ref().and_then(as_integer)
            }
            _ => {}
        }
        self
    }

    /// Sets the least number of characters.
    pub fn min_length(mut self, characters: usize) -> Self
    where
        T: Text,
    {
        if let PropertyKind::String { min_length, .. } = &mut self.property.kind {
            *min_length = Some(characters as u64);
        }
        self
    }

    /// Sets the greatest number of characters.
    pub fn max_length(mut self, characters: usize) -> Self
    where
        T: Text,
    {
        if let PropertyKind::String { max_length, .. } = &mut self.property.kind {
            *max_length = Some(characters as u64);
        }
        self
    }

    /// Sets what kind of text is asked for.
    pub fn format(mut self, kind_of_text: Format) -> Self
    where
        T: Text,
    {
        if let PropertyKind::String { format, .. } = &mut self.property.kind {
            *format = Some(kind_of_text);
        }
        self
    }

    /// Sets the least number of chosen options.
    pub fn min_items(mut self, options: usize) -> Self
    where
        T: Several,
    {
        if let PropertyKind::Choices { min_items, .. } = &mut self.property.kind {
            *min_items = Some(options as u64);
        }
        self
    }

    /// Sets the greatest number of chosen options.
    pub fn max_items(mut self, options: usize) -> Self
    where
        T: Several,
    {
        if let PropertyKind::Choices { max_items, .. } = &mut self.property.kind {
            *max_items = Some(options as u64);
        }
        self
    }

    /// The property as it is now.
    #[must_use]
    pub fn build(self) -> Property {
        self.property
    }
}

impl<T: Field> From<PropertyBuilder<T>> for Property {
    fn from(builder: PropertyBuilder<T>) -> Self {
        builder.build()
    }
}

impl PropertyKind {
    /// Takes the value as the default where it has the kind's type.
    pub(super) fn set_default(&mut self, value: &Value) {
        match self {
            Self::String { default, .. } | Self::Choice { default, .. } => {
                if let Some(text) = value.as_str() {
                    *default = Some(text.to_owned());
                }
            }
            Self::Number { default, .. } => *default = as_number(value).or(*default),
            Self::Integer { default, .. } => *default = as_integer(value).or(*default),
            Self::Boolean { default } => *default = value.as_bool().or(*default),
            Self::Choices { default, .. } => {
                if let Some(items) = value.as_array() {
                    *default = Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect());
                }
            }
        }
    }
}
