//! What is read of a place, and what is borrowed of it, before a method makes it another: a number is a copy, and a shared
//! reference in it shows the same until the end.

use saga_runtime::{ToolError, elicit, saga_tool};
use saga_tests::forms::{Count, Name, Yes};
use saga_tests::law::{effect, noted};
use serde::{Deserialize, Serialize};

bodies! {
    compared_before_it_changes;
    given_before_it_changes;
    compared_through_a_reference;
    compared_with_what_was_shown;
    called_on_a_copy;
    called_on_what_was_shown;
    cut_as_it_was_shown;
    called_on_a_copy_by_ones_own_methods;
    called_on_the_place_beside_copies;
    borrowed_of_what_could_be_copied;
    copied_before_it_moves_on;
    borrowed_before_it_moves_on;
    borrowed_before_a_function_moves_on;
    borrowed_in_a_loop;
    compared_in_conditions;
    compared_by_a_mutable_reference;
    compared_in_a_list;
    numbers_that_are_called_on;
    read_in_many_places;
    called_on_itself;
    looked_at_beside_a_question;
    cut_before_it_moves_on;
    letters_of_what_moves_on;
    words_of_what_moves_on;
    shown_by_an_element;
    shown_by_a_list;
    two_borrows_of_what_moves_on;
    matched_before_it_moves_on;
    borrowed_beside_a_question;
    borrowed_beside_a_mutable_borrow;
    loops_beside_a_method;
    a_reference_that_moves_on;
    borrowed_by_a_mutable_reference;
    a_part_of_what_a_block_borrowed;
    borrowed_beside_what_moves_on;
    more_numbers_that_are_called_on;
    left_behind_by_a_loop;
    what_a_pattern_bound_moves_on;
    what_a_name_was_bound_to_moves_on;
    a_case_that_moves_on;
    what_a_loop_bound_moves_on;
    what_a_mutable_pattern_bound_moves_on;
    texts_that_move_on;
    indices_that_stay;
    what_was_matched_is_another;
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Game {
    pub(crate) score: u8,
    level: Option<u8>,
    pub(crate) name: String,
    pub(crate) list: Vec<u8>,
}
impl Game {
    pub(crate) fn next_prompt(&mut self) -> String {
        self.score += 1;
        self.level = Some(self.score);
        effect(self.score);
        format!("{}?", self.score)
    }
    pub(crate) fn prompt(&self) -> String {
        format!("{}?", self.score)
    }
}
pub(crate) fn game() -> Game {
    Game { score: 1, level: None, name: "n".to_owned(), list: vec![1] }
}

fn f(a: u8, b: u8) -> u8 {
    a.wrapping_mul(10).wrapping_add(b)
}

fn step(game: &mut Game) -> String {
    game.next_prompt()
}

async fn inner(game: &mut Game) -> Result<String, ToolError> {
    Ok(step(game))
}

#[derive(Debug, Serialize, Deserialize)]
struct Cursor<'a> {
    #[serde(borrow)]
    rest: &'a str,
    count: u8,
}
impl Cursor<'_> {
    fn advance(&mut self) -> String {
        let w = self.rest;
        self.rest = &self.rest[1..];
        self.count += 1;
        w.to_owned()
    }
}
fn move_on(cursor: &mut Cursor<'_>) -> u8 {
    cursor.advance();
    cursor.count
}

#[saga_tool]
async fn compared_before_it_changes() -> Result<String, ToolError> {
    let mut game = game();
    let a = game.score == elicit::<Count>(game.next_prompt()).await?.n;
    let b = game.score < elicit::<Count>(game.next_prompt()).await?.n;
    let c = game.name == elicit::<Name>(game.prompt()).await?.name;
    let d = game.list != vec![elicit::<Count>(game.prompt()).await?.n];
    Ok(format!("{a}{b}{c}{d}{game:?}"))
}

#[saga_tool]
async fn given_before_it_changes() -> Result<String, ToolError> {
    let mut game = game();
    let a = f(game.score, elicit::<Count>(game.next_prompt()).await?.n);
    let b = (game.level, elicit::<Count>(game.next_prompt()).await?.n);
    let c = game.score + elicit::<Count>(game.next_prompt()).await?.n;
    let d = [game.score, elicit::<Count>(game.next_prompt()).await?.n];
    Ok(format!("{a}{b:?}{c}{d:?}{game:?}"))
}

