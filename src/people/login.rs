//! Logins: one namespace for people and organizations (decision 22).

use std::collections::BTreeSet;

use deunicode::deunicode_char;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::reserved::WORDS;
use crate::db::{ByIds, Lock, Tx, by_ids};
use crate::error::Result;
use crate::journal::SITE;

/// The account that has a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A person.
    User(i64),
    /// An organization.
    Org(i64),
}

impl Owner {
    /// The locks for writing something that belongs to this account. For a person, the journal of the site is one of
    /// them.
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

/// The rules that a new login must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// For logins that users choose: 1 to 39 letters, digits and `-`, without a dash at either end or two in a row.
    Chosen,
    /// For logins that imports and site administrators give: 1 to 100 of letters, digits and `._-`, but not `.` or
    /// `..`.
    Given,
}

/// The length of the longest login.
const LONGEST: usize = 100;

/// The form in which logins are compared: in lower case.
#[must_use]
pub fn key(login: &str) -> String {
    login.to_ascii_lowercase()
}

/// True if a login has the required form.
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
                && (1..=LONGEST).contains(&bytes.len())
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

/// The login that is made from a name at an identity provider: of the part before an `@`, in ASCII letters. None if
/// nothing is left of it.
#[must_use]
pub fn from_name(name: &str) -> Option<String> {
    let mut login = normalize(&in_ascii(name.split('@').next().unwrap_or_default()));
    login.truncate(LONGEST);
    is_valid(&login, Manner::Given).then_some(login)
}

/// A text with letters, marks and digits of all scripts in ASCII. Invisible characters disappear, and all others become
/// spaces.
fn in_ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match c.general_category_group() {
            _ if c.is_ascii() => ascii.push(c),
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number => {
                ascii.push_str(deunicode_char(c).unwrap_or_default());
            }
            GeneralCategoryGroup::Other => {}
            _ => ascii.push(' '),
        }
    }
    ascii
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
    let found: Vec<i64> = by_ids(tx, &PEOPLE, &keys)?;
    Ok(found.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
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

/// Claims the login that is made from a name, or `user-<id>` if none is; the next free one if another account has or had
/// it. Returns the login.
pub fn claim_for(tx: &mut Tx, user: i64, name: &str) -> Result<String> {
    let wanted = from_name(name).unwrap_or_else(|| format!("user-{user}"));
    let (mut login, mut number) = (wanted.clone(), 1);
    // Another account may claim a free login first.
    while !claim(tx, &login, Owner::User(user))? {
        number = next_free(tx, user, &wanted, number)?;
        login = numbered(&wanted, number);
    }
    Ok(login)
}

/// A number above the taken one, such that the login with it is free and the one before is not. Many accounts may have the
/// same name, so the search doubles its steps, and then halves them.
fn next_free(tx: &mut Tx, user: i64, login: &str, mut taken: u64) -> Result<u64> {
    let mut is_taken = |number| tx.any(TAKEN, &[&key(&numbered(login, number)), &user]);
    let mut free = taken * 2;
    while is_taken(free)? {
        (taken, free) = (free, free * 2);
    }
    while taken + 1 < free {
        let between = taken.midpoint(free);
        if is_taken(between)? { taken = between } else { free = between }
    }
    Ok(free)
}

const TAKEN: &str = "SELECT login_key FROM logins WHERE login_key = $1 AND user_id IS DISTINCT FROM $2";

fn numbered(login: &str, number: u64) -> String {
    let end = format!("-{number}");
    let begin = login.get(..LONGEST - end.len()).unwrap_or(login);
    format!("{begin}{end}")
}

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
    fn a_login_is_made_from_a_name_in_any_script() {
        for (name, login) in [
            ("Anna.Ahl@idp.example", Some("Anna.Ahl")),
            ("Jürgen.Groß@idp", Some("Jurgen.Gross")),
            ("Иван.Петров@idp", Some("Ivan.Petrov")),
            ("Γιώργος", Some("Giorgos")),
            ("李雷@idp", Some("Li-Lei")),
            ("Nguye\u{302}\u{303}n", Some("Nguyen")),
            ("a\u{200B}b\u{202E}c", Some("abc")),
            ("o’brien·x", Some("o-brien-x")),
            ("\u{1F4A5}boom", Some("boom")),
            ("@idp", None),
            ("\u{1F4A5}@idp", None),
            ("..@idp", None),
        ] {
            assert_eq!(from_name(name).as_deref(), login, "{name}");
        }
        assert_eq!(from_name(&"ж".repeat(255)).map(|login| login.len()), Some(100));
        assert_eq!(numbered(&"x".repeat(100), 12), format!("{}-12", "x".repeat(97)));
        assert_eq!(numbered("x", 2), "x-2");
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
