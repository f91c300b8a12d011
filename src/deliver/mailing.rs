//! Sends a queued e-mail, which is composed from the rows as they are now (decision 69).

use std::time::{Duration, Instant};

use crate::clock::Time;
use crate::db::Db;
use crate::error::Error;
use crate::letters::{self, Composing};
use crate::mail::{Mailer, Sent};
use crate::members::ends;
use crate::sender::Attempt;

/// The parts that send e-mail.
pub struct Mailing {
    /// The store.
    pub db: Db,
    /// The data that e-mails depend on besides the database.
    pub composing: Composing,
    /// Sends e-mails.
    pub mailer: Mailer,
}

impl Mailing {
    /// Sends the e-mail of this event, with this payload, to this recipient.
    pub(super) async fn send(&self, (event, payload, to): (&str, &str, i64), now: Time) -> Attempt {
        let began = Instant::now();
        let (composing, event, payload) = (self.composing.clone(), event.to_owned(), payload.to_owned());
        let letter = self.db.read(move |tx| {
            if ends::is_due(tx, now)? {
                // The next step of the worker ends it.
                return Err(Error::Unavailable("a membership has to end first".into()));
            }
            letters::compose(tx, &composing, (&event, &payload, to), now)
        });
        let letter = letter.await;
        let sent = match letter {
            Ok(Some(letter)) => self.mailer.send(&letter, now).await,
            Ok(None) => unsent(true, "not sent: it is no longer of interest, or the recipient has no e-mail address"),
            Err(error) => {
                tracing::debug!(%error, "cannot compose a mail");
                unsent(false, "the mail could not be composed")
            }
        };
        attempt(sent, began.elapsed())
    }
}

fn unsent(ok: bool, status: &str) -> Sent {
    Sent { ok, permanent: false, status: status.to_owned(), code: 0, duration: Duration::ZERO }
}

/// The record of an attempt to send an e-mail. It has neither the e-mail address nor the content.
fn attempt(sent: Sent, duration: Duration) -> Attempt {
    Attempt {
        duration,
        status: sent.status,
        status_code: sent.code,
        request_headers: "{}".to_owned(),
        response_headers: None,
        response_body: None,
        ok: sent.ok,
        permanent: sent.permanent,
    }
}
