//! The rewrites that the messages of `travels` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use std::sync::Mutex;

use saga_runtime::{Form, StepError, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

struct Ledger {
    total: Mutex<u32>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Plan {
    title: String,
    steps: Vec<String>,
}

/// What a method borrowed is `Clone`, is borrowed again, or is held as a clone.
mod a_borrow_by_a_method {
    use super::*;

    #[derive(Clone, Serialize, Deserialize)]
    struct Route {
        stops: Vec<String>,
    }

    #[saga_tool]
    async fn tool() -> Result<usize, ToolError> {
        let routes = vec![Route { stops: Vec::new() }];
        let Some(first) = routes.first() else { return Ok(0) };
        #[saga(rebuild)]
        let Some(again) = routes.first() else { return Ok(0) };
        let Some(last) = routes.last().cloned() else { return Ok(0) };
        let ok: Confirm = elicit("Go?").await?;
        Ok(if ok.yes { first.stops.len() + again.stops.len() } else { last.stops.len() })
    }
}

/// A method that may run again, the field that it borrows, and the items.
mod a_method_of_ones_own {
    use super::*;

    impl Plan {
        fn as_str(&self) -> &str {
            &self.title
        }

        fn iter(&self) -> std::slice::Iter<'_, String> {
            self.steps.iter()
        }
    }

    #[saga_tool]
    async fn tool() -> Result<usize, ToolError> {
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
}

/// The other parts are taken with the first.
mod a_part_of_a_moved_struct {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<String, ToolError> {
        let plan = Plan { title: String::new(), steps: Vec::new() };
        let Plan { title, steps } = plan;
        drop(title);
        let ok: Confirm = elicit("Go?").await?;
        Ok(if ok.yes { steps.concat() } else { String::new() })
    }
}

/// A text of the program has its type.
mod a_static_text_without_its_type {
    use super::*;

    #[saga_tool]
    async fn tool(urgent: bool) -> Result<&'static str, ToolError> {
        let word: &'static str = if urgent { "now" } else { "later" };
        let ok: Confirm = elicit("Go?").await?;
        Ok(if ok.yes { word } else { "never" })
    }
}

/// A closure that borrows; or a function in place of a closure.
mod a_closure {
    use super::*;

    #[saga_tool]
    async fn tool(more: u8) -> Result<bool, ToolError> {
        fn add(n: u8, more: u8) -> u8 {
            n + more
        }
        let twice = |n: u8| n * 2 + more;
        let ok: Confirm = elicit("Add?").await?;
        Ok(ok.yes && add(1, more) == twice(1))
    }
}

/// A function in place of a closure.
mod a_closure_of_what_changed {
    use super::*;

    #[saga_tool]
    async fn tool(first: String, second: String) -> Result<bool, ToolError> {
        fn is_long(text: &str, most: usize) -> bool {
            text.len() > most
        }
        let before = &first;
        let mut chosen = &first;
        if is_long(before, 9) {
            chosen = &second;
        }
        let ok: Confirm = elicit(format!("Take {chosen}?")).await?;
        Ok(ok.yes && is_long(before, 5))
    }
}

/// A copy is taken.
mod a_closure_that_takes {
    use super::*;

    #[saga_tool]
    async fn tool(title: String) -> Result<String, ToolError> {
        let report = format!("{title}: done");
        let finish = || report.clone();
        let ok: Confirm = elicit("Finish?").await?;
        Ok(if ok.yes { finish() } else { title })
    }
}

/// Opened again after the question.
mod a_connection {
    use super::*;

    struct Connection;

    impl Connection {
        fn open() -> Self {
            Self
        }

        fn send(&self, _yes: bool) {}
    }

    #[saga_tool]
    async fn tool() -> Result<(), ToolError> {
        let ok: Confirm = elicit("Send it?").await?;
        Connection::open().send(ok.yes);
        Ok(())
    }
}

/// The form derives serde's traits.
mod a_form_without_serde {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        let first: Confirm = elicit("Once?").await?;
        let second: Confirm = elicit("Twice?").await?;
        Ok(first.yes && second.yes)
    }
}

/// A guard whose scope ends before the question; or that is taken after it.
mod a_guard_that_nothing_needs {
    use super::*;

    #[saga_tool]
    async fn transfer(#[context] ledger: &Ledger) -> Result<bool, StepError> {
        {
            let _held = ledger.total.lock();
        }
        let ok: Confirm = elicit("go?").await?;
        let _held = ledger.total.lock();
        Ok(ok.yes)
    }
}

/// A collection with an order; or what the loop needs, collected.
mod a_hash_map_in_a_loop {
    use std::collections::{BTreeMap, HashMap};

