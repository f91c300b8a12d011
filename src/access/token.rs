//! Tokens in the store (decision 41): authenticating, creating, listing and revoking them.

use std::sync::Arc;

use super::{last_use, token_text};
use crate::clock::{self, Time};
use crate::db::{Cacheable, Tx, row, select};
use crate::error::{Error, Result};
use crate::operation::{Application, Caller, Person, Token};
use crate::scope::Scopes;

/// The values of a new token.
#[derive(Debug, Clone)]
pub struct New<'a> {
    /// The person that it belongs to.
    pub user: i64,
    /// `personal`, `impersonation`, `bootstrap` or `oauth`.
    pub kind: &'a str,
    /// The site administrator who made it, for an impersonation.
    pub made_by: Option<i64>,
    /// Scopes of the token.
    pub scopes: Scopes,
    /// Name of the token, for people.
    pub note: Option<&'a str>,
    /// The time at which it expires; never, if absent.
    pub expires_at: Option<Time>,
    /// True if the teams above the person's own are listed as theirs (decision 63).
    pub effective_teams: bool,
    /// The application that acts with it, if it is of one (decision 62).
    pub application: Option<i64>,
}

/// The time after which a token of an application ends if it was not used, in seconds (decision 62).
const UNUSED: i64 = 365 * 24 * 60 * 60;

row! {
    /// A token as it is stored.
    #[derive(Debug, Clone)]
    pub struct TokenRow from "t" {
        /// ID.
        pub id: i64,
        /// `personal`, `impersonation`, `bootstrap` or `oauth`.
        pub kind: String,
        /// Its scopes, as a header shows them.
        pub scopes: String,
        /// Name of the token, for people.
        pub note: Option<String>,
        /// The last eight characters of the token.
        pub last_eight: String,
        /// SHA-256 of its text.
        pub hash: Vec<u8>,
        /// Creation time.
        pub created_at: Time,
        /// Expiry time; null if the token does not expire.
        pub expires_at: Option<Time>,
        /// The time of its last use, to the minute.
        pub last_used_at: Option<Time>,
        /// The login of the person that it belongs to.
        pub login: String = "u.login",
        /// Time of the last change.
        pub updated_at: Time,
        /// True if the teams above the person's own are listed as theirs.
        pub effective_teams: bool,
        /// The client ID of the application that acts with it.
        pub client_id: Option<String> = "a.client_id",
        /// The name of that application.
        pub application: Option<String> = "a.name",
    }
}

/// The presenter of the token with this hash: 401 if it is unknown or expired (decision 19).
pub fn authenticate(tx: &mut Tx, hash: &[u8; 32], now: Time) -> Result<Presenter> {
    let holder = tx.found(hash, |tx| {
        let found = if tx.is_remote() {
            tx.maybe_alone::<Holder>(AUTHENTICATE_REMOTELY, &[&hash.as_slice()])
        } else {
            tx.maybe(AUTHENTICATE, &[&hash.as_slice()])
        };
        found?.ok_or(Error::BadCredentials)
    })?;
    if holder.token.expires_at.is_some_and(|at| at <= now) || holder.is_forgotten(tx, now)? {
        return Err(Error::BadCredentials);
    }
    let caller = Caller { person: Some(holder.person.clone()), token: Some(holder.token.clone()), ..Caller::default() };
    Ok(Presenter::new(caller, holder.suspended))
}

/// Sends the statement of [`authenticate`] ahead, together with the next one.
pub fn ask_ahead(tx: &mut Tx, hash: &[u8; 32]) {
    tx.ahead(AUTHENTICATE_REMOTELY, vec![Box::new(hash.to_vec())]);
}

/// The user who sends a request. The request counts against their limit even if the account is suspended (decision 56).
#[derive(Default)]
pub struct Presenter {
    /// The person, and the token or the session; nothing without credentials.
    pub caller: Caller,
    suspended: bool,
}

