//! A property that knows its field's Rust type: a bound or a default of another type is a compile error, and an
//! answer is read and written by it.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::check::{as_integer, as_number};
use super::{Content, Field, Format, Numeric, Property, PropertyKind, Several, Text};
use crate::error::Problem;

/// A [`Property`] of a field of type `T`; made by [`Property::of`].
///
/// `T: Field` is asked for once, where it is made: a type that cannot be a field is one error and not many.
///
/// ```
/// use saga_runtime::form::{Format, Property};
/// use serde_json::json;
///
/// let property = Property::of::<String>("mail").title("E-mail").format(Format::Email).build();
/// assert_eq!(property.to_json(), json!({"type": "string", "format": "email", "title": "E-mail"}));
/// ```
#[must_use = "a property is to be added to a form's schema"]
pub struct TypedProperty<T> {
    property: Property,
    read: fn(&Value) -> Result<T, String>,
    absent: fn() -> Option<T>,
    write: fn(&T) -> Option<Value>,
}

impl<T> TypedProperty<T> {
    pub(super) fn new(property: Property) -> Self
    where
        T: Field,
    {
        Self { property, read: T::read, absent: T::absent, write: T::write }
    }

    /// The property as it is now.
    #[must_use]
    pub fn build(self) -> Property {
        self.property
    }

    /// Reads the field's value from an answer.
    ///
    /// A field that is left out has its default, else `None` where it is an `Option`, else it is missing. An
    /// explicit `null` is `None` for an `Option`, and counts as left out for every other type.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(&self, content: &Content) -> Result<T, Vec<Problem>> {
        let name = self.property.name();
        let given = content.get(name);
        if given == Some(&Value::Null)
            && let Some(absent) = (self.absent)()
        {
            return Ok(absent);
        }
        let given = given.filter(|value| !value.is_null()).cloned();
        let Some(value) = given.or_else(|| self.property.kind().default_value()) else {
            return (self.absent)().ok_or_else(|| vec![Problem::field(name, "is missing")]);
        };
        match self.property.check(&value) {
            problems if problems.is_empty() => {
                (self.read)(&value).map_err(|fault| vec![Problem::field(name, fault)])
            }
            problems => Err(problems),
        }
    }

    /// Writes the field's value into an answer; what is left out although there is a default is `null`.
    pub fn write(&self, value: &T, content: &mut Content) {
        let has_default = || self.property.kind().default_value().is_some();
        let written = (self.write)(value).or_else(|| has_default().then_some(Value::Null));
        if let Some(written) = written {
            content.insert(self.property.name().to_owned(), written);
        }
    }

    /// Sets what the field is called.
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.property.title = Some(title.into());
        self
    }

    /// Sets what the field is for.
    pub fn description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.property.description = Some(description.into());
        self
    }

    /// Writes the titles of a choice as `enumNames`, as clients of before 2025-11-25 read them; MCP has deprecated it.
    pub fn enum_names(mut self) -> Self {
        self.property.enum_names = true;
        self
    }

    /// Sets what stands there when nothing is filled in; the field is no longer required.
    #[expect(clippy::needless_pass_by_value, reason = "the author is done with the value")]
    pub fn default(mut self, value: T::Value) -> Self
    where
        T: Field,
    {
        if let Some(value) = value.write() {
            self.property.kind.set_default(&value);
            self.property.required = false;
        }
        self
    }

    /// Sets the least number.
    pub fn minimum<B>(mut self, least: B) -> Self
    where
        T: Numeric<B>,
    {
        let least = T::bound(least);
        match &mut self.property.kind {
            PropertyKind::Number { minimum, .. } => *minimum = least.as_ref().and_then(as_number),
            PropertyKind::Integer { minimum, .. } => *minimum = least.as_ref().and_then(as_integer),
            _ => {}
        }
        self
    }

    /// Sets the greatest number.
    pub fn maximum<B>(mut self, greatest: B) -> Self
    where
        T: Numeric<B>,
    {
        let greatest = T::bound(greatest);
        match &mut self.property.kind {
            PropertyKind::Number { maximum, .. } => *maximum = greatest.as_ref().and_then(as_number),
            PropertyKind::Integer { maximum, .. } => *maximum = greatest.as_ref().and_then(as_integer),
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
}

impl<T> From<TypedProperty<T>> for Property {
    fn from(typed: TypedProperty<T>) -> Self {
        typed.build()
    }
}

impl<T> fmt::Debug for TypedProperty<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TypedProperty").field(&self.property).finish()
    }
}

impl PropertyKind {
    /// Takes the value as the default where it has the kind's type; `null` takes the default away.
    pub(super) fn set_default(&mut self, value: &Value) {
        if *value != Value::Null && !self.has_type_of(value) {
            return;
        }
        match self {
            Self::String { default, .. } | Self::Choice { default, .. } => {
                *default = value.as_str().map(str::to_owned);
            }
            Self::Number { default, .. } => *default = as_number(value),
            Self::Integer { default, .. } => *default = as_integer(value),
            Self::Boolean { default } => *default = value.as_bool(),
            Self::Choices { default, .. } => *default = as_texts(value),
        }
    }

    fn has_type_of(&self, value: &Value) -> bool {
        match self {
            Self::String { .. } | Self::Choice { .. } => value.is_string(),
            Self::Number { .. } => as_number(value).is_some(),
            Self::Integer { .. } => as_integer(value).is_some(),
            Self::Boolean { .. } => value.is_boolean(),
            Self::Choices { .. } => as_texts(value).is_some(),
        }
    }
}

fn as_texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}
