//! Names and patterns in every form in which they are written.
#![allow(non_snake_case, reason = "people write them")]

use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};
use serde_json::json;

bodies! {
    a_reference_that_a_saga_moves_on(text: "xyz".to_owned());
    raw_names_in_format_strings(r#type: "t".to_owned());
    raw_names_of_sagas_and_keys;
    what_a_guard_binds;
    what_a_guard_binds_under_an_outer_name;
    a_guard_of_code_without_questions;
    a_guard_that_does_not_hold_and_changes_something;
    a_guard_that_counts;
    by_ref_of_an_item_whose_number_changes;
    a_guard_that_counts_in_a_closure;
    items_of_a_block_that_hide_those_outside;
    items_of_the_same_name_in_two_blocks;
    types_of_a_block_with_what_they_need;
    traits_of_a_block;
    traits_of_a_block_in_types;
    traits_of_a_block_beside_methods;
    types_of_a_block_in_another;
    a_macro_that_declares_beside_what_it_is_given;
    names_that_a_block_uses;
    macros_that_name_what_is_around_them(word: "w".to_owned());
    changed_through_what_a_pattern_binds;
    changed_beside_what_a_pattern_binds;
    one_of_several_cases;
    loops_of_several_cases;
    labels_that_hide_others;
    labels_that_macros_leave_by;
    locals_in_capitals;
    parts_that_take_each_others_names;
    keys_of_json_before_its_questions;
    a_key_like_the_name_of_a_second_question;
    places_in_later_conditions;
    places_that_are_changed_by_methods_elsewhere;
}

#[saga]
async fn without_its_head(mut rest: &str, mut bytes: &[u8]) -> Result<String, StepError> {
    rest = &rest[1..];
    let first: Name = elicit(format!("{rest}?")).await?;
    while let [byte, others @ ..] = bytes {
        bytes = others;
        let n: Count = elicit(format!("{byte}?")).await?;
        effect(format_args!("{rest} {byte} {}", n.n));
        rest = rest.get(1..).unwrap_or_default();
    }
    Ok(format!("{rest} {} {}", first.name, bytes.len()))
}

#[saga_tool]
async fn a_reference_that_a_saga_moves_on(text: String) -> Result<String, ToolError> {
    let one = call(without_its_head(&text, &[1, 2])).await?;
    effect(&one);
    let two = call(without_its_head("abcdef", one.as_bytes())).await?;
    Ok(format!("{text} {one} {two}"))
}

#[saga_tool]
async fn raw_names_in_format_strings(r#type: String) -> Result<String, ToolError> {
    let r#type = r#type.to_uppercase();
    let width = 6;
    let r#in: Count = elicit(format!("{type}?")).await?;
    effect(format!("{type:>width$}"));
    let label = |r#type: &str| format!("{type}");
    let last: Name = elicit(format!("{}?", r#in.n)).await?;
    Ok(format!("{type} {} {} {}", r#in.n, label("l"), last.name))
}

#[saga]
async fn r#try(r#for: &str) -> Result<String, StepError> {
    let mut r#ref = r#for.to_owned();
    let r#mod: Name = elicit(format!("{for}?")).await?;
    effect(format_args!("{ref} {}", r#mod.name));
    r#ref += &r#mod.name;
    let again: Count = elicit(format!("{ref}?")).await?;
    Ok(format!("{for} {ref} {}", again.n))
}

#[saga_tool]
async fn raw_names_of_sagas_and_keys() -> Result<String, ToolError> {
    let mut r#where = String::new();
    for r#use in ["a", "b"] {
        r#where += &call(r#try(r#use)).await?;
        effect(format!("{where} {use}"));
    }
    let taken = (r#where.len(), {
        r#where += "!";
        elicit::<Count>(format!("{where}?")).await?.n
    });
    Ok(format!("{where} {taken:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Plan {
    name: String,
    sizes: Vec<u8>,
}

fn plan_of(id: u8) -> Option<Plan> {
    effect(format_args!("plan of {id}"));
    (id != 2).then(|| Plan { name: format!("p{id}"), sizes: vec![id, 7] })
}

#[saga_tool]
async fn what_a_guard_binds() -> Result<String, ToolError> {
    let mut out = Vec::new();
    for id in [Some(1_u8), None, Some(2), Some(3)] {
        let text = match id {
            Some(id)
                if let Some(plan) = plan_of(id)
                    && let [first, ..] = plan.sizes[..]
                    && first < 3 =>
            {
                let n: Count = elicit(format!("{} {first}?", plan.name)).await?;
                effect(format_args!("{plan:?} {}", n.n));
                format!("{} {first} {id}", plan.name)
            }
            Some(id) if let Some(mut plan) = plan_of(id) => {
                plan.sizes.push(elicit::<Count>(format!("{}?", plan.name)).await?.n);
                let name: Name = elicit("name?").await?;
                format!("{plan:?} {id} {}", name.name)
            }
            Some(id) => elicit::<Name>(format!("{id}?")).await?.name,
            None => "none".to_owned(),
        };
        effect(&text);
        out.push(text);
    }
    Ok(format!("{out:?}"))
}

#[saga_tool]
async fn what_a_guard_binds_under_an_outer_name() -> Result<String, ToolError> {
    let plan = Plan { name: noted("outer".to_owned()), sizes: vec![9] };
    let id = noted(Some(1_u8));
    let first = match id {
        Some(id) if let Some(plan) = plan_of(id) => {
            let n: Count = elicit("inner?").await?;
            format!("{} {}", plan.name, n.n)
        }
        _ => plan.name.clone(),
    };
    let second = match &id {
        Some(id)
            if let name = &plan.name
                && let Some(plan) = plan_of(*id) =>
        {
            let n: Count = elicit(format!("{name}?")).await?;
            format!("{name} {} {}", plan.name, n.n)
        }
        _ => String::new(),
    };
    effect(format_args!("{first} {second}"));
    Ok(format!("{first} {second} {plan:?}"))
}

#[saga_tool]
async fn a_guard_of_code_without_questions() -> Result<String, ToolError> {
    let id = noted(Some(4_u8));
    let plan = noted("p".to_owned());
    let n: Count = elicit("n?").await?;
    let text = match id {
        Some(id) if let Some(plan) = plan_of(id + n.n) => format!("{plan:?}"),
        _ => plan.clone(),
    };
    elicit::<Yes>(format!("{text}?")).await?;
    Ok(format!("{text} {plan}"))
}

/// Moves on to the next name.
fn next_of<'a>(names: &'a [String], at: &mut &'a String) -> Option<usize> {
    let next = names.iter().position(|name| name == *at)? + 1;
    *at = names.get(next)?;
    Some(next)
}

#[saga_tool]
async fn a_guard_that_does_not_hold_and_changes_something() -> Result<String, ToolError> {
    let names = ["ada".to_owned(), "bob".to_owned(), "cy".to_owned()];
    let mut at = &names[0];
    let mut rest = (&names[..], noted(1_u8));
    let n = elicit::<Count>("n?").await?.n;
    let (first, head) = (&at[..1], &rest.0[..1]);
    let one = match Some(n) {
        Some(n)
            if let Some(next) = next_of(&names, &mut at)
                && next > usize::from(n) =>
        {
            elicit::<Name>(format!("{at} {first} {next}?")).await?.name
        }
        Some(n)
            if {
                rest.0 = &rest.0[1..];
                n > 2
            } =>
        {
            "plain".to_owned()
        }
        _ => elicit::<Name>(format!("{at} {first} {head:?}?")).await?.name,
    };
    effect(format_args!("{at} {first} {head:?} {rest:?}"));
    let whole = &at[..];
    match n {
        1 if {
            at = &names[0];
            false
        } =>
        {
            return Ok(one);
        }
        n if let [_, others @ ..] = rest.0
            && {
                rest.0 = others;
                n == 0
            } =>
        {
            return Ok(format!("{rest:?}"));
        }
        _ => {}
    }
    elicit::<Yes>(format!("{whole}?")).await?;
    Ok(format!("{one} {at} {first} {head:?} {whole} {rest:?}"))
}

#[saga_tool]
async fn a_guard_that_counts() -> Result<String, ToolError> {
    let (mut tries, mut log) = (noted(0_u8), String::new());
    loop {
        match (Some(elicit::<Count>(format!("{tries}?")).await?.n), Some(2)) {
            (Some(n), _) | (_, Some(n))
                if {
                    tries += 1;
                    log += "a";
                    n == 2 && tries < 4
                } =>
            {
                continue;
            }
            (Some(n), _)
                if {
                    tries += 1;
                    n > 2 || tries > 6
                } =>
            {
                break;
            }
            (Some(n), _) => {
                elicit::<Yes>(format!("{n} {tries} {log}?")).await?;
                log += &tries.to_string();
            }
            _ => {}
        }
    }
    Ok(format!("{tries} {log}"))
}

fn is_odd(size: u8) -> bool {
    effect(format_args!("is {size} odd?"));
    size % 2 == 1
}

#[saga_tool]
async fn a_guard_that_counts_in_a_closure() -> Result<String, ToolError> {
    let sizes = vec![2_u8, 4, 3, 1];
    let odd = sizes.iter().find(|size| match size {
        size if is_odd(**size) => true,
        _ => false,
    });
    elicit::<Yes>(format!("{odd:?}?")).await?;
    Ok(format!("{odd:?} {sizes:?}"))
}

/// Without `Clone`.
#[derive(Debug, Serialize, Deserialize)]
struct Part(String);

#[saga_tool]
async fn by_ref_of_an_item_whose_number_changes() -> Result<String, ToolError> {
    let mut parts = ["a", "b", "c"].map(|name| Some(Part(name.to_owned())));
    let mut at = noted(0_usize);
    match parts[at] {
        Some(ref part) => {
            at += 1;
            let n: Count = elicit(format!("{part:?} {at}?")).await?;
            effect(format_args!("{part:?} {at} {}", n.n));
        }
        None => {}
    }
    if let Some(ref mut part) = parts[at] {
        at += 1;
        let name: Name = elicit(format!("{part:?} {at}?")).await?;
        part.0 += &name.name;
        at -= 1;
        elicit::<Yes>(format!("{part:?} {at}?")).await?;
        part.0 += "!";
    }
    while let Some(ref part) = parts[at.min(2)]
        && at < 3
    {
        at += 1;
        elicit::<Yes>(format!("{part:?} {at}?")).await?;
        effect(&part.0);
    }
    let Some(ref last) = parts[at - 1] else { return Ok(String::new()) };
    at -= 2;
    elicit::<Yes>(format!("{last:?} {at}?")).await?;
    let ref first = parts[at - 1].as_ref().map(|part| &part.0);
    Ok(format!("{last:?} {first:?} {at} {parts:?}"))
}

const LIMIT: u8 = 1;

fn twice(number: u8) -> u8 {
    number * 2
}

#[derive(Debug)]
enum Unit {
    Metre,
    Foot,
}

#[derive(Debug)]
enum Weight {
    Gram,
    Pound,
}

#[saga_tool]
async fn items_of_a_block_that_hide_those_outside() -> Result<String, ToolError> {
    let outer = (LIMIT, twice(3));
    effect(format_args!("{outer:?}"));
    let inner = {
        const LIMIT: u8 = 2;
        fn twice(number: u8) -> u8 {
            number * 20
        }
        let first: Count = elicit(format!("{LIMIT}?")).await?;
        effect(twice(first.n));
        return_of(LIMIT) + twice(LIMIT)
    };
    let between = (LIMIT, twice(4));
    if elicit::<Yes>(format!("{between:?}?")).await?.yes {
        use self::other::twice;
        let n: Count = elicit(format!("{}?", twice(1))).await?;
        effect(twice(n.n));
    }
    for i in 0..LIMIT + 1 {
        const LIMIT: u8 = 7;
        let n: Count = elicit(format!("{i} {LIMIT}?")).await?;
        if n.n == 1 {
            continue;
        }
        effect(LIMIT + n.n);
    }
    Ok(format!("{outer:?} {inner} {between:?} {LIMIT} {}", twice(5)))
}

fn return_of(number: u8) -> u8 {
    number + 100
}

mod other {
    pub(super) fn twice(number: u8) -> u8 {
        number + 200
    }
}

#[saga_tool]
async fn items_of_the_same_name_in_two_blocks() -> Result<String, ToolError> {
    let unit = {
        use Unit::*;
        const NAME: &str = "unit";
        let yes: Yes = elicit(NAME).await?;
        if yes.yes { Metre } else { Foot }
    };
    effect(format_args!("{unit:?}"));
    let weight = {
        use Weight::*;
        const NAME: &str = "weight";
        let yes: Yes = elicit(NAME).await?;
        if yes.yes { Gram } else { Pound }
    };
    effect(format_args!("{weight:?}"));
    let n = elicit::<Count>("n?").await?.n;
    let text = match n {
        0 => {
            fn shown(n: u8) -> String {
                format!("none {n}")
            }
            elicit::<Name>(shown(n)).await?.name + &shown(1)
        }
        _ => {
            fn shown(n: u8) -> String {
                format!("some {n}")
            }
            elicit::<Name>(shown(n)).await?.name + &shown(2)
        }
    };
    Ok(text)
}

#[saga_tool]
async fn types_of_a_block_with_what_they_need() -> Result<String, ToolError> {
    let held = {
        const PARTS: usize = 2;
        use std::fmt;
        #[derive(Clone, Serialize, Deserialize)]
        struct Parts([u8; PARTS]);
        impl fmt::Display for Parts {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{:?} of {}", self.0, describe())
            }
        }
        #[derive(Debug, Clone, Copy, Serialize, Deserialize)]
        enum Size {
            Small,
            Large,
        }
        use Size::*;
        fn describe() -> &'static str {
            "parts"
        }
        let parts = Parts([noted(1), 2]);
        let size = if elicit::<Yes>(format!("{parts}?")).await?.yes { Small } else { Large };
        effect(&parts);
        let n: Count = elicit(format!("{size:?}?")).await?;
        format!("{parts} {size:?} {}", n.n)
    };
    let counted = {
        use std::sync::atomic::{AtomicU8, Ordering};
        fn parity(number: u8) -> &'static str {
            const LIMIT: u8 = 2;
            if number % LIMIT == 0 { "even" } else { "odd" }
        }
        static ASKED: AtomicU8 = AtomicU8::new(0);
        ASKED.store(5, Ordering::Relaxed);
        let n: Count = elicit(parity(LIMIT)).await?;
        ASKED.store(n.n, Ordering::Relaxed);
        parity(ASKED.load(Ordering::Relaxed))
    };
    Ok(format!("{held} {counted}"))
}

trait Loud {
    fn said(&self) -> String;
}
impl Loud for &'static str {
    fn said(&self) -> String {
        format!("{self}!")
    }
}

mod quiet {
    /// Takes what it is called on, so that it comes before `Loud` where it is in scope.
    pub(super) trait Quiet {
        fn said(self) -> String;
    }
    impl Quiet for &'static str {
        fn said(self) -> String {
            format!("({self})")
        }
    }
}

