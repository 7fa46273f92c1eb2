//! Values of which only another branch says the type.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};

bodies! {
    typed_by_another_branch(w: 1_u8, text: "x".to_owned(), some: None::<u8>);
    coerced_beside_another_branch(w: 1_u8, text: "x".to_owned());
    operands_typed_by_another_branch(w: 1_u8, text: "x".to_owned());
    operands_coerced_beside_another_branch(w: 1_u8, text: "xyz".to_owned());
    scrutinees_typed_by_another_branch(w: 1_u8, text: "x".to_owned());
    loops_typed_by_another_break(w: 1_u8);
    operands_that_lend_what_they_made(text: "xyz".to_owned());
    branches_that_all_assign(w: 1_u8, text: "x".to_owned());
    typed_beside_closures(text: "1 x".to_owned());
    branches_that_give_closures(w: 1_u8);
    branches_that_give_closures(w: 2_u8);
    a_closure_in_a_branch_or_none;
}

/// A branch that asks is typed by the others, also where no later question holds the value.
#[saga_tool]
async fn typed_by_another_branch(w: u8, text: String, some: Option<u8>) -> Result<String, ToolError> {
    let mask = if w == 0 {
        1_u8
    } else {
        elicit::<Yes>("a?").await?;
        2
    };
    effect(!mask);
    let many = match some {
        Some(many) => many,
        None => {
            if elicit::<Yes>("b?").await?.yes {
                250
            } else {
                251
            }
        }
    };
    effect(many.wrapping_add(10));
    let part = match w {
        0 => 0.2_f32,
        _ => {
            elicit::<Yes>("c?").await?;
            0.1
        }
    };
    effect(part * 3.0);
    let block = 'block: {
        if w == 0 {
            break 'block 1_u8;
        }
        elicit::<Yes>("d?").await?;
        2
    };
    effect(!block);
    let [a, b] = if w == 0 {
        [0_u8, 1]
    } else {
        elicit::<Yes>("e?").await?;
        [1, 2]
    };
    effect(!a | b);
    let number = match text.parse::<u32>() {
        Ok(number) => number,
        Err(_) => elicit::<Count>("f?").await?.n.into(),
    };
    effect(number.pow(2));
    let letters = match w {
        0 => vec!['x'],
        _ => elicit::<Name>("g?").await?.name.chars().collect(),
    };
    effect(letters.len());
    for at in 0..2_u8 {
        let label = if at == 0 {
            "none"
        } else {
            elicit::<Yes>("h?").await?;
            text.as_str()
        };
        let longer = if label.is_empty() || label.len() > 3 {
            elicit::<Yes>("i?").await?;
            at.into()
        } else {
            7_u64
        };
        effect(format_args!("{label} {}", longer.count_ones()));
    }
    Ok(format!("{mask} {many} {part} {block} {number}"))
}

/// What a branch gives is coerced beside the others.
#[saga_tool]
async fn coerced_beside_another_branch(w: u8, text: String) -> Result<String, ToolError> {
    let label = if w == 0 {
        "none"
    } else {
        elicit::<Yes>("j?").await?;
        &text
    };
    effect(label);
    let change = if w == 0 {
        one_more
    } else {
        elicit::<Yes>("k?").await?;
        twice
    };
    let mut lengths = vec![change(3)];
    for word in [text.clone(), "yz".to_owned()] {
        let upper = word.to_uppercase();
        let part = if w == 0 {
            &upper[..0]
        } else {
            elicit::<Yes>("l?").await?;
            &upper[..1]
        };
        lengths.push(u8::from(part.is_empty()));
    }
    Ok(format!("{lengths:?}"))
}

fn one_more(number: u8) -> u8 {
    number + 1
}

fn twice(number: u8) -> u8 {
    number * 2
}

