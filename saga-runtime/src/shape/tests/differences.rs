//! Which changes of a type are other layouts.

use serde::Deserialize;

use super::{different, same};

/// The same type in several versions, each in a module of its own.
macro_rules! versions {
    ($($version:ident { $($item:item)* })*) => {$(
        mod $version {
            use serde::Deserialize;
            $(
                #[derive(Deserialize)]
                #[expect(dead_code, reason = "read by their shape only")]
                $item
            )*
        }
    )*};
}

versions! {
    first {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    moved {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    wider {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u64) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    swapped {
        pub(super) struct Order { item: Item, id: u32, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    appended {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 }, More }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    renamed {
        pub(super) struct Order { number: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    inside_a_variant {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u32 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    reordered_variants {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Gift(String), Plain, Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
    below_a_recursion {
        pub(super) struct Order { id: u32, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: i8 }
    }
    optional {
        pub(super) struct Order { id: Option<u32>, item: Item, kind: Kind, tree: Tree }
        pub(super) struct Item { name: String, price: (u32, u32) }
        pub(super) enum Kind { Plain, Gift(String), Bulk { count: u16 } }
        pub(super) struct Tree { left: Option<Box<Tree>>, weight: u8 }
    }
}

#[test]
fn a_type_may_move() {
    same::<first::Order, moved::Order>();
    same::<Vec<first::Kind>, Vec<moved::Kind>>();
}

macro_rules! differs {
    ($($version:ident)*) => {$(
        #[test]
        fn $version() {
            different::<first::Order, $version::Order>();
        }
    )*};
}

differs!(wider swapped appended renamed inside_a_variant reordered_variants below_a_recursion optional);

#[test]
fn owned_and_borrowed_are_one_layout() {
    same::<String, &str>();
    same::<Box<str>, String>();
}

#[test]
fn names_of_types_are_part_of_it() {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "read by their shape only")]
    struct Meters(f64);
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "read by their shape only")]
    struct Feet(f64);
    different::<Meters, Feet>();
}

/// A struct inside another one of the same name and the same fields is not taken for a recursion.
#[test]
fn a_namesake_is_not_a_recursion() {
    mod inner {
        #[derive(serde::Deserialize)]
        #[expect(dead_code, reason = "read by their shape only")]
        pub(super) struct Item<T> {
            item: T,
        }
    }
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "read by their shape only")]
    struct Item<T> {
        item: T,
    }
    different::<Item<inner::Item<u8>>, Item<inner::Item<u16>>>();
    different::<Item<Item<u8>>, Item<Item<u16>>>();
}

#[test]
fn what_cannot_be_made_up_stands_under_its_name() {
    struct Sealed<const N: u8>;

    impl<'de, const N: u8> Deserialize<'de> for Sealed<N> {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            u8::deserialize(deserializer)?;
            Err(serde::de::Error::custom("never"))
        }
    }

    different::<(Sealed<0>, u8), (Sealed<1>, u8)>();
    let text = super::text::<(Sealed<0>, u8)>();
    assert!(text.starts_with("(u8,!") && text.contains("Sealed"), "{text}");
}
