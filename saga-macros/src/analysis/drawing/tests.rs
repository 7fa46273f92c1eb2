//! Bodies and their drawings. A line per node: its number, what it is, and what follows it.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{Drawing, NodeKind, draw};
use crate::analysis::layout;
use crate::diagnostics::Diagnostics;
use crate::lower;
use crate::parse::suspension::KeyScope;
use crate::tree::Body;

fn check(source: &str, expected: Expect) {
    check_block(&syn::parse_str(&format!("{{\n{source}\n}}")).unwrap(), expected);
}

#[expect(clippy::needless_pass_by_value, reason = "as expect-test has it")]
fn check_block(block: &syn::Block, expected: Expect) {
    let mut diagnostics = Diagnostics::new();
    let lowered = lower::lower(&[], block, KeyScope::default(), &mut diagnostics);
    diagnostics.finish().unwrap();
    let _ = layout::layout(&lowered.body, &lowered.graph);
    let drawing = draw(block, &lowered.body, 1);
    expected.assert_eq(&text(&drawing, &lowered.body));
}

fn text(drawing: &Drawing, body: &Body) -> String {
    let mut text = String::new();
    for (index, node) in drawing.nodes.iter().enumerate() {
        let what = match &node.kind {
            NodeKind::Start => "start".to_owned(),
            NodeKind::Site(site) => match &body.site(*site).calls {
                None => format!("ask {}", body.site(*site).name),
                Some(saga) => format!("call {saga}"),
            },
            NodeKind::Branch(branch) => format!("if {branch}"),
            NodeKind::Loop(head) => head.clone(),
            NodeKind::End => "end".to_owned(),
        };
        write!(text, "{index}: {what} (line {})", node.line).unwrap();
        for edge in drawing.edges.iter().filter(|edge| edge.from == index) {
            let label = if edge.label.is_empty() { String::new() } else { format!(" ({})", edge.label) };
            write!(text, " -> {}{label}", edge.to).unwrap();
        }
        text.push('\n');
    }
    writeln!(text, "needs {:?}, longest {}", drawing.needs, drawing.longest).unwrap();
    text
}

#[test]
fn straight() {
    check(
        r#"let name: Name = elicit("Who?").await?;
           let safe = sample(format!("Is {name} safe?")).await?;
           Ok(safe.text())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask name (line 2) -> 2
            2: ask safe (line 3) -> 3
            3: end (line 5)
            needs [Elicit, Sample], longest 2
        "#]],
    );
}

#[test]
fn branches_that_lead_to_different_questions() {
    check(
        r#"if big && let Some(limit) = limit {
               let really: Confirm = elicit("Really?").await?;
           } else if !small {
               sample("Hm?").await?;
           }
           if x { a() } else { b() }
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if big && let Some(limit) = limit (line 2) -> 2 (yes) -> 3 (no)
            2: ask really (line 3) -> 5
            3: if !small (line 4) -> 4 (yes) -> 5 (no)
            4: ask sample (line 5) -> 5
            5: end (line 9)
            needs [], longest 1
        "#]],
    );
}

#[test]
fn a_value_is_asked_for_before_its_place() {
    check(
        r#"counts[elicit("Where?").await?.n] = sample("How many?").await?.n;
           counts[elicit("Where?").await?.n] += sample("How many?").await?.n;
           texts[elicit("Where?").await?.n] += &sample("What?").await?.text;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask sample (line 2) -> 2
            2: ask elicit (line 2) -> 3
            3: ask sample~2 (line 3) -> 4
            4: ask elicit~2 (line 3) -> 5
            5: ask elicit~3 (line 4) -> 6
            6: ask sample~3 (line 4) -> 7
            7: end (line 6)
            needs [Sample, Elicit], longest 6
        "#]],
    );
}

#[test]
fn a_question_inside_of_a_condition() {
    check(
        r#"if careful && elicit::<Confirm>("Sure?").await?.yes { go() }
           let sure = quick || elicit::<Confirm>("Sure?").key("again").await?.yes;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if careful (line 2) -> 2 (yes) -> 3 (no)
            2: ask elicit (line 2) -> 3
            3: if quick (line 3) -> 4 (no) -> 5 (yes)
            4: ask again (line 3) -> 5
            5: end (line 5)
            needs [], longest 2
        "#]],
    );
}

