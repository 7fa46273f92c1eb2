//! Branches around questions, and questions in their conditions, scrutinees and patterns.

use saga_runtime::{StepError, ToolError, elicit, saga_tool, sample};
use saga_tests::forms::{Count, Name, Region, Target, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    an_error_that_waits;
    if_else;
    if_without_else;
    else_if_chain_of_questions;
    question_as_condition;
    negated_question_as_condition;
    if_as_a_value;
    if_let_of_an_answer;
    if_let_else_if_let;
    let_chain_with_questions;
    let_chain_that_asks_in_the_middle;
    let_chain_with_else;
    match_on_a_question;
    match_with_guards;
    match_with_questions_in_arms;
    match_on_a_reference;
    match_on_a_tuple_of_questions;
    match_as_an_argument;
    match_with_blocks_and_values;
    match_on_strings;
    nested_matches;
    let_else_question_in_initialiser;
    let_else_question_in_else;
    let_else_both;
    let_else_through_a_reference;
    early_returns;
    return_a_question;
    question_mark_on_option_with_ok_or;
    block_values;
    labelled_block_values;
    and_or;
    and_or_in_let_chain;
    diverging_arms;
    a_match_that_never_falls_through;
    ref_bindings;
    boolean_match;
    results_matched_by_hand;
    matches_macro;
}

#[saga_tool]
async fn if_else() -> Result<String, ToolError> {
    let first: Yes = elicit("first?").await?;
    let kept = noted("kept".to_owned());
    if first.yes {
        effect("then");
        let name: Name = elicit(format!("{kept} then?")).await?;
        effect(&name.name);
    } else {
        effect("else");
        let count: Count = elicit(format!("{kept} else?")).await?;
        effect(count.n);
    }
    effect("after");
    let last: Yes = elicit(format!("{kept} last?")).await?;
    Ok(format!("{kept} {first:?} {last:?}"))
}

#[saga_tool]
async fn if_without_else() -> Result<String, ToolError> {
    let mut log = Vec::new();
    if elicit::<Yes>("one?").await?.yes {
        effect("one");
        log.push(elicit::<Name>("name?").await?.name);
        effect(log.len());
    }
    if log.is_empty() {
        log.push("nobody".to_owned());
        effect("plain");
    }
    elicit::<Yes>(format!("{log:?}?")).await?;
    Ok(log.concat())
}

#[saga_tool]
async fn else_if_chain_of_questions() -> Result<String, ToolError> {
    let text = noted("t");
    let which = if elicit::<Yes>("a?").await?.yes {
        effect("a");
        1
    } else if elicit::<Yes>("b?").await?.yes {
        effect("b");
        elicit::<Count>("b count?").await?.n
    } else if noted(false) || elicit::<Yes>("c?").await?.yes {
        effect("c");
        3
    } else {
        elicit::<Name>(format!("{text}?")).await?.name.len() as u8
    };
    effect(which);
    Ok(which.to_string())
}

