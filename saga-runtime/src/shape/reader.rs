//! The deserializer that a trace hands to a type: it notes what it is asked for and makes up what it gives, in the
//! way in which postcard reads (enums by number, structs by position, no names).

use std::any::type_name;
use std::cell::RefCell;
use std::fmt;

use serde::Deserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
    value::U32Deserializer,
};

use super::candidates;
use super::explore::{Explorer, Place};
use super::tree::{Head, Identity, Label};

/// A pass that ended early. Its reason is kept by the explorer.
#[derive(Debug)]
pub(super) struct Halt;

impl fmt::Display for Halt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the trace of a type ended early")
    }
}

impl std::error::Error for Halt {}

impl Error for Halt {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// The deserializer at one place.
#[derive(Clone, Copy)]
pub(super) struct Reader<'t> {
    explorer: &'t RefCell<Explorer>,
    place: Place,
}

/// A tuple with more elements is an array.
const LONGEST_TUPLE: usize = 32;

impl<'t> Reader<'t> {
    pub(super) const fn new(explorer: &'t RefCell<Explorer>, place: Place) -> Self {
        Self { explorer, place }
    }

    fn enter(self, head: Head, identity: Option<Identity>) -> Result<Self, Halt> {
        let place = self.explorer.borrow_mut().enter(self.place, head, identity)?;
        Ok(Self { place, ..self })
    }

    fn enter_as<'de, V: Visitor<'de>>(self, head: Head) -> Result<Self, Halt> {
        let (visitor, value) = (type_name::<V>(), type_name::<V::Value>());
        self.enter(head, Some(Identity { visitor, value, size: size_of::<V::Value>() }))
    }

    /// Enters a primitive; gives the number of its candidate.
    fn leaf(self, name: &'static str) -> Result<(Self, usize), Halt> {
        let reader = self.enter(Head::Leaf(name), None)?;
        let candidate = reader.explorer.borrow_mut().candidate(reader.place.node);
        Ok((reader, candidate))
    }

    fn child(self, index: usize) -> Self {
        let place = self.explorer.borrow().inside(self.place, index);
        Self { place, ..self }
    }

    /// Passes a result on, and notes it when a value was refused.
    fn note<T>(self, result: Result<T, Halt>) -> Result<T, Halt> {
        if result.is_err() {
            self.explorer.borrow_mut().blame(self.place.node);
        }
        result
    }

    /// Reads a child.
    fn read<'de, S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Halt> {
        let result = seed.deserialize(self);
        if result.is_ok() {
            self.explorer.borrow_mut().leave_out(self.place.node);
        }
        self.note(result)
    }

    /// Reads the children in their order.
    fn read_all<'de, V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Halt> {
        let children = self.explorer.borrow().tree.node(self.place.node).children.len();
        let result = visitor.visit_seq(Elements { reader: self, next: 0, count });
        if result.is_ok() && count > 0 {
            for child in 0..children {
                let node = self.child(child).place.node;
                self.explorer.borrow_mut().leave_out(node);
            }
        }
        self.note(result)
    }

    fn tuple<'de, V: Visitor<'de>>(self, head: Head, count: usize, visitor: V) -> Result<V::Value, Halt> {
        self.enter_as::<V>(head)?.read_all(count, visitor)
    }

    fn ask(self) -> Halt {
        self.explorer.borrow_mut().ask(self.place.node)
    }

    /// The name of a variant, in the list in which the type gave it.
    fn name(self) -> &'static str {
        match self.explorer.borrow().tree.node(self.place.node).label {
            Label::Name(name) => name,
            Label::Inside | Label::Index(_) | Label::Element | Label::Key => "",
        }
    }
}

