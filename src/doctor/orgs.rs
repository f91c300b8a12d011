//! Organizations: owners, numbers of repositories, journals, invitations; and tokens (decisions 16, 21, 26 and 41).

use super::{MEND, Step};
use crate::db::Tx;
use crate::error::Result;
use crate::people::email;
use crate::scope::Scopes;

/// Every organization has an owner, the right number of repositories, and a journal. It may lack an active owner, because
/// a site administrator may suspend the last one (decision 21).
pub(super) fn orgs(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, (login, public, private, has_head)) in step.rows::<(String, i64, i64, bool)>(tx, ORGS)? {
        for (kind, too_many) in [("public", public), ("private", private)] {
            if too_many != 0 {
                step.found(format!("{login} counts {too_many} {kind} repositories too many"), MEND);
            }
        }
        match tx.maybe::<(bool,)>(OWNER_SUSPENDED, &[&id])? {
            Some((false,)) => {}
            Some((true,)) => step.notes.push(format!(
                "{login} has no active owner; import a file that lists another owner, or unsuspend an owner as a site \
                 administrator"
            )),
            None => step.found(format!("{login} has no owner"), "import a file that lists an owner"),
        }
        if !has_head {
            step.found(format!("the journal of {login} has no head"), MEND);
        }
    }
    Ok(())
}

const ORGS: &str = "
    SELECT o.id, o.login,
           o.public_repos - (SELECT count(*) FROM repos r WHERE r.org_id = o.id AND r.private = FALSE),
           o.private_repos - (SELECT count(*) FROM repos r WHERE r.org_id = o.id AND r.private = TRUE),
           EXISTS (SELECT 1 FROM journal_heads h WHERE h.org_id = o.id)
    FROM orgs o WHERE o.id > $1 ORDER BY o.id LIMIT $2";

/// An active owner comes first.
const OWNER_SUSPENDED: &str = "
    SELECT u.suspended FROM org_members m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = $1 AND m.role = 'admin' ORDER BY u.suspended LIMIT 1";

/// Open invitations are for people who are not members yet, and name teams of their own organization; failed ones name
/// none. An invited e-mail address is found by its key.
pub(super) fn invitations(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    const WAY: &str = "cancel the invitation";
    step.ids(tx, INVITATIONS)?;
    step.each(tx, INVITED_MEMBERS, WAY, |(id, login): (i64, String)| {
        format!("invitation {id} is open, but {login} is already a member")
    })?;
    step.each(tx, FOREIGN_TEAMS, WAY, |(id, team): (i64, i64)| {
        format!("invitation {id} includes team {team} of another organization")
    })?;
    step.each(tx, FAILED_WITH_TEAMS, "invite the person again", |(id,): (i64,)| {
        format!("invitation {id} has failed, but still includes a team")
    })?;
    for (id, address, key) in tx.all::<(i64, String, String)>(ADDRESSES, &[&step.after, &step.upto])? {
        if key != email::key(&address) {
            step.found(format!("invitation {id} is for {address}, but is found by {key}"), WAY);
        }
    }
    Ok(())
}

const FAILED_WITH_TEAMS: &str = "
    SELECT DISTINCT i.id FROM invitations i JOIN invitation_teams b ON b.invitation_id = i.id
    WHERE i.id > $1 AND i.id <= $2 AND i.failed_at IS NOT NULL ORDER BY i.id";

const ADDRESSES: &str = "
    SELECT id, coalesce(email, ''), email_key FROM invitations
    WHERE id > $1 AND id <= $2 AND email_key IS NOT NULL ORDER BY id";

const INVITATIONS: &str = "SELECT id FROM invitations WHERE id > $1 ORDER BY id LIMIT $2";

const INVITED_MEMBERS: &str = "
    SELECT i.id, u.login
    FROM invitations i
    JOIN org_members m ON m.org_id = i.org_id AND m.user_id = i.user_id
    JOIN users u ON u.id = i.user_id
    WHERE i.id > $1 AND i.id <= $2 AND i.failed_at IS NULL AND m.role <> 'billing_manager' ORDER BY i.id";

const FOREIGN_TEAMS: &str = "
    SELECT i.id, t.id
    FROM invitations i
    JOIN invitation_teams b ON b.invitation_id = i.id
    JOIN teams t ON t.id = b.team_id
    WHERE i.id > $1 AND i.id <= $2 AND t.org_id <> i.org_id ORDER BY i.id, t.id";

/// Every person with a role in an organization is a member of it.
pub(super) fn roles(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    let way = "take the role `security_manager` from the person, or make them a member of the organization";
    step.ids(tx, "SELECT id FROM orgs WHERE id > $1 ORDER BY id LIMIT $2")?;
    step.each(tx, STRANGERS_WITH_ROLES, way, |(person, org): (String, String)| {
        format!("{person} is a security manager of {org}, but is not an active member of it")
    })
}

const STRANGERS_WITH_ROLES: &str = "
    SELECT u.login, o.login
    FROM user_security_managers sp
    JOIN orgs o ON o.id = sp.org_id
    JOIN users u ON u.id = sp.user_id
    LEFT JOIN org_members m ON m.org_id = sp.org_id AND m.user_id = sp.user_id
    WHERE sp.org_id > $1 AND sp.org_id <= $2 AND (m.role IS NULL OR m.role = 'billing_manager')
    ORDER BY o.id, u.login";

/// Tokens have scopes that exist.
pub(super) fn tokens(tx: &mut Tx<'_>, step: &mut Step) -> Result<()> {
    for (id, (scopes,)) in step.rows::<(String,)>(tx, TOKENS)? {
        if Scopes::parse(&scopes).is_err() {
            let way = "revoke the token with `guildhall token revoke` and create another one";
            step.found(format!("token {id} has unknown scopes: {scopes}"), way);
        }
    }
    Ok(())
}

const TOKENS: &str = "SELECT id, scopes FROM tokens WHERE id > $1 ORDER BY id LIMIT $2";
