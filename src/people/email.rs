//! The e-mail addresses of people.
//!
//! Implements the parts of decisions 27 and 72 about what is stored: a verified e-mail address belongs to one account, and
//! an unverified one reserves nothing.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::me::Me;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::mail::address;
use crate::operation::{Cx, List};
use crate::policy::Granted;

row! {
    /// An e-mail address of a person.
    #[derive(Debug, Clone, Serialize, JsonSchema)]
    #[schemars(rename = "email")]
    pub struct Email from "e" {
        /// E-mail address.
        pub email: String,
        /// True if it is the primary e-mail address, which receives all e-mails.
        pub primary: bool = "e.is_primary",
        /// True if the e-mail address is verified.
        pub verified: bool,
        /// `public` or `private` for the primary e-mail address, null for others, which are never public.
        pub visibility: Option<&'static str> = "e.is_primary, u.public_email IS NOT NULL" => visibility,
    }
}

row! {
    /// An e-mail address as it is stored.
    #[derive(Debug)]
    pub struct Held from "e" {
        /// ID.
        pub id: i64,
        /// The number of times that its link was sent.
        pub generation: i64,
        /// The record that its person sees.
        pub shown: Email = Email::COLUMNS,
    }
}

impl Held {
    /// True if it is the e-mail address with this key.
    #[must_use]
    pub fn has_key(&self, wanted: &str) -> bool {
        key(&self.shown.email) == wanted
    }
}

/// The form in which e-mail addresses are compared: the domain as the mail system compares it, and ASCII letters before
/// the `@` in lower case. Other letters there differ if they are not the same.
#[must_use]
pub fn key(email: &str) -> String {
    let Some((local, domain)) = email.rsplit_once('@') else { return email.to_ascii_lowercase() };
    let domain = address::ascii_domain(domain).unwrap_or_else(|| domain.to_lowercase());
    format!("{}@{domain}", local.to_ascii_lowercase())
}

/// List the caller's e-mail addresses.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListEmails {}

/// Lists the caller's e-mail addresses.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: ListEmails) -> Result<List<Email>> {
    let total: i64 = cx.tx.one("SELECT count(*) FROM emails WHERE user_id = $1", &[&me.id])?;
    let (limit, offset) = cx.page.sql();
    let items = cx.tx.all(LIST, &[&me.id, &limit, &offset])?;
    List::of(items, total)
}

const LIST: &str = select!(Email from
    "emails e JOIN users u ON u.id = e.user_id WHERE e.user_id = $1 ORDER BY e.id LIMIT $2 OFFSET $3");

fn visibility((primary, public): (bool, bool)) -> Option<&'static str> {
    primary.then_some(if public { "public" } else { "private" })
}

/// The e-mail addresses of a person, the oldest first.
pub fn of(tx: &mut Tx, user: i64) -> Result<Vec<Held>> {
    tx.all(OF, &[&user])
}

const OF: &str = select!(Held from "emails e JOIN users u ON u.id = e.user_id WHERE e.user_id = $1 ORDER BY e.id");

/// The e-mail address that a person's e-mails go to, if there is one.
pub fn primary_of(tx: &mut Tx, user: i64) -> Result<Option<String>> {
    tx.maybe(PRIMARY, &[&user])
}

const PRIMARY: &str = "SELECT email FROM emails WHERE user_id = $1 AND is_primary = TRUE ORDER BY id";

/// Adds a verified e-mail address to a person, the first one as primary; false if an account has verified it.
pub fn add(tx: &mut Tx, user: i64, email: &str) -> Result<bool> {
    Ok(tx.run(ADD, &[&user, &email, &key(email)])? > 0)
}

const ADD: &str = "
    INSERT INTO emails (user_id, email, email_key, is_primary, verified)
    SELECT u.id, $2, $3, NOT EXISTS (SELECT 1 FROM emails p WHERE p.user_id = u.id AND p.is_primary = TRUE), TRUE
    FROM users u WHERE u.id = $1
    ON CONFLICT (email_key) DO NOTHING";

