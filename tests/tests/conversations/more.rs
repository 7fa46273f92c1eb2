//! Tools for the corners of the dialects, and servers that speak them.

use saga_runtime::{
    Builder, Choice, Dialect, Form, KeyRing, Sagas, ToolError, checkpoint, elicit, join, list_roots,
    saga_tool, sample,
};
use serde::{Deserialize, Serialize};

use crate::tools::{Gate, Name, builder};

/// An order.
#[derive(Form, Serialize, Deserialize, Debug)]
pub(crate) struct Order {
    size: Size,
    #[form(max_items = 2)]
    extras: Vec<Extra>,
    #[form(min = 1, default = 1)]
    count: u8,
}

/// How large. The variants' documentation is what the person reads.
#[derive(Choice, Serialize, Deserialize, Debug)]
#[choice(rename_all = "lowercase")]
pub(crate) enum Size {
    /// Medium
    M,
    /// Large
    L,
}

#[derive(Choice, Serialize, Deserialize, Debug)]
#[choice(rename_all = "lowercase")]
pub(crate) enum Extra {
    Cheese,
    Ham,
}

/// Takes an order.
#[saga_tool]
pub(crate) async fn order() -> Result<String, ToolError> {
    let order: Order = elicit("What shall it be?").await?;
    Ok(format!("{order:?}"))
}

/// Asks three at once.
#[saga_tool]
pub(crate) async fn introduce() -> Result<String, ToolError> {
    let (user_name, said, roots) =
        join!(elicit::<Name>("What is your name?"), sample("Say hello."), list_roots()).await?;
    Ok(format!("{}: {} {}", user_name.name, said.text(), roots.len()))
}

/// Counts pages, and gives back what it has after each.
#[saga_tool]
pub(crate) async fn scan(path: String) -> String {
    let mut found = 0;
    for page in 1..=2 {
        found += page;
        checkpoint(format!("{found} findings in {path} up to page {page}")).await;
    }
    format!("{found} findings in {path}")
}

/// Gives back what it has, then asks.
#[saga_tool]
pub(crate) async fn scan_and_ask() -> Result<String, ToolError> {
    checkpoint("half").await;
    let user_name: Name = elicit("For whom?").await?;
    Ok(format!("all, for {}", user_name.name))
}

/// The example of the streamless sketch.
#[saga_tool]
pub(crate) async fn get_weather(location: String) -> Result<String, ToolError> {
    let github_login: Login = elicit("Please provide your GitHub username").await?;
    Ok(format!("The weather in {location} is fine, {}", github_login.name))
}

/// A login.
#[derive(Form, Serialize, Deserialize, Debug)]
pub(crate) struct Login {
    name: String,
}

/// A server with all tools, of the conversations and of this file.
pub(crate) fn builder_of_all() -> Builder<Gate> {
    builder(Gate::default())
        .tool::<order>()
        .tool::<introduce>()
        .tool::<scan>()
        .tool::<scan_and_ask>()
        .tool::<get_weather>()
}

/// A server of these protocols.
pub(crate) fn speaks(dialects: impl IntoIterator<Item = Dialect>) -> Sagas {
    builder_of_all().dialects(dialects).build().expect("a server")
}

/// Servers of these protocols that have the same keys.
pub(crate) fn instances(dialects: impl IntoIterator<Item = Dialect> + Clone) -> impl Fn() -> Sagas {
    let key = KeyRing::generate_key().expect("a key");
    move || {
        let keys = KeyRing::parse(&key).expect("the key");
        builder_of_all().dialects(dialects.clone()).keys(keys).build().expect("a server")
    }
}
