//! The harness of the law, proved: planted faults, each reported as the difference that it makes. A fault is
//! planted in the driver between two transitions ([`Fault`]), or as a plain function that is not quite the tool's.

use expect_test::{Expect, expect};
use saga_runtime::script::Fault;
use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{Difference, Driver, compare, effect, law, noted};
use saga_tests::people::World;
use serde_json::Map;

/// Two locals of a type, a loop, an effect between any two questions.
#[saga_tool]
async fn tool() -> Result<String, ToolError> {
    effect("start");
    let first: Name = elicit("first?").await?;
    let second = noted(format!("not {}", first.name));
    let first = noted(first.name);
    let count: Count = elicit("count?").await?;
    effect(format_args!("{first}, {second}: {}", count.n));
    for step in 1..=2_u8 {
        let sure: Yes = elicit(format!("{step}?")).await?;
        effect(format_args!("step {step} {}", sure.yes));
    }
    Ok(first + &second)
}

/// Two questions that take the same answers.
#[saga_tool]
async fn twins() -> Result<String, ToolError> {
    let left: Name = elicit("left?").await?;
    effect(&left.name);
    let right: Name = elicit("right?").await?;
    Ok(format!("{} and {}", left.name, right.name))
}

/// The people in whose answers every fault shows.
const WORLD: World = World::Accepted(1);

/// The first difference between the tool, driven with a fault, and its plain function.
fn report(fault: Fault) -> String {
    let compared = compare::<tool, (), _>("tool", tool, &Map::new(), &(), WORLD, Driver::Faulty(fault));
    shown(&compared.expect_err("the harness missed the fault"))
}

/// The two lines that say what differs.
fn shown(difference: &Difference) -> String {
    let text = difference.to_string();
    let lines = text.lines().filter(|line| line.starts_with("  then"));
    lines.flat_map(|line| [line.trim_start(), "\n"]).collect()
}

fn check(report: &str, expected: &Expect) {
    expected.assert_eq(report);
}

#[test]
fn a_sound_driver_passes() {
    let passed = law::<tool, (), _>("tool", tool, &Map::new(), &());
    assert!(passed.is_ok_and(|passed| passed.suspensions > 50));
}

