//! Writes honest tokens and states into the corpus of `cargo fuzz`: `cd tests/fuzz && cargo run --bin seeds`.

use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    for (name, inputs) in [("open", saga_fuzz::tokens()), ("state", saga_fuzz::states())] {
        let corpus = Path::new("corpus").join(name);
        fs::create_dir_all(&corpus)?;
        for (number, input) in inputs.into_iter().enumerate() {
            fs::write(corpus.join(format!("honest-{number}")), input)?;
        }
    }
    Ok(())
}