impl Presenter {
    /// The presenter who is this caller, with an account that is suspended or not.
    pub(super) fn new(caller: Caller, suspended: bool) -> Self {
        Self { caller, suspended }
    }

    /// The caller, if they may act: 403 if the account is suspended (decision 21).
    pub fn active(self) -> Result<Caller> {
        if self.suspended { Err(Error::Suspended) } else { Ok(self.caller) }
    }
}

row! {
    /// The holder of a token, whether the token is valid now or not.
    #[derive(PartialEq)]
    struct Holder from "u" {
        person: Person = "u.id, u.login, u.site_admin" => person,
        token: Token = "t.id, t.scopes, t.expires_at, impersonator.login, t.effective_teams, a.id, a.client_id" => token,
        suspended: bool,
        used_at: UsedAt = "coalesce(t.last_used_at, t.created_at)" => UsedAt,
    }
}

/// The time of the last use that was stored when the row was read. A later use does not make it another row.
#[derive(Debug, Clone, Copy)]
struct UsedAt(Time);

impl PartialEq for UsedAt {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Holder {
    /// True if it is the token of an application and was not used for a year. A cached row may not have the last use.
    fn is_forgotten(&self, tx: &mut Tx, now: Time) -> Result<bool> {
        let since = now.plus_seconds(-UNUSED);
        if self.token.application.is_none() || self.used_at.0 > since {
            return Ok(false);
        }
        Ok(!tx.any(USED_SINCE, &[&self.token.id, &since.0])?)
    }
}

const USED_SINCE: &str = "SELECT 1 FROM tokens WHERE id = $1 AND coalesce(last_used_at, created_at) > $2";

/// The person in these columns.
pub(super) fn person((id, login, site_admin): (i64, String, bool)) -> Person {
    Person { id, login: login.into(), site_admin }
}

type Stored = ((i64, String, Option<Time>), Option<String>, bool, Option<i64>, Option<String>);

fn token(((id, listed, expires_at), impersonator, effective_teams, application, client_id): Stored) -> Result<Token> {
    let scopes = Scopes::parse(&listed).map_err(|e| Error::Bug(format!("a stored scope is unknown: {e}")))?;
    Ok(Token {
        id,
        scopes,
        listed: listed.into(),
        expires_at,
        impersonator: impersonator.map(Arc::from),
        effective_teams,
        application: application.zip(client_id).map(|(id, client_id)| Application { id, client_id: client_id.into() }),
    })
}

impl Cacheable for Holder {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.person.login.len() + self.token.listed.len()
    }
}

/// An impersonation token is valid only while its impersonator is a site administrator.
macro_rules! authenticate {
    ($more:literal) => {
        const_str::concat!(
            "SELECT ",
            Holder::COLUMNS,
            $more,
            " FROM tokens t
              JOIN users u ON u.id = t.user_id
              LEFT JOIN users impersonator ON impersonator.id = t.made_by
              LEFT JOIN applications a ON a.id = t.application_id
              WHERE t.hash = $1
                AND (t.kind <> 'impersonation' OR (impersonator.site_admin = TRUE AND impersonator.suspended = FALSE))"
        )
    };
}

const AUTHENTICATE: &str = authenticate!("");

/// The same for PostgreSQL, where a read may need no other statement.
const AUTHENTICATE_REMOTELY: &str = authenticate!(", CAST(pg_current_snapshot() AS TEXT)");

/// Creates a token with this text, or a random one. Returns its identifier and its text, which is shown only now.
pub fn create(tx: &mut Tx, new: &New, text: Option<&str>, prefix: &str, now: Time) -> Result<(i64, String)> {
    let text = match text {
        Some(text) => text.to_owned(),
        None => token_text::mint(prefix, &clock::random()?),
    };
    let expires_at = new.expires_at.map(|at| at.0);
    let id = tx.run_one(
        CREATE,
        &[
            &new.user,
            &new.kind,
            &new.made_by,
            &token_text::hash(&text).as_slice(),
            &token_text::last_eight(&text),
            &new.scopes.header(),
            &new.note,
            &now.0,
            &expires_at,
            &new.effective_teams,
            &new.application,
        ],
    )?;
    Ok((id, text))
}