/// A method is that of the trait that is in scope where it is called.
#[saga_tool]
async fn traits_of_a_block() -> Result<String, ToolError> {
    let mut log = vec!["a".said()];
    {
        trait Silent {
            fn said(self) -> String;
            fn twice(self) -> String
            where
                Self: Sized + Copy,
            {
                format!("{}{}", self.said(), self.said())
            }
        }
        impl Silent for &'static str {
            fn said(self) -> String {
                "..".to_owned()
            }
        }
        log.push("b".said());
        elicit::<Yes>("c".said()).await?;
        log.push("d".twice());
    }
    log.push("e".said());
    {
        use quiet::Quiet;
        #[derive(Clone, Serialize, Deserialize)]
        struct Word(u8);
        impl Word {
            fn text(&self) -> String {
                format!("{}{}", self.0, "f".said())
            }
        }
        impl Quiet for Word {
            fn said(self) -> String {
                format!("<{}>", self.0)
            }
        }
        fn asked() -> String {
            static TIMES: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
            *TIMES.lock().unwrap() = 1;
            "g".said()
        }
        let word = Word(noted(1));
        elicit::<Yes>(asked()).await?;
        log.push(word.text());
        elicit::<Yes>("h".said()).await?;
        log.push(word.said());
        log.push(asked());
    }
    log.push("i".said());
    {
        trait Long {
            fn length(&self) -> usize;
        }
        #[derive(Clone, Serialize, Deserialize)]
        struct Line(Vec<u8>);
        impl Long for Line {
            fn length(&self) -> usize {
                self.0.len()
            }
        }
        impl Line {
            fn is_long(&self) -> bool {
                self.length() > 1
            }
        }
        let line = Line(vec![1, 2]);
        elicit::<Yes>("j".said()).await?;
        log.push(format!("{}{}", line.is_long(), line.length()));
    }
    elicit::<Yes>("k".said()).await?;
    log.push("l".said());
    Ok(format!("{log:?}"))
}

