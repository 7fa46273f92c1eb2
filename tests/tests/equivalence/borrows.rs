//! Borrows over questions: derived again from what travels, or refused; never another value.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    of_a_local;
    a_pattern_that_hides_what_is_borrowed(text: "x y z".to_owned());
    of_a_field;
    of_a_field_of_a_borrow;
    of_a_part_that_becomes_another(text: "one two three".to_owned());
    of_an_index;
    of_an_index_that_changes;
    of_an_effectful_index;
    of_a_slice;
    mutable_of_a_local;
    mutable_of_a_field;
    mutable_of_an_index;
    mutable_of_a_changing_index;
    by_ref_patterns;
    by_default_binding_modes;
    through_boxes;
    through_methods;
    through_conversions_of_ones_own(high: true);
    of_an_answer;
    of_a_parameter(names: vec!["ada".to_owned(), "bo".to_owned()], target: "t".to_owned());
    of_a_parameter_with_index(names: vec!["ada".to_owned(), "bo".to_owned()], at: 1_usize);
    of_a_shadowed_local;
    of_a_borrow_of_a_borrow;
    copies_of_borrows;
    str_among_literals;
    str_static_and_owned;
    a_struct_that_borrows;
    a_tuple_of_borrows;
    an_option_of_a_borrow;
    a_borrow_in_an_inner_scope;
    a_borrow_that_is_dead_before;
    a_borrow_renewed_after;
    a_borrow_of_two_sources;
    a_borrow_reassigned;
    a_borrow_reassigned_in_a_loop;
    a_borrow_of_something_assigned_later;
    a_borrow_whose_source_moves_after;
    swap_under_a_dead_borrow;
    slices_of_strings;
    nested_borrows_in_loops;
    mutable_borrow_in_a_loop;
    binding_at_with_ref;
    trap_index_changed;
    trap_key_shadowed;
    trap_split_once;
    trap_len_taken_before;
    trap_rebound_in_a_loop;
    trap_source_shadowed;
    trap_pattern_of_changed_value;
    trap_range_bound_changed;
    trap_mutated_through_the_borrow;
    trap_parameter_shadowed(name: "ada".to_owned());
    trap_interior_mutability;
    trap_deref_of_changed_box;
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    name: String,
    regions: Vec<Place>,
    owner: Option<Box<Plan>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Place {
    name: String,
    size: u8,
}

fn plan(name: &str) -> Plan {
    let regions = [("eu", 1), ("us", 2)].map(|(name, size)| Place { name: name.to_owned(), size });
    Plan { name: name.to_owned(), regions: regions.into(), owner: None }
}

#[saga_tool]
async fn of_a_local() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let number = noted(5_u8);
    let borrow = &text;
    let count = &number;
    elicit::<Yes>(format!("{borrow} {count}?")).await?;
    effect(borrow);
    elicit::<Yes>(format!("{borrow} {}?", count + 1)).await?;
    Ok(format!("{borrow} {text} {count}"))
}

#[saga_tool]
async fn of_a_field() -> Result<String, ToolError> {
    let plan = plan("p");
    let name = &plan.name;
    let regions = &plan.regions;
    elicit::<Yes>(format!("{name}?")).await?;
    effect(regions.len());
    for region in regions {
        elicit::<Yes>(format!("{name} {}?", region.name)).await?;
        effect(&region.name);
    }
    Ok(format!("{name} {regions:?}"))
}

#[saga_tool]
async fn of_a_field_of_a_borrow() -> Result<String, ToolError> {
    let outer = Plan { owner: Some(Box::new(plan("inner"))), ..plan("outer") };
    let whole = &outer;
    let name = &whole.name;
    if let Some(owner) = &whole.owner {
        let first = &owner.regions[0];
        let Place { name: place, size } = first;
        elicit::<Yes>(format!("{name} {place} {size}?")).await?;
        effect(format_args!("{place} {size}"));
        let owner_name = owner.name.as_str();
        elicit::<Yes>(format!("{owner_name} {}?", first.name)).await?;
        effect(owner_name);
    }
    Ok(format!("{name} {outer:?}"))
}

