//! What goes wrong around the sagas, one thing after the other, until they are done.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use saga_runtime::clock::{Clock, SystemClock};
use saga_runtime::token::{KeyList, Rotated};
use saga_tests::external::Redis;

use crate::figures::Figures;
use crate::fleet::Fleet;
use crate::server::{Settings, states};

/// Between two troubles.
const PAUSE: Duration = Duration::from_millis(200);
/// For longer than a question may wait for its answer, and clocks may differ.
const DAY: u64 = 24 * 60 * 60;

/// Makes trouble until all is over.
pub(crate) fn make(
    fleet: &Fleet,
    redis: &mut Redis,
    settings: &Settings,
    progress: &[Arc<AtomicU64>],
    is_over: &AtomicBool,
) -> Figures {
    let mut figures = Figures::default();
    let mut rotation = Rotation { fleet, settings, progress, is_over, day: 0, since: None };
    for turn in 0.. {
        if is_over.load(Ordering::SeqCst) {
            break;
        }
        match turn % 6 {
            0 | 3 => {
                // Told to stop, it ends what it does, and is started again.
                fleet.signal(turn, "-TERM");
                figures.restarts += 1;
            }
            1 | 4 => {
                fleet.signal(turn / 2, "-9");
                figures.kills += 1;
            }
            2 if turn % 24 == 2 => {
                redis.stop();
                std::thread::sleep(PAUSE);
                redis.restart();
                figures.redis_restarts += 1;
            }
            _ => figures.rotation_steps += u64::from(rotation.step()),
        }
        std::thread::sleep(PAUSE);
    }
    figures
}

struct Rotation<'a> {
    fleet: &'a Fleet,
    settings: &'a Settings,
    progress: &'a [Arc<AtomicU64>],
    is_over: &'a AtomicBool,
    /// The operator's calendar: each step is two days after the last.
    day: u64,
    /// How many replies each client had when the new key began to mint, while the old one is there.
    since: Option<Vec<u64>>,
}

impl Rotation<'_> {
    /// Takes the next step of a rotation as the deployment page says: everywhere, before the next; and the third
    /// only when no token of the old key is on its way.
    fn step(&mut self) -> bool {
        if !self.since.as_ref().is_none_or(|since| self.all_went_on(since)) {
            return false;
        }
        let mut list = KeyList::read(&self.settings.keys).expect("the keys");
        self.day += 2;
        let done = list.rotate(SystemClock.now() + self.day * DAY, DAY, None).expect("a step");
        let new = self.settings.keys.with_extension("new");
        std::fs::write(&new, list.to_text().as_bytes()).expect("a file");
        std::fs::rename(&new, &self.settings.keys).expect("a file");
        let expected = states(&list.ring().expect("a good list"));
        let ports = self.fleet.ports();
        let is_everywhere =
            ports.iter().enumerate().all(|(number, port)| self.reaches(number, *port, &expected));
        self.since = matches!(done, Rotated::Promoted(..)).then(|| self.replies());
        is_everywhere
    }

    fn replies(&self) -> Vec<u64> {
        self.progress.iter().map(|progress| progress.load(Ordering::SeqCst)).collect()
    }

    /// Every client got two replies more.
    fn all_went_on(&self, since: &[u64]) -> bool {
        self.replies().iter().zip(since).all(|(now, before)| *now >= before.saturating_add(2))
    }

    /// Tells an instance until it uses these keys.
    fn reaches(&self, number: usize, port: u16, expected: &str) -> bool {
        while !self.is_over.load(Ordering::SeqCst) {
            self.fleet.signal(number, "-HUP");
            if keys_of(port).is_some_and(|keys| keys == expected) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

/// The keys that an instance says it uses, if it answers.
fn keys_of(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    stream.write_all(b"GET /keys HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    response.split_once("\r\n\r\n").map(|(_, body)| body.to_owned())
}