#[test]
fn matches() {
    check(
        r#"match plan {
               Plan::Free => {}
               Plan::Paid { seats, .. } if seats > 3 => { elicit::<Card>("Card?").await?; }
               Plan::Paid { .. } | Plan::Trial(Vec::<u8>::new()) => { let card: Card = elicit("Card?").await?; }
               _ => return Ok(None),
           }
           Ok(list_roots().await?)"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if match plan (line 2) -> 2 (Plan::Paid { seats, .. } if seats > 3) -> 3 (Plan::Paid { .. } | Plan::Trial(Vec::<u8>::new())) -> 4 (Plan::Free) -> 5 (_)
            2: ask elicit (line 4) -> 4
            3: ask card (line 5) -> 4
            4: ask list_roots (line 8) -> 5
            5: end (line 9)
            needs [], longest 2
        "#]],
    );
}

#[test]
fn loops() {
    check(
        r#"for region in &target.regions[1..] {
               let ok: Confirm = elicit("Go?").await?;
               if !ok.yes { continue; }
               deploy(region);
           }
           while let Some(next) = queue.pop() {
               let ok = sample(next).await?;
           }
           loop {
               let more: Confirm = elicit("More?").await?;
               if more.yes { break; }
           }
           for x in xs { count += 1; }
           Ok(count)"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: for region in &target.regions[1..] (line 2) -> 2 (again) -> 3 (done)
            2: ask ok (line 3) -> 1
            3: while let Some(next) = queue.pop() (line 7) -> 4 (again) -> 5 (done)
            4: ask ok~2 (line 8) -> 3
            5: ask more (line 11) -> 6
            6: if more.yes (line 12) -> 5 (no) -> 7 (yes)
            7: end (line 16)
            needs [Elicit], longest 3
        "#]],
    );
}

#[test]
fn nested_loops_and_labels() {
    check(
        r#"'rows: for row in rows {
               for cell in row {
                   let keep: Confirm = elicit("Keep?").await?;
                   if keep.skip { continue 'rows; }
                   if keep.stop { break 'rows; }
               }
           }
           let value = 'found: {
               if let Some(known) = known { break 'found known; }
               elicit::<Value>("Which?").await?
           };
           Ok(value)"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: for row in rows (line 2) -> 2 (again) -> 6 (done)
            2: for cell in row (line 3) -> 3 (again) -> 1 (done)
            3: ask keep (line 4) -> 4
            4: if keep.skip (line 5) -> 1 (yes) -> 5 (no)
            5: if keep.stop (line 6) -> 2 (no) -> 6 (yes)
            6: if let Some(known) = known (line 10) -> 7 (no) -> 8 (yes)
            7: ask elicit (line 11) -> 8
            8: end (line 14)
            needs [], longest 2
        "#]],
    );
}

#[test]
fn a_loop_whose_condition_asks() {
    check(
        r#"while elicit::<Confirm>("More?").await?.yes {
               let item: Item = elicit("Which?").await?;
           }
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask elicit (line 2) -> 2
            2: if elicit::<Confirm>("More?").await?.yes (line 2) -> 3 (yes) -> 4 (no)
            3: ask item (line 3) -> 1
            4: end (line 6)
            needs [Elicit], longest 2
        "#]],
    );
}

#[test]
fn early_returns() {
    check(
        r#"if amount == 0 { return Err(ToolError::new("nothing")); }
           let Some(card) = find()? else { return Ok("no card") };
           let ok: Confirm = elicit("Pay?").await?;
           for x in xs { if x { return Ok("x"); } }
           Ok("done")"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if amount == 0 (line 2) -> 2 (no) -> 6 (yes)
            2: if let Some(card) = find()? (line 3) -> 3 (yes) -> 6 (no)
            3: ask ok (line 4) -> 4
            4: for x in xs (line 5) -> 5 (again) -> 6 (done)
            5: if x (line 5) -> 4 (no) -> 6 (yes)
            6: end (line 7)
            needs [], longest 1
        "#]],
    );
}

