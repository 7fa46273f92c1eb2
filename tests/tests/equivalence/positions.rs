//! Questions in every position of an expression, with effects in the positions around them: what is evaluated
//! before a question runs before it and once, what is evaluated after it runs after.

use std::collections::BTreeMap;

use saga_runtime::{ToolError, elicit, saga_tool, sample};
use saga_tests::forms::{Count, Name, Region, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    call_arguments;
    call_arguments_of_all_kinds;
    the_function_is_an_expression;
    method_arguments;
    method_receivers;
    receiver_evaluated_first;
    receiver_borrowed_mutably;
    two_phase_borrows;
    builder_chains;
    binary_operands;
    comparisons;
    unary_and_casts;
    struct_literals;
    shorthand_fields;
    struct_update;
    enum_literals;
    tuples_and_arrays;
    repeat_expressions;
    indices;
    index_of_a_question;
    borrow_at_an_answered_index;
    assignment_targets;
    compound_assignment_of_overloaded;
    ranges_as_values;
    fields_of_questions;
    under_question_marks;
    references_as_arguments;
    mutable_temporaries;
    mutable_references_as_arguments;
    borrowed_at_an_effectful_index;
    reference_operands;
    in_format;
    format_arguments_are_borrowed;
    in_format_with_names_and_captures;
    in_vec;
    in_assert;
    in_println;
    in_write;
    in_panic_never;
    in_nested_macros;
    message_needs_a_question;
    message_needs_two_questions;
    messages_with_blocks;
    builder_needs_a_question;
    blocks_in_arguments;
    ordinary_awaits_in_arguments;
    closures_in_arguments;
    shadowed_operands;
    operand_changed_by_a_later_one;
    place_operand_changed_by_a_later_one;
    moved_operands;
    strings_added;
    string_slices_as_operands;
    slices_of_answers;
    option_combinators;
    dereferenced_calls;
    deep_nesting;
    parentheses;
    ifs_in_operands;
    returns_in_operands;
    tail_expressions;
    boxes_and_dereferences;
    iterators_in_arguments;
    iterator_receivers;
    turbofish_and_qualified_paths;
    temporaries_of_statements;
    let_with_many_operands;
}

fn three(left: u8, middle: u8, right: u8) -> String {
    effect("three");
    format!("{left}{middle}{right}")
}

#[saga_tool]
async fn call_arguments() -> Result<String, ToolError> {
    let text = three(noted(1), elicit::<Count>(noted("second?")).await?.n, noted(3));
    let first = three(elicit::<Count>("first?").await?.n, noted(2), noted(3));
    let last = three(noted(1), noted(2), elicit::<Count>("last?").await?.n);
    let all = three(
        elicit::<Count>("a?").await?.n,
        noted(0) + elicit::<Count>("b?").await?.n,
        elicit::<Count>("c?").await?.n + noted(0),
    );
    Ok([text, first, last, all].join(" "))
}

fn mixed(text: &str, owned: String, list: &[u8], number: Option<u8>, unit: ()) -> String {
    effect("mixed");
    format!("{text} {owned} {list:?} {number:?} {unit:?}")
}

#[saga_tool]
async fn call_arguments_of_all_kinds() -> Result<String, ToolError> {
    let text = "text".to_owned();
    let list = vec![1, 2];
    let one = mixed(&text, elicit::<Name>("one?").await?.name, &list, noted(Some(4)), ());
    let two =
        mixed(&text[1..], noted(text.clone()), &[noted(1), 2], Some(elicit::<Count>("two?").await?.n), ());
    let three = mixed(
        text.as_str(),
        text.to_uppercase(),
        &list[..1],
        elicit::<Count>("three?").await.ok().map(|count| count.n),
        drop(elicit::<Yes>("four?").await?),
    );
    let four = mixed(
        &format!("{text}!"),
        String::new(),
        &vec![noted(7)],
        None,
        effect(elicit::<Name>("five?").await?.name),
    );
    Ok([one, two, three, four].join(";"))
}

#[saga_tool]
async fn the_function_is_an_expression() -> Result<String, ToolError> {
    let double = |number: u8| number * 2;
    let table: [fn(u8) -> u8; 2] = [|number| number + 1, |number| number * 3];
    let one = double(noted(2));
    let picked = table[usize::from(noted(one > 3))](1);
    effect(picked);
    let count = elicit::<Count>("n?").await?.n;
    let triple: fn(u8) -> u8 = |number| number * 3;
    let three = triple(count);
    Ok(format!("{one} {picked} {three}"))
}

#[derive(Debug, Clone, Serialize, Deserialize, Default)]
struct Log {
    lines: Vec<String>,
    total: u8,
}

impl Log {
    fn add(&mut self, line: impl Into<String>, amount: u8) -> &mut Self {
        let line = line.into();
        effect(&line);
        self.lines.push(line);
        self.total += amount;
        self
    }

    fn with(mut self, line: String) -> Self {
        effect("with");
        self.lines.push(line);
        self
    }

    fn text(&self, separator: &str) -> String {
        effect("text");
        self.lines.join(separator)
    }
}

