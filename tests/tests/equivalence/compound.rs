//! `place += value` with a question in the value or in the place: of numbers the value comes first, of all else the place.

use std::collections::BTreeMap;

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

use crate::early::game;

bodies! {
    added_text_to_entry;
    added_text_that_fails(key: "a".to_owned());
    added_number_that_fails;
    added_number_by_reference;
    added_text_to_index;
    added_number_own_method;
}

fn next(log: &'static str) -> String {
    effect(log);
    log.to_owned()
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Money(u32);
impl std::ops::AddAssign<u32> for Money {
    fn add_assign(&mut self, more: u32) {
        effect(more);
        self.0 += more;
    }
}
impl std::ops::AddAssign<&Money> for Money {
    fn add_assign(&mut self, more: &Money) {
        effect(more.0);
        self.0 += more.0;
    }
}

#[saga_tool]
async fn added_text_to_entry() -> Result<String, ToolError> {
    let mut notes: BTreeMap<String, String> = BTreeMap::new();
    *notes.entry(next("a")).or_default() += &elicit::<Name>("a?").await?.name;
    *notes.entry(next("b")).or_default() += elicit::<Name>("b?").await?.name.as_str();
    for key in ["a", "c", "c"] {
        *notes.entry(key.to_owned()).or_insert_with(|| next("z")) += &match elicit::<Name>("d?").await {
            Ok(name) => name.name,
            Err(_) => break,
        };
    }
    Ok(format!("{notes:?}"))
}

#[saga_tool]
async fn added_text_that_fails(key: String) -> Result<String, ToolError> {
    let mut notes: BTreeMap<String, String> = BTreeMap::from([("a".to_owned(), "n".to_owned())]);
    let got = noted(1);
    *notes.get_mut(&key).ok_or("none")? += &elicit::<Name>(format!("{got}?")).await?.name;
    *notes.get_mut("b").ok_or("no b")? += &elicit::<Name>("never?").await?.name;
    Ok(format!("{notes:?}"))
}

#[saga_tool]
async fn added_number_that_fails() -> Result<String, ToolError> {
    let mut totals: BTreeMap<String, u8> = BTreeMap::from([("a".to_owned(), 1)]);
    *totals.entry(next("k")).or_default() += elicit::<Count>("a?").await?.n;
    *totals.get_mut("a").ok_or("none")? += elicit::<Count>("b?").await?.n;
    *totals.get_mut("b").ok_or("no b")? += elicit::<Count>("asked?").await?.n;
    Ok(format!("{totals:?}"))
}

#[saga_tool]
async fn added_number_by_reference() -> Result<String, ToolError> {
    let mut totals: BTreeMap<String, u8> = BTreeMap::from([("a".to_owned(), 1)]);
    *totals.entry(next("k")).or_default() += &elicit::<Count>("a?").await?.n;
    let mut list = vec![1_u8, 2, 3];
    list[noted(1)] += &elicit::<Count>("b?").await?.n;
    let mut i = 0;
    list[i] += {
        i += 1;
        elicit::<Count>("c?").await?.n
    };
    effect(format_args!("{i}{list:?}"));
    list[i] += &{
        i += 1;
        elicit::<Count>("d?").await?.n
    };
    Ok(format!("{totals:?}{list:?}{i}"))
}

#[saga_tool]
async fn added_text_to_index() -> Result<String, ToolError> {
    let mut texts = vec!["a".to_owned(), "b".to_owned()];
    let mut game = game();
    texts[noted(1)] += &elicit::<Name>("a?").await?.name;
    game.name += &elicit::<Name>(game.prompt()).await?.name;
    game.name += elicit::<Name>(game.name.clone()).await?.name.trim();
    let mut many = [Money(1), Money(2)];
    many[1] += u32::from(elicit::<Count>("m?").await?.n);
    many[noted(0)] += &Money(u32::from(elicit::<Count>("n?").await?.n));
    *texts.last_mut().unwrap() += &elicit::<Name>("l?").await?.name;
    *texts.iter_mut().find(|text| text.starts_with('a')).ok_or("none")? += &elicit::<Name>("f?").await?.name;
    Ok(format!("{texts:?}{game:?}{many:?}"))
}

#[saga_tool]
async fn added_number_own_method() -> Result<String, ToolError> {
    let mut game = game();
    game.score += elicit::<Count>(game.next_prompt()).await?.n;
    game.list[0] += elicit::<Count>(game.next_prompt()).await?.n;
    *game.list.last_mut().unwrap() += elicit::<Count>(game.next_prompt()).await?.n;
    *game.list.first_mut().ok_or("none")? += elicit::<Count>(game.next_prompt()).await?.n;
    let left = elicit::<Count>("x?").await?.n;
    *game.list.get_mut(usize::from(left)).ok_or("far")? -= noted(0);
    *game.list.get_mut(usize::from(elicit::<Count>("y?").await?.n)).ok_or("far")? += noted(1);
    Ok(format!("{game:?}"))
}
