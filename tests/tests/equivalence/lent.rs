//! Shared references that no place gives: what they show travels, and is lent again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use saga_runtime::{ToolError, call, elicit, join, join_all, saga, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::kit::{Fleet, Item, item, items};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    a_list_with_one_to_begin_with;
    references_to_pairs_with_a_text(text: "one three seventeen".to_owned());
    the_first_and_the_last;
    by_a_key(key: "b".to_owned());
    by_a_function_of_ones_own;
    by_a_method_of_the_context in Fleet::new();
    best_so_far;
    best_of_none_so_far;
    reassigned_by_an_answer(one: "one".to_owned(), other: "two".to_owned());
    several_in_a_list;
    pairs_in_a_list;
    answers_beside_references(names: vec!["ada".to_owned(), "bo".to_owned()]);
    out_of_branches(left: true);
    of_a_temporary;
    taken_apart;
    by_an_impure_closure;
    while_there_is_a_first;
    beside_a_list_that_goes_on;
    passed_to_a_saga;
    asked_together;
    shadowed_by_what_it_shows;
    typed_in_the_last_loop(many: 3_usize);
    typed_in_the_last_loop(many: 9_usize);
    in_maps_and_beside_numbers;
    typed_by_what_comes_later;
    of_a_reference_that_is_moved_on;
    by_a_limit_that_is_assigned_after;
    by_a_key_that_is_assigned_after(key: "b".to_owned());
    through_a_mutable_borrow;
    a_slice_of_a_list;
    annotated_and_assigned_later(left: false);
    of_a_list_of_references;
    of_a_list_of_texts(line: "one two three".to_owned());
    of_a_list_in_a_map;
    of_references_best_so_far;
    the_first_reference_and_the_rest(line: "one two three".to_owned());
    references_advanced_by_hand(line: "one two three".to_owned());
    a_loop_over_a_part_of_references(line: "one two three four".to_owned());
    references_to_references_in_a_list;
    texts_beside_numbers;
    texts_beside_lists_of_texts;
    references_as_keys;
    copied_out_of_a_list;
    copied_out_of_a_list_that_changes;
    in_an_array;
    out_of_a_parameter;
    of_a_map_from_texts;
    of_pairs_of_a_text_and_a_struct(text: "one three seventeen".to_owned());
    of_structs_with_a_text(text: "one three seventeen".to_owned());
    partitions_of_a_map_from_texts;
    partitions_of_pairs_with_a_text;
    iterators_over_a_map_from_texts;
    found_in_a_map_from_texts;
    passed_with_their_texts(text: "one three seventeen".to_owned());
}

fn cheapest(items: &[Item]) -> Option<&Item> {
    effect("looked for the cheapest");
    items.iter().min_by_key(|item| item.size)
}

trait Named {
    fn longest(&self) -> &String;
}

impl Named for Fleet {
    fn longest(&self) -> &String {
        effect("looked for the longest");
        self.regions.iter().max_by_key(|region| region.len()).unwrap()
    }
}

#[saga_tool]
async fn the_first_and_the_last() -> Result<String, ToolError> {
    let items = items();
    let first = items.first();
    let Some(last) = items.last() else { return Ok("none".into()) };
    let second = items.get(noted(1)).ok_or(ToolError::new("no second"))?;
    let y: Yes = elicit(format!("{first:?} {}?", last.name)).await?;
    let sizes = (first.map(|first| first.size), last.size, second.size);
    for tag in &second.tags {
        let n: Count = elicit(format!("{tag} {sizes:?}?")).await?;
        effect(n.n);
    }
    Ok(format!("{} {} {} {}", y.yes, first.unwrap().name, last.name, items.len()))
}

#[saga_tool]
async fn by_a_key(key: String) -> Result<String, ToolError> {
    let prices = BTreeMap::from([("a".to_owned(), vec![3_u32]), ("b".to_owned(), vec![1, 2])]);
    let Some(list) = prices.get(&key) else { return Ok(String::new()) };
    let (name, cheap) = prices.first_key_value().unwrap();
    let y: Yes = elicit(format!("{list:?} {name} {cheap:?}?")).await?;
    if let Some(price) = list.first() {
        let n: Count = elicit(format!("{price}?")).await?;
        effect(format_args!("{price} {}", n.n));
    }
    match prices.get("none").or(prices.get("a")) {
        Some(found) if found.len() == 1 => {
            let n: Count = elicit(format!("{found:?}?")).await?;
            effect(format_args!("{found:?} {}", n.n));
        }
        other => effect(format_args!("{other:?}")),
    }
    Ok(format!("{list:?} {name} {cheap:?} {}", y.yes))
}

#[saga_tool]
async fn by_a_function_of_ones_own() -> Result<String, ToolError> {
    let items = items();
    let Some(best) = cheapest(&items) else { return Err(ToolError::new("none")) };
    let y: Yes = elicit(format!("{}?", best.name)).await?;
    let name = &best.name;
    let n: Count = elicit(format!("{name}?")).await?;
    Ok(format!("{} {name} {} {}", best.size, y.yes, n.n))
}

