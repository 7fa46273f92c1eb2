//! Sagas that tools call: arguments of every kind, loops, recursion, generics, traits, `&self`.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

use saga_runtime::step::{Answer, InputRequest, Step, StepKind};
use saga_runtime::{Problem, StepError, ToolError, ask, call, elicit, join, saga, saga_tool, sample};
use saga_tests::forms::{Count, Name, Target, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    called_with_borrows_in_values;
    calls_one;
    calls_in_a_row;
    calls_in_a_loop;
    calls_by_value;
    calls_by_reference;
    calls_by_mutable_reference;
    calls_in_expressions;
    calls_itself(depth: 3);
    calls_each_other(n: 4);
    calls_a_generic;
    calls_through_a_trait;
    calls_methods;
    calls_methods_that_take_self;
    calls_methods_that_take_self_in_a_round;
    calls_methods_of_a_trait_that_take_self;
    calls_a_method_on_a_part;
    calls_in_branches;
    calls_with_questions_as_arguments;
    calls_that_ask_nothing;
    calls_that_fail;
    calls_and_asks;
    calls_with_patterns;
    calls_with_shadowing;
    calls_in_conditions;
    calls_with_borrowed_results;
    calls_with_moved_locals;
    calls_a_default_method;
    calls_with_changing_arguments;
    calls_in_nested_loops;
    asks_steps_of_any_kind;
    a_cell_by_value;
    a_cell_in_a_type_of_ones_own;
    an_atomic_in_a_type_of_ones_own;
    an_argument_with_an_atomic_inside(tally: Tally { n: AtomicU8::new(2), names: vec!["n".to_owned()] });
    a_mutex_in_an_option;
    an_atomic_by_value;
    a_shared_atomic;
}

#[saga]
async fn confirm(what: &str) -> Result<bool, StepError> {
    effect(format_args!("confirm {what}"));
    let ok: Yes = elicit(format!("{what}?")).await?;
    effect(format_args!("confirmed {}", ok.yes));
    Ok(ok.yes)
}

#[saga_tool]
async fn calls_one() -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let ok = call(confirm("one")).await?;
    effect(ok);
    Ok(format!("{kept} {ok}"))
}

#[saga_tool]
async fn calls_in_a_row() -> Result<String, ToolError> {
    let (kept, mut seen) = (noted("kept".to_owned()), Vec::new());
    seen.push(call(confirm("one")).await?);
    seen.push(call(confirm("two")).await?);
    let third = call(confirm(&kept)).await?;
    seen.push(third);
    call(confirm("three")).await?;
    Ok(format!("{kept} {seen:?}"))
}

