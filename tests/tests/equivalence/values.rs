//! Values that move, that are dropped, that cannot travel; code without questions around them: ordinary awaits,
//! closures, macros of the author's own, inner functions.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use saga_runtime::{StepError, ToolError, elicit, saga_tool, sample};
use saga_tests::forms::{Count, Name, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    moved_before_a_question;
    moved_after_a_question;
    moved_in_one_branch;
    moved_in_a_loop_once;
    taken_out_of_an_option;
    partly_moved_before;
    partly_moved_after;
    dropped_by_hand_before;
    dropped_by_scope_before;
    guards_between_questions;
    guard_made_and_used_after;
    not_serializable_around_awaits;
    not_serializable_in_each_iteration;
    not_serializable_consumed_by_match;
    awaits_between_questions;
    awaits_in_loops_with_questions;
    awaits_of_locals_and_blocks;
    joined_awaits;
    closures_between_questions;
    closures_that_capture_mutably;
    closures_over_answers;
    closures_returned_by_functions;
    own_macros;
    own_macros_that_return;
    debug_and_log_macros;
    format_captures_only;
    format_captures_in_nested_macros;
    format_width_captured;
    inner_functions_and_impls;
    generic_helpers;
    traits_and_dyn;
    iterator_chains_between;
    sorting_and_grouping;
    strings_built;
    arithmetic_over_many_questions;
    errors_converted;
    errors_held;
    sampled_held;
    results_held;
    nested_collections;
    time_and_numbers;
    tuple_structs_and_units;
    enum_state_machine;
    recursion_in_a_helper;
    mutexes_from_outside;
    let_underscore_guards;
    vec_of_answers;
    while_collecting;
    many_locals;
    diverging_helper;
    unused_after;
    const_blocks_and_arrays;
    async_block_between;
    labelled_and_shadowed;
    unit_lets_and_semicolons;
    try_operator_in_closures;
    chains_of_adaptors_that_ask;
    an_index_that_asks;
    iterators_beside_a_question;
}

#[saga_tool]
async fn moved_before_a_question() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let moved = text;
    let list = vec![moved.clone()];
    drop(moved);
    elicit::<Yes>(format!("{list:?}?")).await?;
    let mut outer = list;
    outer.push("x".to_owned());
    effect(outer.len());
    elicit::<Yes>(format!("{outer:?}?")).await?;
    Ok(outer.concat())
}

#[saga_tool]
async fn moved_after_a_question() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let list = noted(vec![1_u8]);
    elicit::<Yes>(format!("{text}?")).await?;
    let pair = (text, list);
    effect(&pair.0);
    elicit::<Yes>(format!("{}?", pair.0)).await?;
    let (text, list) = pair;
    std::thread::spawn(move || drop(list)).join().unwrap();
    Ok(text)
}

#[saga_tool]
async fn moved_in_one_branch() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let result = if elicit::<Yes>("move?").await?.yes {
        effect("moved");
        text
    } else {
        elicit::<Yes>(format!("keep {text}?")).await?;
        text.to_uppercase()
    };
    elicit::<Yes>(format!("{result}?")).await?;
    Ok(result)
}

#[saga_tool]
async fn moved_in_a_loop_once() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let mut index = 0;
    let out = loop {
        index += 1;
        if elicit::<Yes>(format!("{index} {text}?")).await?.yes || index > 3 {
            break text;
        }
        effect(index);
    };
    Ok(out + &index.to_string())
}

#[saga_tool]
async fn taken_out_of_an_option() -> Result<String, ToolError> {
    let mut slot = Some(noted("once".to_owned()));
    let mut log = Vec::new();
    for index in 0..3_u8 {
        if let Some(text) = slot.take() {
            elicit::<Yes>(format!("{text}?")).await?;
            log.push(text);
        } else if elicit::<Yes>(format!("{index}, refill?")).await?.yes {
            slot = Some(format!("again {index}"));
        }
        effect(format_args!("{slot:?}"));
    }
    Ok(format!("{log:?} {slot:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Parts {
    left: String,
    right: String,
    number: u8,
}

fn parts() -> Parts {
    Parts { left: "l".to_owned(), right: "r".to_owned(), number: 1 }
}

#[saga_tool]
async fn partly_moved_before() -> Result<String, ToolError> {
    let Parts { left, right, .. } = noted(parts());
    drop(left);
    elicit::<Yes>(format!("{right}?")).await?;
    effect(&right);
    let whole = parts();
    let right = whole.right;
    effect(whole.number);
    elicit::<Yes>(format!("{right}?")).await?;
    Ok(right)
}

#[saga_tool]
async fn partly_moved_after() -> Result<String, ToolError> {
    let whole = noted(parts());
    elicit::<Yes>("?").await?;
    let left = whole.left;
    effect(&left);
    let more = format!("{}{}", whole.right, whole.number);
    elicit::<Yes>(format!("{left} {more}?")).await?;
    Ok(left + &more)
}

#[derive(Clone)]
struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        effect(format_args!("drop {}", self.0));
    }
}