#[saga_tool]
async fn by_a_method_of_the_context(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    let region = fleet.longest();
    let first = fleet.regions.first().filter(|region| region.contains('u'));
    let y: Yes = elicit(format!("{region} {first:?}?")).await?;
    let n: Count = elicit(format!("{region}?")).await?;
    Ok(format!("{region} {first:?} {} {}", y.yes, n.n))
}

#[saga_tool]
async fn best_so_far() -> Result<String, ToolError> {
    let items = items();
    let mut best = &items[0];
    for item in &items {
        let y: Yes = elicit(format!("{} or {}?", item.name, best.name)).await?;
        if y.yes && item.size >= best.size {
            best = item;
        }
    }
    let n: Count = elicit(format!("{}?", best.name)).await?;
    Ok(format!("{} {}", best.name, n.n))
}

#[saga_tool]
async fn best_of_none_so_far() -> Result<String, ToolError> {
    let items = items();
    let mut best = None::<&Item>;
    for item in items.iter().rev() {
        let n: Count = elicit(format!("{} beside {best:?}?", item.name)).await?;
        if best.is_none_or(|best| item.size > best.size + u32::from(n.n == 0)) {
            best = Some(item);
        }
    }
    let best = best.expect("there are four");
    let y: Yes = elicit(format!("{}?", best.name)).await?;
    Ok(format!("{} {}", best.name, y.yes))
}

#[saga_tool]
async fn reassigned_by_an_answer(one: String, other: String) -> Result<String, ToolError> {
    let mut chosen = &one;
    let y: Yes = elicit("The other?").await?;
    if y.yes {
        chosen = &other;
    }
    let n: Count = elicit(format!("{chosen}?")).await?;
    Ok(format!("{chosen} {}", n.n))
}

#[saga_tool]
async fn several_in_a_list() -> Result<String, ToolError> {
    let items = items();
    let mut large: Vec<_> = items.iter().filter(|item| noted(item.size) > 1).collect();
    large.sort_by_key(|item| std::cmp::Reverse(item.size));
    let mut kept = Vec::new();
    for item in &large {
        let y: Yes = elicit(format!("{}?", item.name)).await?;
        if y.yes {
            kept.push(*item);
        }
    }
    let n: Count = elicit(format!("{} of {}?", kept.len(), large.len())).await?;
    let names: Vec<&str> = kept.iter().map(|item| item.name.as_str()).collect();
    Ok(format!("{names:?} {}", n.n))
}

#[saga_tool]
async fn pairs_in_a_list() -> Result<String, ToolError> {
    let items = items();
    let pairs: Vec<(usize, &Item)> = items.iter().enumerate().filter(|(at, _)| noted(*at) % 2 == 1).collect();
    let named: Vec<(&str, &Item)> = items.iter().map(|item| (item.name.as_str(), item)).collect();
    let y: Yes = elicit(format!("{}?", pairs.len())).await?;
    for (at, item) in pairs {
        let n: Count = elicit(format!("{at} {}?", item.name)).await?;
        effect(n.n);
    }
    Ok(format!("{} {:?}", y.yes, named.last().map(|(name, item)| (name, item.size))))
}

#[saga_tool]
async fn out_of_branches(left: bool) -> Result<String, ToolError> {
    let (items, spare) = (items(), item("spare", 9));
    let chosen = if left { items.first().unwrap_or(&spare) } else { &spare };
    let other = match items.get(9) {
        Some(item) => item,
        None => {
            effect("none");
            cheapest(&items).unwrap()
        }
    };
    let y: Yes = elicit(format!("{} {}?", chosen.name, other.name)).await?;
    Ok(format!("{} {} {} {}", chosen.size, other.size, spare.name, y.yes))
}

#[saga_tool]
async fn of_a_temporary() -> Result<String, ToolError> {
    let name = &noted(String::from("ada"));
    let sizes: &Vec<u32> = &items().iter().map(|item| item.size).collect();
    let y: Yes = elicit(format!("{name} {sizes:?}?")).await?;
    Ok(format!("{name} {sizes:?} {}", y.yes))
}

#[saga_tool]
async fn taken_apart() -> Result<String, ToolError> {
    let items = items();
    let Some((Item { name, size, .. }, rest)) = items.split_first() else { return Ok(String::new()) };
    let y: Yes = elicit(format!("{name} {size} {}?", rest.len())).await?;
    if let [next, .., last] = rest {
        let n: Count = elicit(format!("{} {}?", next.name, last.name)).await?;
        effect(format_args!("{} {}", next.size, n.n));
    }
    Ok(format!("{name} {size} {} {}", rest.len(), y.yes))
}

#[saga_tool]
async fn by_an_impure_closure() -> Result<String, ToolError> {
    let items = items();
    let mut looked = 0;
    let found = items.iter().find(|item| {
        looked += 1;
        noted(item.size) == 4
    });
    let y: Yes = elicit(format!("{found:?}?")).await?;
    Ok(format!("{:?} {looked} {}", found.map(|found| &found.name), y.yes))
}

