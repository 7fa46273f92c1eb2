//! The rewrites that the messages of `places` offer: a module for each case, with the names of what is refused there.
#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{Form, StepError, ToolError, ask, call, elicit, join, join_all, saga, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

/// Saga's own `join!`; and a question that expires.
mod awaited_by_a_macro {
    use super::*;

    #[saga_tool]
    async fn all() -> Result<bool, ToolError> {
        let (one, other) = join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Other?")).await?;
        Ok(one.yes && other.yes)
    }

    #[saga_tool(ttl = "10m")]
    async fn first() -> Result<bool, ToolError> {
        let sure: Confirm = elicit("Sure?").await?;
        Ok(sure.yes)
    }
}

/// One await for all.
mod awaited_inside_a_join {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<bool, StepError> {
        let (one, two) = join!(elicit::<Confirm>("One?"), elicit::<Confirm>("Two?")).await?;
        Ok(one.yes && two.yes)
    }

    #[saga_tool]
    async fn of_many(names: Vec<String>) -> Result<usize, StepError> {
        let all: Vec<Confirm> = join_all(names.iter().map(|name| elicit(name.as_str()))).await?;
        Ok(all.iter().filter(|one| one.yes).count())
    }
}

/// What the closure captures is bound first.
mod beside_a_closure_that_captures {
    use super::*;

    fn apply(f: impl Fn(u32) -> u32, n: u32) -> u32 {
        f(n)
    }

    #[saga_tool]
    async fn tool(mut n: u32) -> Result<u32, ToolError> {
        let captured = n;
        Ok(apply(move |y| y + captured, {
            n += 1;
            n + u32::from(elicit::<Confirm>("Add one?").await?.yes)
        }))
    }
}

/// The type has a name of its own, or stands outside, and what is used beside it is named.
mod beside_a_type_of_the_block {
    use super::*;

    mod sizes {
        pub(super) const SMALL: u8 = 1;
    }

    #[derive(Serialize, Deserialize)]
    struct Plan {
        size: u8,
    }

    #[saga_tool]
    async fn tool() -> Result<u8, ToolError> {
        let first = Plan { size: 1 };
        let second = {
            #[derive(Serialize, Deserialize)]
            struct Second(u8);
            let plan = Second(2);
            elicit::<Confirm>("Two?").await?;
            plan.0
        };
        Ok(first.size + second)
    }

    #[saga_tool]
    async fn with_more_names() -> Result<u8, ToolError> {
        let size = {
            use sizes::SMALL;
            #[derive(Serialize, Deserialize)]
            struct Size(u8);
            let size = Size(SMALL);
            elicit::<Confirm>("Small?").await?;
            size.0
        };
        Ok(size)
    }

    mod shown {
        pub(super) trait Shown {
            fn to_string(&self) -> String;
        }
        impl Shown for u8 {
            fn to_string(&self) -> String {
                format!("size {self}")
            }
        }
    }

    #[saga_tool]
    async fn with_a_trait() -> Result<String, ToolError> {
        let before = 5_u8.to_string();
        let inside = {
            use shown::Shown;
            let size: &dyn Shown = &1_u8;
            let text = size.to_string();
            elicit::<Confirm>("Small?").await?;
            text
        };
        Ok(before + &inside)
    }
}

/// The macros are called outside.
mod declared_by_a_macro {
    use super::*;

    macro_rules! unit {
        ($name:ident) => {
            struct $name;
            impl $name {
                fn text(&self, n: u32) -> String {
                    format!("{n} {}", stringify!($name))
                }
            }
        };
    }
    unit!(Meter);
    unit!(Foot);
    thread_local! {
        static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }

    #[saga_tool]
    async fn tool(n: u32) -> Result<String, ToolError> {
        let text = {
            let feet = Foot.text(n);
            let ok: Confirm = elicit(format!("{feet}?")).await?;
            if ok.yes { feet } else { Meter.text(n) }
        };
        Ok(text)
    }

    #[saga_tool]
    async fn a_static() -> Result<u32, ToolError> {
        let ok: Confirm = elicit("Count?").await?;
        COUNT.set(COUNT.get() + u32::from(ok.yes));
        Ok(COUNT.get())
    }
}

/// The value is evaluated first.
mod beside_what_only_the_types_order {
    use std::time::Duration;

    use super::*;

    fn next() -> usize {
        0
    }

    #[saga_tool]
    async fn tool() -> Result<u64, ToolError> {
        let mut waits = vec![Duration::from_secs(1)];
        let more = Duration::from_secs(elicit::<Confirm>("Add one?").await?.yes.into());
        waits[next()] += more;
        Ok(waits.iter().map(Duration::as_secs).sum())
    }
}

mod behind_a_guard {
    use std::sync::Mutex;

    use super::*;

    #[derive(Form, serde::Serialize, serde::Deserialize)]
    struct Words {
        text: String,
    }

    #[saga_tool]
    async fn tool() -> Result<String, ToolError> {
        let log = Mutex::new(String::new());
        let more = elicit::<Words>("What happened?").await?.text;
        *log.lock().unwrap() += &more;
        Ok(log.into_inner().unwrap())
    }
}

/// By a path through the crate.
mod by_another_name {
    use super::{Confirm, ToolError, saga_tool};

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        let ok: Confirm = saga_runtime::elicit("Sure?").await?;
        Ok(ok.yes)
    }
}

/// A `for` in place of a closure.
mod in_a_closure {
    use super::*;

    #[saga_tool]
    async fn tool(names: Vec<String>) -> Result<usize, ToolError> {
        let mut sure = 0;
        for name in &names {
            sure += usize::from(elicit::<Confirm>(name.as_str()).await?.yes);
        }
        Ok(sure)
    }

