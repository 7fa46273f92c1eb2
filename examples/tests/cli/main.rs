//! The command line of a server binary, run as a person and a pipe run it: `deploy`, built by cargo.

mod commands;
mod keys;
mod play;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command did.
struct Done {
    status: i32,
    out: String,
    errors: String,
}

fn deploy(arguments: &[&str]) -> Done {
    deploy_with(arguments, &[])
}

fn deploy_with(arguments: &[&str], environment: &[(&str, &str)]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_deploy"))
        .args(arguments)
        .env_remove("SAGA_KEYS")
        .env_remove("SAGA_KEYS_FILE")
        .env_remove("RUST_LOG")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| normalised(std::str::from_utf8(bytes).unwrap());
    Done { status: output.status.code().unwrap(), out: text(&output.stdout), errors: text(&output.stderr) }
}

/// The same text in every run and on every machine: durations, token lengths and process numbers are `_`.
fn normalised(text: &str) -> String {
    let text = text.replace(env!("CARGO_TARGET_TMPDIR"), "TMP");
    let words = text.split_inclusive(['\n', ' ']).collect::<Vec<_>>();
    let is_number =
        |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |index| words[index].trim());
        let after = words.get(index + 1).map_or("", |word| word.trim().trim_end_matches([',', ';']));
        let number = word.trim_end().trim_end_matches(',');
        let is_volatile = is_number(number) && (["ms", "characters"].contains(&after) || before == "process");
        out.push_str(&if is_volatile { word.replace(number, "_") } else { (*word).to_owned() });
    }
    out
}

/// A file of answers for one test.
fn answers(test: &str, content: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.json"));
    std::fs::write(&file, content).unwrap();
    file
}