/// An operand is one of several branches: a receiver, an argument, what is cast, what an operator takes.
#[saga_tool]
async fn operands_typed_by_another_branch(w: u8, text: String) -> Result<String, ToolError> {
    let zeros = (if w == 0 {
        1_u8
    } else {
        elicit::<Yes>("a?").await?;
        2
    })
    .leading_zeros();
    let same = identity(match text.parse::<u8>() {
        Ok(number) => number,
        Err(_) => {
            elicit::<Yes>("b?").await?;
            3
        }
    });
    let inverse = !match w {
        0 => 1_u16,
        _ => {
            elicit::<Yes>("c?").await?;
            2
        }
    };
    let wide = (match w {
        0 => -1_i8,
        _ => {
            elicit::<Yes>("d?").await?;
            -2
        }
    }) as u32;
    let pair = (
        noted(4),
        if w == 0 {
            Some(1_u8)
        } else {
            elicit::<Yes>("e?").await?;
            None
        },
        noted(5),
    );
    let size = size_of_val(&pair.1);
    let both = (noted(1), 'both: {
        if w == 0 {
            break 'both 1_u8;
        }
        elicit::<Yes>("f?").await?;
        2
    });
    let first = identity(if w == 0 {
        1_u8
    } else {
        elicit::<Yes>("g?").await?;
        2
    })
    .max(elicit::<Count>("h?").await?.n);
    let sizes = [size_of_val(&same), size_of_val(&both.1), size_of_val(&first)];
    effect(!first);
    Ok(format!("{zeros} {same} {inverse} {wide} {size} {sizes:?}"))
}

/// The same where the expression around it says what they become.
#[saga_tool]
async fn operands_coerced_beside_another_branch(w: u8, text: String) -> Result<String, ToolError> {
    let letters = vec!['a'];
    let change = changed(if w == 0 {
        one_more
    } else {
        elicit::<Yes>("a?").await?;
        twice
    });
    let many = many_of(match w {
        0 => &letters,
        _ => {
            elicit::<Yes>("b?").await?;
            &['a', 'b']
        }
    });
    let boxed = shown(if w == 0 {
        Box::new(1_u8)
    } else {
        elicit::<Yes>("c?").await?;
        Box::new("two")
    });
    let length = (match w {
        0 => "none",
        _ => {
            elicit::<Yes>("d?").await?;
            &text
        }
    })
    .len();
    Ok(format!("{change} {many} {boxed} {length}"))
}

/// What is looked at is one of several branches.
#[saga_tool]
async fn scrutinees_typed_by_another_branch(w: u8, text: String) -> Result<String, ToolError> {
    let one = match if w == 0 {
        (1_u8, 'a')
    } else {
        elicit::<Yes>("a?").await?;
        (2, 'b')
    } {
        (number, 'a') => number.leading_zeros(),
        (number, _) => (!number).into(),
    };
    let two = if let Some(number) = match w {
        0 => Some(1_u8),
        _ => {
            elicit::<Yes>("b?").await?;
            Some(2)
        }
    } && number < 9
    {
        u32::from(!number)
    } else {
        0
    };
    let mut three = Vec::new();
    for number in match text.len() {
        0 => vec![1_u8],
        _ => {
            elicit::<Yes>("c?").await?;
            vec![2, 3]
        }
    } {
        elicit::<Yes>(format!("{number}?")).await?;
        three.push(!number);
    }
    let Some(four) = (if w == 0 {
        Some(1_u8)
    } else {
        elicit::<Yes>("d?").await?;
        Some(2)
    }) else {
        return Ok("none".to_owned());
    };
    Ok(format!("{one} {two} {three:?} {}", !four))
}

/// A loop is left with several values.
#[saga_tool]
async fn loops_typed_by_another_break(w: u8) -> Result<String, ToolError> {
    let one = loop {
        if w == 0 {
            break 1_u8;
        }
        elicit::<Yes>("a?").await?;
        break 2;
    };
    let two = identity('outer: loop {
        loop {
            if w == 0 {
                break 'outer 1_u8;
            }
            if elicit::<Yes>("b?").await?.yes {
                break;
            }
            break 'outer 2;
        }
        elicit::<Yes>("c?").await?;
        break 3;
    });
    Ok(format!("{} {} {}", !one, !two, size_of_val(&two)))
}

/// The value borrows from what the `match` looks at, until the whole expression is evaluated.
#[saga_tool]
async fn operands_that_lend_what_they_made(text: String) -> Result<String, ToolError> {
    let length = length_of(match text.to_uppercase().as_str() {
        "" => {
            elicit::<Yes>("a?").await?;
            "empty"
        }
        upper => upper,
    });
    let again = length_of(match text[1..].to_uppercase().as_str() {
        "YZ" => {
            elicit::<Yes>("b?").await?;
            "asked"
        }
        upper => upper,
    });
    Ok(format!("{length} {again}"))
}

