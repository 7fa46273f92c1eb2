//! No copy of a key stays on the heap once its last ring is gone: P20.
//!
//! The process reads its own memory (`/proc/self/mem`) and looks for the key. It runs alone, without the test
//! runner, whose threads would have stacks among the mapped memory; elsewhere than on Linux it is left out, and says so.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use saga_runtime::KeyRing;
use saga_runtime::clock::{SystemClock, SystemEntropy};
use saga_runtime::token::{Binding, Claims, KeyList, Limits, Sealer};

/// A key that this program does not know in the clear, so that whatever is found is somebody's copy of it.
struct Masked {
    bytes: Vec<u8>,
}

const MASK: u8 = 0xa5;

impl Masked {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.iter().map(|byte| byte ^ MASK).collect() }
    }

    fn tail(&self) -> Self {
        Self { bytes: self.bytes[16..].to_vec() }
    }

    fn is_in(&self, memory: &[u8]) -> bool {
        let first = self.bytes[0] ^ MASK;
        let mut starts = memory.iter().enumerate().filter(|(_, byte)| **byte == first).map(|(at, _)| at);
        starts.any(|at| {
            let found = memory[at..].iter().map(|byte| byte ^ MASK);
            memory.len() - at >= self.bytes.len()
                && found.zip(&self.bytes).all(|(found, byte)| found == *byte)
        })
    }
}

/// The heap: what the allocator has of the system, given out or taken back.
fn heap() -> Option<Vec<(u64, usize)>> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let regions = maps.lines().filter_map(|line| {
        let mut parts = line.split_whitespace();
        let (range, rights) = (parts.next()?, parts.next()?);
        let name = parts.nth(3).unwrap_or_default();
        let (start, end) = range.split_once('-')?;
        let start = u64::from_str_radix(start, 16).ok()?;
        let end = u64::from_str_radix(end, 16).ok()?;
        let is_heap = rights.starts_with("rw") && (name == "[heap]" || name.is_empty());
        is_heap.then_some((start, usize::try_from(end - start).ok()?))
    });
    Some(regions.collect())
}

fn is_on_the_heap(key: &Masked) -> Option<bool> {
    let regions = heap()?;
    let mut memory = File::open("/proc/self/mem").ok()?;
    // One buffer, whose own content is never looked at: it is mapped after the regions were listed.
    let most = regions.iter().map(|(_, len)| *len).max()?;
    let mut buffer = vec![0; most];
    let mut is_found = false;
    for (start, len) in regions {
        memory.seek(SeekFrom::Start(start)).ok()?;
        if memory.read_exact(&mut buffer[..len]).is_ok() {
            is_found |= key.is_in(&buffer[..len]);
        }
    }
    buffer.fill(0);
    Some(is_found)
}

/// A token's whole life with this key.
fn use_key(ring: KeyRing) {
    let sealer = Sealer::new("fleet", ring).expect("a sealer");
    let binding = Binding {
        dialect: "test",
        method: "tools/call",
        tool: "deploy",
        principal: None,
        arguments: [0; 32],
    };
    let (limits, clock) = (Limits::default(), SystemClock);
    let now = saga_runtime::clock::Clock::now(&clock);
    let claims = Claims::first(now, 600, [1; 16]);
    let token = sealer.seal(&binding, &claims, b"state", &limits, &SystemEntropy, &clock).expect("a token");
    sealer.open(&token, &binding, &limits, now).expect("opens");
}

fn main() {
    if is_on_the_heap(&Masked::of(&[7; 32])).is_none() {
        println!("left out: keys in freed memory (this system does not show a process its own memory)");
        return;
    }
    let careless = KeyRing::generate_key().expect("a key");
    drop(vec![careless.clone(); 1000]);
    let left = Masked::of(&careless.as_bytes()[5..53]).tail();
    drop(zeroize_text(careless));
    assert_eq!(is_on_the_heap(&left), Some(true), "the harness finds what was given back in the clear");

    let path = std::env::temp_dir().join(format!("saga-key-memory-{}", std::process::id()));

    // By a child, so that the key's text was never in this process but in the file.
    let text = KeyRing::generate_key().expect("a key");
    let ring = KeyRing::parse(&text).expect("a ring");
    let as_text = Masked::of(&text.as_bytes()[5..53]);
    let key = decode(&as_text);
    // The tails: an allocator writes over the beginning of what it takes back.
    let (as_text, key) = (as_text.tail(), key.tail());
    assert_eq!(is_on_the_heap(&as_text), Some(true), "the harness finds a key that is there");
    assert_eq!(is_on_the_heap(&key), Some(true), "and the ring's own");
    std::fs::write(&path, &text).expect("a file");
    drop(zeroize_text(text));
    drop(ring);

    let read = || KeyList::read(&path).expect("a list");
    // Many at a time: a copy's place is soon another one's, and not all are.
    let rings: Vec<KeyRing> = (0..200).map(|_| read().ring().expect("a ring")).collect();
    rings.into_iter().for_each(use_key);
    let mut list = read();
    list.rotate(1, 2, None).expect("a step");
    drop((list.to_text(), list.to_line(), list));
    std::fs::remove_file(&path).expect("a file");
    assert_eq!(is_on_the_heap(&as_text), Some(false), "the key's text stayed in freed memory");

    assert_eq!(is_on_the_heap(&key), Some(false), "the key's bytes stayed in freed memory");
    println!("no copy of the key in freed memory");
}

fn zeroize_text(text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    bytes.fill(0);
    std::hint::black_box(bytes)
}

/// The masked bytes of a masked text, without either in the clear for longer than a character.
fn decode(text: &Masked) -> Masked {
    let digit = |masked: &u8| match masked ^ MASK {
        letter @ b'A'..=b'Z' => u32::from(letter - b'A'),
        letter @ b'a'..=b'z' => u32::from(letter - b'a') + 26,
        number @ b'0'..=b'9' => u32::from(number - b'0') + 52,
        b'-' => 62,
        _ => 63,
    };
    let groups =
        text.bytes.chunks(4).map(|group| group.iter().fold(0, |bits, masked| bits << 6 | digit(masked)));
    let bytes = groups.flat_map(|bits| {
        let [_, a, b, c] = bits.to_be_bytes();
        [a ^ MASK, b ^ MASK, c ^ MASK]
    });
    Masked { bytes: bytes.take(32).collect() }
}