#[saga_tool]
async fn while_there_is_a_first() -> Result<String, ToolError> {
    let items = items();
    let mut rest = items.as_slice();
    let mut seen = 0;
    while let Some((first, others)) = rest.split_first() {
        let n: Count = elicit(format!("{} and {}?", first.name, others.len())).await?;
        effect(format_args!("{} {}", first.name, n.n));
        seen += first.size;
        rest = others;
    }
    Ok(format!("{seen} {}", rest.len()))
}

#[saga_tool]
async fn beside_a_list_that_goes_on() -> Result<String, ToolError> {
    let mut items = items();
    let first = items.first().unwrap();
    let y: Yes = elicit(format!("{}?", first.name)).await?;
    effect(&first.name);
    items.remove(0);
    let next = items.first().unwrap();
    let n: Name = elicit(format!("{} {}?", next.name, y.yes)).await?;
    effect(&next.name);
    items.clear();
    Ok(n.name)
}

#[saga]
async fn review(item: &Item, others: Vec<&Item>) -> Result<u32, ToolError> {
    let first = others.first();
    let n: Count = elicit(format!("{} {:?}?", item.name, first.map(|item| item.size))).await?;
    effect(format_args!("{} {}", item.name, others.len()));
    Ok(item.size + u32::from(n.n == 1))
}

#[saga_tool]
async fn passed_to_a_saga() -> Result<String, ToolError> {
    let items = items();
    let Some(best) = cheapest(&items) else { return Ok(String::new()) };
    let others: Vec<&Item> = items.iter().filter(|item| item.name != best.name).collect();
    let size = call(review(best, others.clone())).await?;
    let again = call(review(best, others)).await?;
    let y: Yes = elicit(format!("{} {size}?", best.name)).await?;
    Ok(format!("{} {again} {}", best.name, y.yes))
}

#[saga_tool]
async fn asked_together() -> Result<String, ToolError> {
    let items = items();
    let (first, last) = (items.first().unwrap(), items.last().unwrap());
    let (yes, count) =
        join!(elicit::<Yes>(format!("{}?", first.name)), elicit::<Count>(format!("{}?", last.name))).await?;
    Ok(format!("{} {} {} {}", first.size, last.size, yes.yes, count.n))
}

#[saga_tool]
async fn shadowed_by_what_it_shows() -> Result<String, ToolError> {
    let items = items();
    let first = items.first();
    if let Some(first) = first {
        let y: Yes = elicit(format!("{}?", first.name)).await?;
        effect(format_args!("{} {}", first.name, y.yes));
    }
    let first = first.unwrap();
    let n: Count = elicit(format!("{}?", first.name)).await?;
    Ok(format!("{} {}", first.name, n.n))
}

/// What is held of the whole is read after what is lent of it.
#[saga_tool]
async fn through_a_mutable_borrow() -> Result<String, ToolError> {
    let mut plan = vec![item("one", 1)];
    let whole = &mut plan;
    let part = cheapest(whole).unwrap();
    let name = part.tags.first();
    let y: Yes = elicit(format!("{} {name:?}?", part.name)).await?;
    effect(format_args!("{} {name:?}", part.size));
    whole.push(item("two", 2));
    let n: Count = elicit(format!("{}?", whole.len())).await?;
    plan.clear();
    Ok(format!("{} {}", y.yes, n.n))
}

#[saga_tool]
async fn by_a_limit_that_is_assigned_after() -> Result<String, ToolError> {
    let (items, mut limit) = (items(), 3);
    let best = items.iter().filter(|item| item.size < limit).max_by_key(|item| item.size).unwrap();
    limit = noted(0);
    let y: Yes = elicit(format!("{}?", best.name)).await?;
    Ok(format!("{} {limit} {}", best.name, y.yes))
}

#[saga_tool]
async fn by_a_key_that_is_assigned_after(mut key: String) -> Result<String, ToolError> {
    let prices = BTreeMap::from([("a".to_owned(), vec![3_u32]), ("b".to_owned(), vec![1, 2])]);
    let list = &prices[&key];
    key = "a".to_owned();
    let y: Yes = elicit(format!("{list:?} {key}?")).await?;
    Ok(format!("{list:?} {key} {}", y.yes))
}

#[saga_tool]
async fn of_a_reference_that_is_moved_on() -> Result<String, ToolError> {
    let items = items();
    let mut rest = items.as_slice();
    let first = &rest[0];
    let second = rest.split_off_first().map(|item| &item.tags);
    let y: Yes = elicit(format!("{} {second:?}?", first.name)).await?;
    let [third, ..] = rest else { return Ok("none".to_owned()) };
    rest = &rest[1..];
    let n: Count = elicit(format!("{} {}?", third.name, rest.len())).await?;
    Ok(format!("{} {} {} {} {}", first.name, third.name, rest.len(), y.yes, n.n))
}