#[saga_tool]
async fn calls_in_a_loop() -> Result<String, ToolError> {
    let regions = vec!["eu".to_owned(), "us".to_owned(), "ap".to_owned()];
    let mut taken = Vec::new();
    for region in &regions {
        if region == "us" {
            continue;
        }
        if call(confirm(region)).await? {
            taken.push(region.clone());
        }
        effect(taken.len());
    }
    Ok(format!("{taken:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    name: String,
    steps: Vec<String>,
}

#[saga]
async fn walk(plan: Plan, mut left: u8) -> Result<Vec<String>, StepError> {
    let mut done = Vec::new();
    for step in plan.steps {
        let ok: Yes = elicit(format!("{} {step}?", left)).await?;
        left += 1;
        if ok.yes {
            effect(&step);
            done.push(step);
        }
    }
    done.push(format!("{}{left}", plan.name));
    Ok(done)
}

#[saga_tool]
async fn calls_by_value() -> Result<String, ToolError> {
    let plan = Plan { name: noted("p".to_owned()), steps: vec!["a".to_owned(), "b".to_owned()] };
    let done = call(walk(plan.clone(), noted(1))).await?;
    effect(&plan.name);
    let left = 2;
    let again = call(walk(plan, left + 1)).await?;
    effect(left);
    let last = call(walk(Plan { name: noted("q".to_owned()), steps: Vec::new() }, left)).await?;
    Ok(format!("{done:?} {again:?} {last:?}"))
}

#[saga]
async fn longest(plan: &Plan, more: &[String]) -> Result<usize, StepError> {
    let mut longest = 0;
    for step in plan.steps.iter().chain(more) {
        longest = longest.max(step.len());
    }
    let count: Count = elicit(format!("{longest}, and?")).await?;
    let first = &plan.steps[0];
    call(confirm(first)).await?;
    Ok(longest + usize::from(count.n) + first.len())
}

#[saga_tool]
async fn calls_by_reference() -> Result<String, ToolError> {
    let plan = Plan { name: "p".to_owned(), steps: vec!["a".to_owned(), "bb".to_owned()] };
    let at = noted(1);
    let one = call(longest(&plan, &plan.steps[at..])).await?;
    let two = call(longest(&plan, &[noted("ccc".to_owned())])).await?;
    let ok = call(confirm(plan.steps[noted(0)].as_str())).await?;
    let three = call(confirm(&format!("{one} {two}"))).await?;
    Ok(format!("{one} {two} {ok} {three} {}", plan.name))
}

#[saga]
async fn fill(log: &mut Vec<String>, plan: &mut Plan, times: u8) -> Result<(), StepError> {
    for round in 0..times {
        log.push(format!("before {round}"));
        let name: Name = elicit(format!("{} {round}?", log.len())).await?;
        log.push(name.name);
        plan.steps.push(format!("{round}"));
        effect(format_args!("{log:?}"));
    }
    Ok(())
}

#[saga_tool]
async fn calls_by_mutable_reference() -> Result<String, ToolError> {
    let mut log = vec!["start".to_owned()];
    let mut plans =
        vec![Plan { name: "p".to_owned(), steps: vec![] }, Plan { name: "q".to_owned(), steps: vec![] }];
    call(fill(&mut log, &mut plans[noted(1)], 2)).await?;
    effect(log.len());
    for plan in &mut plans {
        call(fill(&mut log, plan, 1)).await?;
        plan.name.push('!');
    }
    call(fill(&mut log, &mut Plan { name: String::new(), steps: vec![] }, 1)).await?;
    Ok(format!("{log:?} {plans:?}"))
}

#[saga]
async fn number(what: &str) -> Result<u8, StepError> {
    Ok(elicit::<Count>(what).await?.n)
}

#[saga_tool]
async fn calls_in_expressions() -> Result<String, ToolError> {
    let sum = noted(1) + call(number("a?")).await? * noted(2) + call(number("b?")).await?;
    let pair = (call(number("c?")).await?, noted("x"), [call(number("d?")).await?, sum]);
    let text = format!("{sum} {} {pair:?}", call(number("e?")).await?);
    let many = vec![call(number("f?")).await?, noted(2)];
    let nested = call(confirm(&format!("{}", call(number("g?")).await?))).await?;
    Ok(format!("{text} {many:?} {nested}"))
}

#[saga]
async fn count_down(depth: u8, path: &mut Vec<u8>) -> Result<u32, StepError> {
    let label = format!("level {depth}");
    let n: Count = elicit(format!("{label}?")).await?;
    path.push(n.n);
    effect(format_args!("{label} {path:?}"));
    if depth == 0 {
        return Ok(u32::from(n.n));
    }
    let below = call(count_down(depth - 1, path)).await?;
    effect(format_args!("back in {label}"));
    if n.n == 1 {
        let more: Count = elicit(format!("more at {label}?")).await?;
        return Ok(below + u32::from(more.n));
    }
    Ok(below + u32::from(n.n))
}

#[saga_tool]
async fn calls_itself(depth: u8) -> Result<String, ToolError> {
    let mut path = Vec::new();
    let sum = call(count_down(depth, &mut path)).await?;
    Ok(format!("{sum} {path:?}"))
}

#[saga]
async fn even(n: u8, seen: &mut Vec<String>) -> Result<bool, StepError> {
    if n == 0 {
        return Ok(true);
    }
    seen.push(format!("even {n}"));
    let go: Yes = elicit(format!("even {n}?")).await?;
    Ok(go.yes && call(odd(n - 1, seen)).await?)
}

#[saga]
async fn odd(n: u8, seen: &mut Vec<String>) -> Result<bool, StepError> {
    if n == 0 {
        return Ok(false);
    }
    seen.push(format!("odd {n}"));
    let go: Yes = elicit(format!("odd {n}?")).await?;
    Ok(go.yes && call(even(n - 1, seen)).await?)
}

#[saga_tool]
async fn calls_each_other(n: u8) -> Result<String, ToolError> {
    let mut seen = Vec::new();
    let even = call(even(n, &mut seen)).await?;
    Ok(format!("{even} {seen:?}"))
}

#[saga]
async fn twice<T, const N: usize>(tag: T, values: [T; N]) -> Result<Vec<String>, StepError>
where
    T: Display + Clone + Send + Sync + Serialize + for<'de> Deserialize<'de>,
{
    let mut out = Vec::new();
    for value in values.iter() {
        let first: Yes = elicit(format!("{tag} {value}?")).await?;
        let kept = value.clone();
        let second: Yes = elicit(format!("{tag} again?")).await?;
        out.push(format!("{kept} {} {}", first.yes, second.yes));
    }
    Ok(out)
}

#[saga_tool]
async fn calls_a_generic() -> Result<String, ToolError> {
    let words = call(twice("w".to_owned(), [noted("a".to_owned()), "b".to_owned()])).await?;
    let numbers = call(twice::<u32, 1>(7, [noted(8)])).await?;
    Ok(format!("{words:?} {numbers:?}"))
}

trait Reviewer {
    async fn review<T: Display + Sync>(&self, what: &T) -> Result<bool, StepError>;

    fn name(&self) -> String;

    #[saga]
    async fn introduce(&self) -> Result<String, StepError> {
        let name = self.name();
        let ok: Yes = elicit(format!("I am {name}, fine?")).await?;
        Ok(format!("{name} {}", ok.yes))
    }
}

struct Strict {
    bonus: u8,
    words: Vec<String>,
}

impl Reviewer for Strict {
    #[saga]
    async fn review<T: Display + Sync>(&self, what: &T) -> Result<bool, StepError> {
        let mut sum = self.bonus;
        for word in &self.words {
            let count: Count = elicit(format!("{what} {word}?")).await?;
            sum += count.n;
            effect(sum);
        }
        Ok(sum > 3)
    }

    fn name(&self) -> String {
        effect("name");
        "strict".to_owned()
    }
}

static STRICT: std::sync::LazyLock<Strict> =
    std::sync::LazyLock::new(|| Strict { bonus: 1, words: vec!["x".to_owned(), "y".to_owned()] });

#[saga_tool]
async fn calls_through_a_trait() -> Result<String, ToolError> {
    let one = call(STRICT.review(&noted(5))).await?;
    let reviewer: &Strict = &STRICT;
    let two = call(reviewer.review(&"text")).await?;
    let three = call(Reviewer::review(reviewer, &one)).await?;
    Ok(format!("{one} {two} {three}"))
}

#[saga_tool]
async fn calls_a_default_method() -> Result<String, ToolError> {
    let said = call(STRICT.introduce()).await?;
    Ok(said + &call(Reviewer::introduce(&*STRICT)).await?)
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Counter {
    count: u32,
    log: Vec<String>,
}

impl Counter {
    #[saga]
    async fn bump(&mut self, by: u32) -> Result<u32, StepError> {
        self.count += by;
        let ok: Yes = elicit(format!("bump to {}?", self.count)).await?;
        let line = format!("{} {}", self.count, ok.yes);
        self.log.push(line);
        if !ok.yes {
            call(self.undo(by)).await?;
        }
        Ok(self.count)
    }

    #[saga]
    async fn undo(&mut self, by: u32) -> Result<(), StepError> {
        let before = self.count;
        let how: Count = elicit(format!("undo {by} how?")).await?;
        self.count -= by;
        self.log.push(format!("{before} {}", how.n));
        Ok(())
    }

    #[saga]
    async fn last(self, suffix: &str) -> Result<String, StepError> {
        let ok: Yes = elicit(format!("{}{suffix}", self.count)).await?;
        Ok(format!("{:?} {}", self.log, ok.yes))
    }
}

#[saga_tool]
async fn calls_methods() -> Result<String, ToolError> {
    let mut counter = Counter { count: noted(1), log: vec![] };
    let one = call(counter.bump(2)).await?;
    effect(counter.log.len());
    let by = 3;
    let two = call(counter.bump(by)).await?;
    counter.count += 10;
    let three = call(counter.bump(noted(by + 1))).await?;
    let mut counters = vec![counter];
    let four = call(counters[noted(0)].bump(1)).await?;
    let counter = counters.remove(0);
    let last = call(Counter::last(counter.clone(), "!")).await?;
    Ok(format!("{one} {two} {three} {four} {last} {}", counter.count))
}

#[derive(Debug, Serialize, Deserialize)]
struct Draft {
    title: String,
    notes: Vec<String>,
    size: u32,
}

impl Draft {
    #[saga]
    async fn finish(self) -> Result<String, StepError> {
        let mut this = self;
        this.size += 1;
        let ok: Yes = elicit(format!("finish {} {}?", this.title, this.size)).await?;
        effect(format_args!("{:?}", this.notes));
        this.notes.push(format!("{}", ok.yes));
        let sure: Yes = elicit(format!("{:?}?", this.notes)).await?;
        Ok(format!("{this:?} {}", sure.yes))
    }

    #[saga]
    async fn with<'n>(
        self: Box<Self>,
        note: &'n str,
        more: &mut Vec<String>,
    ) -> Result<(Self, &'n str), StepError> {
        more.push(note.to_owned());
        let name: Name = elicit(format!("{note} {} {more:?}?", self.title)).await?;
        more.push(name.name.clone());
        let mut this = *self;
        this.notes.push(name.name);
        Ok((this, note))
    }

    #[saga]
    async fn look(&self, what: &str) -> Result<u32, StepError> {
        let count: Count = elicit(format!("{what} {}?", self.title)).await?;
        Ok(self.size + u32::from(count.n))
    }

    #[saga]
    async fn grow(&mut self) -> Result<(), StepError> {
        self.size += 10;
        let count: Count = elicit(format!("grow {}?", self.size)).await?;
        self.size += u32::from(count.n);
        Ok(())
    }
}

fn draft(title: &str) -> Draft {
    Draft { title: noted(title.to_owned()), notes: vec!["n".to_owned()], size: 1 }
}

#[saga_tool]
async fn calls_methods_that_take_self() -> Result<String, ToolError> {
    let one = draft("one");
    let text = call(one.finish()).await?;
    let mut two = draft("two");
    two.size += call(two.look("two")).await?;
    call(two.grow()).await?;
    effect(two.size);
    let (mut more, note) = (Vec::new(), noted("note".to_owned()));
    let boxed = Box::new(two);
    let (back, said) = call(boxed.with(&note, &mut more)).await?;
    effect(said);
    let last = call(draft("three").finish()).await?;
    if back.size > 15 {
        return Ok(call(back.finish()).await?);
    }
    let mut drafts = vec![back, draft("four")];
    while let Some(draft) = drafts.pop() {
        let text = call(draft.finish()).await?;
        effect(text);
    }
    Ok(format!("{text} {last} {more:?}"))
}

#[saga_tool]
async fn calls_methods_that_take_self_in_a_round() -> Result<String, ToolError> {
    let (one, mut two, three) = (draft("one"), draft("two"), draft("three"));
    let (text, (), size) = join!(call(one.finish()), call(two.grow()), call(three.look("three"))).await?;
    Ok(format!("{text} {two:?} {size} {three:?}"))
}

trait Finisher {
    async fn end(self, how: &str) -> Result<String, StepError>;

    #[saga]
    async fn begin(self) -> Result<Self, StepError>
    where
        Self: Sized,
    {
        let ok: Yes = elicit("begin?").await?;
        effect(ok.yes);
        Ok(self)
    }
}

impl Finisher for Draft {
    #[saga]
    async fn end(self, how: &str) -> Result<String, StepError> {
        let ok: Yes = elicit(format!("{how} {}?", self.title)).await?;
        Ok(format!("{} {}", self.title, ok.yes))
    }
}

#[saga_tool]
async fn calls_methods_of_a_trait_that_take_self() -> Result<String, ToolError> {
    let one = draft("one");
    let one = call(one.begin()).await?;
    let text = call(one.end("how")).await?;
    let other = call(Finisher::end(draft("other"), "what")).await?;
    Ok(text + &other)
}

#[saga_tool]
async fn calls_a_method_on_a_part() -> Result<String, ToolError> {
    let mut pair = (draft("one"), draft("two"), noted(3));
    call(pair.0.grow()).await?;
    let size = call(pair.1.look("two")).await?;
    let text = call(pair.0.finish()).await?;
    Ok(format!("{text} {size}"))
}

#[saga_tool]
async fn calls_in_branches() -> Result<String, ToolError> {
    let count: Count = elicit("how many?").await?;
    let text = match count.n {
        0 => format!("{}", call(confirm("zero")).await?),
        n if n > 2 => {
            let sum = call(number("big?")).await? + n;
            format!("{sum}")
        }
        n => {
            if call(confirm("few")).await? && n == 1 {
                "one".to_owned()
            } else {
                call(number("else?")).await?.to_string()
            }
        }
    };
    effect(&text);
    Ok(text)
}

#[saga_tool]
async fn calls_with_questions_as_arguments() -> Result<String, ToolError> {
    let plan = Plan { name: "p".to_owned(), steps: vec!["s".to_owned()] };
    let done = call(walk(plan.clone(), elicit::<Count>("left?").await?.n)).await?;
    let ok = call(confirm(&elicit::<Name>("name?").await?.name)).await?;
    let both = call(walk(plan, call(number("inner?")).await?)).await?;
    Ok(format!("{done:?} {ok} {both:?}"))
}

#[saga]
async fn quiet(n: u8) -> u8 {
    effect(n);
    tokio::task::yield_now().await;
    if n > 5 {
        let more = elicit::<Count>("more?").await.map_or(0, |more| more.n);
        return n + more;
    }
    n + 1
}

async fn ordinary(n: u8) -> u8 {
    tokio::task::yield_now().await;
    n
}

#[saga_tool]
async fn calls_that_ask_nothing() -> Result<String, ToolError> {
    let one = call(quiet(1)).await;
    let two = call(quiet(noted(one + 7))).await;
    let three = call(ordinary(two)).await;
    let ok: Yes = elicit("ok?").await?;
    Ok(format!("{one} {two} {three} {}", ok.yes))
}

#[saga]
async fn fails(at: u8) -> Result<u8, ToolError> {
    let n: Count = elicit("n?").await?;
    if n.n >= at {
        return Err(ToolError::new(format!("{} is too much", n.n)));
    }
    Ok(n.n)
}

#[saga_tool]
async fn calls_that_fail() -> Result<String, ToolError> {
    let kept = "kept".to_owned();
    let first = call(fails(2)).await;
    effect(first.is_ok());
    let text = match first {
        Ok(n) => n.to_string(),
        Err(error) => format!("{:?}", error.shown()),
    };
    let second = call(fails(3)).await?;
    Ok(format!("{kept} {text} {second}"))
}

#[saga_tool]
async fn calls_and_asks() -> Result<String, ToolError> {
    let mut words = vec![noted("a".to_owned())];
    let (name, count) = join!(elicit::<Name>("who?"), elicit::<Count>("many?")).await?;
    words.push(name.name);
    for index in 0..count.n {
        if call(confirm(&words[0])).await? {
            words.push(format!("{index}"));
            let said = sample(format!("{words:?}")).max_tokens(3).await?;
            words.push(said.text().to_owned());
        } else {
            words.extend(call(walk(Plan { name: "w".to_owned(), steps: words.clone() }, index)).await?);
            break;
        }
    }
    Ok(format!("{words:?}"))
}

#[saga]
async fn apart(
    (name, n): (String, u8),
    [a, b]: [u8; 2],
    Count { n: more }: Count,
) -> Result<String, StepError> {
    let ok: Yes = elicit(format!("{name} {n}?")).await?;
    effect(format_args!("{a} {b}"));
    let again: Yes = elicit(format!("{more}?")).await?;
    Ok(format!("{name} {n} {a} {b} {more} {} {}", ok.yes, again.yes))
}

#[saga_tool]
async fn calls_with_patterns() -> Result<String, ToolError> {
    let pair = (noted("n".to_owned()), 2);
    let (text, ok) = (call(apart(pair, [1, noted(2)], Count { n: 3 })).await?, call(confirm("x")).await?);
    Ok(format!("{text} {ok}"))
}

#[saga_tool]
async fn calls_with_shadowing() -> Result<String, ToolError> {
    let name = noted("a".to_owned());
    let name = call(confirm(&name)).await.map(|ok| format!("{name} {ok}"))?;
    let inner = {
        let name = call(number(&name)).await?;
        call(confirm(&name.to_string())).await?
    };
    Ok(format!("{name} {inner}"))
}

#[saga_tool]
async fn calls_in_conditions() -> Result<String, ToolError> {
    let mut rounds = 0;
    while rounds < 3 && call(confirm(&format!("round {rounds}"))).await? {
        rounds += 1;
    }
    if let n @ 1.. = call(number("n?")).await?
        && call(confirm("sure")).await?
    {
        rounds += n;
    }
    let Ok(last) = call(fails(2)).await else {
        return Ok(format!("no {rounds} {}", call(confirm("end")).await?));
    };
    Ok(format!("{rounds} {last}"))
}

#[saga]
async fn pick<'p>(plan: &'p Plan, why: &str) -> Result<&'p String, StepError> {
    let ok: Yes = elicit(why).await?;
    Ok(if ok.yes { &plan.name } else { &plan.steps[0] })
}

