//! Body → what each suspension holds.

use expect_test::{Expect, expect};

use super::lowered;
use crate::analysis::layout::layout;
use crate::tree::LocalId;

#[expect(clippy::needless_pass_by_value, reason = "expectations are written in place")]
fn check(body: &str, expected: Expect) {
    let lowered = lowered(body);
    let mut text = String::new();
    for (site, layout) in lowered.body.sites.iter().zip(layout(&lowered.body, &lowered.graph)) {
        let names = |locals: Vec<LocalId>| {
            let names = locals.iter().map(|local| lowered.body.local(*local).name.to_string());
            names.collect::<Vec<_>>().join(", ")
        };
        text.extend([site.name.as_str(), ": holds [", &names(layout.held), "]"]);
        for (word, locals) in [("derives", layout.rebuilt), ("declares", layout.declared)] {
            if !locals.is_empty() {
                text.extend([", ", word, " [", &names(locals.into_iter().collect()), "]"]);
            }
        }
        if !layout.astray.is_empty() {
            text += ", astray";
        }
        text += "\n";
    }
    expected.assert_eq(&text);
}

#[test]
fn only_what_later_code_needs() {
    check(
        "let a = 1; let b = 2; elicit(\"?\").await?; use_(a)",
        expect![[r#"
        elicit: holds [a]
    "#]],
    );
}

#[test]
fn parameters_come_with_every_request_unless_they_change() {
    check(
        "count += 1; elicit(\"?\").await?; use_(name, count, fleet)",
        expect![[r#"
        elicit: holds [count]
    "#]],
    );
}

#[test]
fn a_borrow_is_derived_from_what_it_borrows() {
    check(
        "let plan = plan(); let region = &plan.region; elicit(\"?\").await?; use_(region)",
        expect![[r#"
        elicit: holds [plan], derives [region]
    "#]],
    );
}

#[test]
fn a_borrow_of_a_parameter_holds_nothing() {
    check(
        "let region = &name; elicit(\"?\").await?; use_(region)",
        expect![[r#"
        elicit: holds [], derives [region]
    "#]],
    );
}

#[test]
fn an_index_is_kept_as_it_was() {
    check(
        "let mut i = 0; let r = &items()[i]; let v = list(); let r = &v[i]; i += 1; elicit(r).await?; use_(r, i)",
        expect![[r#"
            elicit: holds [i, v, __t3], derives [r]
        "#]],
    );
}

#[test]
fn a_reassigned_borrow_travels_by_value_or_not_at_all() {
    check(
        "let mut p = &name; if cond() { p = other(); } elicit(\"?\").await?; use_(p)",
        expect![[r#"
        elicit: holds [p]
    "#]],
    );
}

#[test]
fn a_borrow_through_a_reference_that_is_assigned_meanwhile_travels_by_value() {
    check(
        "let mut p = first(); let r = &p.name; p = second(); elicit(\"?\").await?; use_(r)",
        expect![[r#"
        elicit: holds [r]
    "#]],
    );
}

#[test]
fn a_pattern_on_a_borrow_is_matched_again() {
    check(
        "let o = option(); if let Some((a, b)) = &o { elicit(a).await?; use_(a, b) }",
        expect![[r#"
        elicit: holds [o], derives [a, b]
    "#]],
    );
}

#[test]
fn a_loop_over_a_borrow_holds_a_position() {
    check(
        "let items = list(); for item in &items { elicit(item).await?; use_(item) }",
        expect![[r#"
        elicit: holds [items, __iterator1], derives [item]
    "#]],
    );
}

#[test]
fn a_loop_over_a_borrow_that_changes_meanwhile_is_astray() {
    check(
        "let mut items = &all(); for item in items.iter() { elicit(item).await?; items = other(); }",
        expect![[r#"
            elicit: holds [items, __iterator2], astray
        "#]],
    );
}

#[test]
fn an_owned_iterator_travels_itself() {
    check(
        "for item in list() { elicit(&item).await?; use_(item) }",
        expect![[r#"
        elicit: holds [__iterator1, item]
    "#]],
    );
}

#[test]
fn a_shadowed_local_that_is_needed_later_is_held_under_its_name() {
    check(
        "let x = one(); { let x = two(); elicit(\"?\").await?; use_(x); } use_(x)",
        expect![[r#"
        elicit: holds [x, x]
    "#]],
    );
}

#[test]
fn a_local_that_is_only_assigned_later_is_declared() {
    check(
        "let mut x = one(); use_(&x); elicit(\"?\").await?; x = two(); use_(x)",
        expect![[r#"
        elicit: holds [], declares [x]
    "#]],
    );
}

#[test]
fn a_local_that_was_moved_is_not_held() {
    check(
        "let x = one(); drop(x); elicit(\"?\").await?; done()",
        expect![[r#"
        elicit: holds []
    "#]],
    );
}

#[test]
fn an_operand_before_a_question_is_held() {
    check(
        "send(first(), elicit(\"?\").await?)",
        expect![[r#"
        elicit: holds [__t2]
    "#]],
    );
}

#[test]
fn sites_of_one_key_are_told_apart() {
    check(
        "let ok: F = elicit(\"1\").await?; let ok: F = elicit(\"2\").await?; sample(\"3\").await?;",
        expect![[r#"
        ok: holds []
        ok~2: holds []
        sample: holds []
    "#]],
    );
}

#[test]
fn a_question_inside_of_another_await_is_not_called_after_the_local() {
    check(
        "let name = elicit(\"?\").await?.await; use_(name)",
        expect![[r#"
            elicit: holds []
        "#]],
    );
}

#[test]
fn what_a_guard_changes_is_changed_in_the_later_arms() {
    check(
        "let mut at = &LIST[0]; let part = &at[..1]; match count { 1 if { at = &LIST[1]; false } => (), _ => { \
         elicit(\"?\").await?; use_(part) } }",
        expect![[r#"
            elicit: holds [part]
        "#]],
    );
    check(
        "let mut at = &LIST[0]; let part = &at[..1]; match count { 1 if let Some(n) = next(&mut at) && n > 1 => return, \
         _ => () } elicit(\"?\").await?; use_(part)",
        expect![[r#"
            elicit: holds [part]
        "#]],
    );
}