#[saga_tool]
async fn typed_by_what_comes_later() -> Result<String, ToolError> {
    let items = items();
    let (mut seen, mut last) = (0, None);
    let mut names = Vec::new();
    let mut sizes = vec![];
    let mut best = None;
    for item in &items {
        let n: Count = elicit(format!("{} after {} {}?", item.name, names.len(), sizes.len())).await?;
        if n.n > 0 {
            names.push(&item.name);
            sizes.push(item.size);
            last = Some(n.n);
        }
        if best.is_none_or(|best: &Item| best.size < item.size) {
            best = Some(item);
        }
        seen += 1;
    }
    let y: Yes = elicit(format!("{names:?} {sizes:?} {last:?}?")).await?;
    let best = best.map(|best| &best.name);
    let names = names.len();
    let n: Count = elicit(format!("{best:?} {names}?")).await?;
    Ok(format!("{best:?} {names} {seen} {sizes:?} {} {}", y.yes, n.n))
}

#[saga_tool]
async fn in_maps_and_beside_numbers() -> Result<String, ToolError> {
    let items = items();
    let mut by_size = BTreeMap::new();
    let mut counts = HashMap::new();
    for item in &items {
        let n: Count = elicit(format!("{} {}?", item.name, by_size.len())).await?;
        by_size.entry(item.size % 2).or_insert_with(Vec::new).push(item);
        *counts.entry(item.name.as_str()).or_insert(0) += u32::from(n.n);
    }
    let scored: Vec<_> = items.iter().map(|item| (item, f64::from(item.size) / 2.0, &item.tags)).collect();
    let y: Yes = elicit(format!("{} {:?}?", by_size.len(), counts.get("one"))).await?;
    let (best, score, tags) = scored.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let even = by_size.get(&0).map(|even| even.iter().map(|item| &item.name).collect::<Vec<_>>());
    let n: Count = elicit(format!("{even:?} {} {score}?", best.name)).await?;
    Ok(format!("{even:?} {} {score} {tags:?} {} {}", best.name, y.yes, n.n))
}

#[saga_tool]
async fn typed_in_the_last_loop(many: usize) -> Result<String, ToolError> {
    let items = items();
    for item in &items {
        let mut last = None;
        for tag in &item.tags {
            let n: Count = elicit(format!("{tag}?")).await?;
            effect(format_args!("{} {} {}", item.name, n.n, last.is_some()));
            last = Some(tag);
        }
    }
    let mut seen = Vec::new();
    let mut rest = items.iter();
    let (true, true) = (noted(true), many > items.len()) else {
        let mut sizes = Vec::new();
        for item in &items {
            let n: Count = elicit(format!("{} {}?", item.name, sizes.len())).await?;
            effect(n.n);
            sizes.push(&item.size);
        }
        return Ok(format!("{sizes:?}"));
    };
    let found = {
        let mut best = None;
        loop {
            let Some(item) = rest.next() else { break best };
            let y: Yes = elicit(format!("{} {}?", item.name, seen.len())).await?;
            seen.push(&item.name);
            if y.yes {
                best = Some(item);
            }
        }
    };
    Ok(format!("{seen:?} {found:?}"))
}

#[saga_tool]
async fn a_slice_of_a_list() -> Result<String, ToolError> {
    let items = items();
    let (few, many) = items.split_at(noted(1));
    let found = few.get(..1);
    let y: Yes = elicit(format!("{} {}?", few.len(), many.len())).await?;
    for item in many {
        let n: Count = elicit(format!("{}?", item.name)).await?;
        effect(n.n);
    }
    Ok(format!("{} {:?} {}", few.len(), found.map(<[Item]>::len), y.yes))
}

#[saga_tool]
async fn annotated_and_assigned_later(left: bool) -> Result<String, ToolError> {
    let items = items();
    let chosen: &Item;
    let y: Yes = elicit("Which?").await?;
    if left && y.yes {
        chosen = &items[0];
    } else {
        chosen = cheapest(&items).unwrap();
    }
    let n: Count = elicit(format!("{}?", chosen.name)).await?;
    Ok(format!("{} {}", chosen.name, n.n))
}

#[saga_tool]
async fn of_a_list_of_references() -> Result<String, ToolError> {
    let items = items();
    let heavy: Vec<&Item> = items.iter().filter(|item| item.size > 0).collect();
    let first = heavy.first().ok_or_else(|| ToolError::new("none"))?;
    let last = heavy.last();
    let Some(second) = heavy.get(noted(1)) else { return Ok("one".to_owned()) };
    let y: Yes = elicit(format!("{} {} {:?}?", first.name, second.name, last)).await?;
    effect(format_args!("{} {}", first.name, y.yes));
    let placed = heavy.iter().enumerate().max_by_key(|(_, item)| item.size);
    let n: Count = elicit(format!("{placed:?}?")).await?;
    let plain: &Item = first;
    let sum = plain.size + second.size + last.map_or(0, |item| item.size);
    let y: Yes = elicit(format!("{sum}?")).await?;
    Ok(format!("{} {} {:?} {}", plain.name, n.n, placed.map(|(at, item)| (at, &item.name)), y.yes))
}

#[saga_tool]
async fn of_a_list_of_texts(line: String) -> Result<String, ToolError> {
    let words: Vec<&str> = line.split(' ').collect();
    let Some(first) = words.first() else { return Ok(String::new()) };
    let longest = second_of(&words);
    let n: Name = elicit(format!("{first} {longest:?}?")).await?;
    effect(first);
    let y: Yes = elicit(format!("{first} {longest:?}?")).await?;
    Ok(format!("{} {first} {longest:?} {}", n.name, y.yes))
}