const CREATE: &str = "
    INSERT INTO tokens (user_id, kind, made_by, hash, last_eight, scopes, note, created_at, updated_at, expires_at,
                        effective_teams, application_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)
    RETURNING id";

/// The tokens of a person, or of all people, by id.
pub fn list(tx: &mut Tx, user: Option<i64>, limit: i64, offset: i64) -> Result<Vec<TokenRow>> {
    match user {
        Some(user) => tx.all(OF_PERSON, &[&user, &limit, &offset]),
        None => tx.all(OF_ALL, &[&limit, &offset]),
    }
}

/// The token with this identifier, if there is one.
pub fn by_id(tx: &mut Tx, id: i64) -> Result<Option<TokenRow>> {
    tx.maybe(BY_ID, &[&id])
}

macro_rules! stored {
    ($end:literal) => {
        select!(TokenRow from
            "tokens t JOIN users u ON u.id = t.user_id LEFT JOIN applications a ON a.id = t.application_id ", $end)
    };
}

const OF_PERSON: &str = stored!("WHERE t.user_id = $1 ORDER BY t.id LIMIT $2 OFFSET $3");
const OF_ALL: &str = stored!("ORDER BY t.id LIMIT $1 OFFSET $2");
const BY_ID: &str = stored!("WHERE t.id = $1");

/// The token with this hash, if there is one.
pub fn by_hash(tx: &mut Tx, hash: &[u8]) -> Result<Option<TokenRow>> {
    tx.maybe(BY_HASH, &[&hash])
}

const BY_HASH: &str = stored!("WHERE t.hash = $1");

/// The newest tokens before the one with this ID: those of a person, or of all people.
pub fn newest(tx: &mut Tx, user: Option<i64>, before: i64, limit: i64) -> Result<Vec<TokenRow>> {
    match user {
        Some(user) => tx.all(NEWEST_OF_PERSON, &[&user, &before, &limit]),
        None => tx.all(NEWEST, &[&before, &limit]),
    }
}

const NEWEST_OF_PERSON: &str = stored!("WHERE t.user_id = $1 AND t.id < $2 ORDER BY t.id DESC LIMIT $3");
const NEWEST: &str = stored!("WHERE t.id < $1 ORDER BY t.id DESC LIMIT $2");

/// The token of an application with this hash, if there is one.
pub fn of_application(tx: &mut Tx, application: i64, hash: &[u8; 32]) -> Result<Option<TokenRow>> {
    tx.maybe(OF_APPLICATION, &[&hash.as_slice(), &application])
}

const OF_APPLICATION: &str = stored!("WHERE t.hash = $1 AND t.application_id = $2");

/// Gives a token a new text.
pub fn renew(tx: &mut Tx, id: i64, text: &str, now: Time) -> Result<()> {
    tx.run(RENEW, &[&id, &token_text::hash(text).as_slice(), &token_text::last_eight(text), &now.0]).map(drop)
}

const RENEW: &str = "
    UPDATE tokens
    SET hash = $2, last_eight = $3, updated_at = CASE WHEN updated_at > $4 THEN updated_at ELSE $4 END
    WHERE id = $1";

/// Deletes a token at once, and returns whether there was one.
pub fn delete(tx: &mut Tx, id: i64) -> Result<bool> {
    Ok(tx.run(DELETE, &[&id])? > 0)
}

const DELETE: &str = "DELETE FROM tokens WHERE id = $1";

/// Stores when tokens were last used.
pub fn touch(tx: &mut Tx, used: &[(i64, Time)]) -> Result<()> {
    last_use::store(tx, TOUCH, used)
}

const TOUCH: &str = "
    UPDATE tokens
    SET last_used_at = CASE WHEN coalesce(last_used_at, created_at) > $2
                            THEN coalesce(last_used_at, created_at) ELSE $2 END
    WHERE id = $1";
