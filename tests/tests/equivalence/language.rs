//! The language: for each construct the smallest tool that shows it. `docs/language.md` is written from this file, and
//! random tools draw every one of these constructs (`tests/language.rs`).

#![allow(for_loops_over_fallibles, reason = "people write them, and they are a construct")]

use saga_runtime::{StepError, ToolError, call, elicit, join, join_all, list_roots, saga, saga_tool, sample};
use saga_tests::forms::{Count, Name, Region, Target, Yes};
use saga_tests::kit::{Fleet, Item, Plan, item, looked_at, plan, prices, second};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    a_form;
    a_prompt;
    the_folders;
    optional_answer;
    a_round;
    a_round_of_many(names: vec!["ada".to_owned(), "bo".to_owned()]);
    each;
    a_saga;
    saga_by_reference;
    saga_by_mutable_reference;
    saga_method;
    recursive_saga;
    sagas_together;
    sagas_together_each;
    sagas_for_each(names: vec!["ada".to_owned(), "bo".to_owned()]);
    ordinary_await in Fleet::new();
    type_of_an_answer_by_annotation;
    question_as_a_statement;
    question_mark;
    answer_as_a_result;
    answer_by_methods;
    field_of_an_answer;
    call_argument;
    method_receiver;
    method_argument;
    method_on_a_place;
    borrow_as_an_argument;
    operator;
    unary_operator;
    comparison;
    lazy_operator;
    cast;
    reference;
    dereference;
    field;
    index;
    tuple;
    array;
    struct_literal;
    struct_with_base;
    vec_macro;
    format_macro;
    matches_macro;
    called_closure;
    closure_argument;
    block_expression;
    if_expression;
    labelled_block;
    loop_with_a_value;
    block;
    r#if;
    else_if;
    if_let;
    let_chain;
    let_else;
    r#match;
    r#return;
    r#loop;
    r#while;
    while_let_answer;
    while_let_pop;
    while_let_next;
    r#break;
    r#continue;
    for_over_a_range;
    for_over_an_inclusive_range;
    for_over_a_range_adapted;
    for_over_a_borrow(names: vec!["ada".to_owned(), "bo".to_owned()]);
    for_over_a_mutable_borrow;
    for_over_a_slice;
    for_over_iter;
    for_over_iter_enumerate;
    for_over_iter_rev;
    for_over_iter_filter;
    for_over_iter_skip;
    for_over_iter_cloned;
    for_over_iter_zip;
    for_over_chars;
    for_over_lines;
    for_over_words;
    for_over_a_map;
    for_over_keys;
    for_over_values;
    for_over_an_option;
    for_over_an_owned_option;
    for_over_an_array;
    for_over_once;
    for_over_owned_items;
    for_over_owned_items_adapted;
    for_over_by_ref;
    r#let;
    let_pattern;
    shadowing;
    deferred_initialisation;
    static_text(sure: true);
    assignment;
    assignment_to_a_part;
    compound_assignment;
    destructuring_assignment;
    r#move;
    move_of_a_part;
    borrow_of_a_local;
    borrow_of_a_part;
    mutable_borrow;
    mutable_reference_by_a_method;
    failure_over_a_question;
    borrow_by_a_method;
    borrow_by_a_function;
    list_of_borrows;
    best_so_far;
    pick_of_a_list;
    pattern_on_a_borrow;
    ref_pattern;
    borrow_of_a_temporary;
    change_after_a_borrow;
    closure;
    item_inside;
}

#[saga]
async fn confirm(what: &str) -> Result<bool, StepError> {
    let yes: Yes = elicit(format!("{what}?")).await?;
    Ok(yes.yes)
}

#[saga]
async fn grow(names: &mut Vec<String>, many: u8) -> Result<u8, StepError> {
    for index in 0..many {
        names.push(elicit::<Name>(format!("{index}?")).await?.name);
    }
    Ok(many)
}

#[saga]
async fn count_down(from: u8) -> Result<u8, StepError> {
    if from == 0 {
        return Ok(0);
    }
    let more = elicit::<Count>(format!("{from}?")).await?.n;
    Ok(call(count_down(from - 1)).await? + more)
}

#[derive(Debug, Serialize, Deserialize)]
struct Memo {
    text: String,
}

impl Memo {
    #[saga]
    async fn keep(self) -> Result<bool, StepError> {
        let yes: Yes = elicit(format!("Keep {}?", self.text)).await?;
        effect(&self.text);
        Ok(yes.yes)
    }
}

// # Asking

/// A form for the person.
#[saga_tool]
async fn a_form() -> Result<String, ToolError> {
    let target: Target = elicit("Where to?").await?;
    Ok(format!("{target:?}"))
}

/// A prompt for the model.
#[saga_tool]
async fn a_prompt() -> Result<String, ToolError> {
    let verdict = sample("Is it safe?").max_tokens(100).await?;
    Ok(verdict.text())
}

