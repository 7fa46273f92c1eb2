use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool]
async fn tool(first: Vec<String>, second: Vec<String>) -> Result<usize, ToolError> {
    let mut names = &first;
    for name in names.iter() {
        if elicit::<Confirm>(name.as_str()).await?.yes {
            names = &second;
        }
    }
    Ok(names.len())
}

#[saga_tool]
async fn by_a_limit(names: Vec<String>, first: String, second: String) -> Result<usize, ToolError> {
    let mut limit = &first;
    for name in names.iter().filter(|name| *name > limit) {
        if elicit::<Confirm>(name.as_str()).await?.yes {
            limit = &second;
        }
    }
    Ok(limit.len())
}

fn main() {}
