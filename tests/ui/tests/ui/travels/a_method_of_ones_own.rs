use saga_runtime::{Form, ToolError, elicit, saga_tool};
use serde::{Deserialize, Serialize};

#[derive(Form)]
struct Confirm {
    yes: bool,
}

#[derive(Serialize, Deserialize)]
struct Playlist {
    songs: Vec<String>,
}

impl Playlist {
    fn iter(&self) -> std::slice::Iter<'_, String> {
        println!("somebody looks");
        self.songs.iter()
    }
}

#[saga_tool]
async fn tool() -> Result<(), ToolError> {
    let list = Playlist { songs: Vec::new() };
    for song in list.iter() {
        let ok: Confirm = elicit(format!("Play {song}?")).await?;
        println!("{song} {}", ok.yes);
    }
    Ok(())
}

fn main() {}