/// The client's folders.
#[saga_tool]
async fn the_folders() -> Result<String, ToolError> {
    let roots = list_roots().await?;
    Ok(format!("{} folders", roots.len()))
}

/// An answer that the person may leave out: `None` for a decline or a dismissal.
#[saga_tool]
async fn optional_answer() -> Result<String, ToolError> {
    let name = elicit::<Name>("Who?").optional().await?;
    Ok(format!("{name:?}"))
}

/// Several questions in one round, of any kinds.
#[saga_tool]
async fn a_round() -> Result<String, ToolError> {
    let (name, count) = join!(elicit::<Name>("Who?"), elicit::<Count>("How many?")).await?;
    Ok(format!("{} {}", name.name, count.n))
}

/// As many questions in one round as there are items.
#[saga_tool]
async fn a_round_of_many(names: Vec<String>) -> Result<String, ToolError> {
    let answers = join_all(names.iter().map(|name| elicit::<Yes>(format!("Invite {name}?")))).await?;
    Ok(format!("{answers:?}"))
}

/// A round with a result for each question.
#[saga_tool]
async fn each() -> Result<String, ToolError> {
    let (name, count) = join!(elicit::<Name>("Who?"), elicit::<Count>("How many?")).each().await;
    Ok(format!("{} {}", name.is_ok(), count.is_ok()))
}

/// A function with questions of its own.
#[saga_tool]
async fn a_saga() -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let sure = call(confirm("Sure")).await?;
    Ok(format!("{kept} {sure}"))
}

/// A function that asks and borrows what it is given.
#[saga_tool]
async fn saga_by_reference() -> Result<String, ToolError> {
    let regions = vec!["eu".to_owned(), "us".to_owned()];
    let sure = call(confirm(&regions[1])).await?;
    Ok(format!("{regions:?} {sure}"))
}

/// A function that asks and changes what it is given.
#[saga_tool]
async fn saga_by_mutable_reference() -> Result<String, ToolError> {
    let mut names = vec!["ada".to_owned()];
    let more = call(grow(&mut names, 2)).await?;
    Ok(format!("{names:?} {more}"))
}

/// A method that asks, and takes what it is called on.
#[saga_tool]
async fn saga_method() -> Result<String, ToolError> {
    let memo = Memo { text: noted("memo".to_owned()) };
    let kept = call(memo.keep()).await?;
    Ok(kept.to_string())
}

/// A function that asks and calls itself.
#[saga_tool]
async fn recursive_saga() -> Result<String, ToolError> {
    let sum = call(count_down(2)).await?;
    Ok(sum.to_string())
}

/// Functions that ask, and questions, in one round: each goes on by itself.
#[saga_tool]
async fn sagas_together() -> Result<String, ToolError> {
    let mut names = vec!["ada".to_owned()];
    let (sure, more, count) =
        join!(call(confirm("Sure")), call(grow(&mut names, 2)), elicit::<Count>("How many?")).await?;
    Ok(format!("{sure} {more} {} {names:?}", count.n))
}

/// Functions that ask, in one round, with a result for each.
#[saga_tool]
async fn sagas_together_each() -> Result<String, ToolError> {
    let (sure, sum) = join!(call(confirm("Sure")), call(count_down(2))).each().await;
    Ok(format!("{sure:?} {sum:?}"))
}

/// A function that asks, for each item of what there is, in one round.
#[saga_tool]
async fn sagas_for_each(names: Vec<String>) -> Result<String, ToolError> {
    let sure = join_all(names.iter().map(|name| call(confirm(name)))).await?;
    Ok(format!("{sure:?}"))
}

/// Any other future, which runs where it stands.
#[saga_tool]
async fn ordinary_await(#[context] fleet: &Fleet) -> Result<String, ToolError> {
    let name = fleet.pass("ada".to_owned()).await;
    let yes: Yes = elicit(format!("{name}?")).await?;
    Ok(fleet.pass(format!("{name} {}", yes.yes)).await)
}

// # The answer

/// The form by the local's type.
#[saga_tool]
async fn type_of_an_answer_by_annotation() -> Result<String, ToolError> {
    let count: Count = elicit("How many?").await?;
    Ok(count.n.to_string())
}

/// An answer that is not needed.
#[saga_tool]
async fn question_as_a_statement() -> Result<String, ToolError> {
    effect("before");
    elicit::<Yes>("Go on?").await?;
    effect("after");
    Ok("done".to_owned())
}

/// A refusal leaves the function, by way of `From`.
#[saga_tool]
async fn question_mark() -> Result<String, ToolError> {
    let yes = elicit::<Yes>("Sure?").await?;
    Err(ToolError::new(format!("{}", yes.yes)))?;
    Ok(String::new())
}

/// A refusal is a value like any other.
#[saga_tool]
async fn answer_as_a_result() -> Result<String, ToolError> {
    let answer: Result<Name, StepError> = elicit("Who?").await;
    elicit::<Yes>("Sure?").await?;
    Ok(format!("{answer:?}"))
}

