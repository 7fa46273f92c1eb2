use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

#[saga_tool(replay = "twice")]
async fn replayed() -> Result<String, ToolError> {
    #[saga(again)]
    let name = String::new();
    elicit::<Confirm>("Go?").await?;
    Ok(name)
}

#[saga_tool(max_rounds = 70000)]
async fn too_many_rounds() -> Result<bool, ToolError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

#[saga_tool(title = "One", title = "Two")]
async fn with_two_titles() -> Result<bool, ToolError> {
    Ok(elicit::<Confirm>("Go?").await?.yes)
}

#[saga_tool]
async fn made_again(names: Vec<String>) -> Result<String, ToolError> {
    let mut index = 0;
    #[saga(rebuild)]
    let name = names.get(index);
    index += 1;
    elicit::<Confirm>("Go?").await?;
    Ok(format!("{name:?} {index}"))
}

#[saga_tool]
async fn changed_again() -> Result<String, ToolError> {
    let mut names = std::collections::BTreeMap::from([(2, vec!["ada"])]);
    let mut last = None;
    #[saga(rebuild)]
    let text = last.insert(String::new());
    #[saga(rebuild)]
    let name = names.entry(2).and_modify(|names| names.push("bob")).or_default();
    text.push('!');
    name.push("cid");
    elicit::<Confirm>("Go?").await?;
    text.push('?');
    name.push("dan");
    Ok(format!("{names:?} {last:?}"))
}

fn main() {}