#[saga_tool]
async fn question_as_condition() -> Result<String, ToolError> {
    let list = noted(vec![1, 2]);
    if elicit::<Count>(noted("n?")).await?.n > noted(1) {
        effect("more");
        elicit::<Yes>("then?").await?;
    }
    if noted(list.len()) > usize::from(elicit::<Count>("m?").await?.n) {
        effect("fewer");
    } else {
        effect("not fewer");
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn negated_question_as_condition() -> Result<String, ToolError> {
    if !elicit::<Yes>("go on?").await?.yes {
        effect("stop");
        return Err(ToolError::new("stopped"));
    }
    if !(elicit::<Yes>("sure?").await?.yes && !elicit::<Yes>("unsure?").await?.yes) {
        effect("not sure");
        return Ok("unsure".to_owned());
    }
    Ok("on".to_owned())
}

#[saga_tool]
async fn if_as_a_value() -> Result<String, ToolError> {
    let greeting = if noted(true) { elicit::<Name>("who?").await?.name } else { "nobody".to_owned() };
    effect(&greeting);
    let number =
        1 + if elicit::<Yes>("more?").await?.yes { elicit::<Count>("many?").await?.n } else { noted(0) };
    effect(number);
    let text: String = elicit::<Name>(if number > 2 { noted("big?") } else { noted("small?") }).await?.name;
    Ok(format!("{greeting} {number} {text}"))
}

#[saga_tool]
async fn if_let_of_an_answer() -> Result<String, ToolError> {
    let mut out = String::new();
    if let Ok(Name { name }) = elicit("name?").await {
        effect(&name);
        out += &name;
        if let Some(first) = name.chars().next() {
            let yes: Yes = elicit(format!("{first}?")).await?;
            out.push(first);
            effect(yes.yes);
        }
    } else {
        effect("no name");
        elicit::<Yes>("really?").await?;
    }
    if let Err(StepError::Declined | StepError::Cancelled) = elicit::<Yes>("again?").await {
        effect("refused");
        elicit::<Yes>("why?").await?;
    }
    Ok(out)
}

#[saga_tool]
async fn if_let_else_if_let() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    let answer = if let Some(note) = target.note.as_deref() {
        effect(note);
        elicit::<Yes>(format!("{note}?")).await?;
        note.to_uppercase()
    } else if let Region::Near = target.region {
        effect("near");
        elicit::<Name>("near?").await?.name
    } else if let 2.. = target.replicas {
        effect("many");
        format!("{}", elicit::<Count>("many?").await?.n)
    } else {
        noted("else".to_owned())
    };
    effect(&answer);
    elicit::<Yes>(format!("{:?}?", target.note)).await?;
    Ok(answer)
}

#[saga_tool]
async fn let_chain_with_questions() -> Result<String, ToolError> {
    let limit = noted(1);
    if let Ok(first) = elicit::<Count>("first?").await
        && first.n >= limit
        && let Ok(second) = elicit::<Count>(format!("{} and?", first.n)).await
        && second.n >= first.n
    {
        effect(format_args!("{} {}", first.n, second.n));
        elicit::<Yes>(format!("{} {}?", first.n, second.n)).await?;
        return Ok(format!("{first:?} {second:?}"));
    }
    effect("no chain");
    elicit::<Yes>("else?").await?;
    Ok(limit.to_string())
}

#[saga_tool]
async fn let_chain_that_asks_in_the_middle() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    let mut trail = Vec::new();
    if noted(true)
        && let Some(note) = &target.note
        && elicit::<Yes>(format!("{note}?")).await?.yes
        && let 1..=2 = target.replicas
    {
        trail.push(note.clone());
        effect(note);
        let name: Name = elicit(format!("{note} {}?", target.replicas)).await?;
        trail.push(name.name);
        trail.push(note.clone());
    }
    effect(trail.len());
    Ok(format!("{trail:?} {target:?}"))
}

#[saga_tool]
async fn let_chain_with_else() -> Result<String, ToolError> {
    let seen = noted("seen".to_owned());
    let text = if let Count { n: number @ 1.. } = elicit("n?").await?
        && elicit::<Yes>(format!("{number}?")).await?.yes
    {
        effect(number);
        format!("{number}{}", elicit::<Name>("who?").await?.name)
    } else if let Some(letter) = seen.chars().nth(1)
        && elicit::<Yes>(format!("{letter}?")).await?.yes
    {
        effect(letter);
        letter.to_string()
    } else {
        effect("else");
        elicit::<Yes>(format!("{seen}?")).await?;
        seen.clone()
    };
    effect(&text);
    Ok(text + &seen)
}

#[saga_tool]
async fn match_on_a_question() -> Result<String, ToolError> {
    let text = match elicit::<Target>(noted("where?")).await? {
        Target { region: Region::Near, replicas, .. } => {
            effect(replicas);
            let name: Name = elicit(format!("near {replicas}?")).await?;
            format!("{}{replicas}", name.name)
        }
        Target { region: region @ Region::Far, note: Some(note), .. } => {
            effect(&note);
            elicit::<Yes>(format!("{region:?} {note}?")).await?;
            note
        }
        Target { note, .. } => format!("{note:?}"),
    };
    effect(&text);
    elicit::<Yes>(format!("{text}?")).await?;
    Ok(text)
}

