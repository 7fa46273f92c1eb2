//! `rename_all`: the cases that serde knows, with serde's meaning.

/// A way to write a name of several words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    pub(super) const ALL: [Self; 8] = [
        Self::Lower,
        Self::Upper,
        Self::Pascal,
        Self::Camel,
        Self::Snake,
        Self::ScreamingSnake,
        Self::Kebab,
        Self::ScreamingKebab,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lowercase",
            Self::Upper => "UPPERCASE",
            Self::Pascal => "PascalCase",
            Self::Camel => "camelCase",
            Self::Snake => "snake_case",
            Self::ScreamingSnake => "SCREAMING_SNAKE_CASE",
            Self::Kebab => "kebab-case",
            Self::ScreamingKebab => "SCREAMING-KEBAB-CASE",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name)
    }

    /// A field's name, which is `snake_case` in the code.
    pub(super) fn field(self, name: &str) -> String {
        match self {
            // Serde leaves a field's words apart in these two.
            Self::Lower => name.to_owned(),
            Self::Upper => name.to_ascii_uppercase(),
            _ => self.join(&name.split('_').filter(|word| !word.is_empty()).collect::<Vec<_>>()),
        }
    }

    /// A variant's name, which is `PascalCase` in the code.
    pub(super) fn variant(self, name: &str) -> String {
        match self {
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Pascal => name.to_owned(),
            Self::Camel => with_first(name, char::to_ascii_lowercase),
            _ => self.join(&words_of_variant(name)),
        }
    }

    fn join(self, words: &[&str]) -> String {
        let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let pascal =
            || lower.iter().map(|word| with_first(word, char::to_ascii_uppercase)).collect::<String>();
        match self {
            Self::Lower => lower.concat(),
            Self::Upper => lower.concat().to_ascii_uppercase(),
            Self::Pascal => pascal(),
            Self::Camel => with_first(&pascal(), char::to_ascii_lowercase),
            Self::Snake => lower.join("_"),
            Self::ScreamingSnake => lower.join("_").to_ascii_uppercase(),
            Self::Kebab => lower.join("-"),
            Self::ScreamingKebab => lower.join("-").to_ascii_uppercase(),
        }
    }
}

/// Serde begins a word at each capital: `HTTPPort` has the words `H`, `T`, `T`, `P`, `Port`.
fn words_of_variant(name: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        name.char_indices().filter(|(_, letter)| letter.is_uppercase()).map(|(at, _)| at).collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([name.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &name[start..end]).collect()
}

fn with_first(word: &str, change: fn(&char) -> char) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", change(&first), letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::Case;

    fn check(case: &str, field: &str, variant: &str) {
        let case = Case::from_name(case).unwrap();
        assert_eq!(case.field("api_base_url"), field);
        assert_eq!(case.variant("ExtraLarge"), variant);
    }

    #[test]
    fn every_case_is_serdes() {
        check("lowercase", "api_base_url", "extralarge");
        check("UPPERCASE", "API_BASE_URL", "EXTRALARGE");
        check("PascalCase", "ApiBaseUrl", "ExtraLarge");
        check("camelCase", "apiBaseUrl", "extraLarge");
        check("snake_case", "api_base_url", "extra_large");
        check("SCREAMING_SNAKE_CASE", "API_BASE_URL", "EXTRA_LARGE");
        check("kebab-case", "api-base-url", "extra-large");
        check("SCREAMING-KEBAB-CASE", "API-BASE-URL", "EXTRA-LARGE");
        assert_eq!(Case::from_name("Title Case"), None);
    }
}
