//! The tools of the benchmark on neva. It runs the function again from its top at every answer and keeps all answers
//! in the token.

#![allow(deprecated, reason = "sampling is what the tool does, and neva has deprecated it")]

use neva::error::{Error, ErrorCode};
use neva::types::elicitation::{ElicitRequestParams, ElicitResult};
use neva::types::sampling::{CreateMessageRequestParams, SamplingMessage};
use neva::{App, Context, tool};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Dates {
    start: String,
    nights: u32,
}

#[derive(Deserialize)]
struct Sure {
    confirm: bool,
}

#[derive(Deserialize)]
struct Agree {
    ok: bool,
}

/// Books a trip after the person picked the dates and agreed to the plan.
#[tool]
async fn book_trip(ctx: Context, city: String, budget: u32) -> Result<String, Error> {
    let form = ElicitRequestParams::form(format!("When do you want to go to {city}?"))
        .with_required("start", "string")
        .with_required("nights", "integer");
    let dates: Dates = content(ctx.elicit("dates", form.into()).await?)?;
    let prompt = format!("Plan {} nights in {city} for {budget}.", dates.nights);
    let prompt = CreateMessageRequestParams::new()
        .with_message(SamplingMessage::user().with(prompt))
        .with_max_tokens(1024);
    let plan: String = ctx.sample("plan", prompt).await?.text().map(|text| text.text.clone()).collect();
    let form = ElicitRequestParams::form(format!("{plan}\n\nBook it?")).with_required("confirm", "boolean");
    let sure: Sure = content(ctx.elicit("sure", form.into()).await?)?;
    if !sure.confirm {
        return Ok("not booked".to_owned());
    }
    let Dates { start, nights } = dates;
    Ok(format!("booked {city} {start} x{nights} for {budget}: {plan}"))
}

/// Asks `n` times.
#[tool]
async fn rounds(ctx: Context, n: u32) -> Result<String, Error> {
    let mut agreed = 0;
    for round in 1..=n {
        let form = ElicitRequestParams::form(format!("Round {round} of {n}?")).with_required("ok", "boolean");
        let answer: Agree = content(ctx.elicit(format!("answer#{round}"), form.into()).await?)?;
        agreed += u32::from(answer.ok);
    }
    Ok(format!("{n} rounds, {agreed} agreed"))
}

fn content<T: DeserializeOwned>(result: ElicitResult) -> Result<T, Error> {
    let content = result.content.ok_or_else(|| Error::new(ErrorCode::InvalidParams, "the user declined"))?;
    serde_json::from_value(content).map_err(|error| Error::new(ErrorCode::InvalidParams, error.to_string()))
}

#[tokio::main]
async fn main() {
    let address = std::env::args().nth(1).expect("the address to serve at");
    App::new()
        .with_request_state_secret(b"a benchmark needs no secret key, only a long one")
        // A thousand answers do not fit into the 8 KiB that a state may have by default.
        .with_max_state_bytes(1 << 20)
        .with_options(|options| options.with_http(|http| http.bind(&address).with_endpoint("/mcp")))
        .run()
        .await;
}
