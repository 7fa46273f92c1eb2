//! Tools that a macro by example writes: what its `$place:expr` and its like bring are groups that no text shows.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

bodies! {
    changes_a_part(game: game());
    changes_an_element(game: game());
    changes_through_a_reference(game: game());
    operates_on_sums(n: 1);
    operates_on_literals(n: 1);
    operates_on_comparisons(n: 2);
    asks_under_conditions(n: 3, game: game());
    asks_in_arguments(game: game());
    asks_in_macros(n: 1);
    takes_types(game: game());
    takes_patterns(n: 2);
    takes_statements(game: game());
    takes_questions;
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Game {
    score: u8,
    names: Vec<String>,
    list: Vec<u8>,
    at: usize,
}

fn game() -> Game {
    Game { score: 1, names: vec!["n".to_owned(), "m".to_owned()], list: vec![1, 2], at: 0 }
}

macro_rules! changes {
    ($tool:ident($game:ident), number $number:expr, list $list:expr, text $text:expr, index $index:expr) => {
        #[saga_tool(max_rounds = 30)]
        async fn $tool(mut $game: Game) -> Result<String, ToolError> {
            $number += elicit::<Count>(format!("{}?", $number)).await?.n;
            $number = $number.wrapping_add(elicit::<Count>(format!("{}?", $number)).await?.n);
            $list.push(elicit::<Count>(format!("{:?}?", $list)).await?.n);
            $list.push(elicit::<Count>(format!("{}?", $list.len())).await?.n);
            $text.push_str(&elicit::<Name>("text?").await?.name);
            $text += &elicit::<Name>("more?").await?.name;
            $list[$index] += elicit::<Count>("at?").await?.n;
            $list[$index] = {
                $index = 1;
                elicit::<Count>("which?").await?.n
            };
            let many = $list.len() + usize::from(elicit::<Count>(format!("{}?", $index)).await?.n);
            let last = &mut $list;
            last.push(8);
            elicit::<Yes>("borrowed?").await?;
            last.push(9);
            if let Some(first) = $list.first_mut() {
                elicit::<Yes>("first?").await?;
                *first += 1;
            }
            for number in &mut $list {
                *number += elicit::<Count>(format!("{number}?")).await?.n;
            }
            if let Some(ref mut x) = $list.get(0) {
                elicit::<Yes>(format!("{x}?")).await?;
            }
            let old = std::mem::replace(&mut $text, elicit::<Name>("new?").await?.name);
            let (taken, left) = (&mut $text, &$list);
            elicit::<Yes>("taken?").await?;
            taken.push_str(&left.len().to_string());
            Ok(format!("{many} {old} {:?}", $game))
        }
    };
}

changes! { changes_a_part(game), number game.score, list game.list, text game.names[0], index game.at }
changes! { changes_an_element(game), number game.list[noted(0)], list game.list, text game.names[game.at], index game.at }

macro_rules! changes_through {
    ($tool:ident($game:ident), $through:ident, $all:expr, $score:expr) => {
        #[saga_tool]
        async fn $tool(mut $game: Game) -> Result<String, ToolError> {
            let $through = &mut $game;
            $score += elicit::<Count>(format!("{:?}?", $all)).await?.n;
            $all.list.push(elicit::<Count>("l?").await?.n);
            $all.names[0] += &elicit::<Name>("l?").await?.name;
            let kept = &mut $all.list;
            elicit::<Yes>("kept?").await?;
            kept.push(5);
            Ok(format!("{:?}", $game))
        }
    };
}

changes_through! { changes_through_a_reference(game), through, *through, (*through).score }

/// What no attribute has read.
struct ByHand;

macro_rules! operates {
    ($tool:ident($n:ident: $ty:ty), $a:expr, $b:expr, $negative:literal) => {
        #[saga_tool(max_rounds = 30)]
        async fn $tool($n: $ty) -> Result<String, ToolError> {
            effect($n);
            let before = $a * 2;
            assert_eq!([before, $a * 2, 3 - $b * 2], ByHand::$tool($n));
            let held = $a * elicit::<Count>(format!("{before} {}?", $b * $a)).await?.n as i32 - ($b);
            let negative = -$a - $b;
            let added = $a - $b * elicit::<Count>("b?").await?.n as i32;
            let method = ($a).min(2) + $b.max(elicit::<Count>("c?").await?.n.into());
            let narrow = $a as u8 + elicit::<Count>("d?").await?.n;
            let signed = $negative.max(elicit::<Count>("e?").await?.n as i32) - $negative;
            let range = $a..$b + elicit::<Count>("f?").await?.n as i32;
            let both = [$a * 3, $b * 3, elicit::<Count>("g?").await?.n as i32, $b * 2];
            let text = format!("{} {}", $a * 2, !$b);
            elicit::<Yes>(text.clone()).await?;
            let reference = &$a;
            elicit::<Yes>("h?").await?;
            let mut sum = *reference * 2;
            sum *= $a;
            sum -= $b * elicit::<Count>("i?").await?.n as i32;
            effect(sum);
            sum = $a;
            for i in $a..$a * 2 {
                sum += i * elicit::<Count>("j?").await?.n as i32;
            }
            let block = { $b } * 2;
            Ok(format!(
                "{before} {held} {negative} {added} {method} {narrow} {signed} {range:?} {both:?} {text} {sum} {block} {}",
                $a * $b
            ))
        }

        impl ByHand {
            fn $tool($n: $ty) -> [i32; 3] {
                let _ = $n;
                [$a * 2, $a * 2, 3 - $b * 2]
            }
        }
    };
}

operates! { operates_on_sums(n: i32), n + 1, 1 + 2, -3 }
operates! { operates_on_literals(n: i32), 1, -2, 3 }
operates! { operates_on_comparisons(n: i32), if n > 1 { 2 } else { 3 } + 1, { n } - 1, -1 }

macro_rules! asks_under {
    ($tool:ident($n:ident, $game:ident), $condition:expr, $other:expr, $literal:expr, $found:expr) => {
        #[saga_tool]
        async fn $tool($n: u8, mut $game: Game) -> Result<String, ToolError> {
            let mut log = Vec::new();
            if $condition {
                log.push(elicit::<Count>("a?").await?.n);
            }
            if !$condition && elicit::<Yes>("b?").await?.yes || $other {
                log.push(1);
            }
            if $game == $literal && elicit::<Yes>("c?").await?.yes {
                log.push(2);
            }
            if elicit::<Yes>("d?").await?.yes
                && let Some(x) = $found
                && $condition
            {
                log.push(x.len() as u8);
                elicit::<Yes>("e?").await?;
                log.push(x.len() as u8);
            }
            while $condition {
                log.push(elicit::<Count>("f?").await?.n);
                $game.score += 1;
                if log.len() > 4 {
                    break;
                }
            }
            match $literal {
                Game { score, .. } if $condition => log.push(score + elicit::<Count>("g?").await?.n),
                other if other == $literal => log.push(elicit::<Count>("h?").await?.n),
                _ => log.push(4),
            }
            let Some(text) = $found else { return Ok(format!("{}", $condition)) };
            elicit::<Yes>(format!("{text}?")).await?;
            let chosen = if $other { elicit::<Count>("i?").await?.n } else { $literal.score };
            Ok(format!("{log:?} {text} {chosen} {}", !$condition))
        }
    };
}

asks_under! {
    asks_under_conditions(n, game), n > 2 || game.score > 3, n > 3 && game.at < 1,
    Game { score: 1, names: Vec::new(), list: vec![], at: 0 }, game.names.first()
}

fn sum(a: u8, b: &u8, c: &mut Vec<u8>) -> u8 {
    c.push(a);
    a.wrapping_add(*b).wrapping_add(c.len() as u8)
}

macro_rules! asks_in {
    ($tool:ident($game:ident), $value:expr, $place:expr, $closure:expr, $function:path, $block:block) => {
        #[saga_tool]
        async fn $tool(mut $game: Game) -> Result<String, ToolError> {
            let one = $function($value, &$place[0], &mut vec![elicit::<Count>("a?").await?.n]);
            let two = $function(elicit::<Count>("b?").await?.n, &$value, &mut $place);
            let three = $place.iter().map($closure).sum::<u8>().wrapping_add(elicit::<Count>("c?").await?.n);
            let map = $closure;
            elicit::<Yes>("d?").await?;
            let four = map(&($value));
            let five = ($value, $place.clone(), elicit::<Count>("e?").await?.n, $value);
            let six = $block;
            elicit::<Yes>("f?").await?;
            let seven = $game.list[usize::from($value.min(0))..].to_vec();
            let eight = Game { list: $place.clone(), score: elicit::<Count>("g?").await?.n, ..$game };
            Ok(format!("{one} {two} {three} {four} {five:?} {six} {seven:?} {eight:?}"))
        }
    };
}

asks_in! {
    asks_in_arguments(game), game.score + 1, game.list, |number: &u8| number.wrapping_add(3), sum,
    { effect("block"); 3 }
}

macro_rules! twice {
    ($e:expr) => {
        $e * 2
    };
}

macro_rules! as_it_is {
    ($($all:tt)*) => {
        $($all)*
    };
}

macro_rules! in_macros {
    ($tool:ident($n:ident), $sum:expr, $text:literal) => {
        #[saga_tool]
        async fn $tool($n: i32) -> Result<String, ToolError> {
            let a = twice!($sum);
            let b = twice!($sum * 3) + elicit::<Count>(format!("{}?", $sum * 2)).await?.n as i32;
            let c = as_it_is!($sum * 5);
            elicit::<Yes>(format!($text, $sum * 3)).await?;
            assert!($sum * 2 != 5, "{}", $sum);
            assert_eq!($sum * 2, 2 * $sum);
            let d = vec![$sum * 2, elicit::<Count>("c?").await?.n as i32, $sum];
            let e = vec![$sum * 2; 2];
            let f = matches!($sum * 2, 4 | 6 if $sum * 2 > 5);
            let g = serde_json::json!({ "a": $sum * 2, $text: $sum }).to_string();
            let h = as_it_is!([$sum * 5, 1]);
            assert_eq!([a, c, h[0]], ByHand::$tool($n));
            elicit::<Yes>(format!($text, twice!($sum))).await?;
            Ok(format!("{a} {b} {c} {d:?} {e:?} {f} {g} {h:?}"))
        }

        impl ByHand {
            fn $tool($n: i32) -> [i32; 3] {
                [twice!($sum), as_it_is!($sum * 5), $sum * 5]
            }
        }
    };
}

in_macros! { asks_in_macros(n), n + 2, "so {}" }

macro_rules! typed {
    ($tool:ident($game:ident: $argument:ty) -> $output:ty, $list:ty, $number:ty, $path:path) => {
        #[saga_tool]
        async fn $tool($game: $argument) -> $output {
            let list: $list = Vec::new();
            let mut all: $list = list;
            all.push(elicit::<$path>("a?").await?.n);
            let reference: &$list = &all;
            elicit::<Yes>("b?").await?;
            let many = reference.len() as $number + <$number>::MIN;
            let $path { n } = elicit("c?").await?;
            let chosen: $number;
            if n > 1 {
                chosen = elicit::<$path>("d?").await?.n.into();
            } else {
                chosen = 2;
            }
            elicit::<Yes>("e?").await?;
            Ok(format!("{all:?} {many} {n} {chosen} {:?}", $game))
        }
    };
}

typed! { takes_types(game: Game) -> Result<String, ToolError>, Vec<u8>, u32, Count }

macro_rules! patterns {
    ($tool:ident($n:ident), $small:pat, $some:pat => $bound:ident, $literal:literal) => {
        #[saga_tool]
        async fn $tool($n: u8) -> Result<String, ToolError> {
            let a = match $n {
                $small if noted($n) == 1 => elicit::<Count>("b?").await?.n,
                $small | $literal => 20,
                _ => elicit::<Count>("c?").await?.n,
            };
            let b = match &a {
                &($small) => elicit::<Count>("d?").await?.n,
                x @ ($literal | 9) => *x,
                _ => 2,
            };
            let mut found = None;
            for n in 0..3 {
                if let $some = noted(Some(n)).filter(|n| *n > 0) {
                    elicit::<Yes>("e?").await?;
                    found = Some($bound);
                }
            }
            Ok(format!("{a} {b} {found:?}"))
        }
    };
}

patterns! { takes_patterns(n), 1 | 2, Some(bound) => bound, 7 }

macro_rules! statements {
    ($tool:ident($game:ident), $first:stmt, $second:stmt; $item:item $($rest:tt)*) => {
        #[saga_tool]
        async fn $tool(mut $game: Game) -> Result<String, ToolError> {
            $item
            $first;
            elicit::<Yes>(format!("{:?}?", $game)).await?;
            $second;
            elicit::<Yes>(format!("{:?}?", $game)).await?;
            $($rest)*
        }
    };
}

statements! {
    takes_statements(game), effect(game.score), game.score = 1 + elicit::<Count>("n?").await?.n;
    fn shown(old: u8) -> String { old.to_string() }
    elicit::<Yes>(shown(game.score)).await?;
    Ok(format!("{game:?}"))
}

macro_rules! questions {
    ($tool:ident, $count:expr, $yes:expr, $pair:expr) => {
        #[saga_tool]
        async fn $tool() -> Result<String, ToolError> {
            let mut sum = $count.n * 2;
            sum += $count.n;
            if $yes.yes && !$yes.yes {
                sum += 1;
            }
            while $yes.yes && sum < 9 {
                sum += 1 + $count.n;
            }
            let (a, b) = $pair;
            Ok(format!("{sum} {} {}", a.n, b.yes))
        }
    };
}

questions! {
    takes_questions, elicit::<Count>("n?").await?, elicit::<Yes>("y?").await.unwrap_or(Yes { yes: false }),
    (elicit::<Count>("a?").await?, elicit::<Yes>("b?").await?)
}
