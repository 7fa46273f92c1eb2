//! The strict serializer: holds what a value writes against what its type reads, and writes nothing.
//!
//! Postcard writes fields by position and variants by number. A field that is left out, or a variant that counts
//! differently on the way back, would be misread; here it is refused by its path. Where `Serialize` and
//! `Deserialize` use different words for the same bytes, nothing is compared.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

use super::tree::{Head, NodeId, Tree};
use crate::held::bounded;

/// Containers within containers; what is nested deeper could exhaust the stack of the server that reads it.
const MOST_DEPTH: u16 = 128;

/// Newtypes around one another; more are not looked through.
const MOST_STEPS: usize = 16;

/// A value that would be misread.
#[derive(Debug)]
pub(crate) struct Mismatch {
    pub(crate) path: String,
    pub(crate) reason: String,
    /// The value's own `Serialize` refused it.
    pub(crate) is_own: bool,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for Mismatch {}

impl ser::Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { path: String::new(), reason: message.to_string(), is_own: true }
    }
}

/// The serializer at one place. `node` is `None` where nothing can be compared.
#[derive(Clone, Copy)]
pub(super) struct Strict<'t> {
    tree: &'t Tree,
    node: Option<NodeId>,
    /// Containers around this place.
    depth: u16,
    /// All that is around it, as the reader counts.
    levels: u16,
}

impl<'t> Strict<'t> {
    pub(super) const fn new(tree: &'t Tree) -> Self {
        Self { tree, node: Some(Tree::ROOT), depth: 0, levels: 0 }
    }

    /// What the type reads here, if it is of this kind: behind newtypes, which leave no trace in the bytes, and in
    /// containers that were met before.
    fn find(self, is_it: impl Fn(Head) -> bool) -> Option<NodeId> {
        // Nearly always it is right here.
        let here = self.node?;
        if is_it(self.tree.node(here).head) {
            return Some(here);
        }
        let step = |id: &NodeId| {
            let node = self.tree.node(*id);
            match node.head {
                Head::Same(of) => Some(of),
                Head::Newtype(_) => node.children.first().copied(),
                _ => node.other,
            }
        };
        let steps = std::iter::successors(self.node, step).take(MOST_STEPS);
        steps.into_iter().find(|id| is_it(self.tree.node(*id).head))
    }

    fn at(self, node: Option<NodeId>) -> Self {
        Self { node, ..self }
    }

    fn child(self, of: Option<NodeId>, index: usize) -> Self {
        self.at(of.and_then(|of| self.tree.node(of).children.get(index).copied()))
    }

    fn deeper(self) -> Result<Self, Mismatch> {
        if self.depth == MOST_DEPTH {
            return Err(self.mismatch(format!("is nested more than {MOST_DEPTH} times")));
        }
        Self { depth: self.depth + 1, ..self }.level()
    }

    /// Options and newtypes are no containers, and take the reader's stack all the same.
    fn level(self) -> Result<Self, Mismatch> {
        if self.levels == bounded::MOST_DEPTH {
            return Err(self.mismatch(format!("is nested more than {} times", bounded::MOST_DEPTH)));
        }
        Ok(Self { levels: self.levels + 1, ..self })
    }

    fn mismatch(self, reason: impl Into<String>) -> Mismatch {
        let path = self.node.map(|node| self.tree.path(node)).unwrap_or_default();
        Mismatch { path, reason: reason.into(), is_own: false }
    }

    fn parts(self, of: Option<NodeId>) -> Result<Parts<'t>, Mismatch> {
        Ok(Parts { strict: self.deeper()?, of, next: 0 })
    }

    fn counted(self, of: Option<NodeId>, written: usize) -> Result<Parts<'t>, Mismatch> {
        if let Some(read) = of.map(|of| self.tree.node(of)).and_then(|node| node.head.len())
            && read != written
        {
            return Err(self
                .at(of)
                .mismatch(format!("is written with {written} fields and read with {read}")));
        }
        self.parts(of)
    }

    /// The variant that will be read, which must be the one that is written.
    fn variant(self, index: u32, variant: &'static str) -> Result<Option<NodeId>, Mismatch> {
        let Some(found) = self.find(|head| matches!(head, Head::Enum(..))) else { return Ok(None) };
        let node = self.tree.node(found);
        let Head::Enum(_, names) = node.head else { return Ok(None) };
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        match names.get(index) {
            Some(name) if *name == variant => Ok(node.children.get(index).copied()),
            Some(name) => Err(self
                .at(Some(found))
                .mismatch(format!("has the variant `{variant}`, which is read as `{name}`"))),
            None => Err(self
                .at(Some(found))
                .mismatch(format!("has the variant `{variant}`, which is never read"))),
        }
    }
}

impl Head {
    /// How many parts it has, where the encoding does not say.
    const fn len(self) -> Option<usize> {
        match self {
            Self::Tuple(len) | Self::Array(len) | Self::TupleStruct(_, len) => Some(len),
            Self::Struct(_, fields) => Some(fields.len()),
            Self::Unknown
            | Self::Unasked
            | Self::Leaf(_)
            | Self::Option
            | Self::Seq
            | Self::Map
            | Self::Unit(_)
            | Self::Newtype(_)
            | Self::Enum(..)
            | Self::Same(_) => None,
        }
    }
}

