//! The example `scan`, killed after every page: each page is read once, by a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use saga_runtime::KeyRing;
use serde_json::{Value, json};

/// Does one request in a process that is killed when the reply is there. Gives the reply, and the pages it read.
fn in_a_process_of_its_own(keys: &str, request: &Value) -> (Value, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scan"))
        .args(["stdio", "--dialect", "resume-token"])
        .env("SAGA_KEYS", keys)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.as_mut().unwrap(), "{request}").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let pages = said.lines().filter_map(|line| line.strip_prefix("web: ")?.split(" in ").next());
    (serde_json::from_str(&line).unwrap(), pages.map(str::to_owned).collect())
}

#[test]
fn a_scan_that_is_killed_after_every_page() {
    let keys = KeyRing::generate_key().unwrap();
    let (mut token, mut read, mut found) = (None, Vec::new(), Vec::new());
    for id in 1..=4 {
        let arguments = json!({ "site": "example.com", "pages": 4 });
        let mut params = json!({ "name": "scan", "arguments": arguments });
        if let Some(token) = token.take() {
            params["resumeToken"] = token;
        }
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let (reply, pages) = in_a_process_of_its_own(&keys, &request);
        let result = &reply["result"];
        assert_eq!(result["structuredContent"]["pages"], id, "{reply}");
        read.extend(pages);
        found = result["structuredContent"]["findings"].as_array().unwrap().clone();
        token = result.get("nextResumeToken").cloned();
        assert_eq!(token.is_some(), id < 4, "{reply}");
    }
    let pages = ["page 1", "page 2", "page 3", "page 4"].map(|page| format!("example.com {page}"));
    assert_eq!(read, pages);
    // The last result has them all.
    assert_eq!(found.iter().map(|finding| finding["page"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2]);
}
