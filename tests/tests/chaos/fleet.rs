//! The instances: each is started again whenever it ends.

use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use saga_tests::external::free_port;

use crate::server::Settings;

/// The instances of one server.
pub(crate) struct Fleet {
    instances: Vec<Arc<Instance>>,
    keepers: Mutex<Vec<JoinHandle<()>>>,
}

struct Instance {
    port: u16,
    settings: Settings,
    child: Mutex<Option<Child>>,
    is_over: AtomicBool,
}

impl Fleet {
    /// Starts so many instances.
    pub(crate) fn start(instances: usize, settings: &Settings) -> Self {
        let instance = |_| {
            let (port, settings) = (free_port(), settings.clone());
            Arc::new(Instance { port, settings, child: Mutex::default(), is_over: AtomicBool::new(false) })
        };
        let instances: Vec<_> = (0..instances).map(instance).collect();
        let keeper = |instance: &Arc<Instance>| {
            let instance = Arc::clone(instance);
            std::thread::spawn(move || instance.keep())
        };
        let keepers = Mutex::new(instances.iter().map(keeper).collect());
        Self { instances, keepers }
    }

    pub(crate) fn ports(&self) -> Vec<u16> {
        self.instances.iter().map(|instance| instance.port).collect()
    }

    /// Sends a signal to one of the instances, if it runs.
    pub(crate) fn signal(&self, number: usize, signal: &str) {
        self.instances[number % self.instances.len()].signal(signal);
    }

    /// Ends all instances for good.
    pub(crate) fn stop(&self) {
        for instance in &self.instances {
            instance.is_over.store(true, Ordering::SeqCst);
            instance.signal("-9");
        }
        for keeper in self.keepers.lock().expect("no panic").drain(..) {
            keeper.join().expect("no panic");
        }
    }
}

impl Instance {
    fn keep(&self) {
        while !self.is_over.load(Ordering::SeqCst) {
            let mut child = self.child();
            if !is_running(&mut child) {
                *child = Some(self.settings.command(self.port).spawn().expect("an instance"));
            }
            drop(child);
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Some(mut child) = self.child().take() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn signal(&self, signal: &str) {
        let mut child = self.child();
        if !is_running(&mut child) {
            return;
        }
        let Some(running) = child.as_ref() else { return };
        let status = std::process::Command::new("kill").args([signal, &running.id().to_string()]).status();
        assert!(status.is_ok(), "there is `kill`");
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().expect("no panic")
    }
}

/// Its end is seen by nobody else while the lock is held: no signal goes to another's process.
fn is_running(child: &mut Option<Child>) -> bool {
    child.as_mut().is_some_and(|child| child.try_wait().expect("a child").is_none())
}
