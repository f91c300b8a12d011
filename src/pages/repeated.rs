//! Forms that are sent more than once. A browser's forms are carried out one after another, and a form that it sends again
//! gets the response that it had. So a page with a form makes one thing, however often its button is pressed.
//!
//! The pages of signing in are not among them: a code and a link sign in once.
//!
//! Each page has another code in its forms. Two forms with the same code and the same fields are the same form.
//!
//! This is in the memory of one process. Two nodes that get the same form at once both carry it out: then what has a
//! unique name is still made once, and other things twice.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::guest::Guest;
use super::layout::Shown;
use crate::cache::Cache;
use crate::clock::Time;
use crate::error::{Error, Result, Scarce};

/// The number of browsers whose forms wait for each other. One that is dropped is one that sent none for long.
const BROWSERS: usize = 4_096;

/// The bytes of the responses that are kept.
const BYTES: usize = 8 << 20;

/// About how much memory a response takes besides its HTML, in bytes.
const RESPONSE: usize = 512;

/// The time for which a response is kept, in seconds.
const SECONDS: i64 = 60;

/// The most forms of one browser that wait or are carried out.
const WAITING: usize = 16;

/// A hash: of a browser with its session, or of a form.
type Hash = [u8; 32];

/// The turn of a browser's forms. Other browsers never wait for it.
type Turn = Arc<tokio::sync::Mutex<()>>;

/// The forms that were sent lately.
pub struct Forms {
    turns: Mutex<Cache<Hash, Turn>>,
    /// The response to the last form of each browser.
    responses: Mutex<Cache<Hash, Arc<Response>>>,
}

/// The response to a form.
struct Response {
    form: Hash,
    at: Time,
    shown: Shown,
}

impl Default for Forms {
    fn default() -> Self {
        Self { turns: Mutex::new(Cache::new(BROWSERS)), responses: Mutex::new(Cache::new(BYTES)) }
    }
}

impl Forms {
    /// Answers a visit. A form is carried out when its turn comes, unless it was the last one before.
    pub async fn answer(&self, guest: &Guest<'_>) -> Result<Shown> {
        let Some((browser, form)) = guest.repeatable() else { return guest.answer().await };
        let turn = self.turn(browser);
        if Arc::strong_count(&turn) > WAITING + 1 {
            return Err(Error::Busy(Scarce::ClientReaders));
        }
        let _turn = turn.lock().await;
        let now = guest.service.now();
        let last = lock(&self.responses).get(&browser);
        if let Some(last) = last.filter(|last| last.form == form && last.at.plus_seconds(SECONDS) > now) {
            return Ok(last.shown.clone());
        }
        let shown = guest.answer().await;
        match &shown {
            Ok(shown) if shown.status < 400 => {
                let weight = RESPONSE + shown.html.len();
                let response = Arc::new(Response { form, at: now, shown: shown.clone() });
                lock(&self.responses).insert(browser, response, weight);
            }
            _ => lock(&self.responses).remove(&browser),
        }
        shown
    }

    fn turn(&self, browser: Hash) -> Turn {
        let mut turns = lock(&self.turns);
        if let Some(turn) = turns.get(&browser) {
            return turn;
        }
        let turn = Turn::default();
        turns.insert(browser, Arc::clone(&turn), 1);
        turn
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guest<'_> {
    /// The browser with its session, and the form that it sent to a room; none if it sent none of a page of ours.
    fn repeatable(&self) -> Option<(Hash, Hash)> {
        let form = self.sent().filter(|_| self.visit.path.starts_with("/ui"))?;
        let session = self.session.unwrap_or_default();
        // When a sign-in is not recent any more, a form may have another response.
        let browser = hash([self.browser.as_bytes(), &session, &[u8::from(self.is_recent())]]);
        let fields = form.fields().flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]);
        let at = [self.visit.path.as_bytes(), self.visit.query.as_bytes()];
        Some((browser, hash(at.into_iter().chain(fields))))
    }
}

fn hash<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Hash {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().into()
}
