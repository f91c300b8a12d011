//! A test of the way of e-mails: one e-mail that is sent at once, for `guildhall mail test` and the pages of operators.

use std::path::PathBuf;

use super::letter::{Content, Letter};
use super::{Mailer, Sent, TIMEOUTS};
use crate::clock::Time;
use crate::config::{self, Settings};
use crate::error::Result;

/// The settings with which e-mails are sent.
pub struct Trial {
    /// The settings of e-mail.
    pub settings: config::Mail,
    /// The folder in which e-mails are files if there is no mail server.
    pub folder: PathBuf,
    /// The base of URLs.
    pub origin: String,
}

impl Trial {
    /// A test of these settings.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let origin = settings.links(&settings.local_url()).origin;
        Self { settings: settings.mail.clone(), folder: settings.data_dir.join("mail"), origin }
    }

    /// Sends the test to this e-mail address, within a minute. An error says that the settings cannot be used.
    pub async fn send(&self, address: String, now: Time) -> Result<Sent> {
        let mailer = Mailer::new(&self.settings, self.folder.clone(), &self.origin, TIMEOUTS)?;
        let id = format!("test/{}", now.0);
        let letter = Letter { name: None, address, id, follows: None, board: None, content: Content::Test };
        Ok(mailer.send(&letter, now).await)
    }

    /// The mail server without a password; none if e-mails are files.
    #[must_use]
    pub fn server(&self) -> Option<String> {
        self.settings.smtp.as_ref().map(ToString::to_string)
    }
}
