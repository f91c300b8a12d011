//! Mails to a mail server (decision 46). Connections are kept and used again.

use std::time::{Duration, Instant};

use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::{Error as SmtpError, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use super::Sent;
use crate::config::{Security, Smtp};
use crate::error::{Error, Result};

/// How many connections there are at most.
const CONNECTIONS: u32 = 4;

/// How long an unused connection is kept.
const IDLE: Duration = Duration::from_mins(1);

/// Replies that are about the client or the connection, not about the mail: a later attempt may succeed.
const NOT_ABOUT_THE_MAIL: [u16; 10] = [500, 501, 502, 503, 504, 521, 530, 534, 535, 538];

/// A mail server.
pub(super) struct Server(AsyncSmtpTransport<Tokio1Executor>);

impl Server {
    pub(super) fn new(smtp: &Smtp, timeout: Duration) -> Result<Self> {
        let unusable = |error: SmtpError| Error::Unavailable(format!("cannot use the mail server {smtp}: {error}"));
        let verified = || TlsParameters::new_rustls(smtp.host.clone()).map_err(unusable);
        let tls = match smtp.tls {
            Security::Tls => Tls::Wrapper(verified()?),
            Security::StartTls => Tls::Required(verified()?),
            // Nothing leaves this machine, so any certificate is as good as no TLS at all.
            Security::Local => Tls::Opportunistic(
                TlsParameters::builder(smtp.host.clone())
                    .dangerous_accept_invalid_certs(true)
                    .dangerous_accept_invalid_hostnames(true)
                    .build_rustls()
                    .map_err(unusable)?,
            ),
            Security::Off => Tls::None,
        };
        let pool = PoolConfig::new().max_size(CONNECTIONS).idle_timeout(IDLE);
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&smtp.host)
            .port(smtp.port)
            .tls(tls)
            .timeout(Some(timeout))
            .pool_config(pool);
        if let Some((user, password)) = smtp.credentials.clone() {
            builder = builder.credentials(Credentials::new(user, password));
        }
        Ok(Self(builder.build()))
    }

    pub(super) async fn send(&self, message: Message) -> Sent {
        let began = Instant::now();
        let sent = self.0.send(message).await;
        // lettre gives the connection back in a task that it has just spawned. That task runs first, so that the next mail
        // finds the connection and does not open another.
        tokio::task::yield_now().await;
        match sent {
            Ok(reply) => {
                let code = u16::from(reply.code());
                let text = reply.first_line().unwrap_or_default();
                Sent { ok: true, code, status: format!("{code} {text}"), ..Sent::failed(String::new(), began) }
            }
            Err(error) => {
                let code = error.status().map_or(0, u16::from);
                let permanent = error.is_permanent() && !NOT_ABOUT_THE_MAIL.contains(&code);
                Sent { permanent, code, ..Sent::failed(reason(&error), began) }
            }
        }
    }
}

/// An error with its causes, which say more than it does.
fn reason(error: &SmtpError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
