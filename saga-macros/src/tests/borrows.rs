//! Many forms of one thing in a table: what a question holds and derives for each. cargo-mutants found the forms that
//! the other tests did not tell apart.

use std::fmt::Write;

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;

use crate::analysis::layout::layout;
use crate::diagnostics::Diagnostics;
use crate::lower::lower;
use crate::parse::suspension::KeyScope;
use crate::parse::{Kind, parse};
use crate::tree::LocalId;

/// What stands before each form: `v` and `j` do not change, `w` and `i` are `mut`, `r` is a borrow, `m` one that may
/// be another.
const BEFORE: &str =
    "let v = list(); let mut w = list(); let j = 1; let mut i = 0; let r = &v; let mut m = &v;";

/// For each form the whole tool, with `@` where the form goes; all of them in one text.
#[expect(clippy::needless_pass_by_value, reason = "expectations are written in place")]
fn check(tool: &str, forms: &[&str], expected: Expect) {
    let mut text = String::new();
    for form in forms {
        let body = format!("{BEFORE} {}", tool.replace('@', form).replace('Q', "elicit(\"?\").await?"));
        writeln!(text, "{form}: {}", held(&body)).expect("a string takes all text");
    }
    expected.assert_eq(&text);
}

fn held(body: &str) -> String {
    let mut diagnostics = Diagnostics::new();
    let tool = parse(Kind::Tool, TokenStream::new(), super::function(body), &mut diagnostics);
    let lowered = lower(&tool.parameters, &tool.block, KeyScope::default(), &mut diagnostics);
    let mut text = String::new();
    for layout in layout(&lowered.body, &lowered.graph) {
        let name = |local: &LocalId| {
            let local = lowered.body.local(*local);
            format!("{}{}", if local.mutable { "mut " } else { "" }, local.name)
        };
        let names = |locals: Vec<LocalId>| locals.iter().map(name).collect::<Vec<_>>().join(", ");
        let (held, derived) = (names(layout.held), names(layout.rebuilt.into_iter().collect()));
        let astray = if layout.astray.is_empty() { "" } else { " astray" };
        write!(text, "[{held}] [{derived}]{astray} ").expect("a string takes all text");
    }
    if diagnostics.finish().is_err() {
        text += "refused";
    }
    text.trim_end().to_owned()
}