#[test]
fn failures_before_the_first_question_do_not_count_and_returns_do() {
    check(
        r#"if amount == 0 { return Err(ToolError::new("nothing")); }
           check(amount)?;
           tracing::info!(amount, "asking");
           let ok: Confirm = elicit("Pay?").await?;
           my_macro!(ok);
           let ok = sample("Pay?").await?;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if amount == 0 (line 2) -> 2 (no) -> 4 (yes)
            2: ask ok (line 5) -> 3
            3: ask ok~2 (line 7) -> 4
            4: end (line 9)
            needs [Elicit], longest 2
        "#]],
    );
}

#[test]
fn what_cannot_happen_is_no_way_on() {
    check(
        r#"match kind { Kind::A => a(), Kind::B => unreachable!() }
           let x: X = match kind { Kind::A => elicit("A?").await?, _ => bail!("no such kind") };
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask elicit (line 3) -> 2
            2: end (line 5)
            needs [Elicit], longest 1
        "#]],
    );
}

#[test]
fn what_is_asked_on_both_ways_is_needed() {
    check(
        r#"if a { let x: X = elicit("A?").await?; list_roots().await?; } else { let y: Y = elicit("B?").await?; }
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if a (line 2) -> 2 (yes) -> 4 (no)
            2: ask x (line 2) -> 3
            3: ask list_roots (line 2) -> 5
            4: ask y (line 2) -> 5
            5: end (line 4)
            needs [Elicit], longest 2
        "#]],
    );
}

#[test]
fn what_never_returns_needs_nothing() {
    check(
        r#"loop { let x: X = elicit("A?").await?; if x.y { sample("B?").await?; } }"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask x (line 2) -> 2
            2: if x.y (line 2) -> 3 (yes) -> 1 (no)
            3: ask sample (line 2) -> 1
            4: end (line 3)
            needs [], longest 2
        "#]],
    );
}

#[test]
fn questions_in_macros_and_in_questions() {
    check(
        r#"let text = format!("{} {}", elicit::<A>("A?").await?.a, elicit::<B>("B?").await?.b);
           let c: C = elicit(sample("What to ask?").await?.text()).await?;
           let f = |x: u8| { return x };
           Ok(text)"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask elicit (line 2) -> 2
            2: ask elicit~2 (line 2) -> 3
            3: ask sample (line 3) -> 4
            4: ask c (line 3) -> 5
            5: end (line 6)
            needs [Elicit, Sample], longest 4
        "#]],
    );
}

#[test]
fn code_is_written_with_the_usual_spaces() {
    let cases = [
        "!verdict.text().starts_with(\"Yes\")",
        "a.b[i + 1] == -x && *y != &z",
        "let Some(x) = map.get::<Vec<Vec<u8>>>(&key)?",
        "a < b && c > d",
        "matches!(x, Some(_) | None)",
        "items.iter().map(|item| item.0 + 1).sum::<u32>() >= limit as u32",
        "Point { x: 1, ..p } == q",
        "x as Vec<u8>",
        "0..=n",
        "&mut list[..]",
        "'a' == c && || true",
        "!(a || b) != !c",
        "vec![1, 2] != [-1, !2]",
        "if !(a) { b } else { !c }",
        "a - -1 - *b * *c",
        "&a & &b && !(c) || d",
        "Vec::<Vec<u8>>::new() < b",
        "a >> b",
        "a || -b",
        "loop {}",
        "f::<u8>(a) > b",
        "f::<Vec<u8>>(a) >> b",
        "f::<Option<u8>>(a)?.b",
        "list.retain(|| a || b)",
        "'label: { break 'label a }",
    ];
    for case in cases {
        let tokens: proc_macro2::TokenStream = case.parse().unwrap();
        assert_eq!(super::text::written(&tokens), case);
    }
}

#[test]
fn an_error_in_parentheses_is_a_failure() {
    check(
        r#"if small { return (Err(small)); }
           elicit::<Confirm>("Sure?").await?;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if small (line 2) -> 2 (no) -> 3 (yes)
            2: ask elicit (line 3) -> 3
            3: end (line 5)
            needs [Elicit], longest 1
        "#]],
    );
}

#[test]
fn both_kinds_of_lazy_questions() {
    check(
        r#"let both = a && elicit::<Confirm>("And?").key("and").await?.yes;
           let one = a || elicit::<Confirm>("Or?").key("or").await?.yes;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if a (line 2) -> 2 (yes) -> 3 (no)
            2: ask and (line 2) -> 3
            3: if a (line 3) -> 4 (no) -> 5 (yes)
            4: ask or (line 3) -> 5
            5: end (line 5)
            needs [], longest 2
        "#]],
    );
}