fn second_of<'l, 't>(words: &'l [&'t str]) -> Option<&'l &'t str> {
    effect("looked for the second");
    words.get(1)
}

#[saga_tool]
async fn of_a_list_in_a_map() -> Result<String, ToolError> {
    let items = items();
    let mut by_size: BTreeMap<usize, Vec<&Item>> = BTreeMap::new();
    for item in &items {
        by_size.entry(item.name.len()).or_default().push(item);
    }
    let mut chosen = Vec::new();
    for (size, some) in &by_size {
        let Some(first) = some.first() else { continue };
        let y: Yes = elicit(format!("{size} {}?", first.name)).await?;
        if y.yes {
            chosen.push(first.name.as_str());
        }
    }
    let y: Yes = elicit(format!("{chosen:?}?")).await?;
    Ok(format!("{chosen:?} {}", y.yes))
}

#[saga_tool]
async fn of_references_best_so_far() -> Result<String, ToolError> {
    let items = items();
    let all: Vec<&Item> = items.iter().collect();
    let mut best = second(&all);
    for item in &all {
        let y: Yes = elicit(format!("{} or {}?", best.name, item.name)).await?;
        if y.yes {
            best = item;
        }
    }
    let y: Yes = elicit(format!("{}?", best.name)).await?;
    Ok(format!("{} {}", best.name, y.yes))
}

fn second<'l, 'i>(items: &'l [&'i Item]) -> &'l &'i Item {
    effect("took the second");
    &items[1]
}

#[saga_tool]
async fn the_first_reference_and_the_rest(line: String) -> Result<String, ToolError> {
    let words: Vec<&str> = line.split(' ').collect();
    let (verb, rest) = words.split_first().ok_or_else(|| ToolError::new("none"))?;
    let y: Yes = elicit(format!("{verb} {rest:?}?")).await?;
    effect(format_args!("{verb} {}", rest.len()));
    let items = items();
    let all: Vec<&Item> = items.iter().collect();
    let halves = all.split_at(noted(1));
    let n: Count = elicit(format!("{verb} {} {}?", rest.join("-"), halves.0.len())).await?;
    effect(format_args!("{:?}", halves.1));
    let (left, right) = halves;
    let m: Count = elicit(format!("{} {}?", left[0].name, right.len())).await?;
    Ok(format!("{verb} {rest:?} {} {} {} {left:?} {right:?}", y.yes, n.n, m.n))
}

#[saga_tool]
async fn references_advanced_by_hand(line: String) -> Result<String, ToolError> {
    let words: Vec<&str> = line.split(' ').collect();
    let mut left = words.iter();
    let mut kept = Vec::new();
    while let Some(word) = left.next() {
        let y: Yes = elicit(format!("{word}?")).await?;
        if y.yes {
            kept.push(*word);
        }
    }
    let items = items();
    let all: Vec<&Item> = items.iter().collect();
    let mut heavy = all.iter().filter(|item| item.size != 2).peekable();
    while let Some(item) = heavy.next() {
        let n: Count = elicit(format!("{} {:?}?", item.name, heavy.peek().map(|next| &next.name))).await?;
        effect(n.n);
    }
    Ok(format!("{kept:?}"))
}

#[saga_tool]
async fn a_loop_over_a_part_of_references(line: String) -> Result<String, ToolError> {
    let words: Vec<&str> = line.split(' ').collect();
    let (_, rest) = words.split_at(noted(1));
    let mut said = Vec::new();
    for word in rest {
        let n: Name = elicit(format!("{word}?")).await?;
        said.push(format!("{word}{}", n.name));
    }
    let items = items();
    let all: Vec<&Item> = items.iter().collect();
    for (item, word) in second_half(&all).iter().zip(rest) {
        let y: Yes = elicit(format!("{} {word}?", item.name)).await?;
        effect(format_args!("{} {word} {}", item.name, y.yes));
    }
    for (at, item) in second_half(&all).iter().enumerate().rev() {
        let y: Yes = elicit(format!("{at} {}?", item.name)).await?;
        effect(format_args!("{at} {} {}", item.name, y.yes));
    }
    Ok(format!("{said:?}"))
}

fn second_half<'l, 'i>(items: &'l [&'i Item]) -> &'l [&'i Item] {
    effect("took the second half");
    &items[items.len() / 2..]
}

#[saga_tool]
async fn references_to_references_in_a_list() -> Result<String, ToolError> {
    let items = items();
    let all: Vec<&Item> = items.iter().collect();
    let mut chosen: Vec<&&Item> = Vec::new();
    for item in all.iter() {
        let y: Yes = elicit(format!("{}?", item.name)).await?;
        if y.yes {
            chosen.push(item);
        }
    }
    let n: Count = elicit(format!("{}?", chosen.len())).await?;
    let names: Vec<_> = chosen.iter().map(|item| &item.name).collect();
    Ok(format!("{names:?} {}", n.n))
}

