//! What people write on odd days: combinations in which two features meet.

use std::collections::BTreeMap;

use saga_runtime::{StepError, ToolError, call, elicit, join, saga, saga_tool, sample};
use saga_tests::forms::{Count, Name, Region, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    a_tuple_of_copies_by_ref;
    a_tuple_of_copies_matched_by_ref;
    a_copy_in_a_condition_by_ref;
    a_text_of_an_answer_in_a_tuple;
    a_text_of_an_answer_in_a_call;
    a_text_of_an_answer_in_a_tuple_that_asks_twice;
    assigned_where_a_pattern_does_not_fit;
    a_question_where_a_condition_ends(title: "t".to_owned());
    a_deferred_local_around_a_way_out(pair: (4, "p".to_owned()));
    a_borrow_of_the_same_name(title: "t".to_owned());
    questions_in_matches(list: vec![1, 2, 3, 4]);
    questions_in_vec_and_json;
    a_struct_literal_as_scrutinee;
    assigned_names_shadowed_in_the_value;
    assigned_on_the_other_way_only(list: vec!["a".to_owned()]);
    attributes_below(name: "n".to_owned());
    statements_from_macros;
    statements_under_cfg;
    a_label_left_in_one_copy_only(sure: true);
    borrows_of_answers_as_arguments;
    mutable_loop_variable_and_break_value;
    while_let_over_a_stack_of_borrows;
    match_arm_that_rebinds_the_scrutinee;
    shadowed_iterator_source;
    loop_source_changed_inside;
    loop_bounds_changed_inside;
    option_take_in_a_condition;
    if_let_else_return_in_a_loop;
    nested_tuple_assignments;
    question_in_an_index_of_a_mutable_place;
    question_in_a_closure_argument_list;
    retry_helper_by_hand;
    early_exit_from_three_loops;
    value_of_a_block_with_a_borrow;
    match_on_a_borrowed_answer_with_guard_and_question;
    deferred_in_a_loop;
    deferred_in_a_match;
    string_slices_held;
    slice_patterns_in_a_while_let;
    mutable_slices_split;
    enumerate_over_a_filtered_collection;
    a_tree_walked_with_a_stack;
    fold_by_hand_with_a_tuple;
    peekable_by_hand;
    let_chain_in_a_while_with_shadowing;
    three_levels_of_shadowing;
    labelled_loop_value_with_question_and_question_mark;
    a_round_in_a_nested_match;
    format_with_everything;
    compound_assignment_with_itself;
    a_method_on_a_shadowed_receiver;
    deref_patterns;
    break_from_inside_an_argument;
    continue_from_inside_a_let_else;
    return_from_inside_a_struct_literal;
    question_mark_inside_a_range;
    two_mutable_borrows_in_turn;
    parts_of_parts_changed;
    parts_changed_inside_a_match_of_the_root;
    an_arm_takes_a_name_where_the_loop_ends;
    constant_patterns;
    numeric_edge_cases;
    nested_result_of_option;
    entry_api_with_a_question;
    sort_between;
    chained_comparisons;
    if_inside_format_inside_vec;
    rebuilt_twice;
    comparison_operand_changed;
    receiver_changed;
    index_changed_in_the_value;
    reference_operand_reassigned;
    condition_operand_changed;
    range_operand_changed;
    cast_and_negation_changed;
}

#[saga_tool]
async fn mutable_loop_variable_and_break_value() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3];
    let mut out = Vec::new();
    for mut item in list.clone() {
        item *= 2;
        let extra = loop {
            item += 1;
            let count: Count = elicit(format!("{item}?")).await?;
            if count.n != 1 || item > 9 {
                break count.n + item;
            }
            effect(item);
        };
        out.push((item, extra));
    }
    Ok(format!("{out:?} {list:?}"))
}

#[saga_tool]
async fn while_let_over_a_stack_of_borrows() -> Result<String, ToolError> {
    let words = vec!["one".to_owned(), "two".to_owned()];
    let mut stack: Vec<&str> = words.iter().map(String::as_str).collect();
    while let Some(word) = stack.pop() {
        let yes: Yes = elicit(format!("{word} {stack:?}?")).await?;
        effect(word);
        if yes.yes && word.len() > 1 {
            stack.push(&word[1..]);
        }
    }
    Ok(words.concat())
}

#[saga_tool]
async fn match_arm_that_rebinds_the_scrutinee() -> Result<String, ToolError> {
    let value = Some(noted("x".to_owned()));
    let value = match value {
        Some(value) if value.len() > 3 => value,
        Some(value) => {
            let value = format!("{value}{}", elicit::<Name>("more?").await?.name);
            effect(&value);
            elicit::<Yes>(format!("{value}?")).await?;
            value
        }
        None => String::new(),
    };
    Ok(value)
}

#[saga_tool]
async fn shadowed_iterator_source() -> Result<String, ToolError> {
    let items = vec![1_u8, 2];
    for items in &items {
        let items = items + 10;
        elicit::<Yes>(format!("{items}?")).await?;
        effect(items);
    }
    let items = items.iter().map(|item| item * 3).collect::<Vec<_>>();
    for item in items.iter() {
        let items = elicit::<Count>(format!("{item}?")).await?;
        effect(items.n);
    }
    Ok(format!("{items:?}"))
}

#[saga_tool]
async fn loop_source_changed_inside() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2, 3];
    for index in 0..list.len() {
        let count: Count = elicit(format!("{index} {list:?}?")).await?;
        list.push(count.n);
        effect(list.len());
    }
    let mut other = vec!["a".to_owned()];
    for name in other.clone() {
        other.push(elicit::<Name>(format!("{name}?")).await?.name);
        effect(other.len());
    }
    for item in std::mem::take(&mut other) {
        other.push(item + &elicit::<Name>("?").await?.name);
    }
    Ok(format!("{list:?} {other:?}"))
}

