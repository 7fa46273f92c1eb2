//! Names that mean another local inside: a binding shadows what its value borrows or changes.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    a_local_shadowed_by_what_is_popped_from_it;
    a_local_shadowed_by_what_changes_it;
    a_shadowing_borrow_over_two_questions;
    loops_and_matches_that_shadow_what_they_change;
    borrows_of_constants;
    counts_of_an_iteration;
    a_receiver_and_another_local_of_its_name;
    a_shadowed_local_with_a_borrow_that_has_ended;
    a_borrow_used_in_what_is_matched;
    a_refutable_binding_of_its_sources_name(names: vec!["x".to_owned(), "y".to_owned()]);
    a_text_shadowed_by_its_part;
    a_part_borrowed_mutably_and_its_owner_shadowed;
    a_loop_whose_pattern_takes_the_name_of_what_it_changes;
    a_mutable_borrow_whose_name_is_taken_too;
    a_mutable_borrow_of_a_mutable_borrow_of_its_name;
    a_name_taken_by_a_part_in_every_form;
    an_iterator_whose_name_its_item_takes;
    a_local_without_a_value_whose_name_is_taken;
    two_parts_borrowed_mutably_and_their_owner_shadowed;
    a_name_taken_twice_in_one_chain;
}

#[saga_tool]
async fn a_local_shadowed_by_what_is_popped_from_it() -> Result<String, ToolError> {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    if let Some(names) = names.pop() {
        let n: Yes = elicit(format!("{names}?")).await?;
        effect(format_args!("{names} {}", n.yes));
    }
    Ok(format!("{names:?}"))
}

#[saga_tool]
async fn a_local_shadowed_by_what_changes_it() -> Result<String, ToolError> {
    let mut many = vec![1_u8];
    let r = {
        let many = {
            many.push(2);
            many.len()
        };
        let n: Yes = elicit(format!("{many}?")).await?;
        effect(many);
        n.yes
    };
    Ok(format!("{many:?} {r}"))
}

#[saga_tool]
async fn a_shadowing_borrow_over_two_questions() -> Result<String, ToolError> {
    let mut list = vec![1_u8];
    {
        let list = &mut list;
        list.push(2);
        let n: Count = elicit("1?").await?;
        effect(n.n);
        let m: Count = elicit("2?").await?;
        effect(m.n);
    }
    let m: Count = elicit("3?").await?;
    Ok(format!("{list:?} {}", m.n))
}

#[saga_tool]
async fn loops_and_matches_that_shadow_what_they_change() -> Result<String, ToolError> {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    while let Some(names) = names.pop() {
        let n: Yes = elicit(format!("{names}?")).await?;
        effect(format_args!("{names} {}", n.yes));
    }
    let mut names = vec![names, vec!["c".to_owned()]];
    match names.pop() {
        Some(mut names) if names.len() == 1 => {
            names.push(elicit::<Name>("?").await?.name);
            effect(format_args!("{names:?}"));
        }
        Some(names) => effect(names.len()),
        None => {}
    }
    for names in names.drain(..).collect::<Vec<_>>() {
        let n: Yes = elicit(format!("{names:?}?")).await?;
        effect(n.yes);
    }
    Ok(format!("{names:?}"))
}

const TAGS: [(&str, u8); 3] = [("a", 1), ("b", 2), ("c", 3)];
static WORDS: [&str; 2] = ["x", "y"];
impl Two {
    const ALL: [Self; 2] = [Self(1), Self(2)];
}
#[derive(Debug)]
struct Two(u8);
#[saga_tool]
async fn borrows_of_constants() -> Result<String, ToolError> {
    let n: Count = elicit("n?").await?;
    let tag = &TAGS[usize::from(n.n) % 3];
    let word = &WORDS[noted(usize::from(n.n)) % 2];
    let m: Count = elicit(format!("{tag:?} {word}")).await?;
    for two in &Two::ALL {
        let y: Yes = elicit(format!("{two:?}")).await?;
        effect(y.yes);
        effect(two.0);
    }
    for two in Two::ALL.iter().rev().skip(noted(1)) {
        let y: Yes = elicit(format!("{two:?}")).await?;
        effect(y.yes);
        effect(two.0);
    }
    let [ref first, ..] = TAGS;
    let y: Yes = elicit(format!("{first:?}")).await?;
    effect(y.yes);
    Ok(format!("{tag:?} {word} {} {first:?}", m.n))
}