#[saga_tool]
async fn calls_with_borrowed_results() -> Result<String, ToolError> {
    let plan = Plan { name: "p".to_owned(), steps: vec!["s".to_owned()] };
    let length = call(pick(&plan, "name?")).await?.len();
    let picked = call(pick(&plan, "which?")).await?.clone();
    effect(&picked);
    let ok = call(confirm(&picked)).await?;
    Ok(format!("{length} {picked} {ok} {}", plan.name))
}

#[saga_tool]
async fn calls_with_moved_locals() -> Result<String, ToolError> {
    let plan = Plan { name: "p".to_owned(), steps: vec!["s".to_owned(), "t".to_owned()] };
    let Plan { name, steps } = plan;
    let done = call(walk(Plan { name: name.clone(), steps }, 0)).await?;
    let boxed = Box::new(Plan { name, steps: done });
    let mut left = 3;
    let again = call(walk(*boxed, left)).await?;
    left += 1;
    Ok(format!("{again:?} {left}"))
}

#[saga]
async fn swap(index: u8, at: &mut u8, list: &mut Vec<u8>) -> Result<u8, StepError> {
    *at += 1;
    list.push(index);
    let ok: Yes = elicit(format!("{index} {at} {list:?}?")).await?;
    *at += u8::from(ok.yes);
    list.push(*at);
    Ok(index)
}

