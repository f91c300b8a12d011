//! Connects to PostgreSQL, and handles the messages of the server that are not responses.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::config::SslMode;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Error, Result};
use crate::trust;

/// The socket's future, which is polled only while something is awaited.
pub(super) type Socket = Pin<Box<dyn Future<Output = std::result::Result<(), tokio_postgres::Error>> + Send>>;

/// A connection. It notes warnings, which the driver would only log.
struct Wire<S, T> {
    connection: tokio_postgres::Connection<S, T>,
    warned: Arc<AtomicBool>,
}

impl<S, T> Future for Wire<S, T>
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    type Output = std::result::Result<(), tokio_postgres::Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match ready!(self.connection.poll_message(cx)) {
                Some(Ok(AsyncMessage::Notice(notice))) if notice.severity() == "WARNING" => {
                    self.warned.store(true, Ordering::SeqCst);
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Poll::Ready(Err(error)),
                None => return Poll::Ready(Ok(())),
            }
        }
    }
}

/// Connects. Returns the client, the socket, and the flag that a warning sets.
pub(super) async fn connect(config: &Config) -> Result<(Client, Socket, Arc<AtomicBool>)> {
    let warned = Arc::<AtomicBool>::default();
    let failed = |error: tokio_postgres::Error| unreachable(config, &cause(&error));
    if config.get_ssl_mode() == SslMode::Require {
        let (client, connection) = config.connect(MakeRustlsConnect::new(trust::verified()?)).await.map_err(failed)?;
        return Ok((client, Box::pin(Wire { connection, warned: Arc::clone(&warned) }), warned));
    }
    let (client, connection) = config.connect(NoTls).await.map_err(failed)?;
    Ok((client, Box::pin(Wire { connection, warned: Arc::clone(&warned) }), warned))
}

fn cause(error: &tokio_postgres::Error) -> String {
    use std::error::Error as _;
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

/// The error of a server that cannot be reached.
pub(super) fn unreachable(config: &Config, cause: &str) -> Error {
    let database = config.get_dbname().unwrap_or("(no name)");
    Error::Unavailable(format!(
        "cannot connect to the PostgreSQL database {database}: {cause}; check that the server is running and that the URL in --database is correct"
    ))
}
