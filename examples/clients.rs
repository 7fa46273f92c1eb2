//! Tools for other people's clients: `tests/clients` drives them.
//!
//! ```text
//! cargo run --bin clients -- serve --http 127.0.0.1:8080
//! cargo run --bin clients -- stdio
//! ```

use std::process::ExitCode;

use saga_runtime::{
    Form, Json, Progress, PromptMessage, Saga, Sagas, StepError, ToolError, cli, elicit, join, saga_prompt,
    saga_resource, saga_tool, sample,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Books a trip after the person picked the dates and agreed to the plan.
#[saga_tool]
async fn book_trip(city: String, budget: i64, #[context] saga: &Saga) -> Result<String, ToolError> {
    saga.progress(Progress::new(1).total(3).message("asking for the dates"));
    let dates: Dates = elicit(format!("When do you want to go to {city}?")).await?;
    saga.progress(Progress::new(2).total(3).message("asking for a plan"));
    let plan = sample(format!("Plan {} nights in {city} for {budget}.", dates.nights)).await?.text();
    let sure: Sure = elicit(format!("{plan}\n\nBook it?")).await?;
    if !sure.confirm {
        return Ok("not booked".to_owned());
    }
    saga.progress(Progress::new(3).total(3));
    Ok(format!("booked {city} {} x{} for {budget}: {plan}", dates.start, dates.nights))
}

/// Asks `n` times.
#[saga_tool(max_rounds = 1000)]
async fn rounds(n: u32) -> Result<String, ToolError> {
    let mut agreed = 0;
    for round in 1..=n {
        let answer: Agree = elicit(format!("Round {round} of {n}?")).await?;
        agreed += u32::from(answer.ok);
    }
    Ok(format!("{n} rounds, {agreed} agreed"))
}

/// Asks three things at once.
#[saga_tool]
async fn trio() -> Result<String, ToolError> {
    let (dates, poem, agree) = join!(
        elicit::<Dates>("When?").key("dates"),
        sample("A line about trains, please.").key("poem"),
        elicit::<Agree>("All right?").key("agree"),
    )
    .await?;
    Ok(format!("{} x{}, {}: {}", dates.start, dates.nights, agree.ok, poem.text()))
}

/// Asks three things at once, of the person alone: some clients have no model.
#[saga_tool]
async fn forms() -> Result<String, ToolError> {
    let (dates, sure, agree) = join!(
        elicit::<Dates>("When?").key("dates"),
        elicit::<Sure>("Sure?").key("sure"),
        elicit::<Agree>("All right?").key("agree"),
    )
    .await?;
    Ok(format!("{} x{}, {}, {}", dates.start, dates.nights, sure.confirm, agree.ok))
}

/// The weather; HTTP clients say the city in a header too.
#[saga_tool(annotations(read_only), title = "Weather")]
async fn weather(#[header = "City"] city: String) -> Json<Weather> {
    Json(Weather { text: format!("{city}: sun"), degrees: 21 })
}

/// What the sky does.
#[derive(Serialize, JsonSchema)]
struct Weather {
    text: String,
    degrees: i32,
}

/// A trip in words, for as long as the person says.
#[saga_prompt]
async fn plan_trip(city: String) -> Result<PromptMessage, StepError> {
    let dates: Dates = elicit(format!("When do you want to go to {city}?")).await?;
    Ok(PromptMessage::user(format!("Plan {} nights in {city} from {}.", dates.nights, dates.start)))
}

/// A trip's ticket, for whoever confirms it.
#[saga_resource(uri = "trip://{id}/ticket", mime_type = "text/plain")]
async fn ticket(id: u32) -> Result<String, StepError> {
    let sure: Sure = elicit(format!("Show the ticket of trip {id}?")).await?;
    Ok(format!("ticket of trip {id}, confirmed: {}", sure.confirm))
}

/// When a trip is.
#[derive(Form, Serialize, Deserialize)]
struct Dates {
    start: String,
    nights: i64,
}

/// A last word.
#[derive(Form, Serialize, Deserialize)]
struct Sure {
    confirm: bool,
}

/// A plain answer.
#[derive(Form, Serialize, Deserialize)]
struct Agree {
    ok: bool,
}

fn main() -> ExitCode {
    let server = Sagas::builder("trips", env!("CARGO_PKG_VERSION"));
    let server = server.tool::<book_trip>().tool::<rounds>().tool::<trio>().tool::<forms>().tool::<weather>();
    cli::run(server.prompt::<plan_trip>().resource::<ticket>())
}
