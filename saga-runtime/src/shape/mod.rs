//! The layout of held values: what a type's encoding consists of, found by watching how the type reads itself.
//!
//! A sealed state does not describe itself, so two builds of a tool must agree about each held type before they
//! exchange a value. [`of`] gives a type's fingerprint:
//!
//! ```text
//! BLAKE3("saga-layout/v1" ‖ 0 ‖ text), 4 bytes; text as in `tree`
//! ```
//!
//! Names of fields, variants and types are part of it, paths of types are not: a type may move between modules. It
//! covers types and not meaning. A part that no made-up value leads to is *opaque*: the path of the type around it
//! stands for it, so a change inside goes unseen, and another compiler may spell the path differently.

mod candidates;
mod explore;
mod reader;
mod reread;
mod strict;
#[cfg(test)]
mod tests;
mod tree;

use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde::{Deserialize, Serialize};

use self::explore::{Explorer, Place};
use self::reader::Reader;
pub(crate) use self::strict::Mismatch;
use self::strict::Strict;
use self::tree::Tree;
use crate::held::Unsealable;

/// Bytes up to which a value cannot take more memory than reading allows, unless its parts take kilobytes, or nothing and
/// are a hundred thousand.
const SHORT: usize = 512;

/// What is known of a type.
#[derive(Debug)]
pub(crate) struct Shape {
    tree: Tree,
    fingerprint: u32,
    /// Where the type asks what comes next.
    asks: Option<String>,
    /// A value of the type was read back in this process.
    is_proved: AtomicBool,
}

impl Shape {
    /// Says whether values of the type can be read from a sealed state at all.
    fn check(&self) -> Result<(), Unsealable> {
        match &self.asks {
            None => Ok(()),
            Some(path) => Err(Unsealable::asks(path.clone())),
        }
    }
}

/// The fingerprint of a type's encoding.
pub(crate) fn of<'de, T: Deserialize<'de>>() -> u32 {
    shape::<T>().fingerprint
}

/// Appends a value's bytes, if they will be read as this value again: as a `T`, which the value is, or shows.
///
/// Each value's `Serialize` is held against what its type's `Deserialize` asks for, so it runs twice. The first
/// value of each type in a process, long ones, and every one in debug builds, are read back.
///
/// # Errors
///
/// The path of the part that would be misread.
pub(crate) fn write<'de, T: Deserialize<'de>>(
    value: &impl Serialize,
    bytes: Vec<u8>,
) -> Result<Vec<u8>, Unsealable> {
    let shape = shape::<T>();
    shape.check()?;
    value.serialize(Strict::new(&shape.tree))?;
    let start = bytes.len();
    let bytes = postcard::to_extend(value, bytes)?;
    let is_long = bytes.len() - start > SHORT;
    if cfg!(debug_assertions) || is_long || !shape.is_proved.load(Ordering::Relaxed) {
        reread::reread::<T>(&bytes[start..])?;
        shape.is_proved.store(true, Ordering::Relaxed);
    }
    Ok(bytes)
}

/// Says whether values of the type can travel, as far as those show that the trace makes up: with each variant of each
/// enum, with each option full and empty.
///
/// # Errors
///
/// The path of a part that would be misread.
pub(crate) fn check<'de, T: Serialize + Deserialize<'de>>() -> Result<(), Unsealable> {
    check_by::<T>(|_| Ok(()))
}

/// The same, and reads back what each of the values writes.
///
/// # Errors
///
/// The path of a part that would be misread.
pub(crate) fn prove<'de, T: Serialize + Deserialize<'de>>() -> Result<(), Unsealable> {
    check_by::<T>(|value| reread::reread::<T>(&postcard::to_allocvec(value)?))
}