#[saga_tool]
async fn dropped_by_hand_before() -> Result<String, ToolError> {
    let noisy = Noisy("by hand");
    effect("made");
    drop(noisy);
    elicit::<Yes>("a?").await?;
    let noisy = Some(Noisy("in an option"));
    effect(noisy.is_some());
    drop(noisy);
    elicit::<Yes>("b?").await?;
    Ok(String::new())
}

#[saga_tool]
async fn dropped_by_scope_before() -> Result<String, ToolError> {
    let number = {
        let _noisy = Noisy("scope");
        let second = Noisy("second");
        effect(second.0);
        noted(1)
    };
    elicit::<Yes>(format!("{number}?")).await?;
    if noted(true) {
        let _noisy = Noisy("branch");
        effect("in branch");
    }
    for index in 0..2 {
        {
            let _noisy = Noisy("loop");
            effect(index);
        }
        elicit::<Yes>(format!("{index}?")).await?;
    }
    Ok(number.to_string())
}

#[saga_tool]
async fn guards_between_questions() -> Result<String, ToolError> {
    let shared = Mutex::new(noted(1_u8));
    *shared.lock().unwrap() += 1;
    let value = {
        let mut guard = shared.lock().unwrap();
        *guard += 1;
        *guard
    };
    let first = Count { n: value };
    elicit::<Yes>(format!("{value}?")).await?;
    let other = Mutex::new(first.n);
    let sum = *other.lock().unwrap() + value;
    effect(sum);
    elicit::<Yes>(format!("{sum}?")).await?;
    Ok(sum.to_string())
}

#[saga_tool]
async fn guard_made_and_used_after() -> Result<String, ToolError> {
    let count: Count = elicit("n?").await?;
    let shared = Arc::new(Mutex::new(vec![count.n]));
    let again = Arc::clone(&shared);
    again.lock().unwrap().push(7);
    let _noisy = Noisy("at the end");
    effect("last");
    let text = format!("{:?}", shared.lock().unwrap());
    Ok(text)
}

#[saga_tool]
async fn not_serializable_around_awaits() -> Result<String, ToolError> {
    let text = {
        let (sender, mut receiver) = tokio::sync::mpsc::channel::<u8>(4);
        sender.send(noted(1)).await?;
        tokio::task::yield_now().await;
        drop(sender);
        format!("{:?}", receiver.recv().await)
    };
    elicit::<Yes>(format!("{text}?")).await?;
    let handle = tokio::spawn(async { 5_u8 });
    let number = handle.await?;
    effect(number);
    elicit::<Yes>(format!("{number}?")).await?;
    Ok(text)
}

#[saga_tool]
async fn not_serializable_in_each_iteration() -> Result<String, ToolError> {
    let mut total = 0;
    for index in 0..3_u8 {
        let count: Count = elicit(format!("{index}?")).await?;
        let shared = Arc::new(Mutex::new(count.n));
        tokio::task::yield_now().await;
        total += *shared.lock().unwrap();
        let rest: Box<dyn Fn(u8) -> u8 + Send> = Box::new(move |number| number + index);
        total += rest(1);
        effect(total);
    }
    Ok(total.to_string())
}

#[saga_tool]
async fn not_serializable_consumed_by_match() -> Result<String, ToolError> {
    fn open(name: &str) -> Result<Noisy, std::io::Error> {
        effect(format_args!("open {name}"));
        if name.is_empty() { Err(std::io::Error::other("no name")) } else { Ok(Noisy("file")) }
    }
    let name = elicit::<Name>("file?").await?.name;
    let length = match open(&name) {
        Ok(file) => file.0.len(),
        Err(error) => {
            let text = error.to_string();
            drop(error);
            elicit::<Yes>(format!("{text}, go on?")).await?;
            0
        }
    };
    effect(length);
    elicit::<Yes>(format!("{length}?")).await?;
    Ok(format!("{name} {length}"))
}

async fn fetch(what: &str) -> Result<String, std::io::Error> {
    effect(format_args!("fetch {what}"));
    tokio::task::yield_now().await;
    effect(format_args!("got {what}"));
    if what == "bo" { Err(std::io::Error::other("bo is unknown")) } else { Ok(format!("<{what}>")) }
}

