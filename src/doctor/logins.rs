//! The common name space of people and organizations, and people's e-mail addresses (decision 22).

use std::collections::HashMap;

use super::{RESTORE, Step};
use crate::db::{ByIds, Tx, by_ids};
use crate::error::Result;
use crate::people::{login, reserved};

/// Every user has exactly the login in their row. A user with verified e-mail addresses has one primary e-mail address,
/// and a user without them has none.
pub(super) fn users(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    differing(tx, step, "person", USERS, USER_LOGINS)?;
    let way = "keep one of them: the person can choose with the operations below /user/emails";
    step.each(tx, PRIMARIES, way, |(user, count): (i64, i64)| {
        format!("person {user} has {count} primary e-mail addresses; exactly one of the verified ones must be primary")
    })
}

const USERS: &str = "SELECT id, login FROM users WHERE id > $1 ORDER BY id LIMIT $2";

const USER_LOGINS: &str = "
    SELECT user_id, login_key FROM logins
    WHERE user_id > $1 AND user_id <= $2 AND current = TRUE ORDER BY user_id, login_key";

const PRIMARIES: &str = "
    SELECT user_id, CAST(sum(CASE WHEN is_primary = TRUE THEN 1 ELSE 0 END) AS BIGINT)
    FROM emails WHERE user_id > $1 AND user_id <= $2
    GROUP BY user_id
    HAVING sum(CASE WHEN is_primary = TRUE THEN 1 ELSE 0 END) <> max(CASE WHEN verified = TRUE THEN 1 ELSE 0 END)
    ORDER BY user_id";

/// Every organization has exactly the login in its row.
pub(super) fn orgs(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    differing(tx, step, "organization", ORGS, ORG_LOGINS)?;
    step.each(tx, PERSONS_TOO, RESTORE, shared)
}

const ORGS: &str = "SELECT id, login FROM orgs WHERE id > $1 ORDER BY id LIMIT $2";

const ORG_LOGINS: &str = "
    SELECT org_id, login_key FROM logins
    WHERE org_id > $1 AND org_id <= $2 AND current = TRUE ORDER BY org_id, login_key";

fn differing(tx: &mut Tx<'_>, step: &mut Step, kind: &str, rows: &'static str, taken: &'static str) -> Result<()> {
    let rows = step.rows::<(String,)>(tx, rows)?;
    let mut keys: HashMap<i64, Vec<String>> = HashMap::new();
    for (id, key) in tx.all(taken, &[&step.after, &step.upto])? {
        keys.entry(id).or_default().push(key);
    }
    for (id, (login,)) in rows {
        let keys = keys.remove(&id).unwrap_or_default();
        if keys != [login::key(&login)] {
            let what = format!("{kind} {id} has the login {login}, but is found by: {}", keys.join(", "));
            step.found(what, RESTORE);
        }
    }
    Ok(())
}

const PERSONS_TOO: &str = "
    SELECT login_key FROM logins WHERE org_id > $1 AND org_id <= $2 AND user_id IS NOT NULL ORDER BY login_key";

/// Every login in use belongs to a person or an organization.
pub(super) fn unowned(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for login in tx.all(UNOWNED, &[])? {
        step.found(shared(login), RESTORE);
    }
    Ok(())
}

const UNOWNED: &str = "
    SELECT login_key FROM logins WHERE user_id IS NULL AND org_id IS NULL AND current = TRUE ORDER BY login_key";

fn shared((key,): (String,)) -> String {
    format!("the login {key} is in use, but not by exactly one person or organization")
}

/// A note for each account that has a reserved login from before it was reserved. The first site administrator's is
/// meant for them.
pub(super) fn reserved(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    let first: Option<(String,)> = tx.maybe("SELECT value FROM site WHERE name = 'first_admin'", &[])?;
    let found: Vec<(String, Option<i64>)> = by_ids(tx, &RESERVED, reserved::WORDS)?;
    let is_first =
        |user: Option<i64>| user.is_some_and(|user| first.as_ref().is_some_and(|(id,)| *id == user.to_string()));
    let kept = found.into_iter().filter(|(_, user)| !is_first(*user));
    let note = |(login, _)| {
        format!("{login} is a reserved login, which pages may need; its account keeps it until it is renamed")
    };
    Ok(kept.map(note).collect())
}

static RESERVED: ByIds = ByIds::new(
    "SELECT login_key, user_id FROM logins WHERE login_key IN ({ids}) AND current = TRUE ORDER BY login_key",
);
