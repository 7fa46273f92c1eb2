//! Closures over a question. Making one runs nothing, and what it borrows stays as it is: it is made again.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::kit::{Fleet, plan};
use saga_tests::law::{effect, noted};

bodies! {
    on_both_sides(names: vec!["ada".to_owned(), "bo".to_owned()]);
    that_counts;
    that_collects;
    of_a_part;
    of_a_borrow;
    of_a_parameter(text: "t".to_owned());
    of_the_context in Fleet::new();
    of_a_closure;
    whose_value_is_of_what_it_captures;
    of_a_name_that_is_taken;
    of_what_a_loop_gives;
    of_an_answer;
    with_types_of_the_first_use;
    with_several_parameters;
    with_a_text_of_each_length;
    with_a_body_of_its_own(text: "17".to_owned());
    that_gives_a_future;
    by_reference;
    by_move_of_nothing;
    given_to_methods;
    under_an_outer_name_inside;
    in_a_branch;
    in_a_tuple;
    made_in_each_round;
    mutable_and_shadowed;
}

#[saga_tool]
async fn on_both_sides(names: Vec<String>) -> Result<String, ToolError> {
    let prefix = noted("team".to_owned());
    let label = |n| format!("{prefix} {n}");
    effect(label(0));
    for (n, name) in names.iter().enumerate() {
        let sure: Yes = elicit(format!("{name} for {}?", label(n))).await?;
        effect(format!("{} {}", sure.yes, label(n + 1)));
    }
    Ok(label(9) + &prefix)
}

#[saga_tool]
async fn that_counts() -> Result<String, ToolError> {
    let mut n = 0_u32;
    let mut next = || {
        n += 1;
        effect(n);
        n
    };
    next();
    elicit::<Yes>(format!("{}?", next())).await?;
    next();
    elicit::<Yes>(format!("{}?", next())).await?;
    let last = next();
    Ok(format!("{last} {n}"))
}

#[saga_tool]
async fn that_collects() -> Result<String, ToolError> {
    let mut list = Vec::new();
    let mut add = |name: String| list.push(name);
    add("first".to_owned());
    while elicit::<Yes>("One more?").await?.yes {
        add(elicit::<Name>("Who?").await?.name);
        if noted(1) == 1 {
            break;
        }
    }
    add("last".to_owned());
    list.reverse();
    Ok(list.join(", "))
}

#[saga_tool]
async fn of_a_part() -> Result<String, ToolError> {
    let mut plan = plan("trip", 3);
    let mut grow = |by: u32| plan.limits[0] += by;
    grow(1);
    elicit::<Yes>(format!("{}?", plan.title)).await?;
    grow(2);
    elicit::<Yes>("Again?").await?;
    grow(3);
    Ok(format!("{:?}", plan.limits))
}

#[saga_tool]
async fn of_a_borrow() -> Result<String, ToolError> {
    let plan = noted(plan("trip", 3));
    let lead = &plan.lead;
    let largest = plan.items.iter().max_by_key(|item| item.size);
    let is_lead = |name: &str| lead.name == name || largest.is_some_and(|item| item.name == name);
    for item in &plan.items {
        let sure: Yes = elicit(format!("{}: {}?", item.name, is_lead(&item.name))).await?;
        effect(format!("{} {}", sure.yes, is_lead(&item.name)));
    }
    Ok(is_lead("x").to_string())
}

#[saga_tool]
async fn of_a_parameter(text: String) -> Result<String, ToolError> {
    let quoted = || format!("`{text}`");
    elicit::<Yes>(quoted()).await?;
    Ok(quoted())
}

#[saga_tool]
async fn of_the_context(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    let note = |what: &str| fleet.note(what);
    note("before");
    elicit::<Yes>("Now?").await?;
    note("after");
    let check = |n: u32| fleet.check_later(n, n < 3);
    elicit::<Yes>(check(2).await?.to_string()).await?;
    Ok(format!("{}", check(4).await.is_err()))
}

