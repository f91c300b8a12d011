//! Sessions of browsers in the store (decision 61): authenticating, creating and ending them.
//!
//! A session has a random token, which only its browser has. It ends when it was not used for 30 days, and 90 days after
//! the person signed in. A marked session, in which a site administrator acts for the person, ends after an hour, and with
//! the administrator's own one. An ended session is like none.

use std::sync::Arc;

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

/// The number of sessions that a person may have. The oldest goes.
const MOST: i64 = 100;

/// The time for which a marked session lasts, in seconds.
const MARKED: i64 = 60 * 60;

row! {
    /// The holder of a session.
    struct Holder from "u" {
        session: operation::Session = "s.id, s.signed_in_at, a.login" => carried,
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
        /// Login of the site administrator who acts in it, for a marked session.
        pub impersonator: Option<String> = "a.login",
    }
}

fn carried((id, signed_in_at, impersonator): (i64, Time, Option<String>)) -> operation::Session {
    operation::Session { id, signed_in_at, impersonator: impersonator.map(Arc::from) }
}

/// The presenter of the session with this hash; one without a person if it has ended.
pub fn authenticate(tx: &mut Tx, hash: &[u8; 32], now: Time) -> Result<Presenter> {
    let (idle, oldest, marked) = since(now);
    let Some(holder) = tx.maybe::<Holder>(AUTHENTICATE, &[&hash.as_slice(), &idle, &oldest, &marked])? else {
        return Ok(Presenter::default());
    };
    let caller = Caller { person: Some(holder.person), session: Some(holder.session), ..Caller::default() };
    Ok(Presenter::new(caller, holder.suspended))
}

/// A marked session is valid only while the administrator is one, and the person is none.
const AUTHENTICATE: &str = select!(Holder from
    "sessions s JOIN users u ON u.id = s.user_id LEFT JOIN users a ON a.id = s.made_by
     WHERE s.hash = $1 AND s.used_at > $2 AND s.signed_in_at > $3
       AND (s.made_by IS NULL OR
            (s.signed_in_at > $4 AND a.site_admin = TRUE AND a.suspended = FALSE AND u.site_admin = FALSE))");

/// The times after which a session was last used and begun, and a marked one begun, unless it has ended.
fn since(Time(now): Time) -> (i64, i64, i64) {
    let since = |seconds: i64| Time(now).plus_seconds(-seconds).0;
    (since(IDLE), since(LONGEST), since(MARKED))
}

/// Creates a session, and returns its token, which only the browser gets.
pub fn create(tx: &mut Tx, user: i64, (browser, network): (&str, &str), now: Time) -> Result<(i64, String)> {
    let text = mint()?;
    tx.run(END_OLDEST, &[&user, &(MOST - 1)])?;
    let id = tx.run_one(CREATE, &[&token_text::hash(&text).as_slice(), &user, &now.0, &browser, &network])?;
    Ok((id, text))
}

const END_OLDEST: &str = "
    DELETE FROM sessions WHERE id IN
        (SELECT id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1000 OFFSET $2)";

const CREATE: &str = "
    INSERT INTO sessions (hash, user_id, signed_in_at, used_at, browser, network) VALUES ($1, $2, $3, $3, $4, $5)
    RETURNING id";

fn mint() -> Result<String> {
    Ok(URL_SAFE_NO_PAD.encode(clock::random::<32>()?))
}

/// Marks a session: a site administrator acts in it, whose own session is another one.
pub fn mark(tx: &mut Tx, session: i64, (admin, own): (i64, i64)) -> Result<()> {
    tx.run("UPDATE sessions SET made_by = $2, own_id = $3 WHERE id = $1", &[&session, &admin, &own]).map(drop)
}

/// Gives the administrator's own session another token, which is returned.
pub fn return_to_own(tx: &mut Tx, marked: i64) -> Result<String> {
    let text = mint()?;
    tx.run(RETURN, &[&marked, &token_text::hash(&text).as_slice()])?;
    Ok(text)
}

const RETURN: &str = "UPDATE sessions SET hash = $2 WHERE id = (SELECT own_id FROM sessions WHERE id = $1)";

/// The sessions of a person that have not ended, the newest first.
pub fn list(tx: &mut Tx, user: i64, now: Time) -> Result<Vec<Session>> {
    let (idle, oldest, marked) = since(now);
    tx.all(LIST, &[&user, &idle, &oldest, &marked])
}

const LIST: &str = select!(Session from
    "sessions s LEFT JOIN users a ON a.id = s.made_by
     WHERE s.user_id = $1 AND s.used_at > $2 AND s.signed_in_at > $3 AND (s.made_by IS NULL OR s.signed_in_at > $4)
     ORDER BY s.id DESC LIMIT 100");

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