#[saga_tool]
async fn of_an_index() -> Result<String, ToolError> {
    let plan = plan("p");
    let at = 1;
    let place = &plan.regions[at];
    let first = &plan.regions[0].name;
    elicit::<Yes>(format!("{first} {}?", place.name)).await?;
    effect(&place.name);
    elicit::<Yes>(format!("{at}?")).await?;
    Ok(format!("{first} {place:?}"))
}

#[saga_tool]
async fn of_an_index_that_changes() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let mut at = 0;
    let one = &list[at];
    at += 1;
    let two = &list[at];
    at = usize::from(elicit::<Yes>(format!("{one} {two}?")).await?.yes);
    effect(format_args!("{one} {two} {at}"));
    let three = &list[at + 1];
    at = 9;
    elicit::<Yes>(format!("{three}?")).await?;
    Ok(format!("{one} {two} {three} {at}"))
}

#[saga_tool]
async fn of_an_effectful_index() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned()];
    let item = &list[noted(1)];
    let slice = &list[noted(0)..noted(2)];
    elicit::<Yes>(format!("{item}?")).await?;
    effect(item);
    elicit::<Yes>(format!("{slice:?}?")).await?;
    Ok(format!("{item} {slice:?}"))
}

#[saga_tool]
async fn of_a_slice() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3, 4];
    let rest = &list[1..];
    let (head, tail) = (&rest[0], &rest[1..]);
    elicit::<Yes>(format!("{head} {tail:?}?")).await?;
    effect(format_args!("{rest:?}"));
    if let [first, second, ..] = tail {
        elicit::<Yes>(format!("{first} {second}?")).await?;
        effect(first + second);
    }
    Ok(format!("{rest:?} {head} {tail:?}"))
}

#[saga_tool]
async fn mutable_of_a_local() -> Result<String, ToolError> {
    let mut list = vec![1_u8];
    let borrow = &mut list;
    borrow.push(2);
    elicit::<Yes>(format!("{borrow:?}?")).await?;
    borrow.push(3);
    effect(borrow.len());
    let count: Count = elicit(format!("{borrow:?}?")).await?;
    borrow.push(count.n);
    list.push(4);
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn mutable_of_a_field() -> Result<String, ToolError> {
    let mut plan = plan("p");
    let Plan { name, regions, .. } = &mut plan;
    name.push('!');
    let yes: Yes = elicit(format!("{name}?")).await?;
    name.push_str(if yes.yes { "y" } else { "n" });
    regions[0].size += 1;
    effect(&name);
    let size = &mut regions[1].size;
    *size += elicit::<Count>(format!("{size}?")).await?.n;
    effect(&size);
    elicit::<Yes>("done?").await?;
    *size *= 2;
    name.clear();
    Ok(format!("{plan:?}"))
}

#[saga_tool]
async fn mutable_of_an_index() -> Result<String, ToolError> {
    let mut lists = vec![vec![1_u8], vec![]];
    let list = &mut lists[1];
    list.push(elicit::<Count>("n?").await?.n);
    effect(format_args!("{list:?}"));
    list.push(9);
    elicit::<Yes>(format!("{list:?}?")).await?;
    list.insert(0, 7);
    Ok(format!("{lists:?}"))
}

#[saga_tool]
async fn mutable_of_a_changing_index() -> Result<String, ToolError> {
    let mut lists = vec![vec![1_u8], vec![], vec![]];
    let mut at = 0;
    while at < 3 {
        let list = &mut lists[at];
        at += 1;
        list.push(elicit::<Count>(format!("{list:?}?")).await?.n);
        effect(at);
        list.push(8);
    }
    Ok(format!("{lists:?}"))
}

#[saga_tool]
async fn by_ref_patterns() -> Result<String, ToolError> {
    let mut pair = (noted("a".to_owned()), noted(vec![1_u8]));
    let (ref text, ref mut list) = pair;
    elicit::<Yes>(format!("{text} {list:?}?")).await?;
    list.push(2);
    effect(text);
    elicit::<Yes>(format!("{text} {list:?}?")).await?;
    list.push(3);
    Ok(format!("{pair:?}"))
}

#[saga_tool]
async fn by_default_binding_modes() -> Result<String, ToolError> {
    let nested = Some((noted("a".to_owned()), Ok::<_, String>(vec![(1_u8, 'x'), (2, 'y')])));
    let Some((text, Ok(list))) = &nested else { return Err(ToolError::new("no")) };
    elicit::<Yes>(format!("{text}?")).await?;
    effect(list.len());
    if let [(one, x), (two, y)] = list.as_slice() {
        elicit::<Yes>(format!("{one} {x} {two} {y}?")).await?;
        effect(format_args!("{one}{x}{two}{y}"));
    }
    match nested {
        Some((ref text, Ok(ref list))) if !list.is_empty() => {
            elicit::<Yes>(format!("{text} {list:?}?")).await?;
            effect(text);
        }
        _ => {}
    }
    Ok(text.clone())
}

#[saga_tool]
async fn through_boxes() -> Result<String, ToolError> {
    let boxed = Box::new(plan("boxed"));
    let name = &boxed.name;
    let inside = &*boxed;
    elicit::<Yes>(format!("{name}?")).await?;
    effect(&inside.name);
    let mut other = Box::new(1_u8);
    let number = &mut *other;
    *number += elicit::<Count>(format!("{number}?")).await?.n;
    elicit::<Yes>("more?").await?;
    *number += 1;
    Ok(format!("{name} {other}"))
}

#[saga_tool]
async fn through_methods() -> Result<String, ToolError> {
    let plan = Plan { owner: Some(Box::new(plan("owner"))), ..plan("p") };
    let name = plan.name.as_str();
    let regions = plan.regions.as_slice();
    let owner = plan.owner.as_deref();
    let again = plan.owner.as_ref();
    elicit::<Yes>(format!("{name} {}?", regions.len())).await?;
    effect(name);
    if let Some(owner) = owner {
        elicit::<Yes>(format!("{}?", owner.name)).await?;
        effect(&owner.name);
    }
    Ok(format!("{name} {} {}", owner.is_some(), again.is_some()))
}

#[saga_tool]
async fn of_an_answer() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    let Target { region, note, .. } = &target;
    effect(format_args!("{region:?}"));
    let name: Name = elicit(format!("{region:?} {note:?}?")).await?;
    let text = &name.name;
    elicit::<Yes>(format!("{text} {note:?}?")).await?;
    effect(text);
    Ok(format!("{region:?} {note:?} {text}"))
}

