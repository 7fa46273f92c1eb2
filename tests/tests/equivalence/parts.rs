//! Parts of a value that are bound in their own ways: beside a borrow a value, and copies of what was borrowed, which
//! stay as they are when that changes.

#![allow(for_loops_over_fallibles, reason = "people write them")]

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::kit::{Item, Plan, item, plan};
use saga_tests::law::{effect, noted};

bodies! {
    matched_beside_a_value(kind: 2_u8);
    bound_beside_a_value;
    bound_beside_a_question;
    picked_while_a_capture_changes;
    loops_over_constants;
    assigned_beside_a_borrow;
    copied_and_changed;
    copied_from_a_list;
    copied_and_cleared;
    matched_copies;
    copied_beside_a_ref;
    what_an_iterator_is_at;
}

#[saga_tool]
async fn matched_beside_a_value(kind: u8) -> Result<String, ToolError> {
    let plan = plan("p", 2);
    let owned = Some(noted("o".to_owned()));
    let text = match (&plan, kind, owned) {
        (Plan { title, items, .. }, 2, Some(owned)) => {
            let y: Yes = elicit(format!("{title} {owned}?")).await?;
            format!("{title}{}{owned}{}", items.len(), y.yes)
        }
        (Plan { lead: Item { name, .. }, .. }, n, _) => format!("{name}{n}"),
    };
    let n: Count = elicit(format!("{text} {}", plan.title)).await?;
    Ok(format!("{text}{}", n.n))
}

#[saga_tool]
async fn bound_beside_a_value() -> Result<String, ToolError> {
    let items = vec![item("a", 1), item("b", 2)];
    let (first, size, (second, tags)) =
        (&items[0], noted(items.len()), (&items[1].name, items[1].tags.clone()));
    let y: Yes = elicit(format!("{} {size} {second}?", first.name)).await?;
    if let (Item { name, .. }, Some(tag)) = (&items[1], tags.into_iter().next()) {
        let n: Count = elicit(format!("{name} {tag}?")).await?;
        effect(format_args!("{name}{tag}{}", n.n));
    }
    Ok(format!("{}{size}{second}{}", first.name, y.yes))
}

#[saga_tool]
async fn bound_beside_a_question() -> Result<String, ToolError> {
    let note = Some("n".to_owned());
    if let (Some(note), Ok(Yes { yes: true })) = (&note, elicit("a?").await) {
        let n: Count = elicit(format!("{note}?")).await?;
        return Ok(format!("{note}{}", n.n));
    }
    let (len, name) = (note.as_deref(), elicit::<Name>("b?").await?.name);
    let y: Yes = elicit(format!("{len:?}{name}")).await?;
    Ok(format!("{len:?}{name}{}", y.yes))
}

#[saga_tool]
async fn picked_while_a_capture_changes() -> Result<String, ToolError> {
    const LIMITS: [(u8, &str); 3] = [(1, "low"), (2, "mid"), (3, "high")];
    let mut seen = vec![1_u8];
    let more = 2;
    let best =
        LIMITS.iter().find(|(limit, _)| usize::from(*limit) > more).map(|(limit, name)| (*limit, *name));
    let none: Vec<_> =
        LIMITS.iter().filter(|(limit, _)| seen.contains(limit)).map(|(_, name)| *name).collect();
    let y: Yes = elicit(format!("{best:?} {none:?}?")).await?;
    seen.push(2);
    for (limit, name) in LIMITS.iter().filter(|(limit, _)| !seen.contains(limit)) {
        let n: Count = elicit(format!("{limit} {name}?")).await?;
        effect(n.n);
    }
    seen.push(u8::from(y.yes));
    Ok(format!("{best:?} {none:?} {seen:?}"))
}

const PAIRS: &[(u8, &str)] = &[(1, "one"), (2, "two")];
const NAMES: [&str; 2] = ["x", "y"];
static WORDS: [&str; 2] = ["v", "w"];
const MAYBE: Option<u8> = Some(4);

#[saga_tool]
async fn loops_over_constants() -> Result<String, ToolError> {
    let mut out = Vec::new();
    for (n, name) in PAIRS {
        let c: Count = elicit(format!("{n}{name}?")).await?;
        if c.n >= *n {
            out.push(*name);
        }
    }
    for name in NAMES {
        if elicit::<Yes>(format!("{name}?")).await?.yes {
            out.push(name);
        }
    }
    for name in WORDS {
        if elicit::<Yes>(format!("{name}?")).await?.yes {
            out.push(name);
        }
    }
    for n in MAYBE {
        let y: Yes = elicit(format!("{n}?")).await?;
        effect(y.yes);
    }
    Ok(format!("{out:?}"))
}

#[saga_tool]
async fn assigned_beside_a_borrow() -> Result<String, ToolError> {
    let (one, two) = ("one".to_owned(), "two".to_owned());
    let mut at = one.as_str();
    let (first, n) = (at, {
        at = &two;
        elicit::<Count>("n?").await?.n
    });
    let y: Yes = elicit(format!("{first}{at}{n}")).await?;
    Ok(format!("{first}{at}{n}{}", y.yes))
}

#[saga_tool]
async fn copied_and_changed() -> Result<String, ToolError> {
    let mut v = (1, 2);
    let &x = &v.0;
    v.0 = 5;
    let y: Yes = elicit(format!("{x}{v:?}")).await?;
    Ok(format!("{x}{v:?}{}", y.yes))
}

#[saga_tool]
async fn copied_from_a_list() -> Result<String, ToolError> {
    let mut sizes = vec![1, 3, 2];
    let Some(&most) = sizes.iter().max() else { return Ok("none".to_owned()) };
    sizes[1] = 0;
    let y: Yes = elicit(format!("{most}")).await?;
    Ok(format!("{most}{sizes:?}{}", y.yes))
}

#[saga_tool]
async fn copied_and_cleared() -> Result<String, ToolError> {
    let mut sizes = vec![(1, 'a'), (3, 'b')];
    let (&(n, c), first) = (&sizes[1], sizes.len());
    sizes.clear();
    let y: Yes = elicit(format!("{n}{c}")).await?;
    Ok(format!("{n}{c}{first}{sizes:?}{}", y.yes))
}

#[saga_tool]
async fn matched_copies() -> Result<String, ToolError> {
    let mut pair = (Some(2), 3);
    let text = match &mut pair {
        (Some(n), m) if *n > 1 => {
            *n += 1;
            *m += *n;
            let y: Yes = elicit(format!("{n}{m}")).await?;
            *m += 1;
            format!("{n}{m}{}", y.yes)
        }
        _ => String::new(),
    };
    if let Some(&n) = pair.0.as_ref() {
        pair.0 = None;
        let y: Yes = elicit(format!("{n}")).await?;
        effect(format_args!("{n}{}{pair:?}", y.yes));
    }
    Ok(format!("{text}{pair:?}"))
}

#[saga_tool]
async fn copied_beside_a_ref() -> Result<String, ToolError> {
    let mut pair = (1, "one".to_owned());
    let (number, ref text) = pair;
    pair.0 = 9;
    let y: Yes = elicit(format!("{number}{text}")).await?;
    Ok(format!("{number}{text}{pair:?}{}", y.yes))
}

#[saga_tool]
async fn what_an_iterator_is_at() -> Result<String, ToolError> {
    let text = "abc".to_owned();
    let mut chars = text.chars();
    let first = chars.next();
    let rest = chars.as_str();
    let second = chars.next();
    let y: Yes = elicit(format!("{first:?}{rest}{second:?}")).await?;
    Ok(format!("{first:?}{rest}{second:?}{}", y.yes))
}