#[saga_tool]
async fn loop_bounds_changed_inside() -> Result<String, ToolError> {
    let mut end = 2_u8;
    for index in 0..end {
        end += elicit::<Count>(format!("{index} of {end}?")).await?.n;
        effect(end);
    }
    let list = [1_u8, 2, 3, 4];
    let mut from = 1;
    for item in &list[from..] {
        from += 1;
        elicit::<Yes>(format!("{item} {from}?")).await?;
        effect(item);
    }
    let mut step = 1;
    for item in list.clone().into_iter().step_by(step) {
        step += 1;
        elicit::<Yes>(format!("{item} {step}?")).await?;
        effect(item);
    }
    Ok(format!("{end} {from} {step}"))
}

#[saga_tool]
async fn option_take_in_a_condition() -> Result<String, ToolError> {
    let mut pending = elicit::<Target>("?").await?.note;
    let mut log = String::new();
    while let Some(note) = pending.take().filter(|note| log.len() < 20 && !note.is_empty()) {
        log += &note;
        effect(&log);
        pending = elicit::<Target>(format!("{note}?")).await?.note;
    }
    Ok(format!("{log} {pending:?}"))
}

#[saga_tool]
async fn if_let_else_return_in_a_loop() -> Result<String, ToolError> {
    let mut last = None;
    for index in 0..4_u8 {
        let name = if let Some(Name { name }) = elicit(format!("{index}?")).optional().await? {
            name
        } else if let Some(last) = &last {
            return Ok(format!("again {last}"));
        } else {
            continue;
        };
        effect(&name);
        last = Some(name);
    }
    Ok(format!("{last:?}"))
}

#[saga_tool]
async fn nested_tuple_assignments() -> Result<String, ToolError> {
    let (mut a, mut b, mut c) = (1_u8, 2_u8, [0_u8; 2]);
    (a, (b, c[1])) = (b, (elicit::<Count>("x?").await?.n, noted(a)));
    effect(format_args!("{a}{b}{c:?}"));
    [c[0], _] = [elicit::<Count>("y?").await?.n, noted(9)];
    (a, b) = (b, a);
    elicit::<Yes>(format!("{a}{b}?")).await?;
    Ok(format!("{a} {b} {c:?}"))
}

#[saga_tool]
async fn question_in_an_index_of_a_mutable_place() -> Result<String, ToolError> {
    let mut grid = vec![vec![0_u8; 4]; 4];
    grid[usize::from(elicit::<Count>("row?").await?.n)][usize::from(elicit::<Count>("column?").await?.n)] = 1;
    effect(format_args!("{grid:?}"));
    grid[usize::from(elicit::<Count>("row?").await?.n)].push(noted(7));
    let row = &mut grid[usize::from(elicit::<Count>("row?").await?.n)];
    row.push(8);
    elicit::<Yes>(format!("{row:?}?")).await?;
    row.push(9);
    Ok(format!("{grid:?}"))
}

#[saga_tool]
async fn question_in_a_closure_argument_list() -> Result<String, ToolError> {
    let offset = noted(2_u8);
    let list: Vec<u8> = (0..elicit::<Count>("n?").await?.n).map(|item| item + offset).collect();
    let most = list.iter().copied().max_by_key(|item| item % 3).unwrap_or(elicit::<Count>("else?").await?.n);
    effect(most);
    let text =
        elicit::<Name>("t?").await?.name.split(' ').map(|word| format!("{word}{offset}")).collect::<String>();
    Ok(format!("{list:?} {most} {text}"))
}

#[saga_tool]
async fn retry_helper_by_hand() -> Result<String, ToolError> {
    let mut attempt = 0;
    let outcome: Result<Count, StepError> = loop {
        attempt += 1;
        match elicit::<Count>(format!("attempt {attempt}?")).await {
            Err(error) if attempt < 3 && error != StepError::Cancelled => {
                effect(format_args!("{attempt}: {error}"));
            }
            other => break other,
        }
    };
    elicit::<Yes>(format!("{}?", outcome.is_ok())).await?;
    Ok(format!("{outcome:?} {attempt}"))
}

#[saga_tool]
async fn early_exit_from_three_loops() -> Result<String, ToolError> {
    let found = 'all: {
        for a in 0..2_u8 {
            for b in ["x", "y"] {
                let mut c = 0;
                while c < 2 {
                    c += 1;
                    match elicit::<Count>(format!("{a}{b}{c}?")).await?.n {
                        0 => break 'all Some((a, b, c)),
                        1 => break,
                        2 => effect(c),
                        _ => return Ok(elicit::<Name>("out?").await?.name),
                    }
                }
            }
        }
        None
    };
    effect(format_args!("{found:?}"));
    elicit::<Yes>(format!("{found:?}?")).await?;
    Ok(format!("{found:?}"))
}

#[saga_tool]
async fn value_of_a_block_with_a_borrow() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned()];
    let joined = {
        let first = &list[0];
        let second = &list[1];
        elicit::<Yes>(format!("{first}{second}?")).await?;
        format!("{first}{second}")
    };
    effect(&joined);
    let length = {
        let all = &list;
        let n = elicit::<Count>(format!("{}?", all.len())).await?.n;
        all.len() + usize::from(n)
    };
    Ok(format!("{joined} {length}"))
}

#[saga_tool]
async fn match_on_a_borrowed_answer_with_guard_and_question() -> Result<String, ToolError> {
    let target = elicit::<Target>("t?").await?;
    let text = match (target.note.clone(), target.region) {
        (Some(note), Region::Near | Region::Far) if note.len() > 1 => {
            elicit::<Yes>(format!("{note}?")).await?;
            effect(&note);
            note
        }
        (None, region) => {
            let name = elicit::<Name>(format!("{region:?}?")).await?.name;
            format!("{region:?}{name}")
        }
        (note, _) => format!("{note:?}"),
    };
    Ok(format!("{text} {}", target.replicas))
}

