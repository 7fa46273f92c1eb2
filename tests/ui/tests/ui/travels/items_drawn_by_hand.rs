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
async fn tool() -> Result<u8, ToolError> {
    let mut fixed = 0;
    let mut findings = scan().into_iter();
    while let Some(finding) = findings.next() {
        let ok: Confirm = elicit("Fix it?").await?;
        if ok.yes && finding.text.len() > 1 {
            fixed += 1;
        }
    }
    Ok(fixed)
}

fn main() {}
