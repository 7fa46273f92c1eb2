//! Mutable references to what a closure finds in a place, over a question: the same is found again, by its number.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::kit::{Item, items, plan};
use saga_tests::law::{effect, noted};

use crate::reached::sizes;

bodies! {
    found_by_what_changes;
    found_or_a_failure(name: "two".to_owned());
    found_with_its_place;
    found_from_behind;
    found_in_a_part_of_a_part(at: 1);
    found_among_the_values_of_a_map;
    found_in_a_match;
    found_anew_in_a_loop;
    found_by_a_closure_with_an_effect;
    found_twice_at_once;
    found_nowhere;
    found_by_a_closure_of_ones_own;
    found_in_one_expression;
    found_in_a_later_condition;
    found_before_another_question;
}

#[saga_tool]
async fn found_by_what_changes() -> Result<String, ToolError> {
    let mut items = items();
    if let Some(item) = items.iter_mut().find(|item| item.size < 3) {
        item.size += 5;
        let name: Name = elicit(format!("{item:?}, which name?")).await?;
        item.name = name.name;
        elicit::<Yes>(format!("{item:?}?")).await?;
        item.size *= 2;
    }
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_or_a_failure(name: String) -> Result<String, ToolError> {
    let mut items = items();
    let item = items.iter_mut().find(|item| item.name == name).ok_or_else(|| format!("no {name}"))?;
    item.name = elicit::<Name>("Which name?").await?.name;
    let other = items.iter_mut().find(|item| item.size == 2).ok_or("none of two")?;
    elicit::<Yes>(format!("{}?", other.name)).await?;
    other.size = 3;
    let last = items.iter_mut().find(|item| item.name == name).ok_or("it has another name")?;
    elicit::<Yes>(format!("{}?", last.name)).await?;
    Ok(format!("{last:?}"))
}

#[saga_tool]
async fn found_with_its_place() -> Result<String, ToolError> {
    let mut items = items();
    let Some((at, item)) =
        items.iter_mut().enumerate().skip(1).find(|(at, item)| at % 2 == 0 && item.size > 0)
    else {
        return Ok("none".to_owned());
    };
    item.size = 0;
    elicit::<Yes>(format!("{at} {}?", item.name)).await?;
    item.tags.push(at.to_string());
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_from_behind() -> Result<String, ToolError> {
    let mut sizes = [5, 6, 7, 8];
    let size = sizes.iter_mut().rev().find(|size| **size < 8).unwrap();
    *size += u32::from(elicit::<Count>(format!("{size}?")).await?.n) + 10;
    elicit::<Yes>(format!("{size}?")).await?;
    *size += 1;
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn found_in_a_part_of_a_part(at: usize) -> Result<String, ToolError> {
    let mut plan = plan("p", 4);
    plan.items[noted(at)].tags.extend(["a".to_owned(), "bb".to_owned()]);
    let tag = plan.items[noted(at)].tags.iter_mut().find(|tag| tag.len() == 2).expect("one");
    tag.push('!');
    elicit::<Yes>(format!("{tag}?")).await?;
    tag.push('?');
    Ok(format!("{:?}", plan.items))
}

#[saga_tool]
async fn found_among_the_values_of_a_map() -> Result<String, ToolError> {
    let mut sizes = sizes();
    let least = sizes.values().min().copied().unwrap_or_default();
    let Some(size) = sizes.values_mut().find(|size| **size > least) else { return Ok("none".to_owned()) };
    *size = least;
    elicit::<Yes>(format!("{size}?")).await?;
    *size += 100;
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn found_in_a_match() -> Result<String, ToolError> {
    let mut items = items();
    for wanted in [4, 9, 1] {
        match items.iter_mut().find(|item| item.size == wanted) {
            Some(Item { name, size, .. }) if *size > 1 => {
                *name = elicit::<Name>(format!("{name} of {size}?")).await?.name;
                *size = 9;
                elicit::<Yes>(format!("{name} of {size}?")).await?;
                name.push('!');
            }
            Some(item) => {
                elicit::<Yes>(format!("{item:?}?")).await?;
                item.size = 0;
            }
            None => {
                elicit::<Yes>(format!("none of {wanted}?")).await?;
            }
        }
    }
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_anew_in_a_loop() -> Result<String, ToolError> {
    let mut items = items();
    let mut rounds = 0;
    while let Some(item) = items.iter_mut().find(|item| item.size > 1) {
        rounds += 1;
        item.size -= u32::from(elicit::<Count>(format!("{}?", item.name)).await?.n).clamp(1, item.size);
        if rounds == 6 {
            break;
        }
    }
    Ok(format!("{items:?} {rounds}"))
}

#[saga_tool]
async fn found_by_a_closure_with_an_effect() -> Result<String, ToolError> {
    let (mut items, mut seen) = (items(), 0);
    let item = items.iter_mut().find(|item| {
        seen += 1;
        effect(&item.name);
        item.size == 1
    });
    let Some(item) = item else { return Ok("none".to_owned()) };
    elicit::<Yes>(format!("{} after {seen}?", item.name)).await?;
    item.size = seen;
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_twice_at_once() -> Result<String, ToolError> {
    let (mut ours, mut theirs) = (items(), items());
    let (Some(one), Some(other)) =
        (ours.iter_mut().find(|item| item.size == 4), theirs.iter_mut().find(|item| item.size == 1))
    else {
        return Ok("none".to_owned());
    };
    std::mem::swap(one, other);
    Ok(format!("{ours:?} {theirs:?}"))
}

#[saga_tool]
async fn found_nowhere() -> Result<String, ToolError> {
    let mut sizes = vec![1, 2];
    let size = sizes.iter_mut().find(|size| **size == 7);
    let count: Count = elicit(format!("{size:?}?")).await?;
    if let Some(size) = size {
        *size = count.n;
    }
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn found_by_a_closure_of_ones_own() -> Result<String, ToolError> {
    let mut items = items();
    let wanted = elicit::<Name>("Which?").await?.name;
    let is_wanted = |item: &&mut Item| item.name.len() > wanted.len();
    let item = items.iter_mut().find(is_wanted).ok_or("none")?;
    elicit::<Yes>(format!("{}?", item.name)).await?;
    item.name = wanted;
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_in_one_expression() -> Result<String, ToolError> {
    let mut items = items();
    items.iter_mut().find(|item| item.size > 1).unwrap().tags.push(elicit::<Name>("?").await?.name);
    items.iter_mut().max_by_key(|item| noted(item.size)).unwrap().name = elicit::<Name>("?").await?.name;
    items.iter_mut().max_by_key(|item| noted(item.size)).unwrap().tags.push(elicit::<Name>("?").await?.name);
    items[1..].iter_mut().find(|item| item.size > 1).unwrap().tags.push(elicit::<Name>("?").await?.name);
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_in_a_later_condition() -> Result<String, ToolError> {
    let (mut items, least) = (items(), 1);
    if least > 0
        && let Some(item) = items.iter_mut().find(|item| item.size > least)
    {
        item.size = u32::from(elicit::<Count>("?").await?.n);
        item.tags.push(item.size.to_string());
    }
    if elicit::<Yes>("go?").await?.yes
        && let Some(item) = items.iter_mut().find(|item| noted(item.size) == least)
    {
        let count: Count = elicit(format!("{}?", item.name)).await?;
        item.size += u32::from(count.n);
    }
    let mut at = 0;
    while at < 3
        && let Some(item) = items.iter_mut().find(|item| item.size > at)
    {
        at += 1;
        item.size = u32::from(elicit::<Count>(format!("{}?", item.name)).await?.n);
        item.size += at;
    }
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn found_before_another_question() -> Result<String, ToolError> {
    let (mut items, mut at) = (items(), 0);
    while at < 2 {
        items[at..].iter_mut().find(|item| item.size > 1).unwrap().tags.push({
            at += 1;
            elicit::<Name>("?").await?.name
        });
        elicit::<Yes>(format!("{at}?")).await?;
        if let Some(item) = items.iter_mut().find(|item| item.size > 2) {
            item.tags.push(elicit::<Name>("?").await?.name);
        }
        elicit::<Yes>(format!("{at} again?")).await?;
    }
    Ok(format!("{items:?}"))
}
