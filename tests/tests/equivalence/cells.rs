//! Parameters of one's own types with a cell inside, which are changed through shared references in their parts.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};

use saga_runtime::{StepError, ToolError, call, elicit, saga, saga_tool};
use saga_tests::forms::{Count, Yes};
use saga_tests::law::noted;
use serde::{Deserialize, Serialize};

bodies! {
    a_part_is_copied(board: Board::new());
    a_part_is_called(board: Board::new());
    the_elements_of_a_part(board: Board::new());
    a_part_is_matched_by_ref(board: Board::new());
    a_part_in_a_move_closure(board: Board::new());
    a_part_is_moved_in_another_branch(board: Board::new());
    a_part_is_moved_after_the_last(board: Board::new());
    a_part_of_a_part_in_a_loop(board: Board::new());
    a_part_that_asks(board: Board::new());
    a_part_with_a_keyword(board: Board::new());
    a_macro_of_ones_own(board: Board::new());
    a_cell_in_a_part;
    the_whole_is_taken_apart_after_all(board: Board::new());
    a_part_is_gone(board: Board::new());
    a_part_is_gone_and_another_matched(board: Board::new());
    a_part_moved_in_one_case(board: Board::new());
    a_part_moved_in_a_condition(board: Board::new());
    a_part_moved_beside_an_else(board: Board::new());
    a_part_moved_behind_a_guard(board: Board::new());
    a_part_is_gone_and_the_rest_looked_at(board: Board::new());
    what_a_method_borrows(list: vec![Tally::new(1), Tally::new(2), Tally::new(3)]);
    what_a_closure_borrows(board: Board::new());
    what_a_method_borrows_of_a_part(board: Board::new());
    what_is_borrowed_as_asked_of_a_part(board: Board::new());
    a_later_pattern_takes_what_is_left(board: Board::new());
    a_later_pattern_moves_more(board: Board::new());
    the_rest_of_a_base(board: Board::new());
    a_part_is_gone_and_another_asks(board: Board::new());
    a_part_is_gone_and_another_is_taken_to_ask(board: Board::new());
    methods_that_take_a_cell;
    a_part_moved_and_another_used(form: Form { title: "t".to_owned(), pages: vec![Page { n: 1 }, Page { n: 2 }] });
}

/// It is no `Clone`.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Board {
    size: u8,
    title: String,
    tally: Tally,
    list: Vec<Tally>,
    meter: Option<Tally>,
    r#type: Mutex<u8>,
}

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Tally {
    n: AtomicU8,
}

impl Tally {
    const fn new(n: u8) -> Self {
        Self { n: AtomicU8::new(n) }
    }

    fn add(&self) -> u8 {
        self.n.fetch_add(1, SeqCst)
    }

    #[saga]
    async fn ask(&self) -> Result<u8, StepError> {
        self.add();
        let count: Count = elicit(format!("{self:?}?")).await?;
        self.add();
        Ok(count.n)
    }
}

impl Board {
    fn new() -> Self {
        Self {
            size: 2,
            title: "b".to_owned(),
            tally: Tally::new(3),
            list: vec![Tally::new(4), Tally::new(5)],
            meter: Some(Tally::new(6)),
            r#type: Mutex::new(7),
        }
    }
}

fn see(board: &Board) {
    board.tally.add();
    board.list[0].add();
}

#[saga_tool]
async fn a_part_is_copied(board: Board) -> Result<String, ToolError> {
    let size = board.size;
    see(&board);
    elicit::<Yes>(format!("{size}?")).await?;
    see(&board);
    elicit::<Yes>(format!("{}?", board.size)).await?;
    Ok(format!("{board:?}"))
}

#[saga_tool]
async fn a_part_is_called(board: Board) -> Result<String, ToolError> {
    board.tally.add();
    elicit::<Yes>("on?").await?;
    let one = board.tally.add();
    elicit::<Yes>("on?").await?;
    Ok(format!("{one} {:?}", board.tally))
}

#[saga_tool]
async fn the_elements_of_a_part(board: Board) -> Result<String, ToolError> {
    for tally in board.list.iter() {
        tally.add();
        elicit::<Yes>(format!("{tally:?}?")).await?;
        tally.add();
    }
    for tally in &board.list {
        elicit::<Yes>(format!("{tally:?}?")).await?;
        tally.add();
    }
    Ok(format!("{:?}", board.list))
}