#[saga_tool]
async fn method_arguments() -> Result<String, ToolError> {
    let mut log = Log::default();
    log.add(noted("one"), elicit::<Count>("one?").await?.n);
    log.add(elicit::<Name>("two?").await?.name, noted(2));
    log.add(elicit::<Name>("three?").await?.name, 3).add(noted("four"), noted(4));
    let text = log.text(&elicit::<Name>("separator?").await?.name);
    Ok(format!("{text} {}", log.total))
}

#[saga_tool]
async fn method_receivers() -> Result<String, ToolError> {
    let length = elicit::<Name>("name?").await?.name.len();
    effect(length);
    let upper = elicit::<Name>("upper?").await?.name.to_uppercase().replace(noted("A"), noted("b"));
    let text =
        Log::default().with(elicit::<Name>("line?").await?.name).with(noted("end".to_owned())).text(",");
    let trimmed = elicit::<Name>("trim?").await?.name.trim().to_owned();
    let said = sample("say").await?.text().len();
    Ok(format!("{length} {upper} {text} {trimmed} {said}"))
}

fn make_log() -> Log {
    effect("make");
    Log::default()
}

#[saga_tool]
async fn receiver_evaluated_first() -> Result<String, ToolError> {
    let one = make_log().with(elicit::<Name>("one?").await?.name).lines;
    let two = noted(vec![1_u8, 2, 3]).contains(&elicit::<Count>("two?").await?.n);
    let three = noted("a-b".to_owned()).replace(noted('-'), &elicit::<Name>("three?").await?.name);
    let four = noted(Some(1_u8)).unwrap_or(elicit::<Count>("four?").await?.n);
    Ok(format!("{one:?} {two} {three} {four}"))
}

#[saga_tool]
async fn receiver_borrowed_mutably() -> Result<String, ToolError> {
    let mut lists = vec![vec![0_u8], vec![]];
    lists[noted(1)].push(elicit::<Count>("push?").await?.n);
    lists[noted(0)].insert(noted(0), elicit::<Count>("insert?").await?.n);
    lists.push(vec![elicit::<Count>("list?").await?.n, noted(9)]);
    let mut plan = (Log::default(), 1);
    plan.0.lines.push(elicit::<Name>("line?").await?.name);
    plan.0.add(noted("x"), elicit::<Count>("amount?").await?.n);
    let mut map: BTreeMap<u8, String> = BTreeMap::new();
    map.insert(noted(1), elicit::<Name>("value?").await?.name);
    map.insert(elicit::<Count>("key?").await?.n, noted("v".to_owned()));
    map.entry(elicit::<Count>("entry?").await?.n).or_default().push('!');
    Ok(format!("{lists:?} {plan:?} {map:?}"))
}

#[saga_tool]
async fn two_phase_borrows() -> Result<String, ToolError> {
    let mut list = vec![1_u8, 2];
    list.push(list.len() as u8);
    list.push(list[0] + elicit::<Count>("n?").await?.n);
    list.insert(list.len() - 1, list[1] + elicit::<Count>("m?").await?.n + list[0]);
    list.truncate(list.len() - usize::from(elicit::<Yes>("cut?").await?.yes));
    Ok(format!("{list:?}"))
}

#[saga_tool]
async fn builder_chains() -> Result<String, ToolError> {
    let list = vec![3_u8, 1, 2];
    let text = list
        .iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(&elicit::<Name>("separator?").await?.name);
    effect(&text);
    let sum = elicit::<Name>("letters?")
        .await?
        .name
        .chars()
        .filter(|letter| *letter != ' ')
        .map(|letter| letter as u32)
        .sum::<u32>();
    Ok(format!("{text} {sum}"))
}

#[saga_tool]
async fn binary_operands() -> Result<String, ToolError> {
    let one = noted(1) + elicit::<Count>("a?").await?.n * noted(2) - noted(0);
    let two = elicit::<Count>("b?").await?.n + elicit::<Count>("c?").await?.n;
    let three = (noted(8) - elicit::<Count>("d?").await?.n) % noted(3) << elicit::<Count>("e?").await?.n;
    let four = noted(7_u8) & elicit::<Count>("f?").await?.n | noted(8) ^ noted(1);
    Ok(format!("{one} {two} {three} {four}"))
}

#[saga_tool]
async fn comparisons() -> Result<String, ToolError> {
    let name = noted("bo".to_owned());
    let same = name == elicit::<Name>("a?").await?.name;
    let less = noted(1) < elicit::<Count>("b?").await?.n;
    let between = elicit::<Count>("c?").await?.n <= noted(2);
    let both = elicit::<Name>("d?").await?.name != elicit::<Name>("e?").await?.name;
    let region = elicit::<Target>("f?").await?.region == Region::Near;
    let lists = vec![noted(1), elicit::<Count>("g?").await?.n] >= vec![elicit::<Count>("h?").await?.n];
    let slices = name.as_str() == elicit::<Name>("i?").await?.name.as_str();
    Ok(format!("{same} {less} {between} {both} {region} {lists} {slices} {name}"))
}

