//! `#[cfg]` inside a body: the compiler sees what it takes away, and cannot tell whether it does.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Yes};
use saga_tests::kit::items;
use saga_tests::law::{effect, noted};

bodies! {
    an_arm_that_is_taken_away;
    an_arm_with_a_guard_that_is_taken_away;
    an_arm_of_code_that_asks_nothing;
    an_end_for_each_case;
    the_last_case_is_taken_away(list: vec![1]);
    every_later_case_is_taken_away;
    an_end_in_a_loop_that_is_taken_away;
    a_jump_that_is_taken_away;
    an_assignment_that_is_taken_away(level: 1);
    an_assignment_in_a_macro_that_is_taken_away;
    a_call_that_is_taken_away;
    a_let_that_borrows_and_is_taken_away;
    a_let_that_ends_and_is_taken_away;
    a_let_else_that_is_taken_away;
    a_let_that_shadows_and_is_taken_away(level: 1);
    a_let_that_shadows_in_plain_code_and_is_taken_away(level: 1);
    elements_that_are_taken_away;
    fields_that_are_taken_away;
    arguments_that_are_taken_away(level: 1);
    a_macro_that_is_taken_away;
    nested_ends(level: 1);
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct Size {
    wide: u8,
    #[cfg(any())]
    deep: u8,
    high: u8,
}

#[saga_tool]
async fn an_arm_that_is_taken_away() -> Result<String, ToolError> {
    let n = elicit::<Count>("n?").await?.n;
    let text = match noted(n) {
        #[cfg(any())]
        0 => return Err(missing()),
        #[cfg(not(any()))]
        0 => "zero".to_owned(),
        n => {
            let more = elicit::<Count>("more?").await?.n;
            format!("{n}{more}")
        }
    };
    Ok(text)
}

#[saga_tool]
async fn an_arm_with_a_guard_that_is_taken_away() -> Result<String, ToolError> {
    let mut list = vec![];
    for item in items() {
        match elicit::<Count>(format!("{}?", item.name)).await?.n {
            #[cfg(any())]
            n if n < 3 => break,
            #[allow(unreachable_patterns, reason = "an attribute that takes nothing away")]
            n if n == 3 => list.push((item.name, n)),
            #[cfg(any())]
            _ => missing(),
            n => list.push((item.name, elicit::<Count>("more?").await?.n + n)),
        }
    }
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn an_arm_of_code_that_asks_nothing() -> Result<String, ToolError> {
    let mut level = noted(1);
    let n = elicit::<Count>("n?").await?.n;
    match n {
        #[cfg(any())]
        0 => return Err(missing()),
        1 => level = 7,
        _ => {}
    }
    elicit::<Yes>("go on?").await?;
    Ok(format!("{level}"))
}

#[saga_tool]
async fn an_end_for_each_case() -> Result<String, ToolError> {
    let name = noted("n".to_owned());
    elicit::<Yes>("go?").await?;
    #[cfg(any())]
    {
        return Err(ToolError::new("not here"));
    }
    #[cfg(not(any()))]
    {
        Ok(name)
    }
}

#[saga_tool]
async fn the_last_case_is_taken_away(list: Vec<u8>) -> Result<String, ToolError> {
    let mut seen = Vec::new();
    seen.push(noted(list.len()));
    elicit::<Yes>("go?").await?;
    seen.push(noted(2));
    #[cfg(not(any()))]
    {
        Ok(format!("{seen:?}"))
    }
    #[cfg(any())]
    {
        return Err(missing());
    }
}

#[saga_tool]
async fn every_later_case_is_taken_away() -> Result<String, ToolError> {
    let mut seen = Vec::new();
    let n = elicit::<Count>("n?").await?.n;
    seen.push(n);
    if n > 1 {
        seen.push(noted(9));
        Ok(format!("{seen:?}"))
    } else {
        Ok("few".to_owned())
    }
    #[cfg(any())]
    {
        Err(missing())
    }
    #[cfg(any())]
    missing();
}

#[saga_tool]
async fn an_end_in_a_loop_that_is_taken_away() -> Result<String, ToolError> {
    let mut sum = 0;
    for item in items() {
        sum += elicit::<Count>(format!("{}?", item.name)).await?.n;
        if sum > 2 {
            #[cfg(any())]
            return Ok("many".to_owned());
            #[cfg(any())]
            break;
            sum += 10;
        }
        effect(sum);
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn a_jump_that_is_taken_away() -> Result<String, ToolError> {
    let mut sum = 0;
    for size in 0..3 {
        sum += elicit::<Count>(format!("{size}?")).await?.n;
        #[cfg(any())]
        continue;
        effect(sum);
        #[cfg(not(any()))]
        continue;
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn an_assignment_that_is_taken_away(level: u8) -> Result<String, ToolError> {
    let mut level = level + 1;
    let other;
    elicit::<Yes>("go?").await?;
    #[cfg(any())]
    {
        level = 9;
    }
    #[cfg(not(any()))]
    {
        other = noted(3);
    }
    elicit::<Yes>("on?").await?;
    level += 1;
    Ok(format!("{level} {other}"))
}

#[saga_tool]
async fn an_assignment_in_a_macro_that_is_taken_away() -> Result<String, ToolError> {
    let mut level = noted(1);
    elicit::<Yes>("go?").await?;
    #[cfg(any())]
    println!("{}", {
        level = 9;
        level
    });
    level += 1;
    Ok(format!("{level}"))
}

#[saga_tool]
async fn a_call_that_is_taken_away() -> Result<String, ToolError> {
    let mut level = noted(1);
    elicit::<Yes>("go?").await?;
    {
        #[cfg(any())]
        std::convert::identity(return Err(missing()));
        effect(level);
    }
    level += 1;
    Ok(format!("{level}"))
}

#[saga_tool]
async fn a_let_that_borrows_and_is_taken_away() -> Result<String, ToolError> {
    #[cfg(any())]
    let root = &windows_root();
    #[cfg(not(any()))]
    let root = &noted("/".to_owned());
    effect(root);
    elicit::<Yes>("go?").await?;
    Ok("done".to_owned())
}

#[saga_tool]
async fn a_let_that_ends_and_is_taken_away() -> Result<String, ToolError> {
    let level = noted(1);
    elicit::<Yes>(format!("{level}?")).await?;
    #[cfg_attr(not(any()), cfg(any()))]
    let level = return Err(missing());
    elicit::<Yes>("on?").await?;
    #[cfg(any())]
    let more: u8 = {
        return Err(missing());
    };
    Ok("done".to_owned())
}

#[saga_tool]
async fn a_let_else_that_is_taken_away() -> Result<String, ToolError> {
    let mut level = noted(Some(1));
    elicit::<Yes>("go?").await?;
    #[cfg(any())]
    let Some(n) = level else { return Err(missing()) };
    level = level.map(|level| level + 1);
    Ok(format!("{level:?}"))
}

#[saga_tool]
async fn a_let_that_shadows_and_is_taken_away(level: u8) -> Result<String, ToolError> {
    let level = noted(level + 1);
    elicit::<Yes>("go?").await?;
    #[cfg(any())]
    let level = missing();
    Ok(format!("{level}"))
}

#[saga_tool]
async fn a_let_that_shadows_in_plain_code_and_is_taken_away(level: u8) -> Result<String, ToolError> {
    let level = noted(level + 1);
    elicit::<Yes>("go?").await?;
    if level > 0 {
        #[cfg(any())]
        let level = missing();
        effect(level);
    }
    Ok("done".to_owned())
}

#[saga_tool]
async fn elements_that_are_taken_away() -> Result<String, ToolError> {
    let mut level = noted(1);
    elicit::<Yes>("go?").await?;
    let list = [
        #[cfg(any())]
        {
            level = missing();
            1
        },
        2,
    ];
    level += list.len();
    Ok(format!("{level} {list:?}"))
}

#[saga_tool]
async fn fields_that_are_taken_away() -> Result<String, ToolError> {
    let (mut level, deep) = (noted(1), noted(3));
    elicit::<Yes>("go?").await?;
    let size = Size {
        wide: level,
        #[cfg(any())]
        deep: {
            level = missing();
            1
        },
        high: 2,
    };
    level += 1;
    elicit::<Yes>(format!("{size:?}?")).await?;
    let Size {
        wide,
        #[cfg(any())]
        deep,
        high,
    } = size.clone();
    effect(deep);
    if let Size {
        wide: 1,
        #[cfg(any())]
        deep,
        ..
    } = size
    {
        effect(deep);
    }
    elicit::<Yes>("on?").await?;
    Ok(format!("{level} {wide} {high}"))
}

#[saga_tool]
async fn arguments_that_are_taken_away(level: u8) -> Result<String, ToolError> {
    let mut level = level + 1;
    elicit::<Yes>("go?").await?;
    let one = std::convert::identity(
        #[cfg(any())]
        {
            level = missing();
            1
        },
        #[cfg(not(any()))]
        noted(level),
    );
    level += 1;
    Ok(format!("{level} {one}"))
}

#[saga_tool]
async fn a_macro_that_is_taken_away() -> Result<String, ToolError> {
    let mut list = vec![1];
    elicit::<Yes>("go?").await?;
    #[cfg(any())]
    vec![missing(); 3];
    #[cfg(any())]
    panic!("{}", missing());
    let list = [
        #[cfg(any())]
        matches!(missing(), 1),
        #[cfg(not(any()))]
        matches!(list.pop(), Some(1)),
    ];
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn nested_ends(level: u8) -> Result<String, ToolError> {
    let name = noted("n".to_owned());
    let level = noted(level);
    if elicit::<Yes>("go?").await?.yes {
        if level > 0 {
            #[cfg(any())]
            return Err(missing());
            #[cfg(not(any()))]
            effect("here");
        } else {
            return Ok("none".to_owned());
        }
        effect(&name);
    } else {
        #[cfg(any())]
        {
            return Err(missing());
        }
    }
    Ok(format!("{name}{level}"))
}
