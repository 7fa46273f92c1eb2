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