#[saga_tool]
async fn of_a_parameter(names: Vec<String>, target: String) -> Result<String, ToolError> {
    let first = &names[0];
    let slice = target.as_str();
    elicit::<Yes>(format!("{first} {slice}?")).await?;
    effect(first);
    for name in &names {
        elicit::<Yes>(format!("{name} {slice}?")).await?;
        effect(name);
    }
    let owned = names;
    elicit::<Yes>(format!("{owned:?}?")).await?;
    Ok(format!("{owned:?} {slice}"))
}

#[saga_tool]
async fn of_a_parameter_with_index(names: Vec<String>, mut at: usize) -> Result<String, ToolError> {
    let one = &names[at];
    at -= 1;
    elicit::<Yes>(format!("{one} {at}?")).await?;
    effect(one);
    let two = &names[at];
    elicit::<Yes>(format!("{two}?")).await?;
    at += 5;
    Ok(format!("{one} {two} {at}"))
}

#[saga_tool]
async fn of_a_shadowed_local() -> Result<String, ToolError> {
    let text = noted("outer".to_owned());
    let borrow = &text;
    let text = noted("inner".to_owned());
    elicit::<Yes>(format!("{borrow} {text}?")).await?;
    effect(borrow);
    let text = text + "!";
    elicit::<Yes>(format!("{borrow} {text}?")).await?;
    Ok(format!("{borrow} {text}"))
}

#[saga_tool]
async fn of_a_borrow_of_a_borrow() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let one = &text;
    let two = &one;
    let three = &**two;
    elicit::<Yes>(format!("{one} {two} {three}?")).await?;
    effect(two);
    Ok(format!("{one} {two} {three}"))
}

