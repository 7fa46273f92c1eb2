//! Whether a text looks like what its format says. These are plausibility checks, meant to catch a slip while
//! the person is still there: they refuse what is certainly wrong, and do not prove that a mailbox exists.

use super::Format;

impl Format {
    /// Whether the text looks like what the format says.
    ///
    /// `email` is a simple address (no quoted local part, no comment), `uri` an absolute URI in the characters of
    /// RFC 3986, `date` and `date-time` are those of RFC 3339 with the length of each month.
    ///
    /// ```
    /// use saga_runtime::form::Format;
    /// assert!(Format::Date.accepts("2028-02-29"));
    /// assert!(!Format::Date.accepts("2026-02-29"));
    /// ```
    #[must_use]
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Date => is_date(text),
            Self::DateTime => is_date_time(text),
        }
    }

    pub(super) const fn expectation(self) -> &'static str {
        match self {
            Self::Email => "an e-mail address like `ada@example.com`",
            Self::Uri => "an absolute address like `https://example.com`",
            Self::Date => "a date like `2026-07-28`",
            Self::DateTime => "a date and time like `2026-07-28T12:00:00Z`",
        }
    }
}

/// The longest address that mail servers must take (RFC 5321, section 4.5.3.1.3, less its brackets).
const LONGEST_EMAIL: usize = 254;

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom_character = |character: char| {
        !character.is_whitespace() && !character.is_control() && !"()<>[]:;@\\,\"".contains(character)
    };
    let is_domain_character =
        |character: char| character.is_ascii_alphanumeric() || character == '-' || !character.is_ascii();
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|character| is_domain_character(character) && is_atom_character(character))
    };
    text.len() <= LONGEST_EMAIL
        && local.len() <= 64
        && local.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_atom_character))
        && domain.split('.').all(is_label)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character));
    let is_uri_byte = |byte: &u8| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(byte);
    let mut escapes = rest.split('%').skip(1).map(|after| after.as_bytes().get(..2));
    is_scheme
        && !rest.is_empty()
        && rest.as_bytes().iter().all(is_uri_byte)
        && escapes.all(|escape| escape.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)))
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last_day = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last_day).contains(&day)
}

fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else { return false };
    let Some(zone_start) = time.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, zone) = time.split_at(zone_start);
    let (clock, is_fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => {
            (clock, !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit()))
        }
        None => (clock, true),
    };
    let is_zone =
        matches!(zone, "Z" | "z") || zone.get(1..).is_some_and(|offset| is_clock(offset, &[23, 59]));
    // A leap second is written as 60.
    is_date(date) && is_fraction && is_zone && is_clock(clock, &[23, 59, 60])
}

/// Numbers of two digits with colons between, each up to its greatest value.
fn is_clock(text: &str, greatest: &[u16]) -> bool {
    let parts: Vec<Option<u16>> = text.split(':').map(|part| digits(part, 2)).collect();
    parts.len() == greatest.len()
        && parts.iter().zip(greatest).all(|(part, greatest)| part.is_some_and(|part| part <= *greatest))
}

fn digits(text: &str, count: usize) -> Option<u16> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::Format;

    fn check(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(format.accepts(text), "{} should accept {text:?}", format.name());
        }
        for text in bad {
            assert!(!format.accepts(text), "{} should refuse {text:?}", format.name());
        }
    }

    #[test]
    fn email() {
        check(
            Format::Email,
            &["ada@example.com", "a.b+c@x-y.example", "root@localhost", "ümläut@exämple.de"],
            &[
                "",
                "@",
                "ada",
                "ada@",
                "@example.com",
                "a b@example.com",
                ".a@b.c",
                "a..b@c.d",
                "a@b..c",
                "a@-b.c",
                "a@b@c",
                "a@b c",
                "a@b\n",
            ],
        );
        assert!(!Format::Email.accepts(&format!("a@{}", "b".repeat(300))));
    }

    #[test]
    fn uri() {
        check(
            Format::Uri,
            &[
                "https://example.com",
                "file:///home/me/a%20b",
                "urn:isbn:0451450523",
                "mailto:ada@example.com",
            ],
            &[
                "",
                "example.com",
                "://x",
                "1http://x",
                "https:",
                "https://a b",
                "https://a/%2",
                "https://a/%zz",
                "https://ä.de",
                "https://a/<b>",
                "a/b:c%é",
            ],
        );
    }

    #[test]
    fn date() {
        check(
            Format::Date,
            &["2026-07-28", "2000-02-29", "2028-02-29", "0000-01-01"],
            &[
                "",
                "2026-7-28",
                "2026-13-01",
                "2026-00-01",
                "2026-04-31",
                "1900-02-29",
                "2026-07-28T",
                "2026-07-28-01",
                "+026-07-28",
                "2026/07/28",
            ],
        );
    }

    #[test]
    fn date_time() {
        check(
            Format::DateTime,
            &["2026-07-28T12:00:00Z", "2026-07-28t12:00:60.123456789z", "2026-07-28T12:00:00-03:30"],
            &[
                "",
                "2026-07-28",
                "2026-07-28T12:00:00",
                "2026-07-28T24:00:00Z",
                "2026-07-28T12:00Z",
                "2026-07-28T12:00:00.Z",
                "2026-07-28T12:00:00+24:00",
                "2026-07-28T12:00:00ZZ",
                "2026-07-28T12:00:00+é",
            ],
        );
    }
}
