use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Address {
    street: String,
}

#[derive(Form)]
struct Person {
    name: String,
    address: Address,
}

#[saga_tool]
async fn tool() -> Result<String, ToolError> {
    let person: Person = elicit("Who?").await?;
    Ok(person.name + &person.address.street)
}

fn main() {}