#[saga_tool]
async fn copies_of_borrows() -> Result<String, ToolError> {
    let text = noted("text".to_owned());
    let one = &text;
    let two = one;
    let three = two;
    effect(three);
    elicit::<Yes>(format!("{one} {two} {three}?")).await?;
    Ok(format!("{one} {two} {three}"))
}

#[saga_tool]
async fn str_among_literals() -> Result<String, ToolError> {
    let word = if elicit::<Yes>("which?").await?.yes { "yes" } else { "no" };
    effect(word);
    let other = match elicit::<Count>(format!("{word}?")).await?.n {
        0 => "zero",
        1 => "one",
        _ => "many",
    };
    effect(other);
    let list = ["x", word, other];
    elicit::<Yes>(format!("{list:?}?")).await?;
    Ok(format!("{word} {other} {list:?}"))
}

#[saga_tool]
async fn str_static_and_owned() -> Result<String, ToolError> {
    let fixed: &'static str = "fixed";
    let owned = format!("{fixed}!");
    let word: &str = if elicit::<Yes>("owned?").await?.yes { &owned } else { fixed };
    effect(word);
    elicit::<Yes>(format!("{word}?")).await?;
    effect(word);
    Ok(format!("{word} {owned}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct View<'a> {
    name: &'a str,
    bytes: &'a [u8],
    size: u8,
}

#[saga_tool]
async fn a_struct_that_borrows() -> Result<String, ToolError> {
    let plan = plan("p");
    let view = View { name: &plan.name, bytes: plan.regions[0].name.as_bytes(), size: noted(3) };
    elicit::<Yes>(format!("{}?", view.name)).await?;
    effect(view.name);
    let longer = View { size: view.size + elicit::<Count>("n?").await?.n, ..view };
    elicit::<Yes>(format!("{longer:?}?")).await?;
    Ok(format!("{view:?} {longer:?} {}", plan.name))
}

#[saga_tool]
async fn a_tuple_of_borrows() -> Result<String, ToolError> {
    let plan = plan("p");
    let (name, regions) = (&plan.name, &plan.regions);
    elicit::<Yes>(format!("{name}?")).await?;
    effect(regions.len());
    let pair = (&plan.name, &plan.regions);
    elicit::<Yes>(format!("{}?", pair.0)).await?;
    Ok(format!("{name} {} {}", regions.len(), pair.1.len()))
}

#[saga_tool]
async fn an_option_of_a_borrow() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    let note = target.note.as_deref();
    effect(format_args!("{note:?}"));
    let name: Name = elicit(format!("{note:?}?")).await?;
    let text = note.unwrap_or(&name.name);
    effect(text);
    Ok(text.to_owned())
}

#[saga_tool]
async fn a_borrow_in_an_inner_scope() -> Result<String, ToolError> {
    let mut text = noted("a".to_owned());
    {
        let borrow = &text;
        elicit::<Yes>(format!("{borrow}?")).await?;
        effect(borrow);
    }
    text.push('b');
    {
        let borrow = &mut text;
        elicit::<Yes>(format!("{borrow}?")).await?;
        borrow.push('c');
    }
    Ok(text)
}

#[saga_tool]
async fn a_borrow_that_is_dead_before() -> Result<String, ToolError> {
    let mut list = vec![3_u8, 1, 2];
    let most = *list.iter().max().unwrap();
    let first = list.first_mut().unwrap();
    *first += most;
    effect(&first);
    let length = list.iter().filter(|item| **item > 1).count();
    elicit::<Yes>(format!("{most} {length}?")).await?;
    list.sort_unstable();
    Ok(format!("{list:?} {most}"))
}

#[saga_tool]
async fn a_borrow_renewed_after() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2];
    let last = list.last_mut().unwrap();
    *last += 1;
    let count: Count = elicit("n?").await?;
    let last = list.last_mut().unwrap();
    *last += count.n;
    effect(&last);
    elicit::<Yes>("done?").await?;
    let last = list.last().unwrap();
    Ok(format!("{last} {list:?}"))
}

#[saga_tool]
async fn a_borrow_of_two_sources() -> Result<String, ToolError> {
    let (left, right) = (noted("l".to_owned()), noted("r".to_owned()));
    let both = [&left, &right];
    effect(both.len());
    let pair = (&left, &right);
    elicit::<Yes>(format!("{} {}?", pair.0, pair.1)).await?;
    effect(pair.1);
    Ok(format!("{} {}", pair.0, pair.1))
}