#[saga_tool]
async fn calls_with_changing_arguments() -> Result<String, ToolError> {
    let (mut at, mut list) = (0_u8, vec![1, 2, 3]);
    let one = call(swap(at, &mut at, &mut list)).await?;
    let two = call(swap(list[usize::from(one)], &mut at, &mut list)).await?;
    let three = call(swap(at + 1, &mut at, &mut list)).await?;
    Ok(format!("{one} {two} {three} {at} {list:?}"))
}

#[saga_tool]
async fn calls_in_nested_loops() -> Result<String, ToolError> {
    let mut seen = String::new();
    'outer: for word in ["a", "b", "c"].map(str::to_owned) {
        let mut tries = 0;
        loop {
            tries += 1;
            match call(number(&format!("{word}{tries}?"))).await? {
                0 => break 'outer,
                1 => continue 'outer,
                2 if tries > 1 => break,
                n => seen.push_str(&format!("{word}{n}")),
            }
            if tries == 3 {
                break;
            }
        }
        if let Ok(target) = elicit::<Target>(format!("{word}?")).await {
            seen.push_str(&format!("{:?}", target.region));
        }
    }
    Ok(seen)
}

/// A step of the author's own kind.
#[derive(Serialize, Deserialize)]
struct Sure {
    question: saga_runtime::step::Elicit<Yes>,
}

