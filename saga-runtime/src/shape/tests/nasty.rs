//! No type makes a trace endless, and none makes it panic.

use std::time::{Duration, Instant};

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{is_known, text};

/// Traces within a time that a first seal may take on a slow machine without optimization.
#[track_caller]
fn ends<'de, T: Deserialize<'de>>() -> String {
    let start = Instant::now();
    let text = text::<T>();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    text
}

macro_rules! nasty {
    ($($item:item)*) => {$(
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "read by their shape only")]
        $item
    )*};
}

nasty! {
    struct Endless(Box<Endless>);
    enum EndlessSum { A(Box<EndlessSum>, u8), B(Box<EndlessSum>, Box<EndlessSum>) }
    struct Wide<T> { a: Box<T>, b: Box<T>, c: Box<T>, d: Box<T>, e: Box<T>, f: Box<T>, g: Box<T>, h: T }
    enum Term { Call(Box<Call>), Block(Box<Block>), Match(Box<Match>), Loop(Box<Loop>), End }
    enum Call { Of(Box<Term>), Block(Box<Block>), Match(Box<Match>), Loop(Box<Loop>), End(u8) }
    enum Block { Of(Box<Term>), Call(Box<Call>), Match(Box<Match>), Loop(Box<Loop>), End(u16) }
    enum Match { Of(Box<Term>), Call(Box<Call>), Block(Box<Block>), Loop(Box<Loop>), End(u32) }
    enum Loop { Of(Box<Term>, Box<Term>), Call(Box<Call>), Block(Box<Block>), Match(Box<Match>), End(u64) }
}

#[derive(Deserialize)]
enum Never {}

#[test]
fn a_type_without_values() {
    assert_eq!(ends::<Endless>(), r#""Endless"(="")"#);
    ends::<EndlessSum>();
    assert_eq!(ends::<Result<u8, Never>>(), r#"enum "Result"<"Ok":"Ok"(u8),"Err":"Err"(enum "Never"<>)>"#);
}

#[test]
fn everything_holds_everything() {
    let text = ends::<(Term, Loop)>();
    assert!(!text.contains('!'), "{text}");
}

#[test]
fn exponentially_wide() {
    let narrow = ends::<Wide<Wide<Wide<Wide<Wide<Wide<u8>>>>>>>();
    let other = ends::<Wide<Wide<Wide<Wide<Wide<Wide<u16>>>>>>>();
    assert_ne!(narrow, other);
    assert!(!narrow.contains('!'), "a container that was met is not entered again");
}

#[test]
fn long_arrays() {
    struct Long<const N: usize>;

    impl<'de, const N: usize> Deserialize<'de> for Long<N> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_tuple(N, Elements)?;
            Ok(Self)
        }
    }

    struct Elements;

    impl<'de> Visitor<'de> for Elements {
        type Value = ();

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("bytes")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
            while elements.next_element::<u8>()?.is_some() {}
            Ok(())
        }
    }

    assert_eq!(ends::<Long<65_536>>(), "[u8;65536]");
    assert!(ends::<Long<{ usize::MAX }>>().starts_with("[u8;"));
}

#[test]
fn a_type_that_panics_over_what_it_reads() {
    struct Picky;

    impl<'de> Deserialize<'de> for Picky {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            assert_ne!(u8::deserialize(deserializer)?, 0, "this panic belongs to a test that passes");
            Ok(Self)
        }
    }

    assert_eq!(ends::<(Picky, bool)>(), "(u8,bool)");
}

#[test]
fn a_type_that_reads_maps_where_it_asks_for_lists() {
    struct Wrong;

    impl<'de> Deserialize<'de> for Wrong {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_struct("Wrong", &["a", "b"], Self)
        }
    }

    impl<'de> Visitor<'de> for Wrong {
        type Value = Self;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a map")
        }

        fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self, A::Error> {
            Ok(self)
        }
    }

    assert!(ends::<(Wrong, u8)>().contains('!'));
}

#[test]
fn a_type_that_swallows_errors() {
    struct Lenient<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let _ = T::deserialize(deserializer);
            Ok(Self(std::marker::PhantomData))
        }
    }

    ends::<(Lenient<EndlessSum>, Lenient<Never>, Lenient<std::num::NonZeroU8>)>();
}

/// What comes after depends on what came before: all of it is part of the text.
#[test]
fn a_type_that_decides_by_what_it_reads() {
    struct Versioned;

    impl<'de> Deserialize<'de> for Versioned {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_tuple(2, Self)
        }
    }

    impl<'de> Visitor<'de> for Versioned {
        type Value = Self;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a version and its value")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self, A::Error> {
            match elements.next_element::<Version>()? {
                Some(Version::Old) => drop(elements.next_element::<u8>()?),
                Some(Version::New) => drop(elements.next_element::<Vec<String>>()?),
                None => {}
            }
            Ok(self)
        }
    }

    #[derive(Deserialize)]
    enum Version {
        Old,
        New,
    }

    assert_eq!(ends::<Versioned>(), r#"(enum "Version"<"Old":"Old","New":"New">,u8^[str])"#);
    is_known::<Versioned>();
}

#[test]
fn ignored_parts_are_asked_for() {
    assert!(super::explore::<(u8, IgnoredAny)>().asks.is_some());
}