/// What every branch assigns is assigned after them.
#[saga_tool]
async fn branches_that_all_assign(w: u8, text: String) -> Result<String, ToolError> {
    let mut told = noted(String::new());
    effect(&told);
    let mut times = 0;
    let one = if w == 0 {
        told = text.clone();
        1_u8
    } else {
        elicit::<Yes>("a?").await?;
        told = text.to_uppercase();
        2
    };
    effect(&told);
    let two = identity(match w {
        0 => {
            told = "none".to_owned();
            1_u8
        }
        _ => {
            let name = elicit::<Name>("b?").await?;
            told = name.name;
            2
        }
    });
    effect(&told);
    let three = loop {
        times += 1;
        if times > 2 {
            break 1_u8;
        }
        elicit::<Yes>("c?").await?;
        told = format!("{times}");
    };
    Ok(format!("{told} {} {} {}", !one, !two, !three))
}

/// A closure on the way to a value is none of the value's type.
#[saga_tool]
async fn typed_beside_closures(text: String) -> Result<String, ToolError> {
    let sizes = match text.split(' ').map(|word| word.parse::<u8>()).collect::<Result<Vec<_>, _>>() {
        Ok(sizes) => sizes,
        Err(error) => {
            let count: Count = elicit(format!("{error}?")).await?;
            (0..count.n).map(|at| at.into()).collect()
        }
    };
    effect(sizes.len());
    let words = match text.split_once(' ').map(|_| text.split(' ').collect::<Vec<_>>()) {
        None => text.split(',').collect(),
        Some(words) if words.iter().any(|word| word.len() > 1) => words,
        Some(_) => {
            elicit::<Yes>("parts?").await?;
            text.split('x').map(|word| word.trim()).collect()
        }
    };
    let list = if words.iter().any(|word| word.is_empty()) {
        let yes: Yes = elicit(format!("{}?", words.len())).await?;
        if yes.yes { sizes.iter().map(|size| size / 2).collect() } else { Vec::new() }
    } else {
        sizes.iter().map(|size| size * 2).collect::<Vec<_>>()
    };
    elicit::<Yes>(format!("{}?", list.len())).await?;
    Ok(format!("{words:?} {list:?}"))
}

/// Where one branch alone gives a value, a closure may be that.
#[saga_tool]
async fn branches_that_give_closures(w: u8) -> Result<String, ToolError> {
    let names = ["ada".to_owned(), "bo".to_owned()];
    let lengths = if w == 1 {
        let yes: Yes = elicit("lengths?").await?;
        names.iter().map(move |name| name.len() + usize::from(yes.yes))
    } else {
        return Ok(String::new());
    };
    let others = match names.first() {
        Some(first) => names.iter().filter(move |name| *name != first),
        None => {
            elicit::<Yes>("none?").await?;
            return Ok("none".to_owned());
        }
    };
    let mut total = lengths.sum::<usize>() + others.count();
    let change: Box<dyn Fn(usize) -> usize> = match names.get(2) {
        Some(name) => Box::new(|total| total + name.len()),
        None => {
            let yes: Yes = elicit("double?").await?;
            if yes.yes { Box::new(|total| total * 2) } else { Box::new(|total| total) }
        }
    };
    total = change(total);
    let add = if total > 9 {
        |total: usize| total + 1
    } else {
        elicit::<Yes>("two more?").await?;
        |total: usize| total + 2
    };
    Ok(add(total).to_string())
}

fn identity<T>(value: T) -> T {
    value
}

fn changed(change: fn(u8) -> u8) -> u8 {
    change(3)
}

fn many_of(letters: &[char]) -> usize {
    letters.len()
}

fn shown(value: Box<dyn std::fmt::Display>) -> String {
    value.to_string()
}

fn length_of(text: &str) -> usize {
    text.len()
}

#[saga_tool]
async fn a_closure_in_a_branch_or_none() -> Result<String, ToolError> {
    let add = if noted(true) {
        let n = elicit::<Count>("How many?").await?.n;
        Some(move |x: u8| x + n)
    } else {
        None
    };
    Ok(add.map_or(0, |add| add(1)).to_string())
}