#[saga_tool]
async fn a_borrow_reassigned() -> Result<String, ToolError> {
    let (left, right) = (noted("l".to_owned()), noted("r".to_owned()));
    let mut chosen = left.as_str();
    if elicit::<Yes>(format!("{chosen}?")).await?.yes {
        chosen = &right;
    }
    effect(chosen);
    elicit::<Yes>(format!("{chosen}?")).await?;
    Ok(chosen.to_owned())
}

#[saga_tool]
async fn a_borrow_reassigned_in_a_loop() -> Result<String, ToolError> {
    let names = vec!["a".to_owned(), "bbb".to_owned(), "cc".to_owned()];
    let mut longest = "";
    for name in &names {
        if name.len() > longest.len() {
            longest = name;
        }
        elicit::<Yes>(format!("{name} {longest}?")).await?;
        effect(longest);
    }
    Ok(longest.to_owned())
}

#[saga_tool]
async fn a_borrow_of_something_assigned_later() -> Result<String, ToolError> {
    let mut text = noted("a".to_owned());
    let borrow = &text;
    elicit::<Yes>(format!("{borrow}?")).await?;
    effect(borrow);
    text = elicit::<Name>("b?").await?.name;
    effect(&text);
    let borrow = &text;
    elicit::<Yes>(format!("{borrow}?")).await?;
    Ok(borrow.clone())
}

#[saga_tool]
async fn a_borrow_whose_source_moves_after() -> Result<String, ToolError> {
    let plan = plan("p");
    let name = &plan.name;
    elicit::<Yes>(format!("{name}?")).await?;
    effect(name);
    let moved = plan;
    elicit::<Yes>(format!("{}?", moved.name)).await?;
    let Plan { name, regions, .. } = moved;
    effect(regions.len());
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(name)
}

#[saga_tool]
async fn swap_under_a_dead_borrow() -> Result<String, ToolError> {
    let (mut left, mut right) = (noted(vec![1_u8]), noted(vec![2_u8, 3]));
    let length = (&left).len();
    elicit::<Yes>(format!("{length}?")).await?;
    std::mem::swap(&mut left, &mut right);
    let borrow = &left;
    elicit::<Yes>(format!("{borrow:?}?")).await?;
    Ok(format!("{borrow:?} {right:?} {length}"))
}

#[saga_tool]
async fn slices_of_strings() -> Result<String, ToolError> {
    let text = noted("hello world".to_owned());
    let word = &text[..5];
    let rest: &str = &text[6..];
    elicit::<Yes>(format!("{word}?")).await?;
    effect(rest);
    let part = &rest[1..][..2];
    elicit::<Yes>(format!("{part}?")).await?;
    Ok(format!("{word} {rest} {part}"))
}

#[saga_tool]
async fn nested_borrows_in_loops() -> Result<String, ToolError> {
    let plans = vec![plan("a"), plan("b")];
    let mut seen = Vec::new();
    for plan in &plans {
        let Plan { name, regions, .. } = plan;
        for Place { name: place, size } in regions {
            let label = (name, place);
            if elicit::<Yes>(format!("{} {} {size}?", label.0, label.1)).await?.yes {
                seen.push((name.clone(), *size));
            }
            effect(seen.len());
        }
    }
    Ok(format!("{seen:?}"))
}

#[saga_tool]
async fn mutable_borrow_in_a_loop() -> Result<String, ToolError> {
    let mut plans = vec![plan("a"), plan("b")];
    for plan in &mut plans {
        let name = &mut plan.name;
        name.push('!');
        for place in &mut plan.regions {
            place.size += elicit::<Count>(format!("{name} {}?", place.name)).await?.n;
            effect(place.size);
            name.push('.');
        }
        elicit::<Yes>(format!("{name}?")).await?;
        plan.regions.pop();
    }
    Ok(format!("{plans:?}"))
}