#[test]
fn a_lost_local_is_reported() {
    check(
        &report(Fault::Lost("second")),
        &expect![[r#"
            then the plain function had the effect `ada, not ada: 3`
            then the compiled tool ended with `refused: Stale(Local { site: "count", local: "second", change: Name })`
        "#]],
    );
}

#[test]
fn exchanged_locals_are_reported() {
    check(
        &report(Fault::Exchanged("first", "second")),
        &expect![[r#"
        then the plain function had the effect `ada, not ada: 3`
        then the compiled tool had the effect `not ada, ada: 3`
    "#]],
    );
}

#[test]
fn a_loop_that_does_not_advance_is_reported() {
    check(
        &report(Fault::Outdated("(loop)")),
        &expect![[r#"
        then the plain function ended with `adanot ada`
        then the compiled tool asked `sure#3` (elicitation/create: "2?"), answered {"action":"accept","content":{"yes":true}}
    "#]],
    );
}

#[test]
fn code_above_the_question_that_runs_again_is_reported() {
    check(
        &report(Fault::Replayed),
        &expect![[r#"
        then the plain function had the effect `"not ada"`
        then the compiled tool had the effect `start`
    "#]],
    );
}

#[test]
fn a_reused_answer_is_reported() {
    let driver = Driver::Faulty(Fault::AnswerReused);
    let compared = compare::<twins, (), _>("twins", twins, &Map::new(), &(), WORLD, driver);
    let report = shown(&compared.expect_err("the harness missed the fault"));
    check(
        &report,
        &expect![[r#"
        then the plain function ended with `ada and cyd the third`
        then the compiled tool ended with `ada and ada`
    "#]],
    );
}

// Faults of a compiler: `plain` is what the author wrote, `compiled` what a wrong compiler would have made of it.

mod plain {
    use super::{Count, Name, ToolError, Yes, effect, elicit, noted, saga_tool};

    #[saga_tool]
    pub(super) async fn order() -> Result<String, ToolError> {
        let text = format!("{} {} {}", noted(1), elicit::<Count>("n?").await?.n, noted(3));
        Ok(text)
    }

    #[saga_tool]
    pub(super) async fn held() -> Result<String, ToolError> {
        let mut total = 1;
        total += 1;
        elicit::<Yes>("sure?").await?;
        effect(total);
        Ok(total.to_string())
    }

    #[saga_tool]
    pub(super) async fn once() -> Result<String, ToolError> {
        effect("charge");
        elicit::<Yes>("sure?").await?;
        Ok(String::new())
    }

    #[saga_tool]
    pub(super) async fn key() -> Result<String, ToolError> {
        let name: Name = elicit("who?").await?;
        Ok(name.name)
    }

    #[saga_tool]
    pub(super) async fn result() -> Result<String, ToolError> {
        let name: Name = elicit("who?").await?;
        Ok(name.name)
    }
}

mod compiled {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{Count, Name, ToolError, Yes, effect, elicit, noted, saga_tool};

    #[saga_tool]
    pub(super) async fn order() -> Result<String, ToolError> {
        let n = elicit::<Count>("n?").await?.n;
        Ok(format!("{} {n} {}", noted(1), noted(3)))
    }

    #[saga_tool]
    pub(super) async fn held() -> Result<String, ToolError> {
        elicit::<Yes>("sure?").await?;
        let total = 0;
        effect(total);
        Ok(total.to_string())
    }

    /// Differs from itself from one run to the next.
    #[saga_tool]
    pub(super) async fn once() -> Result<String, ToolError> {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        if RUNS.fetch_add(1, Ordering::Relaxed) == 0 {
            effect("charge");
        }
        elicit::<Yes>("sure?").await?;
        Ok(String::new())
    }

    #[saga_tool]
    pub(super) async fn key() -> Result<String, ToolError> {
        let who: Name = elicit("who?").await?;
        Ok(who.name)
    }

    #[saga_tool]
    pub(super) async fn result() -> Result<String, ToolError> {
        let name: Name = elicit("who?").await?;
        Ok(name.name + "!")
    }
}

/// The first difference between a wrong compilation and the plain function.
macro_rules! miscompiled {
    ($name:ident, $driver:ident) => {{
        let driver = Driver::$driver;
        let compared =
            compare::<compiled::$name, (), _>("tool", plain::$name, &Map::new(), &(), WORLD, driver);
        shown(&compared.expect_err("the harness missed the fault"))
    }};
}

#[test]
fn a_swapped_evaluation_order_is_reported() {
    check(
        &miscompiled!(order, Tortured),
        &expect![[r#"
        then the plain function had the effect `1`
        then the compiled tool asked `elicit` (elicitation/create: "n?"), answered {"action":"accept","content":{"n":0}}
    "#]],
    );
}

#[test]
fn another_value_in_a_locals_place_is_reported() {
    check(
        &miscompiled!(held, Tortured),
        &expect![[r#"
        then the plain function had the effect `2`
        then the compiled tool had the effect `0`
    "#]],
    );
}

#[test]
fn a_transition_that_is_not_the_same_twice_is_reported() {
    check(
        &miscompiled!(once, Tortured),
        &expect![[r#"
        then the first run of the transition had the effect `charge`
        then the second run from the same bytes did nothing more
    "#]],
    );
}

#[test]
fn another_key_is_reported() {
    check(
        &miscompiled!(key, InMemory),
        &expect![[r#"
        then the plain function asked `name` (elicitation/create: "who?"), answered {"action":"accept","content":{"name":"ada"}}
        then the compiled tool asked `who` (elicitation/create: "who?"), answered {"action":"accept","content":{"name":"ada"}}
    "#]],
    );
}

#[test]
fn another_result_is_reported() {
    check(
        &miscompiled!(result, InMemory),
        &expect![[r#"
        then the plain function ended with `ada`
        then the compiled tool ended with `ada!`
    "#]],
    );
}
