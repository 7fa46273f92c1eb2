//! Failures: by `?`, by the macros of `anyhow`, and held over a question.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt;
use std::io::{self, ErrorKind};
use std::num::ParseIntError;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail, ensure};
use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::kit::{Fleet, items};
use saga_tests::law::{effect, noted};

bodies! {
    of_anyhow;
    of_anyhow_in_a_tool_error(text: "x".to_owned());
    of_a_boxed_error(text: "x".to_owned());
    of_a_text;
    with_a_context;
    ensured;
    bailed_in_a_loop;
    of_a_number_held(text: "12x".to_owned());
    of_numbers_held;
    of_a_file_held;
    of_files_in_a_list;
    a_result_held(text: "-".to_owned());
    a_result_of_a_reference_held;
    asked_again_until_it_is_read;
    references_in_sets;
    references_in_a_queue;
    of_a_saga_that_gives_a_reference(names: vec!["ada".to_owned(), "bo".to_owned()]);
    of_an_async_function_that_gives_a_reference in Fleet::new();
    of_a_block_that_is_left(names: vec!["ada".to_owned(), "bo".to_owned()]);
}

fn read(text: &str) -> anyhow::Result<u32> {
    effect(format!("read {text}"));
    Ok(text.trim().parse::<u32>()?)
}

#[saga_tool]
async fn of_anyhow() -> anyhow::Result<String> {
    let name: Name = elicit("Who?").await?;
    let number = read(&name.name).or_else(|_| read("7"))?;
    let sure: Yes = elicit(format!("{number}?")).await?;
    if !sure.yes {
        return Err(anyhow!("not {number}"));
    }
    read("x")?;
    Ok(number.to_string())
}

#[saga_tool]
async fn of_anyhow_in_a_tool_error(text: String) -> Result<String, ToolError> {
    let seven = read("7")?;
    let sure: Yes = elicit(format!("{seven}?")).await?;
    let read = if sure.yes { read(&text)? } else { read("8").context("eight")? };
    Ok(read.to_string())
}

#[saga_tool]
async fn of_a_boxed_error(text: String) -> Result<String, ToolError> {
    fn read(text: &str) -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
        if text.is_empty() { Err("empty".into()) } else { Ok(text.parse()?) }
    }
    let one = read("1")?;
    elicit::<Yes>(format!("{one}?")).await?;
    Ok(read(&text)?.to_string())
}

#[saga_tool]
async fn of_a_text() -> Result<String, ToolError> {
    let count: Count = elicit("How many?").await?;
    let half = count.n.checked_sub(1).ok_or("none")?;
    elicit::<Yes>(format!("{half}?")).await?;
    let quarter = half.checked_sub(9).ok_or_else(|| format!("{half} is too few"))?;
    Ok(quarter.to_string())
}

#[saga_tool]
async fn with_a_context() -> anyhow::Result<String> {
    let name: Name = elicit("Who?").await.context("the first")?;
    let number = read("5").with_context(|| format!("for {}", name.name))?;
    let sure: Yes = elicit(format!("{number}?")).await.with_context(|| "the second")?;
    effect(sure.yes);
    Ok(number.to_string())
}

#[saga_tool]
async fn ensured() -> anyhow::Result<String> {
    ensure!(elicit::<Yes>("Begin?").await?.yes, "not begun");
    let count: Count = elicit("How many?").await?;
    ensure!(count.n > 0, "{} are none", count.n);
    ensure!(noted(count.n) < 200);
    Ok(count.n.to_string())
}

#[saga_tool]
async fn bailed_in_a_loop() -> anyhow::Result<String> {
    for round in 0..3_u8 {
        let sure: Yes = elicit(format!("{round}?")).await?;
        match (sure.yes, round) {
            (false, 1..) => bail!("stopped in {round}"),
            (true, 2) => bail!(StepError::Cancelled),
            _ => effect(round),
        }
    }
    Ok("never".to_owned())
}

#[saga_tool]
async fn of_a_number_held(text: String) -> Result<String, ToolError> {
    let number = match text.parse::<u8>() {
        Ok(number) => number,
        Err(error) => {
            let sure: Yes = elicit(format!("{error}. Take 7?")).await?;
            if !sure.yes {
                effect(format!("{error:?} {:?}", error.kind()));
                return Err(error.into());
            }
            7
        }
    };
    Ok(number.to_string())
}

#[saga_tool]
async fn of_numbers_held() -> Result<String, ToolError> {
    let texts = ["", "x", "256", "-129", "1"];
    let errors: Vec<ParseIntError> = texts.iter().filter_map(|text| text.parse::<i8>().err()).collect();
    let float = "1..".parse::<f32>();
    let flag = "maybe".parse::<bool>().unwrap_err();
    let large = u8::try_from(noted(300_u16)).unwrap_err();
    elicit::<Yes>(format!("{} errors?", errors.len())).await?;
    effect(format!("{errors:?} {float:?} {flag:?} {large:?}"));
    for error in errors {
        elicit::<Yes>(format!("{error}?")).await?;
        effect(format!("{error:?}"));
    }
    Ok(format!("{float:?} {flag} {large}"))
}

fn open(path: &str) -> io::Result<u32> {
    effect(format!("open {path}"));
    match path {
        "/here" => Ok(1),
        "/there" => Err(ErrorKind::PermissionDenied.into()),
        "/odd" => Err(io::Error::new(ErrorKind::InvalidData, "not a file of ours")),
        _ => Err(io::Error::from_raw_os_error(2)),
    }
}