#[saga_tool]
async fn awaits_between_questions() -> Result<String, ToolError> {
    let before = fetch("start").await?;
    let name: Name = elicit(format!("{before}?")).await?;
    let page = fetch(&name.name).await?;
    let more = fetch(&page).await?;
    effect(&more);
    elicit::<Yes>(format!("{page} {more}?")).await?;
    tokio::time::sleep(std::time::Duration::ZERO).await;
    let last = fetch("end").await.unwrap_or_default();
    Ok(format!("{before}{page}{more}{last}"))
}

#[saga_tool]
async fn awaits_in_loops_with_questions() -> Result<String, ToolError> {
    let mut pages = Vec::new();
    for what in ["x", "bo", "y"] {
        match fetch(what).await {
            Ok(page) => {
                if elicit::<Yes>(format!("{page}?")).await?.yes {
                    pages.push(page);
                }
            }
            Err(error) => {
                effect(&error);
                if fetch("other").await.is_ok() && elicit::<Yes>(format!("{error}, stop?")).await?.yes {
                    break;
                }
            }
        }
    }
    while pages.len() < 4 {
        pages.push(fetch(&pages.len().to_string()).await?);
    }
    Ok(pages.concat())
}

#[saga_tool]
async fn awaits_of_locals_and_blocks() -> Result<String, ToolError> {
    let future = fetch("later");
    effect("not yet");
    let page = future.await?;
    elicit::<Yes>(format!("{page}?")).await?;
    let text = async {
        effect("in a block");
        fetch("inside").await.map(|page| page.len())
    }
    .await?;
    let boxed: std::pin::Pin<Box<dyn Future<Output = u8> + Send>> = Box::pin(async { 3 });
    let number = boxed.await;
    elicit::<Yes>(format!("{number}?")).await?;
    Ok(format!("{page} {text}"))
}

#[saga_tool]
async fn joined_awaits() -> Result<String, ToolError> {
    let (left, right) = tokio::join!(fetch("left"), fetch("right"));
    let (left, right) = (left?, right?);
    elicit::<Yes>(format!("{left} {right}?")).await?;
    let both = tokio::try_join!(fetch(&left), fetch(&right))?;
    effect(&both.0);
    let first = tokio::select! {
        biased;
        page = fetch("first") => page?,
        () = tokio::time::sleep(std::time::Duration::from_secs(60)) => "late".to_owned(),
    };
    elicit::<Yes>(format!("{both:?} {first}?")).await?;
    Ok(first)
}

#[saga_tool]
async fn closures_between_questions() -> Result<String, ToolError> {
    let factor = noted(2_u8);
    let list = vec![1_u8, 2, 3];
    let doubled: Vec<u8> = list.iter().map(|item| item * factor).collect();
    let count: Count = elicit(format!("{doubled:?}?")).await?;
    let add = |item: &u8| item + count.n + factor;
    let sums: Vec<u8> = doubled.iter().map(add).collect();
    effect(format_args!("{sums:?}"));
    elicit::<Yes>(format!("{sums:?}?")).await?;
    let shadow = |factor: u8| factor + 1;
    Ok(format!("{sums:?} {} {}", shadow(factor), list.iter().any(|item| *item == count.n)))
}

#[saga_tool]
async fn closures_that_capture_mutably() -> Result<String, ToolError> {
    let mut log = Vec::new();
    let mut total = 0_u8;
    let mut note = |text: &str, number: u8| {
        log.push(text.to_owned());
        total += number;
    };
    note("a", 1);
    note("b", 2);
    effect(total);
    let count: Count = elicit(format!("{log:?} {total}?")).await?;
    let mut note = |number| total += number;
    note(count.n);
    (0..2).for_each(|number| log.push(format!("{number}")));
    elicit::<Yes>(format!("{log:?} {total}?")).await?;
    let text = log.drain(..).fold(String::new(), |text, line| text + &line);
    Ok(format!("{text} {total} {}", log.len()))
}

#[saga_tool]
async fn closures_over_answers() -> Result<String, ToolError> {
    let answers = [elicit::<Count>("a?").await, elicit::<Count>("b?").await];
    let sum: u8 = answers.iter().flatten().map(|count| count.n).sum();
    let first_error = answers.iter().find_map(|answer| answer.as_ref().err().map(ToString::to_string));
    effect(sum);
    let name = elicit::<Name>("c?").await.map(|name| name.name).unwrap_or_else(|_| format!("nobody {sum}"));
    Ok(format!("{name} {first_error:?}"))
}

fn adder(number: u8) -> impl Fn(u8) -> u8 {
    move |other| number + other
}

#[saga_tool]
async fn closures_returned_by_functions() -> Result<String, ToolError> {
    let first = adder(noted(1))(2);
    let count: Count = elicit(format!("{first}?")).await?;
    let add = adder(count.n);
    let second = add(add(first));
    effect(second);
    elicit::<Yes>(format!("{second}?")).await?;
    Ok(second.to_string())
}