macro_rules! leaves {
    ($($method:ident $name:literal $visit:ident $candidate:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
            let (reader, index) = self.leaf($name)?;
            reader.note(visitor.$visit($candidate(index)))
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Halt;

    leaves! {
        deserialize_bool "bool" visit_bool |index: usize| !index.is_multiple_of(2);
        deserialize_i8 "i8" visit_i8 |index| candidates::number(index).cast_signed();
        deserialize_i16 "i16" visit_i16 |index| candidates::number(index).into();
        deserialize_i32 "i32" visit_i32 |index| candidates::number(index).into();
        deserialize_i64 "i64" visit_i64 |index| candidates::number(index).into();
        deserialize_i128 "i128" visit_i128 |index| candidates::number(index).into();
        deserialize_u8 "u8" visit_u8 candidates::number;
        deserialize_u16 "u16" visit_u16 |index| candidates::number(index).into();
        deserialize_u32 "u32" visit_u32 |index| candidates::number(index).into();
        deserialize_u64 "u64" visit_u64 |index| candidates::number(index).into();
        deserialize_u128 "u128" visit_u128 |index| candidates::number(index).into();
        deserialize_f32 "f32" visit_f32 candidates::fraction;
        deserialize_f64 "f64" visit_f64 |index| candidates::fraction(index).into();
        deserialize_char "char" visit_char candidates::character;
        deserialize_str "str" visit_borrowed_str candidates::text;
        deserialize_string "str" visit_str candidates::text;
        deserialize_bytes "bytes" visit_borrowed_bytes candidates::bytes;
        deserialize_byte_buf "bytes" visit_bytes candidates::bytes;
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Halt> {
        Err(self.ask())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Halt> {
        Err(self.ask())
    }

    /// A field's name is asked for by what is around it.
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Halt> {
        let mut explorer = self.explorer.borrow_mut();
        let around = explorer.tree.node(self.place.node).parent.unwrap_or(self.place.node);
        Err(explorer.ask(around))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        let reader = self.enter_as::<V>(Head::Option)?;
        let is_some = reader.explorer.borrow_mut().is_some(reader.place);
        if !is_some {
            return reader.note(visitor.visit_none());
        }
        let inside = reader.child(0);
        let result = visitor.visit_some(inside);
        if result.is_ok() {
            inside.explorer.borrow_mut().leave_out(inside.place.node);
        }
        reader.note(result)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        let reader = self.enter(Head::Tuple(0), None)?;
        reader.note(visitor.visit_unit())
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Halt> {
        let reader = self.enter(Head::Unit(name), None)?;
        reader.note(visitor.visit_unit())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Halt> {
        let reader = self.enter_as::<V>(Head::Newtype(name))?;
        let inside = reader.child(0);
        let result = visitor.visit_newtype_struct(inside);
        if result.is_ok() {
            inside.explorer.borrow_mut().leave_out(inside.place.node);
        }
        reader.note(result)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        let reader = self.enter_as::<V>(Head::Seq)?;
        let length = reader.explorer.borrow_mut().length(reader.place);
        reader.read_all(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Halt> {
        let reader = self.enter_as::<V>(Head::Map)?;
        let count = reader.explorer.borrow_mut().length(reader.place);
        let result = visitor.visit_map(Elements { reader, next: 0, count });
        if result.is_ok() && count > 0 {
            for child in 0..2 {
                let node = reader.child(child).place.node;
                reader.explorer.borrow_mut().leave_out(node);
            }
        }
        reader.note(result)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Halt> {
        let head = if len > LONGEST_TUPLE { Head::Array(len) } else { Head::Tuple(len) };
        self.tuple(head, len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Halt> {
        self.tuple(Head::TupleStruct(name, len), len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Halt> {
        self.tuple(Head::Struct(name, fields), fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Halt> {
        let reader = self.enter_as::<V>(Head::Enum(name, variants))?;
        reader.note(visitor.visit_enum(reader))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'de> EnumAccess<'de> for Reader<'_> {
    type Error = Halt;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Halt> {
        let mut explorer = self.explorer.borrow_mut();
        let Some(variant) = explorer.variant(self.place) else { return Err(explorer.cut()) };
        drop(explorer);
        let index: U32Deserializer<Halt> = u32::try_from(variant).map_err(|_| Halt)?.into_deserializer();
        Ok((seed.deserialize(index)?, self.child(variant)))
    }
}

impl<'de> VariantAccess<'de> for Reader<'_> {
    type Error = Halt;

    fn unit_variant(self) -> Result<(), Halt> {
        self.enter(Head::Unit(self.name()), None).map(drop)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Halt> {
        let reader = self.enter(Head::Newtype(self.name()), None)?;
        reader.child(0).read(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Halt> {
        self.enter(Head::TupleStruct(self.name(), len), None)?.read_all(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Halt> {
        self.enter(Head::Struct(self.name(), fields), None)?.read_all(fields.len(), visitor)
    }
}

/// The elements of a sequence, a tuple, a struct or a map.
struct Elements<'t> {
    reader: Reader<'t>,
    next: usize,
    count: usize,
}

impl Elements<'_> {
    /// Elements of sequences and arrays share the one child.
    fn child(&self, index: usize) -> Reader<'_> {
        let children = self.reader.explorer.borrow().tree.node(self.reader.place.node).children.len();
        self.reader.child(index.min(children.saturating_sub(1)))
    }
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Halt;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Halt> {
        if self.next == self.count {
            return Ok(None);
        }
        self.next += 1;
        self.child(self.next - 1).read(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.next)
    }
}

impl<'de> MapAccess<'de> for Elements<'_> {
    type Error = Halt;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Halt> {
        if self.next == self.count {
            return Ok(None);
        }
        self.next += 1;
        self.child(0).read(seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Halt> {
        self.child(1).read(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.next)
    }
}