#[saga_tool]
async fn compared_through_a_reference() -> Result<String, ToolError> {
    let mut own = game();
    let game = &mut own;
    let a = game.score == elicit::<Count>(step(game)).await?.n;
    let b = game.score <= elicit::<Count>(inner(game).await?).await?.n;
    let c = 2 < game.score && game.score == noted(1) + elicit::<Count>(step(game)).await?.n;
    let score = &mut game.score;
    let d = *score
        == elicit::<Count>({
            let s = &mut *score;
            *s += 1;
            s.to_string()
        })
        .await?
        .n;
    Ok(format!("{a}{b}{c}{d}{own:?}"))
}

#[saga_tool]
async fn compared_with_what_was_shown() -> Result<String, ToolError> {
    let text = "abcdefgh".to_owned();
    let mut cursor = Cursor { rest: &text, count: 0 };
    let a = cursor.rest.len() == elicit::<Count>(cursor.advance()).await?.n as usize;
    let b = *cursor.rest == *elicit::<Name>(cursor.advance()).await?.name;
    let c = cursor.rest[..2] == *elicit::<Name>(cursor.advance()).await?.name;
    Ok(format!("{a}{b}{c}{cursor:?}"))
}

#[saga_tool]
async fn called_on_a_copy() -> Result<String, ToolError> {
    let mut game = game();
    let a = game.score.max(elicit::<Count>(game.next_prompt()).await?.n);
    let b = game.score.wrapping_add(elicit::<Count>(game.next_prompt()).await?.n);
    let c = game.level.unwrap_or(elicit::<Count>(game.next_prompt()).await?.n);
    Ok(format!("{a}{b}{c}{game:?}"))
}

#[saga_tool]
async fn called_on_what_was_shown() -> Result<String, ToolError> {
    let text = "abcdefgh".to_owned();
    let mut cursor = Cursor { rest: &text, count: 0 };
    let a = cursor.rest.contains(&elicit::<Name>(cursor.advance()).await?.name);
    let b = cursor.rest.split_at(elicit::<Count>(cursor.advance()).await?.n as usize % 2);
    Ok(format!("{a}{b:?}{cursor:?}"))
}

#[saga_tool]
async fn cut_as_it_was_shown() -> Result<String, ToolError> {
    let text = "aabcabcdefbaabbaaxyz".to_owned();
    let mut cursor = Cursor { rest: &text, count: 0 };
    let a = cursor.rest.trim_start_matches({
        cursor.advance();
        elicit::<Yes>("a?").await?;
        'a'
    });
    let b = cursor.rest.trim_end_matches({
        cursor.advance();
        elicit::<Yes>("b?").await?;
        'z'
    });
    let c = cursor.rest.replace('b', &elicit::<Name>(cursor.advance()).await?.name);
    let d = cursor.rest.rsplitn(elicit::<Count>(cursor.advance()).await?.n.into(), 'b').count();
    let e = cursor.rest.match_indices({
        cursor.advance();
        elicit::<Yes>("e?").await?;
        "b"
    });
    let e = e.collect::<Vec<_>>();
    let f = cursor.rest.part(elicit::<Count>(cursor.advance()).await?.n);
    elicit::<Yes>(format!("{f}?")).await?;
    Ok(format!("{a} {b} {c} {d} {e:?} {f}"))
}