/// A type that has the trait of a block in it is one type for all arms.
#[saga_tool]
async fn traits_of_a_block_in_types() -> Result<String, ToolError> {
    let mut log = Vec::new();
    {
        trait Area {
            fn area(&self) -> u32;
        }
        impl Area for u32 {
            fn area(&self) -> u32 {
                *self
            }
        }
        {
            #[derive(Serialize, Deserialize)]
            struct Square(u32);
            impl Area for Square {
                fn area(&self) -> u32 {
                    self.0.area() * self.0
                }
            }
            let square = Square(noted(3));
            elicit::<Yes>(format!("{}?", square.area())).await?;
            log.push(square.area());
        }
    }
    {
        trait Rule {
            fn holds(&self, n: u8) -> bool;
        }
        struct Even;
        struct Less(u8);
        impl Rule for Even {
            fn holds(&self, n: u8) -> bool {
                n % 2 == 0
            }
        }
        impl Rule for Less {
            fn holds(&self, n: u8) -> bool {
                n < self.0
            }
        }
        let rule: Box<dyn Rule + Send> =
            if noted(true) { Box::new(Less(elicit::<Count>("n?").await?.n)) } else { Box::new(Even) };
        log.push(rule.holds(2).into());
        drop(rule);
        elicit::<Yes>("more?").await?;
        log.push(Even.holds(3).into());
    }
    Ok(format!("{log:?}"))
}