#[saga_tool]
async fn match_with_guards() -> Result<String, ToolError> {
    let limit = noted(2);
    let count: Count = elicit("count?").await?;
    let text = match count.n {
        n if n > limit => {
            let name: Name = elicit(format!("{n} over {limit}?")).await?;
            format!("{n} {}", name.name)
        }
        n @ (1 | 2) if noted(n) == limit => {
            effect("equal");
            elicit::<Yes>(format!("{n}?")).await?.yes.to_string()
        }
        0 => noted("zero".to_owned()),
        n => {
            elicit::<Yes>("one?").await?;
            n.to_string()
        }
    };
    match elicit::<Name>("name?").await {
        Ok(name) if name.name.is_empty() => effect("empty"),
        Ok(name) => effect(elicit::<Yes>(name.name).await?.yes),
        Err(StepError::Declined) => effect("declined"),
        Err(error) => return Err(error.into()),
    }
    Ok(text)
}

#[saga_tool]
async fn match_with_questions_in_arms() -> Result<String, ToolError> {
    let region = elicit::<Target>("target?").await?.region;
    let name = match region {
        Region::Near => elicit::<Name>("near?").await?.name,
        Region::Far => elicit::<Count>("far?").await?.n.to_string(),
        Region::Away => return Ok("away".to_owned()),
    };
    effect(&name);
    match region {
        Region::Near => (),
        _ => {
            elicit::<Yes>("not near?").await?;
        }
    }
    Ok(format!("{region:?} {name}"))
}

#[saga_tool]
async fn match_on_a_reference() -> Result<String, ToolError> {
    let mut target: Target = elicit("target?").await?;
    match &target {
        Target { note: Some(note), replicas, .. } if *replicas > 1 => {
            effect(note);
            elicit::<Yes>(format!("{note} {replicas}?")).await?;
            effect(format_args!("{note} {replicas}"));
        }
        Target { region, .. } => {
            effect(format_args!("{region:?}"));
            elicit::<Yes>(format!("{region:?}?")).await?;
            effect(format_args!("{region:?}"));
        }
    }
    match &mut target.note {
        Some(note) => {
            note.push('!');
            elicit::<Yes>(format!("{note}?")).await?;
            note.push('?');
        }
        none => {
            elicit::<Yes>("none?").await?;
            *none = Some("new".to_owned());
        }
    }
    match target.replicas {
        ref mut many => {
            *many += 1;
            let count: Count = elicit(format!("{many}?")).await?;
            *many += count.n;
        }
    }
    Ok(format!("{target:?}"))
}

#[saga_tool]
async fn match_on_a_tuple_of_questions() -> Result<String, ToolError> {
    match (elicit::<Yes>("a?").await?.yes, noted(1), elicit::<Count>("b?").await?.n) {
        (true, _, 0) => {
            effect("true zero");
            elicit::<Yes>("c?").await?;
        }
        (true, one, n) => {
            effect(n);
            elicit::<Yes>(format!("{one} {n}?")).await?;
        }
        (false, ..) => effect("false"),
    }
    Ok("done".to_owned())
}

#[saga_tool]
async fn match_as_an_argument() -> Result<String, ToolError> {
    let text = join(
        noted("a"),
        match elicit::<Count>("which?").await?.n {
            0 => elicit::<Name>("zero?").await?.name,
            n => n.to_string(),
        },
        noted("c"),
    );
    effect(&text);
    Ok(text)
}

fn join(left: &str, middle: String, right: &str) -> String {
    effect("join");
    [left, &middle, right].concat()
}

