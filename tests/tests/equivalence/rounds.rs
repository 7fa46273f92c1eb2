//! Several questions in one round: `join!` and `join_all`, in every kind of place.

use saga_runtime::{StepError, ToolError, elicit, elicit_url, join, join_all, list_roots, saga_tool, sample};
use saga_tests::forms::{Count, Name, Target, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    two_at_once;
    of_all_kinds;
    each_on_its_own;
    arguments_with_effects;
    keys_of_a_round;
    rounds_in_a_loop;
    rounds_that_use_answers;
    rounds_in_expressions;
    rounds_in_branches;
    all_of_a_list(names: vec!["ada".to_owned(), "bo".to_owned()]);
    all_of_none;
    all_each;
    all_in_a_loop;
    all_then_sum;
    optional_in_a_round;
    borrows_over_rounds;
    one_in_a_round;
    a_question_in_a_round_argument;
}

#[saga_tool]
async fn two_at_once() -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let (name, count) = join!(elicit::<Name>("who?"), elicit::<Count>("how many?")).await?;
    effect(format_args!("{} {}", name.name, count.n));
    let (yes, again): (Yes, Yes) = join!(elicit(format!("{kept}?")), elicit("again?")).await?;
    Ok(format!("{kept} {name:?} {count:?} {yes:?} {again:?}"))
}

#[saga_tool]
async fn of_all_kinds() -> Result<String, ToolError> {
    effect("start");
    let (name, said, roots, ()) = join!(
        elicit::<Name>("who?"),
        sample("what?").max_tokens(5),
        list_roots(),
        elicit_url("sign in", "https://example.com"),
    )
    .await?;
    effect(roots.len());
    elicit::<Yes>(said.text()).await?;
    Ok(format!("{name:?} {}", roots.len()))
}

#[saga_tool]
async fn each_on_its_own() -> Result<String, ToolError> {
    let (name, count) = join!(elicit::<Name>("who?"), elicit::<Count>("how many?")).each().await;
    effect(format_args!("{} {}", name.is_ok(), count.is_ok()));
    let name = name.map_or_else(|error| error.to_string(), |name| name.name);
    let held: Result<Count, StepError> = count;
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(format!("{name} {held:?}"))
}

#[saga_tool]
async fn arguments_with_effects() -> Result<String, ToolError> {
    let (left, right) = join!(elicit::<Count>(noted("left?")), elicit::<Count>(noted("right?"))).await?;
    effect(left.n + right.n);
    let (left, right) = join!(
        elicit::<Count>(format!("{} {}", left.n, noted(1))).title(noted("Left")),
        elicit::<Count>(noted("r".to_owned()) + &right.n.to_string()),
    )
    .await?;
    Ok(format!("{left:?} {right:?}"))
}

#[saga_tool]
async fn keys_of_a_round() -> Result<String, ToolError> {
    let (first, second) = join!(elicit::<Yes>("a?"), elicit::<Yes>("b?").key("explicit")).await?;
    effect(first.yes);
    let (first, third) = join!(elicit::<Yes>("c?"), elicit::<Yes>(format!("{first:?}?"))).await?;
    let both = join!(elicit::<Yes>("d?").key("d"), elicit::<Yes>("e?").key("e")).await?;
    Ok(format!("{first:?} {second:?} {third:?} {both:?}"))
}

#[saga_tool]
async fn rounds_in_a_loop() -> Result<String, ToolError> {
    let mut log = Vec::new();
    for (index, place) in ["eu", "us"].into_iter().enumerate() {
        let (name, count) =
            join!(elicit::<Name>(format!("{place} {index}: who?")), elicit::<Count>("how many?")).await?;
        effect(index);
        if count.n == 0 {
            continue;
        }
        log.push(format!("{place}{}{}", name.name, count.n));
    }
    Ok(log.concat())
}

#[saga_tool]
async fn rounds_that_use_answers() -> Result<String, ToolError> {
    let target: Target = elicit("where?").await?;
    let note = &target.note;
    let (sure, name) =
        join!(elicit::<Yes>(format!("{:?}?", target.region)), elicit::<Name>(format!("{note:?}?"))).await?;
    effect(format_args!("{note:?} {}", sure.yes));
    elicit::<Yes>(format!("{name:?}?")).await?;
    Ok(format!("{note:?} {name:?}"))
}

