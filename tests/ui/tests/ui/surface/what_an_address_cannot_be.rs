use saga_runtime::{Form, ToolError, elicit, saga_prompt, saga_resource};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[saga_resource]
async fn without_an_address() -> Result<String, ToolError> {
    Ok(elicit::<Confirm>("Go?").await?.yes.to_string())
}

#[saga_resource(uri = "plan")]
async fn without_a_scheme() -> String {
    String::new()
}

#[saga_resource(uri = "trip://{}")]
async fn without_a_variable() -> String {
    String::new()
}

#[saga_resource(uri = "trip://{a}{b}")]
async fn without_a_border(a: String, b: String) -> String {
    a + &b
}

#[saga_resource(uri = "trip://{id}")]
async fn other_variables(day: String) -> String {
    day
}

#[saga_prompt]
async fn with_a_header(#[header = "Region"] region: String) -> String {
    region
}

fn main() {}
