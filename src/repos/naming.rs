//! Names of repositories: their form, which repository has one, and the redirects that a rename creates (decision 33).

use crate::db::Tx;
use crate::error::{Error, Result};
use crate::people::login::Owner;

/// The longest name, in characters.
pub const NAME_MAX: usize = 100;

/// The form in which names are compared: in lower case.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// Returns the name if a repository can have it; otherwise 422.
pub fn valid_name(name: &str) -> Result<&str> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    let refused = |message: &'static str| Err(Error::explained("Repository", "custom", "name", message));
    if name.is_empty() || name.len() > NAME_MAX || !name.bytes().all(allowed) {
        return refused("name must be 1 to 100 letters, digits, dots, underscores or dashes");
    }
    let is_address = name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("git"));
    if matches!(name, "." | "..") || is_address {
        return refused("name is reserved");
    }
    Ok(name)
}

/// Ends the redirect of this name, because a repository now has it.
pub fn take(tx: &mut Tx, owner: Owner, name: &str) -> Result<()> {
    let key = name_key(name);
    match owner {
        Owner::Org(id) => tx.run("DELETE FROM old_repo_names WHERE org_id = $1 AND name_key = $2", &[&id, &key]),
        Owner::User(id) => tx.run("DELETE FROM old_repo_names WHERE user_id = $1 AND name_key = $2", &[&id, &key]),
    }
    .map(|_| ())
}

/// Redirects from the previous name of a repository from now on.
pub fn leave(tx: &mut Tx, owner: Owner, name: &str, repo: i64) -> Result<()> {
    let (org, user) = ids(owner);
    tx.run(LEAVE, &[&org, &user, &name_key(name), &repo])?;
    Ok(())
}

const LEAVE: &str = "INSERT INTO old_repo_names (org_id, user_id, name_key, repo_id) VALUES ($1, $2, $3, $4)";

/// An owner as the two columns store it.
#[must_use]
pub fn ids(owner: Owner) -> (Option<i64>, Option<i64>) {
    match owner {
        Owner::Org(id) => (Some(id), None),
        Owner::User(id) => (None, Some(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for good in ["a", ".github", "A_b-c.d", "...", "git", &"x".repeat(100)] {
            assert!(valid_name(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a b", "a/b", "ä", "a.git", "a.GIT", "\u{0}", &"x".repeat(101)] {
            assert!(valid_name(bad).is_err(), "{bad}");
        }
    }
}
