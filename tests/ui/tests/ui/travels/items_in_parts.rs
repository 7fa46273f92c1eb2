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
    for (index, finding) in scan().into_iter().enumerate() {
        let ok: Confirm = elicit("Fix it?").await?;
        if ok.yes && finding.text.len() > 1 {
            fixed += index;
        }
    }
    Ok(fixed)
}

fn main() {}