/// What is called as a trait of a block is, elsewhere, is another.
#[saga_tool]
async fn traits_of_a_block_beside_methods() -> Result<String, ToolError> {
    let mut log = vec!["a".said() + &3_u8.to_string()];
    let count = {
        trait Named {
            const KIND: &'static str;
            fn new(text: &str) -> Self;
            fn name(self) -> String;
            fn said(self) -> String
            where
                Self: Sized,
            {
                format!("{} {}", Self::KIND, self.name())
            }
        }
        #[derive(Clone, Copy, Serialize, Deserialize)]
        struct Meter(u8);
        impl Named for Meter {
            const KIND: &'static str = "meter";
            fn new(text: &str) -> Self {
                Self(text.len().try_into().unwrap_or(u8::MAX))
            }
            fn name(self) -> String {
                self.shown().to_lowercase()
            }
        }
        impl Named for &'static str {
            const KIND: &'static str = "text";
            fn new(_: &str) -> Self {
                "T"
            }
            fn name(self) -> String {
                format!("{self}{self}")
            }
        }
        impl Meter {
            fn shown(self) -> String {
                format!("M{}", self.0)
            }
            fn twice(self) -> String {
                let text: &'static str = Named::new("");
                format!("{} {} {}", self.name(), self.said(), text.said())
            }
            fn next(self) -> Self {
                static TIMES: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
                *TIMES.lock().unwrap() = 1;
                <Self as Named>::new(&format!("{}{}", Self::KIND, self.0))
            }
        }
        fn both(meter: Meter) -> String {
            static TIMES: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
            *TIMES.lock().unwrap() = 2;
            meter.name() + &"b".name()
        }
        let mut meter = Meter::new("c");
        elicit::<Yes>(meter.twice()).await?;
        log.push(meter.twice() + &both(meter));
        meter = meter.next();
        elicit::<Yes>(meter.said()).await?;
        log.push("d".said() + &meter.next().name());
        meter.0
    };
    log.push("e".said() + &String::new() + &count.to_string());
    elicit::<Yes>("f".said()).await?;
    log.push("g".said());
    Ok(format!("{log:?}"))
}

