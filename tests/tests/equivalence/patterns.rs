//! Names and patterns in every form in which they are written.

use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    a_reference_that_a_saga_moves_on(text: "xyz".to_owned());
    raw_names_in_format_strings(r#type: "t".to_owned());
    raw_names_of_sagas_and_keys;
    what_a_guard_binds;
    what_a_guard_binds_under_an_outer_name;
    a_guard_of_code_without_questions;
}

#[saga]
async fn without_its_head(mut rest: &str, mut bytes: &[u8]) -> Result<String, StepError> {
    rest = &rest[1..];
    let first: Name = elicit(format!("{rest}?")).await?;
    while let [byte, others @ ..] = bytes {
        bytes = others;
        let n: Count = elicit(format!("{byte}?")).await?;
        effect(format_args!("{rest} {byte} {}", n.n));
        rest = rest.get(1..).unwrap_or_default();
    }
    Ok(format!("{rest} {} {}", first.name, bytes.len()))
}

#[saga_tool]
async fn a_reference_that_a_saga_moves_on(text: String) -> Result<String, ToolError> {
    let one = call(without_its_head(&text, &[1, 2])).await?;
    effect(&one);
    let two = call(without_its_head("abcdef", one.as_bytes())).await?;
    Ok(format!("{text} {one} {two}"))
}

#[saga_tool]
async fn raw_names_in_format_strings(r#type: String) -> Result<String, ToolError> {
    let r#type = r#type.to_uppercase();
    let width = 6;
    let r#in: Count = elicit(format!("{type}?")).await?;
    effect(format!("{type:>width$}"));
    let label = |r#type: &str| format!("{type}");
    let last: Name = elicit(format!("{}?", r#in.n)).await?;
    Ok(format!("{type} {} {} {}", r#in.n, label("l"), last.name))
}

#[saga]
async fn r#try(r#for: &str) -> Result<String, StepError> {
    let mut r#ref = r#for.to_owned();
    let r#mod: Name = elicit(format!("{for}?")).await?;
    effect(format_args!("{ref} {}", r#mod.name));
    r#ref += &r#mod.name;
    let again: Count = elicit(format!("{ref}?")).await?;
    Ok(format!("{for} {ref} {}", again.n))
}

#[saga_tool]
async fn raw_names_of_sagas_and_keys() -> Result<String, ToolError> {
    let mut r#where = String::new();
    for r#use in ["a", "b"] {
        r#where += &call(r#try(r#use)).await?;
        effect(format!("{where} {use}"));
    }
    let taken = (r#where.len(), {
        r#where += "!";
        elicit::<Count>(format!("{where}?")).await?.n
    });
    Ok(format!("{where} {taken:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    name: String,
    sizes: Vec<u8>,
}

fn plan_of(id: u8) -> Option<Plan> {
    effect(format_args!("plan of {id}"));
    (id != 2).then(|| Plan { name: format!("p{id}"), sizes: vec![id, 7] })
}

#[saga_tool]
async fn what_a_guard_binds() -> Result<String, ToolError> {
    let mut out = Vec::new();
    for id in [Some(1_u8), None, Some(2), Some(3)] {
        let text = match id {
            Some(id)
                if let Some(plan) = plan_of(id)
                    && let [first, ..] = plan.sizes[..]
                    && first < 3 =>
            {
                let n: Count = elicit(format!("{} {first}?", plan.name)).await?;
                effect(format_args!("{plan:?} {}", n.n));
                format!("{} {first} {id}", plan.name)
            }
            Some(id) if let Some(mut plan) = plan_of(id) => {
                plan.sizes.push(elicit::<Count>(format!("{}?", plan.name)).await?.n);
                let name: Name = elicit("name?").await?;
                format!("{plan:?} {id} {}", name.name)
            }
            Some(id) => elicit::<Name>(format!("{id}?")).await?.name,
            None => "none".to_owned(),
        };
        effect(&text);
        out.push(text);
    }
    Ok(format!("{out:?}"))
}

#[saga_tool]
async fn what_a_guard_binds_under_an_outer_name() -> Result<String, ToolError> {
    let plan = Plan { name: noted("outer".to_owned()), sizes: vec![9] };
    let id = noted(Some(1_u8));
    let first = match id {
        Some(id) if let Some(plan) = plan_of(id) => {
            let n: Count = elicit("inner?").await?;
            format!("{} {}", plan.name, n.n)
        }
        _ => plan.name.clone(),
    };
    let second = match &id {
        Some(id)
            if let name = &plan.name
                && let Some(plan) = plan_of(*id) =>
        {
            let n: Count = elicit(format!("{name}?")).await?;
            format!("{name} {} {}", plan.name, n.n)
        }
        _ => String::new(),
    };
    effect(format_args!("{first} {second}"));
    Ok(format!("{first} {second} {plan:?}"))
}

#[saga_tool]
async fn a_guard_of_code_without_questions() -> Result<String, ToolError> {
    let id = noted(Some(4_u8));
    let plan = noted("p".to_owned());
    let n: Count = elicit("n?").await?;
    let text = match id {
        Some(id) if let Some(plan) = plan_of(id + n.n) => format!("{plan:?}"),
        _ => plan.clone(),
    };
    elicit::<Yes>(format!("{text}?")).await?;
    Ok(format!("{text} {plan}"))
}
