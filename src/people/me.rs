//! The caller as a subject of operations: the operations under `/user`.

use crate::db::{Lock, Tx};
use crate::error::Result;
use crate::journal::SITE;
use crate::operation::{Caller, Cx, Path, Subject};
use crate::policy::{Fact, Standing};

/// The person who sends the request.
#[derive(Debug, Clone)]
pub struct Me {
    /// ID.
    pub id: i64,
    /// Login, in its stored case.
    pub login: String,
    /// True if they administer the site.
    pub site_admin: bool,
}

impl Subject for Me {
    const FORMS: &'static [&'static str] = &["/user"];
    const PERSONAL: bool = true;

    fn find(cx: &mut Cx, _: &Path) -> Result<(Self, Standing)> {
        let person = cx.me()?;
        let standing =
            Standing::default().with(Fact::SignedIn, true).with(Fact::SiteAdmin, cx.caller.administers_site());
        let standing = standing.with(Fact::EveryoneCreatesOrgs, cx.site.everyone_creates_organizations);
        Ok((Self { id: person.id, login: person.login.to_string(), site_admin: person.site_admin }, standing))
    }

    fn locks(tx: &mut Tx, caller: &Caller, _: &Path) -> Result<Vec<Lock>> {
        let Some(person) = &caller.person else { return Ok(Vec::new()) };
        let mut locks = user_and_orgs(tx, person.id)?;
        locks.push(Lock::Journal(SITE));
        Ok(locks)
    }

    fn canonical(&self) -> String {
        "/user".to_owned()
    }
}

/// A person's account and every organization that they are in or invited to, or whose provider knows them.
pub fn user_and_orgs(tx: &mut Tx, user: i64) -> Result<Vec<Lock>> {
    let orgs: Vec<i64> = tx.all(ORGS, &[&user])?;
    Ok(orgs.into_iter().map(Lock::Journal).chain([Lock::User(user)]).collect())
}

const ORGS: &str = "
    SELECT org_id FROM org_members WHERE user_id = $1
    UNION SELECT org_id FROM invitations WHERE user_id = $1 AND failed_at IS NULL
    UNION SELECT i.org_id FROM emails e CROSS JOIN invitations i
    WHERE e.user_id = $1 AND e.verified = TRUE AND i.email_key = e.email_key AND i.failed_at IS NULL
    UNION SELECT org_id FROM scim_users WHERE user_id = $1";
