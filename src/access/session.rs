//! Sessions of browsers in the store (decision 61): authenticating, creating and ending them.
//!
//! A session has a random token, which only its browser has. It ends when it was not used for 30 days, and 90 days after
//! the person signed in. An ended session is like none.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::token::{self, Presenter};
use super::{last_use, token_text};
use crate::clock::{self, Time};
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::operation::{self, Caller, Person};

/// The time for which a session lasts without being used, in seconds.
const IDLE: i64 = 30 * 24 * 60 * 60;

/// The time for which a session lasts, in seconds.
pub const LONGEST: i64 = 90 * 24 * 60 * 60;

row! {
    /// The holder of a session.
    struct Holder from "u" {
        session: operation::Session = "s.id, s.signed_in_at" => carried,
        person: Person = "u.id, u.login, u.site_admin" => token::person,
        suspended: bool,
    }
}

row! {
    /// A session as its person sees it.
    #[derive(Debug)]
    pub struct Session from "s" {
        /// ID.
        pub id: i64,
        /// The time at which the person signed in.
        pub signed_in_at: Time,
        /// The time of its last use, to the minute.
        pub used_at: Time,
        /// The browser, such as "Firefox on Linux".
        pub browser: String,
        /// The network that the person signed in from.
        pub network: String,
    }
}

fn carried((id, signed_in_at): (i64, Time)) -> operation::Session {
    operation::Session { id, signed_in_at }
}

/// The presenter of the session with this hash; one without a person if it has ended.
pub fn authenticate(tx: &mut Tx, hash: &[u8; 32], now: Time) -> Result<Presenter> {
    let (idle, oldest) = since(now);
    let Some(holder) = tx.maybe::<Holder>(AUTHENTICATE, &[&hash.as_slice(), &idle, &oldest])? else {
        return Ok(Presenter::default());
    };
    let caller = Caller { person: Some(holder.person), token: None, session: Some(holder.session) };
    Ok(Presenter::new(caller, holder.suspended))
}

const AUTHENTICATE: &str = select!(Holder from
    "sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = $1 AND s.used_at > $2 AND s.signed_in_at > $3");

/// The times after which a session was last used and begun, unless it has ended.
fn since(Time(now): Time) -> (i64, i64) {
    let since = |seconds: i64| Time(now).plus_seconds(-seconds).0;
    (since(IDLE), since(LONGEST))
}

/// Creates a session, and returns its token, which only the browser gets.
pub fn create(tx: &mut Tx, user: i64, (browser, network): (&str, &str), now: Time) -> Result<(i64, String)> {
    let text = URL_SAFE_NO_PAD.encode(clock::random::<32>()?);
    let id = tx.run_one(CREATE, &[&token_text::hash(&text).as_slice(), &user, &now.0, &browser, &network])?;
    Ok((id, text))
}

const CREATE: &str = "
    INSERT INTO sessions (hash, user_id, signed_in_at, used_at, browser, network) VALUES ($1, $2, $3, $3, $4, $5)
    RETURNING id";

/// The sessions of a person that have not ended, the newest first.
pub fn list(tx: &mut Tx, user: i64, now: Time) -> Result<Vec<Session>> {
    let (idle, oldest) = since(now);
    tx.all(LIST, &[&user, &idle, &oldest])
}

const LIST: &str = select!(Session from
    "sessions s WHERE s.user_id = $1 AND s.used_at > $2 AND s.signed_in_at > $3 ORDER BY s.id DESC LIMIT 100");

/// Ends a session of a person, or all of them. Returns how many there were.
pub fn end(tx: &mut Tx, user: i64, session: Option<i64>) -> Result<u64> {
    match session {
        Some(session) => tx.run("DELETE FROM sessions WHERE user_id = $1 AND id = $2", &[&user, &session]),
        None => tx.run("DELETE FROM sessions WHERE user_id = $1", &[&user]),
    }
}

/// Deletes the sessions that ended because of their age.
pub fn trim(tx: &mut Tx, now: Time) -> Result<()> {
    tx.run("DELETE FROM sessions WHERE signed_in_at <= $1", &[&since(now).1]).map(drop)
}

/// Stores when sessions were last used.
pub fn touch(tx: &mut Tx, used: &[(i64, Time)]) -> Result<()> {
    last_use::store(tx, TOUCH, used)
}

const TOUCH: &str = "UPDATE sessions SET used_at = CASE WHEN used_at > $2 THEN used_at ELSE $2 END WHERE id = $1";