/// A type of a block is of what the block around declares and uses.
#[saga_tool]
async fn types_of_a_block_in_another() -> Result<String, ToolError> {
    let first = {
        use quiet::Quiet as Still;
        {
            use std::fmt::Write as _;
            #[derive(Clone, Copy, Serialize, Deserialize)]
            struct Word(u8);
            impl Still for Word {
                fn said(self) -> String {
                    format!("<{}{}>", self.0, "a".said())
                }
            }
            impl Word {
                fn text(self) -> String {
                    let mut text = "b".said();
                    write!(text, "{}", self.said()).unwrap();
                    text
                }
            }
            let word = Word(noted(1));
            elicit::<Yes>(word.text()).await?;
            word.text() + &word.said()
        }
    };
    effect(&first);
    let second = {
        const PARTS: usize = 2;
        type Part = u8;
        fn twice(part: Part) -> Part {
            part * 2
        }
        {
            #[derive(Clone, Serialize, Deserialize)]
            struct Parts([Part; PARTS]);
            impl Parts {
                fn sum(&self) -> u8 {
                    self.0.iter().copied().map(twice).sum()
                }
            }
            let parts = Parts([noted(1), 2]);
            elicit::<Yes>(format!("{}?", parts.sum())).await?;
            parts.sum() + PARTS as u8
        }
    };
    Ok(format!("{first}{second}{}", "c".said()))
}

/// A parameter is what it is under the name of something used, and a module is used by its own name.
#[saga_tool]
async fn names_that_a_block_uses() -> Result<String, ToolError> {
    let text = {
        use other::twice;
        use std::fmt::{self, Write};
        fn applied(twice: impl Fn(u8) -> u8, number: u8) -> u8 {
            static TIMES: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
            *TIMES.lock().unwrap() = number;
            twice(number)
        }
        #[derive(Debug, Clone, Copy, Serialize, Deserialize)]
        struct Size(u8);
        trait Sized {
            fn shown(&self, twice: u8) -> Result<String, fmt::Error>;
        }
        impl Sized for Size {
            fn shown(&self, twice: u8) -> Result<String, fmt::Error> {
                static TIMES: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
                *TIMES.lock().unwrap() = twice;
                let mut text = String::new();
                write!(text, "{} {twice}", self.0)?;
                Ok(text)
            }
        }
        impl Size {
            fn of(twice: u8) -> Self {
                Self(applied(|number| number + twice, twice))
            }
        }
        let size = Size::of(noted(4));
        elicit::<Yes>(format!("{size:?}?")).await?;
        format!("{:?} {} {}", size.shown(twice(1)), applied(|number| number, 3), Size::of(5).0)
    };
    let turned = {
        use std::cmp::{self, Ordering};
        #[derive(Serialize, Deserialize)]
        struct Turned(cmp::Reverse<u8>);
        let turned = Turned(cmp::Reverse(noted(2)));
        elicit::<Yes>("turned?").await?;
        format!("{} {:?}", turned.0.0, Ordering::Less)
    };
    Ok(text + &turned)
}

