//! A server of its own: listens, serves at `/mcp`, and on a signal lets the running requests end.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::HttpService;

/// Where messages are sent to.
const PATH: &str = "/mcp";

/// Serves at this address, under `/mcp`, until the process is told to stop: the sagas, or a service of theirs with settings
/// of its own.
///
/// # Errors
///
/// The address cannot be listened on.
pub async fn serve(service: impl Into<HttpService>, address: SocketAddr) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    tracing::info!(address = %listener.local_addr()?, path = PATH, "serving MCP over HTTP");
    serve_until(service.into(), listener, stop_signal()).await
}

/// Serves at this listener, under `/mcp`, until `stop` is ready; the requests that run then are answered.
///
/// # Errors
///
/// The listener has no address.
pub async fn serve_until(
    mut service: HttpService,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    if listener.local_addr()?.ip().is_loopback() {
        service.gate.is_on_loopback();
    }
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(service.within);
    let waiting = service.waiting.clone();
    let router = Router::new().route_service(PATH, service);
    let (connections, mut stop) = (GracefulShutdown::new(), pin!(stop));
    loop {
        let stream = tokio::select! {
            stream = accept(&listener) => stream,
            () = &mut stop => break,
        };
        let connection =
            http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
        });
    }
    drop(listener);
    // No client's answer can come any more.
    waiting.close();
    connections.shutdown().await;
    Ok(())
}

/// The next connection. One that broke before it was accepted is passed over; when the system has no room for more,
/// others may end meanwhile.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                send_at_once(&stream);
                return stream;
            }
            Err(error) if is_of_one(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// A reply goes out in several writes, an event in one of its own: none may wait until the client has acknowledged the
/// one before, which clients put off.
fn send_at_once(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection's replies may be late");
    }
}

fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_written_is_sent_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, stream) = tokio::join!(TcpStream::connect(address), accept(&listener));
        assert!(client.is_ok() && stream.nodelay().unwrap());
    }
}
