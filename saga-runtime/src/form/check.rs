//! Whether a value fits its property: every rule that the schema tells the client, checked again, because
//! clients need not.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde_json::Value;

use super::{ChoiceOption, Property, PropertyKind};
use crate::error::Problem;

impl Property {
    /// Everything that is wrong with a value for this property; nothing when it fits.
    ///
    /// ```
    /// use saga_runtime::form::Property;
    ///
    /// let property = Property::of::<String>("name").min_length(2).build();
    /// assert!(property.check(&"Ada".into()).is_empty());
    /// assert_eq!(property.check(&"A".into())[0].to_string(), "`name` must have at least 2 characters");
    /// ```
    #[must_use]
    pub fn check(&self, value: &Value) -> Vec<Problem> {
        self.kind.faults(value).into_iter().map(|fault| Problem::field(self.name(), fault)).collect()
    }
}

impl PropertyKind {
    fn faults(&self, value: &Value) -> Vec<String> {
        match self {
            Self::String { min_length, max_length, format, default: _ } => {
                let Some(text) = value.as_str() else { return vec!["must be a text".to_owned()] };
                let length = text.chars().count() as u64;
                let mut faults = count_faults(length, *min_length, *max_length, "character");
                if let Some(format) = format.filter(|format| !format.accepts(text)) {
                    faults.push(format!("must be {}", format.expectation()));
                }
                faults
            }
            Self::Number { minimum, maximum, default: _ } => match as_number(value) {
                Some(number) => bound_faults(number, *minimum, *maximum),
                None => vec!["must be a number".to_owned()],
            },
            Self::Integer { minimum, maximum, default: _ } => match as_integer(value) {
                Some(number) => bound_faults(number, *minimum, *maximum),
                None => vec!["must be a whole number".to_owned()],
            },
            Self::Boolean { default: _ } if value.is_boolean() => Vec::new(),
            Self::Boolean { default: _ } => vec!["must be true or false".to_owned()],
            Self::Choice { options, default: _ } if is_option(options, value) => Vec::new(),
            Self::Choice { options, default: _ } => vec![format!("must be one of {}", listed(options))],
            Self::Choices { options, min_items, max_items, default: _ } => {
                let Some(items) = value.as_array() else {
                    return vec!["must be a list of options".to_owned()];
                };
                let mut faults = count_faults(items.len() as u64, *min_items, *max_items, "option");
                if !items.iter().all(|item| is_option(options, item)) {
                    faults.push(format!("must have only {}", listed(options)));
                }
                // In a list as long as a message comparing each with each would take minutes.
                let mut seen = BTreeSet::new();
                if !items.iter().filter_map(Value::as_str).all(|item| seen.insert(item)) {
                    faults.push("must not have an option twice".to_owned());
                }
                faults
            }
        }
    }
}

/// A JSON number, whole or not.
pub(super) fn as_number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

/// A whole number, also where it is written as `3.0`: JSON does not tell the two apart, nor do all clients.
pub(super) fn as_integer(value: &Value) -> Option<i128> {
    let exact = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    exact.or_else(|| {
        let number = as_number(value).filter(|number| number.fract() == 0.0)?;
        #[expect(clippy::cast_possible_truncation, reason = "saturates, far outside of every integer field")]
        Some(number as i128)
    })
}

fn bound_faults<N: Copy + PartialOrd + Display>(
    number: N,
    minimum: Option<N>,
    maximum: Option<N>,
) -> Vec<String> {
    let low =
        minimum.filter(|minimum| number < *minimum).map(|minimum| format!("must be at least {minimum}"));
    let high =
        maximum.filter(|maximum| number > *maximum).map(|maximum| format!("must be at most {maximum}"));
    low.into_iter().chain(high).collect()
}

fn count_faults(count: u64, least: Option<u64>, most: Option<u64>, noun: &str) -> Vec<String> {
    let counted = |number: u64| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let few =
        least.filter(|least| count < *least).map(|least| format!("must have at least {}", counted(least)));
    let many = most.filter(|most| count > *most).map(|most| format!("must have at most {}", counted(most)));
    few.into_iter().chain(many).collect()
}

fn is_option(options: &[ChoiceOption], value: &Value) -> bool {
    value.as_str().is_some_and(|value| options.iter().any(|option| option.value == value))
}

fn listed(options: &[ChoiceOption]) -> String {
    let values: Vec<String> = options.iter().map(|option| format!("`{}`", option.value)).collect();
    values.join(", ")
}
