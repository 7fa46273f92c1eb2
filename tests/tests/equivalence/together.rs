//! Sagas that are called together, with and without steps among them: their questions make one round, each goes on by
//! itself, and what ends first is kept.

use saga_runtime::{StepError, ToolError, call, elicit, join, join_all, saga, saga_tool, sample};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    beside_what_the_loop_takes(names: vec!["ada".to_owned(), "bob".to_owned(), "cyd".to_owned()]);
    two_together;
    together_of_different_lengths;
    together_with_steps;
    together_each_to_its_end;
    together_in_a_loop;
    together_inside_together;
    together_with_arguments_of_every_kind;
    together_with_effects_in_arguments;
    together_where_one_asks_nothing;
    together_with_ordinary_awaits;
    together_where_one_fails_early;
    together_in_expressions;
    together_as_a_tree(depth: 2);
    twelve_together;
    one_together;
    together_with_shadowing;
    together_with_keys;
    together_with_methods;
    one_for_each(names: vec!["ada".to_owned(), "bo".to_owned(), "cy".to_owned()]);
    each_to_its_end(names: vec!["ada".to_owned(), "bo".to_owned()]);
    for_none(names: Vec::<String>::new());
    for_each_in_a_range(count: 3);
    for_each_of_its_own_items;
    for_each_changed;
    for_each_with_its_place_and_more;
    for_each_that_is_let_through;
    for_each_again_in_a_loop;
    for_each_where_one_fails;
    for_each_in_an_expression;
    for_each_of_a_tree(depth: 2);
    for_each_with_a_question_before;
    for_each_by_a_method;
}

#[saga]
async fn climb(name: &str, steps: u8) -> Result<u32, StepError> {
    let mut height = 0;
    for step in 0..steps {
        effect(format_args!("{name} at {height}, step {step}"));
        let up: Count = elicit(format!("{name} {step}?")).await?;
        effect(format_args!("{name} up {}", up.n));
        height += u32::from(up.n);
    }
    Ok(height)
}

#[saga_tool]
async fn two_together() -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let (one, other) = join!(call(climb("one", 2)), call(climb("other", 2))).await?;
    effect(one + other);
    Ok(format!("{kept} {one} {other}"))
}

#[saga_tool]
async fn together_of_different_lengths() -> Result<String, ToolError> {
    let before: Name = elicit("who?").await?;
    let (short, long, none) =
        join!(call(climb(&before.name, 1)), call(climb("long", 4)), call(climb("none", 0))).await?;
    let after: Yes = elicit(format!("{short} {long} {none}?")).await?;
    Ok(format!("{} {}", before.name, after.yes))
}

#[saga_tool]
async fn together_with_steps() -> Result<String, ToolError> {
    let (up, name, plan) =
        join!(call(climb("up", 2)), elicit::<Name>(format!("{}?", noted("name"))), sample("A plan?")).await?;
    Ok(format!("{up} {} {plan:?}", name.name))
}

#[saga_tool]
async fn together_each_to_its_end() -> Result<String, ToolError> {
    let (one, ok, other) =
        join!(call(climb("one", 3)), elicit::<Yes>("ok?"), call(climb("other", 1))).each().await;
    effect(format_args!("{one:?}"));
    Ok(format!("{one:?} {ok:?} {other:?}"))
}

#[saga_tool]
async fn together_in_a_loop() -> Result<String, ToolError> {
    let names = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let mut sum = 0;
    for (index, name) in names.iter().enumerate() {
        let steps = index as u8;
        let (one, other) = join!(call(climb(name, steps)), call(climb("other", 2 - steps))).await?;
        sum += one * 10 + other;
        effect(sum);
        if sum > 60 {
            break;
        }
    }
    Ok(format!("{sum} {names:?}"))
}

#[saga]
async fn pair(name: String) -> Result<(u32, bool), StepError> {
    let first: Yes = elicit(format!("{name} first?")).await?;
    let (left, right) = join!(call(climb(&name, 2)), call(climb("right", 1))).await?;
    effect(format_args!("{name} {left} {right}"));
    Ok((left + right, first.yes))
}

