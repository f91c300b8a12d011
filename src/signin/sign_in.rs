//! The row of a code and a link that sign in.

use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::mail::token::{Purpose, Sent};

/// The number of wrong codes that ends a code.
pub(super) const TRIES: i64 = 5;

row! {
    /// A code, and a link that does the same.
    #[derive(Debug, Clone)]
    pub struct SignIn from "s" {
        pub id: i64,
        /// The person; none if no account has the e-mail address.
        pub user: Option<i64> = "s.user_id",
        /// The e-mail address as it was entered; none if the operator made the link.
        pub email: Option<String>,
        /// Its form in which e-mail addresses are compared.
        pub email_key: Option<String>,
        /// The hash of the cookie of the browser that asked.
        pub browser: Option<Vec<u8>>,
        pub asked_at: Time,
        pub expires_at: Time,
        /// The number of wrong codes.
        pub tries: i64,
        pub ended: bool,
    }
}

impl SignIn {
    /// The purpose of its code and its link.
    pub fn purpose(&self) -> Purpose {
        Purpose::SignIn(self.id)
    }

    /// The rest of what its code and its link are computed from.
    pub fn sent(&self) -> Sent<'_> {
        Sent { generation: self.asked_at.0, address: self.email.as_deref().unwrap_or_default() }
    }

    /// True if it can still be used.
    pub fn is_open(&self, now: Time) -> bool {
        !self.ended && self.expires_at > now
    }
}

/// The sign-in with this ID.
pub(super) fn by_id(tx: &mut Tx, id: i64) -> Result<Option<SignIn>> {
    tx.maybe(BY_ID, &[&id])
}

const BY_ID: &str = select!(SignIn from "sign_ins s WHERE s.id = $1");

/// The open sign-in of a browser.
pub(super) fn of_browser(tx: &mut Tx, browser: &[u8; 32], now: Time) -> Result<Option<SignIn>> {
    tx.maybe(OF_BROWSER, &[&browser.as_slice(), &now.0])
}

const OF_BROWSER: &str = select!(SignIn from
    "sign_ins s WHERE s.browser = $1 AND s.ended = FALSE AND s.expires_at > $2 ORDER BY s.asked_at DESC LIMIT 1");

/// A new sign-in.
#[derive(Debug)]
pub(super) struct New<'a> {
    pub user: Option<i64>,
    pub email: Option<&'a str>,
    pub email_key: Option<&'a str>,
    pub browser: Option<&'a [u8]>,
    /// True if the person signed in with this browser before.
    pub is_known: bool,
    /// The name of the browser.
    pub asked_by: &'a str,
    pub network: &'a str,
    pub expires_at: Time,
}

/// Stores a sign-in.
pub(super) fn create(tx: &mut Tx, new: &New<'_>, now: Time) -> Result<i64> {
    tx.run_one(
        CREATE,
        &[
            &new.user,
            &new.email,
            &new.email_key,
            &new.browser,
            &new.is_known,
            &new.asked_by,
            &new.network,
            &now.0,
            &new.expires_at.0,
        ],
    )
}

const CREATE: &str = "
    INSERT INTO sign_ins (user_id, email, email_key, browser, is_known, asked_by, network, asked_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    RETURNING id";
