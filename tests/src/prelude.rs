//! All that a random tool uses.

pub use std::collections::BTreeMap;
pub use std::sync::LazyLock;

pub use saga_runtime::{
    StepError, ToolError, call, elicit, join, join_all, list_roots, saga, saga_tool, sample,
};
pub use serde::{Deserialize, Serialize};
pub use serde_json::{Map, json};

pub use crate::forms::{Count, Name, Region, Target, Yes};
pub use crate::kit::{
    Fleet, Item, Kind, Plan, Trouble, brief, bump, choose, item, length, looked_at, plan, prices, same,
    second,
};
pub use crate::law::{Difference, Passed, effect, law, noted};

/// What holding a tool to the law gives.
pub type Checked = Result<Passed, Box<Difference>>;

/// The context of all random tools.
pub static FLEET: LazyLock<Fleet> = LazyLock::new(Fleet::new);
