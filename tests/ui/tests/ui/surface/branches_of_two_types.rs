use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Seat {
    row: u32,
}

#[saga_tool]
async fn tool(known: Option<String>) -> Result<String, ToolError> {
    let seat = match known {
        Some(seat) => seat,
        None => elicit::<Seat>("Which row?").await?.row,
    }
    .trim()
    .to_owned();
    Ok(seat)
}

fn main() {}