/// Answers beside what they are of.
#[saga_tool]
async fn answers_beside_references(names: Vec<String>) -> Result<String, ToolError> {
    let counts = join_all(names.iter().map(|name| elicit::<Count>(format!("{name}: how many?")))).await?;
    let mut by_name: Vec<(&String, Count)> = names.iter().zip(counts).collect();
    by_name.sort_by_key(|(_, count)| count.n);
    elicit::<Yes>(format!("{by_name:?}?")).await?;
    let mut kept = Vec::new();
    for (name, count) in &by_name {
        let sure: Yes = elicit(format!("{name} with {}?", count.n)).await?;
        kept.push((*name, sure));
    }
    Ok(format!("{by_name:?} {kept:?}"))
}

#[saga_tool]
async fn a_list_with_one_to_begin_with() -> Result<String, ToolError> {
    let items = items();
    let first = cheapest(&items).unwrap();
    let mut chain = vec![first];
    for item in &items {
        if elicit::<Yes>(format!("{}?", item.name)).await?.yes && !chain.contains(&item) {
            chain.push(item);
        }
    }
    Ok(format!("{chain:?}"))
}

/// References to what has references in it.
#[saga_tool]
async fn references_to_pairs_with_a_text(text: String) -> Result<String, ToolError> {
    let words: Vec<(&str, usize)> = text.split(' ').map(|word| (word, word.len())).collect();
    let (longest, all) = (longest(&words), same(&words));
    let rest = same(&words[1..]);
    let last = text.rsplit_once(' ').map(|(_, last)| last);
    let seen = same(&last);
    let y: Yes = elicit(format!("{longest:?} {all:?} {rest:?} {seen:?}?")).await?;
    let mut kept: Vec<&(&str, usize)> = Vec::new();
    for pair in rest {
        let y: Yes = elicit(format!("{}?", pair.0)).await?;
        if y.yes {
            kept.push(pair);
        }
    }
    Ok(format!("{longest:?} {all:?} {rest:?} {seen:?} {kept:?} {}", y.yes))
}

fn longest<'l, 't>(words: &'l [(&'t str, usize)]) -> &'l (&'t str, usize) {
    effect("looked for the longest");
    words.iter().max_by_key(|(_, length)| *length).unwrap()
}

fn same<T: ?Sized>(value: &T) -> &T {
    effect("looked at it");
    value
}

#[saga_tool]
async fn texts_beside_numbers() -> Result<String, ToolError> {
    let (names, sizes) = (["ada", "bob"], [("ada", 1), ("bob", 2)]);
    let first = (1_u8, &names[0]);
    let mut votes = Vec::new();
    for name in names.iter() {
        let count: Count = elicit(format!("{name} {first:?} {votes:?}?")).await?;
        votes.push((count.n, name));
    }
    let mut best: Option<(u8, &(&str, i32))> = None;
    for pair in &sizes {
        let count: Count = elicit(format!("{pair:?} or {best:?}?")).await?;
        if best.is_none_or(|(most, _)| most < count.n) {
            best = Some((count.n, pair));
        }
    }
    let mut seen = Vec::new();
    for (at, &(_, name)) in votes.iter().enumerate() {
        let yes: Yes = elicit(format!("{name} {seen:?}?")).await?;
        seen.push((at, yes.yes, name));
    }
    Ok(format!("{first:?} {votes:?} {best:?} {seen:?}"))
}

#[saga_tool]
async fn texts_beside_lists_of_texts() -> Result<String, ToolError> {
    let menu = vec![("tea", &["green", "black"][..]), ("pie", &["apple"])];
    for (what, kinds) in &menu {
        let yes: Yes = elicit(format!("{what}, {kinds:?}?")).await?;
        effect(yes.yes);
    }
    let needs = BTreeMap::from([("tea", &["cup", "pot"][..]), ("pie", &[])]);
    for (what, needed) in [("tea", &["milk"][..]), ("pie", &["cream", "fork"])] {
        for one in needed {
            let yes: Yes = elicit(format!("{what} with {one} and {:?}?", needs.get(what))).await?;
            effect(yes.yes);
        }
    }
    let best: Option<(&str, u32, &[&str])> = menu.first().map(|(what, kinds)| (*what, 3, *kinds));
    let count: Count = elicit(format!("{best:?}?")).await?;
    Ok(format!("{best:?} {needs:?} {}", count.n))
}

#[saga_tool]
async fn references_as_keys() -> Result<String, ToolError> {
    let names = ["ada", "bob", "ada"];
    let (mut votes, mut counts) = (BTreeMap::new(), HashMap::new());
    for name in names.iter() {
        let count: Count = elicit(format!("{name} {votes:?}?")).await?;
        *votes.entry(name).or_insert(0) += count.n;
        *counts.entry(name).or_insert(0) += 1;
    }
    let yes: Yes = elicit(format!("{votes:?} {:?}?", counts.get(&"ada"))).await?;
    Ok(format!("{votes:?} {:?} {}", counts.get(&"bob"), yes.yes))
}

