//! Body → graph: in which order things happen to the locals. `l0`, `l1`, `l2` are the parameters `name`, `count`
//! and `fleet`.

use expect_test::{Expect, expect};

use super::lowered;

#[expect(clippy::needless_pass_by_value, reason = "expectations are written in place")]
fn check(body: &str, expected: Expect) {
    expected.assert_eq(&lowered(body).graph.to_string());
}

#[test]
fn a_question_splits_the_function() {
    check(
        "let a = 1; let b: Form = elicit(\"?\").await?; use_(a, b)",
        expect![[r#"
        b0: def l0; def l1; def l2; def l3; bind g0; suspend s0 -> b1
        b1: def l4; bind g1; use l3; use l4; return
    "#]],
    );
}

#[test]
fn operands_before_a_question_are_evaluated_before_it() {
    check(
        "send(first(name), &mut count, elicit(\"?\").await?, last(fleet))",
        expect![[r#"
        b0: def l0; def l1; def l2; use l0; def l3; use l1; set l1; def l4; bind g0; suspend s0 -> b1
        b1: use l3; use l4; use l2; return
    "#]],
    );
}

#[test]
fn an_assignment_defines_after_its_value() {
    check(
        "let x; x = elicit(\"?\").await?; x",
        expect![[r#"
        b0: def l0; def l1; def l2; def l3; suspend s0 -> b1
        b1: def l3; set l3; use l3; return
    "#]],
    );
}

#[test]
fn both_branches_meet_behind_an_if() {
    check(
        "let n = 1; if name.is_empty() { elicit(\"?\").await?; } n",
        expect![[r#"
        b0: def l0; def l1; def l2; def l3; bind g0; use l0; branch b3 b1
        b1: goto b2
        b2: use l3; return
        b3: suspend s0 -> b4
        b4: goto b2
    "#]],
    );
}

#[test]
fn the_right_side_of_and_may_be_skipped() {
    check(
        "name.is_empty() && elicit(\"?\").await?.yes",
        expect![[r#"
        b0: def l0; def l1; def l2; use l0; branch b1 b2
        b1: suspend s0 -> b4
        b2: goto b3
        b3: return
        b4: goto b3
    "#]],
    );
}

#[test]
fn a_loop_comes_back_to_its_head() {
    check(
        "for item in &list(name) { elicit(item).await?; } fleet",
        expect![[r#"
            b0: def l0; def l1; def l2; use l0; def l3; use l3; def l4; bind g0; goto b1
            b1: use l4; branch b3 b2
            b2: use l2; return
            b3: def l5; bind g1; use l5; suspend s0 -> b4
            b4: goto b1
        "#]],
    );
}

#[test]
fn a_continue_goes_to_the_head_and_a_break_behind_the_loop() {
    check(
        "let mut n = 0; loop { n += 1; if n == 2 { continue; } if n > 3 { break; } elicit(\"?\").await?; } n",
        expect![[r#"
            b0: def l0; def l1; def l2; def l3; bind g0; goto b1
            b1: use l3; set l3; use l3; branch b5 b3
            b2: use l3; return
            b3: goto b4
            b4: use l3; branch b9 b7
            b5: goto b1
            b6: goto b4
            b7: goto b8
            b8: suspend s0 -> b11
            b9: goto b2
            b10: goto b8
            b11: goto b1
        "#]],
    );
}

#[test]
fn a_capture_in_a_format_string_is_a_use() {
    check(
        "let a = 1; let x = elicit(format!(\"{name}\")).await?; println!(\"{a:>count$} {x:?}\")",
        expect![[r#"
        b0: def l0; def l1; def l2; def l3; bind g0; use l0; suspend s0 -> b1
        b1: def l4; bind g1; use l3; use l1; use l4; return
    "#]],
    );
}

#[test]
fn a_closure_uses_what_it_names_but_not_its_parameters() {
    check(
        "let a = 1; elicit(\"?\").await?; list.map(|count| count + a)",
        expect![[r#"
        b0: def l0; def l1; def l2; def l3; bind g0; suspend s0 -> b1
        b1: branch b2 b3
        b2: use l3; goto b3
        b3: return
    "#]],
    );
}

#[test]
fn code_behind_a_return_is_reached_by_nothing() {
    check(
        "if name.is_empty() { return Ok(elicit(\"?\").await?); } fleet",
        expect![[r#"
        b0: def l0; def l1; def l2; use l0; branch b3 b1
        b1: goto b2
        b2: use l2; return
        b3: suspend s0 -> b4
        b4: return
        b5: goto b2
    "#]],
    );
}

/// The machine's text, spaces apart.
fn machine(body: &str) -> String {
    let function = super::function(body);
    let tokens = crate::pipeline::saga_tool(&proc_macro2::TokenStream::new(), &quote::quote!(#function));
    let text = tokens.to_string().replace(' ', "");
    text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

#[test]
fn one_condition_is_one_branch() {
    check(
        "if count == 1 { elicit(\"?\").await?; }",
        expect![[r#"
        b0: def l0; def l1; def l2; use l1; branch b3 b1
        b1: goto b2
        b2: return
        b3: suspend s0 -> b4
        b4: goto b2
    "#]],
    );
}

#[test]
fn a_break_in_the_source_of_a_plain_loop_leaves_the_loop_around() {
    let body = "loop { for x in if count > 1 { break } else { names() } { use_(x); } elicit(\"?\").await?; }";
    assert!(!machine(body).contains("break}"));
}

#[test]
fn a_break_in_a_macro_leaves_the_loop_around() {
    let body = "loop { println!(\"{}\", if count > 1 { break } else { 1 }); elicit(\"?\").await?; }";
    assert!(!machine(body).contains("break}"));
}

#[test]
fn what_stands_before_an_answer_is_evaluated_before_it() {
    assert!(machine("f(make(), elicit(\"?\").await?.a)").contains("=>f("));
    assert!(machine("f(&name, elicit(\"?\").await?.a)").contains("=>f("));
    assert!(!machine("f(elicit(\"?\").await?.a)").contains("=>f("));
}

#[test]
fn what_a_call_takes_is_encoded_before_it() {
    let encoded = |body: &str| machine(body).matches("::Passed::new(").count();
    assert_eq!(encoded("let v = list(); call(review(v)).await?"), 2);
    assert_eq!(encoded("let v = list(); call(review(v, v)).await?"), 2);
    assert_eq!(encoded("let v = list(); call(review(&v)).await?"), 0);
}

#[test]
fn a_method_that_runs_again_must_be_known_unless_the_author_asked_for_it() {
    let knows = |binding: &str, items: &str| {
        let ask = "elicit(\"?\").await?; use_(item, title)";
        let machine = machine(&format!("let plan = plan(); {binding} for item in {items} {{ {ask} }}"));
        machine.contains("::known(") || machine.contains(".known(")
    };
    assert!(knows("let title = 1;", "plan.iter()"));
    assert!(knows("let title = 1;", "plan.as_str().lines()"));
    assert!(!knows("let title = plan.as_str();", "0..3"));
    assert!(!knows("let title = 1; #[saga(rebuild)] let items = plan.iter();", "items"));
}
