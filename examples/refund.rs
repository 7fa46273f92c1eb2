//! A saga and its tests, to be copied: the tests are at the end. [docs/testing.md](../docs/testing.md) has what to
//! know of them.
//!
//! ```text
//! cargo test --bin refund          the tests
//! cargo run --bin refund -- play   the tool in the terminal
//! ```

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use saga_runtime::cli::Cli;
use saga_runtime::{Choice, Form, Saga, Sagas, ToolError, elicit, saga_tool, sample};
use serde::{Deserialize, Serialize};

/// Pays the price of an order back; a large one is reviewed first.
#[saga_tool]
async fn refund(
    /// The order's number.
    order: String,
    #[context] shop: &Shop,
    #[context] saga: &Saga,
) -> Result<String, ToolError> {
    let price = shop.price(&order).await?;
    let claim: Claim = elicit(format!("Why is {order} refunded?")).await?;
    if price > 100 {
        let review = sample(format!("{price} for: {:?}. Is that plausible?", claim.reason)).await?;
        let sure: Sure = elicit(format!("The reviewer says: {} Pay {price}?", review.text())).await?;
        if !sure.yes {
            return Ok(format!("{order} is not refunded"));
        }
    }
    shop.pay(&saga.idempotency_key("pay"), &order, price);
    Ok(format!("{order}: {price} paid back ({:?})", claim.reason))
}

#[derive(Form, Serialize, Deserialize)]
struct Claim {
    reason: Reason,
    /// What the customer wrote.
    note: Option<String>,
}

#[derive(Choice, Serialize, Deserialize, Debug)]
#[choice(rename_all = "lowercase")]
enum Reason {
    Damaged,
    Late,
}

#[derive(Form, Serialize, Deserialize)]
struct Sure {
    yes: bool,
}

/// A shop in memory.
#[derive(Default)]
struct Shop {
    paid: Mutex<Vec<(String, String)>>,
}

impl Shop {
    async fn price(&self, order: &str) -> Result<u32, ToolError> {
        tokio::task::yield_now().await; // a real shop asks its database here
        match order {
            "A-17" => Ok(40),
            "A-18" => Ok(400),
            _ => Err(ToolError::new(format!("there is no order `{order}`"))),
        }
    }

    /// Pays once for a key, however often it is asked.
    fn pay(&self, key: &str, order: &str, price: u32) {
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        if paid.iter().all(|(known, _)| known != key) {
            paid.push((key.to_owned(), format!("{price} for {order}")));
        }
    }
}

fn main() -> ExitCode {
    let server = Sagas::builder("shop", env!("CARGO_PKG_VERSION")).context(Shop::default()).tool::<refund>();
    Cli::new(server).example("refund", r#"{ "order": "A-18" }"#, "{}").run()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use saga_runtime::script::{Script, saga};
    use saga_runtime::step::Answer;
    use serde_json::json;

    use super::*;

    /// What was paid.
    fn paid(shop: &Shop) -> Vec<String> {
        shop.paid.lock().unwrap().iter().map(|(_, what)| what.clone()).collect()
    }

    /// Who answers in the longest conversation.
    fn everybody() -> Script {
        Script::new([
            Answer::accept(json!({ "reason": "late", "note": "three weeks" })),
            Answer::says("Hardly."),
            Answer::accept(json!({ "yes": true })),
        ])
    }

    /// The function as it stands above, called like any other.
    #[test]
    fn a_small_refund_is_paid_at_once() {
        let shop = Shop::default();
        let script = Script::new([Answer::accept(json!({ "reason": "damaged" }))]);
        let told = script.run_plain(refund("A-17".to_owned(), &shop, &saga())).unwrap();
        assert_eq!(told, "A-17: 40 paid back (Damaged)");
        assert_eq!(paid(&shop), ["40 for A-17"]);
        expect![[r#"
            elicit `claim`: Why is A-17 refunded? (reason, note)
                accept {"reason":"damaged"}
        "#]]
        .assert_eq(&script.transcript());
    }

    /// The compiled tool, with its state in bytes at every question, and every transition run twice from the same
    /// bytes, as for a client that lost a reply: it is paid once all the same.
    #[test]
    fn a_large_refund_is_reviewed_and_paid_once() {
        let (shop, script) = (Shop::default(), everybody());
        let outcome = script.run_tortured::<refund, _>(json!({ "order": "A-18" }), &shop);
        assert_eq!(outcome.text(), "A-18: 400 paid back (Late)");
        assert_eq!(paid(&shop), ["400 for A-18"]);
        expect![[r#"
            elicit `claim`: Why is A-18 refunded? (reason, note)
                accept {"note":"three weeks","reason":"late"}
            sample `review`: 400 for: Late. Is that plausible?
                "Hardly."
            elicit `sure`: The reviewer says: Hardly. Pay 400? (yes)
                accept {"yes":true}
        "#]]
        .assert_eq(&script.transcript());
    }

    /// Both are one conversation.
    #[test]
    fn the_compiled_tool_is_the_function() {
        let (plain, tortured) = (everybody(), everybody());
        let told = plain.run_plain(refund("A-18".to_owned(), &Shop::default(), &saga())).unwrap();
        let outcome = tortured.run_tortured::<refund, _>(json!({ "order": "A-18" }), &Shop::default());
        assert_eq!(outcome.text(), told);
        assert_eq!(tortured.transcript(), plain.transcript());
    }

    /// A wrong answer is asked for again by the step, a refusal leaves the tool; neither pays.
    #[test]
    fn nobody_pays_without_an_answer() {
        let shop = Shop::default();
        let script = Script::new([Answer::accept(json!({ "reason": "bored" })), Answer::decline()]);
        let outcome = script.run_tortured::<refund, _>(json!({ "order": "A-18" }), &shop);
        assert_eq!(outcome.text(), "error: the question was declined");
        assert!(paid(&shop).is_empty());
        expect![[r#"
            elicit `claim`: Why is A-18 refunded? (reason, note)
                accept {"reason":"bored"}
            elicit `claim`: Why is A-18 refunded? (reason, note)
                decline
        "#]]
        .assert_eq(&script.transcript());
    }
}