/// What `Result` has methods for.
#[saga_tool]
async fn answer_by_methods() -> Result<String, ToolError> {
    let sure = elicit::<Yes>("Sure?").await.is_ok_and(|yes| yes.yes);
    let many = elicit::<Count>("How many?").await.map_or(1, |count| count.n);
    Ok(format!("{sure} {many}"))
}

/// A field of the form.
#[saga_tool]
async fn field_of_an_answer() -> Result<String, ToolError> {
    let name = elicit::<Name>("Who?").await?.name;
    Ok(name)
}

// # A question as a part of an expression

/// What stands before it is evaluated before it, and once.
#[saga_tool]
async fn call_argument() -> Result<String, ToolError> {
    let many = second(noted("first"), elicit::<Count>("How many?").await?.n);
    Ok(many.to_string())
}

/// The receiver of a method.
#[saga_tool]
async fn method_receiver() -> Result<String, ToolError> {
    Ok(elicit::<Name>("Who?").await?.name.to_uppercase())
}

/// The argument of a method.
#[saga_tool]
async fn method_argument() -> Result<String, ToolError> {
    let given: Option<u8> = noted(None);
    Ok(given.unwrap_or(elicit::<Count>("How many?").await?.n).to_string())
}

/// The argument of a method that changes its receiver.
#[saga_tool]
async fn method_on_a_place() -> Result<String, ToolError> {
    let mut plan = plan("p", 1);
    plan.lead.tags.push(elicit::<Name>("Which tag?").await?.name);
    Ok(format!("{:?}", plan.lead.tags))
}

/// A borrow beside it.
#[saga_tool]
async fn borrow_as_an_argument() -> Result<String, ToolError> {
    let mut name = "ada".to_owned();
    let before = std::mem::replace(&mut name, elicit::<Name>("Who?").await?.name);
    Ok(format!("{before} {name}"))
}

/// Operands on both sides.
#[saga_tool]
async fn operator() -> Result<String, ToolError> {
    let sum = elicit::<Count>("How many?").await?.n * 2 + elicit::<Count>("How many more?").await?.n;
    Ok(sum.to_string())
}

/// `!`, `-`.
#[saga_tool]
async fn unary_operator() -> Result<String, ToolError> {
    let unsure = !elicit::<Yes>("Sure?").await?.yes;
    Ok(unsure.to_string())
}

/// Comparisons.
#[saga_tool]
async fn comparison() -> Result<String, ToolError> {
    let more = noted(2) < elicit::<Count>("How many?").await?.n;
    Ok(more.to_string())
}

/// The right side is asked only if it is needed.
#[saga_tool]
async fn lazy_operator() -> Result<String, ToolError> {
    let both = elicit::<Yes>("One?").await?.yes && elicit::<Yes>("And the other?").await?.yes;
    Ok(both.to_string())
}

/// `as`.
#[saga_tool]
async fn cast() -> Result<String, ToolError> {
    let many = elicit::<Count>("How many?").await?.n as u32;
    Ok((many << 9).to_string())
}

/// A borrow of an answer.
#[saga_tool]
async fn reference() -> Result<String, ToolError> {
    let name = &elicit::<Name>("Who?").await?.name;
    effect(name);
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(name.clone())
}

/// What a value points to.
#[saga_tool]
async fn dereference() -> Result<String, ToolError> {
    let many = *Box::new(elicit::<Count>("How many?").await?.n);
    Ok(many.to_string())
}

/// A field of a value that asks.
#[saga_tool]
async fn field() -> Result<String, ToolError> {
    let name = (noted(1), elicit::<Name>("Who?").await?).1.name;
    Ok(name)
}

/// An index.
#[saga_tool]
async fn index() -> Result<String, ToolError> {
    let places = vec!["eu", "us", "ap", "sa"];
    let place = places[usize::from(elicit::<Count>("Which?").await?.n)];
    Ok(place.to_owned())
}

/// A tuple.
#[saga_tool]
async fn tuple() -> Result<String, ToolError> {
    let pair = (noted(1), elicit::<Count>("How many?").await?.n);
    Ok(format!("{pair:?}"))
}

/// An array.
#[saga_tool]
async fn array() -> Result<String, ToolError> {
    let many = [noted(1), elicit::<Count>("How many?").await?.n, noted(3)];
    Ok(format!("{many:?}"))
}

/// The fields of a struct.
#[saga_tool]
async fn struct_literal() -> Result<String, ToolError> {
    let item = Item { name: elicit::<Name>("Who?").await?.name, size: noted(1), tags: Vec::new() };
    Ok(format!("{item:?}"))
}

/// A struct with `..base`.
#[saga_tool]
async fn struct_with_base() -> Result<String, ToolError> {
    let item = Item { name: elicit::<Name>("Who?").await?.name, ..item("base", 3) };
    Ok(format!("{item:?}"))
}