#[saga_tool]
async fn match_with_blocks_and_values() -> Result<String, ToolError> {
    let count = elicit::<Count>("count?").await?.n;
    let text = match count {
        0 => 'done: {
            if elicit::<Yes>("leave?").await?.yes {
                break 'done "left".to_owned();
            }
            effect("stayed");
            elicit::<Name>("name?").await?.name
        }
        1 => {
            let list: Vec<u8> = (0..elicit::<Count>("many?").await?.n).collect();
            effect(list.len());
            format!("{list:?}")
        }
        _ => format!("{}{}", noted("x"), elicit::<Count>("other?").await?.n),
    };
    Ok(text)
}

#[saga_tool]
async fn match_on_strings() -> Result<String, ToolError> {
    let name = elicit::<Name>("name?").await?.name;
    let greeting = match name.as_str() {
        "" => noted("nobody"),
        "ada" => {
            elicit::<Yes>("lovelace?").await?;
            "countess"
        }
        other => {
            elicit::<Yes>(format!("{other}?")).await?;
            effect(other);
            other
        }
    };
    effect(greeting);
    elicit::<Yes>(format!("{greeting}?")).await?;
    Ok(format!("{greeting} {name}"))
}

#[saga_tool]
async fn nested_matches() -> Result<String, ToolError> {
    let outer: Option<Result<Count, StepError>> =
        if noted(true) { Some(elicit::<Count>("outer?").await) } else { None };
    let text = match outer {
        Some(Ok(count)) => match count.n {
            0 => match elicit::<Yes>("deep?").await {
                Ok(Yes { yes: true }) => elicit::<Name>("deeper?").await?.name,
                Ok(_) => "shallow".to_owned(),
                Err(error) => {
                    effect(&error);
                    elicit::<Yes>("hurt?").await?;
                    error.to_string()
                }
            },
            n => n.to_string(),
        },
        Some(Err(error)) => {
            elicit::<Yes>(format!("{error}, go on?")).await?;
            format!("{error:?}")
        }
        None => unreachable!(),
    };
    effect(&text);
    Ok(text)
}

#[saga_tool]
async fn let_else_question_in_initialiser() -> Result<String, ToolError> {
    let kept = noted("kept");
    let Ok(Name { name }) = elicit(format!("{kept}?")).await else {
        effect("refused");
        return Ok(format!("refused {kept}"));
    };
    effect(&name);
    let Some(first) = elicit::<Name>(format!("{name}?")).await?.name.chars().next() else {
        return Err(ToolError::new(noted("empty")));
    };
    effect(first);
    Ok(format!("{name} {first} {kept}"))
}

#[saga_tool]
async fn let_else_question_in_else() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    let Some(note) = target.note else {
        effect("no note");
        let name: Name = elicit(format!("{:?} note?", target.region)).await?;
        effect(&name.name);
        return Ok(format!("{} {}", name.name, target.replicas));
    };
    effect(&note);
    elicit::<Yes>(format!("{note}?")).await?;
    Ok(note)
}

#[saga_tool]
async fn let_else_both() -> Result<String, ToolError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let Ok(Count { n: number @ 1.. }) = elicit(format!("try {tries}?")).await else {
            effect("again");
            if tries > 2 || elicit::<Yes>("give up?").await?.yes {
                break;
            }
            continue;
        };
        effect(number);
        return Ok(format!("{number} {tries}"));
    }
    Ok(format!("gave up {tries}"))
}

#[saga_tool]
async fn let_else_through_a_reference() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    let Target { note: Some(note), replicas, .. } = &target else {
        elicit::<Yes>(format!("{target:?}?")).await?;
        return Ok(format!("{target:?}"));
    };
    effect(note);
    elicit::<Yes>(format!("{note} {replicas}?")).await?;
    let Some(last) = note.chars().last() else {
        return Ok(elicit::<Name>(format!("{replicas} last?")).await?.name);
    };
    elicit::<Yes>(format!("{last} {note}?")).await?;
    Ok(format!("{note} {replicas} {last} {:?}", target.region))
}