macro_rules! double {
    ($number:expr) => {
        $number * 2
    };
}

macro_rules! push_all {
    ($list:ident <- $($item:expr),*) => {
        $($list.push($item);)*
    };
}

#[saga_tool]
async fn own_macros() -> Result<String, ToolError> {
    let number = noted(3_u8);
    let mut list = Vec::new();
    push_all!(list <- number, double!(number));
    let count: Count = elicit(format!("{list:?}?")).await?;
    push_all!(list <- count.n, double!(count.n), double!(number));
    effect(format_args!("{list:?}"));
    elicit::<Yes>(format!("{}?", double!(list.len()))).await?;
    Ok(format!("{list:?} {}", double!(number)))
}

macro_rules! refuse_if {
    ($condition:expr, $($message:tt)*) => {
        if $condition {
            return Err(ToolError::new(format!($($message)*)));
        }
    };
}

#[saga_tool]
async fn own_macros_that_return() -> Result<String, ToolError> {
    let limit = noted(2_u8);
    for index in 0..3_u8 {
        let count: Count = elicit(format!("{index}?")).await?;
        refuse_if!(count.n > limit, "{} is over {limit} at {index}", count.n);
        effect(count.n);
    }
    elicit::<Yes>("done?").await?;
    Ok(String::new())
}

#[saga_tool]
async fn debug_and_log_macros() -> Result<String, ToolError> {
    let number = noted(2_u8);
    debug_assert_eq!(number, 2, "{number}");
    let count: Count = elicit("n?").await?;
    assert!(count.n < 9, "{} {number}", count.n);
    let text = std::format!("{number}{}", std::concat!("a", 1));
    effect(&text);
    let list: Vec<u8> = std::vec![number; usize::from(count.n)];
    elicit::<Yes>(std::format!("{list:?}?")).await?;
    Ok(format!("{text} {list:?} {}", matches!(count.n, 0 | 1 if number > 1)))
}

#[saga_tool]
async fn format_captures_only() -> Result<String, ToolError> {
    let first = noted("first".to_owned());
    let second = noted(2);
    let third = noted('c');
    elicit::<Yes>("nothing captured?").await?;
    effect(format!("{first}"));
    elicit::<Yes>(format!("{second:>4}?")).await?;
    effect(format_args!("{third:?}"));
    elicit::<Yes>("again nothing?").await?;
    Ok(format!("{first}{{not}}{second:03}"))
}

#[saga_tool]
async fn format_captures_in_nested_macros() -> Result<String, ToolError> {
    let name = noted("name".to_owned());
    let list = noted(vec![1]);
    elicit::<Yes>("?").await?;
    let text = vec![format!("{name}"), format!("{}", format_args!("{list:?}"))].join(&format!("{}", '-'));
    effect(&text);
    elicit::<Yes>("??").await?;
    let result: Result<String, ToolError> = Err(ToolError::new(format!("{text} {name}")));
    result.or_else(|error| if list.is_empty() { Err(error) } else { Ok(format!("{name} {text}")) })
}

#[saga_tool]
async fn format_width_captured() -> Result<String, ToolError> {
    let width = noted(6_usize);
    let precision = noted(2_usize);
    let value = 1.23456;
    elicit::<Yes>("?").await?;
    let text = format!("{value:width$.precision$}|{:>1$}|{:.2$}", "x", width, precision);
    effect(&text);
    Ok(text)
}

#[saga_tool]
async fn inner_functions_and_impls() -> Result<String, ToolError> {
    trait Shout {
        fn shout(&self) -> String;
    }
    impl Shout for str {
        fn shout(&self) -> String {
            self.to_uppercase()
        }
    }
    async fn inner(text: &str) -> String {
        effect(text);
        tokio::task::yield_now().await;
        text.shout()
    }
    type Pair = (String, u8);
    enum Size {
        Small,
        Large,
    }
    let pair: Pair = (inner("a").await, 1);
    let count: Count = elicit(format!("{pair:?}?")).await?;
    let size = if count.n > 1 { Size::Large } else { Size::Small };
    let text = match size {
        Size::Small => "small",
        Size::Large => "large",
    };
    elicit::<Yes>(format!("{text}?")).await?;
    Ok(format!("{}{}", inner(text).await, pair.1))
}

fn largest<T: PartialOrd + Copy>(items: &[T]) -> Option<T> {
    items
        .iter()
        .copied()
        .fold(None, |most, item| if most.is_some_and(|most| most >= item) { most } else { Some(item) })
}

