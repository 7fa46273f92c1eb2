//! How a local comes into being: `let` with every kind of pattern, shadowing, deferred initialisation, reassignment.

use std::collections::BTreeMap;

use saga_runtime::{StepError, ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Region, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    two_questions(who: "ada".to_owned());
    patterns_of_answers;
    patterns_of_held_values(pair: (3, "x".to_owned()));
    annotated_and_inferred_later;
    integers_typed_later;
    parsed_later(text: "17".to_owned());
    shadowed_in_the_same_block;
    shadowed_by_its_own_answer(name: "ada".to_owned());
    shadowed_in_an_inner_scope;
    shadowed_by_if_let;
    shadowed_by_match_and_loop;
    deferred;
    deferred_in_branches;
    deferred_across_questions;
    deferred_with_a_type;
    reassigned_after_death;
    reassigned_in_place;
    compound_assignments;
    destructuring_assignment;
    wildcards_keep_nothing;
    bound_with_at;
    nested_items;
    constants_and_statics;
    underscore_names_and_raw_names;
    array_and_slice_patterns;
    swapped_by_mem;
    maps_and_sets;
    nested_options;
    let_without_use;
    a_box_and_a_cow;
    u64_and_i128;
}

#[saga_tool]
async fn two_questions(who: String) -> Result<String, ToolError> {
    effect("start");
    let first: Name = elicit(format!("{who}: first?")).await?;
    effect(&first.name);
    let second: Count = elicit(format!("{}: second?", first.name)).await?;
    effect(second.n);
    Ok(format!("{who} {first:?} {second:?}"))
}

