//! `docs/language.md`, written from the tests that hold it: what is supported from `equivalence/language.rs`, what is
//! refused from `ui`. `UPDATE_EXPECT=1 cargo test -p saga-tests --test language` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use expect_test::expect_file;
use saga_tests::random::Program;

const BODIES: &str = include_str!("equivalence/language.rs");

/// How many random programs are looked at, of which seed, and how often each construct stands in them at least.
const PROGRAMS: u64 = 3000;
const SEED: u64 = 1;
const LEAST: usize = 50;

/// Messages that are about no construct.
const NO_CONSTRUCTS: [&str; 2] = ["many at once", "outside of a saga"];

/// A construct that is supported.
struct Row<'a> {
    section: &'a str,
    name: &'a str,
    construct: String,
    body: &'a str,
}

/// The constructs, each a tool of the family `language`.
fn rows() -> Vec<Row<'static>> {
    let (mut rows, mut section) = (Vec::new(), "");
    for part in BODIES.split("\n\n") {
        if let Some(title) = part.strip_prefix("// # ") {
            section = title;
        }
        let Some((head, rest)) = part.split_once("#[saga_tool]\nasync fn ") else { continue };
        let Some((name, _)) = rest.split_once('(') else { continue };
        let Some((_, body)) = rest.split_once("{\n") else { continue };
        let construct = head.lines().filter_map(|line| line.strip_prefix("/// "));
        let (name, body) = (name.trim_start_matches("r#"), body.trim_end_matches("\n}"));
        rows.push(Row { section, name, construct: construct.collect::<Vec<_>>().join(" "), body });
    }
    rows
}

/// What is refused: each message, with the example that provokes it.
fn refused() -> BTreeMap<String, (String, String)> {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/tests/ui");
    let mut refused = BTreeMap::new();
    for theme in ["places", "travels"] {
        let files = fs::read_dir(ui.join(theme)).expect("the theme is a folder");
        for path in files.map(|file| file.expect("a folder's entry can be read").path()) {
            let Ok(message) = fs::read_to_string(path.with_extension("stderr")) else { continue };
            let name = path.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ");
            if NO_CONSTRUCTS.contains(&name.as_str()) {
                continue;
            }
            let source = fs::read_to_string(path.with_extension("rs")).expect("a message has its source");
            refused.insert(name, (explanation(&message), tool_of(&source)));
        }
    }
    refused
}

/// What the first error of a message says, with the notes that are ours.
fn explanation(message: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or_default();
    let said = first.lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, said)| said);
    let notes = first.lines().filter_map(|line| line.trim_start().strip_prefix("= note: "));
    let rustc = ["required", "this error originates", "`#["];
    let notes = notes.filter(|note| !rustc.iter().any(|start| note.starts_with(start)));
    // A closure's type tells where the file is.
    let said = match said.split_once("{closure@").zip(said.split_once('}')) {
        Some(((before, _), (_, after))) => format!("{before}{{closure}}{after}"),
        None => said.to_owned(),
    };
    std::iter::once(said.as_str()).chain(notes).collect::<Vec<_>>().join("; ")
}

fn tool_of(source: &str) -> String {
    let start = source.find("#[saga_tool").unwrap_or_default();
    let tool = source[start..].split("\n\n").next().unwrap_or_default();
    tool.trim_end().to_owned()
}

fn document() -> String {
    let mut text = String::from(
        "# The language\n\n\
         <!-- Written by `UPDATE_EXPECT=1 cargo test -p saga-tests --test language`; edit the tests that it names. -->\n\n\
         What may stand in a saga: whatever rustc accepts of the plain function, but for what is refused at the end.\n\
         Every example is a whole tool's body. `tests/tests/equivalence/language.rs` holds each to the law, and random\n\
         tools combine all of them (`cargo run -p saga-tests --bin soak`).\n",
    );
    let mut section = "";
    for row in rows() {
        if row.section != section {
            section = row.section;
            write!(text, "\n## {section}\n").expect("a string takes all text");
        }
        let Row { name, construct, body, .. } = row;
        let title = name.replace('_', " ");
        let body = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
        let body = body.collect::<Vec<_>>().join("\n");
        write!(text, "\n### {title}\n\n{construct}\n\n```rust\n{body}\n```\n")
            .expect("a string takes all text");
    }
    text += "\n## What is refused\n\nEach has its rewrite in `tests/ui/tests/ui/rewrites`, under the same name; most \
             messages say it themselves.\n";
    for (name, (message, example)) in refused() {
        write!(text, "\n### {name}\n\n> {message}\n\n```rust\n{example}\n```\n")
            .expect("a string takes all text");
    }
    text
}

#[test]
fn the_document_is_current() {
    expect_file!["../../docs/language.md"].assert_eq(&document());
}

#[test]
fn random_tools_draw_every_construct() {
    let mut drawn = BTreeMap::new();
    for index in 0..PROGRAMS {
        for (row, count) in Program::new(SEED, index).rows() {
            *drawn.entry(row).or_insert(0) += count;
        }
    }
    let rows = rows();
    let rare = rows.iter().map(|row| (row.name, drawn.get(row.name).copied().unwrap_or(0)));
    let rare = rare.filter(|(_, count)| *count < LEAST).collect::<Vec<_>>();
    assert!(
        rare.is_empty(),
        "drawn fewer than {LEAST} times in {PROGRAMS} programs of seed {SEED}: {rare:?}"
    );
    let unknown = drawn.keys().filter(|row| rows.iter().all(|known| known.name != **row));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&&str>::new(), "not in equivalence/language.rs");
}