trait Part {
    fn part(&self, n: u8) -> &str;
}
impl Part for str {
    fn part(&self, n: u8) -> &str {
        &self[usize::from(n % 4)..]
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct At {
    x: u8,
}
impl At {
    fn plus(self, n: u8) -> u8 {
        self.x.wrapping_mul(10).wrapping_add(n)
    }
    fn seen(&self, n: u8) -> u8 {
        self.x.wrapping_add(n)
    }
    fn grow(&mut self, n: u8) -> u8 {
        self.x = self.x.wrapping_add(n);
        self.x
    }
    fn step(&mut self) -> String {
        self.x += 1;
        effect(self.x);
        format!("{}?", self.x)
    }
}

trait Cut {
    fn times(self, n: u8) -> u8
    where
        Self: Sized + Into<u8>,
    {
        self.into().wrapping_mul(n)
    }
    fn cut(&self, n: u8) -> &str
    where
        Self: AsRef<str>,
    {
        let text: &str = self.as_ref();
        &text[usize::from(n) % text.len()..]
    }
}
impl Cut for u8 {}
impl Cut for String {}

#[derive(Debug, Serialize, Deserialize)]
struct Race {
    at: At,
    score: u8,
    name: String,
    best: Option<u8>,
}
impl Race {
    fn new() -> Self {
        Self { at: At { x: noted(1) }, score: 2, name: "name".to_owned(), best: None }
    }
}
impl Race {
    fn turn(&mut self) -> String {
        self.score += 1;
        self.at.step()
    }
    fn told(&self) -> String {
        effect(self.score);
        format!("{}?", self.name)
    }
}

#[saga_tool]
async fn called_on_a_copy_by_ones_own_methods() -> Result<String, ToolError> {
    let mut race = Race::new();
    let a = race.at.plus(elicit::<Count>(race.turn()).await?.n);
    let b = race.at.seen(elicit::<Count>(race.told()).await?.n);
    let c = race.at.grow(elicit::<Count>(race.told()).await?.n % 4);
    let d = race.score.times(elicit::<Count>(race.turn()).await?.n);
    let e = race.name.cut(elicit::<Count>(race.told()).await?.n);
    elicit::<Yes>(format!("{e} {c}?")).await?;
    let e = e.to_owned();
    let mut at = race.at;
    let f = at.plus(elicit::<Count>(at.step()).await?.n);
    let on = &mut race;
    let g = on.at.plus(on.at.plus(elicit::<Count>(on.turn()).await?.n));
    on.at.grow(elicit::<Count>(on.told()).await?.n % 4);
    Ok(format!("{a} {b} {c} {d} {e} {f} {g} {at:?} {race:?}"))
}

#[saga_tool]
async fn called_on_the_place_beside_copies() -> Result<String, ToolError> {
    let mut race = Race::new();
    let yes: Yes = elicit("cut?").await?;
    let a = if yes.yes { race.name.cut(elicit::<Count>(race.told()).await?.n) } else { "" };
    elicit::<Yes>(format!("{a}?")).await?;
    let a = a.len();
    let best = *race.best.get_or_insert(elicit::<Count>(race.told()).await?.n);
    let other = race.best.replace(elicit::<Count>(race.told()).await?.n);
    let third = race.best.xor(Some(elicit::<Count>(race.turn()).await?.n));
    let words = (race.name.clone(), 1);
    let c = words.0.cut(elicit::<Count>(race.told()).await?.n).trim_start_matches('n');
    Ok(format!("{a} {best} {other:?} {third:?} {c} {race:?}"))
}

#[saga_tool]
async fn copied_before_it_moves_on() -> Result<String, ToolError> {
    let text = "abcdefgh".to_owned();
    let mut cursor = Cursor { rest: &text, count: 0 };
    let rest = cursor.rest;
    cursor.advance();
    let n = elicit::<Count>(cursor.advance()).await?.n;
    Ok(format!("{rest}{n}{cursor:?}"))
}

#[saga_tool]
async fn borrowed_before_it_moves_on() -> Result<String, ToolError> {
    let text = "abcdefgh".to_owned();
    let mut cursor = Cursor { rest: &text, count: 0 };
    let word = &cursor.rest[..3];
    cursor.advance();
    let all = &*cursor.rest;
    let n = elicit::<Count>(cursor.advance()).await?.n;
    elicit::<Yes>(format!("{word}{all}?")).await?;
    Ok(format!("{word}{all}{n}{cursor:?}"))
}

#[saga_tool]
async fn borrowed_before_a_function_moves_on() -> Result<String, ToolError> {
    let text = "abcdefgh".to_owned();
    let mut own = Cursor { rest: &text, count: 0 };
    let cursor = &mut own;
    let (word, count) = (&cursor.rest[..3], cursor.count);
    move_on(cursor);
    let tail = &cursor.rest[1..];
    let n = elicit::<Count>(move_on(cursor).to_string()).await?.n;
    let slice: &str = cursor.rest.trim();
    cursor.advance();
    elicit::<Yes>(format!("{word}{tail}{slice}?")).await?;
    Ok(format!("{word}{tail}{slice}{n}{count}{cursor:?}"))
}

#[saga_tool]
async fn borrowed_in_a_loop() -> Result<String, ToolError> {
    let text = "abcdefgh".to_owned();
    let mut cursor = Cursor { rest: &text, count: 0 };
    let mut seen = String::new();
    while cursor.count < 3 {
        let word = &cursor.rest[..2];
        cursor.advance();
        elicit::<Yes>(format!("{word}?")).await?;
        seen.push_str(word);
        if let Some(first) = &cursor.rest.get(..1) {
            cursor.advance();
            elicit::<Yes>(format!("{first}?")).await?;
            seen.push_str(first);
        }
        match &cursor.rest[1..2] {
            letter => {
                cursor.advance();
                elicit::<Yes>(format!("{letter}?")).await?;
                seen.push_str(letter);
            }
        }
    }
    Ok(seen)
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
struct Point {
    x: i32,
    y: i32,
}
impl Point {
    fn plus(self, more: i32) -> Self {
        Self { x: self.x + more, ..self }
    }
    fn shift(&mut self, more: i32) -> i32 {
        self.x += more;
        self.x
    }
}
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Board {
    at: Point,
    sums: [u8; 3],
    name: String,
    turn: u8,
    best: Option<u8>,
    tags: Vec<String>,
}
impl Board {
    fn turn(&mut self) -> String {
        self.turn += 1;
        self.at.x += 1;
        self.sums[0] += 1;
        self.best = Some(self.turn);
        self.turn.to_string()
    }
    fn ask(&self) -> String {
        format!("{}?", self.turn)
    }
    fn tag(&mut self, tag: &str) -> usize {
        self.tags.push(tag.to_owned());
        self.tags.len()
    }
}
fn board() -> Board {
    Board {
        at: Point { x: 1, y: 2 },
        sums: [1, 2, 3],
        name: "b".into(),
        turn: 1,
        best: None,
        tags: vec!["t".into()],
    }
}

fn start(text: &str) -> Cursor<'_> {
    Cursor { rest: text, count: 0 }
}
impl<'a> Cursor<'a> {
    fn word(&mut self) -> &'a str {
        let (a, b) = self.rest.split_at(1);
        self.rest = b;
        a
    }
}
fn joined(a: &str, b: String, c: &str) -> String {
    format!("{a}{b}{c}")
}
fn skip(rest: &str) -> &str {
    &rest[1..]
}
fn advance<'a>(rest: &mut &'a str) -> &'a str {
    let r = *rest;
    *rest = &rest[1..];
    r
}

