use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(text: String) -> Result<usize, ToolError> {
    let mut lines = text.lines();
    for line in lines.by_ref().step_by(2) {
        let _: Confirm = elicit(line).await?;
    }
    for line in lines.by_ref().take(2).filter(|line| !line.is_empty()).skip_while(|line| line.len() > 9) {
        let _: Confirm = elicit(line).await?;
    }
    Ok(lines.count())
}

#[saga_tool]
async fn by_closures(text: String, first: String, second: String) -> Result<usize, ToolError> {
    let (mut lines, mut number, mut limit) = (text.lines(), 0, &first);
    for line in lines.by_ref().map(move |line| {
        number += 1;
        format!("{number}: {line}")
    }) {
        let _: Confirm = elicit(line).await?;
    }
    for line in lines.by_ref().filter(|line| *line > limit.as_str()) {
        let _: Confirm = elicit(line).await?;
        limit = &second;
    }
    Ok(lines.count() + limit.len())
}

fn main() {}