/// Adds an unverified e-mail address to a person, even if other accounts have it. Returns its ID.
pub fn add_unverified(tx: &mut Tx, user: i64, email: &str) -> Result<i64> {
    tx.run_one(ADD_UNVERIFIED, &[&user, &email])
}

const ADD_UNVERIFIED: &str = "
    INSERT INTO emails (user_id, email, is_primary, verified) VALUES ($1, $2, FALSE, FALSE) RETURNING id";

/// Verifies an e-mail address of a person, the first one as primary; false if another account has verified it.
pub fn verify(tx: &mut Tx, id: i64, email: &str) -> Result<bool> {
    Ok(tx.run(VERIFY, &[&id, &key(email)])? > 0)
}

const VERIFY: &str = "
    UPDATE emails
    SET verified = TRUE, email_key = $2,
        is_primary = NOT EXISTS (SELECT 1 FROM emails p WHERE p.user_id = emails.user_id AND p.is_primary = TRUE)
    WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM emails o WHERE o.email_key = $2 AND o.id <> $1)";

/// Adds the e-mail addresses that a person's provider knows, unverified, and removes those that it knew before and that
/// the person has not verified.
pub fn follow(tx: &mut Tx, user: i64, now: &[String], before: &[String]) -> Result<()> {
    let keys = |addresses: &[String]| addresses.iter().map(|address| key(address)).collect::<BTreeSet<_>>();
    let (wanted, before, mut known) = (keys(now), keys(before), BTreeSet::new());
    for held in of(tx, user)? {
        let key = key(&held.shown.email);
        if !held.shown.verified && before.contains(&key) && !wanted.contains(&key) {
            tx.run(REMOVE, &[&held.id])?;
        } else {
            known.insert(key);
        }
    }
    for address in now {
        if known.insert(key(address)) {
            add_unverified(tx, user, address)?;
        }
    }
    Ok(())
}

/// Removes an e-mail address. If it was the primary one, the oldest verified one becomes primary.
pub fn remove(tx: &mut Tx, user: i64, id: i64) -> Result<()> {
    tx.run(REMOVE, &[&id])?;
    tx.run(REPLACE, &[&user])?;
    Ok(())
}

const REMOVE: &str = "DELETE FROM emails WHERE id = $1";

const REPLACE: &str = "
    UPDATE emails SET is_primary = TRUE
    WHERE id = (SELECT min(v.id) FROM emails v WHERE v.user_id = $1 AND v.verified = TRUE)
      AND NOT EXISTS (SELECT 1 FROM emails p WHERE p.user_id = $1 AND p.is_primary = TRUE)";

/// Makes a verified e-mail address of a person the primary one.
pub fn set_primary(tx: &mut Tx, user: i64, id: i64) -> Result<()> {
    tx.run(SET_PRIMARY, &[&user, &id])?;
    Ok(())
}

const SET_PRIMARY: &str =
    "UPDATE emails SET is_primary = CASE WHEN id = $2 THEN TRUE ELSE FALSE END WHERE user_id = $1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_resembles_another_is_another() {
        assert_eq!(key("Olivia@Example.ORG"), "olivia@example.org");
        assert_eq!(key("\u{212a}@x.org"), "\u{212a}@x.org");
        assert_eq!(key("Ö@x.org"), "Ö@x.org");
        assert_eq!(key("a@EXÄMPLE.org"), key("A@xn--exmple-cua.org"));
    }

    #[test]
    fn what_was_stored_before_there_was_a_rule_has_a_key() {
        for (stored, is) in [("\"A B\"@C", "\"a b\"@c"), ("A@[::1]", "a@[::1]"), ("A@x_Y.org", "a@x_y.org"), ("A", "a")]
        {
            assert_eq!(key(stored), is);
        }
    }
}
