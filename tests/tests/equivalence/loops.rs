//! Loops of every kind over everything, with the jumps out of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use indexmap::{IndexMap, IndexSet};
use saga_runtime::{StepError, ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    loop_with_break_value;
    loop_until_accepted;
    while_question;
    while_with_a_counter;
    while_let_pop;
    advanced_by_hand;
    iterators_of_all_makes(text: "one two of four words".to_owned());
    advanced_over_a_text(text: "one\ntwo\n\nx\nfour".to_owned());
    advanced_with_a_look_ahead(text: "a bb c dd ee f".to_owned());
    advanced_in_turns;
    while_let_question;
    while_let_with_chain;
    while_with_question_in_the_middle;
    for_over_a_borrow(regions: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    for_over_a_field;
    for_over_iter;
    for_over_dereferenced_items;
    for_over_iter_and_copied;
    for_over_iter_enumerate;
    for_over_iter_rev_skip_take;
    for_over_iter_mut;
    for_over_zip;
    for_over_owned;
    for_over_owned_iterators;
    for_over_lazy_adaptors;
    for_over_a_range;
    for_over_ranges_of_all_kinds;
    for_over_an_inclusive_range_of_one;
    for_over_chars;
    for_over_maps;
    for_over_maps_in_the_order_of_insertion;
    for_over_a_map_mutably;
    for_over_a_deque_and_an_option;
    for_over_an_array_and_a_slice;
    for_over_a_temporary;
    for_over_a_question;
    for_over_windows_and_chunks;
    for_over_strings_split;
    for_with_a_pattern;
    for_with_a_refutable_inside;
    nested_for;
    nested_for_with_labels;
    triangular;
    labels_out_of_nested_loops;
    continue_of_outer_loop;
    break_with_value_out_of_nested_loops;
    break_with_a_question;
    jumps_in_plain_code_between_questions;
    jumps_inside_match_arms;
    loops_without_questions_inside_loops_with;
    loops_with_questions_inside_closured_code;
    a_labelled_block_in_a_loop;
    shadowing_in_loops;
    reassignment_in_loops;
    accumulators_of_all_kinds;
    return_from_a_loop;
    question_mark_in_a_loop;
    a_loop_entered_twice;
    two_loops_in_a_row;
    loop_in_a_branch_in_a_loop;
    a_while_in_a_for_in_a_loop;
    an_empty_loop;
    borrow_of_the_loop_item_held;
    same_label_twice;
    an_infinite_iterator;
    a_loop_as_an_operand;
    iterator_as_a_local;
    numbers_of_a_type_that_is_seen_later;
    numbers_before_what_is_changed;
    flat_by_a_closure;
}

#[saga_tool]
async fn loop_with_break_value() -> Result<String, ToolError> {
    let mut tries = 0;
    let number = loop {
        tries += 1;
        effect(tries);
        let count: Count = elicit(format!("{tries}?")).await?;
        if count.n > 1 {
            break count.n;
        }
        effect("again");
    };
    elicit::<Yes>(format!("{number} after {tries}?")).await?;
    Ok(format!("{number} {tries}"))
}

#[saga_tool]
async fn loop_until_accepted() -> Result<String, ToolError> {
    let mut refusals = Vec::new();
    let name = loop {
        match elicit::<Name>(format!("{} refusals, name?", refusals.len())).await {
            Ok(name) if !name.name.is_empty() => break name.name,
            Ok(_) => continue,
            Err(error) => {
                effect(&error);
                refusals.push(error);
            }
        }
        if refusals.len() > 3 {
            return Err(ToolError::new("enough"));
        }
    };
    Ok(format!("{name} {}", refusals.len()))
}

#[saga_tool]
async fn while_question() -> Result<String, ToolError> {
    let mut count = 0;
    while elicit::<Yes>(format!("{count}, more?")).await?.yes {
        count += 1;
        effect(count);
    }
    while noted(count) < 4 && elicit::<Yes>("and more?").await?.yes || noted(false) {
        count += elicit::<Count>("how many?").await?.n;
        effect("added");
    }
    Ok(count.to_string())
}

#[saga_tool]
async fn while_with_a_counter() -> Result<String, ToolError> {
    let mut index = 0;
    let mut log = String::new();
    while index < 3 {
        let yes: Yes = elicit(format!("{index}?")).await?;
        index += 1;
        if !yes.yes {
            continue;
        }
        effect(index);
        log.push_str(&index.to_string());
    }
    elicit::<Yes>(format!("{log}?")).await?;
    Ok(log)
}

#[saga_tool]
async fn while_let_pop() -> Result<String, ToolError> {
    let mut work = vec![1_u8, 2];
    let mut done = Vec::new();
    while let Some(item) = work.pop() {
        effect(item);
        let count: Count = elicit(format!("{item} of {work:?}?")).await?;
        if count.n == 3 && done.len() < 3 {
            work.push(item + 10);
        }
        done.push((item, count.n));
    }
    Ok(format!("{done:?}"))
}

#[saga_tool]
async fn while_let_question() -> Result<String, ToolError> {
    let mut names = Vec::new();
    while let Ok(Name { name }) = elicit(format!("{names:?}, who else?")).await {
        effect(&name);
        if name.is_empty() || names.len() > 3 {
            break;
        }
        let Ok(Yes { yes: true }) = elicit(format!("{name}?")).await else { continue };
        names.push(name);
    }
    Ok(names.concat())
}

#[saga_tool]
async fn while_let_with_chain() -> Result<String, ToolError> {
    let mut left = VecDeque::from([3_u8, 2, 1]);
    while let Some(first) = left.pop_front()
        && let Ok(count) = elicit::<Count>(format!("{first}?")).await
        && count.n < 3
    {
        effect(format_args!("{first} {}", count.n));
        elicit::<Yes>(format!("{first} {}?", count.n)).await?;
        effect(first);
    }
    Ok(format!("{left:?}"))
}

#[saga_tool]
async fn while_with_question_in_the_middle() -> Result<String, ToolError> {
    let mut n = 0_u8;
    while n < noted(4) {
        n += 1;
        if n == 2 {
            effect("two");
            continue;
        }
        n += elicit::<Count>(format!("{n}?")).await?.n;
        effect(n);
        if n == 3 {
            break;
        }
    }
    Ok(n.to_string())
}

#[saga_tool]
async fn for_over_a_borrow(regions: Vec<String>) -> Result<String, ToolError> {
    let mut done = Vec::new();
    for region in &regions {
        effect(region);
        let yes: Yes = elicit(format!("{region}?")).await?;
        if yes.yes {
            done.push(region.clone());
        }
        effect(region.len());
    }
    let own = done.clone();
    for region in &own {
        elicit::<Yes>(format!("{region} of {own:?} and {regions:?}?")).await?;
        effect(region);
    }
    Ok(format!("{done:?} of {}", regions.len()))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    stages: Vec<Stage>,
    title: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Stage {
    name: String,
    steps: Vec<u8>,
}

fn plan() -> Plan {
    let stages = [("one", vec![1, 2]), ("two", vec![]), ("three", vec![3])];
    let stages = stages.map(|(name, steps)| Stage { name: name.to_owned(), steps });
    Plan { stages: stages.into(), title: "plan".to_owned() }
}

#[saga_tool]
async fn for_over_a_field() -> Result<String, ToolError> {
    let mut plan = plan();
    let mut total = 0;
    for stage in &plan.stages {
        effect(&stage.name);
        for step in &stage.steps {
            let count: Count = elicit(format!("{} {step}?", stage.name)).await?;
            total += count.n * step;
            effect(total);
        }
        elicit::<Yes>(format!("{} of {} done?", stage.name, plan.title)).await?;
    }
    for stage in &mut plan.stages {
        stage.steps.push(9);
        elicit::<Yes>(format!("{stage:?}?")).await?;
        stage.name.push('!');
    }
    Ok(format!("{plan:?} {total}"))
}

#[saga_tool]
async fn for_over_iter() -> Result<String, ToolError> {
    let list = noted(vec![1_u8, 2, 3]);
    let mut sum = 0;
    for item in list.iter() {
        sum += item * elicit::<Count>(format!("{item}?")).await?.n;
        effect(sum);
    }
    for item in list.iter().copied() {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn for_over_dereferenced_items() -> Result<String, ToolError> {
    let list = noted(vec![1_u8, 2, 3]);
    let mut sum = 0;
    for &item in list.iter() {
        sum += item;
        elicit::<Yes>(format!("{item} {sum}?")).await?;
        effect(item);
    }
    for &(index, ref name) in &[(1_u8, "a"), (2, "b")] {
        elicit::<Yes>(format!("{index} {name}?")).await?;
        effect(name);
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn for_over_iter_and_copied() -> Result<String, ToolError> {
    let list = noted(vec![1_u8, 2, 3]);
    for item in list.iter() {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    for item in list.iter().copied() {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn for_over_iter_enumerate() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned()];
    let mut text = String::new();
    for (index, item) in list.iter().enumerate() {
        let name: Name = elicit(format!("{index} {item}?")).await?;
        text.push_str(&format!("{index}{item}{}", name.name));
        effect(&text);
    }
    for (index, item) in list.into_iter().enumerate() {
        let yes: Yes = elicit(format!("{index} {item}?")).await?;
        effect(format_args!("{index} {item} {}", yes.yes));
    }
    Ok(text)
}

#[saga_tool]
async fn for_over_iter_rev_skip_take() -> Result<String, ToolError> {
    let list = (0_u8..6).collect::<Vec<_>>();
    for item in list.iter().rev().skip(1).take(2) {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    for (item, index) in list.iter().step_by(4).zip(1_u8..) {
        elicit::<Yes>(format!("{item} {index}?")).await?;
        effect(item);
    }
    Ok(String::new())
}

#[saga_tool]
async fn for_over_iter_mut() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2, 3];
    for item in list.iter_mut() {
        *item += elicit::<Count>(format!("{item}?")).await?.n;
        effect(&item);
    }
    for item in &mut list {
        *item *= 2;
        let yes: Yes = elicit(format!("{item}?")).await?;
        if yes.yes {
            *item += 100;
        }
    }
    for (index, item) in list.iter_mut().enumerate() {
        elicit::<Yes>(format!("{index} {item}?")).await?;
        *item += index as u8;
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn for_over_zip() -> Result<String, ToolError> {
    let names = vec!["a".to_owned(), "b".to_owned()];
    let numbers = [1_u8, 2, 3];
    for (name, number) in names.iter().zip(&numbers) {
        elicit::<Yes>(format!("{name} {number}?")).await?;
        effect(format_args!("{name} {number}"));
    }
    Ok(format!("{names:?} {numbers:?}"))
}

#[saga_tool]
async fn for_over_owned() -> Result<String, ToolError> {
    let list = noted(vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
    let mut kept = Vec::new();
    for item in list {
        let yes: Yes = elicit(format!("{item}?")).await?;
        effect(&item);
        if yes.yes {
            kept.push(item);
        }
    }
    for item in kept.clone() {
        elicit::<Yes>(format!("{item} of {kept:?}?")).await?;
    }
    for (index, name) in [("x", 1_u8), ("y", 2)] {
        elicit::<Yes>(format!("{name} {index}?")).await?;
        effect(index);
    }
    Ok(kept.concat())
}

#[saga_tool]
async fn for_over_owned_iterators() -> Result<String, ToolError> {
    let list = vec![5_u8, 6, 7];
    for item in list.clone().into_iter().rev() {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    for (index, item) in list.iter().copied().enumerate().skip(1).collect::<Vec<_>>() {
        elicit::<Yes>(format!("{index} {item}?")).await?;
        effect(item);
    }
    let text = "one two three".to_owned();
    for word in text.split(' ').map(str::to_owned) {
        elicit::<Yes>(format!("{word}?")).await?;
        effect(&word);
    }
    for item in std::iter::once(1_u8).chain(Some(2)).chain([3, 4]) {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    Ok(text)
}

// Without effects in the adaptors: the law's second documented difference is that these run at the question.
#[saga_tool]
async fn for_over_lazy_adaptors() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3, 4];
    let factor = noted(3);
    for item in list.iter().filter(|item| **item > 1).map(|item| item * factor) {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    for item in list.iter().map(|item| format!("{item}!")).take_while(|item| item.len() < 9) {
        elicit::<Yes>(item.clone()).await?;
        effect(item);
    }
    Ok(factor.to_string())
}

#[saga_tool]
async fn for_over_a_range() -> Result<String, ToolError> {
    let mut sum = 0;
    for index in 0..3 {
        let count: Count = elicit(format!("{index}?")).await?;
        sum += index * count.n;
        effect(sum);
    }
    let end: Count = elicit("end?").await?;
    for index in noted(0)..noted(end.n) {
        elicit::<Yes>(format!("{index} of {}?", end.n)).await?;
        effect(index);
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn for_over_ranges_of_all_kinds() -> Result<String, ToolError> {
    for index in 1..=2_u64 {
        elicit::<Yes>(format!("{index}?")).await?;
        effect(index);
    }
    for index in (0..3_i8).rev() {
        elicit::<Yes>(format!("{index}?")).await?;
        effect(index);
    }
    for index in (0..10_usize).step_by(4) {
        elicit::<Yes>(format!("{index}?")).await?;
        effect(index);
    }
    for letter in 'a'..='c' {
        elicit::<Yes>(format!("{letter}?")).await?;
        effect(letter);
    }
    for index in (-1..1).chain(5..6) {
        elicit::<Yes>(format!("{index}?")).await?;
        effect(index);
    }
    Ok("done".to_owned())
}

#[saga_tool]
async fn for_over_an_inclusive_range_of_one() -> Result<String, ToolError> {
    let mut seen = Vec::new();
    for index in 255..=255_u8 {
        elicit::<Yes>(format!("{index}?")).await?;
        seen.push(index);
    }
    for index in 253..=u8::MAX {
        elicit::<Yes>(format!("{index}?")).await?;
        seen.push(index);
    }
    for index in 2..=1_u8 {
        elicit::<Yes>(format!("{index}?")).await?;
        seen.push(index);
    }
    Ok(format!("{seen:?}"))
}

#[saga_tool]
async fn for_over_chars() -> Result<String, ToolError> {
    let text = "aßc".to_owned();
    for letter in text.chars() {
        elicit::<Yes>(format!("{letter} of {text}?")).await?;
        effect(letter);
    }
    for (index, letter) in text.char_indices() {
        elicit::<Yes>(format!("{index} {letter}?")).await?;
        effect(index);
    }
    for line in "one\ntwo".lines() {
        elicit::<Yes>(format!("{line}?")).await?;
        effect(line);
    }
    Ok(text)
}

#[saga_tool]
async fn for_over_maps_in_the_order_of_insertion() -> Result<String, ToolError> {
    let mut votes: IndexMap<_, _> = [("z".to_owned(), 1_u8), ("a".to_owned(), 2), ("m".to_owned(), 3)].into();
    let set = IndexSet::from([3_u8, 1, 2]);
    for (name, count) in &votes {
        elicit::<Yes>(format!("{name} {count}?")).await?;
        effect(format_args!("{name} {count}"));
    }
    for (number, name) in votes.keys().enumerate() {
        elicit::<Yes>(format!("{number} {name}?")).await?;
        effect(name);
    }
    for (_, count) in votes.iter_mut() {
        let more: Count = elicit(format!("{count}?")).await?;
        *count += u8::try_from(more.n % 100)?;
    }
    for item in set.iter().rev() {
        let count: Count = elicit(format!("{item}?")).await?;
        votes.insert(format!("{item}"), u8::try_from(count.n % 100)?);
    }
    for (name, count) in votes {
        elicit::<Yes>(format!("{name} {count}?")).await?;
        effect(name);
    }
    Ok(format!("{set:?}"))
}

#[saga_tool]
async fn for_over_maps() -> Result<String, ToolError> {
    let mut votes = BTreeMap::from([("b".to_owned(), 1_u8), ("a".to_owned(), 2)]);
    let set = BTreeSet::from([3_u8, 1, 2]);
    for (name, count) in &votes {
        elicit::<Yes>(format!("{name} {count}?")).await?;
        effect(format_args!("{name} {count}"));
    }
    for name in votes.keys() {
        elicit::<Yes>(format!("{name}?")).await?;
        effect(name);
    }
    for item in &set {
        let count: Count = elicit(format!("{item}?")).await?;
        votes.insert(format!("{item}"), count.n);
        effect(item);
    }
    for (name, count) in votes {
        elicit::<Yes>(format!("{name} {count}?")).await?;
        effect(name);
    }
    Ok(format!("{set:?}"))
}

#[saga_tool]
async fn for_over_a_map_mutably() -> Result<String, ToolError> {
    let mut votes = BTreeMap::from([("b".to_owned(), 1_u8), ("a".to_owned(), 2)]);
    for (name, count) in &mut votes {
        *count += elicit::<Count>(format!("{name} {count}?")).await?.n;
        effect(count);
    }
    Ok(format!("{votes:?}"))
}

#[saga_tool]
async fn for_over_a_deque_and_an_option() -> Result<String, ToolError> {
    let deque = VecDeque::from([1_u8, 2]);
    for item in &deque {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    let note = elicit::<Target>("target?").await?.note;
    for note in note.iter() {
        elicit::<Yes>(format!("{note}?")).await?;
        effect(note);
    }
    for note in note.into_iter().chain(["last".to_owned()]) {
        elicit::<Yes>(format!("{note}?")).await?;
        effect(note);
    }
    Ok(format!("{deque:?}"))
}

#[saga_tool]
async fn for_over_an_array_and_a_slice() -> Result<String, ToolError> {
    let array = [1_u8, 2, 3, 4];
    for item in array {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    for item in &array[1..3] {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    let slice = &array[..2];
    for item in slice {
        elicit::<Yes>(format!("{item} of {slice:?}?")).await?;
        effect(item);
    }
    for item in &[7_u8, 8] {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    for item in ["x", "y"] {
        elicit::<Yes>(format!("{item}?")).await?;
        effect(item);
    }
    Ok(format!("{array:?}"))
}

#[saga_tool]
async fn for_over_a_temporary() -> Result<String, ToolError> {
    for (index, place) in ["eu", "us"].iter().enumerate() {
        elicit::<Yes>(format!("{place} {index}?")).await?;
        effect(place);
    }
    Ok(String::new())
}

#[saga_tool]
async fn for_over_a_question() -> Result<String, ToolError> {
    for index in 0..elicit::<Count>("how many?").await?.n {
        effect(index);
    }
    for letter in elicit::<Name>("letters?").await?.name.chars().collect::<Vec<_>>() {
        effect(letter);
        elicit::<Yes>(format!("{letter}?")).await?;
        effect(letter);
    }
    for index in noted(0)..=elicit::<Count>("again?").await?.n {
        elicit::<Yes>(format!("{index}?")).await?;
        effect(index);
    }
    Ok(String::new())
}

#[saga_tool]
async fn for_over_windows_and_chunks() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3, 4, 5];
    for pair in list.windows(2) {
        elicit::<Yes>(format!("{pair:?}?")).await?;
        effect(pair[1]);
    }
    for chunk in list.chunks(2) {
        elicit::<Yes>(format!("{chunk:?}?")).await?;
        effect(chunk.len());
    }
    Ok(String::new())
}

#[saga_tool]
async fn for_over_strings_split() -> Result<String, ToolError> {
    let text = "one two".to_owned();
    for word in text.split_whitespace() {
        elicit::<Yes>(format!("{word}?")).await?;
        effect(word);
    }
    for (index, line) in text.lines().enumerate() {
        elicit::<Yes>(format!("{index} {line}?")).await?;
        effect(line);
    }
    Ok(text)
}

#[saga_tool]
async fn for_with_a_pattern() -> Result<String, ToolError> {
    let list = vec![(1_u8, Some("a".to_owned())), (2, None)];
    for (number, text) in &list {
        elicit::<Yes>(format!("{number} {text:?}?")).await?;
        effect(number);
    }
    for (mut number, text) in list.clone() {
        number += elicit::<Count>(format!("{number} {text:?}?")).await?.n;
        effect(number);
    }
    for stage @ Stage { name, .. } in &plan().stages.clone() {
        effect(format_args!("{name} {stage:?}"));
    }
    for Stage { name, steps } in plan().stages {
        elicit::<Yes>(format!("{name}?")).await?;
        effect(format_args!("{name} {steps:?}"));
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn for_with_a_refutable_inside() -> Result<String, ToolError> {
    let list = vec![Some(1_u8), None, Some(3)];
    for item in &list {
        let Some(number) = item else {
            elicit::<Yes>("none?").await?;
            continue;
        };
        effect(number);
        if let Ok(Yes { yes: true }) = elicit(format!("{number}?")).await {
            break;
        }
    }
    for number in list.iter().flatten() {
        elicit::<Yes>(format!("{number}?")).await?;
        effect(number);
    }
    Ok(String::new())
}

#[saga_tool]
async fn nested_for() -> Result<String, ToolError> {
    let rows = vec![vec![1_u8, 2], vec![], vec![3]];
    let mut sum = 0;
    for (index, row) in rows.iter().enumerate() {
        for cell in row {
            for bit in 0..2 {
                sum += cell * bit;
                let yes: Yes = elicit(format!("{index} {cell} {bit}?")).await?;
                effect(format_args!("{index} {cell} {bit} {sum} {}", yes.yes));
            }
        }
        elicit::<Yes>(format!("{index} {row:?}?")).await?;
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn nested_for_with_labels() -> Result<String, ToolError> {
    let mut log = Vec::new();
    'outer: for left in 0..3_u8 {
        'inner: for right in 0..3_u8 {
            let count: Count = elicit(format!("{left} {right}?")).await?;
            effect(format_args!("{left} {right}"));
            match count.n {
                0 => continue 'outer,
                1 => break 'inner,
                2 => continue 'inner,
                _ => {}
            }
            log.push((left, right));
            if log.len() > 2 {
                break 'outer;
            }
        }
        effect(format_args!("{left} done"));
        elicit::<Yes>(format!("{left} done?")).await?;
    }
    Ok(format!("{log:?}"))
}

#[saga_tool]
async fn triangular() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    for (index, left) in list.iter().enumerate() {
        for right in &list[index + 1..] {
            elicit::<Yes>(format!("{left} {right}?")).await?;
            effect(format_args!("{left}{right}"));
        }
    }
    Ok(String::new())
}

#[saga_tool]
async fn labels_out_of_nested_loops() -> Result<String, ToolError> {
    let mut depth = 0;
    'a: loop {
        depth += 1;
        'b: while depth < 9 {
            'c: for index in 0..2_u8 {
                let count: Count = elicit(format!("{depth} {index}?")).await?;
                effect(count.n);
                match count.n {
                    0 => break 'a,
                    1 => continue 'a,
                    2 => break 'b,
                    _ => break 'c,
                }
            }
            depth += elicit::<Count>("depth?").await?.n + 1;
        }
        effect(depth);
        if depth > 5 {
            break;
        }
    }
    Ok(depth.to_string())
}

#[saga_tool]
async fn continue_of_outer_loop() -> Result<String, ToolError> {
    let words = ["ab", "", "c"];
    let mut out = String::new();
    'words: for word in words {
        for letter in word.chars() {
            if !elicit::<Yes>(format!("{letter}?")).await?.yes {
                effect("skip word");
                continue 'words;
            }
            out.push(letter);
        }
        out.push(' ');
        effect(&out);
    }
    Ok(out)
}

#[saga_tool]
async fn break_with_value_out_of_nested_loops() -> Result<String, ToolError> {
    let found = 'search: loop {
        for index in 0..3_u8 {
            if elicit::<Yes>(format!("{index}?")).await?.yes {
                break 'search Some(index);
            }
            effect(index);
        }
        if !elicit::<Yes>("once more?").await?.yes {
            break None;
        }
    };
    let doubled = loop {
        break loop {
            break elicit::<Count>("inner?").await?.n * 2;
        } + noted(1);
    };
    Ok(format!("{found:?} {doubled}"))
}

#[saga_tool]
async fn break_with_a_question() -> Result<String, ToolError> {
    let mut rounds = 0;
    let name = loop {
        rounds += 1;
        if rounds == 2 {
            break noted("prefix ").to_owned() + elicit::<Name>("name?").await?.name.as_str();
        }
        effect(rounds);
    };
    Ok(name)
}

#[saga_tool]
async fn jumps_in_plain_code_between_questions() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for index in 0..5_u8 {
        if index == 1 {
            continue;
        }
        let count: Count = elicit(format!("{index}?")).await?;
        let digits = loop {
            log.push(count.n);
            if log.len() % 2 == 0 {
                break log.len();
            }
        };
        for inner in 0..digits {
            if inner == 1 {
                continue;
            }
            if inner > 2 {
                break;
            }
            effect(inner);
        }
        if log.len() > 6 {
            break;
        }
        if count.n == 0 {
            effect("zero");
            continue;
        }
        elicit::<Yes>(format!("{index} {log:?}?")).await?;
    }
    Ok(format!("{log:?}"))
}

#[saga_tool]
async fn jumps_inside_match_arms() -> Result<String, ToolError> {
    let mut total = 0;
    let last = loop {
        let step = match elicit::<Count>(format!("{total}?")).await {
            Ok(Count { n: 0 }) => break "zero",
            Ok(Count { n: 1 }) if total > 3 => break "enough",
            Ok(Count { n: 1 }) => {
                total += 1;
                continue;
            }
            Ok(count) => count.n,
            Err(StepError::Cancelled) => {
                elicit::<Yes>("really cancel?").await?;
                break "cancelled";
            }
            Err(error) => return Err(error.into()),
        };
        total += step;
        effect(total);
        if total > 8 {
            break "over";
        }
    };
    Ok(format!("{last} {total}"))
}

#[saga_tool]
async fn loops_without_questions_inside_loops_with() -> Result<String, ToolError> {
    let mut grid = vec![vec![0_u8; 2]; 2];
    for row in 0..2_usize {
        let count: Count = elicit(format!("{row}?")).await?;
        for cell in &mut grid[row] {
            *cell += count.n;
        }
        'find: for line in &grid {
            for cell in line {
                if *cell == 0 {
                    continue 'find;
                }
                effect(cell);
            }
        }
        let mut countdown = 2;
        while countdown > 0 {
            countdown -= 1;
        }
        elicit::<Yes>(format!("{grid:?} {countdown}?")).await?;
    }
    Ok(format!("{grid:?}"))
}

#[saga_tool]
async fn loops_with_questions_inside_closured_code() -> Result<String, ToolError> {
    let mut total = 0_u8;
    for index in 0..3_u8 {
        let add = |number: u8| number + index;
        let before = add(1);
        let count: Count = elicit(format!("{before}?")).await?;
        let index = index * 2;
        let add = move |number: u8| number + index;
        total += [count.n, 1].iter().map(|number| add(*number)).sum::<u8>();
        effect(total);
    }
    Ok(total.to_string())
}

#[saga_tool]
async fn a_labelled_block_in_a_loop() -> Result<String, ToolError> {
    let mut log = String::new();
    'all: for index in 0..3_u8 {
        'skip: {
            let count: Count = elicit(format!("{index}?")).await?;
            if count.n == 0 {
                break 'skip;
            }
            if count.n == 1 {
                continue 'all;
            }
            if count.n == 2 && index == 2 {
                break 'all;
            }
            effect("whole");
            log.push_str(&elicit::<Name>("name?").await?.name);
        }
        effect(&log);
        log.push(';');
    }
    Ok(log)
}

#[saga_tool]
async fn shadowing_in_loops() -> Result<String, ToolError> {
    let item = "outer".to_owned();
    let list = vec![1_u8, 2];
    let mut all = Vec::new();
    for item in &list {
        let item = item + 1;
        elicit::<Yes>(format!("{item}?")).await?;
        for list in 0..item {
            let item = format!("{item}{list}");
            effect(&item);
            let name: Name = elicit(format!("{item}?")).await?;
            all.push(item + &name.name);
        }
        effect(item);
    }
    Ok(format!("{item} {list:?} {all:?}"))
}

#[saga_tool]
async fn reassignment_in_loops() -> Result<String, ToolError> {
    let mut current = "start".to_owned();
    let mut previous = None;
    for index in 0..3_u8 {
        let name: Name = elicit(format!("{current} {previous:?}?")).await?;
        previous = Some(std::mem::replace(&mut current, name.name));
        effect(&current);
        if current.is_empty() {
            current = format!("{index}");
        }
        let yes: Yes = elicit(format!("{current}?")).await?;
        if yes.yes {
            previous = None;
        }
    }
    Ok(format!("{current} {previous:?}"))
}

#[saga_tool]
async fn accumulators_of_all_kinds() -> Result<String, ToolError> {
    let mut list = Vec::new();
    let mut text = String::new();
    let mut map = BTreeMap::new();
    let mut best = None;
    let mut flag = false;
    let mut array = [0; 3];
    for index in 0..3 {
        let count: Count = elicit(format!("{index}?")).await?;
        list.push(count.n);
        text.push_str(&count.n.to_string());
        *map.entry(count.n).or_insert(0) += 1;
        best = best.max(Some(count.n));
        flag |= count.n == 2;
        array[index] = count.n;
        effect(&text);
    }
    Ok(format!("{list:?} {text} {map:?} {best:?} {flag} {array:?}"))
}

#[saga_tool]
async fn return_from_a_loop() -> Result<String, ToolError> {
    for index in 0..2_u8 {
        for name in ["a", "b"] {
            match elicit::<Count>(format!("{index} {name}?")).await?.n {
                0 => return Ok(format!("{index} {name}")),
                1 => return Err(ToolError::new(elicit::<Name>("why?").await?.name)),
                n => effect(n),
            }
        }
    }
    Ok("end".to_owned())
}

#[saga_tool]
async fn question_mark_in_a_loop() -> Result<String, ToolError> {
    let mut sum = 0_u8;
    for word in ["1", "x", "3"] {
        let count: Count = elicit(format!("{word}?")).await?;
        effect(word);
        if count.n > 0 {
            sum += word.parse::<u8>()?;
        }
        sum = sum.checked_add(count.n).ok_or_else(|| ToolError::new("too much"))?;
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn a_loop_entered_twice() -> Result<String, ToolError> {
    let mut text = String::new();
    for round in 0..2_u8 {
        let mut index = 0;
        let done = loop {
            index += 1;
            if elicit::<Yes>(format!("{round} {index}?")).await?.yes || index > 2 {
                break index;
            }
        };
        text += &format!("{round}{done} ");
        effect(&text);
    }
    Ok(text)
}

#[saga_tool]
async fn two_loops_in_a_row() -> Result<String, ToolError> {
    let mut list = Vec::new();
    for index in 0..2_u8 {
        list.push(elicit::<Count>(format!("{index}?")).await?.n + index);
    }
    effect(format_args!("{list:?}"));
    for index in 0..2_usize {
        list[index] += elicit::<Count>(format!("{index} again?")).await?.n;
    }
    effect(format_args!("{list:?}"));
    for item in &list {
        effect(item);
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn loop_in_a_branch_in_a_loop() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for name in &["a".to_owned(), "b".to_owned(), "c".to_owned()] {
        if elicit::<Yes>(format!("{name}?")).await?.yes {
            let Ok(count) = elicit::<Count>(format!("{name}, how often?")).await else { continue };
            for time in 0..count.n {
                if let Ok(yes) = elicit::<Yes>(format!("{name} {time}?")).await
                    && yes.yes
                {
                    log.push(format!("{name}{time}"));
                } else {
                    effect("stop");
                    break;
                }
            }
        } else {
            log.push(name.to_uppercase());
        }
        effect(log.len());
    }
    Ok(log.concat())
}

#[saga_tool]
async fn a_while_in_a_for_in_a_loop() -> Result<String, ToolError> {
    let mut fuel = 6_u8;
    let end = loop {
        for step in 1..=2_u8 {
            while fuel > step {
                fuel -= elicit::<Count>(format!("{fuel} {step}?")).await?.n.min(fuel).max(1);
                effect(fuel);
            }
            elicit::<Yes>(format!("{step} done?")).await?;
        }
        if fuel < 2 {
            break fuel;
        }
    };
    Ok(end.to_string())
}

#[saga_tool]
async fn an_empty_loop() -> Result<String, ToolError> {
    let none: Vec<u8> = Vec::new();
    for item in &none {
        elicit::<Yes>(format!("{item}?")).await?;
    }
    for _ in none {
        elicit::<Yes>("never?").await?;
    }
    while noted(false) {
        elicit::<Yes>("never?").await?;
    }
    for _ in 0..2 {
        elicit::<Yes>("twice?").await?;
        effect("once");
    }
    Ok("end".to_owned())
}

#[saga_tool]
async fn borrow_of_the_loop_item_held() -> Result<String, ToolError> {
    let plan = plan();
    let mut sum = 0;
    for stage in &plan.stages {
        let steps = &stage.steps;
        let name = stage.name.as_str();
        elicit::<Yes>(format!("{name}?")).await?;
        for (index, step) in steps.iter().enumerate() {
            let count: Count = elicit(format!("{name} {index} {step} {}?", steps.len())).await?;
            sum += count.n;
            effect(format_args!("{name} {step}"));
        }
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn same_label_twice() -> Result<String, ToolError> {
    let mut text = String::new();
    'again: for index in 0..2_u8 {
        if elicit::<Yes>(format!("{index}?")).await?.yes {
            continue 'again;
        }
        text.push('a');
    }
    'again: loop {
        text.push('b');
        match elicit::<Yes>(format!("{text}?")).await?.yes {
            true => break 'again,
            false => continue 'again,
        }
    }
    Ok(text)
}

#[saga_tool]
async fn an_infinite_iterator() -> Result<String, ToolError> {
    let mut sum = 0;
    for index in 0_u64.. {
        effect(index);
        sum += index;
        if elicit::<Yes>(format!("{index}, stop?")).await?.yes {
            break;
        }
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn a_loop_as_an_operand() -> Result<String, ToolError> {
    let text = format!(
        "{} {} {}",
        noted(1),
        loop {
            if let Count { n: n @ 1.. } = elicit("n?").await? {
                break n;
            }
        },
        {
            let mut sum = 0;
            for index in 0..2_u8 {
                sum += index + elicit::<Count>(format!("{index}?")).await?.n;
            }
            noted(sum)
        },
    );
    Ok(text)
}

#[saga_tool]
async fn iterator_as_a_local() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3];
    let mut range = 0..4_u8;
    let first = range.next();
    while let Some(index) = range.next() {
        elicit::<Yes>(format!("{index} {first:?}?")).await?;
        effect(index);
    }
    let total: u8 = {
        let mut iterator = list.iter();
        iterator.next();
        iterator.sum()
    };
    Ok(format!("{total}"))
}

/// Iterators that are advanced by hand.
#[saga_tool]
async fn advanced_by_hand() -> Result<String, ToolError> {
    let names = vec!["ada".to_owned(), "bo".to_owned(), "cy".to_owned(), "di".to_owned()];
    let mut names = names.into_iter();
    let mut out = Vec::new();
    while let Some(name) = names.next() {
        let yes: Yes = elicit(format!("{name}, {} left?", names.len())).await?;
        if yes.yes {
            out.push(name);
        } else {
            effect(format_args!("{:?}", names.next_back()));
        }
    }
    Ok(format!("{out:?} {names:?}"))
}

#[saga_tool]
async fn advanced_over_a_text(text: String) -> Result<String, ToolError> {
    let mut lines = text.lines();
    let Some(head) = lines.next() else { return Ok(String::new()) };
    let yes: Yes = elicit(head).await?;
    let mut rest = lines.map(|line| line.to_uppercase()).filter(|line| line.len() > 1);
    let mut chars = head.chars().rev();
    let (mut once, mut length) = (Some(yes.yes).take(), 0);
    let mut last = Some(head).map(|head| head.len());
    while let Some(line) = rest.next() {
        let _: Yes = elicit(format!("{line} {once:?} {last:?} {head} {:?}?", chars.next())).await?;
        once = None;
        last = last.filter(|_| line.len() > 2);
        length += line.len();
    }
    Ok(format!("{head} {once:?} {last:?} {length} {:?}", chars.collect::<String>()))
}

#[saga_tool]
async fn advanced_with_a_look_ahead(text: String) -> Result<String, ToolError> {
    let mut words = text.split_whitespace().peekable();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        let next = words.peek().copied();
        let yes: Yes = elicit(format!("{word} before {next:?}?")).await?;
        if !yes.yes {
            continue;
        }
        if words.next_if(|next| next.len() > 1).is_none() {
            out.push(word);
        }
    }
    Ok(format!("{out:?}"))
}

#[saga_tool]
async fn advanced_in_turns() -> Result<String, ToolError> {
    let mut ones = (1..4_u8).map(|one| one * 10).into_iter();
    let mut others = vec![("a", 1), ("b", 2)].into_iter().chain([("c", 3)]);
    let mut sum = 0;
    loop {
        let (Some(one), other) = (ones.next(), others.next()) else { break };
        let count: Count = elicit(format!("{one} {other:?}?")).await?;
        sum += u32::from(one + count.n);
        if count.n > 1 {
            effect(format_args!("{:?}", others.by_ref().nth(0)));
        }
    }
    let mut sorted: Vec<_> = others.map(|(name, _)| name).collect();
    sorted.sort();
    let mut drained = sorted.drain(..).collect::<Vec<_>>().into_iter();
    let more: Yes = elicit(format!("more than {sum}?")).await?;
    Ok(format!("{sum} {:?} {}", drained.next(), more.yes))
}

/// Iterators of all makes, advanced on both sides of a question.
#[saga_tool]
async fn iterators_of_all_makes(text: String) -> Result<String, ToolError> {
    let numbers = noted(vec![1_u32, 2, 3, 4, 5, 6, 7]);
    let mut pairs = numbers.chunks_exact(2);
    let mut runs = numbers.chunk_by(|one, other| one / 3 == other / 3);
    let mut powers = std::iter::successors(Some(1_u32), |n| (*n < 90).then_some(n * 3));
    let mut words = text.splitn(3, ' ');
    let mut found = text.match_indices('o');
    let mut sums = numbers.iter().scan(0, |sum, n| {
        *sum += n;
        Some(*sum)
    });
    let mut told = String::new();
    while let Some(pair) = pairs.next() {
        told += &format!("{pair:?} {:?} {:?} {:?} ", runs.next(), powers.next(), sums.next());
        let sure: Yes = elicit(format!("{told}?")).await?;
        told += &format!("{} {:?} {:?}; ", sure.yes, words.next(), found.next());
    }
    Ok(told)
}

#[saga_tool]
async fn numbers_of_a_type_that_is_seen_later() -> Result<String, ToolError> {
    let (names, mut sum, mut at) = (["ada", "bob"], 0_u8, 3);
    for (name, number) in names.iter().zip(0..) {
        elicit::<Yes>(format!("{name} {}?", !number)).await?;
        elicit::<Yes>(format!("{name} {}?", !number)).await?;
        sum += number;
    }
    for (name, number) in names.iter().rev().zip(at..) {
        at += 1;
        elicit::<Yes>(format!("{name} {}?", !number)).await?;
        elicit::<Yes>(format!("{name} {}?", !number)).await?;
        sum += number;
    }
    Ok(format!("{sum} {at}"))
}

#[saga_tool]
async fn numbers_before_what_is_changed() -> Result<String, ToolError> {
    let (mut sizes, mut at) = (vec![1_u32, 2], 3);
    for (number, size) in (8_u32..).zip(&mut sizes) {
        elicit::<Yes>(format!("{number} {size}?")).await?;
        *size += number;
    }
    for (number, size) in (at..at + 7).zip(sizes.iter_mut().rev()) {
        at += 1;
        elicit::<Yes>(format!("{} {size}?", !number)).await?;
        *size += u32::from(!number);
        *size += elicit::<Count>(format!("{}?", !number)).await?.n as u32;
        at += number as u8;
    }
    Ok(format!("{sizes:?} {at}"))
}

#[saga_tool]
async fn flat_by_a_closure() -> Result<String, ToolError> {
    let mut grid = vec![vec![1, 2], vec![], vec![3]];
    for cell in grid.iter_mut().flat_map(|row| row.iter_mut()) {
        *cell += elicit::<Count>(format!("{cell}?")).await?.n;
    }
    let mut plans = [saga_tests::kit::plan("p", 1), saga_tests::kit::plan("q", 2)];
    for (at, item) in plans.iter_mut().rev().flat_map(|plan| plan.items.iter_mut()).enumerate().skip(1) {
        item.size += u32::from(elicit::<Count>(format!("{at} {}?", item.name)).await?.n);
        item.name.push('!');
    }
    Ok(format!("{grid:?} {plans:?}"))
}
