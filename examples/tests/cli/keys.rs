//! What an operator does with keys: check them, rotate them, revoke one, and change them under a running server.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::{Done, deploy, deploy_with};

/// A file with one new key.
fn file(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.keys"));
    std::fs::write(&path, deploy(&["keygen"]).out).unwrap();
    path
}

fn keys(command: &[&str], path: &Path) -> Done {
    deploy_with(&[&["keys"], command].concat(), &[("SAGA_KEYS_FILE", path.to_str().unwrap())])
}

fn checked(path: &Path) -> Vec<(String, String)> {
    let done = keys(&["check"], path);
    assert_eq!(done.status, 0, "{}", done.errors);
    let line =
        |line: &str| line.split_once("  ").map(|(id, state)| (id.to_owned(), state.to_owned())).unwrap();
    done.out.lines().map(line).collect()
}

fn states(path: &Path) -> Vec<String> {
    checked(path).into_iter().map(|(_, state)| state).collect()
}

#[test]
fn a_rotation_by_file() {
    let path = file("rotation");
    assert_eq!(states(&path), ["mints and opens tokens"]);
    let added = keys(&["rotate"], &path);
    assert!(
        added.errors.contains("does not mint yet. Roll this list out to every instance"),
        "{}",
        added.errors
    );
    assert_eq!(states(&path), ["mints and opens tokens", "opens tokens, and mints when the list says so"]);

    let promoted = keys(&["rotate"], &path);
    assert!(promoted.errors.contains("the keys before it open tokens until"), "{}", promoted.errors);
    let [minting, old] = &states(&path)[..] else { panic!("two keys") };
    assert!(minting == "mints and opens tokens" && old.starts_with("opens tokens until 2"), "{old}");

    let before = std::fs::read_to_string(&path).unwrap();
    let early = keys(&["rotate"], &path);
    assert_eq!(early.status, 1);
    assert!(
        early.errors.starts_with("error: nothing was changed: tokens of the old key may be under way until")
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);

    // The time has come.
    let (list, _) = before.split_once(" until=").unwrap();
    std::fs::write(&path, format!("{list} until=2020-01-01T00:00:00Z\n")).unwrap();
    let dropped = keys(&["rotate"], &path);
    assert!(dropped.errors.contains("the rotation is over"), "{}", dropped.errors);
    assert_eq!(states(&path), ["mints and opens tokens"]);
    for done in [added, promoted, early, dropped] {
        assert!(!done.errors.contains("sgk1_") && done.out.is_empty(), "{}", done.errors);
    }
}

#[test]
fn a_rotation_by_variable() {
    let key = deploy(&["keygen"]).out;
    let added = deploy_with(&["keys", "rotate"], &[("SAGA_KEYS", key.trim())]);
    let line = added.out.trim();
    assert!(line.starts_with(key.trim()) && line.ends_with(" pending"), "what to set the variable to");
    let promoted = deploy_with(&["keys", "rotate"], &[("SAGA_KEYS", line)]);
    assert!(promoted.out.contains(&format!("{} until=", key.trim())));
}

#[test]
fn a_rotation_by_the_clock() {
    let path = file("scheduled");
    let done = keys(&["rotate", "--at", "2099-01-01T00:00:00Z"], &path);
    assert!(done.errors.contains("mints from 2099-01-01T00:00:00Z on"), "{}", done.errors);
    assert_eq!(
        states(&path),
        ["mints and opens tokens", "opens tokens, and mints from 2099-01-01T00:00:00Z on"]
    );
    let past = keys(&["rotate", "--at", "2020-01-01T00:00:00Z"], &path);
    assert_eq!((past.status, past.errors.contains("the moment is past")), (2, true), "{}", past.errors);
}

#[test]
fn a_stolen_key() {
    let path = file("stolen");
    let (id, _) = checked(&path).remove(0);
    let done = keys(&["revoke", &id], &path);
    assert!(done.errors.contains(&format!("{id} is revoked.")), "{}", done.errors);
    let states = checked(&path);
    assert_eq!(states[0].1, "mints and opens tokens");
    assert_eq!(states[1], (id, "opens none: it is revoked".to_owned()));
    assert_eq!(keys(&["revoke", "00000000"], &path).status, 1);
    assert_eq!(keys(&["revoke", "sgk1"], &path).status, 2);
}