    use super::*;

    #[saga_tool]
    async fn tool(prices: BTreeMap<String, u32>, others: HashMap<String, u32>) -> Result<u32, ToolError> {
        let mut sum = 0;
        for (name, price) in &prices {
            let ok: Confirm = elicit(format!("Buy {name}?")).await?;
            if ok.yes {
                sum += price;
            }
        }
        let others: Vec<_> = others.into_iter().collect();
        for (name, price) in &others {
            let ok: Confirm = elicit(format!("Buy {name}?")).await?;
            if ok.yes {
                sum += price;
            }
        }
        Ok(sum)
    }
}

/// A condition in the value.
mod a_local_under_a_cfg {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<String, ToolError> {
        let path = if cfg!(unix) { String::from("/tmp") } else { String::new() };
        elicit::<Confirm>("Go?").await?;
        Ok(path)
    }
}

/// Locked again after the question.
mod a_lock_guard {
    use super::*;

    #[saga_tool]
    async fn tool(#[context] ledger: &Ledger) -> Result<u32, ToolError> {
        let before = *ledger.total.lock().unwrap();
        let ok: Confirm = elicit(format!("Add one to {before}?")).await?;
        let mut total = ledger.total.lock().unwrap();
        *total += u32::from(ok.yes);
        Ok(*total)
    }
}

/// A loop over a name of its own.
mod a_loop_over_what_is_assigned_inside {
    use super::*;

    #[saga_tool]
    async fn tool(first: Vec<String>, second: Vec<String>) -> Result<usize, ToolError> {
        let mut count = first.len();
        let items = &first;
        for name in items {
            if elicit::<Confirm>(name.as_str()).await?.yes {
                count = second.len();
            }
        }
        Ok(count)
    }

    #[saga_tool]
    async fn by_a_limit(names: Vec<String>, first: String, second: String) -> Result<usize, ToolError> {
        let mut limit = &first;
        let items: Vec<_> = names.iter().filter(|name| *name > limit).collect();
        for name in items {
            if elicit::<Confirm>(name.as_str()).await?.yes {
                limit = &second;
            }
        }
        Ok(limit.len())
    }
}

/// What is inside of the `Rc`.
mod an_rc {
    use std::rc::Rc;

    use super::*;

    #[saga_tool]
    async fn tool(name: String) -> Result<usize, ToolError> {
        let ok: Confirm = elicit("Go?").await?;
        let name = Rc::new(name);
        Ok(if ok.yes { name.len() } else { 0 })
    }
}

/// Cloned, as rustc says.
mod moved_before_the_question {
    use super::*;

    #[saga_tool]
    async fn tool(name: String) -> Result<String, ToolError> {
        let greeting = format!("Hello, {name}");
        drop(greeting.clone());
        let ok: Confirm = elicit("Greet?").await?;
        Ok(if ok.yes { greeting } else { name })
    }
}

/// What is asked beside it is asked first.
mod a_value_with_a_closure {
    use super::*;

    struct Rule<F> {
        holds: F,
    }

    fn rule<F: Fn(u32) -> bool>(holds: F) -> Rule<F> {
        Rule { holds }
    }

    fn allowed(rule: Rule<impl Fn(u32) -> bool>, price: u32, confirmed: bool) -> bool {
        (rule.holds)(price) || confirmed
    }

    #[saga_tool]
    async fn tool(prices: Vec<u32>, limit: u32) -> Result<usize, ToolError> {
        let mut bought = 0;
        for price in prices {
            let answer = elicit::<Confirm>("Buy?").await?;
            if allowed(rule(|price| price < limit), price, answer.yes) {
                bought += 1;
            }
        }
        Ok(bought)
    }
}

/// The items serialize.
mod items_of_a_loop {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Finding {
        text: String,
    }

    fn scan() -> Vec<Finding> {
        vec![Finding { text: "x".to_owned() }]
    }

    #[saga_tool]
    async fn tool() -> Result<u8, ToolError> {
        let mut fixed = 0;
        for finding in scan() {
            let ok: Confirm = elicit("Fix it?").await?;
            if ok.yes && finding.text.len() > 1 {
                fixed += 1;
            }
        }
        Ok(fixed)
    }
}

/// Items that travel, drawn one after the other.
mod items_drawn_by_hand {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Finding {
        text: String,
    }

    fn scan() -> Vec<Finding> {
        vec![Finding { text: "x".to_owned() }]
    }