/// `vec!`.
#[saga_tool]
async fn vec_macro() -> Result<String, ToolError> {
    let many = vec![noted(1), elicit::<Count>("How many?").await?.n];
    Ok(format!("{many:?}"))
}

/// `format!`, `println!`, `write!` and all whose arguments are a list of expressions.
#[saga_tool]
async fn format_macro() -> Result<String, ToolError> {
    Ok(format!("{} {}", noted(1), elicit::<Count>("How many?").await?.n))
}

/// `matches!`.
#[saga_tool]
async fn matches_macro() -> Result<String, ToolError> {
    let few = matches!(elicit::<Count>("How many?").await?.n, 0 | 1);
    Ok(few.to_string())
}

/// The argument of a closure.
#[saga_tool]
async fn called_closure() -> Result<String, ToolError> {
    let many = (|n: u8| n + 1)(elicit::<Count>("How many?").await?.n);
    Ok(many.to_string())
}

/// A closure beside it.
#[saga_tool]
async fn closure_argument() -> Result<String, ToolError> {
    let given: Option<u8> = Some(elicit::<Count>("How many?").await?.n).filter(|n| *n > 1);
    Ok(given.unwrap_or_else(|| 7).to_string())
}

/// The value of a block.
#[saga_tool]
async fn block_expression() -> Result<String, ToolError> {
    let many = {
        let count: Count = elicit("How many?").await?;
        count.n + 1
    };
    Ok(many.to_string())
}

/// The value of a branch.
#[saga_tool]
async fn if_expression() -> Result<String, ToolError> {
    let many = if noted(true) { elicit::<Count>("How many?").await?.n } else { 0 };
    Ok(many.to_string())
}

/// A labelled block, left with a value.
#[saga_tool]
async fn labelled_block() -> Result<String, ToolError> {
    let name = 'found: {
        if elicit::<Yes>("Yourself?").await?.yes {
            break 'found "you".to_owned();
        }
        elicit::<Name>("Who else?").await?.name
    };
    Ok(name)
}

/// The value of a loop.
#[saga_tool]
async fn loop_with_a_value() -> Result<String, ToolError> {
    let name = loop {
        let name = elicit::<Name>("Who?").await?.name;
        if !name.is_empty() {
            break name;
        }
    };
    Ok(name)
}

// # Branches

/// A block with a scope of its own.
#[saga_tool]
async fn block() -> Result<String, ToolError> {
    let name = noted("outer".to_owned());
    {
        let name = elicit::<Name>("Who?").await?.name;
        effect(name);
    }
    Ok(name)
}

/// `if`, with a question in its condition or in its branches.
#[saga_tool]
async fn r#if() -> Result<String, ToolError> {
    if elicit::<Yes>("Sure?").await?.yes {
        elicit::<Yes>("Quite sure?").await?;
    }
    Ok("done".to_owned())
}

/// `else if`.
#[saga_tool]
async fn else_if() -> Result<String, ToolError> {
    if noted(false) {
        effect("never");
    } else if elicit::<Yes>("Sure?").await?.yes {
        effect("sure");
    } else {
        elicit::<Name>("Why not?").await?;
    }
    Ok("done".to_owned())
}

/// `if let`.
#[saga_tool]
async fn if_let() -> Result<String, ToolError> {
    if let Ok(Name { name }) = elicit("Who?").await {
        elicit::<Yes>(format!("{name}?")).await?;
        effect(name);
    }
    Ok("done".to_owned())
}

/// A chain of conditions.
#[saga_tool]
async fn let_chain() -> Result<String, ToolError> {
    if let Ok(count) = elicit::<Count>("How many?").await
        && count.n > 1
        && elicit::<Yes>("So many?").await?.yes
    {
        effect(count.n);
    }
    Ok("done".to_owned())
}

/// `let` with `else`, on either side.
#[saga_tool]
async fn let_else() -> Result<String, ToolError> {
    let Some(Name { name }) = elicit("Who?").optional().await? else {
        return Err(ToolError::new(elicit::<Name>("Why not?").await?.name));
    };
    Ok(name)
}

/// `match`: on an answer, and with questions in its arms.
#[saga_tool]
async fn r#match() -> Result<String, ToolError> {
    let text = match elicit::<Target>("Where to?").await?.region {
        Region::Near => "near".to_owned(),
        region if region == Region::Far => elicit::<Name>("How?").await?.name,
        other => format!("{other:?}"),
    };
    Ok(text)
}

/// Leaving the function.
#[saga_tool]
async fn r#return() -> Result<String, ToolError> {
    if elicit::<Yes>("Enough?").await?.yes {
        return Ok(elicit::<Name>("Last words?").await?.name);
    }
    Ok("more".to_owned())
}

// # Loops

/// `loop`.
#[saga_tool]
async fn r#loop() -> Result<String, ToolError> {
    let mut tries = 0;
    loop {
        tries += 1;
        if tries > 3 || elicit::<Yes>(format!("Try {tries}?")).await?.yes {
            break;
        }
    }
    Ok(tries.to_string())
}