#[saga_tool]
async fn binding_at_with_ref() -> Result<String, ToolError> {
    let plan = plan("p");
    let whole @ Plan { name, .. } = &plan;
    elicit::<Yes>(format!("{name} {}?", whole.regions.len())).await?;
    effect(name);
    let ref all @ Plan { ref regions, .. } = plan;
    elicit::<Yes>(format!("{} {}?", all.name, regions.len())).await?;
    Ok(format!("{name} {}", all.regions.len()))
}

// What naive derivation gets wrong: prototypes/src/bin/rebuild_traps.rs and more of its kind.

#[saga_tool]
async fn trap_index_changed() -> Result<String, ToolError> {
    let items = vec!["a", "b"];
    let mut i = 0;
    let r = &items[i];
    i += 1;
    elicit::<Yes>("?").await?;
    effect(r);
    Ok(format!("{r} {i}"))
}

#[saga_tool]
async fn trap_key_shadowed() -> Result<String, ToolError> {
    let pairs = [("k", "v"), ("other", "w")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let map = std::collections::BTreeMap::from(pairs);
    let key = String::from("k");
    let r = &map[&key];
    elicit::<Yes>("?").await?;
    effect(r);
    let key = String::from("other");
    elicit::<Yes>(format!("{r} {key}?")).await?;
    Ok(format!("{r} {key}"))
}

#[saga_tool]
async fn trap_split_once() -> Result<String, ToolError> {
    let text = String::from("a b c");
    let (head, rest) = text.split_once(' ').unwrap();
    let mut cur = rest;
    while let Some((h, t)) = cur.split_once(' ') {
        effect(h);
        cur = t;
        elicit::<Yes>("?").await?;
    }
    Ok(format!("{head} {cur}"))
}

#[saga_tool]
async fn trap_len_taken_before() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2, 3];
    let length = list.len();
    list.push(4);
    let rest = &list[length..];
    elicit::<Yes>(format!("{rest:?}?")).await?;
    effect(format_args!("{rest:?} {length}"));
    list.clear();
    elicit::<Yes>(format!("{length}?")).await?;
    Ok(format!("{list:?} {length}"))
}

#[saga_tool]
async fn trap_rebound_in_a_loop() -> Result<String, ToolError> {
    let items = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let mut at = 0;
    loop {
        let item = &items[at];
        at = (at + 2) % 3;
        let count: Count = elicit(format!("{item} {at}?")).await?;
        effect(item);
        if count.n == 0 || at == 0 {
            break Ok(format!("{item} {at}"));
        }
    }
}

#[saga_tool]
async fn trap_source_shadowed() -> Result<String, ToolError> {
    let items = vec!["a".to_owned()];
    let first = &items[0];
    let items = vec!["other".to_owned()];
    let second = &items[0];
    elicit::<Yes>(format!("{first} {second}?")).await?;
    effect(format_args!("{first} {second}"));
    {
        let items = vec!["inner".to_owned()];
        elicit::<Yes>(format!("{first} {second} {items:?}?")).await?;
        effect(format_args!("{first} {second}"));
    }
    Ok(format!("{first} {second}"))
}

#[saga_tool]
async fn trap_pattern_of_changed_value() -> Result<String, ToolError> {
    let mut pair = (Some(noted(1_u8)), noted("x".to_owned()));
    if let (Some(number), text) = &pair {
        elicit::<Yes>(format!("{number} {text}?")).await?;
        effect(number);
    }
    pair.0 = None;
    let (number, text) = &pair;
    elicit::<Yes>(format!("{number:?} {text}?")).await?;
    Ok(format!("{number:?} {text}"))
}

#[saga_tool]
async fn trap_range_bound_changed() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3, 4];
    let mut end = 2;
    let part = &list[..end];
    end += 1;
    for item in part {
        end += 1;
        elicit::<Yes>(format!("{item} {end}?")).await?;
        effect(format_args!("{item} {part:?}"));
    }
    Ok(format!("{part:?} {end}"))
}

#[saga_tool]
async fn trap_mutated_through_the_borrow() -> Result<String, ToolError> {
    let mut state = Some(1_u8);
    let slot = &mut state;
    elicit::<Yes>("?").await?;
    *slot = None;
    effect(format_args!("{slot:?}"));
    elicit::<Yes>("?").await?;
    if let Some(number) = slot {
        *number += 1;
    } else {
        *slot = Some(7);
    }
    let Some(number) = &mut state else { return Ok("none".to_owned()) };
    *number += 1;
    elicit::<Yes>(format!("{number}?")).await?;
    *number += 1;
    Ok(format!("{state:?}"))
}