#[saga_tool]
async fn together_inside_together() -> Result<String, ToolError> {
    let (one, two, up) =
        join!(call(pair(noted("one".to_owned()))), call(pair("two".to_owned())), call(climb("up", 1)))
            .await?;
    Ok(format!("{one:?} {two:?} {up}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    name: String,
    steps: Vec<String>,
}

#[saga]
async fn extend(plan: &mut Plan, by: String, times: u8) -> Result<Vec<String>, StepError> {
    for time in 0..times {
        let name: Name = elicit(format!("{} {by} {time}?", plan.name)).await?;
        plan.steps.push(name.name);
    }
    Ok(plan.steps.clone())
}

#[saga_tool]
async fn together_with_arguments_of_every_kind() -> Result<String, ToolError> {
    let mut plans =
        (Plan { name: "p".to_owned(), steps: vec![] }, Plan { name: "q".to_owned(), steps: vec![] });
    let by = "by".to_owned();
    let times = 2;
    let (one, other, up) = join!(
        call(extend(&mut plans.0, by, times)),
        call(extend(&mut plans.1, "other".to_owned(), times - 1)),
        call(climb(&format!("{times}"), times)),
    )
    .await?;
    Ok(format!("{plans:?} {one:?} {other:?} {up} {times}"))
}

#[saga_tool]
async fn together_with_effects_in_arguments() -> Result<String, ToolError> {
    let mut next = 1;
    let mut take = || {
        next += 1;
        effect(next);
        next
    };
    let (one, other) = join!(
        call(climb(noted("one"), take())),
        call(climb(&noted("other".to_owned()), elicit::<Count>("steps?").await?.n.min(2))),
    )
    .await?;
    Ok(format!("{one} {other}"))
}

#[saga]
async fn silent(what: u8) -> Result<u8, StepError> {
    effect(format_args!("silent {what}"));
    Ok(what + 1)
}

#[saga_tool]
async fn together_where_one_asks_nothing() -> Result<String, ToolError> {
    let (none, up) = join!(call(silent(1)), call(climb("up", 2))).await?;
    let (both, silent) = join!(call(silent(none)), call(silent(5))).await?;
    Ok(format!("{none} {up} {both} {silent}"))
}

#[saga]
async fn dawdle(name: &str, turns: u8) -> Result<u8, StepError> {
    for turn in 0..turns {
        tokio::task::yield_now().await;
        effect(format_args!("{name} {turn}"));
    }
    let more: Count = elicit(format!("{name} more?")).await?;
    tokio::task::yield_now().await;
    effect(format_args!("{name} has {}", more.n));
    Ok(more.n)
}

#[saga_tool]
async fn together_with_ordinary_awaits() -> Result<String, ToolError> {
    let (fast, slow, up) =
        join!(call(dawdle("fast", 1)), call(dawdle("slow", 4)), call(climb("up", 2))).await?;
    Ok(format!("{fast} {slow} {up}"))
}

#[saga]
async fn refuse(after: u8) -> Result<u8, StepError> {
    for round in 0..after {
        let _: Yes = elicit(format!("round {round}?")).await?;
    }
    effect("refuses");
    Err(StepError::Declined)
}

#[saga_tool]
async fn together_where_one_fails_early() -> Result<String, ToolError> {
    let kept = noted(1);
    let ended = join!(call(climb("up", 4)), call(refuse(2)), call(climb("other", 1))).await;
    effect(ended.is_err());
    let at_once = join!(call(climb("up", 1)), call(refuse(0))).await;
    let (up, refused) = join!(call(climb("up", 3)), call(refuse(1))).each().await;
    let last: Yes = elicit("and?").await?;
    Ok(format!("{kept} {ended:?} {at_once:?} {up:?} {refused:?} {}", last.yes))
}

#[saga_tool]
async fn together_in_expressions() -> Result<String, ToolError> {
    let sum = noted(1) + join!(call(climb("a", 1)), call(climb("b", 2))).await?.1;
    let text = format!("{sum} {:?}", join!(call(climb("c", 1)), elicit::<Count>("d?")).await?.0);
    if join!(call(climb("e", 1)), call(silent(2))).await?.0 > 2 {
        return Ok(text);
    }
    match join!(call(silent(3)), call(climb("f", 2))).await {
        Ok((three, height)) => Ok(format!("{text} {three} {height}")),
        Err(error) => Ok(format!("{text} {error:?}")),
    }
}

#[saga]
async fn tree(depth: u8, path: String) -> Result<u32, StepError> {
    let here: Count = elicit(format!("{path}?")).await?;
    if depth == 0 {
        return Ok(u32::from(here.n));
    }
    let (left, right) =
        join!(call(tree(depth - 1, format!("{path}l"))), call(tree(depth - 1, format!("{path}r")))).await?;
    effect(format_args!("{path} {left} {right}"));
    Ok(left + right + u32::from(here.n))
}

#[saga_tool]
async fn together_as_a_tree(depth: u8) -> Result<String, ToolError> {
    let sum = call(tree(depth, "t".to_owned())).await?;
    Ok(sum.to_string())
}

#[saga_tool]
async fn twelve_together() -> Result<String, ToolError> {
    let all = join!(
        call(silent(0)),
        call(climb("b", 1)),
        call(silent(2)),
        call(climb("d", 2)),
        elicit::<Yes>("e?"),
        call(silent(5)),
        call(climb("g", 1)),
        elicit::<Name>("h?"),
        call(silent(8)),
        call(silent(9)),
        call(climb("k", 3)),
        call(silent(11)),
    )
    .each()
    .await;
    Ok(format!("{all:?}"))
}

#[saga_tool]
async fn one_together() -> Result<String, ToolError> {
    let (up,) = join!(call(climb("up", 2))).await?;
    let (again,) = join!(call(climb("again", 1))).each().await;
    Ok(format!("{up} {again:?}"))
}

#[saga_tool]
async fn together_with_shadowing() -> Result<String, ToolError> {
    let name = "outer".to_owned();
    let height = {
        let (name, height) = join!(call(silent(1)), call(climb(&name, 2))).await?;
        effect(name);
        height
    };
    let (height, name) = join!(call(climb(&name, 1)), call(climb(&format!("{height}"), 1))).await?;
    Ok(format!("{height} {name}"))
}

#[saga]
async fn keyed(what: &str) -> Result<bool, StepError> {
    let yes: Yes = elicit(format!("{what}?")).key("sure").await?;
    let again: Yes = elicit(format!("{what}, really?")).key("again").await?;
    Ok(yes.yes && again.yes)
}

#[saga_tool]
async fn together_with_keys() -> Result<String, ToolError> {
    let (one, other, own) =
        join!(call(keyed("one")), call(keyed("other")), elicit::<Yes>("own?").key("own")).await?;
    Ok(format!("{one} {other} {}", own.yes))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Counter {
    count: u32,
}

impl Counter {
    #[saga]
    async fn bump(&mut self, by: u32) -> Result<u32, StepError> {
        self.count += by;
        let ok: Yes = elicit(format!("bump to {}?", self.count)).await?;
        self.count += u32::from(ok.yes);
        Ok(self.count)
    }

    #[saga]
    async fn read(&self) -> Result<u32, StepError> {
        let ok: Yes = elicit(format!("read {}?", self.count)).await?;
        Ok(self.count + u32::from(ok.yes))
    }
}

#[saga_tool]
async fn together_with_methods() -> Result<String, ToolError> {
    let mut counters = [Counter { count: 1 }, Counter { count: 10 }];
    let [one, other] = &mut counters;
    let (bumped, also) = join!(call(one.bump(2)), call(other.bump(3))).await?;
    let (read, again) = join!(call(counters[0].read()), call(counters[noted(1)].read())).await?;
    Ok(format!("{counters:?} {bumped} {also} {read} {again}"))
}

#[saga_tool]
async fn one_for_each(names: Vec<String>) -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let heights = join_all(names.iter().map(|name| call(climb(name, 2)))).await?;
    effect(heights.iter().sum::<u32>());
    let sure: Yes = elicit(format!("{heights:?}?")).await?;
    Ok(format!("{kept} {heights:?} {names:?} {}", sure.yes))
}

#[saga_tool]
async fn each_to_its_end(names: Vec<String>) -> Result<String, ToolError> {
    let heights = join_all(names.iter().map(|name| call(climb(name, 2)))).each().await;
    effect(format_args!("{heights:?}"));
    elicit::<Yes>("?").await?;
    Ok(format!("{heights:?}"))
}

#[saga_tool]
async fn for_none(names: Vec<String>) -> Result<String, ToolError> {
    let heights = join_all(names.iter().map(|name| call(climb(name, 2)))).await?;
    let each = join_all(names.iter().map(|name| call(climb(name, 2)))).each().await;
    elicit::<Yes>("?").await?;
    Ok(format!("{heights:?} {each:?}"))
}

#[saga]
async fn count_to(what: &str, from: u8, to: u8) -> Result<String, ToolError> {
    let mut said = String::new();
    for number in from..=to {
        said += &elicit::<Name>(format!("{what} {number}?")).await?.name;
    }
    effect(format_args!("{what} from {from}"));
    Ok(said)
}

#[saga_tool]
async fn for_each_in_a_range(count: u8) -> Result<String, ToolError> {
    let what = elicit::<Name>("What?").await?.name;
    let said = join_all((0..noted(count)).map(|from| call(count_to(&what, from, 2)))).await?;
    Ok(format!("{said:?} {what}"))
}

#[saga]
async fn own(name: String, size: usize) -> Result<(usize, String), ToolError> {
    let sure: Yes = elicit(format!("{name} of {size}?")).await?;
    let more: Count = elicit(format!("{name} of {size}, {}?", sure.yes)).await?;
    Ok((size + usize::from(more.n), name))
}

#[saga_tool]
async fn for_each_of_its_own_items() -> Result<String, ToolError> {
    let names = vec!["ada".to_owned(), "bo".to_owned()];
    let owned = join_all(names.into_iter().map(|name| call(own(name, 3)))).await?;
    let loud = owned.into_iter().map(|(size, name)| (size, noted(name) + "!"));
    let upper = join_all(loud.map(|(size, name)| call(own(name, size)))).await?;
    Ok(format!("{upper:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Part {
    name: String,
    sizes: Vec<u32>,
}

fn parts() -> Vec<Part> {
    ["a", "b", "c"].map(|name| Part { name: name.to_owned(), sizes: vec![1] }).into()
}

#[saga]
async fn fill(part: &mut Part, most: u32) -> Result<bool, ToolError> {
    while part.sizes.iter().sum::<u32>() < most {
        let count: Count = elicit(format!("{part:?}, how many?")).await?;
        if count.n == 0 {
            part.name.push('!');
            return Ok(false);
        }
        part.sizes.push(count.n.into());
    }
    Ok(true)
}

#[saga_tool]
async fn for_each_changed() -> Result<String, ToolError> {
    let mut parts = parts();
    let filled = join_all(parts.iter_mut().map(|part| call(fill(part, 3)))).await?;
    elicit::<Yes>(format!("{filled:?}?")).await?;
    parts[0].sizes.clear();
    let again = join_all(parts.iter_mut().rev().map(|part| call(fill(part, 2)))).each().await;
    Ok(format!("{parts:?} {filled:?} {again:?}"))
}

#[saga_tool]
async fn for_each_with_its_place_and_more() -> Result<String, ToolError> {
    let (parts, names) = (parts(), ["x", "y"].map(str::to_owned));
    let said = join_all(
        parts.iter().zip(&names).enumerate().map(|(at, (part, name))| call(own_of(part, name, at + 1))),
    )
    .await?;
    Ok(format!("{said:?} {}", parts.len() + names.len()))
}

#[saga]
async fn own_of(part: &Part, name: &str, at: usize) -> Result<String, ToolError> {
    let first: Name = elicit(format!("{at} {}: {name}?", part.name)).await?;
    elicit::<Yes>(format!("{at} {}?", first.name)).await?;
    Ok(first.name + name + &part.name)
}

#[saga_tool]
async fn for_each_that_is_let_through() -> Result<String, ToolError> {
    let parts = parts();
    let without = elicit::<Name>("Without which?").await?.name;
    let said =
        join_all(parts.iter().filter(|part| part.name != without).map(|part| call(own_of(part, "n", 0))))
            .await?;
    Ok(format!("{said:?}"))
}

#[saga_tool]
async fn for_each_again_in_a_loop() -> Result<String, ToolError> {
    let mut parts = parts();
    let mut rounds = 0;
    while rounds < 3 {
        rounds += 1;
        let filled = join_all(parts.iter_mut().map(|part| call(fill(part, rounds + 1)))).await?;
        if filled.iter().all(|filled| *filled) {
            continue;
        }
        parts.retain(|part| !part.name.ends_with('!'));
        if elicit::<Yes>(format!("{} left after {rounds}?", parts.len())).await?.yes {
            break;
        }
    }
    Ok(format!("{parts:?} {rounds}"))
}

#[saga]
async fn fails_for(name: &str, bad: &str) -> Result<usize, ToolError> {
    let sure: Yes = elicit(format!("{name}?")).await?;
    if name == bad {
        effect("fails");
        return Err(ToolError::new(format!("{name} is bad, {}", sure.yes)));
    }
    elicit::<Yes>(format!("{name}, after that?")).await?;
    effect(name);
    Ok(name.len())
}

#[saga_tool]
async fn for_each_where_one_fails() -> Result<String, ToolError> {
    let names = ["one", "two", "three"].map(str::to_owned);
    let bad = names[1].clone();
    let each = join_all(names.iter().map(|name| call(fails_for(name, &bad)))).each().await;
    effect(format_args!("{each:?}"));
    let all = join_all(names.iter().map(|name| call(fails_for(name, &bad)))).await;
    elicit::<Yes>(format!("{all:?}?")).await?;
    Ok(format!("{:?}", join_all(names.iter().map(|name| call(fails_for(name, "none")))).await?))
}

#[saga_tool]
async fn for_each_in_an_expression() -> Result<String, ToolError> {
    let names = ["a", "b"].map(str::to_owned);
    let sum = noted(1)
        + join_all(names.iter().map(|name| call(climb(name, 1)))).await?.into_iter().sum::<u32>()
        + match join_all(names.iter().map(|name| call(climb(name, 1)))).await {
            Ok(heights) if heights.is_empty() => 0,
            Ok(heights) => heights[0],
            Err(_) => 7,
        };
    Ok(sum.to_string())
}

#[saga]
async fn grow(name: &str, depth: u8) -> Result<u32, StepError> {
    let here: Count = elicit(format!("{name}{depth}?")).await?;
    if depth == 0 {
        return Ok(here.n.into());
    }
    let names = ["l", "r"].map(|side| format!("{name}{side}"));
    let below = join_all(names.iter().map(|name| call(grow(name, depth - 1)))).await?;
    Ok(u32::from(here.n) + below.iter().sum::<u32>())
}

#[saga_tool]
async fn for_each_of_a_tree(depth: u8) -> Result<String, ToolError> {
    Ok(call(grow("t", depth)).await?.to_string())
}

#[saga_tool]
async fn for_each_with_a_question_before() -> Result<String, ToolError> {
    let mut names = vec![elicit::<Name>("Who?").await?.name];
    names.push("last".to_owned());
    let (one, rest) = join!(call(climb("beside", 1)), call(all_of(&names))).await?;
    Ok(format!("{one} {rest:?}"))
}

#[saga]
async fn all_of(names: &[String]) -> Result<Vec<u32>, StepError> {
    join_all(names.iter().map(|name| call(climb(name, 1)))).await
}

impl Part {
    #[saga]
    async fn check(&self, by: &str) -> Result<usize, ToolError> {
        let sure: Yes = elicit(format!("{by}: {}?", self.name)).await?;
        let more: Count = elicit(format!("{by}: {} ({})?", self.name, sure.yes)).await?;
        Ok(self.sizes.len() + usize::from(more.n))
    }
}

#[saga_tool]
async fn for_each_by_a_method() -> Result<String, ToolError> {
    let (parts, by) = (parts(), noted("me".to_owned()));
    let checked = join_all(parts.iter().map(|part| call(part.check(&by)))).await?;
    let said = join_all(parts.iter().take(2).map(|part| call(count_to(part.name.as_str(), 1, 1)))).await?;
    effect(said.concat());
    Ok(format!("{checked:?} {by}"))
}

/// Answers beside what they were asked about, taken by the loop; others, and lists of other lengths.
#[saga_tool]
async fn beside_what_the_loop_takes(names: Vec<String>) -> Result<String, ToolError> {
    let answers = join_all(names.iter().map(|name| elicit::<Yes>(format!("invite {name}?")))).await?;
    let mut invited = Vec::new();
    for (name, answer) in names.iter().zip(answers) {
        if answer.yes && elicit::<Yes>(format!("mail {name}?")).await?.yes {
            invited.push(name);
        }
    }
    let sizes = vec![3_u8, 4];
    let mut sum = 0;
    'sizes: for ((at, name), mut size) in names.iter().enumerate().zip(sizes) {
        size += 1;
        while elicit::<Yes>(format!("{at} {name} {size}: more?")).await?.yes {
            size += 1;
            if size > 5 {
                continue 'sizes;
            }
        }
        sum += size;
    }
    for (name, mark) in names.iter().zip(std::iter::repeat(7_u8)) {
        elicit::<Yes>(format!("{name}{mark}?")).await?;
    }
    let numbers = vec![1_u32, 2, 3, 4].into_iter();
    for (name, number) in names.iter().zip(numbers.map(|number| {
        effect(number);
        number
    })) {
        effect(format_args!("{name} {number}"));
    }
    Ok(format!("{invited:?} {sum}"))
}
