//! Values without a name that something borrows from: they live as long as the whole expression.

use std::collections::{BTreeMap, BTreeSet};

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    operands_of_what_was_made(s: "AbC d".to_owned(), tags: vec!["x".to_owned(), "y".to_owned()]);
    operands_of_answers;
    loops_over_what_was_made(s: "AbC d".to_owned(), list: vec![3_u8, 1, 2]);
    loops_over_answers;
    guards_are_not_kept;
    scrutinees_of_what_was_made(at: 1_usize);
    in_order(s: "q".to_owned());
}

fn two(one: &str, other: u8) -> String {
    format!("{one}:{other}")
}

fn both(one: &str, other: &str) -> String {
    format!("{one}+{other}")
}

struct Made(String);

impl Made {
    fn name(&self) -> &str {
        &self.0
    }

    fn with(self, more: &str) -> Self {
        Self(format!("{}{more}", self.0))
    }
}

fn made(text: &str) -> Made {
    effect(format_args!("make {text}"));
    Made(text.to_owned())
}

#[saga_tool(max_rounds = 40)]
async fn operands_of_what_was_made(s: String, tags: Vec<String>) -> Result<String, ToolError> {
    let mut log = Vec::new();
    log.push(two(s.to_lowercase().trim(), elicit::<Count>("a?").await?.n));
    log.push(two(format!("{s}!").as_str(), elicit::<Count>("b?").await?.n));
    log.push(two(noted(s.clone()).split(' ').next().unwrap(), elicit::<Count>("c?").await?.n));
    log.push(two(tags.join(",").trim_matches('x'), elicit::<Count>("d?").await?.n));
    log.push((s.to_lowercase().trim() == elicit::<Name>("e?").await?.name).to_string());
    log.push([noted("p".to_owned()).as_str(), elicit::<Name>("f?").await?.name.as_str()].concat());
    log.push(two(vec![s.clone(), "w".to_owned()].last().unwrap(), elicit::<Count>("g?").await?.n));
    log.push(two(Made("plain".to_owned()).with("er").name(), elicit::<Count>("h?").await?.n));
    let count = BTreeMap::from([("k", noted(1))]).get("k").copied().unwrap_or_default()
        + u32::from(elicit::<Count>("i?").await?.n);
    Ok(format!("{log:?} {count}"))
}

#[saga_tool(max_rounds = 40)]
async fn operands_of_answers() -> Result<String, ToolError> {
    let mut log = Vec::new();
    log.push(two(elicit::<Name>("a?").await?.name.trim(), elicit::<Count>("b?").await?.n));
    log.push(both(elicit::<Name>("c?").await?.name.as_str(), elicit::<Name>("d?").await?.name.as_str()));
    log.push(format!(
        "{}-{}-{}",
        elicit::<Name>("e?").await?.name.trim(),
        noted(elicit::<Name>("f?").await?.name).to_uppercase().trim(),
        elicit::<Name>("g?").await?.name.trim(),
    ));
    log.push([elicit::<Name>("h?").await?.name.as_str(), elicit::<Name>("i?").await?.name.as_str()].concat());
    if elicit::<Name>("j?").await?.name.as_str() < elicit::<Name>("k?").await?.name.as_str() {
        log.push("less".to_owned());
    }
    Ok(format!("{log:?}"))
}

