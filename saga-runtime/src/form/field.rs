//! The Rust types that a form's field may have, and what each asks for.

use std::collections::BTreeSet;

use serde_json::Value;

use super::check::{as_integer, as_number};
use super::{Choice, PropertyKind};

/// A type that one field of a form may have.
///
/// Text (`String`), `bool`, the integers to 64 bits, `f32` and `f64`, any [`Choice`], several of one
/// (`Vec<C>`, `BTreeSet<C>`), and `Option` of all these for a field that may be left out. A type of your own
/// that is one of these on the wire can be one, too:
///
/// ```
/// use saga_runtime::form::{Field, Format, PropertyKind};
/// use serde_json::Value;
///
/// struct Day(String);
///
/// impl Field for Day {
///     type Value = Self;
///     fn kind() -> PropertyKind {
///         PropertyKind::String { min_length: None, max_length: None, format: Some(Format::Date), default: None }
///     }
///     fn read(value: &Value) -> Result<Self, String> {
///         String::read(value).map(Self)
///     }
///     fn write(&self) -> Option<Value> {
///         self.0.write()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "not a primitive: a form is flat",
    note = "MCP's forms have texts, numbers, booleans and choices only; put the fields of a nested struct into this form, or ask for them in a second question",
    note = "a field may be `String`, `bool`, an integer, a float, an enum with `#[derive(Choice)]`, a `Vec` of such an enum, or an `Option` of these"
)]
pub trait Field: Sized {
    /// What a default or a bound is written as: `Self`, except that an `Option<T>` has `T`.
    type Value: Field;

    /// Whether an answer must have the field.
    const REQUIRED: bool = true;

    /// What is asked for.
    fn kind() -> PropertyKind;

    /// Reads a value that fits the property.
    ///
    /// # Errors
    ///
    /// What is wrong, as a predicate: "must be ..".
    fn read(value: &Value) -> Result<Self, String>;

    /// The value of a field that was left out and has no default.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }

    /// The value as an answer has it; `None` leaves the field out.
    fn write(&self) -> Option<Value>;
}

/// A field that `min` and `max` are for: a number, bounded by one of type `B`.
///
/// `B` is the number's own type; whole literals bound floats, too.
#[diagnostic::on_unimplemented(
    message = "`min` and `max` are for numbers, in the field's own type; the field is a `{Self}`",
    label = "does not bound a `{Self}`",
    note = "a text has `min_length` and `max_length`, a `Vec` of choices has `min_items` and `max_items`"
)]
pub trait Numeric<B>: Field {
    /// The bound as JSON has it.
    #[must_use]
    fn bound(bound: B) -> Option<Value>;
}

/// A field that `min_length`, `max_length` and `format` are for: a text.
#[diagnostic::on_unimplemented(
    message = "`min_length`, `max_length` and `format` are for texts; the field is a `{Self}`",
    label = "not for a `{Self}`",
    note = "a number has `min` and `max`, a `Vec` of choices has `min_items` and `max_items`"
)]
pub trait Text: Field {}

/// A field that `min_items` and `max_items` are for: several choices.
#[diagnostic::on_unimplemented(
    message = "`min_items` and `max_items` are for several choices; the field is a `{Self}`",
    label = "not for a `{Self}`",
    note = "a text has `min_length` and `max_length`, a number has `min` and `max`"
)]
pub trait Several: Field {}

impl Field for String {
    type Value = Self;

    fn kind() -> PropertyKind {
        PropertyKind::string()
    }

    fn read(value: &Value) -> Result<Self, String> {
        value.as_str().map(str::to_owned).ok_or_else(|| "must be a text".to_owned())
    }

    fn write(&self) -> Option<Value> {
        Some(Value::from(self.as_str()))
    }
}

impl Text for String {}

impl Field for bool {
    type Value = Self;

    fn kind() -> PropertyKind {
        PropertyKind::Boolean { default: None }
    }

    fn read(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "must be true or false".to_owned())
    }

    fn write(&self) -> Option<Value> {
        Some(Value::from(*self))
    }
}

/// Bounds up to 32 bits are told to the client; 64-bit ones are not, because a client that reads numbers as
/// floats would show them wrong. Either way a number outside of its type is refused.
macro_rules! integer_fields {
    ($($type:ty: $minimum:expr, $maximum:expr;)*) => {$(
        impl Field for $type {
            type Value = Self;

            fn kind() -> PropertyKind {
                PropertyKind::integer($minimum, $maximum)
            }

            fn read(value: &Value) -> Result<Self, String> {
                let number = as_integer(value).ok_or_else(|| "must be a whole number".to_owned())?;
                Self::try_from(number)
                    .map_err(|_| format!("must be from {} to {}", Self::MIN, Self::MAX))
            }

            fn write(&self) -> Option<Value> {
                Some(Value::from(*self))
            }
        }

        impl Numeric<$type> for $type {
            fn bound(bound: $type) -> Option<Value> {
                bound.write()
            }
        }
    )*};
}