#[saga_tool]
async fn copied_out_of_a_list() -> Result<String, ToolError> {
    let items = items();
    let large: Vec<&Item> = items.iter().filter(|item| item.size > 1).collect();
    let first = large.first().copied();
    let yes: Yes = elicit(format!("{:?}?", first.map(|item| &item.name))).await?;
    let Some(last) = large.last().copied() else { return Ok("none".to_owned()) };
    let again = *large.last().unwrap();
    let count: Count = elicit(format!("{} {}?", last.name, again.size)).await?;
    let cloned = large.get(usize::from(count.n)).cloned();
    let name: Name = elicit(format!("{:?}?", cloned.map(|item| item.size))).await?;
    let tags = cloned.map(|item| item.tags.len());
    Ok(format!("{} {} {} {tags:?} {}", first.unwrap().size, last.size, yes.yes, name.name))
}

#[saga_tool]
async fn copied_out_of_a_list_that_changes() -> Result<String, ToolError> {
    let items = items();
    let mut stack = vec![&items[0], &items[1]];
    while let Some(here) = stack.last().copied() {
        let count: Count = elicit(format!("{} {}?", here.name, stack.len())).await?;
        effect(here.size);
        if count.n != 1 || stack.len() > 2 {
            stack.pop();
        } else {
            stack.push(&items[here.name.len() % items.len()]);
        }
    }
    Ok(format!("{}", stack.len()))
}

#[saga_tool]
async fn in_an_array() -> Result<String, ToolError> {
    let (one, two, names) = (item("one", 1), item("two", 2), ["ada", "bob"]);
    let (both, texts) = ([&one, &two], [&names[1], &names[0]]);
    let yes: Yes = elicit(format!("{} {texts:?}?", both[1].name)).await?;
    let mut chosen = [both[0]; 2];
    for (at, item) in both.into_iter().enumerate() {
        let count: Count = elicit(format!("{}?", item.name)).await?;
        chosen[at] = if count.n > 1 { item } else { chosen[0] };
    }
    Ok(format!("{} {} {texts:?} {}", chosen[0].name, chosen[1].name, yes.yes))
}

#[saga]
async fn reviewed(mut found: Option<&Item>, others: Vec<&Item>) -> Result<u32, ToolError> {
    let Some(first) = others.first().copied() else { return Ok(0) };
    if let Some(item) = found.take() {
        let yes: Yes = elicit(format!("{}?", item.name)).await?;
        found = if yes.yes { Some(item) } else { others.last().copied() };
    }
    let count: Count = elicit(format!("{:?} {}?", found.map(|item| item.size), first.size)).await?;
    Ok(found.map_or(0, |item| item.size) + first.size + u32::from(count.n))
}

#[saga_tool]
async fn out_of_a_parameter() -> Result<String, ToolError> {
    let items = items();
    let all: Vec<&Item> = items.iter().collect();
    let size = call(reviewed(items.first(), all.clone())).await?;
    let none = call(reviewed(None, all)).await?;
    Ok(format!("{size} {none}"))
}

fn menu() -> BTreeMap<&'static str, Item> {
    BTreeMap::from([("pie", item("apple", 2)), ("soup", item("pea", 5)), ("tea", item("green", 1))])
}

#[saga_tool]
async fn of_a_map_from_texts() -> Result<String, ToolError> {
    let menu = menu();
    let picked: Vec<_> = menu.iter().filter(|(_, item)| item.size < 3).collect();
    let mut total = 0;
    for (name, item) in picked {
        let count: Count = elicit(format!("{name}, {} {}?", item.name, item.size)).await?;
        total += u32::from(count.n) * item.size;
    }
    let mut sorted: Vec<_> = menu.iter().collect();
    sorted.sort_by_key(|(_, item)| item.size);
    let yes: Yes = elicit(format!("{total} {sorted:?}?")).await?;
    let mut kept = Vec::new();
    for (at, (name, item)) in sorted.iter().enumerate() {
        if elicit::<Yes>(format!("{at} {name} {}?", item.name)).await?.yes {
            kept.push((*name, *item));
        }
    }
    Ok(format!("{total} {} {kept:?} {}", yes.yes, sorted.len()))
}

#[saga_tool]
async fn of_pairs_of_a_text_and_a_struct(text: String) -> Result<String, ToolError> {
    let menu = vec![("tea", item("green", 3)), ("pie", item("apple", 2)), ("soup", item("pea", 1))];
    let mut sorted: Vec<_> = menu.iter().collect();
    sorted.sort_by_key(|(_, item)| item.size);
    for (name, item) in sorted {
        let yes: Yes = elicit(format!("{name}, {} {}?", item.name, item.size)).await?;
        effect(yes.yes);
    }
    let words: Vec<(&str, Item)> = text.split(' ').map(|word| (word, item(word, 2))).collect();
    let cheap: Vec<&(&str, Item)> = menu.iter().chain(&words).filter(|(_, item)| item.size < 3).collect();
    let best = cheap.iter().copied().max_by_key(|(name, _)| name.len());
    let count: Count = elicit(format!("{best:?} {}?", cheap.len())).await?;
    let mut left = Vec::new();
    for pair in &cheap {
        let yes: Yes = elicit(format!("{} {left:?}?", pair.0)).await?;
        if yes.yes {
            left.push(*pair);
        }
    }
    let Some((name, item)) = best else { return Ok(format!("{left:?}")) };
    Ok(format!("{name} {} {left:?} {}", item.name, count.n))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Line<'t> {
    text: &'t str,
    size: usize,
}

