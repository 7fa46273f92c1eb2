//! Mutable references that a method gives of a place, over a question: the method gives the same again.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};

use saga_runtime::{Json, StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::kit::{Item, items, plan};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

bodies! {
    the_last_of_a_list;
    the_first_of_a_queue;
    by_an_index(at: 1);
    by_a_key(name: "web".to_owned());
    by_a_key_or_a_failure(name: "web".to_owned());
    by_a_key_or_a_text;
    an_entry_by_default;
    an_entry_with_a_value(name: "web".to_owned());
    an_entry_in_a_loop;
    an_entry_by_what_a_loop_goes_over;
    an_option_filled;
    an_option_filled_in_a_field;
    of_json;
    in_a_condition;
    in_a_match;
    in_a_while_let;
    with_a_type(at: 0);
    with_an_index_that_changes;
    of_a_part_of_a_part;
    handed_on_to_a_function;
    values_of_a_map;
    picked_by_a_borrowed_key_that_changes;
    by_a_parameter_that_borrows;
    by_an_owned_key(names: vec!["ada".to_owned(), "bob".to_owned(), "ada".to_owned()]);
    by_a_key_that_moves_on;
    by_other_keys;
    filled_and_looked_into;
    split_in_two(at: 1);
    part_by_part(least: 2);
    entries_that_no_question_needs(names: vec!["ada".to_owned(), "ada".to_owned(), "bob".to_owned()]);
    picked_by_a_key;
    picked_by_a_comparison;
    picked_by_a_key_with_an_effect;
    by_their_number;
    iterators_over_what_is_reached;
    by_a_field_of_a_mutable_self;
    by_a_field_of_a_mutable_parameter;
    by_a_field_of_a_mutable_part;
    by_a_field_of_a_mutable_borrow;
    picked_by_a_mutable_self;
    by_the_same_text_in_a_later_condition(ready: true);
    by_the_same_text_in_another_loop;
    by_the_same_text_as_a_key_that_is_steady;
    in_one_expression(names: vec!["ada".to_owned(), "bob".to_owned()]);
    filled_by_a_function;
    by_a_key_that_borrows_what_changes;
    an_entry_that_is_changed_once;
    further_by_a_closure(at: 1);
    further_by_a_function;
    further_by_a_key_that_changes;
    two_at_once;
    of_text_that_is_owned_then;
    parts_by_indices_that_change;
    parts_by_indices_of_halves;
    parts_by_indices_with_effects;
    one_of_two(left: true);
    by_what_is_changed_beside_it;
    both_of_two_in_an_order(left: false);
    range_drawn_by_hand;
}

#[saga_tool]
async fn the_last_of_a_list() -> Result<String, ToolError> {
    let mut items = items();
    let last = items.last_mut().unwrap();
    last.size += 1;
    let name: Name = elicit(format!("{}: which name?", last.name)).await?;
    last.name = name.name;
    elicit::<Yes>(format!("{}?", last.size)).await?;
    last.size += 10;
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn the_first_of_a_queue() -> Result<String, ToolError> {
    let mut queue: VecDeque<_> = items().into();
    let Some(first) = queue.front_mut() else { return Ok("empty".to_owned()) };
    let count: Count = elicit(format!("{}: how many?", first.name)).await?;
    first.size = count.n.into();
    Ok(format!("{queue:?}"))
}

#[saga_tool]
async fn by_an_index(at: usize) -> Result<String, ToolError> {
    let mut items = items();
    let item = items.get_mut(at + 1).expect("there are three");
    let count: Count = elicit(format!("{}: how many?", item.name)).await?;
    item.size = count.n.into();
    if let Some(before) = items.get_mut(at) {
        elicit::<Yes>(format!("{}?", before.name)).await?;
        before.name.push('!');
    }
    Ok(format!("{items:?}"))
}

pub(crate) fn sizes() -> BTreeMap<String, u32> {
    ["api", "db", "web"].into_iter().map(str::to_owned).zip(1..).collect()
}

#[saga_tool]
async fn by_a_key(name: String) -> Result<String, ToolError> {
    let mut sizes = sizes();
    let Some(size) = sizes.get_mut(&name) else { return Ok("none".to_owned()) };
    *size += 1;
    let count: Count = elicit(format!("{name} has {size}; how many more?")).await?;
    *size += u32::from(count.n);
    let other = sizes.get_mut(name.as_str());
    elicit::<Yes>(format!("{other:?}?")).await?;
    if let Some(other) = other {
        *other += 1;
    }
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn by_a_key_or_a_failure(name: String) -> Result<String, ToolError> {
    let mut sizes = sizes();
    let size = sizes.get_mut(&name).ok_or_else(|| ToolError::new(format!("no {name}")))?;
    elicit::<Yes>(format!("{size}?")).await?;
    *size += noted(5);
    let missing = sizes.get_mut("none").ok_or("there is none")?;
    elicit::<Yes>(format!("{missing}?")).await?;
    Ok(format!("{missing}"))
}

#[saga_tool]
async fn by_a_key_or_a_text() -> Result<String, ToolError> {
    let mut sizes: HashMap<u8, Vec<String>> = HashMap::from([(1, vec!["a".to_owned()]), (2, vec![])]);
    let key = noted(1);
    let list: &mut Vec<String> = sizes.get_mut(&key).ok_or("no list")?;
    let name: Name = elicit(format!("{list:?} and who?")).await?;
    list.push(name.name);
    let first = list.first_mut().ok_or("empty")?;
    elicit::<Yes>(format!("{first}?")).await?;
    first.push('?');
    Ok(format!("{:?}", sizes[&1]))
}

#[saga_tool]
async fn an_entry_by_default() -> Result<String, ToolError> {
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..2 {
        let name: Name = elicit("Whose?").await?;
        let list = lists.entry(name.name.clone()).or_default();
        list.push("begun".to_owned());
        let what: Name = elicit(format!("{} has {list:?}; what?", name.name)).await?;
        list.push(what.name);
    }
    Ok(format!("{lists:?}"))
}

#[saga_tool]
async fn an_entry_with_a_value(name: String) -> Result<String, ToolError> {
    let mut counts = HashMap::new();
    let count = counts.entry(name.as_str()).or_insert(noted(10_u32));
    let more: Count = elicit(format!("{count} and how many?")).await?;
    *count += u32::from(more.n);
    let other = counts.entry("other").or_insert_with(|| noted(7));
    elicit::<Yes>(format!("{other}?")).await?;
    *other += 1;
    let mut told: Vec<_> = counts.into_iter().collect();
    told.sort();
    Ok(format!("{told:?}"))
}

#[saga_tool]
async fn an_entry_in_a_loop() -> Result<String, ToolError> {
    let mut votes: BTreeMap<u32, u32> = BTreeMap::new();
    for item in &items() {
        let many = votes.entry(item.size % 2).or_insert(0);
        *many += 1;
        let sure: Yes = elicit(format!("{}, {many}?", item.name)).await?;
        *many += u32::from(sure.yes) * 10;
    }
    Ok(format!("{votes:?}"))
}

#[saga_tool]
async fn an_entry_by_what_a_loop_goes_over() -> Result<String, ToolError> {
    let mut items = items();
    items.reverse();
    let mut votes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let of_item = votes.entry(item.name.as_str()).or_default();
        of_item.push(at);
        let count: Count = elicit(format!("{}, {of_item:?}?", item.name)).await?;
        of_item.push(count.n.into());
    }
    Ok(format!("{votes:?}"))
}

#[saga_tool]
async fn an_option_filled() -> Result<String, ToolError> {
    let mut note = None;
    let text = note.get_or_insert_with(|| noted("first".to_owned()));
    let name: Name = elicit(format!("{text}?")).await?;
    text.push_str(&name.name);
    let text = note.get_or_insert_with(|| vec!["second".to_owned()].into_iter().rev().next().unwrap());
    elicit::<Yes>(format!("{text}?")).await?;
    text.push('.');
    Ok(format!("{note:?}"))
}

#[saga_tool]
async fn an_option_filled_in_a_field() -> Result<String, ToolError> {
    let mut plan = plan("trip", 3);
    plan.note = None;
    let note = plan.note.get_or_insert_default();
    *note = elicit::<Name>("Which note?").await?.name;
    note.push('!');
    Ok(format!("{:?} {}", plan.note, plan.title))
}

#[saga_tool]
async fn of_json() -> Result<String, ToolError> {
    let mut document = Json(json!({ "name": "web", "tags": ["a"] }));
    let Some(map) = document.0.as_object_mut() else { return Ok("no object".to_owned()) };
    let name: Name = elicit(format!("{} keys, which name?", map.len())).await?;
    map.insert("name".to_owned(), Value::from(name.name));
    let note = map.entry("note").or_insert_with(|| json!([]));
    elicit::<Yes>(format!("{note}?")).await?;
    *note = json!("noted");
    let tags = document.0.get_mut("tags").unwrap();
    elicit::<Yes>(format!("{tags}?")).await?;
    tags.as_array_mut().unwrap().push(json!("b"));
    Ok(document.0.to_string())
}

#[saga_tool]
async fn in_a_condition() -> Result<String, ToolError> {
    let mut sizes = sizes();
    let key = "db";
    if let Some(size) = sizes.get_mut(key)
        && *size > 0
    {
        elicit::<Yes>(format!("{size}?")).await?;
        *size += 1;
    }
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn in_a_match() -> Result<String, ToolError> {
    let mut items = items();
    match items.last_mut() {
        Some(Item { name, size, .. }) if *size > 0 => {
            let count: Count = elicit(format!("{name}: how many?")).await?;
            *size = count.n.into();
            name.push('+');
        }
        Some(item) => item.size = 1,
        None => {}
    }
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn in_a_while_let() -> Result<String, ToolError> {
    let mut stack = vec![2_u32, 1];
    let mut told = String::new();
    while let Some(top) = stack.last_mut() {
        let sure: Yes = elicit(format!("{top}?")).await?;
        told += &format!("{top} {} ", sure.yes);
        if *top == 0 {
            stack.pop();
        } else {
            *top -= 1;
        }
    }
    Ok(told)
}

#[saga_tool]
async fn with_a_type(at: usize) -> Result<String, ToolError> {
    let mut items = items();
    let item: &mut Item = items.get_mut(at).unwrap();
    elicit::<Yes>(format!("{}?", item.name)).await?;
    item.size += 1;
    Ok(format!("{items:?}"))
}

/// The index is another one after the question; the item is not.
#[saga_tool]
async fn with_an_index_that_changes() -> Result<String, ToolError> {
    let mut items = items();
    let mut at = 0;
    #[saga(rebuild)]
    let all = &mut items;
    at += 1;
    let fixed = at;
    let item = all.get_mut(fixed).unwrap();
    at += 1;
    elicit::<Yes>(format!("{} {at}?", item.name)).await?;
    item.size += 7;
    effect(at);
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn of_a_part_of_a_part() -> Result<String, ToolError> {
    let mut plan = plan("trip", 3);
    for at in 0..plan.items.len() {
        let Some(tag) = plan.items[at].tags.first_mut() else { continue };
        elicit::<Yes>(format!("{tag}?")).await?;
        tag.push('!');
    }
    let item = plan.items.get_mut(noted(1)).unwrap();
    item.size += 1;
    Ok(format!("{:?}", plan.items))
}

fn rename(name: &mut String, to: &str) {
    effect(format!("{name} to {to}"));
    *name = to.to_owned();
}

#[saga_tool]
async fn handed_on_to_a_function() -> Result<String, ToolError> {
    let mut names: BTreeMap<u8, String> = [(1, "a".to_owned()), (2, "b".to_owned())].into();
    let name = names.entry(3).or_insert_with(String::new);
    rename(name, &elicit::<Name>("Which?").await?.name);
    rename(name, &elicit::<Name>("Which now?").await?.name);
    Ok(format!("{names:?}"))
}

#[saga_tool]
async fn values_of_a_map() -> Result<String, ToolError> {
    let mut sizes = sizes();
    for size in sizes.values_mut() {
        let count: Count = elicit(format!("{size}: how many more?")).await?;
        *size += u32::from(count.n);
    }
    Ok(format!("{sizes:?}"))
}

/// What the key was borrowed from is another one at the question; the item is not.
#[saga_tool]
async fn picked_by_a_borrowed_key_that_changes() -> Result<String, ToolError> {
    let items = noted(items());
    let mut names = vec![items[1].name.clone()];
    let key = &names[0];
    let item = items.iter().find(|item| item.name == *key);
    names[0] = items[2].name.clone();
    elicit::<Yes>(format!("{item:?} {names:?}?")).await?;
    Ok(format!("{item:?}"))
}

#[saga]
async fn raise(sizes: &mut BTreeMap<String, u32>, name: &str, by: &u32) -> Result<u32, ToolError> {
    let size = sizes.get_mut(name).ok_or_else(|| ToolError::new(format!("no {name}")))?;
    let sure: Yes = elicit(format!("{name} from {size} by {by}?")).await?;
    *size += if sure.yes { *by } else { 0 };
    elicit::<Yes>(format!("{size} is right?")).await?;
    *size *= 2;
    Ok(*size)
}

#[saga_tool]
async fn by_a_parameter_that_borrows() -> Result<String, ToolError> {
    let mut sizes = sizes();
    let first = call(raise(&mut sizes, "db", &3)).await?;
    let second = call(raise(&mut sizes, "none", &first)).await;
    Ok(format!("{sizes:?} {first} {}", second.is_err()))
}

/// An entry takes its key.
#[saga_tool]
async fn by_an_owned_key(names: Vec<String>) -> Result<String, ToolError> {
    let mut votes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names {
        let slot = votes.entry(name).or_default();
        let other: Name = elicit(format!("{slot:?}: for whom?")).await?;
        slot.push(other.name);
    }
    let who: Name = elicit("whose are cleared?").await?;
    let slot = votes.entry(who.name).or_insert_with(|| vec!["none".to_owned()]);
    if elicit::<Yes>(format!("{slot:?}?")).await?.yes {
        slot.clear();
    }
    let mut by_length: HashMap<usize, u32> = HashMap::new();
    for name in votes.into_keys() {
        let length = name.len();
        let many = by_length.entry(length).or_insert(0);
        *many += 1;
        let more: Count = elicit(format!("{length}: {many}, how many more?")).await?;
        *many += u32::from(more.n);
    }
    let mut sorted: Vec<_> = by_length.into_iter().collect();
    sorted.sort_unstable();
    Ok(format!("{sorted:?}"))
}

/// The key is another by the next question, and what it reached is not.
#[saga_tool]
async fn by_a_key_that_moves_on() -> Result<String, ToolError> {
    let mut items = items();
    let mut at = 0;
    while let Some(item) = items.get_mut(at) {
        at += 1;
        let more: Count = elicit(format!("{}, and {at} is next?", item.name)).await?;
        item.size += u32::from(more.n);
        elicit::<Yes>(format!("{item:?}?")).await?;
        item.size += 10;
    }
    at -= 1;
    if let Some(item) = items.get_mut(at) {
        at = 0;
        elicit::<Yes>(format!("{item:?}?")).await?;
        item.name.push('!');
    }
    let mut rooms: BTreeMap<String, Vec<u32>> =
        BTreeMap::from([("near".to_owned(), vec![]), ("far".to_owned(), vec![])]);
    let mut room = "near".to_owned();
    let mut seen = 0;
    loop {
        let Some(visits) = rooms.get_mut(&room) else { break };
        seen += 1;
        visits.push(seen);
        let next: Name = elicit(format!("{room}, {visits:?}: where to?")).await?;
        visits.push(100);
        room = if seen == 1 { "far".to_owned() } else { next.name };
    }
    Ok(format!("{items:?} {rooms:?} {room} {at}"))
}

#[saga_tool]
async fn by_other_keys() -> Result<String, ToolError> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let many = counts.entry("a".into()).or_insert(1);
    elicit::<Yes>(format!("{many}?")).await?;
    *many += 1;
    let key = 3;
    let many = counts.entry(format!("{key}!")).or_default();
    elicit::<Yes>(format!("{many}?")).await?;
    *many += 1;
    let many = counts.entry(said("b")).or_default();
    elicit::<Yes>(format!("{many}?")).await?;
    *many += 1;
    let mut key = said("b");
    let many = counts.get_mut(key.as_str()).ok_or("none")?;
    key.push('x');
    elicit::<Yes>(format!("{many}?")).await?;
    *many += 10;
    let mut path = ("a".to_owned(), 1);
    if let Some(many) = counts.get_mut(&path.0) {
        path.0.clear();
        elicit::<Yes>(format!("{many}?")).await?;
        *many += 10;
    }
    key.pop();
    let many = counts.get_mut(&key).unwrap();
    key.push('y');
    elicit::<Yes>(format!("{many} {key}?")).await?;
    *many += 100;
    Ok(format!("{counts:?}"))
}

/// Keys that are coerced, have no clone, or are taken under a lock; nothing of what they reach is needed later.
#[saga_tool]
async fn entries_that_no_question_needs(mut names: Vec<String>) -> Result<String, ToolError> {
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Key(u8);
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for name in &names {
        let many = counts.entry(name).or_insert(0);
        *many += 1;
        elicit::<Yes>(format!("{name}?")).await?;
    }
    let told = format!("{counts:?}");
    {
        let mut by_key: BTreeMap<Key, u32> = BTreeMap::new();
        let key = Key(1);
        let many = by_key.entry(key).or_insert(0);
        *many += 1;
    }
    elicit::<Yes>("and?").await?;
    let lock = std::sync::Mutex::new("web".to_owned());
    let mut sizes = BTreeMap::from([("web".to_owned(), 1)]);
    let size = sizes.get_mut(lock.lock().unwrap().as_str()).unwrap();
    *size += 1;
    effect(lock.try_lock().is_ok());
    let more = call(counts_and_names(&mut sizes, &mut names[0])).await?;
    Ok(format!("{told} {sizes:?} {more}"))
}

#[saga]
async fn counts_and_names(sizes: &mut BTreeMap<String, u32>, name: &mut String) -> Result<u32, StepError> {
    let size = *sizes.entry(name.clone()).or_insert(7);
    let found = sizes.get_mut(name).unwrap();
    *found += 1;
    name.push('x');
    let more: Count = elicit(format!("{name}?")).await?;
    Ok(size + u32::from(more.n))
}

fn said(key: &str) -> String {
    effect(format_args!("the key {key}"));
    key.to_owned()
}

#[saga_tool]
async fn filled_and_looked_into() -> Result<String, ToolError> {
    let mut note: Option<String> = None;
    let text = note.get_or_insert(said("note"));
    elicit::<Yes>(format!("{text}?")).await?;
    text.push('!');
    let text = note.as_mut().unwrap();
    elicit::<Yes>(format!("{text}?")).await?;
    text.push('?');
    let text = note.as_deref_mut().ok_or("none")?;
    elicit::<Yes>(format!("{text}?")).await?;
    text.make_ascii_uppercase();
    let mut items = items();
    let all = items.as_mut_slice();
    elicit::<Yes>(format!("{}?", all.len())).await?;
    all[0].size += 1;
    if let [first, .., last] = items.as_mut_slice() {
        elicit::<Yes>(format!("{} {}?", first.name, last.name)).await?;
        std::mem::swap(first, last);
    }
    Ok(format!("{note:?} {items:?}"))
}

#[saga_tool]
async fn part_by_part(least: u32) -> Result<String, ToolError> {
    let mut sizes: Vec<u32> = (0..5).collect();
    for pair in sizes.chunks_mut(2) {
        pair[0] += 10;
        let more: Count = elicit(format!("{pair:?}?")).await?;
        pair[0] += u32::from(more.n);
    }
    for (at, three) in sizes.rchunks_mut(noted(3)).enumerate() {
        elicit::<Yes>(format!("{at} {three:?}?")).await?;
        three.reverse();
    }
    let mut by_size: BTreeMap<u32, String> = (0..4).map(|size| (size, format!("n{size}"))).collect();
    for (size, name) in by_size.range_mut(least..) {
        name.push('!');
        elicit::<Yes>(format!("{size} {name}?")).await?;
        name.push('?');
    }
    let mut queue: VecDeque<u32> = sizes.iter().copied().collect();
    for size in queue.range_mut(1..) {
        elicit::<Yes>(format!("{size}?")).await?;
        *size += 1;
    }
    let others = vec![1, 2];
    for (size, other) in queue.iter_mut().zip(others) {
        elicit::<Yes>(format!("{size} and {other}?")).await?;
        *size += other;
    }
    Ok(format!("{sizes:?} {by_size:?} {queue:?}"))
}

#[saga_tool]
async fn split_in_two(at: usize) -> Result<String, ToolError> {
    let mut items = items();
    let (before, after) = items.split_at_mut(at);
    let name: Name = elicit(format!("{before:?} {}: which name?", after.len())).await?;
    before[0].name = name.name;
    for item in after.iter_mut() {
        elicit::<Yes>(format!("{} and {}?", before[0].name, item.name)).await?;
        std::mem::swap(&mut before[0].size, &mut item.size);
    }
    let Some((first, rest)) = items.split_first_mut() else { return Ok("none".to_owned()) };
    first.tags.push(elicit::<Name>(format!("{first:?}: which tag?")).await?.name);
    let (last, _) = rest.split_last_mut().ok_or("one")?;
    std::mem::swap(first, last);
    elicit::<Yes>(format!("{} for {}?", first.name, last.name)).await?;
    last.size += first.size;
    Ok(format!("{items:?}"))
}

/// The last of the largest, the first of the smallest, while what they were picked by changes.
#[saga_tool]
async fn picked_by_a_key() -> Result<String, ToolError> {
    let mut items = items();
    items.extend(self::items());
    for _ in 0..3 {
        let largest = items.iter_mut().max_by_key(|item| item.size).ok_or("none")?;
        let name: Name = elicit(format!("{}: which name?", largest.name)).await?;
        largest.size = 0;
        largest.name = name.name;
        elicit::<Yes>(format!("{largest:?}?")).await?;
        largest.tags.push(format!("{}", largest.size));
    }
    let Some((at, smallest)) = items.iter_mut().enumerate().min_by_key(|(_, item)| item.size) else {
        return Ok("none".to_owned());
    };
    smallest.size += 100;
    elicit::<Yes>(format!("{at}?")).await?;
    smallest.size += 1000;
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn picked_by_a_comparison() -> Result<String, ToolError> {
    let mut costs = vec![2.5_f64, 0.5, 7.25, 0.5];
    if let Some(most) = costs.iter_mut().max_by(|one, other| one.total_cmp(other)) {
        *most -= 7.0;
        let more: Count = elicit(format!("{most}?")).await?;
        *most += f64::from(more.n);
    }
    let least = costs.iter_mut().rev().min_by(|one, other| one.total_cmp(other)).unwrap();
    *least += 4.0;
    elicit::<Yes>(format!("{least}?")).await?;
    *least += 0.125;
    Ok(format!("{costs:?}"))
}

#[saga_tool]
async fn picked_by_a_key_with_an_effect() -> Result<String, ToolError> {
    let mut items = items();
    let mut asked = 0;
    let item = items.iter_mut().max_by_key(|item| {
        asked += 1;
        effect(format_args!("looked at {}", item.name));
        item.size
    });
    let more: Count = elicit(format!("{item:?} of {asked}?")).await?;
    if let Some(item) = item {
        item.size += u32::from(more.n);
    }
    Ok(format!("{items:?} {asked}"))
}

#[saga_tool]
async fn by_their_number() -> Result<String, ToolError> {
    let mut items = items();
    let third = items.iter_mut().nth(noted(2)).ok_or("too few")?;
    third.size = elicit::<Count>(format!("{}?", third.name)).await?.n.into();
    elicit::<Yes>(format!("{third:?}?")).await?;
    third.name.push('!');
    let last = items.iter_mut().last().unwrap();
    elicit::<Yes>(format!("{last:?}?")).await?;
    last.name.push('?');
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn iterators_over_what_is_reached() -> Result<String, ToolError> {
    let mut items = items();
    items[1].tags.extend(["a", "b", "c"].map(str::to_owned));
    let item = items.get_mut(1).ok_or("none")?;
    let mut tags = item.tags.iter();
    while let Some(tag) = tags.next() {
        elicit::<Yes>(format!("{tag} of {}?", item.name)).await?;
    }
    for tag in item.tags.iter().map(|tag| tag.len()) {
        elicit::<Yes>(format!("{tag}?")).await?;
    }
    let mut upper = item.tags.iter().map(|tag| tag.to_uppercase()).peekable();
    while let Some(tag) = upper.next() {
        elicit::<Yes>(format!("{tag} before {:?}?", upper.peek())).await?;
    }
    item.size = 9;
    Ok(format!("{items:?}"))
}

/// A place in a list.
#[derive(Debug, Serialize, Deserialize)]
struct Cursor {
    cells: Vec<u8>,
    at: usize,
    bias: u32,
}

impl Cursor {
    fn new() -> Self {
        Self { cells: vec![10, 20, 30], at: 0, bias: 0 }
    }

    #[saga]
    async fn step(&mut self) -> Result<(), StepError> {
        let Some(cell) = self.cells.get_mut(self.at) else { return Ok(()) };
        self.at += 1;
        *cell = elicit::<Count>("n?").await?.n;
        Ok(())
    }

    #[saga]
    async fn largest(&mut self, list: &[Item]) -> Result<String, StepError> {
        let Some(best) = list.iter().max_by_key(|item| item.size ^ self.bias) else {
            return Ok(String::new());
        };
        self.bias = 7;
        elicit::<Yes>(format!("{}?", best.name)).await?;
        Ok(best.name.clone())
    }
}

#[saga_tool]
async fn by_a_field_of_a_mutable_self() -> Result<String, ToolError> {
    let mut cursor = Cursor::new();
    call(cursor.step()).await?;
    call(cursor.step()).await?;
    Ok(format!("{cursor:?}"))
}

#[saga_tool]
async fn by_a_field_of_a_mutable_parameter() -> Result<String, ToolError> {
    let mut cursor = Cursor::new();
    call(step(&mut cursor)).await?;
    call(step(&mut cursor)).await?;
    Ok(format!("{cursor:?}"))
}

#[saga_tool]
async fn by_a_field_of_a_mutable_part() -> Result<String, ToolError> {
    let mut cursor = Cursor::new();
    call(step_of_a_pair((&mut cursor, 1))).await?;
    call(step_of_a_pair((&mut cursor, 2))).await?;
    Ok(format!("{cursor:?}"))
}

#[saga_tool]
async fn by_a_field_of_a_mutable_borrow() -> Result<String, ToolError> {
    let mut cursor = Cursor::new();
    let borrowed = &mut cursor;
    let cell = borrowed.cells.get_mut(borrowed.at).unwrap();
    borrowed.at += 1;
    *cell = elicit::<Count>("n?").await?.n;
    let cell = borrowed.cells.get_mut(borrowed.at).unwrap();
    borrowed.at += 1;
    *cell = elicit::<Count>("n?").await?.n;
    Ok(format!("{cursor:?}"))
}

#[saga_tool]
async fn picked_by_a_mutable_self() -> Result<String, ToolError> {
    let mut cursor = Cursor::new();
    let list = items();
    let one = call(cursor.largest(&list)).await?;
    let other = call(cursor.largest(&list)).await?;
    Ok(format!("{one}{other}"))
}

#[saga]
async fn step(cursor: &mut Cursor) -> Result<(), StepError> {
    let Some(cell) = cursor.cells.get_mut(cursor.at) else { return Ok(()) };
    cursor.at += 1;
    *cell = elicit::<Count>("n?").await?.n;
    Ok(())
}

#[saga]
async fn step_of_a_pair(pair: (&mut Cursor, u8)) -> Result<(), StepError> {
    let Some(cell) = pair.0.cells.get_mut(pair.0.at) else { return Ok(()) };
    pair.0.at += 1;
    *cell = elicit::<Count>("n?").await?.n + pair.1;
    Ok(())
}

#[saga_tool]
async fn by_the_same_text_in_a_later_condition(ready: bool) -> Result<String, ToolError> {
    let mut v = vec![1, 2, 3];
    let mut at = 0;
    let x = v.get_mut(at).unwrap();
    *x += elicit::<Count>("n?").await?.n;
    at += 1;
    let at = at;
    if ready && let Some(x) = v.get_mut(at) {
        *x += elicit::<Count>("n?").await?.n;
    }
    Ok(format!("{v:?}"))
}

#[saga_tool]
async fn by_the_same_text_in_another_loop() -> Result<String, ToolError> {
    let mut v = vec![1, 2];
    let mut i = 0;
    while i < v.len() {
        let x = v.get_mut(i).unwrap();
        *x += elicit::<Count>("n?").await?.n;
        i += 1;
    }
    for i in 0..v.len() {
        let x = v.get_mut(i).unwrap();
        *x += elicit::<Count>("m?").await?.n;
    }
    Ok(format!("{v:?}"))
}

#[saga_tool]
async fn by_the_same_text_as_a_key_that_is_steady() -> Result<String, ToolError> {
    let mut v = vec![1, 2, 3];
    let mut at = 0;
    let x = v.get_mut(at).unwrap();
    *x += elicit::<Count>("n?").await?.n;
    at += 1;
    let at = noted(at + 1);
    let x = v.get_mut(at).unwrap();
    *x += elicit::<Count>("n?").await?.n;
    Ok(format!("{v:?}"))
}

#[saga_tool]
async fn in_one_expression(names: Vec<String>) -> Result<String, ToolError> {
    let mut book: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut plans: BTreeMap<u8, Item> = BTreeMap::new();
    let mut key = String::new();
    for name in &names {
        key.push_str(name);
        book.entry(key.clone()).or_default().push(elicit::<Count>("?").await?.n);
        book.entry(noted(key.clone())).or_insert_with(Vec::new).push(elicit::<Count>("?").await?.n);
        book.get_mut(&key).unwrap().push(elicit::<Count>(format!("{}?", names.len())).await?.n);
        plans
            .entry(noted(1))
            .or_insert_with(|| items()[0].clone())
            .tags
            .push(elicit::<Name>("?").await?.name);
        plans.get_mut(&1).ok_or(ToolError::new("none"))?.size += u32::from(elicit::<Count>("?").await?.n);
    }
    Ok(format!("{book:?} {plans:?}"))
}

#[saga_tool]
async fn filled_by_a_function() -> Result<String, ToolError> {
    let (mut sizes, mut names) = (None, Some(vec!["ada".to_owned()]));
    let of_sizes = sizes.get_or_insert_with(Vec::new);
    of_sizes.push(elicit::<Count>("?").await?.n);
    of_sizes.push(elicit::<Count>("?").await?.n);
    let of_names = names.get_or_insert_with(Default::default);
    of_names.push(elicit::<Name>("?").await?.name);
    of_names.push("bob".to_owned());
    Ok(format!("{sizes:?} {names:?}"))
}

/// The text is another one in each round, and so is what is borrowed of it, whose name is not `mut`.
#[saga_tool]
async fn by_a_key_that_borrows_what_changes() -> Result<String, ToolError> {
    let mut book: BTreeMap<String, Vec<u8>> =
        BTreeMap::from([("1".to_owned(), vec![]), ("2".to_owned(), vec![])]);
    let mut last = String::new();
    for at in 0..3 {
        last.clear();
        last.push_str(&at.to_string());
        let key = last.as_str();
        if let Some(list) = book.get_mut(key) {
            list.push(elicit::<Count>(format!("{key}?")).await?.n);
            list.push(7);
        }
    }
    Ok(format!("{book:?} {last}"))
}

#[saga_tool]
async fn an_entry_that_is_changed_once() -> Result<String, ToolError> {
    let mut book: BTreeMap<String, Vec<u8>> = BTreeMap::from([("ada".to_owned(), vec![1, 2])]);
    let mut key = "ada".to_owned();
    for _ in 0..2 {
        let list = book.entry(key).and_modify(|list| list.insert(0, noted(7))).or_default();
        key = "bob".to_owned();
        list.push(elicit::<Count>(format!("{list:?}?")).await?.n);
        list.push(9);
    }
    book.entry(noted("ada".to_owned()))
        .and_modify(|list| list.reverse())
        .and_modify(|list| list.push(noted(8)))
        .or_insert_with(Vec::new)
        .push(elicit::<Count>("?").await?.n);
    Ok(format!("{book:?} {key}"))
}

#[saga_tool]
async fn further_by_a_closure(at: usize) -> Result<String, ToolError> {
    let mut plans = BTreeMap::from([("api", items())]);
    if let Some(item) = plans.get_mut("api").and_then(|list| list.first_mut()) {
        item.size += u32::from(elicit::<Count>(format!("{}?", item.name)).await?.n);
        item.size *= 2;
    }
    let tags = plans.get_mut("api").map(|list| &mut list[at].tags).ok_or("none")?;
    tags.push(elicit::<Name>(format!("{tags:?}?")).await?.name);
    let Some(item) = plans.get_mut("api").and_then(|list| list.iter_mut().nth(1)) else {
        return Ok("none".to_owned());
    };
    item.name.push('!');
    let mut value = Json(json!({ "a": { "b": [1] } }));
    let list = value.0.get_mut("a").and_then(|a| a.get_mut("b")?.as_array_mut()).unwrap();
    list.push(elicit::<Count>(format!("{list:?}?")).await?.n.into());
    value
        .0
        .pointer_mut("/a/b")
        .and_then(|b| b.as_array_mut())
        .unwrap()
        .push(elicit::<Count>("?").await?.n.into());
    match value.0.as_object_mut().and_then(|a| a.get_mut("a")) {
        Some(a) => a["c"] = elicit::<Name>(format!("{a}?")).await?.name.into(),
        None => return Ok("none".to_owned()),
    }
    Ok(format!("{plans:?} {}", value.0))
}

#[saga_tool]
async fn further_by_a_function() -> Result<String, ToolError> {
    let mut plans = BTreeMap::from([("api", Some(items()))]);
    if let Some(list) = plans.get_mut("api").and_then(Option::as_mut) {
        list[0].size += u32::from(elicit::<Count>(format!("{}?", list.len())).await?.n);
        list.pop();
    }
    let mut values = [Json(json!([1])), Json(json!([2]))];
    let list = values.last_mut().map(|value| &mut value.0).and_then(Value::as_array_mut).ok_or("no list")?;
    list.push(elicit::<Count>(format!("{list:?}?")).await?.n.into());
    list.push(7.into());
    Ok(format!("{plans:?} {}", values[1].0))
}

#[saga_tool]
async fn further_by_a_key_that_changes() -> Result<String, ToolError> {
    let mut lists = vec![vec![1, 2], vec![3, 4]];
    let mut at = 0;
    while at < 2 {
        let last = lists.get_mut(at).and_then(|list| list.last_mut()).unwrap();
        at += 1;
        *last += elicit::<Count>(format!("{last}?")).await?.n;
        *last += 1;
        let mut list = items();
        let sizes = list.iter_mut().find(|item| item.size > 1).map(|item| &mut item.size).ok_or("none")?;
        *sizes = 0;
        *sizes += u32::from(elicit::<Count>(format!("{sizes}?")).await?.n);
        let sizes = list.iter_mut().find(|item| item.size > 2).map(|item| &mut item.size).unwrap();
        *sizes = 0;
        *sizes += u32::from(elicit::<Count>(format!("{sizes}?")).await?.n);
        effect(format!("{list:?}"));
    }
    Ok(format!("{lists:?}"))
}

#[saga_tool]
async fn two_at_once() -> Result<String, ToolError> {
    let mut sizes = vec![1, 2, 3];
    let [left, right] = sizes.get_disjoint_mut([0, 2]).unwrap();
    *left += elicit::<Count>(format!("{right}?")).await?.n;
    std::mem::swap(left, right);
    elicit::<Yes>(format!("{left} {right}?")).await?;
    *right += 10;
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn of_text_that_is_owned_then() -> Result<String, ToolError> {
    let mut clean = Cow::Borrowed("a");
    clean.to_mut().push_str(&elicit::<Name>("?").await?.name);
    let text = clean.to_mut();
    text.push('-');
    text.push_str(&elicit::<Name>(format!("{text}?")).await?.name);
    Ok(clean.into_owned())
}

#[saga_tool]
async fn parts_by_indices_that_change() -> Result<String, ToolError> {
    let (mut sizes, mut others) = (vec![1, 2, 3], vec![4]);
    let mut at = 0;
    while at + 1 < sizes.len() {
        let (keep, name) = (&mut sizes[at], "x");
        at += 1;
        if elicit::<Yes>(format!("{keep} {name}?")).await?.yes {
            *keep = 0;
        }
        let (name, other, next) = ("y", &mut others[0], &mut sizes[at]);
        at += 0;
        *next += elicit::<Count>(format!("{name} {other} {next}?")).await?.n;
        *other += *next;
    }
    let pair = (&mut sizes[at], &mut others[at - 2]);
    at += 1;
    elicit::<Yes>(format!("{pair:?}?")).await?;
    *pair.0 += at as u8;
    *pair.1 += 1;
    Ok(format!("{sizes:?} {others:?}"))
}

#[saga_tool]
async fn parts_by_indices_of_halves() -> Result<String, ToolError> {
    let mut sizes = vec![1, 2, 3];
    let mut at = 0;
    while at + 1 < sizes.len() {
        let (left, right) = sizes.split_at_mut(at + 1);
        let (keep, other) = (&mut left[at], &mut right[0]);
        let Yes { yes } = elicit(format!("{keep} {other}?")).await?;
        if yes {
            std::mem::swap(keep, other);
        }
        at += 1;
    }
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn parts_by_indices_with_effects() -> Result<String, ToolError> {
    let (mut sizes, mut others) = (vec![1, 2, 3], vec![4, 5]);
    let mut at = 0;
    let (size, count) = (&mut sizes[noted(1)], noted(2));
    *size += elicit::<Count>(format!("{size} {count}?")).await?.n;
    let (other, name) = (
        &mut others[{
            at += 1;
            at
        }],
        noted("ada"),
    );
    at += 1;
    *other += elicit::<Count>(format!("{other} {name} {at}?")).await?.n;
    Ok(format!("{sizes:?} {others:?} {at}"))
}

#[saga_tool]
async fn one_of_two(left: bool) -> Result<String, ToolError> {
    let (mut one, mut two) = (vec![1], vec![2]);
    let mut ready = left;
    let list = if noted(ready) { &mut one } else { &mut two };
    ready = !ready;
    list.push(elicit::<Count>(format!("{list:?} {ready}?")).await?.n);
    list.push(9);
    for at in 0..3 {
        let (last, name) = if at == 1 { (one.last_mut().unwrap(), "one") } else { (&mut two[0], "two") };
        *last += elicit::<Count>(format!("{name} {last}?")).await?.n;
        *last += 1;
    }
    let list = if elicit::<Yes>("which?").await?.yes { &mut one } else { &mut two };
    elicit::<Yes>(format!("{list:?}?")).await?;
    list.clear();
    Ok(format!("{one:?} {two:?} {ready}"))
}

#[saga_tool]
async fn both_of_two_in_an_order(left: bool) -> Result<String, ToolError> {
    let (mut one, mut two) = (vec![1], vec![2]);
    let (from, to) = if noted(left) { (&mut one, &mut two) } else { (&mut two, &mut one) };
    elicit::<Yes>(format!("{from:?}?")).await?;
    to.append(from);
    from.push(elicit::<Count>(format!("{to:?}?")).await?.n);
    let (from, to) = if from.len() > to.len() { (to, from) } else { (from, to) };
    to.append(from);
    let (shorter, longer) = if one.len() < two.len() { (&mut one, &mut two) } else { (&mut two, &mut one) };
    shorter.extend(longer.drain(..));
    elicit::<Yes>(format!("{longer:?}?")).await?;
    longer.push(8);
    Ok(format!("{one:?} {two:?}"))
}

/// The key is another one before the question, by the mutable half of a pair.
#[saga_tool]
async fn by_what_is_changed_beside_it() -> Result<String, ToolError> {
    let (mut list, mut sizes) = (vec![10, 20, 30], vec![0_usize, 1]);
    for (name, size) in ["a", "b"].iter().zip(sizes.iter_mut()) {
        let item = list.get_mut(*size).unwrap();
        *size += 1;
        *item += elicit::<Count>(format!("{name} {item}?")).await?.n;
        *item += 1;
    }
    for (name, size) in ["a", "b"].iter().zip(&mut sizes) {
        let item = &mut list[*size];
        *size -= 1;
        *item += elicit::<Count>(format!("{name} {item}?")).await?.n;
        *item += 1;
    }
    Ok(format!("{list:?} {sizes:?}"))
}

#[saga_tool]
async fn range_drawn_by_hand() -> Result<String, ToolError> {
    let mut map = BTreeMap::from([(1u8, String::from("a")), (2, "b".into()), (5, "c".into())]);
    let least = elicit::<Count>("least").await?.n.min(2);
    let Some((key, text)) = map.range_mut(..=2).next_back() else { return Ok("none".into()) };
    text.push_str(&elicit::<Name>(format!("{key}{text}")).await?.name);
    text.push('!');
    if let Some((key, text)) = map.range_mut(least..).next() {
        let yes: Yes = elicit(format!("{key}{text}")).await?;
        if yes.yes {
            text.clear();
        }
    }
    Ok(format!("{map:?}"))
}
