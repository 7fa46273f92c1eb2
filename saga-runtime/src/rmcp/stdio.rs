//! The sagas in front of an rmcp server on standard input and output.

use std::io;

use rmcp::ServerHandler;
use rmcp::service::{ServerInitializeError, ServiceExt};

use crate::sagas::Sagas;
use crate::serve::stdio;

impl Sagas {
    /// Serves on standard input and output, in front of the rmcp server: it goes on serving sessions, older revisions,
    /// its own tools and the lists.
    ///
    /// Its lists should have the sagas in them ([`tool_router`](Self::tool_router)), and its capabilities what the sagas
    /// announce ([`capabilities`](Self::capabilities)). Tools that borrow the server need it here, too
    /// ([`with_server`](Self::with_server)).
    ///
    /// # Errors
    ///
    /// Input or output fails, or the rmcp server does.
    pub async fn serve_stdio_in_front_of<S: ServerHandler>(&self, server: S) -> io::Result<()> {
        let (input, output) = (stdio::Input::open()?, tokio::io::stdout());
        let both = stdio::serve_in_front_of(self.clone(), input, output, async |client| {
            let running = match Box::pin(server.serve(client)).await {
                Ok(running) => running,
                // The client needed nothing but sagas.
                Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                Err(error) => return Err(io::Error::other(error)),
            };
            running.waiting().await.map_err(io::Error::other)?;
            Ok(())
        });
        both.await?
    }
}