#[saga_tool]
async fn macros_that_name_what_is_around_them(word: String) -> Result<String, ToolError> {
    let mut total = noted(3_u8);
    macro_rules! add {
        ($count:expr) => {
            total += $count
        };
    }
    let text = word.to_uppercase();
    macro_rules! shown {
        () => {
            format!("{text} {total}")
        };
    }
    let n: Count = elicit(format!("{}?", shown!())).await?;
    add!(n.n);
    let total = {
        let total = "inner";
        macro_rules! add {
            ($count:expr) => {
                format!("{total}{}", $count)
            };
        }
        let n: Count = elicit(total).await?;
        effect(add!(n.n));
        add!(shown!())
    };
    elicit::<Yes>(format!("{total}?")).await?;
    add!(1);
    for i in 0..2_u8 {
        macro_rules! shown {
            ($more:expr) => {
                format!("{i} {}", $more)
            };
        }
        let n: Count = elicit(shown!(1)).await?;
        effect(shown!(n.n));
        add!(i);
    }
    Ok(format!("{} {total}", shown!()))
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum State {
    New,
    Asked(u8),
    Done { log: Vec<u8>, size: u8 },
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Job {
    state: State,
    log: Vec<u8>,
    size: u8,
}

#[saga_tool]
async fn changed_through_what_a_pattern_binds() -> Result<String, ToolError> {
    let mut job = Job { state: State::New, log: Vec::new(), size: noted(3) };
    if let Job { state: state @ State::New, log, .. } = &mut job {
        *state = State::Asked(1);
        let n: Count = elicit("new?").await?;
        log.push(n.n);
        *state = State::Asked(n.n);
        let n: Count = elicit("again?").await?;
        log.push(n.n);
    }
    effect(format_args!("{job:?}"));
    let Job { size: 3, ref mut log, state: State::Asked(ref mut times) } = job else {
        return Ok("no".to_owned());
    };
    *times += 1;
    job.size = 4;
    log.push(elicit::<Count>("three?").await?.n);
    *times += 1;
    log.push(elicit::<Count>("four?").await?.n);
    Ok(format!("{job:?}"))
}

#[saga_tool]
async fn changed_beside_what_a_pattern_binds() -> Result<String, ToolError> {
    let mut option = noted(Some(2_u8));
    if let Some(n @ 1..=3) = &mut option {
        *n += 7;
        let more: Count = elicit(format!("{n}?")).await?;
        *n += more.n;
    }
    let mut pair = (noted(1_u8), [4_u8, 5, 6], Some("x".to_owned()));
    match &mut pair {
        (first @ 1, [4, rest @ ..], Some(text)) => {
            *first = 9;
            rest[0] = 0;
            let name: Name = elicit(format!("{text}?")).await?;
            text.push_str(&name.name);
            *first += elicit::<Count>("first?").await?.n;
        }
        _ => effect("other"),
    }
    let mut state = State::Done { log: vec![1], size: noted(2) };
    while let State::Done { log, size: size @ (2 | 3) } = &mut state {
        *size += 1;
        let n: Count = elicit(format!("{log:?}?")).await?;
        log.push(n.n);
        *size += n.n;
    }
    Ok(format!("{option:?} {pair:?} {state:?}"))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Action {
    Add(String),
    Remove(String),
    Move { what: String, to: u8 },
}

#[saga_tool]
async fn one_of_several_cases() -> Result<String, ToolError> {
    let mut out = Vec::new();
    for mut action in [
        Action::Add(noted("a".to_owned())),
        Action::Remove("r".to_owned()),
        Action::Move { what: "m".to_owned(), to: 2 },
    ] {
        match &action {
            Action::Add(what) | Action::Remove(what) => {
                let n: Count = elicit(format!("{what}?")).await?;
                effect(format_args!("{what} {}", n.n));
            }
            Action::Move { what, to } => {
                elicit::<Yes>(format!("{what} {to}?")).await?;
                effect(what);
            }
        }
        if let Action::Add(what) | Action::Move { what, .. } = &mut action {
            what.push_str(&elicit::<Name>("more?").await?.name);
            elicit::<Yes>("sure?").await?;
            what.push('.');
        }
        if let Action::Add(ref what) | Action::Remove(ref what) = action
            && let 'a'..='q' | 'r' = noted(what.chars().next().unwrap_or('z'))
        {
            let n: Count = elicit("first?").await?;
            effect(format_args!("{what} {}", n.n));
        }
        out.push(action);
    }
    Ok(format!("{out:?}"))
}

#[saga_tool]
async fn loops_of_several_cases() -> Result<String, ToolError> {
    let list = [noted(Ok::<u8, u8>(1)), Err(2), Ok(3)];
    let mut sum = 0;
    for Ok(i) | Err(i) in list {
        sum += i + elicit::<Count>(format!("{i}?")).await?.n;
        effect(sum);
    }
    for Ok(i) | Err(i) in &list {
        let n: Count = elicit(format!("{i} again?")).await?;
        effect(i + n.n);
    }
    for (at, Ok(i) | Err(i)) in list.iter().enumerate() {
        elicit::<Yes>(format!("{at} {i}?")).await?;
    }
    let mut found = list.into_iter().skip(1);
    for Ok(i) | Err(i) in found.by_ref() {
        let n: Count = elicit(format!("{i} found?")).await?;
        effect(i + n.n);
        if n.n == 1 {
            break;
        }
    }
    let left = found.count();
    let mut stack = vec![Ok::<u8, u8>(1), Err(2)];
    while let Some(Ok(i)) | Some(Err(i)) = stack.pop() {
        let n: Count = elicit(format!("{i} popped?")).await?;
        effect(i + n.n);
    }
    Ok(format!("{sum} {left}"))
}

#[saga_tool]
async fn labels_that_hide_others() -> Result<String, ToolError> {
    let mut log = Vec::new();
    'a: for i in 0..3_u8 {
        let n: Count = elicit(format!("{i}?")).await?;
        if n.n + i > 4 {
            break 'a;
        }
        'a: for j in 0..3_u8 {
            if j == n.n {
                break 'a;
            }
            if j == 1 {
                continue 'a;
            }
            log.push(j);
        }
        effect(i);
        'a: loop {
            let more: Count = elicit(format!("{i} more?")).await?;
            log.push(more.n);
            effect(log.len());
            if more.n < 2 {
                break 'a;
            }
            if log.len() > 7 {
                break;
            }
        }
        effect(log.len());
    }
    Ok(format!("{log:?}"))
}