#[test]
fn a_hidden_return_is_not_drawn() {
    check(
        r#"if maybe!(a => b) { elicit::<Confirm>("1?").key("1").await?; }
           sample("2?").await?;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if maybe!(a => b) (line 2) -> 2 (yes) -> 3 (no)
            2: ask 1 (line 2) -> 3
            3: ask sample (line 3) -> 4
            4: end (line 5)
            needs [], longest 2
        "#]],
    );
}

#[test]
fn ways_that_meet_are_one_edge() {
    check(
        r#"match plan {
               Plan::A | Plan::B => {}
               Plan::C => {}
               Plan::D => { sample("D?").await?; }
           }
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if match plan (line 2) -> 2 (Plan::D) -> 3 (Plan::A | Plan::B, Plan::C)
            2: ask sample (line 5) -> 3
            3: end (line 8)
            needs [], longest 1
        "#]],
    );
}

#[test]
fn a_loop_and_what_comes_after_it() {
    check(
        r#"while more { elicit::<Confirm>("More?").await?; }
           sample("Enough?").await?;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: while more (line 2) -> 2 (again) -> 3 (done)
            2: ask elicit (line 2) -> 1
            3: ask sample (line 3) -> 4
            4: end (line 5)
            needs [Sample], longest 2
        "#]],
    );
}

#[test]
fn a_loop_whose_condition_asks_and_what_comes_after_it() {
    check(
        r#"while elicit::<Confirm>("More?").await?.yes { sample("What?").await?; }
           list_roots().await?;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask elicit (line 2) -> 2
            2: if elicit::<Confirm>("More?").await?.yes (line 2) -> 3 (yes) -> 4 (no)
            3: ask sample (line 2) -> 1
            4: ask list_roots (line 3) -> 5
            5: end (line 5)
            needs [Elicit, ListRoots], longest 3
        "#]],
    );
}

#[test]
fn both_operands_ask_and_a_let_chain_has_parts() {
    check(
        r#"let sum = elicit::<N>("a").key("a").await?.n + elicit::<N>("b").key("b").await?.n;
           note!("{}", json!({ "sum": sum }));
           info!("{}", format!("{sum}"));
           if sum > 1 && let Some(name) = find(sum) {
               elicit::<N>(name).key("c").await?;
           }
           Ok(sum)"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask a (line 2) -> 2
            2: ask b (line 2) -> 3
            3: if sum > 1 && let Some(name) = find(sum) (line 5) -> 4 (yes) -> 5 (no)
            4: ask c (line 6) -> 5
            5: end (line 9)
            needs [Elicit], longest 3
        "#]],
    );
}

#[test]
fn json_hides_no_return_and_parts_of_a_condition_ask() {
    check(
        r#"let body = json!({ "a": 1 });
           if body.is_object() && let Some(name) = elicit::<N>("a").key("a").await?.name && name != "x" {
               sample(name).key("b").await?;
           }
           let sure = elicit::<N>("c").key("c").await?;
           Ok(sure)"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if body.is_object() (line 3) -> 2 (yes) -> 5 (no)
            2: ask a (line 3) -> 3
            3: if let Some(name) = elicit::<N>("a").key("a").await?.name && name != "x" (line 3) -> 4 (yes) -> 5 (no)
            4: ask b (line 4) -> 5
            5: ask c (line 6) -> 6
            6: end (line 8)
            needs [Elicit], longest 3
        "#]],
    );
    check(
        r#"let body = json!({ "a": 1 });
           sample(body.to_string()).key("b").await?;
           Ok(())"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: ask b (line 3) -> 2
            2: end (line 5)
            needs [Sample], longest 1
        "#]],
    );
}

#[test]
fn an_end_that_may_not_be_there() {
    check(
        r#"#[cfg(windows)]
           { return Err(none()); }
           elicit("Who?").await?;
           #[cfg(windows)]
           note();
           #[cfg(unix)]
           { Ok(()) }"#,
        expect![[r#"
            0: start (line 1) -> 1
            1: if #[cfg] (line 2) -> 2 (no) -> 3 (yes)
            2: ask elicit (line 4) -> 3
            3: end (line 9)
            needs [Elicit], longest 1
        "#]],
    );
}