impl Step for Sure {
    type Answer = bool;

    const KIND: StepKind = StepKind::Elicit;

    fn request(&self) -> InputRequest {
        self.question.request()
    }

    fn read(&self, answer: &Answer) -> Result<Result<bool, StepError>, Vec<Problem>> {
        Ok(self.question.read(answer)?.map(|yes| yes.yes))
    }
}

#[saga_tool]
async fn asks_steps_of_any_kind() -> Result<String, ToolError> {
    let kept = noted("kept".to_owned());
    let sure = ask(Sure { question: elicit("sure?") }).await?;
    effect(sure);
    let made = elicit::<Count>("how many?").title("made before");
    let count = ask(made).await?;
    let (one, two) = join!(Sure { question: elicit("one?") }, elicit::<Yes>("two?")).await?;
    Ok(format!("{kept} {sure} {count:?} {one} {two:?}"))
}

/// What the callee takes says as what each is borrowed.
#[saga_tool]
async fn called_with_borrows_in_values() -> Result<String, ToolError> {
    let (name, words) = (String::from("ada"), vec!["one".to_owned(), "two".to_owned()]);
    let mut count = 1_u8;
    let first = call(takes_values(Some(&name), (&words[1], count), &[&words[0], &name])).await?;
    count += first;
    let second = call(takes_values(
        None,
        (&noted(words[0].clone()), {
            count += 1;
            count
        }),
        &[],
    ))
    .await?;
    let third = call(takes_values(Some(noted("bob")), (&words[1], noted(3)), &["x", &words[0]])).await?;
    Ok(format!("{first} {second} {third} {count} {words:?}"))
}