#[saga_tool]
async fn a_part_is_matched_by_ref(board: Board) -> Result<String, ToolError> {
    match board.meter {
        Some(ref meter) => meter.add(),
        None => 0,
    };
    elicit::<Yes>("on?").await?;
    let Some(ref meter) = board.meter else { return Ok(String::new()) };
    meter.add();
    elicit::<Yes>(format!("{meter:?}?")).await?;
    if let Some(ref meter) = board.meter {
        meter.add();
    }
    match board.meter {
        Some(meter) => Ok(format!("{meter:?}")),
        None => Ok(String::new()),
    }
}

#[saga_tool]
async fn a_part_in_a_move_closure(board: Board) -> Result<String, ToolError> {
    board.tally.add();
    elicit::<Yes>("on?").await?;
    let add = move || board.tally.add();
    Ok(format!("{} {}", add(), add()))
}

#[saga_tool]
async fn a_part_is_moved_in_another_branch(board: Board) -> Result<String, ToolError> {
    see(&board);
    let yes: Yes = elicit("move?").await?;
    if yes.yes {
        let title = board.title;
        let count: Count = elicit(format!("{title}?")).await?;
        return Ok(format!("{title} {}", count.n));
    }
    see(&board);
    elicit::<Yes>("on?").await?;
    Ok(format!("{board:?}"))
}

#[saga_tool]
async fn a_part_is_moved_after_the_last(board: Board) -> Result<String, ToolError> {
    see(&board);
    elicit::<Yes>("on?").await?;
    let (title, tally) = (board.title, board.tally);
    elicit::<Yes>(format!("{title} {tally:?}?")).await?;
    Ok(format!("{title} {tally:?}"))
}

#[saga_tool]
async fn a_part_of_a_part_in_a_loop(board: Board) -> Result<String, ToolError> {
    for round in 0..board.size {
        let size = board.size;
        board.tally.n.store(size + round + board.tally.n.load(SeqCst), SeqCst);
        elicit::<Yes>(format!("{:?}?", board.tally)).await?;
        board.list[usize::from(round)].add();
    }
    elicit::<Yes>(format!("{:?}?", board.list)).await?;
    Ok(format!("{:?} {:?}", board.tally, board.list.last().map(Tally::add)))
}

#[saga_tool]
async fn a_part_that_asks(board: Board) -> Result<String, ToolError> {
    board.tally.add();
    let one = call(board.tally.ask()).await?;
    let two = call(board.list[1].ask()).await?;
    Ok(format!("{one} {two} {:?} {:?}", board.tally, board.list))
}