#[saga_tool]
async fn generic_helpers() -> Result<String, ToolError> {
    let numbers = vec![elicit::<Count>("a?").await?.n, elicit::<Count>("b?").await?.n];
    let most = largest(&numbers);
    effect(format_args!("{most:?}"));
    let letters = largest::<char>(&elicit::<Name>("c?").await?.name.chars().collect::<Vec<_>>());
    let parsed = "7".parse::<i64>()?;
    elicit::<Yes>(format!("{most:?} {letters:?} {parsed}?")).await?;
    let collected = numbers.into_iter().map(u32::from).collect::<std::collections::BTreeSet<_>>();
    Ok(format!("{collected:?} {parsed}"))
}

#[saga_tool]
async fn traits_and_dyn() -> Result<String, ToolError> {
    let text = {
        let shapes: Vec<Box<dyn std::fmt::Display + Send>> = vec![Box::new(1), Box::new("two")];
        shapes.iter().map(|shape| format!("{shape}")).collect::<String>()
    };
    elicit::<Yes>(format!("{text}?")).await?;
    let number: &(dyn std::fmt::Debug + Sync) = &5;
    let shown = format!("{number:?}");
    effect(&shown);
    elicit::<Yes>(format!("{shown}?")).await?;
    Ok(text + &shown)
}

#[saga_tool]
async fn iterator_chains_between() -> Result<String, ToolError> {
    let names = vec!["ada".to_owned(), "bo".to_owned()];
    let lengths: std::collections::BTreeMap<_, _> =
        names.iter().map(|name| (name.clone(), name.len())).collect();
    let count: Count = elicit(format!("{lengths:?}?")).await?;
    let text = names
        .iter()
        .enumerate()
        .filter(|(index, _)| *index < usize::from(count.n))
        .flat_map(|(index, name)| name.chars().map(move |letter| format!("{index}{letter}")))
        .collect::<Vec<_>>()
        .join("-");
    effect(&text);
    let (short, long): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name.len() < 3);
    elicit::<Yes>(format!("{short:?} {long:?}?")).await?;
    Ok(format!("{text} {short:?} {long:?} {lengths:?}"))
}

#[saga_tool]
async fn sorting_and_grouping() -> Result<String, ToolError> {
    let mut rows = Vec::new();
    for key in ["b", "a", "b"] {
        rows.push((key, elicit::<Count>(format!("{key}?")).await?.n));
    }
    rows.sort_by_key(|(key, number)| (*key, std::cmp::Reverse(*number)));
    effect(format_args!("{rows:?}"));
    elicit::<Yes>("group?").await?;
    let mut groups = std::collections::BTreeMap::<_, Vec<_>>::new();
    for (key, number) in rows {
        groups.entry(key).or_default().push(number);
    }
    elicit::<Yes>(format!("{groups:?}?")).await?;
    Ok(format!("{groups:?}"))
}

#[saga_tool]
async fn strings_built() -> Result<String, ToolError> {
    let mut text = String::with_capacity(8);
    for part in ["a", "b"] {
        text.push_str(part);
        text += &elicit::<Name>(format!("{text}?")).await?.name;
        text.insert(0, '<');
        effect(&text);
    }
    let bytes = text.clone().into_bytes();
    let lines = text.lines().map(str::to_owned).collect::<Vec<_>>();
    elicit::<Yes>(format!("{}?", bytes.len())).await?;
    Ok(format!("{lines:?} {}", String::from_utf8_lossy(&bytes)))
}

#[saga_tool]
async fn arithmetic_over_many_questions() -> Result<String, ToolError> {
    let a = i64::from(elicit::<Count>("a?").await?.n);
    let b = i64::from(elicit::<Count>("b?").await?.n) + 1;
    let c = a * b - i64::from(elicit::<Count>("c?").await?.n);
    let d = (a + b).pow(2) / b + c.abs();
    effect(d);
    let e = f64::from(elicit::<Count>("e?").await?.n).sqrt();
    elicit::<Yes>(format!("{d} {e:.2}?")).await?;
    Ok(format!("{a} {b} {c} {d} {e:.3}"))
}

#[derive(Debug)]
enum Failure {
    Refused(StepError),
    Number(std::num::ParseIntError),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(error) => write!(formatter, "refused: {error}"),
            Self::Number(error) => write!(formatter, "no number: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Self {
        effect("converted");
        Self::Refused(error)
    }
}

impl From<std::num::ParseIntError> for Failure {
    fn from(error: std::num::ParseIntError) -> Self {
        Self::Number(error)
    }
}

#[saga_tool]
async fn errors_converted() -> Result<String, Failure> {
    let name: Name = elicit("a?").await?;
    effect(&name.name);
    let number: u8 = if name.name.is_empty() { "x".parse()? } else { "4".parse()? };
    let yes: Yes = elicit(format!("{number}?")).await.map_err(Failure::Refused)?;
    Ok(format!("{number} {yes:?}"))
}

