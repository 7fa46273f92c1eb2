//! The tools of the benchmark as sagas.

use saga_runtime::{Form, Sagas, ToolError, elicit, saga_tool, sample};
use serde::{Deserialize, Serialize};

/// Books a trip after the person picked the dates and agreed to the plan.
#[saga_tool]
pub async fn book_trip(city: String, budget: u32) -> Result<String, ToolError> {
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

/// Asks `n` times.
#[saga_tool(max_rounds = 1001)]
pub async fn rounds(n: u32) -> Result<String, ToolError> {
    let mut agreed = 0;
    for round in 1..=n {
        let answer: Agree = elicit(format!("Round {round} of {n}?")).await?;
        agreed += u32::from(answer.ok);
    }
    Ok(format!("{n} rounds, {agreed} agreed"))
}

/// A plain answer.
#[derive(Form, Serialize, Deserialize)]
struct Agree {
    ok: bool,
}

/// A server of these tools.
///
/// # Panics
///
/// The sagas cannot be built.
#[must_use]
pub fn builder() -> saga_runtime::Builder<()> {
    Sagas::builder("bench", "1.0.0").tool::<book_trip>().tool::<rounds>()
}
