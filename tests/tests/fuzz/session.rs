//! Dialects in which both sides send requests, on standard input and output.

use std::time::Duration;

use saga_runtime::Dialect;
use saga_runtime::serve::stdio;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex};

use crate::harm::{Random, broken};
use crate::{Budget, Figures, tools};

/// Messages in a session before the pipe is closed and all must have ended.
const SESSION: usize = 200;

/// After so long a session that does not end hangs.
const HANGS: Duration = Duration::from_mins(2);

pub(crate) async fn run(dialect: Dialect, mut random: Random, budget: Budget) -> Figures {
    let server = tools::server(dialect);
    let mut figures = Figures::default();
    let mut token: Option<String> = None;
    while !budget.is_spent(figures.messages) {
        let (mut input, server_input) = duplex(64 * 1024);
        let (server_output, output) = duplex(64 * 1024);
        let serving = tokio::spawn(stdio::serve(server.clone(), server_input, server_output));
        let hearing = tokio::spawn(async move {
            let (mut lines, mut heard) = (BufReader::new(output).lines(), Vec::new());
            while let Some(line) = lines.next_line().await.expect("a line") {
                heard.push(serde_json::from_str::<Value>(&line).expect("JSON"));
            }
            heard
        });
        for index in 0..SESSION {
            let messages = tools::messages(dialect, token.as_deref());
            // A session, first of all; then anything, where the ids of responses are those that may be asked.
            let mut message = if index == 0 { messages[3].clone() } else { random.pick(&messages).clone() };
            if message.get("method").is_none() {
                message["id"] = random.below(index + 2).into();
            }
            let mut line =
                if index == 0 { message.to_string().into_bytes() } else { broken(message, &mut random) };
            line.retain(|byte| *byte != b'\n');
            figures.sent(&line);
            line.push(b'\n');
            input.write_all(&line).await.expect("an open pipe");
        }
        drop(input);
        let heard = tokio::time::timeout(HANGS, hearing).await.expect("a session hangs").expect("a listener");
        serving.await.expect("the server lives").expect("the pipes work");
        for message in &heard {
            figures.heard(Some(message));
        }
        let fresh = heard.iter().rev().find_map(tools::token);
        token = fresh.or(token).filter(|_| !random.one_in(8));
    }
    figures
}