#[saga_tool]
async fn of_structs_with_a_text(text: String) -> Result<String, ToolError> {
    let lines: Vec<_> = text.split(' ').map(|text| Line { text, size: text.len() }).collect();
    let best = lines.iter().max_by_key(|line| line.size);
    let long: Vec<&Line<'_>> = lines.iter().filter(|line| line.size > 3).collect();
    for line in &long {
        let yes: Yes = elicit(format!("{} or {best:?}?", line.text)).await?;
        effect(yes.yes);
    }
    Ok(format!("{best:?} {long:?}"))
}

#[saga_tool]
async fn partitions_of_a_map_from_texts() -> Result<String, ToolError> {
    let menu = menu();
    let (large, small): (Vec<_>, Vec<_>) = menu.iter().partition(|(_, item)| item.size > 1);
    let yes: Yes = elicit(format!("{large:?} or {small:?}?")).await?;
    for (name, item) in if yes.yes { large } else { small.clone() } {
        let count: Count = elicit(format!("{name} {}?", item.name)).await?;
        effect(count.n);
    }
    Ok(format!("{small:?}"))
}

#[saga_tool]
async fn partitions_of_pairs_with_a_text() -> Result<String, ToolError> {
    let menu = [("tea", item("green", 3)), ("pie", item("apple", 2)), ("soup", item("pea", 1))];
    let (large, small): (Vec<_>, Vec<_>) = menu.iter().partition(|(_, item)| item.size > 1);
    let yes: Yes = elicit(format!("{large:?} or {small:?}?")).await?;
    for (name, item) in if yes.yes { large } else { small.clone() } {
        let count: Count = elicit(format!("{name} {}?", item.name)).await?;
        effect(count.n);
    }
    Ok(format!("{small:?}"))
}

#[saga_tool]
async fn iterators_over_a_map_from_texts() -> Result<String, ToolError> {
    let menu = menu();
    let mut cheap = menu.iter().filter(|(_, item)| item.size < 5);
    let first = cheap.next();
    let yes: Yes = elicit(format!("{first:?}?")).await?;
    let mut seen = Vec::new();
    while let Some((name, item)) = cheap.next() {
        let count: Count = elicit(format!("{name} {} {seen:?}?", item.name)).await?;
        seen.push((name, item, count.n));
    }
    let mut all = menu.iter().peekable();
    while let Some((name, item)) = all.next() {
        let yes: Yes = elicit(format!("{name} {} before {:?}?", item.name, all.peek())).await?;
        if !yes.yes {
            break;
        }
    }
    Ok(format!("{first:?} {seen:?} {}", yes.yes))
}

#[saga_tool]
async fn found_in_a_map_from_texts() -> Result<String, ToolError> {
    let menu = menu();
    let best = menu.iter().min_by_key(|(_, item)| item.size);
    let by_size: BTreeMap<u32, (&&str, &Item)> = menu.iter().map(|entry| (entry.1.size, entry)).collect();
    let names: BTreeSet<(u32, &&str)> = menu.iter().map(|(name, item)| (item.size, name)).collect();
    let beside = (menu.get("tea"), menu.keys().next());
    let yes: Yes = elicit(format!("{best:?} {beside:?} {:?} {names:?}?", by_size.get(&2))).await?;
    let mut most = None;
    for (name, item) in &menu {
        let count: Count = elicit(format!("{name} {most:?}?")).await?;
        if most.is_none_or(|(so_far, _, _)| so_far < count.n) {
            most = Some((count.n, name, item));
        }
    }
    let Some((name, item)) = best else { return Ok("none".to_owned()) };
    let count: Count = elicit(format!("{name} {}?", item.name)).await?;
    Ok(format!("{name} {} {most:?} {by_size:?} {names:?} {} {}", item.name, yes.yes, count.n))
}

#[saga]
async fn tasted<'m>(
    menu: Vec<&'m (&'m str, Item)>,
    best: Option<(&'m &'m str, &'m Item)>,
) -> Result<u32, ToolError> {
    let mut total = 0;
    for (name, item) in menu {
        let count: Count = elicit(format!("{name} {} {best:?}?", item.name)).await?;
        total += u32::from(count.n) * item.size;
    }
    Ok(total + best.map_or(0, |(_, item)| item.size))
}

#[saga_tool]
async fn passed_with_their_texts(text: String) -> Result<String, ToolError> {
    let words: Vec<(&str, Item)> = text.split(' ').map(|word| (word, item(word, 2))).collect();
    let (all, menu): (Vec<_>, _) = (words.iter().collect(), menu());
    let best = menu.iter().next_back();
    let total = call(tasted(all.clone(), best)).await?;
    let none = call(tasted(all, None)).await?;
    Ok(format!("{total} {none}"))
}
