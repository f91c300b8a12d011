//! Logins: one name space for people and organizations (decision 22).

use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::journal::SITE;

/// Who has a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A person.
    User(i64),
    /// An organization.
    Org(i64),
}

impl Owner {
    /// What is locked while something of theirs is written: what belongs to a person is recorded with the site.
    pub fn locks(self) -> impl Iterator<Item = Lock> {
        let (user, journal) = match self {
            Self::User(id) => (Some(Lock::User(id)), Lock::Journal(SITE)),
            Self::Org(id) => (None, Lock::Journal(id)),
        };
        user.into_iter().chain([journal])
    }
}

/// How strict a new login must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// What people choose: 1 to 39 of letters, digits and `-`, no dash at either end nor two in a row.
    Chosen,
    /// What imports and site administrators give: 1 to 100 of letters, digits and `._-`, but not `.` or `..`.
    Given,
}

/// The form in which logins are compared: without case.
#[must_use]
pub fn key(login: &str) -> String {
    login.to_ascii_lowercase()
}

/// Whether a login has the form that it must have.
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
            // Clients take these two out of addresses, so nobody could be reached by them.
            !matches!(login, "." | "..")
                && (1..=100).contains(&bytes.len())
                && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        }
    }
}

/// A login as site administrators give it: what no login can have becomes a dash, several at once one dash.
#[must_use]
pub fn normalize(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let parts = text.split(|c| !allowed(c)).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// Who has this login now; a former login is nobody's.
pub fn find(tx: &mut Tx, login: &str) -> Result<Option<Owner>> {
    let row: Option<(Option<i64>, Option<i64>)> = tx.maybe(FIND, &[&key(login)])?;
    Ok(row.and_then(|(user, org)| user.map(Owner::User).or(org.map(Owner::Org))))
}

const FIND: &str = "SELECT user_id, org_id FROM logins WHERE login_key = $1 AND current = TRUE";

/// Gives a login that nobody has or had; false if somebody has or had it.
pub fn claim(tx: &mut Tx, login: &str, owner: Owner) -> Result<bool> {
    let (user, org) = match owner {
        Owner::User(id) => (Some(id), None),
        Owner::Org(id) => (None, Some(id)),
    };
    Ok(tx.run(CLAIM, &[&key(login), &user, &org])? > 0)
}

/// Whoever left a login may come back to it.
const CLAIM: &str = "
    INSERT INTO logins (login_key, user_id, org_id, current) VALUES ($1, $2, $3, TRUE)
    ON CONFLICT (login_key) DO UPDATE SET current = TRUE
    WHERE logins.user_id = excluded.user_id OR logins.org_id = excluded.org_id";

/// Leaves a login: nobody is found by it any more, and nobody else can have it.
pub fn leave(tx: &mut Tx, login: &str) -> Result<()> {
    tx.run(LEAVE, &[&key(login)])?;
    Ok(())
}

const LEAVE: &str = "UPDATE logins SET current = FALSE WHERE login_key = $1";

/// Lets anybody have a login that was left; false if nobody left it.
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
