//! E-mail (decisions 46 and 69): its content, and how it is sent: over SMTP to a mail server, or without one as files
//! in a maildir.

pub mod address;
pub mod letter;
mod maildir;
mod message;
mod refusal;
mod room;
mod smtp;
mod text;
pub mod token;
pub mod trial;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use self::letter::Letter;
use self::maildir::Maildir;
use self::message::Writer;
use self::smtp::Server;
use crate::clock::Time;
use crate::config;
use crate::error::Result;

/// The timeouts of a mail server.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Until it is ready to receive the text of an e-mail.
    pub beginning: Duration,
    /// Until it replies to the text. Some servers scan for viruses first, and an e-mail that is accepted after the
    /// timeout is sent twice.
    pub reply: Duration,
}

/// The timeouts of mail servers: a minute in all.
pub const TIMEOUTS: Timeouts = Timeouts { beginning: Duration::from_secs(10), reply: Duration::from_secs(50) };

/// The longest part of a server's reply that is stored, in characters.
const LONGEST_STATUS: usize = 200;

/// Sends e-mails.
pub struct Mailer {
    writer: Writer,
    server: Option<Server>,
    /// The maildir for e-mails without a mail server. Files from before a server was configured are deleted like the
    /// others.
    maildir: Maildir,
}

/// The result of sending an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// True if the server has accepted it.
    pub ok: bool,
    /// True if it will never be accepted, so that it is not retried.
    pub permanent: bool,
    /// The reply of the server, or the error, in one line.
    pub status: String,
    /// The reply code of SMTP; 0 if there is none.
    pub code: u16,
    /// The time that it took.
    pub duration: Duration,
}

impl Mailer {
    /// A mailer with these settings. Without a mail server, it saves e-mails in the folder. The origin is the base of
    /// URLs; its host is used in message IDs.
    pub fn new(settings: &config::Mail, folder: PathBuf, origin: &str, timeouts: Timeouts) -> Result<Self> {
        let server = settings.smtp.as_ref().map(|smtp| Server::new(smtp, timeouts)).transpose()?;
        let most = u64::try_from(settings.max_bytes).unwrap_or(u64::MAX);
        let maildir = Maildir::new(folder, settings.keep_days, most);
        Ok(Self { writer: Writer::new(settings, origin)?, server, maildir })
    }

    /// Sends an e-mail, within the timeouts.
    pub async fn send(&self, letter: &Letter, at: Time) -> Sent {
        let began = Instant::now();
        let message = match self.writer.write(letter, at) {
            Ok(message) => message,
            Err(why) => return Sent { permanent: true, ..Sent::failed(why, began) },
        };
        let sent = match &self.server {
            Some(server) => server.send(&message).await,
            None => self.maildir.save(message, letter.board.is_some(), at).await,
        };
        Sent { duration: began.elapsed(), status: in_one_line(&sent.status), ..sent }
    }

    /// Deletes the files of e-mails that are older than the setting allows.
    pub async fn sweep(&self, now: Time) {
        self.maildir.sweep(now).await;
    }
}

impl Sent {
    fn failed(status: String, began: Instant) -> Self {
        Self { ok: false, permanent: false, status, code: 0, duration: began.elapsed() }
    }
}

/// External text as one line, for the log or a list.
fn in_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_STATUS).collect()
}