#[saga_tool]
async fn deferred_in_a_loop() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for index in 0..3_u8 {
        let label;
        if index == 1 {
            label = "one".to_owned();
        } else {
            let name: Name = elicit(format!("{index}?")).await?;
            label = name.name;
        }
        effect(&label);
        elicit::<Yes>(format!("{label}?")).await?;
        log.push(label);
    }
    let last: String;
    loop {
        let name: Name = elicit("last?").await?;
        if !name.name.is_empty() {
            last = name.name;
            break;
        }
    }
    elicit::<Yes>(format!("{last}?")).await?;
    Ok(format!("{log:?} {last}"))
}

#[saga_tool]
async fn deferred_in_a_match() -> Result<String, ToolError> {
    let (word, number): (String, u8);
    match elicit::<Target>("t?").await?.region {
        Region::Near => {
            word = noted("near".to_owned());
            number = elicit::<Count>("n?").await?.n;
        }
        Region::Far => {
            number = 2;
            word = elicit::<Name>("w?").await?.name;
        }
        Region::Away => (word, number) = ("away".to_owned(), elicit::<Count>("a?").await?.n),
    }
    effect(&word);
    elicit::<Yes>(format!("{number}?")).await?;
    Ok(format!("{word} {number}"))
}

#[saga_tool]
async fn string_slices_held() -> Result<String, ToolError> {
    let text = noted("key=value=more".to_owned());
    let (key, rest) = text.split_once('=').unwrap_or((&text, ""));
    elicit::<Yes>(format!("{key}?")).await?;
    let parts: Vec<&str> = rest.split('=').collect();
    effect(parts.len());
    let name: Name = elicit(format!("{parts:?}?")).await?;
    let trimmed = name.name.trim();
    let longest = if trimmed.len() > key.len() { trimmed } else { key };
    elicit::<Yes>(format!("{longest}?")).await?;
    Ok(format!("{key} {rest} {parts:?} {longest}"))
}

#[saga_tool]
async fn slice_patterns_in_a_while_let() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3, 4];
    let mut at = 0;
    while let [first, second, ..] = &list[at..] {
        at += 1;
        let count: Count = elicit(format!("{first} {second} {at}?")).await?;
        effect(first + second + count.n);
    }
    Ok(at.to_string())
}

