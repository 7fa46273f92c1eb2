use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form, serde::Serialize, serde::Deserialize)]
struct Confirm {
    yes: bool,
}

struct Fleet;

#[saga_tool]
async fn generic<T>() -> Result<(), ToolError> {
    elicit::<Confirm>("Go?").await?;
    Ok(())
}

impl Fleet {
    #[saga_tool]
    async fn method(&self) -> Result<(), ToolError> {
        elicit::<Confirm>("Go?").await?;
        Ok(())
    }
}

#[saga_tool]
async fn nameless((a, b): (u8, u8)) -> Result<u8, ToolError> {
    elicit::<Confirm>("Go?").await?;
    Ok(a + b)
}

#[saga_tool]
async fn borrowed(name: &str) -> Result<usize, ToolError> {
    elicit::<Confirm>("Go?").await?;
    Ok(name.len())
}

#[saga_tool]
async fn owned_context(#[context] fleet: Fleet) -> Result<(), ToolError> {
    let _ = fleet;
    elicit::<Confirm>("Go?").await?;
    Ok(())
}

#[saga_tool(ttl = "10")]
async fn unit() {}

#[saga_tool(colour = "red")]
async fn unknown() {}

#[saga_tool(annotations(readonly))]
async fn hint() {}

#[saga_tool]
async fn headers(
    #[header = "Region"] a: String,
    #[header = "region"] b: String,
    #[header = "a b"] c: String,
    #[header(d)] d: String,
) -> String {
    a + &b + &c + &d
}

#[saga_tool]
struct NoFunction;

fn main() {}
