use std::sync::Mutex;

use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Words {
    text: String,
}

#[saga_tool]
async fn tool() -> Result<String, ToolError> {
    let log = Mutex::new(String::new());
    *log.lock().unwrap() += &elicit::<Words>("What happened?").await?.text;
    Ok(log.into_inner().unwrap())
}

fn main() {}