    /// An answer that is passed in.
    #[saga_tool]
    async fn passed_in(names: Vec<bool>) -> Result<usize, ToolError> {
        let all: Confirm = elicit("All?").await?;
        Ok(names.iter().filter(|name| **name == all.yes).count())
    }
}

/// A `for` in place of a closure that ends at a `?`.
mod in_a_closure_with_a_question_mark {
    use super::*;

    #[saga]
    async fn review(name: &str) -> Result<bool, ToolError> {
        Ok(elicit::<Confirm>(name).await?.yes)
    }

    #[saga_tool]
    async fn tool(names: Vec<String>) -> Result<usize, ToolError> {
        let mut sure = Vec::new();
        for name in &names {
            let confirm: Confirm = elicit(name).await?;
            sure.push(confirm.yes);
        }
        let mut kept = 0;
        for name in &names {
            kept += usize::from(call(review(name)).await.unwrap_or_default());
        }
        Ok(sure.len() + kept)
    }
}

/// In the arm's body, or before the `match`.
mod in_a_match_guard {
    use super::*;

    #[saga_tool]
    async fn tool(depth: u8) -> Result<bool, ToolError> {
        let deep: Confirm = elicit("Deep?").await?;
        Ok(match depth {
            1 if deep.yes => true,
            2 => elicit::<Confirm>("Deeper?").await?.yes,
            _ => false,
        })
    }
}

/// Before the block.
mod in_an_async_block {
    use super::*;

    #[saga_tool]
    async fn tool(names: Vec<String>) -> Result<(), ToolError> {
        for name in &names {
            let ok: Confirm = elicit(name.as_str()).await?;
            let asks = async { ok.yes };
            asks.await;
        }
        Ok(())
    }
}

/// The answer is bound first.
mod in_an_unknown_macro {
    use super::*;

    macro_rules! twice {
        ($ask:expr; $times:literal) => {
            [$ask, $ask]
        };
    }

    #[saga_tool]
    async fn tool() -> Result<(), ToolError> {
        let answer: Confirm = elicit("Sure?").await?;
        let _answers = twice![answer.yes; 2];
        Ok(())
    }
}

/// Before the block.
mod in_an_unsafe_block {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        let ok: Confirm = elicit("Unsafe?").await?;
        // SAFETY: the text is ASCII.
        let text = unsafe { String::from_utf8_unchecked(vec![b'a' + u8::from(ok.yes)]) };
        Ok(text == "b")
    }
}

/// An `if` in place of the assertion; or an answer that is bound first.
mod in_what_a_macro_may_not_evaluate {
    use super::*;

    #[saga_tool]
    async fn tool(ready: bool) -> Result<(), ToolError> {
        if !ready {
            panic!("not ready: {}", elicit::<Confirm>("Wait?").await?.yes);
        }
        Ok(())
    }

    #[saga_tool]
    async fn bound_first(ready: bool) -> Result<(), ToolError> {
        let answer: Confirm = elicit("Wait?").await?;
        assert!(ready, "not ready: {}", answer.yes);
        Ok(())
    }
}

mod many_at_once {
    use super::*;

    #[saga_tool(ttl = "10m")]
    async fn tool(#[context] depth: &u8) -> Result<(), ToolError> {
        let later: Confirm = elicit("Later?").await?;
        let deep: Confirm = elicit("Deep?").await?;
        match depth {
            1 if deep.yes => {}
            _ => {
                elicit::<Confirm>("Unsafe?").await?;
            }
        }
        async { later.yes }.await;
        Ok(())
    }
}

/// By a path, where the name is a step's; or another name.
mod of_a_function_of_the_same_name {
    use super::*;

    async fn sample(text: &str) -> Result<usize, ToolError> {
        Ok(text.len())
    }

    use self::sample as size_of;

    #[saga_tool]
    async fn tool(text: String) -> Result<usize, ToolError> {
        let size = self::sample(&text).await?;
        let ok: Confirm = elicit("Sure?").await?;
        Ok(size + usize::from(ok.yes) + size_of(&text).await?)
    }
}

/// A helper that asks is a saga, and is called as one; or it is a tool.
mod outside_of_a_saga {
    use super::*;

    #[saga]
    async fn helper() -> Result<bool, StepError> {
        let ok: Confirm = elicit("Sure?").await?;
        Ok(ok.yes)
    }

    #[saga_tool]
    async fn tool() -> Result<bool, ToolError> {
        Ok(call(helper()).await?)
    }

    #[saga_tool]
    async fn made_before() -> Result<bool, ToolError> {
        let question = elicit::<Confirm>("Sure?");
        Ok(ask(question).await?.yes)
    }
}

/// A condition that is decided while the function is compiled; or a function for each case.
mod under_a_cfg {
    use super::*;

    #[saga_tool]
    async fn tool() -> Result<(), ToolError> {
        if cfg!(unix) {
            elicit::<Confirm>("Unix?").await?;
        }
        Ok(())
    }

    #[saga_tool]
    async fn an_arm(size: u8) -> Result<bool, ToolError> {
        match size {
            0 if cfg!(unix) => Ok(elicit::<Confirm>("Unix?").await?.yes),
            _ => Ok(true),
        }
    }

    #[cfg(unix)]
    #[saga_tool]
    async fn for_each_case() -> Result<(), ToolError> {
        elicit::<Confirm>("Unix?").await?;
        Ok(())
    }

    #[cfg(not(unix))]
    #[saga_tool]
    async fn for_each_case() -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
