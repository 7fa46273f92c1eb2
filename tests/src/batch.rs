//! Many tools held to the law in one process, which tells of each in a line of its own.

use std::io::Write;

use crate::prelude::Checked;

/// A tool's name, and what holds it to the law.
pub type Case = (&'static str, fn(&str) -> Checked);

/// Holds those of the tools to the law that the process is given as arguments. Prints `begins NAME` for each, then
/// `passed NAME SUSPENSIONS`, or `differs NAME` and the difference, indented.
pub fn run(cases: &[Case]) {
    let wanted = std::env::args().skip(1).collect::<Vec<_>>();
    // A panic is one end among others; it is compared, not printed.
    std::panic::set_hook(Box::new(|_| ()));
    for (name, check) in cases.iter().filter(|(name, _)| wanted.iter().any(|wanted| wanted == name)) {
        tell(&format!("begins {name}\n"));
        tell(&match check(name) {
            Ok(passed) => format!("passed {name} {}\n", passed.suspensions),
            Err(difference) => {
                let text = difference.to_string();
                let lines = text.lines().map(|line| format!("    {line}\n"));
                format!("differs {name}\n{}", lines.collect::<String>())
            }
        });
    }
}

/// Whoever reads is told at once, since the next tool may never end. If nobody reads, nobody misses it.
fn tell(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
