//! Mail (decisions 46 and 69): what is sent, and how. With a mail server by SMTP, otherwise as files in a maildir.

pub mod letter;
mod maildir;
mod message;
mod refusal;
mod smtp;
mod text;
pub mod token;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use self::letter::Letter;
use self::maildir::Maildir;
use self::message::Writer;
use self::smtp::Server;
use crate::clock::Time;
use crate::config;
use crate::error::Result;

/// How long a mail server may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Until it waits for the text of a mail.
    pub beginning: Duration,
    /// Until it replies to the text. Some look for viruses first, and a mail that they take later is sent twice.
    pub reply: Duration,
}

/// How long mail servers may take: a minute in all.
pub const TIMEOUTS: Timeouts = Timeouts { beginning: Duration::from_secs(10), reply: Duration::from_secs(50) };

/// The longest status that is pool of what a server answers, in characters.
const LONGEST_STATUS: usize = 200;

/// Sends letters.
pub struct Mailer {
    writer: Writer,
    server: Option<Server>,
    /// Where mails go without a server. Files from before there was one are deleted like the others.
    maildir: Maildir,
}

/// What came of sending a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Whether it is on its way.
    pub ok: bool,
    /// Whether it will never be accepted, so that it is not tried again.
    pub permanent: bool,
    /// What the server answered, or what went wrong, in one line.
    pub status: String,
    /// The reply code of SMTP; 0 if there is none.
    pub code: u16,
    /// How long it took.
    pub duration: Duration,
}

impl Mailer {
    /// A mailer by these settings. Without a mail server, it saves mails in the folder. The origin is the base of URLs; its
    /// host names mails.
    pub fn new(settings: &config::Mail, folder: PathBuf, origin: &str, timeouts: Timeouts) -> Result<Self> {
        let server = settings.smtp.as_ref().map(|smtp| Server::new(smtp, timeouts)).transpose()?;
        let maildir = Maildir::new(folder, settings.keep_days);
        Ok(Self { writer: Writer::new(settings, origin)?, server, maildir })
    }

    /// Sends a letter, within the time that a mail server may take.
    pub async fn send(&self, letter: &Letter, at: Time) -> Sent {
        let began = Instant::now();
        let message = match self.writer.write(letter, at) {
            Ok(message) => message,
            Err(why) => return Sent { permanent: true, ..Sent::failed(why, began) },
        };
        let sent = match &self.server {
            Some(server) => server.send(&message).await,
            None => self.maildir.save(message, at).await,
        };
        Sent { duration: began.elapsed(), status: in_one_line(&sent.status), ..sent }
    }

    /// Deletes the files of mails that are older than the setting says.
    pub async fn sweep(&self, now: Time) {
        self.maildir.sweep(now).await;
    }
}

impl Sent {
    fn failed(status: String, began: Instant) -> Self {
        Self { ok: false, permanent: false, status, code: 0, duration: began.elapsed() }
    }
}

/// What others wrote, as one line of the log or a list.
fn in_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_STATUS).collect()
}
