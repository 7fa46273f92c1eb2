use std::sync::mpsc;

use saga_runtime::{Form, ToolError, elicit, saga_tool};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

struct Conn {
    port: u16,
}

fn listen() -> (mpsc::Sender<Conn>, mpsc::Receiver<Conn>) {
    mpsc::channel()
}

#[saga_tool]
async fn tool() -> Result<u32, ToolError> {
    let mut sum = 0;
    let (_sender, receiver) = listen();
    for conn in receiver.iter() {
        let ok: Confirm = elicit("Keep it?").await?;
        if ok.yes {
            sum += u32::from(conn.port);
        }
    }
    Ok(sum)
}

fn main() {}