#[saga_tool]
async fn unary_and_casts() -> Result<String, ToolError> {
    let not = !elicit::<Yes>("a?").await?.yes;
    let minus = -i32::from(elicit::<Count>("b?").await?.n);
    let cast = elicit::<Count>("c?").await?.n as f64 / noted(2.0);
    let bits = !elicit::<Count>("d?").await?.n as i8;
    let negated = -(elicit::<Count>("e?").await?.n as i64 - noted(2));
    Ok(format!("{not} {minus} {cast} {bits} {negated}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Order {
    what: String,
    many: u8,
    sure: bool,
}

#[saga_tool]
async fn struct_literals() -> Result<String, ToolError> {
    let order = Order {
        many: noted(2) + elicit::<Count>("many?").await?.n,
        sure: noted(true),
        what: elicit::<Name>("what?").await?.name,
    };
    effect(format_args!("{order:?}"));
    let many = noted(1);
    let order = Order { what: noted(order.what), many: many, sure: elicit::<Yes>("sure?").await?.yes };
    let Order { what, .. } =
        Order { sure: noted(false), what: elicit::<Name>("again?").await?.name, ..order };
    Ok(what)
}

#[saga_tool]
async fn shorthand_fields() -> Result<String, ToolError> {
    let (what, many) = (noted("what".to_owned()), noted(1));
    let order = Order { what, many, sure: elicit::<Yes>("sure?").await?.yes };
    effect(format_args!("{order:?}"));
    let sure = order.sure;
    let order = Order { sure, many: elicit::<Count>("many?").await?.n, what: order.what };
    Ok(format!("{order:?}"))
}

#[saga_tool]
async fn struct_update() -> Result<String, ToolError> {
    fn base() -> Order {
        effect("base");
        Order { what: "base".to_owned(), many: 0, sure: false }
    }
    let one = Order { many: elicit::<Count>("many?").await?.n, ..base() };
    let two =
        Order { sure: noted(true), ..Order { what: elicit::<Name>("what?").await?.name, ..one.clone() } };
    let three = Order { what: noted("three".to_owned()), ..two };
    Ok(format!("{one:?} {three:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Change {
    Move(u8, String),
    Rename { from: String, to: String },
}

#[saga_tool]
async fn enum_literals() -> Result<String, ToolError> {
    let one = Change::Move(noted(1), elicit::<Name>("where?").await?.name);
    let two = Change::Rename { to: elicit::<Name>("to?").await?.name, from: noted("from".to_owned()) };
    let three = Some(Ok::<_, String>(elicit::<Yes>("three?").await?.yes));
    let four = vec![Some(noted(1)), Some(elicit::<Count>("four?").await?.n), None];
    Ok(format!("{one:?} {two:?} {three:?} {four:?}"))
}

#[saga_tool]
async fn tuples_and_arrays() -> Result<String, ToolError> {
    let tuple = (noted(1), elicit::<Count>("a?").await?.n, noted("x"), elicit::<Name>("b?").await?.name);
    effect(tuple.2);
    let array = [elicit::<Count>("c?").await?.n, noted(2), elicit::<Count>("d?").await?.n, noted(4)];
    let nested = ([noted(1), elicit::<Count>("e?").await?.n], (noted(2), (elicit::<Yes>("f?").await?.yes,)));
    Ok(format!("{tuple:?} {array:?} {nested:?}"))
}

#[saga_tool]
async fn repeat_expressions() -> Result<String, ToolError> {
    let array = [elicit::<Count>("n?").await?.n; 3];
    effect(format_args!("{array:?}"));
    let list = vec![noted(1); usize::from(array[0])];
    elicit::<Yes>(format!("{list:?}?")).await?;
    Ok(format!("{array:?} {list:?}"))
}

#[saga_tool]
async fn indices() -> Result<String, ToolError> {
    let list = noted(vec![10_u8, 20, 30, 40]);
    let grid = vec![list.clone(), vec![1, 2, 3, 4]];
    let one = list[usize::from(elicit::<Count>("a?").await?.n)];
    let two = grid[noted(1)][usize::from(elicit::<Count>("b?").await?.n)];
    let three = &list[noted(1)..][..usize::from(elicit::<Count>("c?").await?.n)];
    effect(format_args!("{three:?}"));
    let four = grid[usize::from(elicit::<Yes>("d?").await?.yes)].len();
    Ok(format!("{one} {two} {four}"))
}

#[saga_tool]
async fn index_of_a_question() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned(), "c".to_owned(), "d".to_owned()];
    let item = list[usize::from(elicit::<Count>("which?").await?.n)].clone();
    effect(&item);
    let first = elicit::<Name>("name?").await?.name.as_bytes().first().copied();
    elicit::<Yes>(format!("{first:?}?")).await?;
    Ok(item)
}

#[saga_tool]
async fn borrow_at_an_answered_index() -> Result<String, ToolError> {
    let list = vec!["a".to_owned(), "b".to_owned(), "c".to_owned(), "d".to_owned()];
    let letter = &list[usize::from(elicit::<Count>("whose?").await?.n)];
    effect(letter);
    elicit::<Yes>(format!("{letter}?")).await?;
    Ok(letter.clone())
}

#[saga_tool]
async fn assignment_targets() -> Result<String, ToolError> {
    let mut list = vec![0_u8; 4];
    let mut order = Order { what: String::new(), many: 0, sure: false };
    let mut grid = [[0_u8; 2]; 2];
    list[usize::from(elicit::<Count>("index?").await?.n)] = noted(5);
    list[noted(2)] = elicit::<Count>("value?").await?.n;
    order.what = elicit::<Name>("what?").await?.name;
    order.many = noted(order.many) + elicit::<Count>("many?").await?.n;
    grid[noted(1)][noted(0)] = elicit::<Count>("cell?").await?.n;
    *list.last_mut().unwrap() = elicit::<Count>("last?").await?.n;
    list[usize::from(elicit::<Count>("both?").await?.n)] = elicit::<Count>("of them?").await?.n;
    order.sure |= elicit::<Yes>("sure?").await?.yes;
    Ok(format!("{list:?} {order:?} {grid:?}"))
}

// For a type with its own `+=`, the target is evaluated before the value; for the built-in types, after. A target
// in which that shows is refused.
#[saga_tool]
async fn compound_assignment_of_overloaded() -> Result<String, ToolError> {
    let mut texts = vec!["a".to_owned(), "b".to_owned()];
    let mut numbers = vec![1_u8, 2];
    let second = noted(1);
    numbers[second] += elicit::<Count>("n?").await?.n;
    let more = elicit::<Name>("more?").await?.name;
    texts[noted(1)] += more.as_str();
    texts[0] += elicit::<Name>("text?").await?.name.as_str();
    Ok(format!("{texts:?} {numbers:?}"))
}

#[saga_tool]
async fn ranges_as_values() -> Result<String, ToolError> {
    let range = noted(0)..elicit::<Count>("end?").await?.n;
    effect(format_args!("{range:?}"));
    let inclusive = elicit::<Count>("start?").await?.n..=noted(3);
    let from = elicit::<Count>("from?").await?.n..;
    elicit::<Yes>(format!("{range:?} {inclusive:?}?")).await?;
    Ok(format!("{} {} {from:?}", range.len(), inclusive.contains(&2)))
}

#[saga_tool]
async fn fields_of_questions() -> Result<String, ToolError> {
    let note = elicit::<Target>("a?").await?.note.unwrap_or_default();
    let region = elicit::<Target>("b?").await?.region;
    let more = (elicit::<Target>("c?").await?, noted(1)).0.replicas;
    Ok(format!("{note} {region:?} {more}"))
}

#[saga_tool]
async fn under_question_marks() -> Result<String, ToolError> {
    fn parse(text: &str, base: u32) -> Result<u8, std::num::ParseIntError> {
        effect(text);
        u8::from_str_radix(text, base)
    }
    let one = parse(&elicit::<Name>("a?").await?.name, noted(16)).unwrap_or(0);
    let two = parse(noted("11"), u32::from(elicit::<Count>("b?").await?.n) + 2)?;
    let three =
        Some(elicit::<Count>("c?").await?.n).filter(|n| *n > 0).ok_or_else(|| ToolError::new("zero"))?;
    let four = elicit::<Name>("d?").await?.name.parse::<u8>().or_else(|_| "4".parse::<u8>())?;
    let five: Result<_, ToolError> = Ok(elicit::<Count>("e?").await?.n);
    Ok(format!("{one} {two} {three} {four} {}", five?))
}

fn look(text: &String, list: &mut Vec<u8>, number: &u8) -> usize {
    effect(format_args!("{text} {number}"));
    list.push(*number);
    text.len() + list.len()
}

#[saga_tool]
async fn references_as_arguments() -> Result<String, ToolError> {
    let text = "text".to_owned();
    let mut list = vec![1_u8];
    let one = look(&text, &mut list, &elicit::<Count>("a?").await?.n);
    let two = look(&elicit::<Name>("b?").await?.name, &mut list, &noted(2));
    let three = look(&noted("x".to_owned()), &mut list, &(noted(1) + elicit::<Count>("d?").await?.n));
    Ok(format!("{one} {two} {three} {list:?}"))
}

#[saga_tool]
async fn mutable_temporaries() -> Result<String, ToolError> {
    let list = vec![1_u8];
    let one = look(&noted("x".to_owned()), &mut vec![noted(3)], &elicit::<Count>("a?").await?.n);
    let two = look(&"y".to_owned(), &mut list.clone(), &(noted(1) + elicit::<Count>("b?").await?.n));
    Ok(format!("{one} {two} {list:?}"))
}

fn fill(target: &mut Vec<u8>, number: u8, more: &mut u8) {
    target.push(number + *more);
    *more += 1;
    effect(format_args!("{target:?} {more}"));
}

#[saga_tool]
async fn mutable_references_as_arguments() -> Result<String, ToolError> {
    let mut order = (vec![1_u8], 0_u8);
    fill(&mut order.0, elicit::<Count>("a?").await?.n, &mut order.1);
    let mut lists = vec![vec![], vec![2_u8]];
    fill(&mut lists[1], elicit::<Count>("b?").await?.n, &mut order.1);
    {
        let list = &mut lists[0];
        list.push(elicit::<Count>("c?").await?.n);
        list.push(9);
        elicit::<Yes>("d?").await?;
        list.push(8);
    }
    Ok(format!("{order:?} {lists:?}"))
}

#[saga_tool]
async fn borrowed_at_an_effectful_index() -> Result<String, ToolError> {
    let mut lists = vec![vec![], vec![2_u8]];
    fill(&mut lists[noted(1)], elicit::<Count>("a?").await?.n, &mut noted(1));
    let texts = vec!["a".to_owned(), "b".to_owned()];
    let sum = look(&texts[noted(0)], &mut lists[usize::from(noted(false))], &elicit::<Count>("b?").await?.n);
    Ok(format!("{lists:?} {sum}"))
}

#[saga_tool]
async fn reference_operands() -> Result<String, ToolError> {
    let mut lists = vec![vec![], vec![2_u8]];
    let mut more = 1;
    let text = noted("text".to_owned());
    let name = &text;
    {
        let list = &mut lists[0];
        fill(list, elicit::<Count>("a?").await?.n, &mut more);
        list.push(9);
        fill(list, noted(1) + elicit::<Count>("b?").await?.n, &mut more);
    }
    let length = look(name, &mut lists[1], &elicit::<Count>("c?").await?.n);
    Ok(format!("{lists:?} {length} {name}"))
}

#[saga_tool]
async fn in_format() -> Result<String, ToolError> {
    let kept = noted("kept");
    let text = format!("{} {:?} {}", noted(1), elicit::<Name>("a?").await?.name, noted(3));
    effect(&text);
    let more = format!("{kept}{:>width$}{0}{}", elicit::<Count>("b?").await?.n, noted("x"), width = noted(4));
    let empty = format!("{}", format!("{}", elicit::<Yes>("c?").await?.yes));
    Ok(format!("{text}{more}{empty}"))
}

#[saga_tool]
async fn format_arguments_are_borrowed() -> Result<String, ToolError> {
    let (name, list) = (noted("ada".to_owned()), noted(vec![1_u8]));
    let text = format!("{} {:?} {}", name, list, elicit::<Name>("a?").await?.name);
    effect(&text);
    print!("{0:1$}", "", usize::from(elicit::<Count>("b?").await?.n) * list.len() * 0);
    assert_ne!(name, elicit::<Name>("c?").await?.name + "x", "{name} {:?}", list);
    Ok(format!("{name} {list:?} {text}"))
}

#[saga_tool]
async fn in_format_with_names_and_captures() -> Result<String, ToolError> {
    let who = noted("ada".to_owned());
    let width = 6;
    let text = format!(
        "{who:>width$} {number} {0} {who}",
        noted("zero"),
        number = elicit::<Count>(format!("{who:?}?")).await?.n,
    );
    effect(&text);
    let text =
        format!("{text:.prec$} {{who}} {who:#?}", prec = usize::from(elicit::<Count>("precision?").await?.n));
    Ok(text)
}

#[saga_tool]
async fn in_vec() -> Result<String, ToolError> {
    let list = vec![noted(1), elicit::<Count>("a?").await?.n, noted(3), elicit::<Count>("b?").await?.n];
    effect(list.len());
    let nested = vec![vec![elicit::<Name>("c?").await?.name], vec![noted("x".to_owned())], Vec::new()];
    Ok(format!("{list:?} {nested:?}"))
}

#[saga_tool]
async fn in_assert() -> Result<String, ToolError> {
    let limit = noted(3);
    assert!(elicit::<Count>("a?").await?.n <= limit, "{} is too much", noted("n"));
    assert_eq!(elicit::<Count>("b?").await?.n & 0, noted(0));
    assert_ne!(noted(9), elicit::<Count>("c?").await?.n, "never {limit}");
    assert!(matches!(elicit::<Name>("e?").await, Ok(_) | Err(_)));
    Ok(limit.to_string())
}

#[saga_tool]
async fn in_println() -> Result<String, ToolError> {
    use std::fmt::Write as _;
    let mut out = String::new();
    write!(out, "{}", noted(1))?;
    effect(&out);
    eprint!("{}", if elicit::<Yes>("c?").await?.yes { "" } else { "" });
    Ok(out)
}

#[saga_tool]
async fn in_write() -> Result<String, ToolError> {
    use std::fmt::Write as _;
    let mut out = String::new();
    write!(out, "{} {}", noted(1), elicit::<Name>("a?").await?.name)?;
    writeln!(&mut out, "{}", elicit::<Count>("b?").await?.n)?;
    effect(&out);
    Ok(out)
}

#[saga_tool]
async fn in_panic_never() -> Result<String, ToolError> {
    let name = elicit::<Name>("a?").await?.name;
    if name.len() > 100 {
        unreachable!("{}", elicit::<Name>("never?").await?.name);
    }
    let number: u8 = match name.len() {
        200 => unimplemented!("{}", elicit::<Name>("never?").await?.name),
        201 => panic!("{name}"),
        _ => 1,
    };
    elicit::<Yes>(format!("{name} {number}?")).await?;
    Ok(name)
}

#[saga_tool]
async fn in_nested_macros() -> Result<String, ToolError> {
    let text =
        format!("{:?}", vec![format!("{}", noted(1)), format!("{}!", elicit::<Name>("a?").await?.name)]);
    effect(&text);
    let line = concat!("a", "b");
    let list = vec![(noted(line), vec![elicit::<Count>("b?").await?.n]), (stringify!(x), vec![noted(2)])];
    Ok(format!("{text} {list:?} {}", line!() > 0))
}

#[saga_tool]
async fn message_needs_a_question() -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let name: Name =
        elicit(format!("{} {kept} {}", noted("hello"), elicit::<Name>("who are you?").await?.name)).await?;
    effect(&name.name);
    let yes: Yes = elicit(elicit::<Name>(elicit::<Name>("first?").await?.name).await?.name).await?;
    Ok(format!("{kept} {name:?} {yes:?}"))
}

#[saga_tool]
async fn message_needs_two_questions() -> Result<String, ToolError> {
    let yes: Yes = elicit(
        noted("a".to_owned())
            + elicit::<Name>("b?").await?.name.as_str()
            + noted("c")
            + elicit::<Name>("d?").await?.name.as_str(),
    )
    .await?;
    let said =
        sample(format!("{} and {}", elicit::<Count>("e?").await?.n, elicit::<Count>("f?").await?.n)).await?;
    Ok(format!("{yes:?} {}", said.text()))
}

#[saga_tool]
async fn messages_with_blocks() -> Result<String, ToolError> {
    let mut log = Vec::new();
    let name: Name = elicit({
        log.push("asked");
        effect("block");
        let inner: Count = elicit("inner?").await?;
        log.push("answered");
        if inner.n > 1 { format!("{}", inner.n) } else { "few".to_owned() }
    })
    .await?;
    let count: Count = elicit(match name.name.as_str() {
        "" => "nobody?".to_owned(),
        name => format!("{name}, {}?", elicit::<Count>("how many?").await?.n),
    })
    .await?;
    Ok(format!("{log:?} {name:?} {count:?}"))
}

#[saga_tool]
async fn builder_needs_a_question() -> Result<String, ToolError> {
    let count: Count = elicit::<Count>(noted("how many?"))
        .title(noted("Title"))
        .default(Count { n: elicit::<Count>("default?").await?.n })
        .attempts(noted(2))
        .await?;
    effect(count.n);
    let said = sample(noted("say"))
        .max_tokens(u32::from(elicit::<Count>("tokens?").await?.n) + 1)
        .system_prompt(elicit::<Name>("system?").await?.name)
        .await?;
    Ok(format!("{count:?} {}", said.text()))
}

#[saga_tool]
async fn blocks_in_arguments() -> Result<String, ToolError> {
    let text = three(
        {
            let first = noted(1);
            elicit::<Count>(format!("{first}?")).await?.n + first
        },
        {
            effect("second");
            2
        },
        {
            let third: Count = elicit("third?").await?;
            effect(third.n);
            third.n
        },
    );
    Ok(text)
}

async fn fetch(number: u8) -> Result<u8, std::io::Error> {
    effect(format_args!("fetch {number}"));
    tokio::task::yield_now().await;
    effect("fetched");
    Ok(number + 1)
}

#[saga_tool]
async fn ordinary_awaits_in_arguments() -> Result<String, ToolError> {
    let one = three(fetch(1).await?, elicit::<Count>("a?").await?.n, fetch(3).await?);
    let two = fetch(elicit::<Count>("b?").await?.n).await? + fetch(noted(0)).await?;
    let three: Name = elicit(format!("{}?", fetch(5).await?)).await?;
    let four = fetch(fetch(elicit::<Count>("c?").await?.n).await?).await?;
    tokio::time::sleep(std::time::Duration::ZERO).await;
    Ok(format!("{one} {two} {three:?} {four}"))
}

fn apply(number: u8, function: impl Fn(u8) -> u8, more: u8) -> u8 {
    effect("apply");
    function(number) + more
}

#[saga_tool]
async fn closures_in_arguments() -> Result<String, ToolError> {
    let factor = noted(2);
    let one = apply(noted(1), |number| number * factor, elicit::<Count>("a?").await?.n);
    let two = apply(elicit::<Count>("b?").await?.n, move |number| number + factor, noted(3));
    let three = (1..4).fold(elicit::<Count>("c?").await?.n, |sum, item| sum + item * one);
    let four = elicit::<Name>("d?")
        .await
        .map_or_else(|error| error.to_string(), |name| format!("{}{two}", name.name));
    Ok(format!("{one} {two} {three} {four}"))
}

#[saga_tool]
async fn shadowed_operands() -> Result<String, ToolError> {
    let value = noted(1_u8);
    let text = three(
        value,
        {
            let value = value + 1;
            elicit::<Count>(format!("{value}?")).await?.n + value
        },
        value,
    );
    let number = value
        + {
            let value = "inner".to_owned();
            elicit::<Count>(value).await?.n
        }
        + value;
    Ok(format!("{text} {number}"))
}

#[saga_tool]
async fn operand_changed_by_a_later_one() -> Result<String, ToolError> {
    let mut number = 1_u8;
    let sum = number
        + {
            number += 10;
            elicit::<Count>(format!("{number}?")).await?.n
        }
        + number;
    effect(sum);
    let tuple = (
        number,
        {
            number = 3;
            number
        },
        elicit::<Count>("b?").await?.n,
        number,
    );
    let list = [
        number,
        {
            number += elicit::<Count>("c?").await?.n;
            number
        },
        number,
    ];
    Ok(format!("{sum} {tuple:?} {list:?} {number}"))
}

#[saga_tool]
async fn place_operand_changed_by_a_later_one() -> Result<String, ToolError> {
    let mut order = Order { what: "a".to_owned(), many: 1, sure: false };
    let sum = order.many + {
        order.many = 5;
        elicit::<Count>("a?").await?.n
    };
    effect(sum);
    let mut list = vec![1_u8, 2, 3];
    let tuple = (
        list[0],
        {
            list[0] = 7;
            elicit::<Count>("b?").await?.n
        },
        list[0],
    );
    let mut index = 0;
    let item = list[index]
        + {
            index = 2;
            elicit::<Count>("c?").await?.n
        }
        + list[index];
    Ok(format!("{sum} {tuple:?} {item} {order:?}"))
}

#[saga_tool]
async fn moved_operands() -> Result<String, ToolError> {
    let left = noted("left".to_owned());
    let right = noted("right".to_owned());
    let pair = (left, elicit::<Name>("a?").await?.name, right);
    effect(&pair.0);
    let (left, middle, right) = pair;
    let order = Order { what: middle, many: elicit::<Count>("b?").await?.n, sure: left.len() > 3 };
    let text = join(left, elicit::<Name>("c?").await?.name, right);
    let list = vec![order, Order { what: text, many: 0, sure: elicit::<Yes>("d?").await?.yes }];
    Ok(format!("{list:?}"))
}

fn join(left: String, middle: String, right: String) -> String {
    left + &middle + &right
}

#[saga_tool]
async fn strings_added() -> Result<String, ToolError> {
    let mut text = noted("a".to_owned()) + noted("b");
    let name = elicit::<Name>("c?").await?;
    text = text + &name.name + noted("d");
    text = text + elicit::<Name>("e?").await?.name.as_str() + noted("f");
    text.push_str(&elicit::<Name>("g?").await?.name);
    text.insert_str(noted(0), &elicit::<Name>("h?").await?.name);
    text.extend([noted('x'), elicit::<Name>("i?").await?.name.chars().next().unwrap_or('-')]);
    Ok(text)
}

#[saga_tool]
async fn string_slices_as_operands() -> Result<String, ToolError> {
    let text = noted("some text".to_owned());
    let starts = text.starts_with(&elicit::<Name>("b?").await?.name);
    let find = text.find(elicit::<Name>("c?").await?.name.as_str());
    Ok(format!("{starts} {find:?}"))
}

#[saga_tool]
async fn slices_of_answers() -> Result<String, ToolError> {
    let text = noted("some text".to_owned());
    let joined = [noted("x"), &text, elicit::<Name>("a?").await?.name.as_str()].concat();
    effect(&joined);
    let longest = [elicit::<Name>("b?").await?.name.as_str(), &text].concat();
    Ok(format!("{joined} {longest}"))
}

#[saga_tool]
async fn option_combinators() -> Result<String, ToolError> {
    let note = elicit::<Target>("a?").await?.note.map(|note| note + "!").filter(|note| note.len() > 2);
    effect(format_args!("{note:?}"));
    let text = note.clone().unwrap_or(elicit::<Name>("b?").await?.name);
    let both =
        note.as_deref().zip(Some(elicit::<Count>("c?").await?.n)).map(|(note, n)| format!("{note}{n}"));
    let or = noted(None).or(Some(elicit::<Count>("d?").await?.n)).xor(noted(None));
    Ok(format!("{text} {both:?} {or:?}"))
}

#[saga_tool]
async fn dereferenced_calls() -> Result<String, ToolError> {
    let insert = *noted(None).get_or_insert(elicit::<Count>("a?").await?.n);
    let mut list = vec![1_u8, 2];
    let last = *list.iter().max().unwrap_or(&0) + elicit::<Count>("b?").await?.n;
    *list.first_mut().unwrap_or(&mut noted(0)) += elicit::<Count>("c?").await?.n;
    Ok(format!("{insert} {last} {list:?}"))
}

#[saga_tool]
async fn deep_nesting() -> Result<String, ToolError> {
    let text = join(
        noted("a".to_owned()),
        join(
            noted("b".to_owned()),
            format!(
                "{}{}",
                three(
                    noted(1),
                    [noted(2), elicit::<Count>("x?").await?.n][usize::from(elicit::<Yes>("y?").await?.yes)],
                    noted(3)
                ),
                noted("d"),
            ),
            if elicit::<Yes>("z?").await?.yes {
                noted("e".to_owned())
            } else {
                elicit::<Name>("f?").await?.name
            },
        ),
        (
            noted(0),
            {
                let g = elicit::<Name>("g?").await?.name;
                effect(&g);
                g
            },
            noted(1),
        )
            .1,
    );
    Ok(text)
}

#[saga_tool]
async fn parentheses() -> Result<String, ToolError> {
    let number = ((noted(1)) + ((elicit::<Count>("a?").await?).n)) * (noted(2));
    let text = (elicit::<Name>("b?").await)?.name;
    let both = (noted(true)) & ((elicit::<Yes>("c?").await?).yes);
    Ok(format!("{number} {text} {both}"))
}

#[saga_tool]
async fn ifs_in_operands() -> Result<String, ToolError> {
    let number = noted(1)
        + if noted(true) { elicit::<Count>("a?").await?.n } else { 0 }
        + match elicit::<Yes>("b?").await?.yes {
            true => elicit::<Count>("c?").await?.n,
            false => noted(7),
        };
    let text = three(number, if elicit::<Yes>("d?").await?.yes { 1 } else { 2 }, noted(3));
    Ok(text)
}

#[saga_tool]
async fn returns_in_operands() -> Result<String, ToolError> {
    let number =
        noted(1) + if elicit::<Yes>("a?").await?.yes { noted(2) } else { return Ok("returned".to_owned()) };
    let text = three(number, elicit::<Count>("b?").await.unwrap_or(Count { n: 0 }).n, {
        if number > 100 {
            return Err(ToolError::new("much"));
        }
        noted(3)
    });
    Ok(text)
}

#[saga_tool]
async fn tail_expressions() -> Result<String, ToolError> {
    effect("start");
    Ok(format!(
        "{}{}",
        {
            effect("inside");
            noted(1)
        },
        elicit::<Name>("tail?").await?.name
    ))
}

#[saga_tool]
async fn boxes_and_dereferences() -> Result<String, ToolError> {
    let mut boxed = Box::new(noted(1_u8));
    *boxed += elicit::<Count>("a?").await?.n;
    let order = Box::new(Order { what: elicit::<Name>("b?").await?.name, many: *boxed, sure: true });
    let sum = *boxed + order.many + elicit::<Count>("c?").await?.n;
    let what = &order.what;
    elicit::<Yes>(format!("{what}?")).await?;
    effect(what);
    let whole = *order;
    Ok(format!("{sum} {whole:?}"))
}

#[saga_tool]
async fn iterators_in_arguments() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3];
    let sum: u8 = list.iter().map(|item| item * 2).sum::<u8>() + elicit::<Count>("a?").await?.n;
    let at = list.iter().position(|item| *item == sum).unwrap_or(usize::from(elicit::<Count>("b?").await?.n));
    Ok(format!("{sum} {at}"))
}

