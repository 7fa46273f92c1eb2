//! Clients that send slowly, or much, or nothing: others are served meanwhile, and each comes to an end.

use std::time::Duration;

use saga_runtime::Sagas;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Listening, discover, server};

/// As many connections as one process can hold both ends of, and a thousand at most.
fn a_thousand() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let most = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or(1024);
    usize::min(1000, most.saturating_sub(200) / 2)
}

async fn listening(server: &Sagas, sent_within: Duration) -> Listening {
    Listening::with(server.http_service().sent_within(sent_within)).await
}

/// The beginning of a request whose body has so many bytes.
fn head(length: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n{length}\r\n\r\n"
    )
}

async fn connect(server: &Listening, says: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(says.as_bytes()).await.unwrap();
    stream
}

/// What comes until the connection is closed, or broken.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // What came before it broke counts.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8(bytes).unwrap()
}

async fn is_served(server: &Listening) {
    let body = discover().to_string();
    let response = server.send("localhost", &format!("Content-Length: {}", body.len()), &body).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
}

#[tokio::test]
async fn a_thousand_idle_connections_leave_room_for_others() {
    let server = listening(&server(), Duration::from_mins(10)).await;
    let (request, body) = (head("Content-Length: 1000"), discover().to_string());
    let whole = format!("{}{body}", head(&format!("Content-Length: {}", body.len())));
    // Some say nothing, some stop in the middle of the headers or of the body, some have had their reply.
    let says = ["", &request[..40], &request, &whole];
    let mut idle = Vec::new();
    for number in 0..a_thousand() {
        idle.push(connect(&server, says[number % says.len()]).await);
    }
    for _ in 0..20 {
        is_served(&server).await;
    }
    for stream in idle.iter_mut().skip(3).step_by(says.len()) {
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
    }
    drop(idle);
    server.end().await;
}

#[tokio::test]
async fn who_sends_too_slowly_is_not_waited_for() {
    let server = listening(&server(), Duration::from_millis(200)).await;
    // A body of which a byte comes now and then.
    let mut slow = connect(&server, &head("Content-Length: 1000")).await;
    let (mut reading, mut writing) = slow.split();
    let mut response = Vec::new();
    let drip = async {
        while writing.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        _ = reading.read_to_end(&mut response) => {}
        () = drip => {}
    }
    let response = String::from_utf8(response).unwrap();
    assert!(response.starts_with("HTTP/1.1 408"), "{response}");
    // Headers that do not end, and none at all.
    for says in ["POST /mcp HTTP/1.1\r\nHost: loc", ""] {
        let mut stream = connect(&server, says).await;
        let response = rest(&mut stream).await;
        assert!(!response.starts_with("HTTP/1.1 200"), "{response}");
    }
    is_served(&server).await;
    // None is left that a server that stops would wait for.
    let _half = connect(&server, &head("Content-Length: 1000")).await;
    server.end().await;
}

#[tokio::test]
async fn huge_bodies_are_not_read() {
    let server = listening(&server(), Duration::from_mins(10)).await;
    // A length that was told: nothing of it is waited for.
    for (length, status) in [("4194305", "413"), ("1000000000000", "413"), ("18446744073709551615", "431")] {
        let mut stream = connect(&server, &head(&format!("Content-Length: {length}"))).await;
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&start), format!("HTTP/1.1 {status}"), "{length}");
    }
    // One that does not end: the client is told, and the server stops reading.
    let mut stream = connect(&server, &head("Transfer-Encoding: chunked")).await;
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let mut sent = 0;
    while sent < 1 << 30 && stream.write_all(chunk.as_bytes()).await.is_ok() {
        sent += chunk.len();
    }
    assert!(sent < 1 << 30, "somebody read a gigabyte");
    is_served(&server).await;
    server.end().await;
}

/// As large as is allowed, and as deep or as wide as that can be.
#[tokio::test]
async fn large_bodies_are_refused_for_what_is_in_them() {
    let server = listening(&server(), Duration::from_mins(10)).await;
    let most = 4 * 1024 * 1024;
    let bodies = [
        "[".repeat(most),
        r#"{"a":"#.repeat(most / 5),
        format!("[{}0]", "0,".repeat(most / 2 - 2)),
        format!(r#"{{"jsonrpc":"2.0","id":"{}"}}"#, "a".repeat(most - 100)),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "\\u0000".repeat(most / 6 - 20)),
        "\u{ff}".repeat(most / 2),
    ];
    for body in bodies {
        assert!(body.len() <= most);
        let response = server.send("localhost", &format!("Content-Length: {}", body.len()), &body).await;
        assert!(response.starts_with("HTTP/1.1 4"), "{}", &response[..response.len().min(300)]);
    }
    is_served(&server).await;
    server.end().await;
}
