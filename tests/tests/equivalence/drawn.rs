//! Loops over an iterator that outlives them: `for line in lines.by_ref()`.

use saga_runtime::{ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Yes};
use saga_tests::kit::{Item, items};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    what_the_loop_leaves;
    the_first_lines(text: "title\nauthor\n\none\ntwo".to_owned());
    a_header_up_to_an_empty_line(text: "a: 1\nb: 2\n\none\ntwo".to_owned());
    a_mutable_borrow_of_it;
    counted_from_both_sides;
    left_out_and_changed;
    left_out_at_first;
    beside_another;
    beside_what_a_question_gave;
    of_an_iterator_that_owns_its_items;
    of_a_field;
    one_in_another;
    counted_in_one_that_counts;
    the_same_twice;
    a_limit_that_is_asked_for;
    no_limit_left;
    left_by_a_label;
    with_a_pattern;
    closures_that_keep_count;
    a_peekable_one;
    a_question_in_one_of_many;
    in_a_saga;
    by_a_closure_that_takes_what_stays(prefix: 3);
    mutable_borrows_drawn_by_hand;
}

#[saga_tool]
async fn what_the_loop_leaves() -> Result<String, ToolError> {
    let items = items();
    let mut rest = items.iter();
    for item in rest.by_ref() {
        if elicit::<Yes>(format!("{}?", item.name)).await?.yes {
            break;
        }
    }
    let left = rest.len();
    elicit::<Yes>(format!("{left} left?")).await?;
    Ok(rest.map(|item| item.name.as_str()).collect::<Vec<_>>().join(","))
}

#[saga_tool]
async fn the_first_lines(text: String) -> Result<String, ToolError> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut head = Vec::new();
    for (number, line) in lines.by_ref().take(2).enumerate() {
        if elicit::<Yes>(format!("{number}: {line}?")).await?.yes {
            head.push(line);
        }
    }
    for line in lines {
        elicit::<Yes>(format!("{line} under {head:?}?")).await?;
    }
    Ok(head.join("/"))
}

#[saga_tool]
async fn a_header_up_to_an_empty_line(text: String) -> Result<String, ToolError> {
    let mut lines = text.lines();
    let mut fields = Vec::new();
    for line in lines.by_ref().take_while(|line| !noted(*line).is_empty()) {
        let (name, value) = line.split_once(": ").ok_or_else(|| ToolError::new("no field"))?;
        let count: Count = elicit(format!("{name}, now {value}?")).await?;
        fields.push((name, value, count.n));
    }
    Ok(format!("{fields:?} {:?}", lines.next()))
}

#[saga_tool]
async fn a_mutable_borrow_of_it() -> Result<String, ToolError> {
    let mut numbers = vec![3, 5, 7, 9].into_iter();
    for number in &mut numbers {
        if elicit::<Count>(format!("{number}?")).await?.n > 1 {
            break;
        }
    }
    for (at, number) in (&mut numbers).enumerate() {
        elicit::<Yes>(format!("{at} {number}?")).await?;
    }
    Ok(format!("{:?}", numbers.next()))
}

#[saga_tool]
async fn counted_from_both_sides() -> Result<String, ToolError> {
    let mut letters = ["a", "b", "c", "d", "e"].iter();
    for (at, (back, letter)) in
        letters.by_ref().enumerate().take(3).map(|(at, letter)| (at, (2 - at, letter)))
    {
        elicit::<Yes>(format!("{at} {back} {letter}?")).await?;
    }
    Ok(format!("{:?}", letters.next()))
}

#[saga_tool]
async fn left_out_and_changed() -> Result<String, ToolError> {
    let words = ["1", "x", "3", "y", "5"].map(str::to_owned);
    let mut words = words.iter();
    for (at, number) in words.by_ref().filter_map(|word| noted(word).parse::<u32>().ok()).enumerate() {
        elicit::<Yes>(format!("{at} {number}?")).await?;
        if at == 1 {
            break;
        }
    }
    for (at, word) in words.by_ref().filter(|word| word.len() == 1).zip(1..) {
        elicit::<Yes>(format!("{at} {word}?")).await?;
    }
    Ok(words.len().to_string())
}