#[saga_tool(max_rounds = 60)]
async fn loops_over_what_was_made(s: String, list: Vec<u8>) -> Result<String, ToolError> {
    let mut log = Vec::new();
    for word in s.to_lowercase().split(' ') {
        elicit::<Yes>(format!("{word}?")).await?;
        log.push(word.to_owned());
    }
    for line in noted(format!("{s}\nz")).trim().lines() {
        elicit::<Yes>(format!("{line}?")).await?;
        log.push(line.to_owned());
    }
    for pair in noted(list.clone()).windows(2) {
        elicit::<Yes>(format!("{pair:?}?")).await?;
    }
    for part in noted(list.clone()).chunks(2).rev() {
        elicit::<Yes>(format!("{part:?}?")).await?;
    }
    for number in noted(list.clone()).drain(1..) {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    for number in BTreeSet::from([1, 5, 9]).range(2..) {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    let odd = BTreeSet::from([1, 3, 5]);
    for number in odd.difference(&BTreeSet::from([noted(3)])) {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    for (number, name) in list.iter().zip(&vec!["a".to_owned(), "b".to_owned()]) {
        elicit::<Yes>(format!("{number} {name}?")).await?;
    }
    for upper in made(&s).name().split(' ').map(str::to_uppercase) {
        elicit::<Yes>(format!("{upper}?")).await?;
    }
    effect("after");
    Ok(format!("{log:?}"))
}

#[saga_tool]
async fn loops_over_answers() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for word in elicit::<Name>("list?").await?.name.split(',') {
        elicit::<Yes>(format!("{word}?")).await?;
        log.push(word.len());
    }
    for (at, byte) in elicit::<Name>("bytes?").await?.name.as_bytes().chunks(2).enumerate() {
        if elicit::<Yes>(format!("{at} {byte:?}?")).await?.yes {
            break;
        }
    }
    Ok(format!("{log:?}"))
}

#[saga_tool]
async fn guards_are_not_kept() -> Result<String, ToolError> {
    let list = std::sync::Arc::new(std::sync::Mutex::new(vec![1_u8, 2]));
    let told = two(
        &list.lock().unwrap().iter().map(|number| number.to_string()).collect::<String>(),
        elicit::<Count>("a?").await?.n,
    );
    Ok(told)
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
enum Cell {
    Free,
    Taken(String),
}

fn plans() -> BTreeMap<String, Vec<u8>> {
    effect("plans");
    BTreeMap::from([("ada".to_owned(), vec![1, 2]), (String::new(), vec![3])])
}

/// What is looked at is of values without a name, with a question among them, or a place that an answer says.
#[saga_tool(max_rounds = 40)]
async fn scrutinees_of_what_was_made(mut at: usize) -> Result<String, ToolError> {
    let mut log = Vec::new();
    match plans().get(&elicit::<Name>("a?").await?.name) {
        Some(plan) => {
            elicit::<Yes>(format!("{plan:?}?")).await?;
            log.push(format!("{plan:?}"));
        }
        None => log.push("none".to_owned()),
    }
    if let Some(plan) = plans().get(elicit::<Name>("b?").await?.name.as_str()) {
        elicit::<Yes>(format!("{plan:?}?")).await?;
        log.push(format!("{plan:?}"));
    } else {
        log.push("none".to_owned());
    }
    while let Some(plan) = plans().get(elicit::<Name>("c?").await?.name.trim()) {
        log.push(format!("{plan:?}"));
        if elicit::<Yes>(format!("{plan:?}?")).await?.yes || log.len() > 4 {
            break;
        }
    }
    for number in plans().get(&elicit::<Name>("d?").await?.name).into_iter().flatten() {
        log.push(number.to_string());
    }
    for number in plans().get(&elicit::<Name>("e?").await?.name).into_iter().flatten() {
        elicit::<Yes>(format!("{number}?")).await?;
        log.push(number.to_string());
    }
    let grid = vec![vec![Cell::Free; 3], vec![Cell::Taken("x".to_owned()), Cell::Free, Cell::Free]];
    at = noted(at);
    match grid[at][usize::from(elicit::<Count>("f?").await?.n) % 3] {
        Cell::Free => log.push("free".to_owned()),
        Cell::Taken(_) => {
            elicit::<Yes>("taken?").await?;
            log.push("taken".to_owned());
        }
    }
    if let Cell::Taken(_) = grid[at][usize::from(elicit::<Count>("g?").await?.n) % 3] {
        log.push("taken".to_owned());
    }
    effect(format_args!("{log:?}"));
    Ok(format!("{log:?}"))
}

/// What is made is made in its order, and is there until the expression has its value.
#[saga_tool]
async fn in_order(s: String) -> Result<String, ToolError> {
    let told = both(
        made(&noted(s.clone())).with(&noted("r".to_owned())).name(),
        noted(elicit::<Name>("a?").await?.name).trim(),
    );
    effect(&told);
    Ok(told + &elicit::<Name>("b?").await?.name)
}