#[saga]
async fn takes_values(name: Option<&str>, pair: (&str, u8), list: &[&str]) -> Result<u8, StepError> {
    effect(format_args!("{name:?} {pair:?} {list:?}"));
    let more: Count = elicit(format!("{name:?} {pair:?}?")).await?;
    effect(format_args!("{name:?} {pair:?} {list:?}"));
    Ok(more.n.wrapping_add(pair.1))
}

#[saga_tool]
async fn a_cell_by_value() -> Result<String, ToolError> {
    let n = call(five(Cell::new(noted(3)))).await?;
    Ok(format!("{n}"))
}

#[saga_tool]
async fn a_mutex_in_an_option() -> Result<String, ToolError> {
    Ok(call(pushed(Some(Mutex::new(vec![1])))).await?)
}

#[saga_tool]
async fn an_atomic_by_value() -> Result<String, ToolError> {
    Ok(call(counted(AtomicU8::new(1))).await?.to_string())
}

#[saga_tool]
async fn a_shared_atomic() -> Result<String, ToolError> {
    let n = AtomicU8::new(1);
    let other = AtomicU8::new(2);
    let got = call(shared(&n, (&other, 3))).await?;
    Ok(format!("{n:?} {other:?} {got}"))
}

#[saga]
async fn five(n: Cell<u8>) -> Result<u8, StepError> {
    n.set(n.get() + 5);
    elicit::<Yes>("go?").await?;
    n.set(n.get() + 1);
    elicit::<Yes>("on?").await?;
    Ok(n.get())
}

