//! The types of random programs.

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ty {
    Bool,
    Byte,
    Number,
    Size,
    Signed,
    Char,
    Text,
    /// `&str`.
    Slice,
    Item,
    Plan,
    Kind,
    /// Forms.
    Yes,
    Count,
    Name,
    Target,
    Region,
    Option(Box<Self>),
    List(Box<Self>),
    Pair(Box<Self>, Box<Self>),
    /// Of three.
    Array(Box<Self>),
    Boxed(Box<Self>),
    /// `BTreeMap<String, u32>`.
    Map,
    /// `Result<T, StepError>`.
    Answer(Box<Self>),
    Ref(Box<Self>),
    Mut(Box<Self>),
}

impl Ty {
    pub(crate) fn option(inner: Self) -> Self {
        Self::Option(Box::new(inner))
    }

    pub(crate) fn list(inner: Self) -> Self {
        Self::List(Box::new(inner))
    }

    pub(crate) fn pair(one: Self, other: Self) -> Self {
        Self::Pair(Box::new(one), Box::new(other))
    }

    pub(crate) fn borrowed(self) -> Self {
        match self {
            Self::Ref(_) | Self::Slice => self,
            Self::Mut(inner) => Self::Ref(inner),
            other => Self::Ref(Box::new(other)),
        }
    }

    pub(crate) fn is_copy(&self) -> bool {
        match self {
            Self::Bool
            | Self::Byte
            | Self::Number
            | Self::Size
            | Self::Signed
            | Self::Char
            | Self::Slice
            | Self::Count
            | Self::Region
            | Self::Ref(_) => true,
            Self::Option(inner) | Self::Array(inner) => inner.is_copy(),
            Self::Pair(one, other) => one.is_copy() && other.is_copy(),
            _ => false,
        }
    }

    /// As it is written.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Bool => "bool".to_owned(),
            Self::Byte => "u8".to_owned(),
            Self::Number => "u32".to_owned(),
            Self::Size => "usize".to_owned(),
            Self::Signed => "i64".to_owned(),
            Self::Char => "char".to_owned(),
            Self::Text => "String".to_owned(),
            Self::Slice => "&str".to_owned(),
            Self::Map => "BTreeMap<String, u32>".to_owned(),
            Self::Item | Self::Plan | Self::Kind | Self::Yes | Self::Count | Self::Name => {
                format!("{self:?}")
            }
            Self::Target | Self::Region => format!("{self:?}"),
            Self::Option(inner) => format!("Option<{}>", inner.name()),
            Self::List(inner) => format!("Vec<{}>", inner.name()),
            Self::Pair(one, other) => format!("({}, {})", one.name(), other.name()),
            Self::Array(inner) => format!("[{}; 3]", inner.name()),
            Self::Boxed(inner) => format!("Box<{}>", inner.name()),
            Self::Answer(inner) => format!("Result<{}, StepError>", inner.name()),
            Self::Ref(inner) => format!("&{}", inner.name()),
            Self::Mut(inner) => format!("&mut {}", inner.name()),
        }
    }

    pub(crate) const fn is_integer(&self) -> bool {
        matches!(self, Self::Byte | Self::Number | Self::Size | Self::Signed)
    }

    /// A value that needs nothing.
    pub(crate) fn simplest(&self) -> String {
        match self {
            Self::Bool => "true".to_owned(),
            Self::Byte => "1_u8".to_owned(),
            Self::Number => "1_u32".to_owned(),
            Self::Size => "1_usize".to_owned(),
            Self::Signed => "1_i64".to_owned(),
            Self::Char => "'c'".to_owned(),
            Self::Text => "String::new()".to_owned(),
            Self::Slice => "\"s\"".to_owned(),
            Self::Item => "item(\"i\", 1)".to_owned(),
            Self::Plan => "plan(\"p\", 1)".to_owned(),
            Self::Kind => "Kind::Empty".to_owned(),
            Self::Map => "prices(1)".to_owned(),
            Self::Yes => "Yes { yes: true }".to_owned(),
            Self::Count => "Count { n: 1 }".to_owned(),
            Self::Name => "Name { name: String::new() }".to_owned(),
            Self::Target => "Target { region: Region::Near, replicas: 1, note: None }".to_owned(),
            Self::Region => "Region::Near".to_owned(),
            Self::Option(inner) => format!("Some({})", inner.simplest()),
            Self::List(inner) => format!("vec![{}]", inner.simplest()),
            Self::Pair(one, other) => format!("({}, {})", one.simplest(), other.simplest()),
            Self::Array(inner) => format!("[{0}, {0}, {0}]", inner.simplest()),
            Self::Boxed(inner) => format!("Box::new({})", inner.simplest()),
            Self::Answer(inner) => format!("Ok::<_, StepError>({})", inner.simplest()),
            Self::Ref(inner) => format!("&{}", inner.simplest()),
            Self::Mut(inner) => format!("&mut {}", inner.simplest()),
        }
    }

    /// The parts of a value that are places of their own, and how they are reached.
    pub(crate) fn parts(&self) -> Vec<(String, Self)> {
        let named = |parts: &[(&str, Self)]| {
            parts.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())).collect::<Vec<_>>()
        };
        match self {
            Self::Item => {
                named(&[(".name", Self::Text), (".size", Self::Number), (".tags", Self::list(Self::Text))])
            }
            Self::Plan => named(&[
                (".title", Self::Text),
                (".items", Self::list(Self::Item)),
                (".items[1]", Self::Item),
                (".lead", Self::Item),
                (".limits", Self::Array(Box::new(Self::Number))),
                (".note", Self::option(Self::Text)),
                (".kind", Self::Kind),
            ]),
            Self::Yes => named(&[(".yes", Self::Bool)]),
            Self::Count => named(&[(".n", Self::Byte)]),
            Self::Name => named(&[(".name", Self::Text)]),
            Self::Target => named(&[(".region", Self::Region), (".note", Self::option(Self::Text))]),
            Self::Pair(one, other) => named(&[(".0", (**one).clone()), (".1", (**other).clone())]),
            Self::Array(inner) => named(&[("[0]", (**inner).clone()), ("[2]", (**inner).clone())]),
            _ => Vec::new(),
        }
    }
}