integer_fields! {
    u8: Some(0), Some(u8::MAX.into());
    u16: Some(0), Some(u16::MAX.into());
    u32: Some(0), Some(u32::MAX.into());
    u64: Some(0), None;
    usize: Some(0), None;
    i8: Some(i8::MIN.into()), Some(i8::MAX.into());
    i16: Some(i16::MIN.into()), Some(i16::MAX.into());
    i32: Some(i32::MIN.into()), Some(i32::MAX.into());
    i64: None, None;
    isize: None, None;
}

macro_rules! float_bounds {
    ($type:ty) => {
        impl Numeric<$type> for $type {
            fn bound(bound: $type) -> Option<Value> {
                bound.write()
            }
        }

        impl Numeric<i32> for $type {
            fn bound(bound: i32) -> Option<Value> {
                f64::from(bound).write()
            }
        }
    };
}

impl Field for f64 {
    type Value = Self;

    fn kind() -> PropertyKind {
        PropertyKind::number()
    }

    fn read(value: &Value) -> Result<Self, String> {
        as_number(value).ok_or_else(|| "must be a number".to_owned())
    }

    /// JSON has no infinity and no NaN: such a field is left out.
    fn write(&self) -> Option<Value> {
        serde_json::Number::from_f64(*self).map(Value::Number)
    }
}

float_bounds!(f64);

impl Field for f32 {
    type Value = Self;

    fn kind() -> PropertyKind {
        PropertyKind::number()
    }

    fn read(value: &Value) -> Result<Self, String> {
        let number = as_number(value).ok_or_else(|| "must be a number".to_owned())?;
        #[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest `f32` is what is meant")]
        let rounded = number as Self;
        if rounded.is_finite() {
            Ok(rounded)
        } else {
            Err(format!("must be from {} to {}", Self::MIN, Self::MAX))
        }
    }

    /// The shortest decimal that reads back as this number: `0.1`, not `0.10000000149011612`.
    fn write(&self) -> Option<Value> {
        self.to_string().parse::<f64>().ok().and_then(|number| number.write())
    }
}

float_bounds!(f32);

#[diagnostic::do_not_recommend]
impl<C: Choice> Field for C {
    type Value = Self;

    fn kind() -> PropertyKind {
        PropertyKind::Choice { options: C::options(), default: None }
    }

    fn read(value: &Value) -> Result<Self, String> {
        value.as_str().and_then(C::from_value).ok_or_else(|| "must be one of the options".to_owned())
    }

    fn write(&self) -> Option<Value> {
        Some(Value::from(self.value()))
    }
}

impl<C: Choice> Field for Vec<C> {
    type Value = Self;

    fn kind() -> PropertyKind {
        choices::<C>()
    }

    fn read(value: &Value) -> Result<Self, String> {
        read_choices(value)
    }

    fn write(&self) -> Option<Value> {
        Some(self.iter().map(Choice::value).collect())
    }
}

impl<C: Choice> Several for Vec<C> {}

impl<C: Choice + Ord> Field for BTreeSet<C> {
    type Value = Self;

    fn kind() -> PropertyKind {
        choices::<C>()
    }

    fn read(value: &Value) -> Result<Self, String> {
        read_choices(value)
    }

    fn write(&self) -> Option<Value> {
        Some(self.iter().map(Choice::value).collect())
    }
}

impl<C: Choice + Ord> Several for BTreeSet<C> {}

fn choices<C: Choice>() -> PropertyKind {
    PropertyKind::Choices { options: C::options(), min_items: None, max_items: None, default: None }
}

fn read_choices<C: Choice, L: FromIterator<C>>(value: &Value) -> Result<L, String> {
    let items = value.as_array().ok_or_else(|| "must be a list of options".to_owned())?;
    items.iter().map(C::read).collect()
}

impl<T: Field> Field for Option<T> {
    type Value = T;

    const REQUIRED: bool = false;

    fn kind() -> PropertyKind {
        T::kind()
    }

    fn read(value: &Value) -> Result<Self, String> {
        T::read(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn write(&self) -> Option<Value> {
        self.as_ref().and_then(T::write)
    }
}

impl<B, T: Numeric<B>> Numeric<B> for Option<T> {
    fn bound(bound: B) -> Option<Value> {
        T::bound(bound)
    }
}

impl<T: Text> Text for Option<T> {}

impl<T: Several> Several for Option<T> {}