#[saga_tool]
async fn compared_in_conditions() -> Result<String, ToolError> {
    let mut b = board();
    if b.turn == elicit::<Count>(b.turn()).await?.n {
        effect("eq");
    }
    while b.turn < 4 && b.turn != elicit::<Count>(b.turn()).await?.n + 2 {
        effect(b.turn);
    }
    Ok(format!("{b:?}"))
}

#[saga_tool]
async fn compared_by_a_mutable_reference() -> Result<String, ToolError> {
    let mut b = board();
    let r = &mut b;
    let e = r.turn == elicit::<Count>(r.turn()).await?.n;
    let f = r.sums[1] < elicit::<Count>(r.turn()).await?.n && r.turn == elicit::<Count>(r.turn()).await?.n;
    Ok(format!("{e}{f}{b:?}"))
}

#[saga_tool]
async fn compared_in_a_list() -> Result<String, ToolError> {
    let mut list = vec![board(), board()];
    let e = list[0].turn == elicit::<Count>(list[0].turn()).await?.n;
    for b in &mut list {
        let g = b.turn == elicit::<Count>(b.turn()).await?.n;
        effect(g);
    }
    Ok(format!("{e}{list:?}"))
}

#[saga_tool]
async fn numbers_that_are_called_on() -> Result<String, ToolError> {
    let mut b = board();
    let e = b.turn.pow(u32::from(elicit::<Count>(b.turn()).await?.n));
    let f = b.turn.saturating_sub(elicit::<Count>(b.turn()).await?.n).min(b.turn);
    let g = b.turn.checked_add(elicit::<Count>(b.turn()).await?.n);
    let h = b.at.x.clamp(0, i32::from(elicit::<Count>(b.turn()).await?.n));
    Ok(format!("{e}{f}{g:?}{h}"))
}

#[saga_tool]
async fn read_in_many_places() -> Result<String, ToolError> {
    let mut b = board();
    let mut v = Vec::new();
    v.push((b.turn, elicit::<Count>(b.turn()).await?.n));
    b.sums[0] = b.sums[0] + elicit::<Count>(b.turn()).await?.n;
    b.sums[usize::from(elicit::<Count>(b.turn()).await?.n) % 3] = b.turn;
    b.turn = b.turn.max(elicit::<Count>(b.turn()).await?.n);
    let t = (b.turn, b.turn == elicit::<Count>(b.turn()).await?.n, b.turn);
    Ok(format!("{v:?}{b:?}{t:?}"))
}

#[saga_tool]
async fn called_on_itself() -> Result<String, ToolError> {
    let mut b = board();
    let p = b.at.plus(i32::from(elicit::<Count>(b.ask()).await?.n));
    let q = b.at.shift(i32::from(elicit::<Count>(b.ask()).await?.n));
    Ok(format!("{p:?}{q}{b:?}"))
}

#[saga_tool]
async fn looked_at_beside_a_question() -> Result<String, ToolError> {
    let mut b = board();
    let k = b.tags.contains(&elicit::<Name>(b.ask()).await?.name);
    b.tags.push(elicit::<Name>(b.ask()).await?.name);
    b.name.push_str(&elicit::<Name>(b.ask()).await?.name);
    Ok(format!("{k}{b:?}"))
}