fn check_by<'de, T: Serialize + Deserialize<'de>>(
    further: impl Fn(&T) -> Result<(), Unsealable>,
) -> Result<(), Unsealable> {
    let shape = shape::<T>();
    shape.check()?;
    let check_one = |value: &T| {
        let strict = || value.serialize(Strict::new(&shape.tree));
        match catch_unwind(AssertUnwindSafe(strict)) {
            Ok(Ok(())) => further(value),
            Ok(Err(mismatch)) if !mismatch.is_own => Err(mismatch.into()),
            // The type's own code does not write this value: it is none that occurs.
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    };
    let mut checked = Ok(());
    let explorer = explore_with::<T>(|value| {
        checked = check_one(&value);
        is_on(checked.is_ok())
    });
    checked?;
    // What is learned from full options and lists may leave out empty ones.
    smallest::<T>(explorer).map_or(Ok(()), |value| check_one(&value))
}

/// Values of the type, as the trace makes them up.
pub(crate) fn samples<'de, T: Deserialize<'de>>(most: usize) -> Vec<T> {
    let mut samples = Vec::new();
    explore_with::<T>(|value| {
        samples.push(value);
        is_on(samples.len() < most)
    });
    samples
}

/// The smallest value of a type that was traced.
fn smallest<'de, T: Deserialize<'de>>(explorer: Explorer) -> Option<T> {
    let explorer = RefCell::new(explorer);
    let mut start = explorer.borrow_mut().start();
    start.is_short = true;
    let pass = || T::deserialize(Reader::new(&explorer, start)).ok();
    catch_unwind(AssertUnwindSafe(pass)).ok().flatten()
}

fn is_on(goes_on: bool) -> ControlFlow<()> {
    if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// A type's shape, traced once in a process.
///
/// The key is the address of the type's own `trace`. Types that borrow have no `TypeId`, and paths are not unique.
/// The linker may give one address to functions of the same code, and such give the same shape; it may give
/// several to one function, and then the type is traced as often.
fn shape<'de, T: Deserialize<'de>>() -> &'static Shape {
    traced_once(trace::<T>)
}

fn traced_once(trace: fn() -> Shape) -> &'static Shape {
    static SHAPES: RwLock<Option<HashMap<usize, &'static Shape>>> = RwLock::new(None);
    let key = trace as usize;
    // Each write is one insertion: a poisoned map is whole.
    let known = SHAPES.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(shape) = known.as_ref().and_then(|known| known.get(&key)) {
        return shape;
    }
    drop(known);
    let traced = trace();
    let mut known = SHAPES.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().entry(key).or_insert_with(|| Box::leak(Box::new(traced)))
}

fn trace<'de, T: Deserialize<'de>>() -> Shape {
    Shape::of(explore::<T>())
}

impl Shape {
    fn of(Explorer { tree, asks, .. }: Explorer) -> Self {
        let asks = asks.map(|node| tree.path(node));
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"saga-layout/v1\0").update(tree.text().as_bytes());
        let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
        Self { tree, fingerprint: u32::from_le_bytes([a, b, c, d]), asks, is_proved: AtomicBool::new(false) }
    }
}

fn explore<'de, T: Deserialize<'de>>() -> Explorer {
    explore_with::<T>(|_| ControlFlow::Continue(()))
}

/// Traces a type, and shows each value that the type took on the way, until it is known or nobody wants more.
fn explore_with<'de, T: Deserialize<'de>>(mut show: impl FnMut(T) -> ControlFlow<()>) -> Explorer {
    let taken = Cell::new(None);
    let mut pass = |explorer: &RefCell<Explorer>, start: Place| {
        taken.set(T::deserialize(Reader::new(explorer, start)).ok());
    };
    let mut show = || taken.take().map(&mut show);
    explore_by(type_name::<T>(), &mut pass, &mut show)
}

/// The same without the type: a pass makes a value, and showing it says whether there was one.
fn explore_by(
    name: &'static str,
    pass: &mut dyn FnMut(&RefCell<Explorer>, Place),
    show: &mut dyn FnMut() -> Option<ControlFlow<()>>,
) -> Explorer {
    let explorer = RefCell::new(Explorer::new(name));
    loop {
        let start = explorer.borrow_mut().start();
        // The author's code may not expect the values that are tried here.
        if catch_unwind(AssertUnwindSafe(|| pass(&explorer, start))).is_err() {
            explorer.borrow_mut().blame_last();
        }
        let shown = show();
        if shown.is_some() {
            explorer.borrow_mut().leave_out(Tree::ROOT);
        }
        let is_enough = shown.is_some_and(|shown| shown.is_break());
        if !explorer.borrow_mut().finish(shown.is_some()) || is_enough {
            return explorer.into_inner();
        }
    }
}