#[saga_tool]
async fn trap_parameter_shadowed(name: String) -> Result<String, ToolError> {
    let outer = &name;
    let name = noted("other".to_owned());
    elicit::<Yes>(format!("{outer} {name}?")).await?;
    effect(outer);
    Ok(format!("{outer} {name}"))
}

#[saga_tool]
async fn trap_interior_mutability() -> Result<String, ToolError> {
    let cell = std::cell::Cell::new(0_usize);
    let list = vec!["a".to_owned(), "b".to_owned()];
    let item = &list[cell.get()];
    cell.set(1);
    elicit::<Yes>(format!("{item}?")).await?;
    effect(item);
    Ok(format!("{item} {}", cell.get()))
}

#[saga_tool]
async fn trap_deref_of_changed_box() -> Result<String, ToolError> {
    let mut at = Box::new(0_usize);
    let list = vec!["a".to_owned(), "b".to_owned()];
    let item = &list[*at];
    *at = 1;
    elicit::<Yes>(format!("{item}?")).await?;
    effect(item);
    Ok(format!("{item} {at}"))
}

#[saga_tool]
async fn a_pattern_that_hides_what_is_borrowed(text: String) -> Result<String, ToolError> {
    let mut names = vec!["a".to_owned()];
    let first = &mut names;
    for names in text.split_whitespace() {
        let name: Name = elicit(format!("{names} {first:?}?")).await?;
        first.push(name.name);
    }
    if let Some(names) = first.last().cloned() {
        let yes: Yes = elicit(format!("{names}?")).await?;
        first.push(format!("{names} {}", yes.yes));
    }
    Ok(format!("{names:?}"))
}

#[derive(Serialize, Deserialize, Clone, Copy)]
enum Level {
    Low,
    High,
}

impl Level {
    fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Address(String);

impl Address {
    fn as_str(&self) -> &str {
        &self.0
    }

    fn as_mut(&mut self) -> &mut String {
        &mut self.0
    }
}

impl AsRef<str> for Address {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// What `as_` does is free by its name, so nobody has to say that it may be done again.
#[saga_tool]
async fn through_conversions_of_ones_own(high: bool) -> Result<String, ToolError> {
    let level = if high { Level::High } else { Level::Low };
    let mut address = Address("a\nb".to_owned());
    let word = level.as_str();
    let text: &str = address.as_ref();
    elicit::<Yes>(format!("{word} {text}?")).await?;
    effect(text);
    for line in address.as_str().lines().rev() {
        elicit::<Yes>(format!("{line}?")).await?;
        effect(line);
    }
    let whole = address.as_mut();
    elicit::<Yes>(format!("{whole}?")).await?;
    whole.push('c');
    Ok(format!("{word} {}", address.as_str()))
}

/// What is left of a text.
#[derive(Debug, Serialize, Deserialize)]
struct Rest<'t> {
    rest: &'t str,
    taken: usize,
}

/// A part shows something else while a borrow of what it showed is there.
#[saga_tool]
async fn of_a_part_that_becomes_another(text: String) -> Result<String, ToolError> {
    let mut pair = ("one", 1);
    let head = &pair.0[..1];
    pair.0 = "two";
    elicit::<Yes>("a?").await?;
    let mut list = ["x", "y"];
    let first = &list[0][..1];
    list[0] = "z";
    elicit::<Yes>("b?").await?;
    let mut rest = Rest { rest: text.as_str(), taken: 0 };
    let word = &rest.rest[..3];
    rest.rest = &rest.rest[4..];
    rest.taken += 1;
    elicit::<Yes>(word).await?;
    let next = &rest.rest[..3];
    skip(&mut rest.rest, 4);
    elicit::<Yes>(next).await?;
    Ok(format!("{head} {pair:?} {first} {list:?} {word} {next} {rest:?}"))
}

fn skip(rest: &mut &str, by: usize) {
    *rest = &rest[by..];
}