#[saga_tool]
async fn cut_before_it_moves_on() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut c = start(&text);
    let w = c.rest.trim();
    c.advance();
    elicit::<Yes>("a").await?;
    let x = c.rest.get(..2);
    c.word();
    elicit::<Yes>("b").await?;
    let y = c.rest.split_at(1);
    c.word();
    elicit::<Yes>("b").await?;
    Ok(format!("{w}{x:?}{y:?}{c:?}"))
}

#[saga_tool]
async fn letters_of_what_moves_on() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut c = Cursor { rest: &text, count: 0 };
    for l in c.rest.chars().take(3) {
        c.advance();
        elicit::<Yes>(l.to_string()).await?;
    }
    for l in c.rest[1..3].chars() {
        c.advance();
        elicit::<Yes>(l.to_string()).await?;
    }
    Ok(format!("{c:?}"))
}

#[saga_tool]
async fn words_of_what_moves_on() -> Result<String, ToolError> {
    let text = "abc def ghi jkl".to_owned();
    let mut c = Cursor { rest: &text, count: 0 };
    for l in c.rest.split_whitespace() {
        c.advance();
        elicit::<Yes>(l.to_string()).await?;
    }
    for l in c.rest.split(' ') {
        c.advance();
        elicit::<Yes>(l.to_string()).await?;
    }
    for l in c.rest.lines() {
        c.advance();
        elicit::<Yes>(l.to_string()).await?;
    }
    Ok(format!("{c:?}"))
}

#[saga_tool]
async fn shown_by_an_element() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut cs = vec![start(&text), start(&text[2..])];
    let w = &cs[1].rest[..2];
    cs[1].advance();
    elicit::<Yes>("a").await?;
    let v = &*cs[0].rest;
    cs.remove(0);
    elicit::<Yes>("b").await?;
    Ok(format!("{w}{v}{cs:?}"))
}

#[saga_tool]
async fn shown_by_a_list() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut words = vec![&text[..3], &text[3..]];
    let w = &words[0][1..];
    words.remove(0);
    elicit::<Yes>("a").await?;
    let v = &*words[0];
    words.clear();
    elicit::<Yes>("b").await?;
    Ok(format!("{w}{v}{words:?}"))
}

#[saga_tool]
async fn two_borrows_of_what_moves_on() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut c = start(&text);
    let (a, b) = (&c.rest[..1], &c.rest[1..]);
    c.advance();
    elicit::<Yes>("a").await?;
    if let (x, "cdefghijkl") = (&c.rest[..1], &c.rest[1..]) {
        c.advance();
        elicit::<Yes>(x).await?;
        effect(x);
    }
    Ok(format!("{a}{b}{c:?}"))
}

#[saga_tool]
async fn matched_before_it_moves_on() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut c = start(&text);
    if let [a, ..] = c.rest.as_bytes() {
        c.advance();
        elicit::<Yes>("a").await?;
        effect(a);
    }
    if let Some(w) = c.rest.strip_prefix('b') {
        c.advance();
        elicit::<Yes>(w).await?;
        effect(w);
    }
    match &c.rest[..2] {
        "cd" => {
            c.advance();
            elicit::<Yes>("cd").await?;
        }
        o => {
            c.advance();
            elicit::<Yes>(o).await?;
            effect(o);
        }
    }
    Ok(format!("{c:?}"))
}

#[saga_tool]
async fn borrowed_beside_a_question() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut c = start(&text);
    let s = joined(&c.rest[..2], elicit::<Name>(c.advance()).await?.name, &c.rest[..2]);
    let t = (c.rest.len(), c.rest, elicit::<Name>(c.advance()).await?.name, c.rest);
    Ok(format!("{s}{t:?}"))
}

#[saga_tool]
async fn borrowed_beside_a_mutable_borrow() -> Result<String, ToolError> {
    let mut b = board();
    let first = &b.tags[0];
    effect(b.ask());
    elicit::<Yes>(first.clone()).await?;
    effect(first);
    let x = &b.at.x;
    effect(b.ask());
    elicit::<Yes>("x").await?;
    effect(x);
    let n = b.name.as_str();
    effect(b.ask());
    elicit::<Yes>(n).await?;
    effect(n);
    b.turn();
    let t = &mut b.tags;
    let nm = &b.name[..];
    t.push(nm.to_owned());
    elicit::<Yes>("y").await?;
    t.push(nm.to_owned());
    b.tag("z");
    Ok(format!("{b:?}"))
}

