#![allow(missing_docs)]
use saga_runtime::{Form, ToolError, elicit, saga_tool, sample, script::Script};
use serde::{Deserialize, Serialize};
#[derive(Form, Serialize, Deserialize, Debug)]
struct Confirm {
    yes: bool,
}
#[derive(Form, Serialize, Deserialize, Debug)]
struct Target {
    environment: String,
    second: String,
}

/// Deploys.
#[saga_tool]
async fn deploy(
    /// Name.
    service: String,
    count: Option<u32>,
) -> Result<String, ToolError> {
    let release = format!("{service}-1");
    let target: Target = elicit(format!("Where should {service} {release} go?")).await?;
    let mut seen = Vec::new();
    let verdict = sample(format!("Is deploying to {} safe?", target.environment)).max_tokens(100).await?;
    if !verdict.text().starts_with("Yes") {
        let go: Confirm = elicit(format!("The reviewer says: {}. Continue?", verdict.text())).await?;
        if !go.yes {
            return Err(ToolError::new("stopped by the operator"));
        }
    }
    let regions = vec![target.environment.clone(), target.second];
    let mut n = 0;
    for region in &regions {
        let ok: Confirm = elicit(format!("Roll out to {region}?")).await?;
        if ok.yes {
            seen.push(format!("{region}"));
            n += 1;
        }
    }
    Ok(format!(
        "{service} {release} is out {:?} {n} {count:?}",
        seen.iter().map(|s| s.len()).collect::<Vec<_>>()
    ))
}
fn answer(v: serde_json::Value) -> saga_runtime::step::Answer {
    saga_runtime::step::Answer::Result(v.as_object().unwrap().clone())
}
#[tokio::test]
async fn it_runs() {
    let script = || {
        Script::new([
            answer(serde_json::json!({"action":"accept","content":{"environment":"eu", "second": "us"}})),
            answer(
                serde_json::json!({"role":"assistant","content":{"type":"text","text":"Perhaps"},"model":"m"}),
            ),
            answer(serde_json::json!({"action":"accept","content":{"yes":true}})),
            answer(serde_json::json!({"action":"accept","content":{"yes":true}})),
            answer(serde_json::json!({"action":"accept","content":{"yes":false}})),
        ])
    };
    let plain = script();
    let p = plain.plain(deploy("web".into(), None)).await;
    println!("{p:?}");
    let args = serde_json::json!({"service":"web"}).as_object().unwrap().clone();
    let t = script();
    let o = t.tortured::<deploy, ()>(&args, &(), |_| {}).await;
    println!("{}", o.text());
    assert_eq!(plain.exchanges(), t.exchanges());
}
