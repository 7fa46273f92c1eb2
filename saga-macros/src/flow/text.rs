//! The graph's text form, for tests and for whoever debugs the compiler.
//!
//! ```text
//! b0: def l1; use l1; suspend s0 -> b1
//! b1: use l1; return
//! ```

use std::fmt;

use super::{Event, Exit, Graph};

impl fmt::Display for Graph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, block) in self.blocks.iter().enumerate() {
            write!(formatter, "b{index}:")?;
            for event in &block.events {
                match event {
                    Event::Use(local) => write!(formatter, " use l{};", local.0)?,
                    Event::Define(local) => write!(formatter, " def l{};", local.0)?,
                    Event::Assign(local) => write!(formatter, " set l{};", local.0)?,
                    Event::Bind(group) => write!(formatter, " bind g{};", group.0)?,
                    Event::Change(group) => write!(formatter, " change g{};", group.0)?,
                    Event::Part(part) => write!(formatter, " part l{};", self.parts[part.0].local.0)?,
                }
            }
            match &block.exit {
                Exit::Goto(target) => writeln!(formatter, " goto b{}", target.0)?,
                Exit::Branch(targets) => {
                    let targets: Vec<_> = targets.iter().map(|target| format!("b{}", target.0)).collect();
                    writeln!(formatter, " branch {}", targets.join(" "))?;
                }
                Exit::Suspend { site, resume } => {
                    writeln!(formatter, " suspend s{} -> b{}", site.0, resume.0)?;
                }
                Exit::Return => writeln!(formatter, " return")?,
            }
        }
        Ok(())
    }
}