#[test]
fn a_binding() {
    check(
        "let x = @; elicit(\"?\").await?; use_(x)",
        &[
            "&v",
            "&mut w",
            "&v.a",
            "&v.a.b",
            "&*v.a",
            "&-v.a",
            "&!v",
            "&(v)",
            "(&v)",
            "v",
            "v.a",
            "&v[0]",
            "&v[j]",
            "&v[i]",
            "&v[i + j]",
            "&v[j + i]",
            "&v[j + 1]",
            "&v[&j]",
            "&v[&i]",
            "&v[next()]",
            "&v[j..]",
            "&v[i..j]",
            "&v[j..i]",
            "&v[..]",
            "&v[i].a",
            "&w[i]",
            "&v.a[j].b[i]",
            "&5",
            "&mut 5",
            "&-5",
            "&-j",
            "&[1, 2]",
            "&[1, j]",
            "&(1, 2)",
            "&(1, j)",
            "&&5",
            "&&mut 5",
            "&&v",
            "&CONST",
            "&make()",
            "&mut make()",
            "&make().a",
            "&make()[i].b",
            "&make()?",
            "&(make())",
            "(&make())",
            "(&v[i])",
            "&*v[i]",
            "&*make()",
            "v[i].iter()",
            "make()[i].as_str()",
            "&mut w[0]",
            "&mut v[next()].a",
            "v.as_str()",
            "v.a.as_ref()",
            "v.as_ref(1)",
            "make().as_str()",
            "CONST.as_str()",
            "v.as_str().as_bytes()",
            "(v.as_str())",
            "v.first()",
            "(*v).as_ref()",
            "(-v).as_ref()",
            "v[i].as_str()",
            "w.as_mut()",
            "v.iter()",
            "w.iter_mut()",
            "v.iter().rev()",
            "v.iter().skip(1)",
            "make().iter()",
            "make().iter_mut()",
            "r",
            "m",
            "&r.a",
            "&m.a",
            "(&v, &w)",
            "(&v, r)",
            "(&v, 1)",
            "(r, m)",
            "()",
            "|y| y",
        ],
        expect![[r#"
            &v: [v] [x]
            &mut w: [mut w] [x]
            &v.a: [v] [x]
            &v.a.b: [v] [x]
            &*v.a: [v] [x]
            &-v.a: [__t1] [x]
            &!v: [__t1] [x]
            &(v): [v] [x]
            (&v): [v] [x]
            v: [x] []
            v.a: [x] []
            &v[0]: [v] [x]
            &v[j]: [v, j] [x]
            &v[i]: [v, __t1] [x]
            &v[i + j]: [v, __t1] [x]
            &v[j + i]: [v, __t1] [x]
            &v[j + 1]: [v, j] [x]
            &v[&j]: [v, j] [x]
            &v[&i]: [v, mut i] [__t1, x]
            &v[next()]: [v, __t1] [x]
            &v[j..]: [v, j] [x]
            &v[i..j]: [v, j, __t1] [x]
            &v[j..i]: [v, j, __t1] [x]
            &v[..]: [v] [x]
            &v[i].a: [v, __t1] [x]
            &w[i]: [mut w, __t1] [x]
            &v.a[j].b[i]: [v, j, __t1] [x]
            &5: [] [x]
            &mut 5: [x] []
            &-5: [] [x]
            &-j: [__t1] [x]
            &[1, 2]: [] [x]
            &[1, j]: [__t1] [x]
            &(1, 2): [] [x]
            &(1, j): [__t1] [x]
            &&5: [] [x]
            &&mut 5: [__t1] [x]
            &&v: [v] [__t1, x]
            &CONST: [] [x]
            &make(): [__t1] [x]
            &mut make(): [mut __t1] [x]
            &make().a: [__t1] [x]
            &make()[i].b: [__t1, __t2] [x]
            &make()?: [__t1] [x]
            &(make()): [__t1] [x]
            (&make()): [__t1] [x]
            (&v[i]): [v, __t1] [x]
            &*v[i]: [v, __t1] [x]
            &*make(): [__t1] [x]
            v[i].iter(): [x] []
            make()[i].as_str(): [__t1, __t2] [x]
            &mut w[0]: [mut w] [x]
            &mut v[next()].a: [v, __t1] [x]
            v.as_str(): [v] [x]
            v.a.as_ref(): [v] [x]
            v.as_ref(1): [x] []
            make().as_str(): [x] []
            CONST.as_str(): [x] []
            v.as_str().as_bytes(): [v] [x]
            (v.as_str()): [v] [x]
            v.first(): [x] []
            (*v).as_ref(): [v] [x]
            (-v).as_ref(): [x] []
            v[i].as_str(): [v, __t1] [x]
            w.as_mut(): [mut w] [x]
            v.iter(): [x] []
            w.iter_mut(): [x] []
            v.iter().rev(): [x] []
            v.iter().skip(1): [x] []
            make().iter(): [x] []
            make().iter_mut(): [x] []
            r: [v] [r, x]
            m: [mut m] [x]
            &r.a: [v] [r, x]
            &m.a: [mut m] [x]
            (&v, &w): [v, mut w] [x]
            (&v, r): [v] [r, x]
            (&v, 1): [x] []
            (r, m): [v, mut m] [r, x]
            (): [x] []
            |y| y: [x] []
        "#]],
    );
}

#[test]
fn a_pattern() {
    check(
        "let @ = v; elicit(\"?\").await?; use_(x)",
        &["x", "ref x", "S { ref x, .. }", "S { x, .. }", "(ref x, _)", "x @ S { .. }"],
        expect![[r#"
            x: [x] []
            ref x: [v] [x]
            S { ref x, .. }: [v] [x]
            S { x, .. }: [x] []
            (ref x, _): [v] [x]
            x @ S { .. }: [x] []
        "#]],
    );
}

#[test]
fn a_loop() {
    check(
        "for x in @ { elicit(\"?\").await?; use_(x); }",
        &[
            "v",
            "&v",
            "&mut w",
            "(&v)",
            "r",
            "m",
            "(r)",
            "v.a",
            "&v.a",
            "&v[1..]",
            "&v[i..]",
            "&v[j..]",
            "&v[..next()]",
            "&[1, 2]",
            "&make()",
            "make()",
            "0..5",
            "&mut make()",
            "v.iter()",
            "(v.iter())",
            "w.iter_mut()",
            "v.a.iter()",
            "v.iter(1)",
            "v.chars()",
            "v.into_iter()",
            "make().iter()",
            "make().iter_mut()",
            "CONST.iter()",
            "[1, 2].iter()",
            "v.as_slice().iter()",
            "r.iter()",
            "m.iter()",
            "v[1..].iter()",
            "v[i..].iter()",
            "make().a.iter()",
            "v[i].chars()",
            "v.as_str().chars()",
            "&*v[i]",
            "(&make())",
            "v[i].chunks(2)",
            "v.iter().zip(&w).rev()",
            "v.iter().enumerate()",
            "v.iter().rev().skip(1)",
            "v.iter().skip(j)",
            "v.iter().skip(i)",
            "v.iter().skip(next())",
            "v.iter().map(f)",
            "v.rev()",
            "make().iter().rev()",
            "(v.iter()).rev()",
            "v.iter().zip(&w)",
            "v.iter().zip(w.iter())",
            "v.iter().zip(make())",
            "v.iter().zip(w)",
            "v.iter().zip(r)",
            "v.chunks(2)",
            "v.windows(j)",
            "v.windows(i)",
            "make().chunks(2)",
            "v.skip(2)",
            "v.as_slice().chunks(2)",
        ],
        expect![[r#"
            v: [mut __iterator1, x] []
            &v: [v, mut __iterator1] [x]
            &mut w: [mut w, mut __iterator1] [x]
            (&v): [v, mut __iterator1] [x]
            r: [v, mut __iterator1] [r, x]
            m: [mut __iterator1, x] []
            (r): [v, mut __iterator1] [r, x]
            v.a: [mut __iterator1, x] []
            &v.a: [v, mut __iterator1] [x]
            &v[1..]: [v, mut __iterator1] [x]
            &v[i..]: [v, __t1, mut __iterator2] [x]
            &v[j..]: [v, j, mut __iterator1] [x]
            &v[..next()]: [v, __t1, mut __iterator2] [x]
            &[1, 2]: [mut __iterator1] [x]
            &make(): [__t1, mut __iterator2] [x]
            make(): [mut __iterator1, x] []
            0..5: [mut __iterator1, x] []
            &mut make(): [mut __t1, mut __iterator2] [x]
            v.iter(): [v, mut __iterator1] [x]
            (v.iter()): [v, mut __iterator1] [x]
            w.iter_mut(): [mut w, mut __iterator1] [x]
            v.a.iter(): [v, mut __iterator1] [x]
            v.iter(1): [mut __iterator1, x] []
            v.chars(): [v, mut __iterator1] [x]
            v.into_iter(): [mut __iterator1, x] []
            make().iter(): [__t1, mut __iterator2] [x]
            make().iter_mut(): [mut __t1, mut __iterator2] [x]
            CONST.iter(): [mut __iterator1] [x]
            [1, 2].iter(): [mut __iterator1] [x]
            v.as_slice().iter(): [v, mut __iterator1] [x]
            r.iter(): [v, mut __iterator1] [r, x]
            m.iter(): [mut m, mut __iterator1] [x]
            v[1..].iter(): [v, mut __iterator1] [x]
            v[i..].iter(): [v, __t1, mut __iterator2] [x]
            make().a.iter(): [__t1, mut __iterator2] [x]
            v[i].chars(): [v, __t1, mut __iterator2] [x]
            v.as_str().chars(): [v, mut __iterator1] [x]
            &*v[i]: [v, __t1, mut __iterator2] [x]
            (&make()): [__t1, mut __iterator2] [x]
            v[i].chunks(2): [mut __iterator1, x] []
            v.iter().zip(&w).rev(): [v, mut w, mut __iterator1] [x]
            v.iter().enumerate(): [v, mut __iterator1] [x]
            v.iter().rev().skip(1): [v, mut __iterator1] [x]
            v.iter().skip(j): [v, j, mut __iterator1] [x]
            v.iter().skip(i): [mut __iterator1, x] []
            v.iter().skip(next()): [mut __iterator1, x] []
            v.iter().map(f): [mut __iterator1, x] []
            v.rev(): [mut __iterator1, x] []
            make().iter().rev(): [__t1, mut __iterator2] [x]
            (v.iter()).rev(): [v, mut __iterator1] [x]
            v.iter().zip(&w): [v, mut w, mut __iterator1] [x]
            v.iter().zip(w.iter()): [v, mut w, mut __iterator1] [x]
            v.iter().zip(make()): [mut __iterator1, x] []
            v.iter().zip(w): [mut __iterator1, x] []
            v.iter().zip(r): [v, mut __iterator1] [r, x]
            v.chunks(2): [v, mut __iterator1] [x]
            v.windows(j): [v, j, mut __iterator1] [x]
            v.windows(i): [mut __iterator1, x] []
            make().chunks(2): [mut __iterator1, x] []
            v.skip(2): [mut __iterator1, x] []
            v.as_slice().chunks(2): [mut __iterator1, x] []
        "#]],
    );
}

#[test]
fn what_stands_before_a_question() {
    check(
        "@; use_(v, w, i)",
        &[
            "f(1, Q)",
            "f(v.a, Q)",
            "f(w.a, Q)",
            "f(i, Q)",
            "f(v[i], Q)",
            "f(-v.a, Q)",
            "f(&v.a, Q)",
            "f(&mut w.a, Q)",
            "f(&make(), Q)",
            "f(&mut make(), Q)",
            "f(make(), Q)",
            "f((make()), Q)",
            "f((&make()), Q)",
            "f(CONST, Q)",
            "f(&CONST, Q)",
            "f(|y| y, Q)",
            "f(|y| y + i, Q)",
            "f(|y| y + i, { i = 2; Q })",
            "f(i, { i = 2; Q })",
            "f(&w, { w = v; Q })",
            "f(v.iter(), Q)",
            "v.m(Q)",
            "v.m(make(), Q)",
            "v.a.m(Q)",
            "make().m(Q)",
            "make().a.m(Q)",
            "v[next()].m(Q)",
            "w[i].m(Q)",
            "(*v).m(Q)",
            "(&make()).m(Q)",
            "v[Q]",
            "make()[Q]",
            "v[i].a[Q]",
            "v[next()].a[Q]",
            "(v[Q], make())",
            "(make(), v[Q])",
            "make()?.a + Q.a",
            "Q?",
            "make().await + Q",
            "f(v, { v = make(); Q })",
            "f((v.a), Q)",
            "f(&Q, make())",
            "!Q",
            "(Q).a",
            "f(v[0], Q)",
            "f((w[i]), Q)",
            "f(&w[next()], Q)",
            "w.a.push(Q)",
            "w[next()].a.push(Q)",
            "(*w).push(Q)",
            "&v[Q]",
            "&mut w[Q]",
            "Q[make()]",
            "w.a = Q",
            "w[i] = Q",
            "w[next()] = Q",
            "w[i] += Q",
            "w[next()] += Q",
            "*w[next()] += Q",
            "w[-next()] += Q",
            "make().a = Q",
            "(w[next()]) += Q",
            "w[next()].a += Q",
            "(-w[next()]) += Q",
            "w[next() + 1] += Q",
            "w[v[next()]] += Q",
            "w[j + 1] += Q",
            "w[(i as usize) - v[0]] += Q",
            "make() + Q",
            "i + Q",
            "Q + make()",
            "Q + Q",
            "[make(), Q, make()]",
            "S { a: make(), b: Q }",
            "S { b: Q, ..make() }",
            "vec![make(), Q]",
            "format!(\"{} {}\", make(), Q)",
            "format!(\"{i} {}\", Q)",
            "make()(Q)",
            "call(g(i, &v, make(), Q)).await?",
            "call(v.g(i)).await?",
            "call(g(make(), i)).await?",
            "call(v[i].g()).await?",
            "call(Q.g()).await?",
            "call(g(&v[i])).await?",
            "call(g(v.iter())).await?",
            "call(v.a.g(&mut w)).await?",
            "call(make().g(Q)).await?",
            "call(g(|y| y, 1, v)).await?",
            "call(g(i, { i = 3; 1 })).await?",
        ],
        expect![[r#"
            f(1, Q): [v, mut w, mut i] []
            f(v.a, Q): [v, mut w, mut i, __t2] []
            f(w.a, Q): [v, mut w, mut i, __t2] []
            f(i, Q): [v, mut w, mut i, __t2] []
            f(v[i], Q): [v, mut w, mut i, __t2] []
            f(-v.a, Q): [v, mut w, mut i, __t2] []
            f(&v.a, Q): [v, mut w, mut i] [__t2]
            f(&mut w.a, Q): [v, mut w, mut i] [__t2]
            f(&make(), Q): [v, mut w, mut i, __t2] [__t3]
            f(&mut make(), Q): [v, mut w, mut i, mut __t2] [__t3]
            f(make(), Q): [v, mut w, mut i, __t2] []
            f((make()), Q): [v, mut w, mut i, __t2] []
            f((&make()), Q): [v, mut w, mut i, __t2] [__t3]
            f(CONST, Q): [v, mut w, mut i] []
            f(&CONST, Q): [v, mut w, mut i] []
            f(|y| y, Q): [v, mut w, mut i] []
            f(|y| y + i, Q): [v, mut w, mut i] []
            f(|y| y + i, { i = 2; Q }): [v, mut w, mut i] []
            f(i, { i = 2; Q }): [v, mut w, mut i, __t2] []
            f(&w, { w = v; Q }): [v, mut w, mut i, __t2] []
            f(v.iter(), Q): [v, mut w, mut i] [mut __t2]
            v.m(Q): [v, mut w, mut i] []
            v.m(make(), Q): [v, mut w, mut i, __t2] []
            v.a.m(Q): [v, mut w, mut i] []
            make().m(Q): [v, mut w, mut i, mut __t2] []
            make().a.m(Q): [v, mut w, mut i, mut __t2] []
            v[next()].m(Q): [v, mut w, mut i, __t2] []
            w[i].m(Q): [v, mut w, mut i, __t2] []
            (*v).m(Q): [v, mut w, mut i] []
            (&make()).m(Q): [v, mut w, mut i, __t2] [__t3]
            v[Q]: [v, mut w, mut i] []
            make()[Q]: [v, mut w, mut i, mut __t2] []
            v[i].a[Q]: [v, mut w, mut i, __t2] []
            v[next()].a[Q]: [v, mut w, mut i, __t2] []
            (v[Q], make()): [v, mut w, mut i] []
            (make(), v[Q]): [v, mut w, mut i, __t2] []
            make()?.a + Q.a: [v, mut w, mut i, __t2] []
            Q?: [v, mut w, mut i] []
            make().await + Q: [v, mut w, mut i, __t2] []
            f(v, { v = make(); Q }): [v, mut w, mut i] []
            f((v.a), Q): [v, mut w, mut i, __t2] []
            f(&Q, make()): [v, mut w, mut i] []
            !Q: [v, mut w, mut i] []
            (Q).a: [v, mut w, mut i] []
            f(v[0], Q): [v, mut w, mut i, __t2] []
            f((w[i]), Q): [v, mut w, mut i, __t2] []
            f(&w[next()], Q): [v, mut w, mut i, __t2] [__t3]
            w.a.push(Q): [v, mut w, mut i] []
            w[next()].a.push(Q): [v, mut w, mut i, __t2] []
            (*w).push(Q): [v, mut w, mut i] []
            &v[Q]: [v, mut w, mut i] []
            &mut w[Q]: [v, mut w, mut i] []
            Q[make()]: [v, mut w, mut i] []
            w.a = Q: [v, mut w, mut i] []
            w[i] = Q: [v, mut w, mut i] []
            w[next()] = Q: [v, mut w, mut i] []
            w[i] += Q: [v, mut w, mut i] []
            w[next()] += Q: [v, mut w, mut i] [] refused
            *w[next()] += Q: [v, mut w, mut i] [] refused
            w[-next()] += Q: [v, mut w, mut i] [] refused
            make().a = Q: [v, mut w, mut i] []
            (w[next()]) += Q: [v, mut w, mut i] [] refused
            w[next()].a += Q: [v, mut w, mut i] [] refused
            (-w[next()]) += Q: [v, mut w, mut i] [] refused
            w[next() + 1] += Q: [v, mut w, mut i] [] refused
            w[v[next()]] += Q: [v, mut w, mut i] [] refused
            w[j + 1] += Q: [v, mut w, j, mut i] []
            w[(i as usize) - v[0]] += Q: [v, mut w, mut i] []
            make() + Q: [v, mut w, mut i, __t2] []
            i + Q: [v, mut w, mut i, __t2] []
            Q + make(): [v, mut w, mut i] []
            Q + Q: [v, mut w, mut i] [] [v, mut w, mut i, __t3] []
            [make(), Q, make()]: [v, mut w, mut i, __t2] []
            S { a: make(), b: Q }: [v, mut w, mut i, __t2] []
            S { b: Q, ..make() }: [v, mut w, mut i] []
            vec![make(), Q]: [v, mut w, mut i, __t2] []
            format!("{} {}", make(), Q): [v, mut w, mut i, mut __t2] []
            format!("{i} {}", Q): [v, mut w, mut i] []
            make()(Q): [v, mut w, mut i, __t2] []
            call(g(i, &v, make(), Q)).await?: [v, mut w, mut i, __t2] [] [v, mut w, mut i, __t2, __t4] []
            call(v.g(i)).await?: [v, mut w, mut i] []
            call(g(make(), i)).await?: [v, mut w, mut i, __t2] []
            call(v[i].g()).await?: [v, mut w, mut i, __t2] []
            call(Q.g()).await?: [v, mut w, mut i] [] [v, mut w, mut i, __t3] []
            call(g(&v[i])).await?: [v, mut w, mut i, __t2] []
            call(g(v.iter())).await?: [v, mut w, mut i] [mut __t2]
            call(v.a.g(&mut w)).await?: [v, mut w, mut i] []
            call(make().g(Q)).await?: [v, mut w, mut i, mut __t2] [] [v, mut w, mut i, mut __t2, __t4] []
            call(g(|y| y, 1, v)).await?: [v, mut w, mut i] []
            call(g(i, { i = 3; 1 })).await?: [v, mut w, mut i, __t2, __t3] []
        "#]],
    );
}