#[saga_tool]
async fn errors_held() -> Result<String, ToolError> {
    let mut errors: Vec<StepError> = Vec::new();
    let mut last = None;
    for index in 0..4_u8 {
        match elicit::<Yes>(format!("{index}, {} errors?", errors.len())).await {
            Ok(yes) => last = Some(yes),
            Err(error) => errors.push(error),
        }
        effect(format_args!("{last:?}"));
    }
    Ok(format!("{errors:?}"))
}

#[saga_tool]
async fn sampled_held() -> Result<String, ToolError> {
    let verdict = sample("first?").await?;
    let mut history = vec![verdict.text()];
    effect(&history[0]);
    let again = sample(format!("{}?", verdict.text())).max_tokens(9).temperature(0.5).await?;
    history.push(again.text());
    elicit::<Yes>(format!("{} {}?", verdict.model(), again.text())).await?;
    Ok(format!("{history:?} {verdict:?} {:?}", again.role()))
}

#[saga_tool]
async fn results_held() -> Result<String, ToolError> {
    let parsed = "x".parse::<u8>().map_err(|error| error.to_string());
    let name = elicit::<Name>("a?").await;
    let nested: Result<Option<Name>, StepError> = Ok(Some(elicit("b?").await?));
    effect(format_args!("{parsed:?}"));
    elicit::<Yes>("c?").await?;
    Ok(format!("{parsed:?} {name:?} {nested:?}"))
}

#[saga_tool]
async fn nested_collections() -> Result<String, ToolError> {
    let mut tree: std::collections::BTreeMap<String, Vec<Option<(u8, Parts)>>> = Default::default();
    for key in ["a", "b"] {
        let count: Count = elicit(format!("{key} {}?", tree.len())).await?;
        tree.entry(key.to_owned()).or_default().push(Some((count.n, parts())));
        tree.entry("all".to_owned()).or_default().push(None);
        effect(tree.len());
    }
    let flat: Vec<_> = tree.values().flatten().flatten().map(|(n, parts)| (*n, parts.left.clone())).collect();
    elicit::<Yes>(format!("{flat:?}?")).await?;
    Ok(format!("{tree:?}"))
}