#[saga_tool]
async fn mutable_slices_split() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2, 3, 4];
    {
        let (left, right) = list.split_at_mut(2);
        left[0] += right[0];
        effect(left[0]);
    }
    let [first, .., last] = &mut list[..] else { return Ok(String::new()) };
    *first += 1;
    let count: Count = elicit(format!("{first} {last}?")).await?;
    *last += count.n;
    *first += *last;
    elicit::<Yes>(format!("{list:?}?")).await?;
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn enumerate_over_a_filtered_collection() -> Result<String, ToolError> {
    let votes = BTreeMap::from([("a".to_owned(), 3_u8), ("b".to_owned(), 0), ("c".to_owned(), 1)]);
    let mut out = Vec::new();
    for (place, (name, count)) in
        votes.iter().filter(|(_, count)| **count > 0).map(|(name, count)| (name.clone(), *count)).enumerate()
    {
        let more: Count = elicit(format!("{place} {name} {count}?")).await?;
        effect(&name);
        out.push((place, name, count + more.n));
    }
    Ok(format!("{out:?} {votes:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

fn tree(name: &str, children: Vec<Tree>) -> Tree {
    Tree { name: name.to_owned(), children }
}

#[saga_tool]
async fn a_tree_walked_with_a_stack() -> Result<String, ToolError> {
    let mut stack = vec![(tree("root", vec![tree("a", vec![tree("c", vec![])]), tree("b", vec![])]), 0_u8)];
    let mut visited = Vec::new();
    while let Some((Tree { name, children }, depth)) = stack.pop() {
        effect(format_args!("{name} {depth}"));
        let Yes { yes } = elicit(format!("{name}: {} children, go down?", children.len())).await?;
        if yes {
            stack.extend(children.into_iter().map(|child| (child, depth + 1)));
        }
        visited.push(name);
    }
    Ok(visited.join(" "))
}

#[saga_tool]
async fn fold_by_hand_with_a_tuple() -> Result<String, ToolError> {
    let (mut low, mut high, mut sum) = (u8::MAX, 0, 0_u32);
    for _ in 0..3 {
        let Count { n } = elicit(format!("{low} {high}?")).await?;
        (low, high, sum) = (low.min(n), high.max(n), sum + u32::from(n));
        effect(sum);
    }
    Ok(format!("{low} {high} {sum}"))
}

#[saga_tool]
async fn peekable_by_hand() -> Result<String, ToolError> {
    let tokens: Vec<char> = "1+2-3".chars().collect();
    let mut at = 0;
    let mut total = 0_i32;
    let mut sign = 1;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token {
            '+' => sign = 1,
            '-' => sign = -1,
            digit => {
                let digit = i32::try_from(digit.to_digit(10).unwrap_or_default())?;
                let n = i32::from(elicit::<Count>(format!("{digit} at {at}?")).await?.n);
                total += sign * (digit + n);
                effect(total);
            }
        }
    }
    Ok(total.to_string())
}

#[saga_tool]
async fn let_chain_in_a_while_with_shadowing() -> Result<String, ToolError> {
    let mut rest = Some(3_u8);
    let mut log = Vec::new();
    while let Some(left) = rest
        && let Ok(rest_now) = elicit::<Count>(format!("{left}?")).await
        && rest_now.n < 3
    {
        let rest_after = left.checked_sub(1);
        effect(format_args!("{left} {rest_after:?}"));
        log.push(rest_now.n);
        rest = if elicit::<Yes>("on?").await?.yes { rest_after } else { None };
    }
    Ok(format!("{log:?} {rest:?}"))
}

#[saga_tool]
async fn three_levels_of_shadowing() -> Result<String, ToolError> {
    let x = noted("outer".to_owned());
    let r = &x;
    {
        let x = noted(1_u8);
        let s = &x;
        elicit::<Yes>(format!("{r} {s}?")).await?;
        for x in 0..2_u8 {
            let t = &x;
            elicit::<Yes>(format!("{r} {s} {t}?")).await?;
            effect(format_args!("{r} {s} {t}"));
            if let Some(x) = Some(x).filter(|x| *x > 0) {
                elicit::<Yes>(format!("{r} {s} {t} {x}?")).await?;
                effect(x);
            }
        }
        effect(s);
    }
    elicit::<Yes>(format!("{r} {x}?")).await?;
    Ok(format!("{r} {x}"))
}

#[saga_tool]
async fn labelled_loop_value_with_question_and_question_mark() -> Result<String, ToolError> {
    let number: u8 = 'retry: loop {
        let text = elicit::<Name>("number?").await?.name;
        let Ok(number) = text.parse::<u8>() else {
            effect(&text);
            if text.len() > 3 || elicit::<Yes>("use the length?").await?.yes {
                break 'retry u8::try_from(text.len())?;
            }
            continue 'retry;
        };
        break number;
    };
    elicit::<Yes>(format!("{number}?")).await?;
    Ok(number.to_string())
}

#[saga_tool]
async fn a_round_in_a_nested_match() -> Result<String, ToolError> {
    let region = elicit::<Target>("t?").await?.region;
    let text = match region {
        Region::Near => match join!(elicit::<Name>("a?"), elicit::<Count>("b?")).each().await {
            (Ok(name), Err(_)) => name.name,
            (Ok(name), Ok(count)) => format!("{}{}", name.name, count.n),
            (Err(error), _) => elicit::<Name>(error.to_string()).await?.name,
        },
        other => format!("{other:?}{}", elicit::<Yes>("c?").await?.yes),
    };
    effect(&text);
    Ok(text)
}

#[saga_tool]
async fn format_with_everything() -> Result<String, ToolError> {
    let (name, width, list) = (noted("n".to_owned()), noted(5_usize), noted(vec![1_u8]));
    let text = format!(
        "{name:>width$}|{:?}|{list:?}|{}|{last}|{0:?}",
        list,
        match elicit::<Count>(format!("{name}?")).await?.n {
            0 => "zero".to_owned(),
            n => n.to_string(),
        },
        last = if elicit::<Yes>("y?").await?.yes { &name } else { "-" },
    );
    effect(&text);
    Ok(text + &name)
}

#[saga_tool]
async fn compound_assignment_with_itself() -> Result<String, ToolError> {
    let mut n = 2_u8;
    n += n * elicit::<Count>("a?").await?.n;
    effect(n);
    n = n - 1 + elicit::<Count>("b?").await?.n - n.min(1);
    let mut text = "t".to_owned();
    text = format!("{text}{}{text}", elicit::<Name>("c?").await?.name);
    let mut list = vec![n];
    list.extend(vec![list[0], elicit::<Count>("d?").await?.n]);
    list = [list.clone(), vec![elicit::<Count>("e?").await?.n]].concat();
    Ok(format!("{n} {text} {list:?}"))
}

#[saga_tool]
async fn a_method_on_a_shadowed_receiver() -> Result<String, ToolError> {
    let text = noted("  padded ".to_owned());
    let text = text.trim();
    elicit::<Yes>(format!("{text}?")).await?;
    let text = text.replace(noted("p"), &elicit::<Name>("with?").await?.name);
    effect(&text);
    let text = text.as_str();
    elicit::<Yes>(format!("{text}?")).await?;
    Ok(text.to_owned())
}

#[saga_tool]
async fn deref_patterns() -> Result<String, ToolError> {
    let pairs = vec![(1_u8, 'a'), (2, 'b')];
    for &(number, letter) in &pairs {
        elicit::<Yes>(format!("{number}{letter}?")).await?;
        effect(number);
    }
    let &[(first, _), ..] = pairs.as_slice() else { return Ok(String::new()) };
    let boxed = Box::new((noted("x".to_owned()), 3_u8));
    let (ref text, number) = *boxed;
    elicit::<Yes>(format!("{first}{text}{number}?")).await?;
    Ok(format!("{first}{text}{number}"))
}

#[saga_tool]
async fn break_from_inside_an_argument() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for index in 0..4_u8 {
        log.push(format!(
            "{index}{}",
            match elicit::<Count>(format!("{index}?")).await?.n {
                0 => break,
                1 => continue,
                n => n,
            }
        ));
        effect(log.len());
    }
    Ok(log.concat())
}

#[saga_tool]
async fn continue_from_inside_a_let_else() -> Result<String, ToolError> {
    let mut sum = 0;
    'outer: for index in 0..3_u8 {
        for step in [1_u8, 2] {
            let Some(Count { n }) = elicit(format!("{index} {step}?")).optional().await? else {
                effect("skip");
                continue 'outer;
            };
            let (Some(left), 0..=2) = (n.checked_sub(step), index) else { break };
            sum += left;
            effect(sum);
        }
    }
    Ok(sum.to_string())
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Order {
    who: String,
    many: u8,
    note: Option<String>,
}

#[saga_tool]
async fn return_from_inside_a_struct_literal() -> Result<String, ToolError> {
    let order = Order {
        who: noted("ada".to_owned()),
        many: match elicit::<Count>("n?").await? {
            Count { n: 0 } => return Ok("nothing".to_owned()),
            Count { n } => n,
        },
        note: if elicit::<Yes>("note?").await?.yes {
            Some(elicit::<Name>("what?").await?.name)
        } else {
            None
        },
    };
    effect(format_args!("{order:?}"));
    let Order { who, note: Some(note), .. } = order else {
        return Err(ToolError::new("no note"));
    };
    elicit::<Yes>(format!("{who} {note}?")).await?;
    Ok(who + &note)
}

