//! Tools for long conversations, and for several questions at once.

use saga_runtime::{Form, ToolError, elicit, join, saga_tool, sample};
use serde::{Deserialize, Serialize};

/// Books a trip after the person picked the dates and agreed to the plan.
#[saga_tool]
pub(crate) async fn book_trip(city: String, budget: u32) -> Result<String, ToolError> {
    let dates: Dates = elicit(format!("When do you want to go to {city}?")).await?;
    let plan = sample(format!("Plan {} nights in {city} for {budget}.", dates.nights)).await?.text();
    let sure: Sure = elicit(format!("{plan}\n\nBook it?")).await?;
    if !sure.confirm {
        return Ok("not booked".to_owned());
    }
    let Dates { start, nights } = dates;
    Ok(format!("booked {city} {start} x{nights} for {budget}: {plan}"))
}

/// When a trip is.
#[derive(Form, Serialize, Deserialize)]
struct Dates {
    /// The first day.
    start: String,
    /// How many nights.
    nights: u32,
}

/// A last word.
#[derive(Form, Serialize, Deserialize)]
struct Sure {
    confirm: bool,
}

/// Asks `n` times, once more each time that the answer is yes.
#[saga_tool(max_rounds = 1000)]
pub(crate) async fn rounds(n: u32) -> Result<String, ToolError> {
    let mut agreed = 0;
    for round in 1..=n {
        let answer: Agree = elicit(format!("Round {round} of {n}?")).await?;
        agreed += u32::from(answer.ok);
    }
    Ok(format!("{n} rounds, {agreed} agreed"))
}

/// Asks three things at once.
#[saga_tool]
pub(crate) async fn trio() -> Result<String, ToolError> {
    let (dates, poem, agree) = join!(
        elicit::<Dates>("When?").key("dates"),
        sample("A line about trains, please.").key("poem"),
        elicit::<Agree>("All right?").key("agree"),
    )
    .await?;
    Ok(format!("{} x{}, {}: {}", dates.start, dates.nights, agree.ok, poem.text()))
}

/// A plain answer.
#[derive(Form, Serialize, Deserialize)]
struct Agree {
    ok: bool,
}
