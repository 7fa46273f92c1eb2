#![deny(warnings)]
#![allow(dead_code)]

use saga_runtime::{
    Choice, Form, Json, Sagas, StepError, ToolError, call, elicit, saga, saga_prompt, saga_resource, saga_tool,
};
use serde::{Deserialize, Serialize};

#[derive(Form, Serialize, Deserialize)]
struct Confirm {
    yes: bool,
}

struct Fleet {
    name: String,
}

#[derive(Serialize, Deserialize)]
struct Plan {
    count: u32,
}

impl Plan {
    /// `self`, and a local that changes.
    #[saga]
    async fn review(self) -> Result<u32, StepError> {
        let mut this = self;
        this.count += 1;
        let ok: Confirm = elicit("go?").await?;
        Ok(this.count + u32::from(ok.yes))
    }
}

#[saga]
async fn confirm(name: &str) -> Result<bool, StepError> {
    Ok(elicit::<Confirm>(name).await?.yes)
}

/// A call as it stands.
#[saga_tool]
async fn called(service: String) -> Result<bool, ToolError> {
    Ok(call(confirm(&service)).await?)
}

/// A context by reference, arguments with names and owned, a duration with its unit, a header's name.
#[saga_tool(ttl = "10m", annotations(read_only), replay = "window", max_rounds = 12)]
async fn whole(
    #[context] fleet: &Fleet,
    #[header = "Region"] region: String,
    pair: (u8, u8),
) -> Result<String, ToolError> {
    let (a, b) = pair;
    let first: Confirm = elicit("Once?").key("first").await?;
    let second: Confirm = elicit("Twice?").key("second").await?;
    Ok(format!("{region} {} {a} {b} {} {}", fleet.name, first.yes, second.yes))
}

/// A macro below.
#[saga_tool]
#[tracing::instrument]
async fn traced(name: String) -> Result<bool, ToolError> {
    let ok: Confirm = elicit(format!("{name}?")).await?;
    Ok(ok.yes)
}

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct Report {
    size: u32,
}

/// A result that clients get.
#[saga_tool]
async fn reported() -> Result<Json<Report>, ToolError> {
    let ok: Confirm = elicit("Go?").await?;
    Ok(Json(Report { size: u32::from(ok.yes) }))
}

/// Addresses.
#[saga_resource(uri = "trip://{id}/{+rest}")]
async fn trip(id: u64, rest: String) -> Result<String, ToolError> {
    let ok: Confirm = elicit(format!("{id} {rest}?")).await?;
    Ok(ok.yes.to_string())
}

/// A prompt.
#[saga_prompt]
async fn plan(city: String) -> Result<String, ToolError> {
    let ok: Confirm = elicit(format!("{city}?")).await?;
    Ok(ok.yes.to_string())
}

#[derive(Choice, Serialize, Deserialize)]
#[choice(rename_all = "kebab-case")]
enum Meal {
    Fish,
    #[choice(rename = "other-fish")]
    Meat,
}

/// A flat form, with settings that fit.
#[derive(Form)]
#[form(rename_all = "camelCase")]
struct Trip {
    #[form(title = "City", max_length = 30)]
    city: String,
    #[form(min = 1, max = 9, default = 3)]
    nights: u8,
    #[form(max_items = 1)]
    meals: Vec<Meal>,
    #[form(format = "email")]
    contact: Option<String>,
}

fn server() {
    let _ = Sagas::builder("s", "1").context(Fleet { name: String::new() }).tool::<whole>();
    let _ = Sagas::builder("s", "1").tool::<traced>().prompt::<plan>().resource::<trip>();
}

fn main() {}
