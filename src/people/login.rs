//! Logins: one namespace for people and organizations (decision 22).

use std::collections::BTreeSet;

use super::reserved::WORDS;
use crate::db::{ByIds, Lock, Tx, by_ids};
use crate::error::Result;
use crate::journal::SITE;

/// The account that has a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A person.
    User(i64),
    /// An organization.
    Org(i64),
}

impl Owner {
    /// What is locked to write something that belongs to this account. For a person, that is the journal of the site
    /// too.
    pub fn locks(self) -> impl Iterator<Item = Lock> {
        let (user, journal) = match self {
            Self::User(id) => (Some(Lock::User(id)), Lock::Journal(SITE)),
            Self::Org(id) => (None, Lock::Journal(id)),
        };
        user.into_iter().chain([journal])
    }

    /// The values of the columns: the person, and the organization.
    fn columns(self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::User(id) => (Some(id), None),
            Self::Org(id) => (None, Some(id)),
        }
    }
}

/// How strict a new login must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// For logins that users choose: 1 to 39 letters, digits and `-`, without a dash at either end or two in a row.
    Chosen,
    /// For logins that imports and site administrators give: 1 to 100 of letters, digits and `._-`, but not `.` or
    /// `..`.
    Given,
}

/// The form in which logins are compared: in lower case.
#[must_use]
pub fn key(login: &str) -> String {
    login.to_ascii_lowercase()
}

/// Whether a login has the required form.
#[must_use]
pub fn is_valid(login: &str, manner: Manner) -> bool {
    let bytes = login.as_bytes();
    match manner {
        Manner::Chosen => {
            (1..=39).contains(&bytes.len())
                && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
                && !login.starts_with('-')
                && !login.ends_with('-')
                && !login.contains("--")
        }
        Manner::Given => {
            // Clients normalize these two away in paths, so no request could reach the account.
            !matches!(login, "." | "..")
                && (1..=100).contains(&bytes.len())
                && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        }
    }
}

/// A login as site administrators give it: each run of characters that no login can have becomes one dash.
#[must_use]
pub fn normalize(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let parts = text.split(|c| !allowed(c)).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// The account that has this login now; no account has a former login.
pub fn find(tx: &mut Tx, login: &str) -> Result<Option<Owner>> {
    let row: Option<(Option<i64>, Option<i64>)> = tx.maybe(FIND, &[&key(login)])?;
    Ok(row.and_then(|(user, org)| user.map(Owner::User).or(org.map(Owner::Org))))
}

const FIND: &str = "SELECT user_id, org_id FROM logins WHERE login_key = $1 AND current = TRUE";

/// The people who have these logins, by ID. Other logins are skipped.
pub fn people(tx: &mut Tx, logins: &[&str]) -> Result<Vec<i64>> {
    let keys: Vec<String> = logins.iter().map(|login| key(login)).collect::<BTreeSet<_>>().into_iter().collect();
    let found: Vec<(i64,)> = by_ids(tx, &PEOPLE, &keys)?;
    Ok(found.into_iter().map(|(id,)| id).collect::<BTreeSet<_>>().into_iter().collect())
}

static PEOPLE: ByIds =
    ByIds::new("SELECT user_id FROM logins WHERE login_key IN ({ids}) AND current = TRUE AND user_id IS NOT NULL");

/// True if no new account gets this login, because pages and routes use the word or may use it.
#[must_use]
pub fn is_reserved(login: &str) -> bool {
    WORDS.binary_search(&key(login).as_str()).is_ok()
}

/// Claims a login that no account has or had; false if an account has or had it, or if it is reserved. An account that
/// has or had a reserved login may go on having it.
pub fn claim(tx: &mut Tx, login: &str, owner: Owner) -> Result<bool> {
    let (user, org) = owner.columns();
    if is_reserved(login) && !tx.any(OWN, &[&key(login), &user, &org])? {
        return Ok(false);
    }
    claim_any(tx, login, owner)
}

const OWN: &str = "SELECT 1 FROM logins WHERE login_key = $1 AND (user_id = $2 OR org_id = $3)";

/// The same, also for a reserved login: the first site administrator has one.
pub fn claim_any(tx: &mut Tx, login: &str, owner: Owner) -> Result<bool> {
    let (user, org) = owner.columns();
    Ok(tx.run(CLAIM, &[&key(login), &user, &org])? > 0)
}

/// An account may take back a login that it left.
const CLAIM: &str = "
    INSERT INTO logins (login_key, user_id, org_id, current) VALUES ($1, $2, $3, TRUE)
    ON CONFLICT (login_key) DO UPDATE SET current = TRUE
    WHERE logins.user_id = excluded.user_id OR logins.org_id = excluded.org_id";

/// Leaves a login: it no longer finds an account, and no other account can have it.
pub fn leave(tx: &mut Tx, login: &str) -> Result<()> {
    tx.run(LEAVE, &[&key(login)])?;
    Ok(())
}

const LEAVE: &str = "UPDATE logins SET current = FALSE WHERE login_key = $1";

/// Makes a login that was left available to every account; false if it was not left.
pub fn free(tx: &mut Tx, login: &str) -> Result<bool> {
    Ok(tx.run(FREE, &[&key(login)])? > 0)
}

const FREE: &str = "DELETE FROM logins WHERE login_key = $1 AND current = FALSE";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_login_can_have_becomes_a_dash() {
        for (text, login) in [
            ("octo_cat", "octo_cat"),
            ("Octo Cat", "Octo-Cat"),
            (" k8s  ci@robot ", "k8s-ci-robot"),
            ("-a--b.", "-a--b."),
            ("", ""),
            ("äö", ""),
        ] {
            assert_eq!(normalize(text), login, "{text}");
        }
    }

    #[test]
    fn chosen_logins_are_strict_and_given_ones_are_not() {
        for good in ["a", "a-b", "Octo-Cat9", &"x".repeat(39)] {
            assert!(is_valid(good, Manner::Chosen), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "a_b", "a b", "ä", &"x".repeat(40)] {
            assert!(!is_valid(bad, Manner::Chosen), "{bad}");
        }
        assert!(is_valid("k8s.ci_robot-", Manner::Given));
        assert!(!is_valid(&"x".repeat(101), Manner::Given));
        assert!(!["a/b", ".", ".."].into_iter().any(|login| is_valid(login, Manner::Given)));
        assert!(is_valid("...", Manner::Given));
    }
}