#[saga_tool]
async fn iterator_receivers() -> Result<String, ToolError> {
    let list = vec![1_u8, 2, 3];
    let extended: Vec<u8> = list.iter().copied().chain([elicit::<Count>("c?").await?.n]).collect();
    let at = list.iter().rev().nth(usize::from(elicit::<Count>("d?").await?.n)).copied();
    Ok(format!("{extended:?} {at:?}"))
}

#[saga_tool]
async fn turbofish_and_qualified_paths() -> Result<String, ToolError> {
    let name = saga_runtime::list_roots().await?;
    let text = <String as From<&str>>::from(&elicit::<Name>("b?").await?.name);
    let number = u32::from(elicit::<Count>("c?").await?.n).checked_add(noted(1)).map(u64::from);
    let default =
        <Order as Clone>::clone(&Order { what: text, many: elicit::<Count>("d?").await?.n, sure: false });
    let said = ::saga_runtime::sample("e").await?;
    Ok(format!("{name:?} {number:?} {default:?} {}", said.model()))
}

struct Guard(&'static str);

impl Drop for Guard {
    fn drop(&mut self) {
        effect(format_args!("drop {}", self.0));
    }
}

fn guarded(name: &'static str, number: u8) -> (Guard, u8) {
    (Guard(name), number)
}

// Values that do not live over a question are dropped where Rust drops them.
#[saga_tool]
async fn temporaries_of_statements() -> Result<String, ToolError> {
    let number = guarded("a", elicit::<Count>("a?").await?.n).1;
    effect("after a");
    {
        let _guard = Guard("b");
        effect(number);
    }
    let text = format!("{}", guarded("c", 1).1);
    elicit::<Yes>(text).await?;
    let _ = guarded("d", elicit::<Count>("d?").await?.n);
    let (_, kept) = guarded("e", elicit::<Count>("e?").await?.n);
    effect(kept);
    match guarded("f", elicit::<Count>("f?").await?.n).1 {
        0 => effect("zero"),
        n => effect(n),
    }
    effect("end");
    Ok(number.to_string())
}

#[saga_tool]
async fn let_with_many_operands() -> Result<String, ToolError> {
    let (a, [b, c], Order { what, .. }) = (
        elicit::<Count>("a?").await?.n,
        [noted(1), elicit::<Count>("c?").await?.n],
        Order { what: elicit::<Name>("what?").await?.name, many: noted(2), sure: noted(true) },
    );
    effect(c);
    let _: Yes = elicit(format!("{a}{b}{c}{what}?")).await?;
    Ok(format!("{a}{b}{c}{what}"))
}
