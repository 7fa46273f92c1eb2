use saga_runtime::{Form, ToolError, elicit, saga};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga]
async fn pushed<'t>(text: &'t str, seen: &mut Vec<&'t str>) -> Result<usize, ToolError> {
    let word = text.trim();
    elicit::<Confirm>(word).await?;
    seen.push(word);
    Ok(seen.len())
}

#[saga]
async fn returned<'t>(text: &'t str) -> Result<Vec<&'t str>, ToolError> {
    let mut seen = Vec::new();
    for word in text.split(' ') {
        elicit::<Confirm>(word).await?;
        seen.push(word);
    }
    Ok(seen)
}

fn main() {}
