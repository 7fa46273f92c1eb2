//! Borrows that an iterator's methods pick, and loops over what they let through.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Yes};
use saga_tests::kit::{Fleet, Item, items};
use saga_tests::law::{effect, noted};

bodies! {
    picked_from_a_list;
    sifted_loops;
    picked_by_captures(least: 1_u32);
    picked_out_of_maps;
    picked_from_the_context in Fleet::new();
    picked_and_owned;
    picked_by_a_match(names: vec!["ada".to_owned(), "bo".to_owned()]);
}

#[saga_tool]
async fn picked_from_a_list() -> Result<String, ToolError> {
    let items = items();
    let largest = items.iter().max_by_key(|item| item.size);
    let Some(shortest) = items.iter().min_by_key(|item| (item.name.len(), Reverse(item.size))) else {
        return Ok("none".into());
    };
    let last = items.iter().rev().find(|item| item.name.starts_with('t')).unwrap();
    let y: Yes = elicit(format!("{largest:?} {}?", shortest.name)).await?;
    if let Some(Item { name, size, .. }) = largest {
        let n: Count = elicit(format!("{name} {size}?")).await?;
        effect(format_args!("{name} {}", n.n));
    }
    let third = items.iter().nth(2).expect("there are four");
    let (index, odd) = items
        .iter()
        .enumerate()
        .skip(1)
        .find(|(_, item)| item.size % 2 == 1 && !item.tags.is_empty())
        .unwrap();
    let n: Count = elicit(format!("{} {index}", third.name)).await?;
    Ok(format!("{} {} {} {} {} {}", y.yes, shortest.size, last.name, third.size, odd.name, n.n))
}

#[saga_tool]
async fn sifted_loops() -> Result<String, ToolError> {
    let items = items();
    let mut seen = Vec::new();
    for item in items.iter().filter(|item| item.size > 1) {
        let y: Yes = elicit(format!("{}?", item.name)).await?;
        if y.yes {
            seen.push(item.name.as_str());
        }
    }
    for (i, item) in items
        .iter()
        .enumerate()
        .skip_while(|(i, _)| *i < 1)
        .filter(|(_, item)| matches!(item.name.as_str(), "two" | "seven" | "three"))
    {
        let n: Count = elicit(format!("{i} {}?", item.name)).await?;
        if n.n == 0 {
            continue;
        }
        effect(&item.name);
    }
    for tag in items[noted(1)].tags.iter().take_while(|tag| tag.len() < 2) {
        let y: Yes = elicit(format!("{tag}?")).await?;
        effect(y.yes);
    }
    Ok(format!("{seen:?}"))
}

#[saga_tool]
async fn picked_by_captures(least: u32) -> Result<String, ToolError> {
    let (items, bound) = (items(), noted(least + 1));
    let first = items.iter().find(|item| item.size >= bound);
    let y: Yes = elicit(format!("{first:?}?")).await?;
    for item in items.iter().filter(|item| item.size > least) {
        let n: Count = elicit(format!("{}?", item.name)).await?;
        effect(format_args!("{} {}", item.name, n.n));
    }
    Ok(format!("{:?} {}", first.map(|first| &first.name), y.yes))
}

#[saga_tool]
async fn picked_out_of_maps() -> Result<String, ToolError> {
    let prices = BTreeMap::from([("a".to_owned(), 3_u32), ("b".to_owned(), 1), ("c".to_owned(), 2)]);
    let cheapest = prices.iter().min_by_key(|(_, price)| **price);
    let dear = prices.values().max();
    let key = prices.keys().next_back();
    let y: Yes = elicit(format!("{cheapest:?} {dear:?} {key:?}?")).await?;
    let Some((name, price)) = cheapest else { return Ok(String::new()) };
    let n: Count = elicit(format!("{name} {price}?")).await?;
    Ok(format!("{name} {price} {dear:?} {key:?} {} {}", y.yes, n.n))
}

#[saga_tool]
async fn picked_from_the_context(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    let region = fleet.regions.iter().find(|region| region.contains('u'));
    let y: Yes = elicit(format!("{region:?}?")).await?;
    for region in fleet.regions.iter().filter(|region| region.len() == 2) {
        let n: Count = elicit(format!("{region}?")).await?;
        effect(n.n);
    }
    Ok(format!("{region:?} {}", y.yes))
}

/// What is picked is owned, so that the list may go.
#[saga_tool]
async fn picked_and_owned() -> Result<String, ToolError> {
    let items = items();
    let longest = items.iter().map(|item| item.name.len()).max();
    let first = items.iter().find(|item| item.size > 2).cloned();
    let sizes = vec![3, 1, 2];
    let most = sizes.iter().copied().max();
    let least = *sizes.iter().min().unwrap();
    drop((items, sizes));
    let y: Yes = elicit(format!("{longest:?} {most:?} {least}?")).await?;
    Ok(format!("{longest:?} {first:?} {most:?} {least} {}", y.yes))
}

#[saga_tool]
async fn picked_by_a_match(names: Vec<String>) -> Result<String, ToolError> {
    #[saga(rebuild)]
    let (first, last) = match names.as_slice() {
        [] => return Ok("none".to_owned()),
        [one] => (one, one),
        [first, .., last] => (first, last),
    };
    let y: Yes = elicit(format!("{first} {last}?")).await?;
    Ok(format!("{first} {last} {}", y.yes))
}