#[saga_tool]
async fn question_mark_inside_a_range() -> Result<String, ToolError> {
    let list = [1_u8, 2, 3, 4, 5];
    let part = &list[usize::from(elicit::<Count>("from?").await?.n)..];
    effect(part.len());
    elicit::<Yes>(format!("{part:?}?")).await?;
    let again = list[..usize::from(elicit::<Count>("to?").await?.n)].to_vec();
    Ok(format!("{part:?} {again:?}"))
}

#[saga_tool]
async fn two_mutable_borrows_in_turn() -> Result<String, ToolError> {
    let mut order = Order { who: "w".to_owned(), many: 1, note: None };
    let many = &mut order.many;
    *many += elicit::<Count>(format!("{many}?")).await?.n;
    let (who, note) = (&mut order.who, &mut order.note);
    who.push('!');
    let name: Name = elicit(format!("{who}?")).await?;
    *note = Some(name.name);
    who.push('?');
    effect(&who);
    elicit::<Yes>("done?").await?;
    who.push('.');
    Ok(format!("{order:?}"))
}

const LOW: u8 = 1;
const NOBODY: &str = "";

#[saga_tool]
async fn constant_patterns() -> Result<String, ToolError> {
    let word = match elicit::<Name>("who?").await?.name.as_str() {
        NOBODY => "nobody".to_owned(),
        name => name.to_uppercase(),
    };
    effect(&word);
    let size = match elicit::<Count>(format!("{word}?")).await?.n {
        0..LOW => "none",
        LOW => "low",
        _ => "high",
    };
    elicit::<Yes>(format!("{size}?")).await?;
    Ok(format!("{word} {size}"))
}

#[saga_tool]
async fn numeric_edge_cases() -> Result<String, ToolError> {
    let (least, most, nan) = (i64::MIN, u128::MAX, f64::NAN);
    let tiny = f32::MIN_POSITIVE;
    let count: Count = elicit("n?").await?;
    let wrapped = u8::MAX.wrapping_add(count.n);
    effect(wrapped);
    let shifted = 1_u64 << count.n << elicit::<Count>("m?").await?.n;
    elicit::<Yes>(format!("{shifted}?")).await?;
    Ok(format!("{least} {most} {} {tiny} {wrapped} {shifted} {}", nan.is_nan(), '\u{1f600}'))
}

#[saga_tool]
async fn nested_result_of_option() -> Result<String, ToolError> {
    let found: Result<Option<Vec<Name>>, StepError> = match elicit::<Name>("a?").optional().await {
        Ok(Some(name)) => Ok(Some(vec![name, elicit("b?").await?])),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    };
    effect(format_args!("{found:?}"));
    elicit::<Yes>("held?").await?;
    let names = found?.ok_or_else(|| ToolError::new("none"))?;
    let [first, second] = &names[..] else { return Ok("?".to_owned()) };
    elicit::<Yes>(format!("{first:?} {second:?}?")).await?;
    Ok(format!("{} {}", first.name, second.name))
}

#[saga_tool]
async fn entry_api_with_a_question() -> Result<String, ToolError> {
    let mut map: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for key in ["a", "b", "a"] {
        let n = elicit::<Count>(format!("{key}?")).await?.n;
        map.entry(key.to_owned()).or_default().push(n);
        if let Some(list) = map.get_mut(key) {
            list.push(9);
            effect(list.len());
        }
        *map.entry("sum".to_owned()).or_insert_with(|| vec![0]).first_mut().unwrap() += 1;
    }
    let total = map.values().flatten().map(|n| u32::from(*n)).sum::<u32>();
    elicit::<Yes>(format!("{total}?")).await?;
    Ok(format!("{map:?}"))
}