/// `while`.
#[saga_tool]
async fn r#while() -> Result<String, ToolError> {
    let mut many = 0;
    while many < 3 && elicit::<Yes>(format!("{many}, more?")).await?.yes {
        many += 1;
    }
    Ok(many.to_string())
}

/// `while let` on an answer.
#[saga_tool]
async fn while_let_answer() -> Result<String, ToolError> {
    let mut names = Vec::new();
    while let Ok(Name { name }) = elicit(format!("{names:?}, who else?")).await
        && names.len() < 3
    {
        names.push(name);
    }
    Ok(format!("{names:?}"))
}

/// `while let` on a collection.
#[saga_tool]
async fn while_let_pop() -> Result<String, ToolError> {
    let mut work = vec!["a", "b"];
    while let Some(item) = work.pop() {
        elicit::<Yes>(format!("{item} of {work:?}?")).await?;
    }
    Ok("done".to_owned())
}

/// `while let` on an iterator that is a local.
#[saga_tool]
async fn while_let_next() -> Result<String, ToolError> {
    let mut numbers = 0..3_u8;
    while let Some(number) = numbers.next() {
        elicit::<Yes>(format!("{number}?")).await?;
    }
    Ok(format!("{numbers:?}"))
}

/// Leaving a loop, also out of several levels.
#[saga_tool]
async fn r#break() -> Result<String, ToolError> {
    'outer: for row in 0..3 {
        for column in 0..3 {
            if elicit::<Yes>(format!("{row} {column}?")).await?.yes {
                break 'outer;
            }
        }
    }
    Ok("done".to_owned())
}

/// The next turn, also of an outer loop.
#[saga_tool]
async fn r#continue() -> Result<String, ToolError> {
    let mut sum = 0;
    'outer: for row in 0..2 {
        for column in 0..2 {
            if elicit::<Yes>(format!("{row} {column}?")).await?.yes {
                continue 'outer;
            }
            sum += column;
        }
    }
    Ok(sum.to_string())
}

/// A range.
#[saga_tool]
async fn for_over_a_range() -> Result<String, ToolError> {
    for index in 0..elicit::<Count>("How many?").await?.n {
        elicit::<Yes>(format!("{index}?")).await?;
    }
    Ok("done".to_owned())
}

/// An inclusive range, to its last number.
#[saga_tool]
async fn for_over_an_inclusive_range() -> Result<String, ToolError> {
    for index in 0..=2 {
        elicit::<Yes>(format!("{index}?")).await?;
    }
    Ok("done".to_owned())
}

/// A range's adaptors.
#[saga_tool]
async fn for_over_a_range_adapted() -> Result<String, ToolError> {
    for index in (0..6).rev().step_by(2) {
        elicit::<Yes>(format!("{index}?")).await?;
    }
    Ok("done".to_owned())
}

/// A borrow of a collection; the loop keeps its position.
#[saga_tool]
async fn for_over_a_borrow(names: Vec<String>) -> Result<String, ToolError> {
    for name in &names {
        elicit::<Yes>(format!("{name}?")).await?;
        effect(name);
    }
    Ok(format!("{names:?}"))
}

/// A mutable borrow.
#[saga_tool]
async fn for_over_a_mutable_borrow() -> Result<String, ToolError> {
    let mut sizes = vec![1, 2];
    for size in &mut sizes {
        *size += elicit::<Count>(format!("{size}?")).await?.n;
    }
    Ok(format!("{sizes:?}"))
}

/// A slice.
#[saga_tool]
async fn for_over_a_slice() -> Result<String, ToolError> {
    let sizes = vec![1, 2, 3];
    for size in &sizes[1..] {
        elicit::<Yes>(format!("{size}?")).await?;
    }
    Ok(format!("{sizes:?}"))
}

/// `iter`.
#[saga_tool]
async fn for_over_iter() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    for item in plan.items.iter() {
        elicit::<Yes>(format!("{}?", item.name)).await?;
    }
    Ok(plan.title)
}

/// `enumerate`.
#[saga_tool]
async fn for_over_iter_enumerate() -> Result<String, ToolError> {
    let sizes = vec![1, 2];
    for (index, size) in sizes.iter().enumerate() {
        elicit::<Yes>(format!("{index} {size}?")).await?;
    }
    Ok(format!("{sizes:?}"))
}

/// `rev`.
#[saga_tool]
async fn for_over_iter_rev() -> Result<String, ToolError> {
    let sizes = vec![1, 2];
    for size in sizes.iter().rev() {
        elicit::<Yes>(format!("{size}?")).await?;
    }
    Ok(format!("{sizes:?}"))
}

/// Items that a closure lets through.
#[saga_tool]
async fn for_over_iter_filter() -> Result<String, ToolError> {
    let names = ["ada".to_owned(), "b".to_owned()];
    for name in names.iter().filter(|name| name.len() > 1) {
        elicit::<Yes>(format!("{name}?")).await?;
    }
    Ok(format!("{names:?}"))
}

