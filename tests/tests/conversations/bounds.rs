//! What a saga is held to, whoever wrote it and whoever answers it: its age, its rounds, its states, and answers that are as
//! long as a message.

use saga_runtime::store::{MemoryStore, Spill};
use saga_runtime::token::Limits;
use saga_runtime::{
    Choice, Dialect, Form, RequestFacts, Saga, Sagas, ToolError, checkpoint, elicit, join_all, saga_tool,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::conversation::{Conversation, modern, plain};
use crate::tools::Hands;

#[derive(Debug, Serialize, Deserialize, Form)]
struct Sure {
    yes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Choice)]
enum Region {
    Near,
    Far,
}

#[derive(Debug, Serialize, Deserialize, Form)]
struct Regions {
    regions: Vec<Region>,
}

/// Works for 600 seconds after each answer.
#[saga_tool]
async fn works(#[context] hands: &Hands) -> Result<String, ToolError> {
    loop {
        let sure: Sure = elicit("Go on?").key("sure").await?;
        hands.pass(600);
        if !sure.yes {
            return Ok("done".to_owned());
        }
    }
}

/// Asks in one of many rounds.
#[saga_tool]
async fn seldom(rounds: u16) -> Result<String, ToolError> {
    for _ in 0..rounds {
        join_all((0..0).map(|_| elicit::<Sure>("Never?"))).await?;
    }
    let sure: Sure = elicit("Once?").key("sure").await?;
    Ok(format!("{}", sure.yes))
}

#[derive(Clone, Serialize, Deserialize)]
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("it goes off");
    }
}

#[saga_tool]
async fn bomb() -> Result<String, ToolError> {
    let _bomb = Bomb;
    let sure: Sure = elicit("Cut?").key("sure").await?;
    Ok(format!("{}", sure.yes))
}

#[saga_tool]
async fn holds(bytes: usize) -> Result<String, ToolError> {
    let text = "x".repeat(bytes);
    let sure: Sure = elicit("Keep?").key("sure").await?;
    Ok(format!("{} {}", sure.yes, text.len()))
}

#[saga_tool]
async fn regions() -> Result<String, ToolError> {
    let regions: Regions = elicit("Where?").key("regions").await?;
    Ok(format!("{:?}", regions.regions))
}

fn talk(hands: &Hands) -> Conversation {
    let limits = Limits { max_age: 2_000, ..Limits::default() };
    let sagas =
        Sagas::builder("bounds", "1").context(hands.clone()).clock(hands.clone()).limits(limits).ttl(600);
    let spill = Spill::above(1024, MemoryStore::new()).most(32 * 1024 * 1024);
    let sagas = sagas.tool::<works>().tool::<seldom>().tool::<bomb>().tool::<holds>().tool::<regions>();
    Conversation::with(sagas.spill(spill).build().expect("a server"))
}

fn start(name: &str, arguments: Value) -> Value {
    modern(1, "tools/call", json!({ "name": name, "arguments": arguments }))
}

/// Says yes to all that is asked.
fn say_yes(name: &str, arguments: Value, state: usize, asked: &Value) -> Value {
    let asked = asked["result"]["inputRequests"].as_object().expect("questions");
    let yes =
        asked.keys().map(|key| (key.clone(), json!({ "action": "accept", "content": { "yes": true } })));
    let (yes, state) = (yes.collect::<Map<_, _>>(), format!("<state {state}>"));
    let params =
        json!({ "name": name, "arguments": arguments, "inputResponses": yes, "requestState": state });
    modern(2, "tools/call", params)
}

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn the_time_of_transitions_counts() {
    let hands = Hands::at(1_800_000_000);
    let mut talk = talk(&hands);
    let mut reply = talk.ask(start("works", json!({}))).await;
    for state in 1..=4 {
        assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
        reply = talk.ask(say_yes("works", json!({}), state, &reply)).await;
    }
    assert_eq!(text(&reply), "the tool took longer than 2000 seconds");
}

#[tokio::test]
async fn rounds_that_ask_nobody_are_not_counted() {
    let mut talk = talk(&Hands::at(1_800_000_000));
    let arguments = json!({ "rounds": 40 });
    let reply = talk.ask(start("seldom", arguments.clone())).await;
    assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
    let reply = talk.ask(say_yes("seldom", arguments, 1, &reply)).await;
    assert_eq!(text(&reply), "true", "{reply}");
}

#[tokio::test]
async fn what_panics_as_it_is_dropped_fails_alone() {
    let mut talk = talk(&Hands::at(1_800_000_000));
    let reply = talk.ask(start("bomb", json!({}))).await;
    assert!(text(&reply).starts_with("the tool failed (ref "), "{reply}");
}

#[tokio::test]
async fn a_state_is_never_above_sixteen_mebibytes() {
    let mut talk = talk(&Hands::at(1_800_000_000));
    let reply = talk.ask(start("holds", json!({ "bytes": 17 * 1024 * 1024 }))).await;
    assert!(text(&reply).contains("the largest locals: `text`"), "{reply}");
}

/// Each item is looked at once, however many there are.
#[tokio::test]
async fn an_answer_may_be_as_long_as_a_message() {
    let mut talk = talk(&Hands::at(1_800_000_000));
    talk.ask(start("regions", json!({}))).await;
    for items in [(0..150_000).map(Value::from).collect::<Vec<_>>(), vec!["Near".into(); 100_000]] {
        let answer = json!({ "regions": { "action": "accept", "content": { "regions": items } } });
        let params = json!({ "name": "regions", "inputResponses": answer, "requestState": "<state 1>" });
        let reply = talk.ask(modern(2, "tools/call", params)).await;
        assert_eq!(reply["result"]["resultType"], "input_required", "{reply}");
    }
}

/// Has an effect on each page, and where the protocol has checkpoints, gives back what it has.
#[saga_tool]
async fn crawl(pages: u32, #[context] saga: &Saga) -> String {
    let mut last = String::new();
    for page in 0..pages {
        let key = saga.idempotency_key("page");
        if key == last {
            return format!("page {page} has the key of the one before");
        }
        last = key;
        checkpoint(()).await;
    }
    format!("{pages} pages")
}

/// Rounds that ask nobody have no other limit, and each has a key of its own for its effects.
#[tokio::test]
async fn no_two_rounds_have_one_key() {
    let server = Sagas::builder("fleet", "1.0").tool::<crawl>().dialects([Dialect::Saga]).build().unwrap();
    let crawled = async |pages: u32| {
        let params = json!({ "name": "crawl", "arguments": { "pages": pages } });
        let message = plain(1, "tools/callSaga", params).to_string();
        let result = server.handle(message.as_bytes(), &RequestFacts::default()).await.body().unwrap();
        result["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(crawled(65_535).await, "65535 pages");
    assert_eq!(crawled(65_537).await, "the tool went on more than 65535 times");
}
