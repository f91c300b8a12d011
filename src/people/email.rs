//! The e-mail addresses of people.
//!
//! Implements the part of decision 27 about verified e-mail addresses: an e-mail address belongs to at most one
//! account.

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
    #[derive(Debug, Serialize, JsonSchema)]
    #[schemars(rename = "email")]
    pub struct Email from "e" {
        /// E-mail address.
        pub email: String,
        /// True if it is the primary e-mail address, which receives all e-mails.
        pub primary: bool = "e.is_primary",
        /// True if the e-mail address is verified.
        pub verified: bool,
        /// `private` for the primary e-mail address, null for others. No e-mail address is public.
        pub visibility: Option<&'static str> = "e.is_primary" => visibility,
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

const LIST: &str = select!(Email from "emails e WHERE e.user_id = $1 ORDER BY e.id LIMIT $2 OFFSET $3");

fn visibility(primary: bool) -> Option<&'static str> {
    primary.then_some("private")
}

/// The e-mail address that a person's e-mails go to, if there is one.
pub fn primary_of(tx: &mut Tx, user: i64) -> Result<Option<String>> {
    tx.maybe(PRIMARY, &[&user])
}

const PRIMARY: &str = "SELECT email FROM emails WHERE user_id = $1 AND is_primary = TRUE ORDER BY id";

/// Adds an e-mail address to a person, the first one as primary; false if an account already has it.
pub fn add(tx: &mut Tx, user: i64, email: &str, verified: bool) -> Result<bool> {
    let primary = primary_of(tx, user)?.is_none();
    Ok(tx.run(ADD, &[&user, &email, &key(email), &primary, &verified])? > 0)
}

const ADD: &str = "
    INSERT INTO emails (user_id, email, email_key, is_primary, verified) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (email_key) DO NOTHING";

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
