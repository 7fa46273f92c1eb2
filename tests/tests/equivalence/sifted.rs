//! Loops over those items of a place that a filter lets through, which the body may change.

use std::collections::BTreeMap;

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::noted;

bodies! {
    items_that_change;
    beside_others;
    values_of_a_map;
    by_a_closure_with_an_effect;
    by_what_it_counts;
    in_a_sifted_one;
    and_left;
    by_a_limit_that_moves_on_at_the_end;
}

#[saga_tool]
async fn items_that_change() -> Result<String, ToolError> {
    let mut sizes = vec![0, 4, 0, 1];
    for size in sizes.iter_mut().filter(|size| **size == 0) {
        *size = elicit::<Count>("Which size?").await?.n;
        elicit::<Yes>(format!("{size}?")).await?;
        *size += 1;
    }
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn beside_others() -> Result<String, ToolError> {
    let names = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let mut cells = vec![String::new(), "x".to_owned(), String::new()];
    for (at, (cell, name)) in
        cells.iter_mut().zip(&names).enumerate().filter(|(_, (cell, _))| cell.is_empty())
    {
        *cell = elicit::<Name>(format!("{at}: {name}?")).await?.name;
    }
    Ok(cells.join(","))
}

#[saga_tool]
async fn values_of_a_map() -> Result<String, ToolError> {
    let least = 2;
    let mut prices = BTreeMap::from([("a", 1), ("b", 2), ("c", 3)]);
    for price in prices.values_mut().filter(|price| **price >= least) {
        *price -= 2;
        elicit::<Yes>(format!("{price}?")).await?;
    }
    Ok(format!("{prices:?}"))
}

#[saga_tool]
async fn by_a_closure_with_an_effect() -> Result<String, ToolError> {
    let sizes = vec![4, 3, 2, 1];
    for size in sizes.iter().filter(|size| noted(**size) % 2 == 0) {
        elicit::<Yes>(format!("{size}?")).await?;
    }
    Ok(format!("{sizes:?}"))
}

#[saga_tool]
async fn by_what_it_counts() -> Result<String, ToolError> {
    let (mut count, mut asked) = (0, Vec::new());
    let letters = "abcdef".to_owned();
    for letter in letters.chars().filter(|_| {
        count += 1;
        count % 2 == 0
    }) {
        if elicit::<Yes>(format!("{letter}?")).await?.yes {
            asked.push(letter);
        }
    }
    Ok(format!("{asked:?} of {count}"))
}

#[saga_tool]
async fn in_a_sifted_one() -> Result<String, ToolError> {
    let mut rows = vec![vec![0, 1, 0], vec![], vec![2, 0]];
    let mut filled = 0;
    'rows: for row in rows.iter_mut().filter(|row| !row.is_empty()) {
        for cell in row.iter_mut().filter(|cell| **cell == 0) {
            let count: Count = elicit(format!("{filled} filled, which?")).await?;
            *cell = count.n;
            filled += 1;
            if count.n == 2 {
                continue 'rows;
            }
        }
        row.push(9);
    }
    Ok(format!("{rows:?} {filled}"))
}

#[saga_tool]
async fn and_left() -> Result<String, ToolError> {
    let sizes = [3, 4, 5, 6];
    let found = 'found: {
        for size in sizes.iter().filter(|size| noted(**size) > 3) {
            if elicit::<Yes>(format!("{size}?")).await?.yes {
                break 'found Some(size);
            }
        }
        None
    };
    elicit::<Yes>(format!("{found:?}?")).await?;
    Ok(format!("{found:?}"))
}

#[saga_tool]
async fn by_a_limit_that_moves_on_at_the_end() -> Result<String, ToolError> {
    let words = ["a", "bbb", "cc", "dddd", "ee"].map(str::to_owned);
    let (short, long) = ("x".to_owned(), "yyy".to_owned());
    let mut least = &short;
    let mut seen = Vec::new();
    for word in words.iter().filter(|word| word.len() > least.len()) {
        seen.push(word.clone());
        if !elicit::<Yes>(format!("{word}?")).await?.yes {
            least = &long;
            break;
        }
    }
    Ok(format!("{seen:?}{least}"))
}
