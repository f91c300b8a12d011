//! Sends e-mails to a mail server (decision 46). Connections are pooled and reused.
//!
//! lettre's own transport does not say which command a server refused, and returns connections to its pool while a
//! reply is still outstanding. So the connections are managed here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use lettre::Message;
use lettre::address::Envelope;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection as Connection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::{Response, Severity};
use tokio::time::timeout;

use super::refusal::Refusal;
use super::{Sent, Timeouts};
use crate::config::{Security, Smtp};
use crate::error::{Error, Result};

/// The largest number of unused connections in the pool.
const CONNECTIONS: usize = 8;

/// The time that an unused connection stays in the pool.
const IDLE: Duration = Duration::from_mins(1);

/// The time that a server may take to close a connection.
const FAREWELL: Duration = Duration::from_secs(5);

/// A mail server.
pub(super) struct Server {
    smtp: Smtp,
    tls: TlsParameters,
    hello: ClientId,
    timeouts: Timeouts,
    pool: Arc<Pool>,
}

impl Server {
    pub(super) fn new(smtp: &Smtp, timeouts: Timeouts) -> Result<Self> {
        let tls = match smtp.tls {
            // The traffic does not leave this machine, so accepting any certificate is as safe as no TLS at all.
            Security::Local => TlsParameters::builder(smtp.host.clone())
                .dangerous_accept_invalid_certs(true)
                .dangerous_accept_invalid_hostnames(true)
                .build_rustls(),
            _ => TlsParameters::new_rustls(smtp.host.clone()),
        };
        let tls = tls.map_err(|error| Error::Unavailable(format!("cannot use the mail server {smtp}: {error}")))?;
        let pool = Arc::new(Pool::default());
        drop(tokio::spawn(Pool::sweep(Arc::downgrade(&pool))));
        Ok(Self { smtp: smtp.clone(), tls, hello: ClientId::default(), timeouts, pool })
    }

    pub(super) async fn send(&self, message: &Message) -> Sent {
        let began = Instant::now();
        match self.attempt(message).await {
            Ok(reply) => {
                let (code, text) = (u16::from(reply.code()), reply.first_line().unwrap_or_default());
                Sent { ok: true, code, status: format!("{code} {text}"), ..Sent::failed(String::new(), began) }
            }
            Err(Refusal { code, status, permanent }) => Sent { permanent, code, ..Sent::failed(status, began) },
        }
    }

    async fn attempt(&self, message: &Message) -> std::result::Result<Response, Refusal> {
        let text = message.formatted();
        let begun = timeout(self.timeouts.beginning, self.begin(message.envelope(), text.is_ascii())).await;
        let mut connection = begun.map_err(|_| Refusal::late())??;
        // On a connection with an outstanding reply, the next command would receive that reply, so the connection is
        // dropped.
        let reply = timeout(self.timeouts.reply, connection.message(&text)).await.map_err(|_| Refusal::late())?;
        let reply = reply.map_err(|error| Refusal::of_mail(&error)).and_then(completed);
        match &reply {
            Ok(_) => self.pool.keep(connection),
            Err(_) => leave(connection),
        }
        reply
    }

    /// A connection on which the server is ready to receive the text of an e-mail with this envelope.
    async fn begin(&self, envelope: &Envelope, is_ascii: bool) -> std::result::Result<Connection, Refusal> {
        let mut connection = match self.pool.one_that_works().await {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        match introduce(&mut connection, envelope, is_ascii).await {
            Ok(()) => Ok(connection),
            Err(refusal) => {
                leave(connection);
                Err(refusal)
            }
        }
    }

    async fn connect(&self) -> std::result::Result<Connection, Refusal> {
        let (Smtp { host, port, tls, credentials }, hello) = (&self.smtp, &self.hello);
        let wrapped = (*tls == Security::Tls).then(|| self.tls.clone());
        let timeouts = Some(self.timeouts.beginning);
        let connected = Connection::connect_tokio1((host.as_str(), *port), timeouts, hello, wrapped, None).await;
        let mut connection = connected.map_err(|error| Refusal::of_service(&error))?;
        let starts_tls = match tls {
            Security::StartTls => true,
            Security::Local => connection.can_starttls(),
            Security::Tls | Security::Off => false,
        };
        if starts_tls {
            let started = connection.starttls(self.tls.clone(), hello).await;
            started.map_err(|error| Refusal::of_service(&error))?;
        }
        if let Some((user, password)) = credentials.clone() {
            let known = connection.auth(DEFAULT_MECHANISMS, &Credentials::new(user, password)).await;
            known.map_err(|error| Refusal::of_service(&error))?;
        }
        Ok(connection)
    }
}

/// Sends the sender and the recipient of an e-mail, and the command that announces its text.
async fn introduce(
    connection: &mut Connection,
    envelope: &Envelope,
    is_ascii: bool,
) -> std::result::Result<(), Refusal> {
    let mut options = Vec::new();
    if !envelope
        .from()
        .into_iter()
        .chain(envelope.to())
        .all(|address| address.user().is_ascii() && address.domain().is_ascii())
    {
        options.push((Extension::SmtpUtfEight, MailParameter::SmtpUtfEight));
    }
    if !is_ascii {
        options.push((Extension::EightBitMime, MailParameter::Body(MailBodyParameter::EightBitMime)));
    }
    if let Some((missing, _)) = options.iter().find(|(needed, _)| !connection.server_info().supports_feature(*needed)) {
        return Err(Refusal::unable(&format!("the mail server lacks {missing}, which this mail needs")));
    }
    let options = options.into_iter().map(|(_, option)| option).collect();
    let reply = connection.command(Mail::new(envelope.from().cloned(), options)).await;
    completed(reply.map_err(|error| Refusal::of_service(&error))?)?;
    for to in envelope.to() {
        let reply = connection.command(Rcpt::new(to.clone(), Vec::new())).await;
        completed(reply.map_err(|error| Refusal::of_mail(&error))?)?;
    }
    let reply = connection.command(Data).await.map_err(|error| Refusal::of_mail(&error))?;
    if reply.has_code(354) { Ok(()) } else { Err(Refusal::unexpected(&reply)) }
}

/// The reply, if it says that the command succeeded.
fn completed(reply: Response) -> std::result::Result<Response, Refusal> {
    if reply.code().severity == Severity::PositiveCompletion { Ok(reply) } else { Err(Refusal::unexpected(&reply)) }
}

/// Closes a connection in the background, with QUIT if the server cooperates.
fn leave(mut connection: Connection) {
    drop(tokio::spawn(async move { timeout(FAREWELL, connection.abort()).await }));
}

/// Unused connections, and since when each is unused. The newest is the last.
#[derive(Default)]
struct Pool(Mutex<Vec<(Connection, Instant)>>);

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Vec<(Connection, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, connection: Connection) {
        let mut pool = self.lock();
        pool.push((connection, Instant::now()));
        if pool.len() > CONNECTIONS {
            leave(pool.remove(0).0);
        }
    }

    /// A working connection; servers close connections that are silent for too long.
    async fn one_that_works(&self) -> Option<Connection> {
        loop {
            let (mut connection, _) = self.lock().pop()?;
            if connection.test_connected().await {
                return Some(connection);
            }
        }
    }

    /// Periodically closes connections that were unused for a while.
    async fn sweep(pool: Weak<Self>) {
        loop {
            tokio::time::sleep(IDLE).await;
            let Some(pool) = pool.upgrade() else { return };
            let mut pool = pool.lock();
            while pool.first().is_some_and(|(_, since)| since.elapsed() >= IDLE) {
                leave(pool.remove(0).0);
            }
        }
    }
}