#[saga_tool]
async fn early_returns() -> Result<String, ToolError> {
    let count: Count = elicit("count?").await?;
    if count.n == 0 {
        return Ok("zero".into());
    }
    effect("one");
    if count.n == 1 {
        let name: Name = elicit("one?").await?;
        if name.name.is_empty() {
            return Err(ToolError::new("empty"));
        }
        effect(&name.name);
        return Ok(name.name);
    }
    let result: Result<Yes, _> = elicit("more?").await;
    match result {
        Ok(yes) => Ok(yes.yes.to_string()),
        Err(error) => return Err(error.into()),
    }
}

#[saga_tool]
async fn return_a_question() -> Result<String, ToolError> {
    if elicit::<Yes>("now?").await?.yes {
        return Ok(noted("now: ").to_owned() + &elicit::<Name>("who?").await?.name);
    }
    effect("later");
    return match elicit::<Name>("who then?").await {
        Ok(name) => Ok(name.name),
        Err(error) => Err(ToolError::new(format!("{error}{}", elicit::<Count>("how sad?").await?.n))),
    };
}

#[saga_tool]
async fn question_mark_on_option_with_ok_or() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    #[saga(rebuild)]
    let note = target.note.as_ref().ok_or_else(|| ToolError::new("no note"))?;
    effect(note);
    let number: u8 =
        elicit::<Name>(format!("{note}?")).await?.name.parse().map_err(|_| ToolError::new("no number"))?;
    Ok(format!("{note} {number}"))
}

#[saga_tool]
async fn block_values() -> Result<String, ToolError> {
    let text = {
        let name: Name = elicit("inside?").await?;
        effect(&name.name);
        let yes = { elicit::<Yes>(format!("{}?", name.name)).await?.yes };
        format!("{} {yes}", name.name)
    };
    let number = {
        effect("before");
        noted(1) + { elicit::<Count>("deep?").await?.n }
    } * 2;
    let () = {
        elicit::<Yes>("unit?").await?;
    };
    Ok(format!("{text} {number}"))
}

#[saga_tool]
async fn labelled_block_values() -> Result<String, ToolError> {
    let text = 'outer: {
        let count: Count = elicit("count?").await?;
        let inner = 'inner: {
            if count.n == 0 {
                break 'outer elicit::<Name>("zero?").await?.name;
            }
            if count.n == 1 {
                break 'inner noted(10);
            }
            if elicit::<Yes>("inner?").await?.yes {
                break 'inner elicit::<Count>("inner count?").await?.n;
            }
            20
        };
        effect(inner);
        elicit::<Yes>(format!("{inner}?")).await?;
        inner.to_string()
    };
    effect(&text);
    'unit: {
        if text.is_empty() {
            break 'unit;
        }
        elicit::<Yes>("unit?").await?;
    }
    Ok(text)
}

#[saga_tool]
async fn and_or() -> Result<String, ToolError> {
    let both = elicit::<Yes>("a?").await?.yes && elicit::<Yes>("b?").await?.yes;
    effect(both);
    let either = noted(both) || elicit::<Yes>("c?").await?.yes || noted(false);
    effect(either);
    let mixed = (noted(either) && elicit::<Count>("d?").await?.n > 1)
        || noted(!both) && elicit::<Yes>("e?").await?.yes;
    effect(mixed);
    let eager = noted(both) | elicit::<Yes>("f?").await?.yes & noted(true);
    Ok(format!("{both} {either} {mixed} {eager}"))
}

#[saga_tool]
async fn and_or_in_let_chain() -> Result<String, ToolError> {
    let target: Target = elicit("target?").await?;
    if (noted(target.replicas > 1) || elicit::<Yes>("few, go on?").await?.yes)
        && let Some(note) = target.note.clone().filter(|note| !note.is_empty())
        && (elicit::<Yes>(format!("{note}?")).await?.yes || noted(false))
    {
        effect(&note);
        elicit::<Yes>(format!("{note}, really?")).await?;
        return Ok(note);
    }
    Ok("no".to_owned())
}

