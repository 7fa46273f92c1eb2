//! Builds the server for `wasm32-unknown-unknown`, says how large it is, and goes through a saga in Node, each message
//! in an instance of its own.
//!
//! ```text
//! rustup target add wasm32-unknown-unknown
//! cargo run --manifest-path tests/wasm/Cargo.toml --package run    # needs `node`
//! ```

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::{env, fs};

use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = env::current_exe()?.with_file_name("wasm");
    let built = out.join("built");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["build", "--release", "--package", "saga-wasm", "--target", TARGET, "--target-dir"];
    done(Command::new(cargo).args(arguments).arg(&built).current_dir(&here).status()?)?;
    let module = built.join(TARGET).join("release/saga_wasm.wasm");
    let mut bindgen = Bindgen::new();
    bindgen.remove_name_section(true).remove_producers_section(true).typescript(false);
    bindgen.input_path(&module).nodejs(true)?.generate(&out)?;
    let size = fs::metadata(out.join("saga_wasm_bg.wasm"))?.len();
    println!("the bare core with one saga: {} KiB", size / 1024);
    done(Command::new("node").arg(here.join("converse.cjs")).arg(out.join("saga_wasm.js")).status()?)
}

fn done(status: ExitStatus) -> Result<(), Box<dyn Error>> {
    if status.success() { Ok(()) } else { Err(status.to_string().into()) }
}