macro_rules! leave {
    ($label:lifetime $(, $value:expr)?) => {
        break $label $($value)?
    };
}

macro_rules! again {
    ($label:lifetime) => {
        continue $label
    };
}

#[saga_tool]
async fn labels_that_macros_leave_by() -> Result<String, ToolError> {
    let mut log = Vec::new();
    let kept = noted("kept".to_owned());
    let found = 'found: {
        let n: Count = elicit("first?").await?;
        if n.n == 1 {
            leave!('found, kept.len());
        }
        log.push(n.n);
        return_if_asked(&elicit::<Count>("second?").await?)?;
        return Ok(format!("{log:?} {kept}"));
    };
    'outer: for i in 0..3_u8 {
        for j in 0..2_u8 {
            let n: Count = elicit(format!("{i} {j}?")).await?;
            log.push(n.n);
            if n.n == 2 {
                leave!('outer);
            }
            if n.n == 3 {
                again!('outer);
            }
            effect(j);
        }
        effect(i);
    }
    Ok(format!("{found} {log:?} {kept}"))
}

fn return_if_asked(count: &Count) -> Result<(), ToolError> {
    if count.n > 1 { Ok(()) } else { Err(ToolError::new("small")) }
}

#[derive(Clone, Serialize, Deserialize)]
struct Sizes {
    W: u8,
    H: u8,
}

#[saga_tool]
async fn locals_in_capitals() -> Result<String, ToolError> {
    let N = noted(3_u8);
    let Most: Count = elicit(format!("{N}?")).await?;
    let (A, B) = (N + Most.n, noted("b".to_owned()));
    let LATER;
    {
        let N = A + 1;
        LATER = elicit::<Name>(format!("{N} {B}?")).await?.name;
        effect(N);
    }
    let Sizes { W, H: HEIGHT } = Sizes { W: 1, H: N };
    for I in 0..N {
        let more = |N: u8| N + I;
        let n: Count = elicit(format!("{I}?")).await?;
        effect(more(n.n) + W);
        if n.n == 2 {
            break;
        }
    }
    let sizes = Some(Sizes { W: noted(4), H: 5 });
    if let Some(Sizes { W, .. }) = &sizes {
        elicit::<Yes>(format!("{W}?")).await?;
        effect(W);
    }
    if let Some(Sizes { H: N, .. }) = &sizes {
        elicit::<Yes>(format!("{N}?")).await?;
        effect(N);
    }
    Ok(format!("{N} {} {A} {B} {LATER} {W} {HEIGHT}", Most.n))
}

#[saga_tool]
async fn parts_that_take_each_others_names() -> Result<String, ToolError> {
    let (a, b) = (noted("a".to_owned()), noted("b".to_owned()));
    let (a, b, n) = (&b, &a, noted(3_u8));
    let more: Count = elicit(format!("{a} {b} {n}?")).await?;
    effect(format_args!("{a} {b}"));
    let mut list = vec![(1_u8, more.n), (2, n)];
    let mut other = vec![7_u8];
    let (other, list, (_, n)) = (&mut list, &mut other, (0, n + 1));
    other.push((n, elicit::<Count>("other?").await?.n));
    list.push(elicit::<Count>("list?").await?.n);
    other.push((n, 0));
    Ok(format!("{a} {b} {n} {list:?} {other:?}"))
}

#[saga_tool]
async fn keys_of_json_before_its_questions() -> Result<String, ToolError> {
    let mut last = noted("last".to_owned());
    let name = noted("name".to_owned());
    let value = json!({
        (noted("first")): elicit::<Count>("n?").await?.n,
        (format!("{name}!")): ({ last.push('!'); noted(1) }),
        "plain": [{ (last.clone()): elicit::<Name>("name?").await?.name, name: null }],
        noted("second".to_owned()) + "!": noted(2),
    });
    effect(&value);
    Ok(format!("{value} {last}"))
}

#[saga_tool]
async fn a_key_like_the_name_of_a_second_question() -> Result<String, ToolError> {
    let ok: Yes = elicit("first?").await?;
    effect(ok.yes);
    let n: Count = elicit("between?").key("ok~2").await?;
    effect(n.n);
    let ok: Yes = elicit("second?").await?;
    effect(ok.yes);
    let ok: Yes = elicit("third?").await?;
    Ok(format!("{} {}", ok.yes, n.n))
}

/// What a later condition looks at, too, is a place.
#[saga_tool(max_rounds = 20)]
async fn places_in_later_conditions() -> Result<String, ToolError> {
    let rows = [[Some(1_u8), Some(2), None, Some(4)], [None, Some(5), Some(6), Some(7)]];
    // Of an array in an array rustc 1.95 loses the first index: rust-lang/rust#158655.
    let (mut grid, ready) = (rows.map(Vec::from).to_vec(), noted(true));
    if ready && let Some(ref mut x) = grid[noted(1)][usize::from(elicit::<Count>("a?").await?.n)] {
        *x += 10;
    }
    if ready && let Some(ref mut x) = grid[noted(0)][usize::from(elicit::<Count>("b?").await?.n)] {
        *x += elicit::<Count>(format!("{x}?")).await?.n;
        elicit::<Yes>(format!("{x}?")).await?;
        *x += 1;
    } else if ready && let Some(ref x) = grid[noted(1)][usize::from(elicit::<Count>("e?").await?.n)] {
        elicit::<Yes>(format!("{x}?")).await?;
        effect(x);
    }
    if let Some(y) = grid[1][1]
        && let Some(ref mut x) = grid[noted(0)][usize::from(elicit::<Count>("c?").await?.n)]
        && y > 0
    {
        *x += y;
        elicit::<Yes>(format!("{y}?")).await?;
        *x += y;
    } else {
        effect(elicit::<Count>("else?").await?.n);
    }
    if let Some(ref x) = grid[noted(0)][usize::from(elicit::<Count>("f?").await?.n)]
        && let Some(ref y) = grid[usize::from(elicit::<Yes>(format!("{x}?")).await?.yes)][noted(1)]
        && x < y
    {
        elicit::<Yes>(format!("{x}{y}?")).await?;
    }
    let mut left = 3;
    while left > 0
        && let Some(ref mut x) = grid[noted(0)][usize::from(elicit::<Count>("d?").await?.n)]
    {
        left -= 1;
        *x += left;
    }
    let text = if ready
        && let Some(text) = chosen(&[noted("a".to_owned()), "b".to_owned()], elicit::<Yes>("e?").await?.yes)
    {
        elicit::<Yes>(format!("{text}?")).await?;
        text.to_owned()
    } else {
        "none".to_owned()
    };
    Ok(format!("{grid:?}{left}{text}"))
}

fn chosen(texts: &[String], last: bool) -> Option<&str> {
    if last { texts.last().map(String::as_str) } else { texts.first().map(String::as_str) }
}

/// What `ref mut` borrows is the place itself, also where a method may change that.
#[saga_tool]
async fn places_that_are_changed_by_methods_elsewhere() -> Result<String, ToolError> {
    let mut found = noted(vec![Some(1_u8), Some(2), None]);
    if let Some(ref mut n) = found[usize::from(elicit::<Count>("a?").await?.n % 3)] {
        *n += 10;
        elicit::<Yes>("b?").await?;
        *n += 10;
    } else {
        found.push(None);
        elicit::<Yes>("c?").await?;
        found.push(Some(0));
    }
    if noted(true)
        && let Some(ref mut n) = found[usize::from(elicit::<Count>("d?").await?.n % 3)]
    {
        *n += 20;
        elicit::<Yes>("e?").await?;
        *n += 20;
    }
    match found[usize::from(elicit::<Count>("f?").await?.n % 3)] {
        Some(ref mut n) => *n += 40,
        ref mut none => *none = Some(40),
    }
    Ok(format!("{found:?}"))
}

#[derive(Debug)]
enum Measure {
    Length,
    Weight,
}

#[saga_tool]
async fn a_macro_that_declares_beside_what_it_is_given() -> Result<String, ToolError> {
    macro_rules! unit {
        ($name:ident, $of:path) => {
            struct $name;
            impl $name {
                fn of(&self) -> Measure {
                    $of
                }
            }
        };
    }
    unit!(Metre, Measure::Length);
    let metre = Metre.of();
    let sure = elicit::<Yes>(format!("{metre:?}?")).await?.yes;
    Ok(format!("{:?}", if sure { Measure::Length } else { Measure::Weight }))
}
