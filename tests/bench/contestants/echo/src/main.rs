//! The floor: an axum server that reads a JSON message and writes it back.

use axum::routing::post;
use axum::{Json, Router};
use serde_json::Value;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).expect("the address to serve at");
    let router = Router::new().route("/mcp", post(|Json(message): Json<Value>| async { Json(message) }));
    axum::serve(TcpListener::bind(address).await?, router).await
}
