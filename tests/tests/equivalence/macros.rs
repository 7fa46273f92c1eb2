//! Macros that hide a way out: a `break` or a `continue` of the loop around them, or a `return`.

use saga_runtime::{StepError, ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    hidden_in_an_argument;
    hidden_behind_a_path;
    hidden_in_a_loop;
    hidden_in_for;
    hidden_at_the_end;
    in_a_loop_that_moves_and_assigns(names: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    hidden_continues(names: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    bound_by_a_macro_between_questions;
    named_by_a_macro_and_called_after;
    a_parameter_bound_anew_by_a_macro(name: "n".to_owned());
    a_macro_that_changes_a_parameter(count: 1_u8);
}

macro_rules! stop_if {
    ($c:expr) => {
        if $c {
            break;
        }
    };
}
macro_rules! leave_if {
    ($c:expr, $v:expr) => {
        if $c {
            return Ok($v.to_string());
        }
    };
}

#[saga_tool]
async fn hidden_in_a_loop() -> Result<String, ToolError> {
    let mut n = 0;
    loop {
        let c: Count = elicit(format!("{n}?")).await?;
        n += c.n;
        leave_if!(n == 2, n);
        stop_if!(n > 5);
    }
    Ok(n.to_string())
}

#[saga_tool]
async fn hidden_in_for() -> Result<String, ToolError> {
    let names = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let mut seen = Vec::new();
    let kept = noted("k".to_owned());
    for (i, name) in names.iter().enumerate() {
        let y: Yes = elicit(format!("{name}?")).await?;
        stop_if!(!y.yes && i > 0);
        let more: Count = elicit(format!("{name} more?")).await?;
        leave_if!(more.n == 3, kept);
        seen.push(format!("{name}{}", more.n));
        if more.n == 2 {
            stop_if!(seen.len() > 1);
        }
    }
    let mut left = 3;
    while left > 0 {
        left -= 1;
        let moved = noted(vec![left]);
        let y: Yes = elicit(format!("{moved:?}?")).await?;
        drop(moved);
        stop_if!(y.yes);
    }
    let r: Result<u8, StepError> = 'outer: loop {
        let mut n = 0;
        loop {
            let c: Count = match elicit(format!("{n}?")).await {
                Ok(c) => c,
                Err(e) => break 'outer Err(e),
            };
            n += c.n;
            if n > 4 {
                break 'outer Ok(n);
            }
            stop_if!(c.n == 0);
            effect(n);
        }
        effect("inner ended");
        if n == 0 {
            break Ok(9);
        }
    };
    Ok(format!("{seen:?} {kept} {left} {r:?}"))
}
#[saga_tool]
async fn hidden_at_the_end() -> Result<String, ToolError> {
    let mut n = 0;
    loop {
        let c: Count = elicit(format!("{n}?")).await?;
        n += c.n + 1;
        leave_if!(n > 5, n);
        effect(n);
    }
}

macro_rules! next_if {
    ($condition:expr) => {
        if $condition {
            continue;
        }
    };
}

#[saga_tool]
async fn hidden_continues(names: Vec<String>) -> Result<String, ToolError> {
    let mut seen = Vec::new();
    for name in &names {
        let tag = noted(format!("<{name}>"));
        let sure: Yes = elicit(format!("{name}?")).await?;
        next_if!(!sure.yes);
        let many: Count = elicit(format!("{tag} {}?", sure.yes)).await?;
        seen.push(tag);
        next_if!(many.n > 1);
        effect(many.n);
    }
    let mut left = 4;
    while left > 0 {
        left -= 1;
        for word in seen.clone() {
            let ok: Yes = elicit(format!("{word} {left}?")).await?;
            next_if!(ok.yes);
            stop_if!(left == 1);
            let owned = noted(word);
            left -= elicit::<Yes>("less?").await.is_ok_and(|less| less.yes && left > 0) as u8;
            effect(owned);
        }
        next_if!(left == 2);
        effect(left);
    }
    Ok(format!("{seen:?}"))
}

/// A macro that may hide a `break`, in the part of an iteration that a question does not go back to, and beside a local
/// that is moved before the question and assigned after it.
#[saga_tool]
async fn in_a_loop_that_moves_and_assigns(names: Vec<String>) -> Result<String, ToolError> {
    macro_rules! note { ($log:expr, $($text:tt)*) => { $log.push(format!($($text)*)) }; }
    macro_rules! stop_at {
        ($count:expr) => {
            if $count > 3 {
                break;
            }
        };
    }
    let (mut log, mut plan) = (Vec::new(), names);
    while plan.len() > 1 {
        note!(log, "plan of {}", plan.len());
        let old = plan;
        let keeps: Yes = elicit(format!("{old:?}?")).await?;
        plan = old.into_iter().skip(1 + usize::from(keeps.yes)).collect();
    }
    loop {
        stop_at!(log.len());
        let old = plan;
        let name: Name = elicit(format!("{old:?}, and who?")).await?;
        plan = old.into_iter().chain([name.name]).collect();
        log.push(format!("{}", plan.len()));
    }
    Ok(format!("{plan:?} {log:?}"))
}

#[saga_tool]
async fn hidden_in_an_argument() -> Result<String, ToolError> {
    macro_rules! or_stop {
        ($goes_on:expr) => {
            if $goes_on { 1 } else { break }
        };
    }
    let mut text = String::new();
    loop {
        let goes_on: Yes = elicit(format!("{text}?")).await?;
        text.push_str(&format!("{}", or_stop!(goes_on.yes)));
        if text.len() > 5 {
            return Ok(text);
        }
    }
    Ok(format!("{text} and no more"))
}

/// A macro of a crate hides a `break` like one of one's own.
#[saga_tool]
async fn hidden_behind_a_path() -> Result<String, ToolError> {
    let mut sum = elicit::<Count>("how many?").await?.n;
    loop {
        tokio::select! {
            biased;
            () = async {} => break,
        }
    }
    let last = loop {
        sum = sum.wrapping_add(elicit::<Count>(format!("{sum}?")).await?.n).wrapping_add(1);
        tokio::select! {
            biased;
            () = async {} => {
                if sum > 9 {
                    break sum;
                }
            }
        }
    };
    Ok(format!("{sum} {last}"))
}

macro_rules! let_assert {
    ($pattern:pat = $value:expr) => {
        let $pattern = $value else { return Err(ToolError::new("no")) };
    };
}

macro_rules! apply {
    ($function:ident, $value:expr) => {
        effect($function($value));
    };
}

const LEAST: u8 = 12;

fn double(n: u8) -> u8 {
    n * 2
}

#[saga_tool]
async fn bound_by_a_macro_between_questions() -> Result<String, ToolError> {
    let mut sum = 0;
    for n in 0..3 {
        elicit::<Yes>("go?").await?;
        let_assert!(Some(more) = noted(Some(n)));
        sum += more;
        effect(format!("{more}"));
    }
    {
        let_assert!(Some(more) = noted(Some(1)));
        effect(more);
    }
    elicit::<Yes>("on?").await?;
    let more = 7;
    Ok(format!("{sum}{more}"))
}

#[saga_tool]
async fn named_by_a_macro_and_called_after() -> Result<String, ToolError> {
    apply!(double, 2);
    apply!(double, LEAST);
    elicit::<Yes>("go?").await?;
    Ok(format!("{} {:x}", double(4), LEAST))
}

macro_rules! shout {
    ($name:ident) => {
        let $name = $name.to_uppercase();
    };
}

#[saga_tool]
async fn a_parameter_bound_anew_by_a_macro(name: String) -> Result<String, ToolError> {
    elicit::<Yes>(format!("{name}?")).await?;
    shout!(name);
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(name)
}

/// A macro of one's own that names a parameter which is changed over a question.
#[saga_tool]
async fn a_macro_that_changes_a_parameter(mut count: u8) -> Result<String, ToolError> {
    let mut log = Vec::new();
    macro_rules! more {
        ($by:expr) => {
            count += $by;
            log.push(count);
        };
    }
    more!(1);
    count += elicit::<Yes>("a?").await?.yes as u8;
    more!(2);
    elicit::<Yes>("b?").await?;
    more!(3);
    Ok(format!("{log:?} {count}"))
}
