//! A saga server in WebAssembly: a message goes in as a text and its reply comes out. Clock and keys are the host's; it
//! keeps nothing between two messages.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use saga_runtime::clock::Clock;
use saga_runtime::{Form, KeyRing, RequestFacts, Sagas, StepError, elicit, saga_tool};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Form, Serialize, Deserialize)]
struct Dates {
    start: String,
    nights: u8,
}

#[derive(Form)]
struct Sure {
    confirm: bool,
}

/// Books a trip once the dates are known and confirmed.
#[saga_tool]
async fn book_trip(city: String) -> Result<String, StepError> {
    let dates: Dates = elicit(format!("When do you want to go to {city}?")).await?;
    let sure: Sure = elicit(format!("{} nights from {}?", dates.nights, dates.start)).await?;
    let booked = if sure.confirm { "booked" } else { "not booked" };
    Ok(format!("{booked} {city} {} x{}", dates.start, dates.nights))
}

struct HostClock;

impl Clock for HostClock {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970")]
    fn now(&self) -> u64 {
        (js_sys::Date::now() / 1000.0) as u64
    }
}

/// A new key, for [`handle`].
///
/// # Errors
///
/// The host has no randomness.
#[wasm_bindgen]
pub fn keygen() -> Result<String, String> {
    KeyRing::generate_key().map_err(|error| error.to_string())
}

/// Answers one message of a client under these keys.
///
/// # Errors
///
/// The keys are none.
#[wasm_bindgen]
pub fn handle(keys: &str, message: &str) -> Result<Option<String>, String> {
    let keys = KeyRing::parse(keys).map_err(|error| error.to_string())?;
    let sagas = Sagas::builder("trips", "1.0.0").tool::<book_trip>().keys(keys).clock(HostClock);
    let sagas = sagas.build().map_err(|error| error.to_string())?;
    let facts = RequestFacts::default();
    let replying = pin!(sagas.handle(message.as_bytes(), &facts));
    match replying.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(reply) => Ok(reply.into_text()),
        Poll::Pending => Err("a tool waits for something, and nothing here could wake it".to_owned()),
    }
}