#[saga_tool]
async fn of_a_closure() -> Result<String, ToolError> {
    let step = noted(3);
    let add = |n: u32| n + step;
    let twice = |n| add(add(n));
    let count: Count = elicit(format!("{}?", twice(1))).await?;
    elicit::<Yes>(format!("{}?", twice(2))).await?;
    Ok(format!("{} {} {step}", add(u32::from(count.n)), twice(3)))
}

#[saga_tool]
async fn of_a_name_that_is_taken() -> Result<String, ToolError> {
    let size = noted(2_u32);
    let add = |n: u32| n + size;
    let size = noted("other");
    elicit::<Yes>(format!("{size}?")).await?;
    let inner = {
        let size = add(1);
        elicit::<Yes>(format!("{size}?")).await?;
        add(size)
    };
    Ok(format!("{size} {inner} {}", add(5)))
}

#[saga_tool]
async fn of_what_a_loop_gives() -> Result<String, ToolError> {
    let plan = plan("trip", 3);
    let mut texts = Vec::new();
    for item in &plan.items {
        let shown = |with: &str| format!("{}{with}{}", item.name, item.size);
        elicit::<Yes>(shown(" of ")).await?;
        texts.push(shown(":"));
    }
    Ok(texts.join(" "))
}

#[saga_tool]
async fn of_an_answer() -> Result<String, ToolError> {
    let limit = elicit::<Count>("How many?").await?.n;
    let over = |n: u8| n > limit;
    let count: Count = elicit(format!("{}?", over(1))).await?;
    Ok(over(count.n).to_string())
}

/// A literal after the question is of the type that the use before it had.
#[saga_tool]
async fn with_types_of_the_first_use() -> Result<String, ToolError> {
    let bytes = |n| format!("{n} in {}", size_of_val(&n));
    effect(bytes(1_u64));
    elicit::<Yes>("Sure?").await?;
    effect(bytes(2));
    elicit::<Yes>("Sure?").await?;
    Ok(bytes(3))
}

#[saga_tool]
async fn with_several_parameters() -> Result<String, ToolError> {
    let unit = noted("kg".to_owned());
    let row = |name, (low, high), many: u8| format!("{name}: {low}..{high} {unit} {many}");
    effect(row("a", (1, 2_u8), 3));
    let count: Count = elicit("How many?").await?;
    effect(row("b", (count.n, 4), 5));
    elicit::<Yes>("Sure?").await?;
    Ok(row("c", (7, 8), 9))
}

#[saga_tool]
async fn with_a_text_of_each_length() -> Result<String, ToolError> {
    let words = noted("one two three".to_owned());
    let has = |word| words.contains(word) as u8;
    effect(has("two"));
    let name: Name = elicit("Who?").await?;
    effect(has(&name.name));
    let found: Vec<&str> = words.split(' ').filter(|word| has(word) == 1).collect();
    elicit::<Yes>(found.join(" ")).await?;
    Ok(has(found[0]).to_string())
}

#[saga_tool]
async fn with_a_body_of_its_own(text: String) -> Result<String, ToolError> {
    let read = |more: &str| -> Result<u32, std::num::ParseIntError> {
        let all = format!("{text}{more}");
        if all.is_empty() {
            return Ok(0);
        }
        Ok(all.parse::<u32>()? + 1)
    };
    elicit::<Yes>(format!("{:?}", read("1"))).await?;
    let bad = read("x").is_err();
    elicit::<Yes>(format!("{bad}?")).await?;
    Ok(read("").unwrap_or_default().to_string())
}

#[saga_tool]
async fn that_gives_a_future() -> Result<String, ToolError> {
    let base = noted(10);
    let later = |n: u32| async move {
        tokio::task::yield_now().await;
        effect(n);
        n + base
    };
    let first = later(1).await;
    elicit::<Yes>(format!("{first}?")).await?;
    let second = later(2).await;
    elicit::<Yes>(format!("{second}?")).await?;
    Ok((later(3).await + first).to_string())
}

fn apply(action: &dyn Fn(u32) -> u32, times: u32) -> u32 {
    (0..times).fold(1, |n, _| action(n))
}