macro_rules! leaves {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, _: $type) -> Result<(), Mismatch> {
            Ok(())
        }
    )*};
}

impl<'t> Serializer for Strict<'t> {
    type Ok = ();
    type Error = Mismatch;
    type SerializeSeq = Parts<'t>;
    type SerializeTuple = Parts<'t>;
    type SerializeTupleStruct = Parts<'t>;
    type SerializeTupleVariant = Parts<'t>;
    type SerializeMap = Parts<'t>;
    type SerializeStruct = Parts<'t>;
    type SerializeStructVariant = Parts<'t>;

    leaves! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
        serialize_f32 f32;
        serialize_f64 f64;
        serialize_char char;
        serialize_str &str;
        serialize_bytes &[u8];
        serialize_unit_struct &'static str;
    }

    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<(), Mismatch> {
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Mismatch> {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Mismatch> {
        let option = self.find(|head| head == Head::Option);
        value.serialize(self.level()?.child(option, 0))
    }

    fn serialize_unit(self) -> Result<(), Mismatch> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<(), Mismatch> {
        self.variant(index, variant).map(drop)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Mismatch> {
        let newtype = self.find(|head| matches!(head, Head::Newtype(_)));
        let inner = self.level()?;
        value.serialize(if newtype.is_some() { inner.child(newtype, 0) } else { inner })
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Mismatch> {
        let variant = self.variant(index, variant)?;
        let inside = self.at(variant).find(|head| matches!(head, Head::Newtype(_)));
        value.serialize(self.deeper()?.child(inside, 0))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'t>, Mismatch> {
        self.parts(self.find(|head| head == Head::Seq))
    }

    fn serialize_tuple(self, len: usize) -> Result<Parts<'t>, Mismatch> {
        self.counted(self.find(|head| matches!(head, Head::Tuple(_) | Head::Array(_))), len)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Parts<'t>, Mismatch> {
        self.counted(self.find(|head| matches!(head, Head::TupleStruct(..))), len)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'t>, Mismatch> {
        let inside = self.at(self.variant(index, variant)?);
        self.counted(inside.find(|head| matches!(head, Head::TupleStruct(..))), len)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'t>, Mismatch> {
        self.parts(self.find(|head| head == Head::Map))
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Parts<'t>, Mismatch> {
        self.counted(self.find(|head| matches!(head, Head::Struct(..))), len)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'t>, Mismatch> {
        let inside = self.at(self.variant(index, variant)?);
        self.counted(inside.find(|head| matches!(head, Head::Struct(..))), len)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The parts of a container, in their order.
pub(super) struct Parts<'t> {
    strict: Strict<'t>,
    of: Option<NodeId>,
    next: usize,
}

impl Parts<'_> {
    /// Elements of arrays share a node.
    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Mismatch> {
        let head = self.of.map(|of| self.strict.tree.node(of).head);
        let index = if matches!(head, Some(Head::Array(_) | Head::Seq)) { 0 } else { self.next };
        self.next += 1;
        value.serialize(self.strict.child(self.of, index))
    }

    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Mismatch> {
        // Both names are from one derive, mostly, and then mostly one text in memory.
        if let Some(read) = self.expected()
            && !std::ptr::eq(read, key)
            && read != key
        {
            let place = self.strict.child(self.of, self.next);
            return Err(place.mismatch(format!("is read where `{key}` is written")));
        }
        self.element(value)
    }

    fn expected(&self) -> Option<&'static str> {
        match self.strict.tree.node(self.of?).head {
            Head::Struct(_, fields) => fields.get(self.next).copied(),
            _ => None,
        }
    }

    /// Said by `skip_serializing_if` when it skips.
    fn skip(&self, key: &'static str) -> Mismatch {
        let strict = self.strict.at(self.of);
        let mut mismatch = strict.mismatch("is left out when it is written and expected when it is read");
        mismatch.path.extend(["/", key]);
        mismatch
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident $end:ident)*) => {$(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Mismatch;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Mismatch> {
                self.element(value)
            }

            fn $end(self) -> Result<(), Mismatch> {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element end
    SerializeTuple serialize_element end
    SerializeTupleStruct serialize_field end
    SerializeTupleVariant serialize_field end
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Mismatch;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Mismatch> {
                self.field(key, value)
            }

            fn skip_field(&mut self, key: &'static str) -> Result<(), Mismatch> {
                Err(self.skip(key))
            }

            fn end(self) -> Result<(), Mismatch> {
                Ok(())
            }
        }
    )*};
}

structs!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Mismatch;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Mismatch> {
        key.serialize(self.strict.child(self.of, 0))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Mismatch> {
        value.serialize(self.strict.child(self.of, 1))
    }

    fn end(self) -> Result<(), Mismatch> {
        Ok(())
    }
}
