//! Sagas that are called together, with and without steps among them: their questions make one round, each goes on by
//! itself, and what ends first is kept.

use saga_runtime::{StepError, ToolError, call, elicit, join, saga, saga_tool, sample};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
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