#[saga_tool]
async fn by_reference() -> Result<String, ToolError> {
    let factor = noted(3);
    let more: &dyn Fn(u32) -> u32 = &|n| n * factor;
    elicit::<Yes>(format!("{}?", apply(more, 2))).await?;
    let less = &|n: u32| n / factor;
    elicit::<Yes>(format!("{}?", apply(less, 2))).await?;
    Ok(format!("{} {}", apply(more, 3), less(9)))
}

#[saga_tool]
async fn by_move_of_nothing() -> Result<String, ToolError> {
    let double = move |n: u32| n * 2;
    elicit::<Yes>(format!("{}?", double(2))).await?;
    Ok(double(3).to_string())
}

#[saga_tool]
async fn given_to_methods() -> Result<String, ToolError> {
    let plan = plan("trip", 3);
    let least = noted(2);
    let is_large = |item: &&saga_tests::kit::Item| item.size >= least;
    let many = plan.items.iter().filter(is_large).count();
    elicit::<Yes>(format!("{many}?")).await?;
    let names: Vec<_> = plan.items.iter().filter(is_large).map(|item| item.name.as_str()).collect();
    elicit::<Yes>(names.join(" ")).await?;
    Ok(plan.items.iter().position(|item| is_large(&item)).map_or("none".to_owned(), |at| at.to_string()))
}

#[saga_tool]
async fn under_an_outer_name_inside() -> Result<String, ToolError> {
    let text = noted("outer".to_owned());
    let moved = noted("moved".to_owned());
    let count = |moved: &str| {
        let text = moved.len();
        format!("{text} {moved}")
    };
    effect(moved);
    elicit::<Yes>(count("a")).await?;
    Ok(count("bc") + &text)
}

#[saga_tool]
async fn in_a_branch() -> Result<String, ToolError> {
    let list = noted(vec![1_u32, 2, 3]);
    let told = if elicit::<Yes>("All?").await?.yes {
        let sum = || list.iter().sum::<u32>();
        elicit::<Yes>(format!("{}?", sum())).await?;
        sum()
    } else {
        let nth = |n: usize| list.get(n).copied();
        let count: Count = elicit("Which?").await?;
        nth(count.n.into()).unwrap_or_default()
    };
    Ok(told.to_string())
}

#[saga_tool]
async fn in_a_tuple() -> Result<String, ToolError> {
    let base = noted(4_u32);
    let (more, less) = (|n: u32| base + n, |n: u32| base - n);
    elicit::<Yes>(format!("{} {}?", more(1), less(1))).await?;
    Ok(format!("{} {}", more(2), less(2)))
}

#[saga_tool]
async fn made_in_each_round() -> Result<String, ToolError> {
    let mut told = String::new();
    for round in 0..3_u32 {
        let scale = noted(round * 10);
        let scaled = |n: u32| n + scale + round;
        elicit::<Yes>(format!("{}?", scaled(1))).await?;
        told += &format!("{} ", scaled(2));
    }
    Ok(told)
}

#[saga_tool]
async fn mutable_and_shadowed() -> Result<String, ToolError> {
    let mut total = 0_u32;
    let mut add = |n: u32| total += n;
    add(1);
    let total_of = 7;
    elicit::<Yes>("Sure?").await?;
    add(total_of);
    let mut total = noted(100);
    elicit::<Yes>("Really?").await?;
    add(2);
    total += 1;
    effect(total);
    Ok(total.to_string())
}

/// rustc ties what a closure gives to what it captures; a copy of it travels.
#[saga_tool]
async fn whose_value_is_of_what_it_captures() -> Result<String, ToolError> {
    let names = vec!["ada".to_owned(), "bo".to_owned()];
    let find = |len: usize| names.iter().find(|name| name.len() == len);
    let (long, short) = (find(3), find(2).map_or("none", |name| name.as_str()));
    let count: Count = elicit(format!("{long:?} {short}?")).await?;
    let again = find(usize::from(count.n));
    let name: Name = elicit(format!("{again:?}?")).await?;
    Ok(format!("{long:?} {short} {again:?} {}", name.name))
}