#[saga_tool]
async fn a_part_with_a_keyword(board: Board) -> Result<String, ToolError> {
    *board.r#type.lock().map_err(|error| ToolError::new(error.to_string()))? += 1;
    elicit::<Yes>("on?").await?;
    Ok(format!("{:?}", board.r#type))
}

macro_rules! add {
    ($tally:expr) => {
        $tally.add()
    };
}

#[saga_tool]
async fn a_macro_of_ones_own(board: Board) -> Result<String, ToolError> {
    add!(board.tally);
    elicit::<Yes>("on?").await?;
    Ok(format!("{} {board:?}", add!(board.tally)))
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Game {
    seen: Cell<u8>,
    names: Vec<String>,
}

#[saga]
async fn played(game: Game) -> Result<String, StepError> {
    let names = game.names.len();
    game.seen.set(game.seen.get() + 1);
    elicit::<Yes>(format!("{names}?")).await?;
    game.seen.set(game.seen.get() + 1);
    let first = game.names.first().cloned();
    elicit::<Yes>(format!("{first:?}?")).await?;
    Ok(format!("{:?} {:?}", game.seen, game.names))
}

#[saga_tool]
async fn a_cell_in_a_part() -> Result<String, ToolError> {
    let game = Game { seen: Cell::new(noted(1)), names: vec!["n".to_owned()] };
    let got = call(played(game)).await?;
    Ok(got)
}

#[saga_tool]
async fn the_whole_is_taken_apart_after_all(board: Board) -> Result<String, ToolError> {
    see(&board);
    elicit::<Yes>("on?").await?;
    let Board { tally, list, size, .. } = board;
    elicit::<Yes>(format!("{size}?")).await?;
    Ok(format!("{tally:?} {list:?}"))
}

#[saga_tool]
async fn a_part_is_gone(board: Board) -> Result<String, ToolError> {
    see(&board);
    let title = board.title;
    for tally in &board.list {
        elicit::<Yes>(format!("{title} {tally:?} {:?}?", board.tally)).await?;
        board.tally.add();
    }
    let list = board.list;
    let sure = call(sure(&title)).await?;
    board.tally.add();
    elicit::<Yes>(format!("{sure}?")).await?;
    Ok(format!("{title} {:?} {list:?} {:?}", board.tally, board.r#type))
}

#[saga]
async fn sure(title: &str) -> Result<bool, StepError> {
    let yes: Yes = elicit(format!("{title}, sure?")).await?;
    Ok(yes.yes)
}

#[saga_tool]
async fn a_part_is_gone_and_another_matched(board: Board) -> Result<String, ToolError> {
    see(&board);
    board.meter.as_ref().map(Tally::add);
    let title = board.title;
    elicit::<Yes>(format!("{title}?")).await?;
    board.list.last().map(Tally::add);
    match board.meter {
        Some(meter) => {
            elicit::<Yes>(format!("{meter:?}?")).await?;
            Ok(format!("{title} {meter:?} {:?}", board.list))
        }
        None => Ok(title),
    }
}

#[saga_tool]
async fn a_part_moved_in_one_case(board: Board) -> Result<String, ToolError> {
    see(&board);
    match board.meter {
        Some(meter) => {
            board.tally.add();
            elicit::<Yes>(format!("{meter:?}?")).await?;
            Ok(format!("{meter:?} {:?} {}", board.tally, board.title))
        }
        None => {
            elicit::<Yes>("on?").await?;
            Ok(format!("{board:?}"))
        }
    }
}

#[saga_tool]
async fn a_part_moved_in_a_condition(board: Board) -> Result<String, ToolError> {
    see(&board);
    if board.size > 2
        && let Some(meter) = board.meter
    {
        elicit::<Yes>(format!("{meter:?}?")).await?;
        return Ok(format!("{meter:?} {:?}", board.tally));
    } else if let Board { size: 2, title, .. } = board {
        board.tally.add();
        elicit::<Yes>(format!("{title}?")).await?;
        return Ok(format!("{title} {:?} {:?}", board.tally, board.list));
    }
    elicit::<Yes>("on?").await?;
    Ok(format!("{board:?}"))
}

#[saga_tool]
async fn a_part_moved_beside_an_else(board: Board) -> Result<String, ToolError> {
    see(&board);
    let Some(meter) = board.meter else {
        elicit::<Yes>("on?").await?;
        return Ok(format!("{board:?}"));
    };
    elicit::<Yes>(format!("{meter:?}?")).await?;
    Ok(format!("{meter:?} {:?} {}", board.tally, board.title))
}

#[saga_tool]
async fn a_part_moved_behind_a_guard(board: Board) -> Result<String, ToolError> {
    see(&board);
    match board.meter {
        Some(board_meter) if board.size == 2 => {
            elicit::<Yes>(format!("{board_meter:?}?")).await?;
            Ok(format!("{board_meter:?} {:?}", board.tally))
        }
        _ => Ok(format!("{board:?}")),
    }
}

#[saga_tool]
async fn a_part_is_gone_and_the_rest_looked_at(board: Board) -> Result<String, ToolError> {
    see(&board);
    let title = board.title;
    elicit::<Yes>(format!("{title}?")).await?;
    let kind = match board {
        Board { size: 2, .. } => "two",
        _ => "other",
    };
    let Board { ref tally, .. } = board;
    tally.add();
    elicit::<Yes>(format!("{kind}?")).await?;
    let is_two = matches!(board, Board { size: 2, .. });
    Ok(format!("{title} {kind} {is_two} {}", board.size))
}

#[saga_tool]
async fn what_a_method_borrows(list: Vec<Tally>) -> Result<String, ToolError> {
    let mut sum = 0;
    for pair in list.chunks(2) {
        sum += pair[0].add();
        elicit::<Yes>(format!("{pair:?}?")).await?;
        sum += pair[0].add();
    }
    Ok(sum.to_string())
}

#[saga_tool]
async fn what_a_method_borrows_of_a_part(board: Board) -> Result<String, ToolError> {
    let mut sum = 0;
    for pair in board.list.chunks(1) {
        sum += pair[0].add();
        elicit::<Yes>(format!("{pair:?}?")).await?;
        sum += pair[0].add();
    }
    Ok(sum.to_string())
}

impl Tally {
    fn itself(&self) -> &Self {
        self
    }
}

#[saga_tool]
async fn what_is_borrowed_as_asked_of_a_part(board: Board) -> Result<String, ToolError> {
    #[saga(rebuild)]
    let tally = board.tally.itself();
    tally.add();
    elicit::<Yes>(format!("{tally:?}?")).await?;
    Ok(tally.add().to_string())
}

#[saga_tool]
async fn a_later_pattern_takes_what_is_left(board: Board) -> Result<String, ToolError> {
    see(&board);
    let Board { title, .. } = board;
    elicit::<Yes>(format!("{title}?")).await?;
    let Board { tally, list, .. } = board;
    elicit::<Yes>(format!("{tally:?}?")).await?;
    Ok(format!("{title} {tally:?} {list:?}"))
}

#[saga_tool]
async fn a_later_pattern_moves_more(board: Board) -> Result<String, ToolError> {
    board.tally.add();
    let Board { title, size: 2, meter: Some(Tally { n }), .. } = board else { return Ok(String::new()) };
    elicit::<Yes>(format!("{title} {n:?}?")).await?;
    let Board { tally: Tally { n: tally }, ref list, .. } = board;
    elicit::<Yes>(format!("{tally:?}?")).await?;
    Ok(format!("{title} {n:?} {tally:?} {list:?}"))
}

#[saga_tool]
async fn the_rest_of_a_base(board: Board) -> Result<String, ToolError> {
    board.tally.add();
    let title = board.title;
    elicit::<Yes>(format!("{title}?")).await?;
    let board = Board { title, ..board };
    elicit::<Yes>("on?").await?;
    Ok(format!("{board:?}"))
}

#[saga_tool]
async fn a_part_is_gone_and_another_asks(board: Board) -> Result<String, ToolError> {
    see(&board);
    let title = board.title;
    let one = call(board.tally.ask()).await?;
    Ok(format!("{title} {one} {:?}", board.tally))
}

#[saga_tool]
async fn a_part_is_gone_and_another_is_taken_to_ask(board: Board) -> Result<String, ToolError> {
    see(&board);
    let title = board.title;
    elicit::<Yes>(format!("{title}?")).await?;
    let one = call(board.tally.end()).await?;
    Ok(format!("{title} {one} {:?}", board.list))
}

impl Tally {
    #[saga]
    async fn end(self) -> Result<u8, StepError> {
        self.add();
        let count: Count = elicit(format!("{self:?}?")).await?;
        Ok(count.n + self.add())
    }
}

impl Game {
    #[saga]
    async fn end(self) -> Result<String, StepError> {
        self.seen.set(self.seen.get() + 1);
        elicit::<Yes>(format!("{:?}?", self.seen)).await?;
        self.seen.set(self.seen.get() + 1);
        elicit::<Yes>(format!("{:?}?", self.seen)).await?;
        Ok(format!("{self:?}"))
    }

    #[saga]
    async fn parted(self) -> Result<String, StepError> {
        let names = self.names;
        self.seen.set(self.seen.get() + 1);
        elicit::<Yes>(format!("{names:?}?")).await?;
        Ok(format!("{names:?} {:?}", self.seen))
    }

    #[saga]
    async fn as_it_is(self) -> Result<Self, StepError> {
        elicit::<Yes>("as it is?").await?;
        Ok(self)
    }
}

#[saga_tool]
async fn methods_that_take_a_cell() -> Result<String, ToolError> {
    let game = Game { seen: Cell::new(noted(1)), names: vec!["n".to_owned()] };
    let other = call(game.clone().as_it_is()).await?;
    let ended = call(game.end()).await?;
    let parted = call(other.parted()).await?;
    Ok(format!("{ended} {parted}"))
}

impl Board {
    fn next(&self) -> u8 {
        self.tally.add()
    }
}

#[saga_tool]
async fn what_a_closure_borrows(board: Board) -> Result<String, ToolError> {
    let next = || board.next();
    let one = next();
    elicit::<Yes>(format!("{one}?")).await?;
    Ok(format!("{one} {}", next()))
}

/// Nothing in it changes, but that it has no `Clone` to show it.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Form {
    title: String,
    pages: Vec<Page>,
}

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Page {
    n: u8,
}

fn pages(form: &Form) -> usize {
    form.pages.len()
}

#[saga_tool]
async fn a_part_moved_and_another_used(form: Form) -> Result<String, ToolError> {
    let count = pages(&form);
    let title = form.title;
    for page in &form.pages {
        elicit::<Yes>(format!("{title} {} of {count}?", page.n)).await?;
    }
    let pages = form.pages;
    elicit::<Yes>(title).await?;
    Ok(format!("{pages:?}"))
}