    #[saga_tool]
    async fn tool() -> Result<u8, ToolError> {
        let mut fixed = 0;
        let mut findings = scan().into_iter();
        while let Some(finding) = findings.next() {
            let ok: Confirm = elicit("Fix it?").await?;
            if ok.yes && finding.text.len() > 1 {
                fixed += 1;
            }
        }
        Ok(fixed)
    }
}

/// Items that travel, drawn in parts or one by one.
mod items_drawn_in_parts {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Finding {
        text: String,
    }

    fn scan() -> Vec<Finding> {
        vec![Finding { text: "x".to_owned() }]
    }

    #[saga_tool]
    async fn tool() -> Result<usize, ToolError> {
        let mut fixed = 0;
        let mut findings = scan().into_iter().enumerate();
        while let Some((index, finding)) = findings.next() {
            let ok: Confirm = elicit("Fix it?").await?;
            if ok.yes && finding.text.len() > 1 {
                fixed += index;
            }
        }
        Ok(fixed)
    }

    #[saga_tool]
    async fn one_by_one() -> Result<usize, ToolError> {
        let mut findings = scan().into_iter();
        let first = findings.next().unwrap();
        let ok: Confirm = elicit("Fix it?").await?;
        Ok(if ok.yes { first.text.len() + findings.count() } else { 0 })
    }
}

/// What comes through the channel is collected, and travels.
mod a_channel_in_a_loop {
    use std::sync::mpsc;

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Conn {
        port: u16,
    }

    fn listen() -> (mpsc::Sender<Conn>, mpsc::Receiver<Conn>) {
        mpsc::channel()
    }

    #[saga_tool]
    async fn tool() -> Result<u32, ToolError> {
        let mut sum = 0;
        let conns: Vec<_> = listen().1.iter().collect();
        for conn in conns {
            let ok: Confirm = elicit("Keep it?").await?;
            if ok.yes {
                sum += u32::from(conn.port);
            }
        }
        Ok(sum)
    }
}

/// Items of which each part travels.
mod items_in_parts {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Finding {
        text: String,
    }

    fn scan() -> Vec<Finding> {
        vec![Finding { text: "x".to_owned() }]
    }

    #[saga_tool]
    async fn tool() -> Result<usize, ToolError> {
        let mut fixed = 0;
        for (index, finding) in scan().into_iter().enumerate() {
            let ok: Confirm = elicit("Fix it?").await?;
            if ok.yes && finding.text.len() > 1 {
                fixed += index;
            }
        }
        Ok(fixed)
    }
}

/// A range.
mod a_loop_over_a_number {
    use super::*;

    #[saga_tool]
    async fn tool(count: u32) -> Result<u32, ToolError> {
        let mut sum = 0;
        for number in 0..count {
            let ok: Confirm = elicit(format!("{number}?")).await?;
            sum += number * u32::from(ok.yes);
        }
        Ok(sum)
    }
}

/// Drawn by hand, and collected before.
mod an_adaptor_of_a_borrowed_iterator {
    use super::*;

    #[saga_tool]
    async fn tool(text: String) -> Result<usize, ToolError> {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let _: Confirm = elicit(line).await?;
            lines.next();
        }
        let long = |line: &&str| line.len() > 9;
        let two: Vec<_> = lines.by_ref().take(2).filter(|line| !line.is_empty()).skip_while(long).collect();
        for line in two {
            let _: Confirm = elicit(line).await?;
        }
        Ok(lines.count())
    }

    #[saga_tool]
    async fn by_closures(text: String, first: String, second: String) -> Result<usize, ToolError> {
        let (mut lines, mut number, mut limit) = (text.lines(), 0, &first);
        let numbered: Vec<_> = lines
            .by_ref()
            .take(2)
            .map(|line| {
                number += 1;
                format!("{number}: {line}")
            })
            .collect();
        for line in numbered {
            let _: Confirm = elicit(line).await?;
        }
        let least = limit;
        while let Some(line) = lines.next() {
            if line > least.as_str() {
                let _: Confirm = elicit(line).await?;
                limit = &second;
            }
        }
        Ok(lines.count() + limit.len())
    }
}

/// Bound by `let`.
mod what_a_macro_binds {
    use super::*;

    #[saga_tool]
    async fn tool(names: Vec<String>) -> Result<String, ToolError> {
        let [first, ..] = &names[..] else { return Err(ToolError::new("it does not fit")) };
        elicit::<Confirm>("Go?").await?;
        Ok(first.clone())
    }

    #[saga_tool]
    async fn in_a_text(names: Vec<String>) -> Result<String, ToolError> {
        let Some(last) = names.last() else { return Err(ToolError::new("it does not fit")) };
        elicit::<Confirm>("Go?").await?;
        Ok(format!("the last is {last}"))
    }
}

fn main() {}