#[saga_tool]
async fn patterns_of_answers() -> Result<String, ToolError> {
    let Target { region, replicas: many, note: _ } = elicit(noted("target?")).await?;
    effect(many);
    let Name { name: ref mut text } = elicit::<Name>(format!("{region:?}?")).await?;
    text.push('!');
    effect(&text);
    let Yes { yes } = elicit("yes?").await?;
    effect(yes);
    let (Count { n }, more) = (elicit("n?").await?, noted(7));
    effect(n);
    Ok(format!("{region:?} {many} {yes} {n} {more}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    name: String,
    size: (u8, u8),
    kind: Kind,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Kind {
    Unit,
    Pair(u8, String),
    Named { left: u8, right: Option<String> },
}

#[saga_tool]
async fn patterns_of_held_values(pair: (u32, String)) -> Result<String, ToolError> {
    let (number, mut text) = pair;
    let Plan { name, size: (width, height), kind } =
        Plan { name: "p".to_owned(), size: (2, 3), kind: Kind::Named { left: 1, right: None } };
    effect(&name);
    let yes: Yes = elicit(format!("{name}?")).await?;
    text.push_str(&yes.yes.to_string());
    let Kind::Named { left, right } = kind else { return Err(ToolError::new("no")) };
    effect(left);
    let count: Count = elicit(format!("{left} {right:?}?")).await?;
    let again = Kind::Pair(count.n, text.clone());
    effect(format_args!("{again:?}"));
    let last: Yes = elicit("last?").await?;
    let tail = match again {
        Kind::Unit => String::new(),
        Kind::Pair(n, text) => format!("{n}{text}"),
        Kind::Named { .. } => "named".to_owned(),
    };
    Ok(format!("{number} {text} {width} {height} {right:?} {last:?} {tail}"))
}

#[saga_tool]
async fn annotated_and_inferred_later() -> Result<String, ToolError> {
    let mut list = Vec::new();
    let mut nothing = None;
    let mut map = BTreeMap::new();
    effect("made");
    let first: Name = elicit("first?").await?;
    list.push(first.name.clone());
    effect(list.len());
    let second: Count = elicit("second?").await?;
    map.insert(second.n, list.clone());
    nothing = nothing.or(Some(second.n));
    effect(map.len());
    let third: Yes = elicit("third?").await?;
    Ok(format!("{list:?} {nothing:?} {map:?} {third:?}"))
}

#[saga_tool]
async fn integers_typed_later() -> Result<String, ToolError> {
    let mut total = 0;
    let limit = 200;
    let factor = 1.5;
    effect(total);
    let count: Count = elicit(format!("{total} of {limit}")).await?;
    total += count.n;
    effect(total);
    let more: Count = elicit(format!("{total}, more?")).await?;
    total = total.wrapping_add(more.n).wrapping_add(limit);
    effect(total);
    let _: Yes = elicit("sure?").await?;
    Ok(format!("{total} {limit} {}", factor * f32::from(total)))
}

#[saga_tool]
async fn parsed_later(text: String) -> Result<String, ToolError> {
    let number = text.parse()?;
    let list = text.chars().map(|digit| digit.to_digit(10)).collect::<Option<Vec<_>>>();
    effect("parsed");
    let yes: Yes = elicit("double?").await?;
    let number: u16 = if yes.yes { number } else { 0 };
    effect(number);
    let sum = list.ok_or_else(|| ToolError::new("no digits"))?.into_iter().sum::<u32>();
    let _: Yes = elicit("done?").await?;
    Ok(format!("{number} {sum}"))
}

#[saga_tool]
async fn shadowed_in_the_same_block() -> Result<String, ToolError> {
    let value = noted(1_u8);
    let yes: Yes = elicit(format!("{value}?")).await?;
    let value = format!("{value}{}", yes.yes);
    effect(&value);
    let count: Count = elicit(format!("{value}?")).await?;
    let value = (value, count.n);
    effect(value.1);
    let yes: Yes = elicit(format!("{value:?}?")).await?;
    let value = value.0.len() + usize::from(yes.yes);
    Ok(value.to_string())
}

#[saga_tool]
async fn shadowed_by_its_own_answer(name: String) -> Result<String, ToolError> {
    let name: Name = elicit(format!("not {name}, but?")).await?;
    effect(&name.name);
    let name: Name = elicit(format!("not {}, but?", name.name)).await?;
    effect(&name.name);
    let name = elicit::<Count>(format!("and {}?", name.name)).await?.n + name.name.len() as u8;
    Ok(name.to_string())
}

#[saga_tool]
async fn shadowed_in_an_inner_scope() -> Result<String, ToolError> {
    let name = noted("outer".to_owned());
    let length = {
        let name = noted(vec![1_u8, 2]);
        let count: Count = elicit(format!("{name:?}?")).await?;
        effect(count.n);
        {
            let name = name.len();
            let _: Yes = elicit(format!("{name}?")).await?;
            effect(name);
        }
        let _: Yes = elicit(format!("{name:?} still?")).await?;
        name.len() + usize::from(count.n)
    };
    effect(&name);
    let _: Yes = elicit(format!("{name}?")).await?;
    Ok(format!("{name} {length}"))
}

#[saga_tool]
async fn shadowed_by_if_let() -> Result<String, ToolError> {
    let note = elicit::<Target>("target?").await?.note;
    if let Some(note) = &note {
        effect(note);
        let yes: Yes = elicit(format!("{note}?")).await?;
        effect(format_args!("{note} {}", yes.yes));
    }
    let _: Yes = elicit(format!("{note:?}?")).await?;
    if let Some(ref note) = note
        && !note.is_empty()
    {
        let _: Yes = elicit(format!("{note}!")).await?;
        effect(note);
    }
    Ok(format!("{note:?}"))
}

#[saga_tool]
async fn shadowed_by_match_and_loop() -> Result<String, ToolError> {
    let item = noted("outer".to_owned());
    let items = vec![Some(1_u8), None, Some(3)];
    for item in &items {
        match item {
            Some(item) => {
                let yes: Yes = elicit(format!("{item}?")).await?;
                effect(format_args!("{item} {}", yes.yes));
            }
            None => {
                let _: Yes = elicit(format!("{item:?}?")).await?;
                effect(format_args!("{item:?}"));
            }
        }
        effect(format_args!("{item:?}"));
    }
    Ok(item)
}

#[saga_tool]
async fn deferred() -> Result<String, ToolError> {
    let text;
    effect("declared");
    let first: Name = elicit("first?").await?;
    text = first.name;
    effect(&text);
    let second: Yes = elicit(format!("{text}?")).await?;
    Ok(format!("{text} {second:?}"))
}

#[saga_tool]
async fn deferred_in_branches() -> Result<String, ToolError> {
    let text;
    let number;
    let yes: Yes = elicit("branch?").await?;
    if yes.yes {
        text = noted("yes".to_owned());
        let count: Count = elicit(format!("{text}?")).await?;
        number = count.n;
    } else {
        number = noted(9);
        let name: Name = elicit(format!("{number}?")).await?;
        text = name.name;
    }
    effect(number);
    let _: Yes = elicit("sure?").await?;
    Ok(format!("{text} {number}"))
}

#[saga_tool]
async fn deferred_across_questions() -> Result<String, ToolError> {
    let (left, right);
    let mut last;
    let first: Count = elicit("first?").await?;
    left = first.n;
    effect(left);
    let second: Count = elicit("second?").await?;
    right = second.n + left;
    last = Vec::new();
    effect(right);
    let third: Name = elicit(format!("{right}?")).await?;
    last.push(third.name);
    effect(last.len());
    let _: Yes = elicit("done?").await?;
    Ok(format!("{left} {right} {last:?}"))
}

#[saga_tool]
async fn deferred_with_a_type() -> Result<String, ToolError> {
    let text: String;
    let number: Option<u64>;
    let yes: Yes = elicit("which?").await?;
    effect("between");
    let other: Yes = elicit("other?").await?;
    text = if yes.yes { "a".into() } else { "b".into() };
    number = other.yes.then_some(4);
    effect(&text);
    let _: Yes = elicit("done?").await?;
    Ok(format!("{text} {number:?}"))
}

#[saga_tool]
async fn reassigned_after_death() -> Result<String, ToolError> {
    let mut text = noted("first".to_owned());
    effect(&text);
    drop(text);
    let name: Name = elicit("name?").await?;
    text = name.name;
    effect(&text);
    let yes: Yes = elicit(format!("{text}?")).await?;
    if yes.yes {
        drop(text);
        let name: Name = elicit("another?").await?;
        text = name.name;
    }
    Ok(text)
}

#[saga_tool]
async fn reassigned_in_place() -> Result<String, ToolError> {
    let mut plan = Plan { name: "p".to_owned(), size: (0, 0), kind: Kind::Unit };
    let name: Name = elicit(format!("{}?", plan.name)).await?;
    plan.name = name.name;
    effect(&plan.name);
    let count: Count = elicit(format!("{plan:?}?")).await?;
    plan.size.1 = count.n;
    plan.kind = Kind::Named { left: count.n, right: Some("r".to_owned()) };
    effect(format_args!("{plan:?}"));
    let _: Yes = elicit("done?").await?;
    if let Kind::Named { left, right } = &mut plan.kind {
        *left += 1;
        let yes: Yes = elicit(format!("{left} {right:?}?")).await?;
        *left += u8::from(yes.yes);
        *right = None;
    }
    Ok(format!("{plan:?}"))
}

#[saga_tool]
async fn compound_assignments() -> Result<String, ToolError> {
    let mut total = 1_u32;
    let mut text = String::new();
    let mut cells = [0_u32; 3];
    total += u32::from(elicit::<Count>("add?").await?.n);
    effect(total);
    text += &elicit::<Name>(format!("{total}: text?")).await?.name;
    effect(&text);
    let middle = noted(1);
    cells[middle] += u32::from(elicit::<Count>("cell?").await?.n);
    effect(format_args!("{cells:?}"));
    total <<= elicit::<Count>("shift?").await?.n;
    total *= noted(2) + u32::from(elicit::<Count>("times?").await?.n);
    Ok(format!("{total} {text} {cells:?}"))
}

#[saga_tool]
async fn destructuring_assignment() -> Result<String, ToolError> {
    let (mut left, mut right) = (1_u8, 2_u8);
    (left, right) = (right, elicit::<Count>(format!("{left}{right}?")).await?.n);
    effect(format_args!("{left}{right}"));
    let name;
    (name, _) = (elicit::<Name>("name?").await?.name, noted(1));
    effect(&name);
    [left, right] = [elicit::<Count>(format!("{name}?")).await?.n, left];
    Ok(format!("{left} {right} {name}"))
}

#[saga_tool]
async fn wildcards_keep_nothing() -> Result<String, ToolError> {
    let _ = elicit::<Yes>("lost?").await;
    effect("lost");
    let _: Name = elicit("dropped?").await?;
    let (_, kept, ..) = (noted(1), elicit::<Name>("kept?").await?.name, noted(3), noted(4));
    effect(&kept);
    let _unused: Yes = elicit("unused?").await?;
    elicit::<Yes>("statement?").await?;
    Ok(kept)
}

#[saga_tool]
async fn bound_with_at() -> Result<String, ToolError> {
    let whole @ Count { n } = elicit("n?").await?;
    effect(n);
    let word = match elicit::<Count>(format!("{whole:?}?")).await?.n {
        low @ 0..=1 => format!("low {low}"),
        2 => "two".to_owned(),
        high => format!("high {high}"),
    };
    effect(&word);
    let target @ (Region::Near | Region::Far) = elicit::<Target>("region?").await?.region else {
        return Ok(format!("away {word}"));
    };
    let _: Yes = elicit(format!("{target:?}?")).await?;
    Ok(format!("{whole:?} {word} {target:?}"))
}

#[saga_tool]
async fn nested_items() -> Result<String, ToolError> {
    fn double(number: u8) -> u8 {
        effect(number);
        number * FACTOR
    }
    const FACTOR: u8 = 2;
    #[derive(Debug, Clone, Serialize, Deserialize)]
    struct Inner {
        number: u8,
    }
    impl Inner {
        fn new(number: u8) -> Self {
            Self { number }
        }
    }
    let inner = Inner::new(double(1));
    let count: Count = elicit(format!("{inner:?}?")).await?;
    let inner = Inner { number: inner.number + double(count.n) };
    let yes: Yes = elicit(format!("{inner:?}?")).await?;
    let result = {
        use std::fmt::Write as _;
        const SIGN: char = '!';
        let mut text = String::new();
        write!(text, "{}{SIGN}", inner.number)?;
        let name: Name = elicit(format!("{text}?")).await?;
        write!(text, "{}", name.name)?;
        text
    };
    Ok(format!("{result} {yes:?}"))
}

const GREETING: &str = "hello";
static LIMIT: u8 = 2;

#[saga_tool]
async fn constants_and_statics() -> Result<String, ToolError> {
    let greeting = GREETING;
    let limit = &LIMIT;
    let count: Count = elicit(format!("{greeting} {limit}?")).await?;
    effect(greeting);
    if count.n > *limit {
        let _: Yes = elicit(format!("more than {LIMIT}?")).await?;
        effect(limit);
    }
    Ok(format!("{greeting} {limit} {}", GREETING.len()))
}

#[saga_tool]
async fn underscore_names_and_raw_names() -> Result<String, ToolError> {
    let r#type = noted(1_u8);
    let _kept = noted(2_u8);
    let r#match: Name = elicit(format!("{}?", r#type)).await?;
    effect(&r#match.name);
    let __t1: Yes = elicit(format!("{type} {}?", _kept)).await?;
    let item = 1;
    let answer: Yes = elicit(format!("{item}?")).await?;
    let frame = elicit::<Yes>("frame?").await?;
    Ok(format!("{} {} {_kept} {__t1:?} {answer:?} {frame:?} {item}", r#type, r#match.name))
}

#[saga_tool]
async fn array_and_slice_patterns() -> Result<String, ToolError> {
    let [first, .., last] = noted([1_u8, 2, 3]);
    let list = vec![1_u8, 2, 3, 4];
    let count: Count = elicit(format!("{first} {last}?")).await?;
    if let [head, middle @ .., tail] = &list[usize::from(count.n)..] {
        effect(format_args!("{head} {middle:?} {tail}"));
        let yes: Yes = elicit(format!("{head} {middle:?} {tail}?")).await?;
        effect(format_args!("{head} {middle:?} {tail} {}", yes.yes));
    }
    let [a, rest @ ..] = list.as_slice() else { return Ok("empty".to_owned()) };
    let _: Yes = elicit(format!("{a}?")).await?;
    Ok(format!("{first} {last} {a} {rest:?}"))
}

#[saga_tool]
async fn swapped_by_mem() -> Result<String, ToolError> {
    let mut left = "l".to_owned();
    let mut right = "r".to_owned();
    let mut taken = Some(3_u8);
    let yes: Yes = elicit("swap?").await?;
    if yes.yes {
        std::mem::swap(&mut left, &mut right);
    }
    effect(format_args!("{left}{right}"));
    let name: Name = elicit(format!("{left}?")).await?;
    let before = std::mem::replace(&mut left, name.name);
    let number = taken.take();
    effect(&before);
    let _: Yes = elicit("done?").await?;
    Ok(format!("{left} {right} {before} {number:?} {taken:?}"))
}

#[saga_tool]
async fn maps_and_sets() -> Result<String, ToolError> {
    let mut votes: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    let mut seen = std::collections::HashSet::new();
    for round in 0..3 {
        let name: Name = elicit(format!("{round}: who?")).await?;
        let yes: Yes = elicit(format!("{}: yes?", name.name)).await?;
        if seen.insert(name.name.clone()) {
            effect(&name.name);
        }
        votes.entry(name.name).or_default().push(yes.yes);
    }
    effect(seen.len());
    let _: Yes = elicit("done?").await?;
    Ok(format!("{votes:?} {}", seen.len()))
}

#[saga_tool]
async fn nested_options() -> Result<String, ToolError> {
    let found: Option<Result<Name, StepError>> =
        if elicit::<Yes>("look?").await?.yes { Some(elicit("name?").await) } else { None };
    effect(format_args!("{found:?}"));
    let outcome: Result<Count, StepError> = elicit("count?").await;
    effect(format_args!("{outcome:?}"));
    let _ = elicit::<Yes>("held?").await;
    let number = outcome.map(|count| count.n).unwrap_or(9);
    Ok(match found {
        Some(Ok(name)) => format!("{} {number}", name.name),
        Some(Err(error)) => format!("{error} {number}"),
        None => number.to_string(),
    })
}

#[saga_tool]
async fn let_without_use() -> Result<String, ToolError> {
    {
        let not_serializable = std::rc::Rc::new(std::cell::Cell::new(1));
        not_serializable.set(2);
        effect(not_serializable.get());
    }
    let name: Name = elicit("name?").await?;
    let again = std::cell::RefCell::new(name.name);
    again.borrow_mut().push('!');
    let text = again.into_inner();
    let _: Yes = elicit(format!("{text}?")).await?;
    Ok(text)
}

#[saga_tool]
async fn a_box_and_a_cow() -> Result<String, ToolError> {
    use std::borrow::Cow;
    let boxed = Box::new(elicit::<Name>("boxed?").await?);
    let cow: Cow<'static, str> =
        if boxed.name.is_empty() { "nobody".into() } else { boxed.name.clone().into() };
    effect(&cow);
    let count: Count = elicit(format!("{cow}?")).await?;
    let slice: Box<[u8]> = vec![count.n; 2].into_boxed_slice();
    let Name { name } = *boxed;
    effect(&name);
    let _: Yes = elicit("done?").await?;
    Ok(format!("{name} {cow} {slice:?}"))
}

#[saga_tool]
async fn u64_and_i128() -> Result<String, ToolError> {
    let (large, small, letter, unit) = (u64::MAX, i128::MIN, 'ß', ());
    let time = std::time::Duration::from_millis(1500);
    let yes: Yes = elicit("yes?").await?;
    effect(format_args!("{large} {small}"));
    drop(elicit::<Yes>("again?").await?);
    Ok(format!("{large} {small} {letter} {time:?} {unit:?} {yes:?}"))
}