/// `skip`, `take`, `step_by`.
#[saga_tool]
async fn for_over_iter_skip() -> Result<String, ToolError> {
    let sizes = vec![1, 2, 3];
    for size in sizes.iter().skip(1) {
        elicit::<Yes>(format!("{size}?")).await?;
    }
    Ok(format!("{sizes:?}"))
}

/// `cloned`, `copied`.
#[saga_tool]
async fn for_over_iter_cloned() -> Result<String, ToolError> {
    let names = vec!["ada".to_owned(), "bo".to_owned()];
    for name in names.iter().cloned() {
        elicit::<Yes>(name).await?;
    }
    Ok(format!("{names:?}"))
}

/// `zip`.
#[saga_tool]
async fn for_over_iter_zip() -> Result<String, ToolError> {
    let (names, sizes) = (vec!["ada", "bo"], vec![1, 2]);
    for (name, size) in names.iter().zip(&sizes) {
        elicit::<Yes>(format!("{name} {size}?")).await?;
    }
    Ok(format!("{names:?}"))
}

/// A text's characters.
#[saga_tool]
async fn for_over_chars() -> Result<String, ToolError> {
    let word = "abc".to_owned();
    for letter in word.chars() {
        elicit::<Yes>(format!("{letter}?")).await?;
    }
    Ok(word)
}

/// A text's lines.
#[saga_tool]
async fn for_over_lines() -> Result<String, ToolError> {
    let text = "one\ntwo".to_owned();
    for line in text.lines() {
        elicit::<Yes>(format!("{line}?")).await?;
    }
    Ok(text)
}

/// A text's words.
#[saga_tool]
async fn for_over_words() -> Result<String, ToolError> {
    let text = "one two".to_owned();
    for word in text.split_whitespace() {
        elicit::<Yes>(format!("{word}?")).await?;
    }
    Ok(text)
}

/// A `BTreeMap`.
#[saga_tool]
async fn for_over_a_map() -> Result<String, ToolError> {
    let prices = prices(1);
    for (name, price) in &prices {
        elicit::<Yes>(format!("{name} for {price}?")).await?;
    }
    Ok(format!("{prices:?}"))
}

/// Its keys.
#[saga_tool]
async fn for_over_keys() -> Result<String, ToolError> {
    let prices = prices(1);
    for name in prices.keys() {
        elicit::<Yes>(format!("{name}?")).await?;
    }
    Ok(format!("{prices:?}"))
}

/// Its values.
#[saga_tool]
async fn for_over_values() -> Result<String, ToolError> {
    let prices = prices(1);
    for price in prices.values() {
        elicit::<Yes>(format!("{price}?")).await?;
    }
    Ok(format!("{prices:?}"))
}

/// A borrow of an `Option`.
#[saga_tool]
async fn for_over_an_option() -> Result<String, ToolError> {
    let note = Some("n".to_owned());
    for note in &note {
        elicit::<Yes>(format!("{note}?")).await?;
    }
    Ok(format!("{note:?}"))
}

/// An `Option`.
#[saga_tool]
async fn for_over_an_owned_option() -> Result<String, ToolError> {
    for note in Some("n".to_owned()) {
        elicit::<Yes>(format!("{note}?")).await?;
    }
    Ok("done".to_owned())
}

/// An array.
#[saga_tool]
async fn for_over_an_array() -> Result<String, ToolError> {
    for name in ["eu", "us"] {
        elicit::<Yes>(format!("{name}?")).await?;
    }
    Ok("done".to_owned())
}

/// An iterator that gives one item.
#[saga_tool]
async fn for_over_once() -> Result<String, ToolError> {
    for name in std::iter::once("ada".to_owned()) {
        elicit::<Yes>(format!("{name}?")).await?;
    }
    Ok("done".to_owned())
}

/// A collection itself; the loop keeps its remaining items.
#[saga_tool]
async fn for_over_owned_items() -> Result<String, ToolError> {
    for name in vec!["ada".to_owned(), "bo".to_owned()] {
        elicit::<Yes>(format!("{name}?")).await?;
    }
    Ok("done".to_owned())
}

/// Any iterator that owns its items, also one whose type has no name.
#[saga_tool]
async fn for_over_owned_items_adapted() -> Result<String, ToolError> {
    for name in vec!["ada", "bo"].into_iter().map(str::to_uppercase).filter(|name| name.len() > 2) {
        elicit::<Yes>(format!("{name}?")).await?;
    }
    Ok("done".to_owned())
}

/// An iterator that outlives the loop.
#[saga_tool]
async fn for_over_by_ref() -> Result<String, ToolError> {
    let mut lines = "title\nauthor\none\ntwo".lines();
    for (number, line) in lines.by_ref().take(2).enumerate() {
        elicit::<Yes>(format!("{number} {line}?")).await?;
    }
    for line in lines {
        elicit::<Yes>(format!("{line}?")).await?;
    }
    Ok("done".to_owned())
}