#[saga_tool]
async fn of_a_file_held() -> Result<String, ToolError> {
    let mut told = Vec::new();
    for path in ["/here", "/there", "/odd", "/nowhere"] {
        match open(path) {
            Ok(found) => told.push(found.to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let sure: Yes = elicit(format!("{error}. Go on?")).await?;
                if !sure.yes {
                    return Err(error.into());
                }
            }
            Err(error) => {
                elicit::<Yes>(format!("{path}: {error}. Go on?")).await?;
                told.push(format!("{:?} {error} {error:?}", error.kind()));
            }
        }
    }
    Ok(told.join(", "))
}

#[saga_tool]
async fn of_files_in_a_list() -> Result<String, ToolError> {
    let mut failed = Vec::new();
    for path in ["/nowhere", "/odd"] {
        if let Err(error) = open(path) {
            failed.push((PathBuf::from(path), error));
        }
        elicit::<Yes>(format!("{path}?")).await?;
    }
    let first = failed.first().map(|(_, error)| error.kind());
    effect(format!("{first:?}"));
    Ok(failed
        .iter()
        .map(|(path, error)| format!("{}: {error}", path.display()))
        .collect::<Vec<_>>()
        .join(", "))
}

#[saga_tool]
async fn a_result_held(text: String) -> Result<String, ToolError> {
    let number = text.parse::<u32>();
    let opened = open(&text);
    elicit::<Yes>(format!("{} {}?", number.is_ok(), opened.is_ok())).await?;
    if let Err(error) = &opened {
        elicit::<Yes>(format!("{error}?")).await?;
    }
    let sum = number? + opened?;
    Ok(sum.to_string())
}

#[saga_tool]
async fn a_result_of_a_reference_held() -> Result<String, ToolError> {
    let items = noted(items());
    let found = items.iter().find(|item| item.size == 1).ok_or(fmt::Error);
    let missing = items.iter().find(|item| item.size == 99).ok_or(fmt::Error);
    elicit::<Yes>("Sure?").await?;
    effect(format!("{found:?} {missing:?}"));
    Ok(found?.name.clone() + &missing?.name)
}

#[saga_tool]
async fn asked_again_until_it_is_read() -> Result<String, ToolError> {
    let mut last = None;
    let number = loop {
        let hint = last.as_ref().map_or(String::new(), |error: &ParseIntError| format!(" ({error})"));
        let name: Name = elicit(format!("A number{hint}?")).await?;
        match name.name.parse::<u32>() {
            Ok(number) => break number,
            Err(error) if last.is_none() => last = Some(error),
            Err(error) => return Err(error.into()),
        }
    };
    Ok(format!("{number} {last:?}"))
}

#[saga_tool]
async fn references_in_sets() -> Result<String, ToolError> {
    let items = noted(items());
    let (mut seen, mut kept) = (HashSet::new(), BTreeSet::new());
    for item in &items {
        if !seen.insert(&item.name) {
            continue;
        }
        let sure: Yes = elicit(format!("{}, {} seen?", item.name, seen.len())).await?;
        if sure.yes {
            kept.insert((item.size, &item.name));
        }
    }
    let left: BTreeSet<_> =
        seen.into_iter().filter(|name| kept.iter().all(|(_, kept)| kept != name)).collect();
    elicit::<Yes>(format!("{} left?", left.len())).await?;
    Ok(format!("{kept:?} {left:?}"))
}

#[saga_tool]
async fn references_in_a_queue() -> Result<String, ToolError> {
    let items = noted(items());
    let mut queue: VecDeque<_> = items.iter().collect();
    let mut told = String::new();
    while let Some(item) = queue.pop_front() {
        let sure: Yes = elicit(format!("{} of {}?", item.name, queue.len())).await?;
        if !sure.yes && told.len() < 20 {
            queue.push_back(item);
        }
        told += &item.name;
    }
    Ok(told)
}

#[saga]
async fn pick<'a>(names: &'a [String], what: &str) -> Result<&'a String, ToolError> {
    let count: Count = elicit(format!("{what}: which of {}?", names.len())).await?;
    names.get(usize::from(count.n) % 3).ok_or_else(|| ToolError::new("there is none"))
}

#[saga_tool]
async fn of_a_saga_that_gives_a_reference(names: Vec<String>) -> Result<String, ToolError> {
    let first = call(pick(&names, "first")).await?;
    let sure: Yes = elicit(format!("{first}?")).await?;
    let second = match call(pick(&names, "second")).await {
        Ok(second) if sure.yes => second,
        Ok(_) | Err(_) => first,
    };
    elicit::<Yes>(format!("{first} and {second}?")).await?;
    Ok(format!("{first} {second}"))
}

#[saga_tool]
async fn of_an_async_function_that_gives_a_reference(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    async fn longest<'a>(names: &'a [String], fleet: &Fleet) -> Result<&'a str, ToolError> {
        fleet.pass(names.len()).await;
        names.iter().map(String::as_str).max_by_key(|name| name.len()).ok_or(ToolError::new("none"))
    }
    let names = noted(vec!["a".to_owned(), "bcd".to_owned()]);
    let name = longest(&names, fleet).await?;
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(name.to_owned())
}

/// Where the tool goes on in the loop, nothing says of which type `result` is but the loop.
#[saga_tool]
async fn of_a_block_that_is_left(names: Vec<String>) -> Result<Option<String>, ToolError> {
    let mut done = 0;
    let result = 'work: {
        for name in &names {
            let sure: Yes = elicit(format!("{name}?")).await?;
            if !sure.yes {
                break 'work Err(name);
            }
            done += 1;
        }
        Ok(done)
    };
    match result {
        Ok(0) => Ok(None),
        Ok(many) => Ok(Some(many.to_string())),
        Err(name) => {
            let sure: Yes = elicit(format!("Stopped at {name} after {done}. Fine?")).await?;
            Ok(sure.yes.then(|| name.clone()))
        }
    }
}