#[saga]
async fn pushed(list: Option<Mutex<Vec<u8>>>) -> Result<String, StepError> {
    let Some(list) = &list else { return Ok(String::new()) };
    list.lock().unwrap().push(5);
    elicit::<Yes>("go?").await?;
    let text = format!("{list:?}");
    Ok(text)
}

#[saga]
async fn counted(n: AtomicU8) -> Result<u8, StepError> {
    n.fetch_add(5, SeqCst);
    elicit::<Yes>("go?").await?;
    Ok(n.load(SeqCst))
}

#[saga]
async fn shared(n: &AtomicU8, pair: (&AtomicU8, u8)) -> Result<u8, StepError> {
    n.fetch_add(5, SeqCst);
    elicit::<Yes>("go?").await?;
    pair.0.fetch_add(pair.1, SeqCst);
    elicit::<Yes>("on?").await?;
    Ok(n.load(SeqCst))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Seen {
    count: Cell<u32>,
    names: RefCell<Vec<String>>,
}

fn see(seen: &Seen, name: &str) {
    seen.count.set(seen.count.get() + 1);
    seen.names.borrow_mut().push(name.to_owned());
}

#[saga]
async fn seen_twice(
    seen: Seen,
    plan: Unclonable,
    label: impl Fn(u32) -> String,
) -> Result<String, StepError> {
    see(&seen, "one");
    let size = size_of_plan(&plan);
    let title = plan.title;
    let one: Count = elicit(format!("{title} {seen:?} {}?", label(seen.count.get()))).await?;
    see(&seen, &one.n.to_string());
    let shown = {
        let seen = seen.names.borrow().join(" ");
        elicit::<Yes>(format!("{seen}?")).await?;
        seen
    };
    let last = call(seen.end()).await?;
    Ok(format!("{shown} {last} {size} {:?}", plan.steps))
}

#[derive(Debug, Serialize, Deserialize)]
struct Unclonable {
    title: String,
    steps: Vec<u8>,
}

fn size_of_plan(plan: &Unclonable) -> usize {
    plan.steps.len()
}

impl Seen {
    #[saga]
    async fn end(self) -> Result<String, StepError> {
        let this = self;
        see(&this, "end");
        elicit::<Yes>("end?").await?;
        Ok(format!("{this:?}"))
    }
}

#[saga_tool]
async fn a_cell_in_a_type_of_ones_own() -> Result<String, ToolError> {
    let seen = Seen { count: Cell::new(noted(3)), names: RefCell::default() };
    let plan = || Unclonable { title: "t".to_owned(), steps: vec![1, 2] };
    let width = noted(2_usize);
    let one = call(seen_twice(seen.clone(), plan(), |n| format!("{n:>width$}"))).await?;
    see(&seen, "between");
    let two = call(seen_twice(seen, plan(), |n| n.to_string())).await?;
    Ok(format!("{one} {two}"))
}

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Tally {
    n: AtomicU8,
    names: Vec<String>,
}

impl Tally {
    fn add(&self, n: u8) {
        self.n.fetch_add(n, SeqCst);
    }

    #[saga]
    async fn ask(&self) -> Result<u8, StepError> {
        self.add(1);
        let more: Count = elicit(format!("{self:?} more?")).await?;
        self.add(more.n);
        elicit::<Yes>(format!("{self:?}?")).await?;
        Ok(self.n.load(SeqCst))
    }
}

#[saga]
async fn tallied(tally: Tally, deep: bool) -> Result<String, StepError> {
    tally.add(1);
    elicit::<Yes>(format!("{tally:?}?")).await?;
    tally.add(1);
    let one = call(tally.ask()).await?;
    let text = format!("{tally:?} {one}");
    Ok(if deep { call(tallied(tally, false)).await? } else { text })
}

#[saga_tool]
async fn an_atomic_in_a_type_of_ones_own() -> Result<String, ToolError> {
    let tally = Tally { n: AtomicU8::new(noted(1)), names: Vec::new() };
    let got = call(tallied(tally, true)).await?;
    Ok(got)
}

#[saga_tool]
async fn an_argument_with_an_atomic_inside(tally: Tally) -> Result<String, ToolError> {
    tally.add(1);
    elicit::<Yes>(format!("{tally:?}?")).await?;
    let one = {
        let tally = tally.n.fetch_add(3, SeqCst);
        elicit::<Count>(format!("{tally}?")).await?.n
    };
    let two = call(tally.ask()).await?;
    Ok(format!("{one} {two} {tally:?}"))
}
