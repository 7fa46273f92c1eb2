#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Mutex;

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

struct Connection;

impl Connection {
    fn open() -> Self {
        Self
    }

    fn send(&self, _yes: bool) {}
}

/// The connection is opened again after the question.
#[saga_tool]
async fn open_again() -> Result<(), ToolError> {
    let ok: Confirm = elicit("Send it?").await?;
    Connection::open().send(ok.yes);
    Ok(())
}

/// The form derives serde's traits.
#[saga_tool]
async fn travelling_form() -> Result<bool, ToolError> {
    let first: Confirm = elicit("Once?").await?;
    let second: Confirm = elicit("Twice?").await?;
    Ok(first.yes && second.yes)
}

/// What was chosen is kept, not a borrow of it.
#[saga_tool]
async fn owned_choice(one: String, other: String) -> Result<usize, ToolError> {
    let ok: Confirm = elicit("The other?").await?;
    let chosen = if ok.yes { other } else { one };
    let ok: Confirm = elicit("Sure?").await?;
    Ok(if ok.yes { chosen.len() } else { 0 })
}

/// The other parts are taken with the first.
#[saga_tool]
async fn taken_apart() -> Result<String, ToolError> {
    let plan = Plan { title: String::new(), steps: Vec::new() };
    let Plan { title, steps } = plan;
    drop(title);
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { steps.concat() } else { String::new() })
}

#[derive(Clone, Serialize, Deserialize)]
struct Plan {
    title: String,
    steps: Vec<String>,
}

/// What a method borrowed is borrowed again, or held as a clone.
#[saga_tool]
async fn borrowed_again() -> Result<usize, ToolError> {
    let plans = vec![Plan { title: String::new(), steps: Vec::new() }];
    #[saga(rebuild)]
    let Some(first) = plans.first() else { return Ok(0) };
    let Some(last) = plans.last().cloned() else { return Ok(0) };
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { first.steps.len() } else { last.steps.len() })
}

/// A method that may run again, the field that it borrows, and the items.
#[saga_tool]
async fn by_a_method() -> Result<usize, ToolError> {
    let plan = Plan { title: String::new(), steps: Vec::new() };
    #[saga(rebuild)]
    let title = plan.as_str();
    for step in &plan.steps {
        elicit::<Confirm>(format!("{title} {step}?")).await?;
    }
    for step in plan.iter().cloned().collect::<Vec<_>>() {
        elicit::<Confirm>(format!("{title} {step}?")).await?;
    }
    Ok(title.len())
}

impl Plan {
    fn as_str(&self) -> &str {
        &self.title
    }

    fn iter(&self) -> std::slice::Iter<'_, String> {
        self.steps.iter()
    }
}

/// A text of the program has its type.
#[saga_tool]
async fn typed_text(urgent: bool) -> Result<&'static str, ToolError> {
    let word: &'static str = if urgent { "now" } else { "later" };
    let ok: Confirm = elicit("Go?").await?;
    Ok(if ok.yes { word } else { "never" })
}

/// A collection with an order.
#[saga_tool]
async fn ordered(prices: BTreeMap<String, u32>) -> Result<u32, ToolError> {
    let mut sum = 0;
    for (name, price) in &prices {
        let ok: Confirm = elicit(format!("Buy {name}?")).await?;
        if ok.yes {
            sum += price;
        }
    }
    Ok(sum)
}

/// What is inside of the `Rc`.
#[saga_tool]
async fn without_the_rc(name: String) -> Result<usize, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    let name = Rc::new(name);
    Ok(if ok.yes { name.len() } else { 0 })
}

/// Locked again after the question.
#[saga_tool]
async fn locked_again(#[context] ledger: &Ledger) -> Result<u32, ToolError> {
    let before = *ledger.total.lock().unwrap();
    let ok: Confirm = elicit(format!("Add one to {before}?")).await?;
    let mut total = ledger.total.lock().unwrap();
    *total += u32::from(ok.yes);
    Ok(*total)
}

struct Ledger {
    total: Mutex<u32>,
}

/// A guard whose scope ends before the question.
#[saga_tool]
async fn guarded_before(#[context] ledger: &Ledger) -> Result<bool, ToolError> {
    {
        let _guard = ledger.total.lock();
    }
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

/// A function in place of a closure, and a closure that is made again.
#[saga_tool]
async fn functions(more: u8) -> Result<bool, ToolError> {
    fn add(n: u8) -> u8 {
        n + 1
    }
    #[saga(rebuild)]
    let twice = |n: u8| n * 2 + more;
    let ok: Confirm = elicit("Add?").await?;
    Ok(ok.yes && add(1) == twice(1))
}

/// A condition in the value.
#[saga_tool]
async fn conditional() -> Result<String, ToolError> {
    let path = if cfg!(unix) { String::from("/tmp") } else { String::new() };
    elicit::<Confirm>("Go?").await?;
    Ok(path)
}

/// A loop over a name of its own.
#[saga_tool]
async fn names_of_their_own(first: Vec<String>, second: Vec<String>) -> Result<usize, ToolError> {
    let mut count = first.len();
    let items = &first;
    for name in items {
        if elicit::<Confirm>(name.as_str()).await?.yes {
            count = second.len();
        }
    }
    Ok(count)
}

/// Another name for the local that would hide what is borrowed.
#[saga_tool]
async fn other_names(mut pair: (u32, String)) -> Result<u32, ToolError> {
    let one = &mut pair.0;
    let [other, ..] = [1, 2];
    elicit::<Confirm>("Go?").await?;
    *one = other;
    Ok(*one)
}

/// What the expression needs, bound without `mut`.
#[saga_tool]
async fn settled(names: Vec<String>) -> Result<String, ToolError> {
    let mut index = 0;
    let settled = index;
    #[saga(rebuild)]
    let name = names.get(settled);
    index += 1;
    elicit::<Confirm>("Go?").await?;
    Ok(format!("{name:?} {index}"))
}

fn main() {}