#[saga_tool]
async fn sort_between() -> Result<String, ToolError> {
    let mut list = vec![elicit::<Name>("a?").await?, elicit("b?").await?, elicit("c?").await?];
    list.sort_by(|left, right| left.name.cmp(&right.name));
    effect(&list[0].name);
    list.dedup_by_key(|name| name.name.len());
    for name in &mut list {
        name.name += &elicit::<Count>(format!("{}?", name.name)).await?.n.to_string();
    }
    list.reverse();
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn chained_comparisons() -> Result<String, ToolError> {
    let low = noted(1);
    let inside = low <= elicit::<Count>("a?").await?.n && elicit::<Count>("b?").await?.n < noted(3);
    effect(inside);
    let same =
        (elicit::<Yes>("c?").await?.yes == noted(true)) != (elicit::<Yes>("d?").await?.yes || noted(false));
    let ordered = elicit::<Name>("e?").await?.name.cmp(&elicit::<Name>("f?").await?.name);
    Ok(format!("{inside} {same} {ordered:?}"))
}

#[saga_tool]
async fn if_inside_format_inside_vec() -> Result<String, ToolError> {
    let list = vec![
        noted("first".to_owned()),
        format!("{}", if elicit::<Yes>("a?").await?.yes { noted(1) } else { elicit::<Count>("b?").await?.n }),
        sample(format!("{}", {
            let name = elicit::<Name>("c?").await?;
            name.name
        }))
        .await?
        .text(),
    ];
    effect(list.len());
    Ok(list.join("|"))
}

#[saga_tool]
async fn rebuilt_twice() -> Result<String, ToolError> {
    let orders = vec![Order { who: "a".to_owned(), many: 2, note: Some("n".to_owned()) }];
    for order in &orders {
        let Order { who, note, many } = order;
        if let Some(note) = note {
            for round in 0..*many {
                let label = (who, note);
                elicit::<Yes>(format!("{} {} {round}?", label.0, label.1)).await?;
                effect(format_args!("{who} {note} {round}"));
            }
        }
        let again = &orders[0].who;
        elicit::<Yes>(format!("{again} {who}?")).await?;
    }
    Ok(format!("{orders:?}"))
}

// An operand is what it was when it was evaluated, although a later operand assigns it.

#[saga_tool]
async fn comparison_operand_changed() -> Result<String, ToolError> {
    let mut n = noted(1_u8);
    let mut list = vec![2_u8];
    let less = n < {
        n = 9;
        elicit::<Count>("a?").await?.n
    };
    let item = list[0] >= {
        list[0] = 7;
        elicit::<Count>("b?").await?.n
    };
    Ok(format!("{less} {item} {n} {list:?}"))
}

#[saga_tool]
async fn receiver_changed() -> Result<String, ToolError> {
    let mut n = noted(1_u8);
    let most = n.max({
        n = 9;
        elicit::<Count>("a?").await?.n
    });
    effect(most);
    let mut pair = (2_u8, 0);
    let power = pair.0.wrapping_add({
        pair.0 = 5;
        elicit::<Count>("b?").await?.n
    });
    Ok(format!("{most} {n} {power} {pair:?}"))
}

#[saga_tool]
async fn index_changed_in_the_value() -> Result<String, ToolError> {
    let mut list = vec![0_u8; 4];
    let mut at = 0;
    effect(at);
    list[at] = {
        at = 2;
        elicit::<Count>("a?").await?.n + 1
    };
    effect(format_args!("{list:?}"));
    list[at] += {
        at = 3;
        elicit::<Count>("b?").await?.n + 1
    };
    Ok(format!("{list:?} {at}"))
}

#[saga_tool]
async fn reference_operand_reassigned() -> Result<String, ToolError> {
    let mut word = "first";
    let pair = (
        word,
        {
            word = "second";
            elicit::<Count>("a?").await?.n
        },
        word,
    );
    effect(pair.0);
    let joined = [
        word,
        {
            word = "third";
            if elicit::<Yes>("b?").await?.yes { "y" } else { "n" }
        },
        word,
    ]
    .concat();
    Ok(format!("{pair:?} {joined}"))
}

#[saga_tool]
async fn condition_operand_changed() -> Result<String, ToolError> {
    let mut left = noted(3_u8);
    let mut log = Vec::new();
    while left > {
        left -= 1;
        elicit::<Count>(format!("{left}?")).await?.n
    } && left > 0
    {
        log.push(left);
        effect(left);
    }
    if left == {
        left = 42;
        elicit::<Count>("b?").await?.n
    } {
        effect("equal");
    }
    Ok(format!("{log:?} {left}"))
}

#[saga_tool]
async fn range_operand_changed() -> Result<String, ToolError> {
    let mut from = noted(1_u8);
    let range = from..{
        from = 2;
        elicit::<Count>("a?").await?.n + 2
    };
    effect(format_args!("{range:?}"));
    for index in from..({
        from = 0;
        elicit::<Count>("b?").await?.n
    }) {
        effect(index);
    }
    Ok(format!("{range:?} {from}"))
}

#[saga_tool]
async fn cast_and_negation_changed() -> Result<String, ToolError> {
    let mut n = noted(1_i32);
    let sum = -n + n as i32 + {
        n = 50;
        i32::from(elicit::<Count>("a?").await?.n)
    } - n;
    effect(sum);
    let mut flag = true;
    let both = !flag | {
        flag = false;
        elicit::<Yes>("b?").await?.yes
    } & flag;
    Ok(format!("{sum} {both}"))
}

#[saga_tool]
async fn a_question_where_a_condition_ends(title: String) -> Result<String, ToolError> {
    let place = title.as_str();
    let mut turns = 0;
    while turns < 3
        && match elicit::<Count>("go on?").await.ok() {
            Some(count) => count.n != 1,
            None => return Ok(elicit::<Name>("why not?").await?.name),
        }
    {
        turns += 1;
    }
    Ok(format!("{place} {title} {turns}"))
}

#[saga_tool]
async fn a_deferred_local_around_a_way_out(pair: (u32, String)) -> Result<String, ToolError> {
    let mut outer_turns = 0;
    let first = 'again: loop {
        outer_turns += 1;
        if outer_turns > 2 {
            break 1;
        }
        let own;
        if outer_turns == 1 {
            own = {
                let mut turns = 0;
                while turns < 3
                    && elicit::<Yes>({
                        let ..=5 = pair.0 + turns else {
                            elicit::<Count>("a?").await?;
                            break 'again 2;
                        };
                        String::new()
                    })
                    .await
                    .is_ok_and(|yes| yes.yes)
                {
                    turns += 1;
                }
                vec![turns]
            };
        } else {
            own = vec![];
        }
        effect(format_args!("{own:?}"));
    };
    Ok(first.to_string())
}

#[saga_tool]
async fn a_borrow_of_the_same_name(mut title: String) -> Result<String, ToolError> {
    let title = &mut title;
    let mut turns = 0;
    while let Ok(Name { name }) = elicit::<Name>("more?").await
        && turns < 3
    {
        title.push_str(&name);
        turns += 1;
    }
    let mut names = vec![title.clone()];
    loop {
        turns += 1;
        if turns > 5 {
            break;
        }
        let names = &mut names;
        let count = elicit::<Count>("n?").await.map_or(0, |count| count.n);
        names.push(count.to_string());
        let last = &mut (*names)[0];
        elicit::<Yes>("yes?").await?;
        last.push('!');
    }
    Ok(format!("{title:?} {names:?}"))
}