#[saga_tool]
async fn loops_beside_a_method() -> Result<String, ToolError> {
    let mut b = board();
    for t in b.tags.iter() {
        effect(b.ask());
        elicit::<Yes>(t.clone()).await?;
    }
    for t in b.sums.iter().enumerate() {
        elicit::<Yes>(format!("{t:?}{}", b.ask())).await?;
    }
    for w in b.sums.windows(2) {
        elicit::<Yes>(format!("{w:?}{}", b.ask())).await?;
    }
    for l in b.name.chars() {
        elicit::<Yes>(format!("{l:?}{}", b.ask())).await?;
    }
    let m = b.tags.iter().max_by_key(|t| t.len());
    effect(b.ask());
    elicit::<Yes>("m").await?;
    effect(format_args!("{m:?}"));
    b.turn();
    Ok(format!("{b:?}"))
}

#[saga_tool]
async fn a_reference_that_moves_on() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut rest: &str = &text;
    let w = &rest[..2];
    rest = skip(rest);
    elicit::<Yes>("a").await?;
    let v = &rest[..1];
    advance(&mut rest);
    elicit::<Yes>("a").await?;
    let e = rest[..1] == *elicit::<Name>(advance(&mut rest)).await?.name;
    let f = rest.len() == elicit::<Count>(advance(&mut rest)).await?.n as usize;
    let g = rest.contains(&elicit::<Name>(advance(&mut rest)).await?.name);
    Ok(format!("{w}{v}{rest}{e}{f}{g}"))
}

#[saga_tool]
async fn borrowed_by_a_mutable_reference() -> Result<String, ToolError> {
    let text = "abcdefghijkl".to_owned();
    let mut c = start(&text);
    let p = &mut c;
    let w = &p.rest[..2];
    let mut log = vec![];
    loop {
        p.advance();
        let v = &p.rest[..1];
        if p.count > 3 {
            break;
        }
        p.advance();
        elicit::<Yes>(format!("{v}{w}")).await?;
        log.push(v);
    }
    Ok(format!("{log:?}{w}{c:?}"))
}

#[saga_tool]
async fn a_part_of_what_a_block_borrowed() -> Result<String, ToolError> {
    let mut plan = saga_tests::kit::plan("p", 2);
    plan.items.push(plan.items[0].clone());
    let name = {
        let item = &plan.items[1];
        elicit::<Yes>("go?").await?;
        &item.name
    };
    elicit::<Yes>(name).await?;
    let text = format!("{name}!");
    plan.items.clear();
    Ok(format!("{text}{plan:?}"))
}

#[saga_tool]
async fn borrowed_beside_what_moves_on() -> Result<String, ToolError> {
    let mut cursor = Cursor { rest: "abcdef", count: 0 };
    let (word, before) = (&cursor.rest[..2], cursor.advance());
    elicit::<Yes>(word).await?;
    let (next, count) = (&cursor.rest[..1], {
        cursor.advance();
        cursor.count
    });
    elicit::<Yes>(next).await?;
    Ok(format!("{word}{before}{next}{count}"))
}

#[derive(Debug, Serialize, Deserialize)]
struct Dial {
    at: i64,
    by: f32,
    kept: Option<u8>,
}
impl Dial {
    fn turn(&mut self) -> u8 {
        self.at -= 3;
        self.by += 2.0;
        self.kept = self.kept.map(|kept| kept + 1);
        1
    }
}

#[saga_tool]
async fn more_numbers_that_are_called_on() -> Result<String, ToolError> {
    let mut dial = Dial { at: 17, by: 1.5, kept: Some(1) };
    let a = dial.by.hypot(f32::from(dial.turn() + elicit::<Count>("n?").await?.n));
    let b = dial.at.wrapping_shl(u32::from(dial.turn() + elicit::<Count>("n?").await?.n));
    let c = dial.kept.or(Some(dial.turn() + elicit::<Count>("n?").await?.n));
    let d = dial.at.midpoint(i64::from(dial.turn() + elicit::<Count>("n?").await?.n));
    let e = dial.at.wrapping_rem(i64::from(dial.turn() + elicit::<Count>("n?").await?.n));
    Ok(format!("{a}{b}{c:?}{d}{e}"))
}

#[saga_tool]
async fn left_behind_by_a_loop() -> Result<String, ToolError> {
    let mut b = board();
    b.tags.push("last".to_owned());
    let mut best = None;
    for t in b.tags.iter() {
        if elicit::<Yes>(t.clone()).await?.yes {
            best = Some(t);
        }
    }
    let mut seen = Vec::new();
    for t in b.tags.iter().skip(1) {
        elicit::<Yes>(t.clone()).await?;
        seen.push(t);
    }
    let mut pair = None;
    for two in b.sums.windows(2) {
        elicit::<Yes>("two").await?;
        pair = Some(two);
    }
    let mut word = "";
    for found in b.name.split('a') {
        elicit::<Yes>("word").await?;
        word = found;
    }
    elicit::<Yes>(format!("{best:?}{seen:?}{pair:?}{word}")).await?;
    let shown = format!("{best:?}{seen:?}{pair:?}{word}");
    b.sums[1] = 9;
    b.name.push('!');
    b.tag("z");
    Ok(format!("{shown}{b:?}"))
}

