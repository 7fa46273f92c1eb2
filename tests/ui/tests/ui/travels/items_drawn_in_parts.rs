use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Finding {
    text: String,
}

fn scan() -> Vec<Finding> {
    vec![Finding { text: "x".to_owned() }]
}

#[saga_tool]
async fn tool() -> Result<usize, ToolError> {
    let mut fixed = 0;
    let mut findings = scan().into_iter().enumerate();
    while let Some((index, finding)) = findings.next() {
        let ok: Confirm = elicit("Fix it?").await?;
        if ok.yes && finding.text.len() > 1 {
            fixed += index;
        }
    }
    Ok(fixed)
}

#[saga_tool]
async fn one_by_one() -> Result<usize, ToolError> {
    let mut findings = scan().into_iter();
    let first = findings.next().unwrap();
    let ok: Confirm = elicit("Fix it?").await?;
    Ok(if ok.yes { first.text.len() + findings.count() } else { 0 })
}

fn main() {}
