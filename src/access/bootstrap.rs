//! The first site administrator and their token (decision 42).
//!
//! The account is stored by identifier, so that it may be renamed, and so that no other account becomes an
//! administrator by having its login. If it is deleted, only a token that the operator sets creates another one.

use super::token::{self, New};
use super::token_text;
use crate::clock::Time;
use crate::db::{Lock, Tx};
use crate::error::{Error, Result};
use crate::journal::{self, Author};
use crate::people::user::{self, User};
use crate::scope::Scopes;

/// The login of the account, which is reserved for it. A number is appended if another account has or had it.
const LOGIN: &str = "site-admin";

/// The scopes of the token: everything needed for site administration and a first look around.
const SCOPES: &str = "admin:org, admin:org_hook, delete_repo, repo, site_admin, user, write:discussion";

/// The shortest token that the operator may choose.
const SHORTEST: usize = 20;

/// The longest token that the operator may choose, which is the longest that a caller can present.
const LONGEST: usize = 255;

/// The first site administrator, as found or created on start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    /// The login of the first site administrator; none if the account is gone.
    pub login: Option<String>,
    /// The text of the token, if one was created. It must be shown now, because only its hash is stored.
    pub minted: Option<String>,
}

/// Makes sure that there is a first site administrator. With a token from the environment, only that token opens the
/// account. Without one, a token is created at the very first start and never again.
pub fn ensure(tx: &mut Tx, env_token: Option<&str>, author: &Author<'_>, prefix: &str) -> Result<Bootstrap> {
    let now = author.at;
    env_token.map_or(Ok(()), check)?;
    journal::lock(tx, &[Lock::Journal(journal::SITE)])?;
    let known = account(tx)?;
    match (env_token, known) {
        (None, Known::Account(account)) => Ok(Bootstrap { login: Some(account.login), minted: None }),
        (None, Known::Gone) => Ok(Bootstrap { login: None, minted: None }),
        (None, Known::Never) => {
            let account = make(tx, now)?;
            let minted = open(tx, account.id, None, now, prefix)?;
            Ok(Bootstrap { login: Some(account.login), minted: Some(minted) })
        }
        (Some(text), known) => {
            let account = match known {
                Known::Account(account) => account,
                Known::Gone | Known::Never => make(tx, now)?,
            };
            if tx.run(RESTORE, &[&account.id, &now.0])? > 0 {
                user::record_shown(tx, author, account.id)?;
            }
            keep_only(tx, account.id, text, now, prefix)?;
            Ok(Bootstrap { login: Some(account.login), minted: None })
        }
    }
}

/// An operator who sets the environment of the server may always let themselves in.
const RESTORE: &str = "
    UPDATE users SET site_admin = TRUE, suspended = FALSE,
        updated_at = CASE WHEN updated_at > $2 THEN updated_at ELSE $2 END
    WHERE id = $1 AND (site_admin = FALSE OR suspended = TRUE)";

/// Refuses a token that the operator chose if it is too short, too long, or cannot be sent in a header.
pub fn check(text: &str) -> Result<()> {
    let refused = |what: String| Err(Error::sentence(format!("GUILDHALL_ADMIN_TOKEN {what}")));
    let length = text.chars().count();
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return refused("must not contain spaces or line breaks. Remove them and start again.".into());
    }
    match length {
        ..SHORTEST => refused(format!(
            "has {length} characters and needs at least {SHORTEST}. Choose a longer one, for example with \
             `openssl rand -hex 20`, or leave it unset to have one made."
        )),
        SHORTEST..=LONGEST => Ok(()),
        _ => refused(format!("has {length} characters; the maximum is {LONGEST}. Choose a shorter token.")),
    }
}

/// The state of the account.
enum Known {
    /// It was never created.
    Never,
    /// It was deleted.
    Gone,
    /// It exists.
    Account(User),
}

fn account(tx: &mut Tx) -> Result<Known> {
    let Some(id) = account_id(tx)? else { return Ok(Known::Never) };
    Ok(user::by_id(tx, id)?.map_or(Known::Gone, Known::Account))
}

/// The ID of the account, if it was ever created.
pub fn account_id(tx: &mut Tx) -> Result<Option<i64>> {
    let remembered: Option<String> = tx.maybe("SELECT value FROM site WHERE name = 'first_admin'", &[])?;
    let id = remembered.map(|id| id.parse()).transpose();
    id.map_err(|e| Error::Bug(format!("site.first_admin is no identifier: {e}")))
}

fn make(tx: &mut Tx, now: Time) -> Result<User> {
    let mut login = LOGIN.to_owned();
    let mut number = 1;
    let account = loop {
        if let Some(account) = user::create_any(tx, &login, now)? {
            break account;
        }
        number += 1;
        login = format!("{LOGIN}-{number}");
    };
    tx.run("UPDATE users SET site_admin = TRUE WHERE id = $1", &[&account.id])?;
    tx.run(REMEMBER, &[&account.id.to_string()])?;
    Ok(account)
}

const REMEMBER: &str = "
    INSERT INTO site (name, value) VALUES ('first_admin', $1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

fn open(tx: &mut Tx, account: i64, text: Option<&str>, now: Time, prefix: &str) -> Result<String> {
    let scopes = Scopes::parse(SCOPES).map_err(|e| Error::Bug(e.to_string()))?;
    let new = New {
        user: account,
        kind: "bootstrap",
        made_by: None,
        scopes,
        note: None,
        expires_at: None,
        effective_teams: false,
        application: None,
    };
    let (_, text) = token::create(tx, &new, text, prefix, now)?;
    Ok(text)
}

/// Makes this token the only bootstrap token of the account; does nothing if it is so already.
fn keep_only(tx: &mut Tx, account: i64, text: &str, now: Time, prefix: &str) -> Result<()> {
    let hash = token_text::hash(text);
    let present: Option<(i64, i64, String)> =
        tx.maybe("SELECT id, user_id, kind FROM tokens WHERE hash = $1", &[&hash.as_slice()])?;
    let id = match present {
        Some((id, user, kind)) if user == account && kind == "bootstrap" => id,
        Some(_) => {
            let text = "GUILDHALL_ADMIN_TOKEN is already in use as another token. Choose a new token.";
            return Err(Error::sentence(text));
        }
        None => 0,
    };
    tx.run("DELETE FROM tokens WHERE user_id = $1 AND kind = 'bootstrap' AND id <> $2", &[&account, &id])?;
    if id == 0 {
        open(tx, account, Some(text), now, prefix)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_chosen_token_is_long_enough_and_can_be_presented() {
        assert!(check(&"x".repeat(20)).is_ok() && check(&"ö".repeat(255)).is_ok());
        for (bad, why) in [("x".repeat(19), "19 characters"), ("x".repeat(256), "shorter"), ("x y".repeat(9), "spaces")]
        {
            assert!(check(&bad).unwrap_err().to_string().contains(why), "{bad}");
        }
    }
}