#[derive(Debug, Serialize, Deserialize)]
struct Words<'a> {
    #[serde(borrow)]
    list: Vec<&'a str>,
    now: &'a str,
}

impl Words<'_> {
    fn next(&mut self) {
        self.now = self.list.pop().unwrap_or("none");
    }
}

fn words(text: &str) -> Words<'_> {
    Words { list: vec![text, &text[1..]], now: &text[2..] }
}

fn cut(word: &mut &str) {
    *word = &word[1..];
}

#[saga_tool]
async fn what_a_pattern_bound_moves_on() -> Result<String, ToolError> {
    let text = noted("abc def".to_owned());
    let mut pair = (words(&text), 1);
    let Words { now, list } = &pair.0;
    let (one, two, three) = (&now[1..], &list[0][2..], &(*now)[..2]);
    pair.0.next();
    pair.0.list.clear();
    elicit::<Yes>(format!("{one} {two} {three}?")).await?;
    Ok(format!("{one} {two} {three} {pair:?}"))
}

#[saga_tool]
async fn what_a_name_was_bound_to_moves_on() -> Result<String, ToolError> {
    let text = noted("abc def".to_owned());
    let mut pair = (words(&text), 1);
    let all = &pair.0;
    let now = &all.now;
    let one = &now[1..];
    let two = &all.now[2..];
    let three = &all.list[1][1..];
    pair.0.next();
    elicit::<Yes>(format!("{one} {two} {three}?")).await?;
    let four = &pair.0.now[1..];
    pair.0.next();
    elicit::<Yes>(format!("{one} {two} {three} {four}?")).await?;
    Ok(format!("{one} {two} {three} {four} {pair:?}"))
}

#[saga_tool]
async fn a_case_that_moves_on() -> Result<String, ToolError> {
    let text = noted("abc def".to_owned());
    let mut found = (words(&text), Some(1));
    if let (Words { now, .. }, Some(_)) = &found {
        let word = &now[1..];
        found.0.next();
        elicit::<Yes>(format!("{word}?")).await?;
        effect(word);
    }
    match &found {
        (Words { now, list }, Some(1)) if list.len() == 1 => {
            let (word, first) = (&now[1..], &list[0][1..]);
            found.0.list.clear();
            found.0.next();
            elicit::<Yes>(format!("{word} {first}?")).await?;
            Ok(format!("{word} {first} {found:?}"))
        }
        _ => Ok(String::new()),
    }
}

#[saga_tool]
async fn what_a_loop_bound_moves_on() -> Result<String, ToolError> {
    let text = noted("abc def".to_owned());
    let mut all = vec![words(&text), words(&text[1..])];
    for Words { list, now } in &mut all {
        let word = &list[0][1..];
        list.clear();
        elicit::<Yes>(format!("{word} {now}?")).await?;
        effect(word);
    }
    for Words { now, .. } in &mut all {
        let word = &now[1..];
        cut(now);
        elicit::<Yes>(format!("{word} {now}?")).await?;
        effect(word);
    }
    for words in &mut all {
        let word = &words.now[1..];
        words.next();
        elicit::<Yes>(format!("{word}?")).await?;
        effect(word);
    }
    Ok(format!("{all:?}"))
}

#[saga_tool]
async fn what_a_mutable_pattern_bound_moves_on() -> Result<String, ToolError> {
    let text = noted("abc def".to_owned());
    let mut pair = (words(&text), 1);
    let Words { now, list } = &mut pair.0;
    let (one, two) = (&now[1..], &list[0][1..]);
    cut(now);
    list.clear();
    elicit::<Yes>(format!("{one} {two} {now}?")).await?;
    let three = &now[1..];
    *now = "none";
    elicit::<Yes>(format!("{one} {two} {three} {now}?")).await?;
    Ok(format!("{one} {two} {three} {pair:?}"))
}

#[saga_tool]
async fn texts_that_move_on() -> Result<String, ToolError> {
    let text = noted("abc def".to_owned());
    let mut pair = (words(&text), 1);
    let Words { now, .. } = &pair.0;
    let one: &str = now;
    let two = now.trim();
    let three: &str = &pair.0.now;
    let four = *now;
    pair.0.next();
    elicit::<Yes>(format!("{one} {two} {three} {four}?")).await?;
    Ok(format!("{one} {two} {three} {four} {pair:?}"))
}

