//! The attributes that bound a field, and what can be told of them from literals alone.

use proc_macro2::Ident;
use syn::{Expr, Lit, UnOp};

use super::attributes::{Entries, string_literal};
use super::form_struct::FieldDefault;
use crate::diagnostics::Diagnostics;

/// One bound of a field: `min = 1`.
pub(super) struct Bound {
    pub(super) kind: BoundKind,
    pub(super) attribute: Ident,
    pub(super) value: Expr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundKind {
    Minimum,
    Maximum,
    MinLength,
    MaxLength,
    MinItems,
    MaxItems,
}

impl BoundKind {
    const ALL: [Self; 6] =
        [Self::Minimum, Self::Maximum, Self::MinLength, Self::MaxLength, Self::MinItems, Self::MaxItems];

    /// The name of the attribute.
    const fn attribute(self) -> &'static str {
        match self {
            Self::Minimum => "min",
            Self::Maximum => "max",
            Self::MinLength => "min_length",
            Self::MaxLength => "max_length",
            Self::MinItems => "min_items",
            Self::MaxItems => "max_items",
        }
    }

    /// The method of the runtime's `PropertyBuilder`.
    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::MinLength | Self::MaxLength | Self::MinItems | Self::MaxItems => self.attribute(),
        }
    }
}

impl Bound {
    pub(super) fn read_all(entries: &mut Entries, diagnostics: &mut Diagnostics) -> Vec<Self> {
        let mut bounds = Vec::new();
        for kind in BoundKind::ALL {
            if let Some((attribute, value)) = entries.value(kind.attribute(), diagnostics) {
                bounds.push(Self { kind, attribute, value });
            }
        }
        bounds
    }
}

/// Refuses bounds that no answer could fit, and a default outside of its bounds, where these are literals.
pub(super) fn check_literals(
    bounds: &[Bound],
    default: Option<&FieldDefault>,
    diagnostics: &mut Diagnostics,
) {
    let pairs = [
        (BoundKind::Minimum, BoundKind::Maximum),
        (BoundKind::MinLength, BoundKind::MaxLength),
        (BoundKind::MinItems, BoundKind::MaxItems),
    ];
    for (least, most) in pairs {
        let (Some((least, low)), Some((most, high))) = (literal(bounds, least), literal(bounds, most)) else {
            continue;
        };
        if low > high {
            let (least, most_name) = (&least.attribute, &most.attribute);
            let message = format!("`{most_name}` is below `{least}`; no answer could fit; swap the two");
            diagnostics.error(&most.value, message);
        }
    }
    let Some(FieldDefault::Value(_, default)) = default else { return };
    let (size, least, most) = if let Some(number) = number_of(default) {
        (number, BoundKind::Minimum, BoundKind::Maximum)
    } else if let Some(length) = length_of(default) {
        (length, BoundKind::MinLength, BoundKind::MaxLength)
    } else {
        return;
    };
    let low = literal(bounds, least).filter(|(_, low)| size < *low);
    let high = literal(bounds, most).filter(|(_, high)| size > *high);
    if let Some((bound, _)) = low.or(high) {
        let name = &bound.attribute;
        let message = format!(
            "the default breaks `{name}`; an answer that leaves the field out would be refused; change one of the two"
        );
        diagnostics.error(default, message);
    }
}

fn literal(bounds: &[Bound], kind: BoundKind) -> Option<(&Bound, f64)> {
    let bound = bounds.iter().find(|bound| bound.kind == kind)?;
    Some((bound, number_of(&bound.value)?))
}

fn number_of(value: &Expr) -> Option<f64> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            Lit::Float(number) => number.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            number_of(&unary.expr).map(|number| -number)
        }
        _ => None,
    }
}

fn length_of(value: &Expr) -> Option<f64> {
    let text = string_literal(value)?.value();
    u32::try_from(text.chars().count()).ok().map(f64::from)
}
