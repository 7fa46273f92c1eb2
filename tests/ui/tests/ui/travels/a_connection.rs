use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Connection;

impl Connection {
    fn open() -> Self {
        Self
    }

    fn send(&self, _yes: bool) {}
}

#[saga_tool]
async fn tool() -> Result<(), ToolError> {
    let connection = Connection::open();
    let ok: Confirm = elicit("Send it?").await?;
    connection.send(ok.yes);
    Ok(())
}

fn main() {}
