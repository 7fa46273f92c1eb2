//! The fixtures of MCP's official conformance suite over HTTP, at `/mcp`, or on standard input and output.
//!
//! ```text
//! cargo run --bin conformance -- serve --http 127.0.0.1:8080          the fast path in front of rmcp
//! cargo run --bin conformance -- serve --http 127.0.0.1:8080 --rmcp   rmcp alone
//! cargo run --bin conformance -- serve --http 127.0.0.1:8080 --bare   the endpoint alone
//! cargo run --bin conformance -- stdio                                the fast path in front of rmcp
//! cargo run --bin conformance -- stdio --rmcp                         rmcp alone
//! cargo run --bin conformance -- stdio --bare                         without rmcp
//! ```

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use clap::{Args, Parser, Subcommand};
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use saga_conformance::sagas::sagas;
use saga_conformance::server::Server;
use tokio::net::TcpListener;

#[derive(Parser)]
#[command(about, version)]
struct Command {
    #[command(subcommand)]
    command: Way,
}

#[derive(Subcommand)]
enum Way {
    /// Serves the fixtures over HTTP.
    Serve(How),
    /// Serves the fixtures on standard input and output.
    Stdio(Which),
}

#[derive(Args)]
struct How {
    /// The address to listen on.
    #[arg(long)]
    http: SocketAddr,
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
struct Which {
    /// Serve by rmcp alone.
    #[arg(long, conflicts_with = "bare")]
    rmcp: bool,
    /// Serve by the endpoint alone.
    #[arg(long)]
    bare: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let log = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into());
    tracing_subscriber::fmt().with_env_filter(log).with_writer(std::io::stderr).init();
    match Command::parse().command {
        Way::Serve(how) => serve(how).await,
        Way::Stdio(which) => serve_stdio(which).await,
    }
}

async fn serve_stdio(which: Which) -> Result<(), Box<dyn Error>> {
    let sagas = sagas()?;
    if which.bare {
        return Ok(sagas.serve_stdio().await?);
    }
    let server = Server::new(&sagas);
    if which.rmcp {
        Box::pin(server.serve(rmcp::transport::stdio())).await?.waiting().await?;
        return Ok(());
    }
    Ok(sagas.serve_stdio_in_front_of(server).await?)
}

async fn serve(how: How) -> Result<(), Box<dyn Error>> {
    let sagas = sagas()?;
    let listener = TcpListener::bind(how.http).await?;
    // For whoever chose port 0.
    println!("{}", listener.local_addr()?);
    let endpoint = sagas.http_service().hosts(["localhost", "127.0.0.1", "::1"]);
    let server = Server::new(&sagas);
    let rmcp = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let router = Router::new();
    let router = match (how.which.rmcp, how.which.bare) {
        (true, _) => router.route_service("/mcp", rmcp),
        (_, true) => router.route_service("/mcp", endpoint),
        _ => router.route_service("/mcp", endpoint.in_front_of(rmcp)),
    };
    Ok(axum::serve(listener, router).await?)
}