#[saga_tool]
async fn diverging_arms() -> Result<String, ToolError> {
    let number: u8 = match elicit::<Count>("n?").await {
        Ok(Count { n: 0 }) => return Ok("zero".to_owned()),
        Ok(count) => count.n,
        Err(StepError::Declined) => Err(ToolError::new("declined"))?,
        Err(error) => {
            elicit::<Yes>(format!("{error}, go on?")).await?;
            return Err(error.into());
        }
    };
    effect(number);
    let word = if number > 1 { elicit::<Name>("word?").await?.name } else { return Ok("one".to_owned()) };
    Ok(word)
}

#[saga_tool]
async fn a_match_that_never_falls_through() -> Result<String, ToolError> {
    effect("start");
    match elicit::<Yes>("which?").await?.yes {
        true => {
            let name: Name = elicit("name?").await?;
            return Ok(name.name);
        }
        false => {
            effect("false");
            return Err(ToolError::new(elicit::<Name>("why?").await?.name));
        }
    }
}

#[saga_tool]
async fn ref_bindings() -> Result<String, ToolError> {
    let pair = (noted("left".to_owned()), Some(noted("right".to_owned())));
    let (ref left, ref right) = pair;
    elicit::<Yes>(format!("{left}?")).await?;
    effect(left);
    let Some(ref inner) = *right else { return Ok("none".to_owned()) };
    elicit::<Yes>(format!("{inner}?")).await?;
    if let (_, Some(ref text)) = pair {
        elicit::<Yes>(format!("{text} {left}?")).await?;
        effect(text);
    }
    Ok(format!("{left} {inner} {}", pair.0))
}

#[saga_tool]
async fn boolean_match() -> Result<String, ToolError> {
    let verdict = sample("safe?").max_tokens(5).await?;
    let safe = match verdict.text().as_str() {
        text if text.starts_with("Yes") => true,
        "No." => false,
        _ => elicit::<Yes>("you decide?").await?.yes,
    };
    effect(safe);
    Ok(format!("{safe} {}", verdict.model()))
}

#[saga_tool]
async fn results_matched_by_hand() -> Result<String, ToolError> {
    let first =
        elicit::<Name>("first?").await.map(|name| name.name).unwrap_or_else(|error| error.to_string());
    effect(&first);
    let second = elicit::<Name>(format!("{first}, second?")).await.ok();
    effect(second.is_some());
    let third = elicit::<Count>("third?").await.is_ok_and(|count| count.n > 1);
    effect(third);
    let fourth: Result<_, StepError> = elicit::<Count>("fourth?").await;
    let (Ok(Count { n }), other) = (&fourth, 1) else {
        return Ok(format!("{fourth:?}"));
    };
    Ok(format!("{first} {second:?} {third} {n} {other}"))
}

#[saga_tool]
async fn matches_macro() -> Result<String, ToolError> {
    let region = elicit::<Target>("where?").await?.region;
    if matches!(region, Region::Near | Region::Far) && elicit::<Yes>("sure?").await?.yes {
        effect("sure");
    }
    let refused = matches!(elicit::<Yes>("last?").await, Err(StepError::Declined));
    Ok(format!("{region:?} {refused}"))
}

fn parse(text: &str) -> Result<u8, ToolError> {
    effect(format_args!("parse {text}"));
    Ok(text.parse::<u8>()?)
}

#[saga_tool]
async fn an_error_that_waits() -> Result<String, ToolError> {
    let mut failures = Vec::new();
    for text in ["7", "x", ""] {
        let parsed = parse(text);
        let y: Yes = elicit(format!("{parsed:?}?")).await?;
        match parsed {
            Ok(number) => effect(number),
            Err(error) if y.yes => {
                let n: Count =
                    elicit(format!("{error:?} {:?}?", error.cause().map(ToString::to_string))).await?;
                effect(n.n);
                failures.push(error);
            }
            Err(error) => return Err(error),
        }
    }
    let y: Yes = elicit(format!("{}?", failures.len())).await?;
    if y.yes { Err(failures.remove(0)) } else { Ok(format!("{failures:?}")) }
}
