//! Every reply of MCP 2026-07-28 in the transcripts is what its schema says.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../schema/mcp-2026-07-28.json");

/// What is wrong with a value of this type.
fn problems(definitions: &Value, name: &str, value: &Value) -> Vec<String> {
    let schema = json!({ "$ref": format!("#/$defs/{name}"), "$defs": definitions });
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    validator.iter_errors(value).map(|error| format!("{name}: {error}")).collect()
}

/// The type of a method's result. One that waits says so; the schema's own union would let anything pass.
fn result_type(method: &str, result: &Value) -> Option<&'static str> {
    if result["resultType"] == "input_required" {
        return Some("InputRequiredResult");
    }
    Some(match method {
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        _ => return None,
    })
}

/// The requests of MCP 2026-07-28 in a transcript, each with its reply.
fn exchanges(transcript: &str) -> Vec<(Value, Value)> {
    let exchanges = transcript.split("\n\n").filter_map(|exchange| {
        let (request, reply) = exchange.trim().strip_prefix('→')?.split_once("\n←")?;
        let (_, reply) = reply.trim().split_once(' ')?;
        let (request, reply): (Value, _) =
            (serde_json::from_str(request).ok()?, serde_json::from_str(reply).ok()?);
        let version = &request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        (version == "2026-07-28").then_some((request, reply))
    });
    exchanges.collect()
}

#[test]
fn every_reply_is_what_the_schema_says() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let definitions = &schema["$defs"];
    let transcripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations/transcripts");
    let (mut wrong, mut checked) = (Vec::new(), 0);
    // The other folders are of protocols that have no such requests.
    let folders = ["mrtr", "saga"].map(|dialect| transcripts.join(dialect));
    for file in folders.iter().flat_map(|folder| fs::read_dir(folder).expect("transcripts")) {
        let path = file.expect("a transcript").path();
        for (request, reply) in exchanges(&fs::read_to_string(&path).expect("text")) {
            let method = request["method"].as_str().unwrap_or_default();
            let found = match reply.get("result") {
                Some(result) => match result_type(method, result) {
                    Some(name) => problems(definitions, name, result),
                    None => continue,
                },
                None => problems(definitions, "JSONRPCErrorResponse", &reply),
            };
            checked += 1;
            wrong.extend(found.into_iter().map(|problem| format!("{} {method}: {problem}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 60, "only {checked} replies were found");
}

#[test]
fn a_wrong_reply_is_noticed() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let wrong = json!({ "resultType": "complete", "contents": [{ "text": "no address" }], "ttlMs": -1 });
    assert!(problems(&schema["$defs"], "ReadResourceResult", &wrong).len() >= 3);
}
