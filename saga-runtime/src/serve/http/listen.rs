//! A server of its own: listens, serves at `/mcp`, and on a signal lets the running requests end.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;

use super::HttpService;
use crate::sagas::Sagas;

/// Where messages are sent to.
const PATH: &str = "/mcp";

/// Serves at this address, under `/mcp`, until the process is told to stop.
///
/// # Errors
///
/// The address cannot be listened on.
pub async fn serve(sagas: Sagas, address: SocketAddr) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    tracing::info!(address = %listener.local_addr()?, path = PATH, "serving MCP over HTTP");
    serve_until(sagas.http_service(), listener, stop_signal()).await
}

/// Serves at this listener, under `/mcp`, until `stop` is ready; the requests that run then are answered.
///
/// # Errors
///
/// The listener fails.
pub async fn serve_until(
    mut service: HttpService,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    if listener.local_addr()?.ip().is_loopback() {
        service.gate.is_on_loopback();
    }
    let router = Router::new().route_service(PATH, service);
    axum::serve(listener, router).with_graceful_shutdown(stop).await
}

/// Ready when a person or a supervisor wants the process to end. A signal that cannot be listened for never comes.
async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                Ok(()) = tokio::signal::ctrl_c() => return,
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