#[saga_tool]
async fn left_out_at_first() -> Result<String, ToolError> {
    let mut numbers = (0..6).map(|number| number * 2);
    for number in numbers.by_ref().skip(noted(2)).take(2) {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    for number in numbers.by_ref().skip(9) {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    Ok(format!("{:?}", numbers.next()))
}

#[saga_tool]
async fn beside_another() -> Result<String, ToolError> {
    let names = ["a", "b", "c"].map(str::to_owned);
    let (mut names, mut prices) = (names.iter(), [3, 4, 5, 6].into_iter());
    for (name, price) in names.by_ref().zip(prices.by_ref()) {
        if elicit::<Yes>(format!("{name} for {price}?")).await?.yes {
            break;
        }
    }
    Ok(format!("{:?} {:?}", names.next(), prices.next()))
}

#[saga_tool]
async fn beside_what_a_question_gave() -> Result<String, ToolError> {
    let mut letters = "abcdef".chars();
    for (letter, number) in letters.by_ref().zip(0..elicit::<Count>("How many?").await?.n) {
        elicit::<Yes>(format!("{letter}{number}?")).await?;
    }
    Ok(letters.collect())
}

#[saga_tool]
async fn of_an_iterator_that_owns_its_items() -> Result<String, ToolError> {
    let mut items = items().into_iter();
    for Item { name, size, .. } in items.by_ref().take(1) {
        elicit::<Yes>(format!("{name} {size}?")).await?;
        effect(name);
    }
    let rest: Vec<_> = items.collect();
    elicit::<Yes>(format!("{rest:?}?")).await?;
    Ok(rest.len().to_string())
}

#[saga_tool]
async fn of_a_field() -> Result<String, ToolError> {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Work {
        turns: std::ops::Range<u8>,
    }
    let mut work = Work { turns: 0..5 };
    for turn in work.turns.by_ref().take(3) {
        elicit::<Yes>(format!("{turn}?")).await?;
    }
    Ok(format!("{:?}", work.turns))
}

#[saga_tool]
async fn one_in_another() -> Result<String, ToolError> {
    let mut words = "a 1 2 . b 3 . c".split(' ');
    let mut all = Vec::new();
    while let Some(name) = words.next() {
        let mut sum = 0;
        for (at, number) in words.by_ref().take_while(|word| *word != ".").enumerate() {
            let count: Count = elicit(format!("{name}: {number} at {at}, how many?")).await?;
            sum += count.n;
        }
        all.push((name, sum));
    }
    Ok(format!("{all:?}"))
}

#[saga_tool]
async fn counted_in_one_that_counts() -> Result<String, ToolError> {
    let (mut rows, mut cells) = (0..9_u8, "abcdefghij".chars());
    for (at, row) in rows.by_ref().take(3).enumerate() {
        for (inner, cell) in cells.by_ref().take(3).enumerate().take(2) {
            elicit::<Yes>(format!("{at} {row} {inner} {cell}?")).await?;
        }
        effect(format_args!("{at} {row}"));
    }
    Ok(format!("{rows:?} {:?}", cells.next()))
}

#[saga_tool]
async fn the_same_twice() -> Result<String, ToolError> {
    let mut numbers = 0..9_u8;
    for pair in 0..2 {
        for (at, number) in numbers.by_ref().take(2).enumerate() {
            elicit::<Yes>(format!("{pair} {at} {number}?")).await?;
        }
        effect(format_args!("{numbers:?}"));
    }
    Ok(format!("{numbers:?}"))
}

#[saga_tool]
async fn a_limit_that_is_asked_for() -> Result<String, ToolError> {
    let mut numbers = 0..9_u8;
    for number in numbers.by_ref().take(elicit::<Count>("How many?").await?.n as usize) {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    Ok(format!("{numbers:?}"))
}

#[saga_tool]
async fn no_limit_left() -> Result<String, ToolError> {
    let mut letters = "abc".chars();
    for letter in letters.by_ref().inspect(|letter| effect(letter)).take(noted(0)) {
        elicit::<Yes>(format!("{letter}?")).await?;
    }
    for letter in letters.by_ref().inspect(|letter| effect(letter)).take(1) {
        elicit::<Yes>(format!("{letter}?")).await?;
    }
    Ok("done".to_owned())
}

#[saga_tool]
async fn left_by_a_label() -> Result<String, ToolError> {
    let mut numbers = 0..20_u8;
    'rows: for row in 0..3 {
        'cells: for (at, number) in numbers.by_ref().enumerate() {
            let count: Count = elicit(format!("{row} {at} {number}?")).await?;
            match count.n {
                0 => continue 'cells,
                1 => continue 'rows,
                2 if at > 0 => break 'cells,
                _ if at > 1 => break 'rows,
                _ => {}
            }
            effect(number);
        }
    }
    Ok(format!("{numbers:?}"))
}

#[saga_tool]
async fn with_a_pattern() -> Result<String, ToolError> {
    let pairs = [("a".to_owned(), [1_u8, 2]), ("b".to_owned(), [3, 4]), ("c".to_owned(), [5, 6])];
    let mut pairs = pairs.iter();
    for (at, (name, [first, second])) in pairs.by_ref().enumerate() {
        elicit::<Yes>(format!("{at} {name} {first}?")).await?;
        if *second > 3 {
            break;
        }
    }
    Ok(format!("{:?}", pairs.next()))
}

#[saga_tool]
async fn closures_that_keep_count() -> Result<String, ToolError> {
    let mut seen = Vec::new();
    let (least, mut numbers) = (2, [1, 2, 3, 4].into_iter());
    for number in numbers
        .by_ref()
        .map(|number| {
            seen.push(number);
            number * 10
        })
        .filter(move |number| *number > least * 10)
    {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    Ok(format!("{seen:?}"))
}

#[saga_tool]
async fn a_peekable_one() -> Result<String, ToolError> {
    let mut letters = "aab".chars().peekable();
    let mut runs = Vec::new();
    while let Some(letter) = letters.next() {
        let mut count = 1;
        while letters.next_if_eq(&letter).is_some() {
            count += 1;
        }
        for other in letters.by_ref().take(1) {
            elicit::<Yes>(format!("{other} after {count} {letter}?")).await?;
        }
        runs.push((letter, count));
    }
    Ok(format!("{runs:?}"))
}

#[saga_tool]
async fn a_question_in_one_of_many() -> Result<String, ToolError> {
    let mut numbers = 0..1000_u32;
    let mut sum = 0_u32;
    for (at, number) in numbers.by_ref().take(900).enumerate() {
        if at % 400 == 399 {
            sum += u32::from(elicit::<Count>(format!("{number}?")).await?.n);
        }
        sum += 1;
    }
    Ok(format!("{sum} {numbers:?}"))
}

#[saga]
async fn shown(lines: &[String]) -> Result<usize, ToolError> {
    let mut lines = lines.iter();
    for line in lines.by_ref().take(1) {
        elicit::<Yes>(format!("{line}?")).await?;
    }
    Ok(lines.len())
}

#[saga_tool]
async fn in_a_saga() -> Result<String, ToolError> {
    let mut texts = [vec!["a".to_owned(), "b".to_owned()], vec!["c".to_owned()]].into_iter();
    let mut left = 0;
    for text in texts.by_ref() {
        left += Box::pin(call(shown(&text))).await?;
    }
    Ok(left.to_string())
}

#[saga_tool]
async fn by_a_closure_that_takes_what_stays(prefix: usize) -> Result<String, ToolError> {
    let text = "a\nb\nc".to_owned();
    let mut lines = text.lines();
    let mut all = Vec::new();
    for line in lines.by_ref().map(move |line| format!("{prefix}{line}")) {
        elicit::<Yes>(format!("{line}?")).await?;
        all.push(line);
    }
    Ok(format!("{all:?}"))
}

#[saga_tool]
async fn mutable_borrows_drawn_by_hand() -> Result<String, ToolError> {
    let mut sizes = vec![noted(1_u8), 2, 3];
    let mut rest = sizes.iter_mut();
    while let Some(size) = rest.next() {
        *size += 1;
        if !elicit::<Yes>(format!("{size}?")).await?.yes {
            continue;
        }
        *size += 10;
    }
    let mut pairs = sizes.iter_mut().enumerate().skip(1);
    'all: while let Some((at, size)) = pairs.next() {
        if elicit::<Count>(format!("{at}: {size}?")).await?.n == 2 {
            break 'all;
        }
        *size = 0;
    }
    let mut rows = sizes.chunks_mut(2);
    while let Some(row) = rows.next() {
        row[0] = elicit::<Count>(format!("{row:?}?")).await?.n;
    }
    let mut plans = vec![Plan { name: "a".to_owned(), size: 1 }, Plan { name: "b".to_owned(), size: 2 }];
    let mut parts = plans.iter_mut();
    while let Some(Plan { name, size }) = parts.next() {
        *size += elicit::<Count>(format!("{name}?")).await?.n;
        name.push('!');
    }
    Ok(format!("{sizes:?} {plans:?}"))
}

#[derive(Debug, Serialize, Deserialize)]
struct Plan {
    name: String,
    size: u8,
}