#[saga_tool]
async fn rounds_in_expressions() -> Result<String, ToolError> {
    let sum = noted(1) + join!(elicit::<Count>("a?"), elicit::<Count>("b?")).await?.1.n * noted(2);
    effect(sum);
    let text = format!(
        "{} {:?} {}",
        noted(3),
        join!(elicit::<Yes>("c?"), elicit::<Name>("d?")).await?,
        elicit::<Count>("e?").await?.n,
    );
    Ok(format!("{sum} {text}"))
}

#[saga_tool]
async fn rounds_in_branches() -> Result<String, ToolError> {
    if let Ok((Yes { yes: true }, count)) = join!(elicit::<Yes>("a?"), elicit::<Count>("b?")).await
        && count.n > 0
    {
        effect(count.n);
        elicit::<Yes>(format!("{}?", count.n)).await?;
        return Ok(count.n.to_string());
    }
    match join!(elicit::<Count>("c?"), elicit::<Name>("d?")).each().await {
        (Ok(count), Ok(name)) => Ok(format!("{} {}", count.n, name.name)),
        (Err(error), _) | (_, Err(error)) => {
            effect(&error);
            elicit::<Yes>("why?").await?;
            Err(error.into())
        }
    }
}

#[saga_tool]
async fn all_of_a_list(names: Vec<String>) -> Result<String, ToolError> {
    let invited = join_all(names.iter().map(|name| elicit::<Yes>(format!("Invite {name}?")))).await?;
    effect(invited.len());
    for (name, invited) in names.iter().zip(&invited) {
        if invited.yes {
            elicit::<Yes>(format!("{name}, will you come?")).await?;
            effect(name);
        }
    }
    Ok(format!("{invited:?}"))
}

#[saga_tool]
async fn all_of_none() -> Result<String, ToolError> {
    effect("start");
    let many = elicit::<Count>("how many?").await?.n;
    let answers = join_all((0..many).map(|index| elicit::<Yes>(format!("{index}?")))).await?;
    effect(answers.len());
    Ok(format!("{answers:?}"))
}

#[saga_tool]
async fn all_each() -> Result<String, ToolError> {
    let answers = join_all(["a", "b", "c"].map(|name| elicit::<Count>(name))).each().await;
    let sum: u8 = answers.iter().flatten().map(|count| count.n).sum();
    effect(sum);
    elicit::<Yes>(format!("{sum}?")).await?;
    Ok(format!("{answers:?}"))
}

#[saga_tool]
async fn all_in_a_loop() -> Result<String, ToolError> {
    let mut rows = Vec::new();
    for row in 0..2_u8 {
        let cells = join_all((0..2_u8).map(|cell| elicit::<Count>(format!("{row} {cell}?")))).await?;
        effect(row);
        rows.push(cells.iter().map(|count| count.n).collect::<Vec<_>>());
    }
    Ok(format!("{rows:?}"))
}

#[saga_tool]
async fn all_then_sum() -> Result<String, ToolError> {
    let start = noted(1_u8);
    let sum = join_all(vec![elicit::<Count>("a?"), elicit::<Count>("b?").key("b")])
        .await?
        .into_iter()
        .fold(start, |sum, count| sum + count.n);
    effect(sum);
    Ok(sum.to_string())
}

#[saga_tool]
async fn optional_in_a_round() -> Result<String, ToolError> {
    let (name, count) =
        join!(elicit::<Name>("who?").optional(), elicit::<Count>("how many?").attempts(2)).await?;
    effect(format_args!("{name:?}"));
    elicit::<Yes>(format!("{count:?}?")).await?;
    Ok(format!("{name:?} {count:?}"))
}

#[saga_tool]
async fn borrows_over_rounds() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned()];
    let first = &list[0];
    for item in &list {
        let (yes, count) = join!(elicit::<Yes>(format!("{first} {item}?")), elicit::<Count>("n?")).await?;
        effect(format_args!("{first} {item} {} {}", yes.yes, count.n));
    }
    Ok(first.clone())
}

#[saga_tool]
async fn one_in_a_round() -> Result<String, ToolError> {
    let (name,) = join!(elicit::<Name>("who?")).await?;
    effect(&name.name);
    let all = join_all([elicit::<Name>("who else?")]).await?;
    Ok(format!("{name:?} {all:?}"))
}

#[saga_tool]
async fn a_question_in_a_round_argument() -> Result<String, ToolError> {
    let (name, yes) = join!(
        elicit::<Name>(format!("{}?", elicit::<Count>("first?").await?.n)),
        elicit::<Yes>(noted("second?")),
    )
    .await?;
    effect(yes.yes);
    Ok(name.name)
}