#[test]
fn a_stolen_key_that_mints_by_the_clock() {
    let path = file("by-the-clock");
    let old = std::fs::read_to_string(&path).unwrap();
    let new = deploy(&["keygen"]).out;
    std::fs::write(&path, format!("{old}{} activate_at=2020-01-01T00:00:00Z\n", new.trim())).unwrap();
    let [(old, _), (stolen, minting)] = &checked(&path)[..] else { panic!("two keys") };
    assert_eq!(minting, "mints and opens tokens");
    let done = keys(&["revoke", stolen], &path);
    let [(new, minting), (after, opening), (revoked, _)] = &checked(&path)[..] else { panic!("three keys") };
    assert_eq!((minting.as_str(), opening.as_str()), ("mints and opens tokens", "opens tokens"));
    assert_eq!((after, revoked), (old, stolen));
    assert!(
        done.errors.contains(&format!("{stolen} is revoked. {new} mints in its place.")),
        "{}",
        done.errors
    );
}

/// The servers would go on with the keys that they have.
#[test]
fn a_list_that_no_server_takes_is_not_written() {
    let path = file("not-taken");
    let key = std::fs::read_to_string(&path).unwrap();
    let (id, _) = checked(&path).remove(0);
    for (list, expected) in [
        (format!("{key}{key}"), "stands in the list already"),
        (format!("{key}not_before=2099-01-01T00:00:00Z\n"), "is still to come"),
    ] {
        std::fs::write(&path, &list).unwrap();
        for command in [&["revoke", &id][..], &["rotate"]] {
            let done = keys(command, &path);
            assert_eq!(done.status, 1, "{}", done.errors);
            assert!(
                done.errors.contains("nothing was changed") && done.errors.contains(expected),
                "{}",
                done.errors
            );
            assert_eq!(std::fs::read_to_string(&path).unwrap(), list);
        }
    }
}

/// The server's own account reads the file, and an administrator writes it.
#[cfg(unix)]
#[test]
fn the_file_stays_its_owners() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    let path = file("owner");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    // Only root gives files away; anybody else owns the file before and after.
    let _ = chown(&path, Some(12345), Some(12346));
    let owner = |path: &Path| {
        let metadata = std::fs::metadata(path).unwrap();
        (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
    };
    let before = owner(&path);
    assert_eq!(keys(&["rotate"], &path).status, 0);
    assert_eq!(owner(&path), before);
    let (id, _) = checked(&path).remove(0);
    assert_eq!(keys(&["revoke", &id], &path).status, 0);
    assert_eq!(owner(&path), before);
}

/// A file that the server could not read any more would leave the stolen key in use, so the old one stays.
#[cfg(unix)]
#[test]
fn a_file_whose_owner_cannot_be_kept_is_not_replaced() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;

    const SOMEBODY: u32 = 12345;
    let place = std::env::temp_dir().join(format!("saga-owner-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let (path, program) = (place.join("keys"), place.join("deploy"));
    std::fs::write(&path, deploy(&["keygen"]).out).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_deploy"), &program).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    // Somebody may put files there, and does not own this one.
    let is_root = chown(&place, Some(SOMEBODY), Some(SOMEBODY)).is_ok()
        && std::fs::metadata(&path).unwrap().uid() != SOMEBODY;
    if is_root {
        let before = std::fs::read_to_string(&path).unwrap();
        let (id, _) = checked(&path).remove(0);
        let mut command = Command::new(&program);
        let command = command.args(["keys", "revoke", &id, "--file"]).arg(&path).uid(SOMEBODY).gid(SOMEBODY);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("nothing was changed") && errors.contains("owner"), "{errors}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
        assert!(!place.join("keys.new").exists(), "no secret is left behind");
    }
    std::fs::remove_dir_all(&place).unwrap();
}

/// Who may write beside the file of keys says with a link which file root would overwrite and give away.
#[cfg(unix)]
#[test]
fn a_link_in_the_new_files_place_is_not_followed() {
    let path = file("link");
    let (link, other) = (path.with_extension("keys.new"), path.with_extension("other"));
    std::fs::write(&other, "somebody else's").unwrap();
    std::os::unix::fs::symlink(&other, &link).unwrap();
    assert_eq!(keys(&["rotate"], &path).status, 0);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "somebody else's");
    assert_eq!(states(&path).len(), 2);
}