// # What is kept over a question

/// A local, with or without a type.
#[saga_tool]
async fn r#let() -> Result<String, ToolError> {
    let mut log = Vec::new();
    elicit::<Yes>("Sure?").await?;
    log.push(1_u8);
    Ok(format!("{log:?}"))
}

/// A pattern.
#[saga_tool]
async fn let_pattern() -> Result<String, ToolError> {
    let (Item { name, mut size, .. }, [first, .., last]) = (item("i", 1), [1, 2, 3]);
    size += elicit::<Count>("How many?").await?.n as u32;
    Ok(format!("{name} {size} {first} {last}"))
}

/// A name that is used again, also inside a block.
#[saga_tool]
async fn shadowing() -> Result<String, ToolError> {
    let name = noted("ada".to_owned());
    let size = {
        let name = elicit::<Name>(format!("{name}?")).await?.name;
        name.len()
    };
    let name = format!("{name} {size}");
    Ok(name)
}

/// A value that comes later.
#[saga_tool]
async fn deferred_initialisation() -> Result<String, ToolError> {
    let name;
    if elicit::<Yes>("Yourself?").await?.yes {
        name = "you".to_owned();
    } else {
        name = elicit::<Name>("Who?").await?.name;
    }
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(name)
}

/// A text of the program, which stays one where its type says so.
#[saga_tool]
async fn static_text(sure: bool) -> Result<&'static str, ToolError> {
    let word: &'static str = if sure { "go" } else { "stay" };
    elicit::<Yes>(word).await?;
    Ok(word)
}

/// An assignment.
#[saga_tool]
async fn assignment() -> Result<String, ToolError> {
    let mut name = noted("ada".to_owned());
    name = elicit::<Name>(format!("{name}?")).await?.name;
    Ok(name)
}

/// An assignment to a field or an element.
#[saga_tool]
async fn assignment_to_a_part() -> Result<String, ToolError> {
    let mut plan = plan("p", 1);
    plan.items[1].name = elicit::<Name>("Who?").await?.name;
    Ok(format!("{:?}", plan.items))
}

/// `+=` and its kind.
#[saga_tool]
async fn compound_assignment() -> Result<String, ToolError> {
    let mut plan = plan("p", 1);
    plan.limits[0] += elicit::<Count>("How many more?").await?.n as u32;
    Ok(format!("{:?}", plan.limits))
}

/// An assignment to several places.
#[saga_tool]
async fn destructuring_assignment() -> Result<String, ToolError> {
    let (mut name, mut size) = ("ada".to_owned(), 1);
    effect(format_args!("{name} {size}"));
    (size, name) = (elicit::<Count>("How many?").await?.n, noted("bo".to_owned()));
    Ok(format!("{name} {size}"))
}

/// A value that moves after a question.
#[saga_tool]
async fn r#move() -> Result<String, ToolError> {
    let names = vec!["ada".to_owned()];
    elicit::<Yes>("Sure?").await?;
    let taken = names;
    Ok(format!("{taken:?}"))
}

/// A part of a value that moves after a question.
#[saga_tool]
async fn move_of_a_part() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    elicit::<Yes>("Sure?").await?;
    let title = plan.title;
    Ok(title)
}

/// A borrow; it is taken again after the question.
#[saga_tool]
async fn borrow_of_a_local() -> Result<String, ToolError> {
    let name = noted("ada".to_owned());
    let borrow = &name;
    elicit::<Yes>(format!("{borrow}?")).await?;
    Ok(format!("{borrow} {name}"))
}

/// A borrow of a field or an element.
#[saga_tool]
async fn borrow_of_a_part() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    let (name, limit) = (&plan.items[1].name, &plan.limits[2]);
    elicit::<Yes>(format!("{name}?")).await?;
    Ok(format!("{name} {limit}"))
}

/// A mutable borrow.
#[saga_tool]
async fn mutable_borrow() -> Result<String, ToolError> {
    let mut plan = plan("p", 1);
    let tags = &mut plan.lead.tags;
    tags.push("before".to_owned());
    elicit::<Yes>("Sure?").await?;
    tags.push("after".to_owned());
    Ok(format!("{:?}", plan.lead))
}

/// `last_mut`, `get_mut(..).and_then(..)`, `entry(..).or_default()`, `iter_mut().max_by_key(..)` and their kind.
#[saga_tool]
async fn mutable_reference_by_a_method() -> Result<String, ToolError> {
    let mut sizes = std::collections::BTreeMap::from([("api", vec![1])]);
    let of_web = sizes.entry("web").or_default();
    of_web.push(elicit::<Count>(format!("{of_web:?}?")).await?.n);
    let last = sizes.get_mut("api").and_then(|sizes| sizes.last_mut()).ok_or("none")?;
    elicit::<Yes>(format!("{last}?")).await?;
    *last += 1;
    Ok(format!("{sizes:?}"))
}

