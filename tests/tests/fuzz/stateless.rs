//! Dialects of one message and one reply.

use saga_runtime::{Dialect, RequestFacts};
use serde_json::Value;

use crate::harm::{Random, broken};
use crate::{Budget, Figures, tools};

pub(crate) async fn run(dialect: Dialect, mut random: Random, budget: Budget) -> Figures {
    let server = tools::server(dialect);
    let mut figures = Figures::default();
    let mut token = None;
    while !budget.is_spent(figures.messages) {
        let messages = tools::messages(dialect, token.as_deref());
        let message = broken(random.pick(&messages).clone(), &mut random);
        figures.sent(&message);
        let reply = server.handle(&message, &RequestFacts::default()).await;
        let body = reply.body();
        check(&message, body.as_ref());
        figures.heard(body.as_ref());
        // Further on with the newest state, or from the start again.
        if let Some(fresh) = body.as_ref().and_then(tools::token) {
            token = Some(fresh).filter(|_| !random.one_in(6));
        }
    }
    figures
}

/// One reply with the id for a request; none for a notification.
fn check(message: &[u8], reply: Option<&Value>) {
    let said = serde_json::from_slice::<Value>(message).ok();
    let field = |name: &str| said.as_ref().and_then(|said| said.get(name));
    let is_named =
        field("method").is_some_and(Value::is_string) && field("jsonrpc").is_some_and(|is| is == "2.0");
    // What has a field twice is neither.
    let is_twice = reply.is_some_and(|reply| {
        reply["error"]["message"].as_str().is_some_and(|text| text.ends_with("a field is there twice"))
    });
    if is_named && field("id").is_none() && !is_twice {
        assert_eq!(reply, None, "a notification got a reply: {}", String::from_utf8_lossy(message));
        return;
    }
    let reply = reply.unwrap_or_else(|| panic!("no reply to {}", String::from_utf8_lossy(message)));
    let kinds = ["result", "error", "dependent_requests"].iter().filter(|kind| reply.get(**kind).is_some());
    assert_eq!(kinds.count(), 1, "{reply}");
    let is_id = |id: &&Value| id.is_string() || id.is_i64() || id.is_u64();
    let id = field("id").filter(is_id).filter(|_| field("method").is_some());
    assert_eq!(reply.get("id"), id, "{reply}");
}