/// Remarks stay, a file may begin as some editors begin it, and what the keys are used for until when is said.
#[test]
fn a_file_as_people_write_it() {
    let path = file("remarks");
    let key = std::fs::read_to_string(&path).unwrap();
    let list = format!(
        "\u{feff}# Keys of fleet.\r\n\r\n# Of the spring.\r\n{}  # by ops\r\n# The end.\r\n",
        key.trim()
    );
    std::fs::write(&path, list).unwrap();
    assert_eq!(keys(&["rotate"], &path).status, 0);
    assert_eq!(keys(&["rotate"], &path).status, 0);
    let written = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = written.lines().collect();
    let [head, spring, new, old, end] = lines[..] else { panic!("{} lines", lines.len()) };
    assert_eq!((head, spring, end), ("# Keys of fleet.", "# Of the spring.", "# The end."));
    assert!(
        !new.contains('#') && old.starts_with(key.trim()) && old.ends_with("  # by ops"),
        "where they were"
    );
}

/// A moment in another time zone would refuse every token that is minted until then.
#[test]
fn a_cutoff_that_is_still_to_come() {
    let path = file("cutoff");
    let key = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{key}not_before=2020-01-01T00:00:00Z\n")).unwrap();
    assert_eq!(checked(&path)[1].1.trim(), "refused is what was minted before 2020-01-01T00:00:00Z");
    std::fs::write(&path, format!("{key}not_before=2099-01-01T00:00:00Z\n")).unwrap();
    for command in [&["keys", "check"][..], &["stdio"]] {
        let done = deploy_with(command, &[("SAGA_KEYS_FILE", path.to_str().unwrap())]);
        assert_eq!(done.status, 1, "{}", done.errors);
        assert!(
            done.errors.contains("`not_before=2099-01-01T00:00:00Z` is still to come"),
            "{}",
            done.errors
        );
    }
}

#[test]
fn bad_lists_are_named_and_not_shown() {
    let path = file("bad");
    let key = std::fs::read_to_string(&path).unwrap();
    for (list, expected) in [
        (format!("{key}{key}"), "stands in the list already"),
        (key.replace("sgk1_", "sgk1-"), "is not `sgk1_` and"),
        (String::new(), "has no keys"),
    ] {
        std::fs::write(&path, list).unwrap();
        for command in [&["keys", "check"][..], &["stdio"], &["play"]] {
            let done = deploy_with(command, &[("SAGA_KEYS_FILE", path.to_str().unwrap())]);
            assert_eq!(done.status, 1, "{}", done.errors);
            assert!(done.errors.contains(expected) && !done.errors.contains(&key[5..20]), "{}", done.errors);
        }
    }
    let both = deploy_with(&["stdio"], &[("SAGA_KEYS", &key), ("SAGA_KEYS_FILE", "x")]);
    assert_eq!((both.status, both.errors.contains("are both set")), (2, true), "{}", both.errors);
    let none = deploy(&["keys", "check"]);
    assert_eq!((none.status, none.errors.contains("where are the keys?")), (2, true), "{}", none.errors);
}

/// A server whose log is read line by line.
struct Server {
    child: Child,
    log: BufReader<std::process::ChildStderr>,
}

impl Server {
    fn start(path: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_deploy"))
            .args(["serve", "--http", "127.0.0.1:0"])
            .env_remove("SAGA_KEYS")
            .env_remove("RUST_LOG")
            .env("SAGA_KEYS_FILE", path)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let mut server = Self { child, log };
        server.says("serving MCP over HTTP");
        server
    }

    /// The next line that has `text`; the test's own time limit is the runner's.
    fn says(&mut self, text: &str) -> String {
        let mut line = String::new();
        while self.log.read_line(&mut line).unwrap() > 0 {
            if line.contains(text) {
                return line;
            }
            line.clear();
        }
        panic!("the server ended and never said {text:?}")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_running_server_reads_its_keys_again() {
    let path = file("running");
    let mut server = Server::start(&path);
    let hangup = |server: &Server| {
        let status = Command::new("kill").args(["-HUP", &server.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    };
    hangup(&server);
    assert_eq!(server.says("the keys were read again").matches("mints and opens tokens").count(), 1);

    std::fs::write(&path, "nonsense").unwrap();
    hangup(&server);
    server.says("the keys in use stay");

    // Nobody sends a signal: the file is looked at.
    std::fs::write(&path, deploy(&["keygen"]).out).unwrap();
    let added = keys(&["rotate"], &path);
    assert_eq!(added.status, 0, "{}", added.errors);
    let line = server.says("mints when the list says so");
    assert!(line.contains("the keys were read again") && !line.contains("sgk1_"), "{line}");
}
