//! Writes the random tools of the test suite: `tests/random.rs` compiles them and holds them to the law.
//!
//! `SAGA_SEED=7 cargo test -p saga-tests --test random` takes other ones.

use std::fmt::Write;
use std::path::PathBuf;

#[allow(dead_code, unreachable_pub, reason = "the rest of it is for `soak`")]
#[path = "src/random/mod.rs"]
mod random;

use self::random::Program;

/// The seed, where none is given.
const SEED: u64 = 1;

/// How many programs the test suite has.
const COUNT: u64 = 48;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src/random");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SAGA_SEED");
    let seed = match std::env::var("SAGA_SEED") {
        Ok(seed) => seed.parse()?,
        Err(_) => SEED,
    };
    let directory = PathBuf::from(std::env::var("OUT_DIR")?);
    let (mut modules, mut cases) = (String::new(), String::new());
    for index in 0..COUNT {
        let path = directory.join(format!("random_{index}.rs"));
        std::fs::write(&path, Program::new(seed, index).module())?;
        writeln!(modules, "#[path = \"{}\"]\nmod random_{index};", path.display())?;
        writeln!(cases, "    (\"program {index}\", random_{index}::check),")?;
    }
    let list = format!(
        "{modules}\nconst SEED: u64 = {seed};\n\nconst CASES: &[saga_tests::batch::Case] = &[\n{cases}];\n"
    );
    std::fs::write(directory.join("random.rs"), list)?;
    Ok(())
}