#[saga_tool]
async fn time_and_numbers() -> Result<String, ToolError> {
    let duration = std::time::Duration::from_millis(noted(1500));
    let address = std::net::IpAddr::from([127, 0, 0, 1]);
    let nonzero = std::num::NonZeroU8::new(3);
    let range = 1..4_u8;
    elicit::<Yes>("?").await?;
    effect(duration.as_secs());
    Ok(format!("{duration:?} {address} {nonzero:?} {range:?}"))
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Meters(f64);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Marker;

#[saga_tool]
async fn tuple_structs_and_units() -> Result<String, ToolError> {
    let meters = Meters(noted(1.5));
    let marker = Marker;
    let Meters(value) = meters;
    let count: Count = elicit(format!("{value}?")).await?;
    let sum = Meters(meters.0 + f64::from(count.n));
    effect(sum.0);
    elicit::<Yes>(format!("{marker:?}?")).await?;
    Ok(format!("{sum:?} {}", marker == Marker))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum State {
    Start,
    Named(String),
    Counted { name: String, count: u8 },
    End(String),
}

#[saga_tool]
async fn enum_state_machine() -> Result<String, ToolError> {
    let mut state = State::Start;
    let mut steps = 0;
    loop {
        steps += 1;
        effect(format_args!("{state:?}"));
        state = match state {
            State::Start => State::Named(elicit::<Name>("name?").await?.name),
            State::Named(name) => {
                let count: Count = elicit(format!("{name}, how many?")).await?;
                State::Counted { name, count: count.n }
            }
            State::Counted { name, count: 0 } => State::End(name),
            State::Counted { name, count } if steps < 6 => {
                if elicit::<Yes>(format!("{name} {count}, less?")).await?.yes {
                    State::Counted { name, count: count - 1 }
                } else {
                    State::Start
                }
            }
            State::Counted { count, .. } => State::End(count.to_string()),
            State::End(name) => break Ok(format!("{name} {steps}")),
        };
    }
}

fn depth(number: u8) -> u8 {
    if number == 0 { 0 } else { 1 + depth(number - 1) }
}

#[saga_tool]
async fn recursion_in_a_helper() -> Result<String, ToolError> {
    let one = depth(elicit::<Count>("a?").await?.n);
    let two = depth(depth(noted(3)) + elicit::<Count>("b?").await?.n);
    Ok(format!("{one} {two}"))
}

#[saga_tool]
async fn mutexes_from_outside() -> Result<String, ToolError> {
    static TOTAL: Mutex<u32> = Mutex::new(0);
    let count: Count = elicit("n?").await?;
    let before = {
        let mut total = TOTAL.lock().unwrap();
        *total = u32::from(count.n);
        *total
    };
    effect(before);
    elicit::<Yes>(format!("{before}?")).await?;
    Ok(before.to_string())
}

#[saga_tool]
async fn let_underscore_guards() -> Result<String, ToolError> {
    let _ = Noisy("at once");
    effect("after");
    elicit::<Yes>("?").await?;
    let cell = {
        let shared = Rc::new(RefCell::new(vec![1_u8]));
        shared.borrow_mut().push(2);
        let list = shared.borrow().clone();
        list
    };
    elicit::<Yes>(format!("{cell:?}?")).await?;
    Ok(format!("{cell:?}"))
}

#[saga_tool]
async fn vec_of_answers() -> Result<String, ToolError> {
    let mut targets: Vec<Target> = Vec::new();
    while targets.len() < 3 {
        targets.push(elicit(format!("{} so far, next?", targets.len())).await?);
        effect(targets.len());
    }
    targets.dedup();
    let best = targets.iter().max_by_key(|target| target.replicas).map(|target| target.region);
    elicit::<Yes>(format!("{best:?}?")).await?;
    targets.retain(|target| Some(target.region) == best);
    Ok(format!("{targets:?}"))
}

#[saga_tool]
async fn while_collecting() -> Result<String, ToolError> {
    let mut words = Vec::new();
    let mut letters = 0;
    while letters < 6 && words.len() < 5 {
        let Name { name } = elicit(format!("{letters} letters?")).await?;
        letters += name.len();
        words.push(name);
        effect(letters);
    }
    let longest = words.iter().max_by_key(|word| word.len()).cloned().unwrap_or_default();
    elicit::<Yes>(format!("{longest}?")).await?;
    Ok(format!("{words:?} {longest}"))
}

#[saga_tool]
async fn many_locals() -> Result<String, ToolError> {
    let (a, b, c, d) = (noted(1), noted(2_u8), noted("c"), noted("d".to_owned()));
    let e = [a, 5];
    let f = elicit::<Count>("f?").await?;
    let g = (b, f.n);
    let h = Some(&d);
    effect(h.is_some());
    let i = elicit::<Name>(format!("{a}{b}{c}{d}{e:?}")).await?;
    let j = i.name.len() + usize::from(g.1);
    let k = elicit::<Yes>(format!("{j} {g:?}")).await?;
    effect(j);
    let l = if k.yes { d.clone() } else { i.name.clone() };
    let m = elicit::<Target>(format!("{l}{a}")).await?;
    Ok(format!("{a}{b}{c}{d}{e:?}{f:?}{g:?}{i:?}{j}{k:?}{l}{m:?}"))
}

fn give_up(why: &str) -> ! {
    unreachable!("{why}")
}

#[saga_tool]
async fn diverging_helper() -> Result<String, ToolError> {
    let count: Count = elicit("n?").await?;
    let word: String = match count.n {
        0..=3 => elicit::<Name>("word?").await?.name,
        _ => give_up("never"),
    };
    let Some(first) = word.chars().next().or(Some('-')) else { give_up("never") };
    elicit::<Yes>(format!("{first}?")).await?;
    Ok(word)
}

#[saga_tool]
async fn unused_after() -> Result<String, ToolError> {
    let used_once = noted("once".to_owned());
    let number = used_once.len();
    elicit::<Yes>("?").await?;
    let text = number.to_string();
    elicit::<Yes>("?").await?;
    effect(&text);
    elicit::<Yes>("?").await?;
    Ok("nothing held".to_owned())
}

#[saga_tool]
async fn const_blocks_and_arrays() -> Result<String, ToolError> {
    const SIZES: [u8; 3] = [1, 2, 3];
    let table = [[0_u8; 2]; 2];
    let most = const { 2 + 3 };
    for size in SIZES {
        elicit::<Yes>(format!("{size} {most}?")).await?;
        effect(size);
    }
    for size in &SIZES {
        elicit::<Yes>(format!("{size}?")).await?;
        effect(table[0][0] + size);
    }
    Ok(format!("{table:?} {}", SIZES.len()))
}

#[saga_tool]
async fn async_block_between() -> Result<String, ToolError> {
    let name = elicit::<Name>("a?").await?.name;
    let length = async { name.len() }.await;
    let owned = name.clone();
    let task = tokio::spawn(async move {
        tokio::task::yield_now().await;
        owned.len()
    });
    let same = task.await? == length;
    effect(same);
    elicit::<Yes>(format!("{same}?")).await?;
    Ok(format!("{name} {length} {same}"))
}

#[saga_tool]
async fn labelled_and_shadowed() -> Result<String, ToolError> {
    let value = 'value: {
        let value = elicit::<Count>("a?").await?.n;
        if value == 0 {
            break 'value noted(100);
        }
        let value = value + elicit::<Count>(format!("{value}?")).await?.n;
        effect(value);
        value
    };
    let value = { value } + {
        let value = noted(1);
        value
    };
    elicit::<Yes>(format!("{value}?")).await?;
    Ok(value.to_string())
}

#[saga_tool]
async fn unit_lets_and_semicolons() -> Result<String, ToolError> {
    let unit = effect("unit");
    elicit::<Yes>("?").await?;
    {
        effect("block");
    };
    let () = unit;
    if elicit::<Yes>("?").await?.yes {};
    match elicit::<Count>("n?").await? {
        Count { n: 0 } => (),
        _ => {}
    };
    loop {
        break;
    }
    Ok(String::new())
}

#[saga_tool]
async fn try_operator_in_closures() -> Result<String, ToolError> {
    let count: Count = elicit("n?").await?;
    let parse = |text: &str| -> Result<u8, std::num::ParseIntError> {
        let number: u8 = text.parse()?;
        Ok(number + count.n)
    };
    let sum = parse("1").and_then(|one| parse("2").map(|two| one + two))?;
    let first = (|| Some(sum.checked_sub(3)? + 1))();
    effect(format_args!("{first:?}"));
    elicit::<Yes>(format!("{sum}?")).await?;
    Ok(format!("{sum} {first:?}"))
}

#[saga_tool]
async fn chains_of_adaptors_that_ask() -> Result<String, ToolError> {
    let (sizes, line, mut seen) = (vec![1_u8, 2, 3], String::from("ada bob cid"), 0);
    let nth = line.split(' ').nth(elicit::<Count>("?").await?.n.into()).unwrap_or("none").to_owned();
    let some: Vec<&u8> = sizes
        .iter()
        .skip(elicit::<Count>("from?").await?.n.into())
        .take(elicit::<Count>("how many?").await?.n.into())
        .collect();
    // Nothing of it runs before the question.
    let noted_ones: Vec<u8> = sizes
        .iter()
        .filter(|size| **size > 1)
        .map(|size| {
            seen += 1;
            noted(size * 2)
        })
        .take(elicit::<Count>(format!("{some:?}?")).await?.n.into())
        .collect();
    let sum: u8 = (sizes.iter().enumerate().map(|(at, size)| size - u8::from(at == 0)))
        .skip(noted(elicit::<Count>("from?").await?.n).into())
        .take(elicit::<Count>("how many?").await?.n.into())
        .sum();
    let doubled: Vec<u8> = (sizes.clone().into_iter().map(|size| size * 2))
        .take(elicit::<Count>("how many?").await?.n.into())
        .collect();
    let is_there = Some(3).map(noted).unwrap_or(elicit::<Count>("or?").await?.n);
    Ok(format!("{nth} {some:?} {noted_ones:?} {sum} {doubled:?} {is_there} {seen}"))
}

#[saga_tool]
async fn an_index_that_asks() -> Result<String, ToolError> {
    let (mut sizes, more) = (vec![0_u8; 4], 3);
    sizes[usize::from(elicit::<Count>("which?").await?.n)] += 1;
    sizes[usize::from(elicit::<Count>("which?").await?.n)] += more;
    sizes[noted(3)] += more;
    Ok(format!("{sizes:?}"))
}

fn first_ones(sizes: impl Iterator<Item = u8>, many: u8) -> Vec<u8> {
    sizes.take(many.into()).collect()
}

#[saga_tool]
async fn iterators_beside_a_question() -> Result<String, ToolError> {
    let (mut sizes, mut from) = (vec![1_u8, 2, 3, 4], 1);
    let skipped: Vec<u8> = (sizes.iter().skip(from).map(|size| size * 2))
        .take({
            from += 1;
            elicit::<Count>(format!("{from}?")).await?.n.into()
        })
        .collect();
    let firsts = first_ones(sizes.iter().copied(), elicit::<Count>("how many?").await?.n);
    let drained: Vec<u8> = sizes.drain(from..).take(elicit::<Count>("how many?").await?.n.into()).collect();
    let others = first_ones(sizes.into_iter().filter(|size| *size > 1), elicit::<Count>("?").await?.n);
    let words = [String::from("ada bob"), String::from("cid")];
    let texts: Vec<&str> = (words.iter().flat_map(|word| word.split(' ')))
        .take(elicit::<Count>("how many?").await?.n.into())
        .collect();
    Ok(format!("{skipped:?} {firsts:?} {drained:?} {others:?} {texts:?}"))
}