/// An error of the standard library.
#[saga_tool]
async fn failure_over_a_question() -> Result<String, ToolError> {
    let name: Name = elicit("A number?").await?;
    match name.name.parse::<u8>() {
        Ok(number) => Ok(number.to_string()),
        Err(error) => {
            let sure: Yes = elicit(format!("{error}. Take 7?")).await?;
            if sure.yes { Ok("7".to_owned()) } else { Err(error.into()) }
        }
    }
}

/// `as_str`, `as_ref`, `as_deref` and their kind, and slices of texts.
#[saga_tool]
async fn borrow_by_a_method() -> Result<String, ToolError> {
    let (name, note) = ("ada".to_owned(), Some("note".to_owned()));
    let (name, note, rest) = (name.as_str(), note.as_deref(), &name[1..]);
    elicit::<Yes>("Sure?").await?;
    Ok(format!("{name} {note:?} {rest}"))
}

/// What a function, or a method of any other kind, shows: a copy travels, of what is `Clone`.
#[saga_tool]
async fn borrow_by_a_function() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    let Some(first) = plan.items.first() else { return Ok(String::new()) };
    let large: Vec<_> = plan.items.iter().filter(|item| noted(item.size) > 1).collect();
    let mut best = first;
    for item in large {
        let yes: Yes = elicit(format!("{} or {}?", item.name, best.name)).await?;
        if yes.yes {
            best = looked_at(item);
        }
    }
    Ok(format!("{} {}", first.name, best.name))
}

/// A list of borrows, whose type is known by what comes into it.
#[saga_tool]
async fn list_of_borrows() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    let mut wanted = Vec::new();
    for item in &plan.items {
        let yes: Yes = elicit(format!("{}?", item.name)).await?;
        if yes.yes {
            wanted.push(item);
        }
    }
    Ok(format!("{wanted:?}"))
}

/// A borrow that is assigned anew.
#[saga_tool]
async fn best_so_far() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    let mut best = None;
    for item in plan.items.iter().rev() {
        let yes: Yes = elicit(format!("{} or {best:?}?", item.name)).await?;
        if yes.yes {
            best = Some(item);
        }
    }
    Ok(format!("{best:?}"))
}

/// One of a list's items, picked by `find`, `max_by_key` and their kind.
#[saga_tool]
async fn pick_of_a_list() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    let (largest, short) =
        (plan.items.iter().max_by_key(|item| item.size), plan.lead.tags.iter().find(|tag| tag.len() < 2));
    elicit::<Yes>("Sure?").await?;
    Ok(format!("{largest:?} {short:?}"))
}

/// A pattern on a borrow.
#[saga_tool]
async fn pattern_on_a_borrow() -> Result<String, ToolError> {
    let plan = plan("p", 1);
    let Plan { title, lead: Item { name, .. }, .. } = &plan;
    elicit::<Yes>(format!("{title}?")).await?;
    Ok(format!("{title} {name}"))
}

/// `ref`.
#[saga_tool]
async fn ref_pattern() -> Result<String, ToolError> {
    let pair = (1, "one".to_owned());
    let (number, ref text) = pair;
    elicit::<Yes>("Sure?").await?;
    Ok(format!("{number} {text} {pair:?}"))
}

/// A borrow of a value without a name, in `match` and `if let`.
#[saga_tool]
async fn borrow_of_a_temporary() -> Result<String, ToolError> {
    if let Some(Item { name, .. }) = &Some(item("i", noted(1))) {
        elicit::<Yes>(format!("{name}?")).await?;
        effect(name);
    }
    Ok("done".to_owned())
}

/// A change of what was borrowed, after the last use of the borrow.
#[saga_tool]
async fn change_after_a_borrow() -> Result<String, ToolError> {
    let mut name = noted("ada".to_owned());
    let borrow = &name;
    elicit::<Yes>(format!("{borrow}?")).await?;
    effect(borrow);
    name = elicit::<Name>("Who else?").await?.name;
    Ok(name)
}

/// A closure: after a question it is made again.
#[saga_tool]
async fn closure() -> Result<String, ToolError> {
    let size = noted(2);
    let add = |n| n + size;
    effect(add(1));
    let many: Count = elicit("How many?").await?;
    effect(add(many.n));
    let mut total = 0;
    let mut count = |n| total += n;
    count(add(2));
    elicit::<Yes>("Sure?").await?;
    count(size);
    Ok(total.to_string())
}

/// Functions, constants and types inside of the function.
#[saga_tool]
async fn item_inside() -> Result<String, ToolError> {
    #[derive(Debug, Serialize, Deserialize)]
    struct Sum(u8);
    fn double(n: u8) -> u8 {
        n * 2
    }
    let sum = Sum(double(elicit::<Count>("How many?").await?.n));
    elicit::<Yes>("Sure?").await?;
    Ok(format!("{sum:?}"))
}
