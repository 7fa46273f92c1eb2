//! What a key holder may write into a state: P18. It is read or refused, within bounds.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::Held;
use super::bounded::read;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone, Default)]
struct List {
    next: Option<Box<List>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Wrapped(Option<Box<Wrapped>>);

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
enum Tree {
    Leaf,
    Branch(Vec<Tree>),
    Named { name: String, inner: BTreeMap<String, Tree> },
}

fn list(len: usize) -> List {
    (0..len).fold(List::default(), |next, _| List { next: Some(Box::new(next)) })
}

/// A thread as small as those of a server.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread").join().expect("no panic");
}

#[test]
fn deep_values_are_refused_and_overflow_no_stack() {
    on_a_small_stack(|| {
        let deepest = postcard::to_allocvec(&list(127)).expect("bytes");
        assert_eq!(read::<List>(&deepest), Some(list(127)));
        for depth in [200, 10_000, 65_536] {
            assert_eq!(read::<List>(&vec![1; depth]), None);
            assert_eq!(read::<Wrapped>(&vec![1; depth]), None);
            assert_eq!(read::<Tree>(&[1, 1].repeat(depth)), None);
        }
    });
}

/// What is sealed is read again: the same depth is refused on the way out.
#[test]
fn what_could_not_be_read_is_not_sealed() {
    on_a_small_stack(|| {
        for len in 0..600 {
            if let Ok(bytes) = list(len).encode(Vec::new()) {
                assert_eq!(read::<List>(&bytes), Some(list(len)));
            }
            let wrapped = (0..len).fold(Wrapped(None), |inner, _| Wrapped(Some(Box::new(inner))));
            if let Ok(bytes) = wrapped.encode(Vec::new()) {
                assert_eq!(read::<Wrapped>(&bytes), Some(wrapped));
            }
        }
        assert!(list(120).encode(Vec::new()).is_ok() && list(140).encode(Vec::new()).is_err());
    });
}

/// Serde reads arrays of up to 32 elements; four of them take a kilobyte.
type Large = Option<[[u64; 32]; 4]>;

#[test]
fn a_value_takes_no_more_memory_than_its_bytes_allow() {
    assert_eq!(size_of::<Large>(), 1032);
    let zeros = |len: usize| {
        let mut bytes = postcard::to_allocvec(&len).expect("bytes");
        bytes.resize(bytes.len() + len, 0);
        bytes
    };
    assert_eq!(read::<Vec<Large>>(&zeros(900)).map(|all| all.len()), Some(900));
    assert_eq!(read::<Vec<Large>>(&zeros(65_000)), None, "65 KB would be 67 MB");
    assert_eq!(read::<Vec<Large>>(&zeros(6_000)), None, "6 KB would be 6 MB");
    assert_eq!(read::<Vec<u8>>(&zeros(65_000)).map(|all| all.len()), Some(65_000));
    assert_eq!(read::<Vec<Option<u64>>>(&zeros(65_000)).map(|all| all.len()), Some(65_000));

    let many = postcard::to_allocvec(&(1_u64 << 40)).expect("bytes");
    assert_eq!(read::<Vec<()>>(&many), None, "it would take minutes");
    assert_eq!(read::<HashMap<u64, u64>>(&many), None);
    assert_eq!(read::<std::collections::HashSet<()>>(&many), None);
    assert_eq!(read::<String>(&many), None);
    let thousand = postcard::to_allocvec(&vec![(); 1000]).expect("bytes");
    assert_eq!(read::<Vec<()>>(&thousand).map(|all| all.len()), Some(1000));
}

/// The same of memory: who holds so much of nothing is told when it is held, and not when the answer comes.
#[test]
fn what_would_take_too_much_memory_is_not_sealed() {
    for len in [100, 900, 3_000, 60_000] {
        let large: Vec<Large> = vec![None; len];
        if let Ok(bytes) = large.encode(Vec::new()) {
            assert!(read::<Vec<Large>>(&bytes).is_some(), "{len}");
        }
    }
}

#[test]
fn bytes_that_are_left_over_are_refused() {
    let mut bytes = postcard::to_allocvec(&7_u32).expect("bytes");
    assert_eq!(read::<u32>(&bytes), Some(7));
    bytes.push(0);
    assert_eq!(read::<u32>(&bytes), None);
}

fn tree() -> impl Strategy<Value = Tree> {
    Just(Tree::Leaf).prop_recursive(6, 64, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::Branch),
            (".{0,8}", prop::collection::btree_map(".{0,4}", inner, 0..4))
                .prop_map(|(name, inner)| Tree::Named { name, inner }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The bounds are seen by nobody who does not exceed them.
    #[test]
    fn honest_values_are_read_as_they_were(tree in tree(), text in ".{0,100}", all in prop::collection::vec(any::<(i64, f64, Option<char>)>(), 0..50)) {
        let value = (tree, text, all);
        let bytes = value.encode(Vec::new()).expect("it travels");
        prop_assert_eq!(read::<(Tree, String, Vec<(i64, f64, Option<char>)>)>(&bytes), Some(value));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read::<Tree>(&bytes);
        let _ = read::<List>(&bytes);
        let _ = read::<HashMap<String, Vec<Tree>>>(&bytes);
        let _ = read::<Vec<(u128, Option<Result<char, bool>>, [i16; 3])>>(&bytes);
        let _ = read::<(&str, &[u8], ())>(&bytes);
    }
}