#[saga_tool]
async fn indices_that_stay() -> Result<String, ToolError> {
    let mut names = vec![noted("one".to_owned())];
    names.push("two".to_owned());
    let mut rows = vec![vec![1_u8], vec![2]];
    let all = &names;
    let one = &all[0][1..];
    let row = &mut rows[1];
    row.push(3);
    let last = &row[1..];
    let whole: &str = &*all[0];
    let found = all.first();
    let again: &Option<&String> = &found;
    let same = &*all;
    effect(format_args!("{whole}{again:?}{}", same.len()));
    elicit::<Yes>(format!("{:?} {same:?} {whole}?", found.as_ref())).await?;
    effect(format_args!("{same:?} {:?} {}", found.iter().count(), same[0]));
    for name in &names {
        let tail = &name[1..];
        elicit::<Yes>(format!("{one} {tail} {last:?}?")).await?;
    }
    names.push("three".to_owned());
    Ok(format!("{names:?} {rows:?}"))
}

fn turn(found: &mut Option<Words<'_>>) {
    if let Some(words) = found {
        words.next();
    }
}

/// What was cut out of what a pattern bound stays after that is borrowed anew, given away or taken.
#[saga_tool]
async fn what_was_matched_is_another() -> Result<String, ToolError> {
    let text = noted("abc def ghi".to_owned());
    let mut log = Vec::new();
    let mut found = Some(words(&text));
    if let Some(Words { now, .. }) = &found {
        let word = &now[1..];
        found.as_mut().unwrap().next();
        elicit::<Yes>(format!("{word}?")).await?;
        log.push(word.len());
    }
    if let Some(Words { now, list }) = &found {
        let (word, first) = (&now[2..], &list[0][3..]);
        turn(&mut found);
        elicit::<Yes>(format!("{word} {first}?")).await?;
        log.push(word.len() + first.len());
        elicit::<Yes>(format!("{word} {found:?}?")).await?;
    }
    if let Some(Words { now, .. }) = &found {
        let word = &now[1..];
        effect(now);
        found.take();
        elicit::<Yes>(format!("{word} {found:?}?")).await?;
        log.push(word.len());
    }
    let mut all = vec![words(&text), words(&text[1..])];
    if let [Words { now, .. }, .., last] = &all[..] {
        let (word, end) = (&now[1..], &last.now[2..]);
        all.clear();
        elicit::<Yes>(format!("{word} {end}?")).await?;
        log.push(word.len());
        effect(format!("{end}{all:?}"));
    }
    Ok(format!("{log:?}{found:?}"))
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Corner {
    x: u8,
    y: u8,
}

impl Corner {
    fn axis(&self, n: u8) -> &u8 {
        if n > 1 { &self.x } else { &self.y }
    }

    fn axis_of(&mut self, n: u8) -> &mut u8 {
        if n > 1 { &mut self.x } else { &mut self.y }
    }

    fn moved(&mut self, n: u8) -> &mut Self {
        self.x += n;
        self
    }

    fn steps(&self, n: u8) -> impl Iterator<Item = u8> {
        let x = self.x;
        (0..n).map(move |step| step + x)
    }

    fn plus(self, n: u8) -> Self {
        Self { x: self.x + n, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Play {
    at: Corner,
    turns: u8,
}

impl Play {
    fn told(&self) -> String {
        format!("{}/{:?}", self.turns, self.at)
    }

    fn turn(&mut self) -> String {
        self.turns += 1;
        self.at.y += 7;
        self.told()
    }
}

/// From a method that borrows it, too, as long as the value lives.
#[saga_tool]
async fn borrowed_of_what_could_be_copied() -> Result<String, ToolError> {
    let mut play = Play { at: Corner { x: 1, y: 2 }, turns: 1 };
    play.turns += 1;
    let first = *play.at.axis(elicit::<Count>(play.told()).await?.n);
    let second = play.at.axis(elicit::<Count>(play.told()).await?.n);
    let yes: Yes = elicit(format!("{second}")).await?;
    let second = *second;
    *play.at.axis_of(elicit::<Count>(play.told()).await?.n) += 5;
    let third = play.at.axis_of(elicit::<Count>(play.told()).await?.n);
    *third += 1;
    play.at.moved(elicit::<Count>(play.told()).await?.n).moved(4);
    let mut seen = Vec::new();
    for turn in 0..2 {
        let axis = play.at.axis(elicit::<Count>(play.told()).await?.n);
        if *axis > turn {
            seen.push(*axis);
        }
        play.at = play.at.plus(elicit::<Count>(play.turn()).await?.n);
    }
    let sum: u8 = play.at.steps(elicit::<Count>(play.told()).await?.n).sum();
    Ok(format!("{first} {second} {sum} {seen:?} {play:?} {}", yes.yes))
}