#[saga_tool]
async fn questions_in_matches(list: Vec<u8>) -> Result<String, ToolError> {
    let mut turns = 0;
    let mut sure = false;
    'search: while let Ok(Yes { yes }) = elicit::<Yes>("search?").await
        && turns < 3
    {
        turns += 1;
        sure ^=
            matches!(match list.get(turns) { Some(given) => *given, None => continue 'search }, n if n > 2);
        println!("{}", if yes { turns } else { continue });
        let is_two = matches!(elicit::<Count>("two?").await?.n, 2 | 3 if yes);
        effect(is_two);
        if !matches!(list.as_slice(), [_, second, ..] if *second == elicit_nothing()) {
            effect(format!("{}", if turns > 1 { break } else { turns }));
        }
    }
    let note = Some("n".to_owned());
    elicit::<Name>(note.unwrap_or_default()).await?;
    let found = matches!(turns, 3 if { for note in 0..3 { effect(note); } true });
    Ok(format!("{sure} {found}"))
}

fn elicit_nothing() -> u8 {
    2
}

#[saga_tool]
async fn questions_in_vec_and_json() -> Result<String, ToolError> {
    let name = noted("n".to_owned());
    let many = vec![elicit::<Name>("who?").await?.name; noted(1) + 1];
    let counted = vec![noted(7); usize::from(elicit::<Count>("how many?").await?.n)];
    let value = serde_json::json!({
        "name": name,
        "who": [elicit::<Name>("and?").await?.name, null, noted(1), { "deep": many[0] }],
        (format!("k{}", 1)): counted.len(),
        "last": noted(elicit::<Count>("last?").await?.n + 1),
    });
    Ok(format!("{name} {many:?} {counted:?} {value}"))
}

fn both(name: &str, n: u8) -> String {
    format!("{name} {n}")
}

#[saga_tool]
async fn borrows_of_answers_as_arguments() -> Result<String, ToolError> {
    let one = both(&elicit::<Name>("a?").await?.name, elicit::<Count>("b?").await?.n);
    let two = (&elicit::<Name>("c?").await?.name, elicit::<Count>("d?").await?.n).0.len();
    let three = both(
        &[noted("x"), "y"][usize::from(elicit::<Count>("e?").await?.n % 2)],
        elicit::<Count>("f?").await?.n,
    );
    Ok(format!("{one} {two} {three}"))
}

#[saga_tool]
async fn a_label_left_in_one_copy_only(sure: bool) -> Result<String, ToolError> {
    let own;
    if sure {
        own = {
            for pair in (0..4).rev() {
                let mut range = 0..('again: {
                    if elicit::<Yes>("again?").await?.yes {
                        break 'again 1_u32;
                    }
                    2_u32
                }) % 4;
                while let Some(next) = range.next() {
                    effect(format_args!("{pair} {next}"));
                }
            }
            5
        };
    } else {
        own = 6;
    }
    Ok(own.to_string())
}

struct Kind {
    size: u32,
    name: String,
}

#[saga_tool]
async fn a_struct_literal_as_scrutinee() -> Result<String, ToolError> {
    let mut turns = 0;
    while turns < 3
        && match (Kind { size: u32::from(elicit::<Count>("?").await?.n), name: noted("n".to_owned()) }) {
            Kind { size: 1, .. } => true,
            Kind { size, ref name } => size > 1 && name.len() == 1,
        }
    {
        turns += 1;
    }
    Ok(turns.to_string())
}

#[saga]
#[tracing::instrument(skip(list), ret)]
async fn instrumented(name: &str, list: &mut Vec<u8>) -> Result<u8, StepError> {
    list.push(elicit::<Count>(name).await?.n);
    Ok(list.len() as u8)
}

#[saga_tool]
#[tracing::instrument(level = "debug", err(Debug))]
#[cfg(not(any()))]
async fn attributes_below(name: String) -> Result<String, ToolError> {
    let mut list = vec![noted(1)];
    let yes: Yes = elicit(format!("{name}?")).await?;
    let length = call(instrumented(&name, &mut list)).await?;
    Ok(format!("{name} {} {length} {list:?}", yes.yes))
}

/// There is no such tool, nor anything that was made for it.
#[saga_tool]
#[cfg(any())]
async fn attributes_that_take_it_away(name: Missing) -> Result<Missing, ToolError> {
    elicit::<Missing>("?").await
}

macro_rules! push_twice {
    ($list:ident, $value:expr) => {
        $list.push($value);
        $list.push($value + 1);
    };
}

macro_rules! answer_or {
    ($answer:expr, $otherwise:expr) => {
        match $answer {
            Ok(answer) => answer,
            Err(_) => return Ok($otherwise.to_string()),
        }
    };
}

#[saga_tool]
async fn statements_from_macros() -> Result<String, ToolError> {
    let mut list = Vec::new();
    push_twice!(list, noted(1));
    let answer = elicit::<Count>("n?").await;
    let count = answer_or!(answer, list.len());
    for _ in 0..2 {
        push_twice!(list, count.n);
        elicit::<Yes>("again?").await?;
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn statements_under_cfg() -> Result<String, ToolError> {
    let mut list = vec![1];
    #[cfg(any())]
    list.extend(missing());
    elicit::<Yes>("go?").await?;
    #[cfg(not(any()))]
    let more = noted(2);
    #[cfg(any())]
    let more = missing();
    list.push(more);
    elicit::<Yes>("again?").await?;
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn assigned_names_shadowed_in_the_value() -> Result<String, ToolError> {
    let (mut one, mut other) = (Count { n: 1 }, Count { n: 1 });
    effect(format_args!("{one:?} {other:?}"));
    (other, one) = if noted(true) {
        elicit::<Yes>("a?").await?;
        let (Kind { name: word, size: mut other }, one) =
            (Kind { name: noted("w".to_owned()), size: 2 }, "one");
        other += 1;
        elicit::<Yes>(format!("{other:?} {word:?}?")).await?;
        effect(one);
        (Count { n: 1 }, Count { n: other as u8 })
    } else {
        (Count { n: 1 }, Count { n: 1 })
    };
    Ok(format!("{one:?} {other:?}"))
}

#[saga_tool]
#[expect(unused_variables, unused_assignments, reason = "that nothing reads it is the case")]
async fn assigned_on_the_other_way_only(list: Vec<String>) -> Result<String, ToolError> {
    let mut own = vec![1];
    for mut pair in list {
        if if let Ok(Count { n: pair }) = (Ok::<_, StepError>(Count { n: 1 }))
            && noted(true)
        {
            elicit::<Yes>(pair.to_string()).await.is_ok_and(|yes| yes.yes)
        } else {
            (pair, own) = (String::new(), vec![2]);
            true
        } {
            effect("yes");
        }
    }
    Ok(String::new())
}

/// Things in boxes.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Boxes {
    items: Vec<Tagged>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Tagged {
    tags: Vec<String>,
}

fn boxes() -> Boxes {
    let tagged = |tags: [&str; 2]| Tagged { tags: tags.map(ToOwned::to_owned).to_vec() };
    Boxes { items: vec![tagged(["a", "b"]), tagged(["c", "d"])] }
}

#[saga_tool]
async fn parts_of_parts_changed() -> Result<String, ToolError> {
    let mut answer = boxes();
    for tag in answer.items[1].tags.iter_mut() {
        let name: Name = elicit(format!("{tag}?")).await?;
        tag.push_str(&name.name);
        effect(tag);
    }
    for Tagged { tags } in &mut answer.items {
        tags.push("more".to_owned());
        for tag in tags.iter_mut() {
            let name: Name = elicit(format!("{tag}?")).await?;
            tag.push_str(&name.name);
        }
        elicit::<Yes>(format!("{tags:?}?")).await?;
    }
    Ok(format!("{answer:?}"))
}

#[saga_tool]
async fn parts_changed_inside_a_match_of_the_root() -> Result<String, ToolError> {
    let mut answer = boxes();
    if let [Tagged { tags }, ..] = &mut answer.items[..] {
        for (index, tag) in tags.iter_mut().enumerate() {
            let name: Name = elicit(format!("{tag} {index}?")).await?;
            tag.push_str(&name.name);
            for answer in &name.name.chars().collect::<Vec<_>>()[..] {
                tag.push(*answer);
            }
        }
        tags.pop();
    }
    let last = answer.items.len() - 1;
    for tag in answer.items[last].tags[1..].iter_mut().rev() {
        elicit::<Yes>(format!("{tag}?")).await?;
        tag.clear();
    }
    Ok(format!("{answer:?}"))
}

#[saga_tool]
async fn an_arm_takes_a_name_where_the_loop_ends() -> Result<String, ToolError> {
    let word = 1_u8;
    let mut turns = 0;
    let found = loop {
        turns += 1;
        if turns > 2 {
            let count: Count = elicit(format!("{turns}?")).await?;
            break match count.n {
                word @ 2.. => word,
                _ => 1,
            };
        }
        {
            let word = &word;
            elicit::<Yes>(format!("{word}?")).await?;
        }
    };
    Ok(format!("{found} {word}"))
}

/// After the question in the `else`, `text` has a value on every path, and so it need not travel.
#[saga_tool]
async fn assigned_where_a_pattern_does_not_fit() -> Result<String, ToolError> {
    let mut text = "a".to_owned();
    for round in 0..3 {
        let before = text.clone();
        for word in ["x", "y"] {
            let Some(_) = noted((round == 1).then_some(word)) else {
                let yes: Yes = elicit(format!("{word} {before}?")).await?;
                text = format!("{before}{}", yes.yes);
                continue;
            };
        }
        let n: Count = elicit(format!("{text}?")).await?;
        effect(n.n);
    }
    Ok(text)
}

#[saga_tool]
async fn a_tuple_of_copies_by_ref() -> Result<String, ToolError> {
    let mut list = vec![1u8, 2];
    let (ref one, two) = (list[0], list[1]);
    list[0] = 9;
    let sure: Yes = elicit(format!("{one} {list:?}")).await?;
    list[1] = 8;
    Ok(format!("{one} {two} {list:?} {}", sure.yes))
}

#[saga_tool]
async fn a_tuple_of_copies_matched_by_ref() -> Result<String, ToolError> {
    let mut list = vec![1u8, 2];
    match (list[0], list[1]) {
        (ref one, two) => {
            list[0] = 9;
            let sure: Yes = elicit(format!("{one} {list:?}")).await?;
            list[1] = 8;
            Ok(format!("{one} {two} {list:?} {}", sure.yes))
        }
    }
}

#[saga_tool]
async fn a_copy_in_a_condition_by_ref() -> Result<String, ToolError> {
    let (mut found, n) = (Some(1u8), 2);
    if let (Some(ref one), two) = (found, n) {
        found = Some(9);
        let sure: Yes = elicit(format!("{one} {found:?}")).await?;
        found = found.filter(|_| sure.yes);
        return Ok(format!("{one} {two} {found:?}"));
    }
    Ok(String::new())
}

#[saga_tool]
async fn a_text_of_an_answer_in_a_tuple() -> Result<String, ToolError> {
    let count: Count = elicit("n").await?;
    let text = match (count.n, elicit::<Name>("name").await?.name.as_str()) {
        (0, "") => "none".to_owned(),
        (n, name @ ("a" | "b")) => {
            let sure: Yes = elicit(name).await?;
            format!("{n}{name}{}", sure.yes)
        }
        (n, name) => format!("{n}{name}"),
    };
    Ok(text)
}

#[saga_tool]
async fn a_text_of_an_answer_in_a_tuple_that_asks_twice() -> Result<String, ToolError> {
    if let (Some(one), other) =
        (elicit::<Name>("one").await?.name.get(..1), elicit::<Name>("other").await?.name.trim())
    {
        let sure: Yes = elicit(format!("{one}{other}")).await?;
        return Ok(format!("{one}{other}{}", sure.yes));
    }
    Ok(String::new())
}

#[saga_tool]
async fn a_text_of_an_answer_in_a_call() -> Result<String, ToolError> {
    fn joined<'a>(n: u8, one: &'a str, other: &'a str) -> String {
        format!("{n}{one}{other}")
    }
    let text = joined(
        noted(1),
        elicit::<Name>("one").await?.name.as_str(),
        elicit::<Name>("other").await?.name.trim(),
    );
    let sure: Yes = elicit(&text).await?;
    Ok(format!("{text}{}", sure.yes))
}
