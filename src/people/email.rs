//! The e-mail addresses of people.
//!
//! Implements the part of decision 27 about verified e-mail addresses: an e-mail address belongs to at most one
//! account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::me::Me;
use crate::db::{FromRow, Row, Tx};
use crate::error::Result;
use crate::operation::{Cx, List};
use crate::policy::Granted;

/// An e-mail address of a person.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "email")]
pub struct Email {
    /// E-mail address.
    pub email: String,
    /// Whether it is the primary e-mail address, which receives all e-mails.
    pub primary: bool,
    /// Whether the e-mail address is verified.
    pub verified: bool,
    /// `private` for the primary e-mail address, null for others. No e-mail address is public.
    pub visibility: Option<&'static str>,
}

impl FromRow for Email {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let primary = row.get(1)?;
        let visibility = if primary { Some("private") } else { None };
        Ok(Self { email: row.get(0)?, primary, verified: row.get(2)?, visibility })
    }
}

/// The longest e-mail address, as in the SMTP standard.
const LONGEST: usize = 254;

/// Characters with a meaning of their own in a mail header: they would turn an e-mail address into two, or into
/// another.
const SPECIAL: &[char] = &['(', ')', '<', '>', '[', ']', ':', ';', ',', '@', '\\', '"'];

/// Whether a text can be an e-mail address: there is text without blanks on both sides of the last `@`, and nothing
/// that a mail server would read as more than this one e-mail address.
#[must_use]
pub fn is_valid(email: &str) -> bool {
    let sides = email.rsplit_once('@').is_some_and(|(local, domain)| {
        let quoted = local.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let local = quoted.map_or(is_plain(local), |text| !text.is_empty() && !text.contains(['"', '\\']));
        local && is_plain(domain) && domain.split('.').all(|label| !label.is_empty())
    });
    sides && !email.chars().any(is_unseen) && email.len() <= LONGEST
}

fn is_plain(side: &str) -> bool {
    !side.is_empty() && !side.contains(SPECIAL)
}

/// Blanks, and characters that reorder or hide the text around them.
fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The form in which e-mail addresses are compared: in lower case.
#[must_use]
pub fn key(email: &str) -> String {
    email.to_lowercase()
}

/// List the caller's e-mail addresses.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListEmails {}

/// Lists the caller's e-mail addresses.
pub fn list(cx: &mut Cx, me: Granted<Me>, _: ListEmails) -> Result<List<Email>> {
    let (total,): (i64,) = cx.tx.one("SELECT count(*) FROM emails WHERE user_id = $1", &[&me.id])?;
    let (limit, offset) = cx.page.sql();
    let items = cx.tx.all(LIST, &[&me.id, &limit, &offset])?;
    Ok(List { items, total: u64::try_from(total).unwrap_or(0) })
}

const LIST: &str = "SELECT email, is_primary, verified FROM emails WHERE user_id = $1 ORDER BY id LIMIT $2 OFFSET $3";

/// The e-mail address that a person's e-mails go to, if there is one.
pub fn primary_of(tx: &mut Tx, user: i64) -> Result<Option<String>> {
    let row: Option<(String,)> = tx.maybe(PRIMARY, &[&user])?;
    Ok(row.map(|(email,)| email))
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
    fn an_address_has_two_sides_and_no_blanks() {
        for good in ["a@b", "Olivia.O+x@example.org", "\"a@b\"@c", "ö@exämple.org"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "@", "a@", "@b", "a b@c", "a@b\n", "nothing", &format!("{}@b", "x".repeat(253))] {
            assert!(!is_valid(bad), "{bad:?}");
        }
        assert_eq!(key("Olivia@Example.ORG"), "olivia@example.org");
    }

    #[test]
    fn an_address_is_one_address() {
        for bad in ["a@b@c", "<a@b>", "a@b,c@d", "a,b@c", "a@b;", "\"a\"b\"@c", "a@[::1]", "a@b..c", "a@b.", "a@.b"] {
            assert!(!is_valid(bad), "{bad}");
        }
        for unseen in ["a@b\u{202e}", "a\u{200b}@b", "a@b\u{feff}", "\"a\u{7}\"@b"] {
            assert!(!is_valid(unseen), "{unseen:?}");
        }
        assert!(is_valid("संपर्क@डाटामेल.भारत"));
    }
}