#[saga_tool]
async fn counts_of_an_iteration() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3, 4, 5, 6, 7];
    let size = |n: usize| noted(n);
    for (i, part) in list.chunks(size(3)).enumerate() {
        let y: Yes = elicit(format!("{i} {part:?}")).await?;
        effect(format_args!("{part:?} {}", y.yes));
    }
    for x in list.iter().skip(noted(2)).step_by(noted(2)).take(usize::from(elicit::<Count>("n?").await?.n)) {
        let y: Yes = elicit(format!("{x}")).await?;
        effect(y.yes);
        effect(x);
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn a_receiver_and_another_local_of_its_name() -> Result<String, ToolError> {
    let mut names = vec!["a".to_owned()];
    names.push({
        let mut names = vec![elicit::<Name>("?").await?.name];
        names.push("x".to_owned());
        let all = &mut names;
        all.push(elicit::<Name>("?").await?.name);
        all.concat()
    });
    Ok(format!("{names:?}"))
}

#[saga_tool]
async fn a_shadowed_local_with_a_borrow_that_has_ended() -> Result<String, ToolError> {
    let mut note = Some("n".to_owned());
    let it = &mut note;
    it.as_mut().map(|n| n.push('!'));
    let pair = (1_u32, "p".to_owned());
    let found = if elicit::<Yes>("a?").await?.yes {
        match &pair {
            (1, note) => {
                let c: Count = elicit(format!("{note}?")).await?;
                effect(note);
                c.n
            }
            _ => 0,
        }
    } else {
        7
    };
    Ok(format!("{note:?} {pair:?} {found}"))
}

#[saga_tool]
async fn a_borrow_used_in_what_is_matched() -> Result<String, ToolError> {
    let mut many = 3_u32;
    let sum = &mut many;
    *sum += 1;
    let r = match if noted(true) {
        let x = &(*sum);
        Some((*x, "a".to_owned()))
    } else {
        None
    } {
        Some((many, mut text)) => {
            let y: Yes = elicit(format!("{many}{text}")).await?;
            text.push('x');
            format!("{many} {text} {}", y.yes)
        }
        None => String::new(),
    };
    Ok(format!("{many} {r}"))
}

#[saga_tool]
async fn a_refutable_binding_of_its_sources_name(mut names: Vec<String>) -> Result<String, ToolError> {
    let first = if let Some(names) = names.first().cloned() {
        let y: Yes = elicit(format!("{names}?")).await?;
        y.yes
    } else {
        false
    };
    let Some(names) = ({
        names.push("z".to_owned());
        names.pop()
    }) else {
        return Ok("none".to_owned());
    };
    let y: Yes = elicit(format!("{names} {first}")).await?;
    Ok(format!("{names} {}", y.yes))
}

#[saga_tool]
async fn a_text_shadowed_by_its_part() -> Result<String, ToolError> {
    let mut text = String::from("a b");
    let n = {
        let text: &str = {
            text.push('c');
            text.trim()
        };
        let y: Yes = elicit(format!("{text}")).await?;
        text.len() + usize::from(y.yes)
    };
    let text: Box<dyn Fn(u8) -> u8> = Box::new(|x| x + 1);
    drop(text);
    Ok(format!("{n}"))
}

#[saga_tool]
async fn a_part_borrowed_mutably_and_its_owner_shadowed() -> Result<String, ToolError> {
    let mut pair = (1_u8, "p".to_owned());
    {
        let one = &mut pair.0;
        let [pair, ..] = [10, 20];
        let n: Count = elicit(format!("{pair}?")).await?;
        *one += pair + n.n;
        let y: Yes = elicit(format!("{one}?")).await?;
        *one += u8::from(y.yes);
    }
    let last: Yes = elicit(format!("{pair:?}")).await?;
    Ok(format!("{pair:?} {}", last.yes))
}

#[saga_tool]
async fn a_loop_whose_pattern_takes_the_name_of_what_it_changes() -> Result<String, ToolError> {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    for names in &mut names {
        names.push_str(&elicit::<Name>(format!("{names}?")).await?.name);
    }
    for (index, names) in names.iter_mut().enumerate() {
        let n: Count = elicit(format!("{index} {names}?")).await?;
        names.push_str(&n.n.to_string());
    }
    for names in names.iter_mut().rev() {
        if let Some(names) = names.chars().next() {
            effect(names);
            let y: Yes = elicit(format!("{names}?")).await?;
            effect(y.yes);
        }
        names.push('!');
    }
    Ok(format!("{names:?}"))
}

#[saga_tool]
async fn a_mutable_borrow_whose_name_is_taken_too() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2];
    {
        let list = &mut list;
        if let Some(list) = list.pop() {
            let n: Count = elicit(format!("{list}?")).await?;
            effect(list + n.n);
        }
        list.push(7);
        while let Some(list) = list.pop() {
            let n: Count = elicit(format!("{list}?")).await?;
            effect(list + n.n);
        }
        list.push(8);
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn a_mutable_borrow_of_a_mutable_borrow_of_its_name() -> Result<String, ToolError> {
    let mut list = vec![1_u8];
    let list = &mut list;
    {
        let list = &mut *list;
        list.push(2);
        let list = list;
        let n: Count = elicit(format!("{list:?}")).await?;
        list.push(n.n);
        let list = &list[1..];
        let y: Yes = elicit(format!("{list:?}")).await?;
        effect(format_args!("{list:?} {}", y.yes));
    }
    let y: Yes = elicit(format!("{list:?}")).await?;
    list.push(u8::from(y.yes));
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn a_name_taken_by_a_part_in_every_form() -> Result<String, ToolError> {
    let mut note = Some((1_u8, "n".to_owned()));
    if let Some((_, note)) = &mut note {
        note.push_str(&elicit::<Name>("a?").await?.name);
    }
    match &mut note {
        Some((note, _)) => *note += elicit::<Count>("b?").await?.n,
        None => effect("none"),
    }
    match note.as_mut() {
        Some(note) => {
            let (note, text) = note;
            let n: Count = elicit(format!("{note}{text}?")).await?;
            *note += n.n;
            text.push('!');
        }
        None => effect("none"),
    }
    let Some(other) = note.as_mut() else { return Ok(String::new()) };
    let note = noted(4_u8);
    other.0 += elicit::<Count>(format!("{note}?")).await?.n + note;
    Ok(format!("{other:?} {note}"))
}

#[saga_tool]
async fn an_iterator_whose_name_its_item_takes() -> Result<String, ToolError> {
    let mut words = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()].into_iter();
    {
        let words = words.next();
        let y: Yes = elicit(format!("{words:?}")).await?;
        effect(format_args!("{words:?} {}", y.yes));
    }
    while let Some(words) = words.next() {
        let y: Yes = elicit(format!("{words}?")).await?;
        effect(format_args!("{words} {}", y.yes));
    }
    Ok(format!("{:?}", words.next()))
}

#[saga_tool]
async fn a_local_without_a_value_whose_name_is_taken() -> Result<String, ToolError> {
    let mut found = None;
    let first;
    {
        let (first, found) = (noted(1_u8), noted("x"));
        let n: Count = elicit(format!("{first}{found}?")).await?;
        effect(first + n.n);
    }
    first = elicit::<Count>("c?").await?.n;
    found = found.or(Some(first));
    let y: Yes = elicit(format!("{found:?}")).await?;
    Ok(format!("{found:?} {first} {}", y.yes))
}

#[saga_tool]
async fn two_parts_borrowed_mutably_and_their_owner_shadowed() -> Result<String, ToolError> {
    let mut pair = (vec![1_u8], "p".to_owned());
    let (left, right) = (&mut pair.0, &mut pair.1);
    for pair in 0..2 {
        left.push(elicit::<Count>(format!("{pair}?")).await?.n);
        right.push_str(&elicit::<Name>(format!("{pair}?")).await?.name);
    }
    Ok(format!("{pair:?}"))
}

#[saga_tool]
async fn a_name_taken_twice_in_one_chain() -> Result<String, ToolError> {
    let mut note = Some(("a".to_owned(), 1_u8));
    let other = Some(3_u8);
    if let Some(note) = &mut note
        && let (text, _) = note
        && let Some(note) = other
        && note > 2
    {
        let n: Count = elicit(format!("{text}{note}?")).await?;
        text.push_str(&(note + n.n % 9).to_string());
    }
    if let Some(note) = note.as_mut()
        && let (text, count) = note
        && let note = elicit::<Count>(format!("{text}?")).await?.n
        && let (count, text) = (&mut *count, text)
    {
        *count = note;
        text.push_str(&elicit::<Name>(format!("{count}?")).await?.name);
    } else {
        effect("none");
    }
    Ok(format!("{note:?}"))
}
