//! The e-mails about an invitation: to the invited person, once more before it expires, and to the inviter when it is
//! accepted (decisions 25, 26 and 69).

use super::addressee::{Addressee, Composing, addressee, named};
use super::plan::OfAcceptance;
use crate::clock::Time;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::links::segment;
use crate::mail::letter::{self, Content, Letter, Line};
use crate::mail::token::{Purpose, Sent};
use crate::name;

row! {
    /// An open invitation as its e-mail shows it.
    struct Open from "i" {
        org_login: String = "o.login",
        org_name: Option<String> = "o.name",
        login: Option<String> = "u.login",
        name: Option<String> = "u.name",
        /// The e-mail address that e-mails about it go to.
        address: Option<String> = "coalesce(i.email, (SELECT e.email FROM emails e
                                                WHERE e.user_id = i.user_id AND e.is_primary = TRUE ORDER BY e.id LIMIT 1))",
        role: String,
        inviter: Option<String> = "v.login, v.name" => name::or_login,
        expires_at: Time,
    }
}

/// The letter to the invited person; none if the invitation is no longer open, was sent again since, or has no e-mail
/// address.
pub(super) fn letter(
    tx: &mut Tx,
    composing: &Composing,
    (id, generation): (i64, i64),
    reminder: bool,
    now: Time,
) -> Result<Option<Letter>> {
    let Some(open): Option<Open> = tx.maybe(OPEN, &[&id, &generation, &now.0])? else { return Ok(None) };
    let Some(address) = open.address else { return Ok(None) };
    let token = Purpose::Invitation(id).token(&composing.key, Sent { generation, address: &address })?;
    let teams: Vec<(String, String)> = tx.all(TEAMS, &[&id])?;
    let shown = letter::Invitation {
        org: named(open.org_login, open.org_name),
        inviter: open.inviter.as_deref().map(Line::name),
        role: role(&open.role),
        teams: teams.iter().map(|(name, role)| with_role(name, role)).collect(),
        login: open.login.clone(),
        expires_at: open.expires_at,
        url: composing.links.html(&format!("/invitations/{token}")),
    };
    let first = format!("invitation/{id}/{generation}");
    let (id, follows, content) = if reminder {
        (format!("{first}/reminder"), Some(first), Content::Reminder(shown))
    } else {
        (first, None, Content::Invitation(shown))
    };
    Ok(Some(Letter {
        name: open.name.or(open.login).as_deref().map(Line::name),
        address,
        id,
        follows,
        board: None,
        content,
    }))
}

/// The invited person sees the teams of the invitation, including secret ones.
const TEAMS: &str = "
    SELECT t.name, b.role FROM invitation_teams b JOIN teams t ON t.id = b.team_id WHERE b.invitation_id = $1 ORDER BY t.id";

/// The invitation of a person goes to the e-mail address that was given with it, or else to their primary one.
const OPEN: &str = select!(Open from
    "invitations i
     JOIN orgs o ON o.id = i.org_id
     LEFT JOIN users u ON u.id = i.user_id
     LEFT JOIN users v ON v.id = i.inviter_id
     WHERE i.id = $1 AND i.generation = $2 AND i.failed_at IS NULL AND i.expires_at > $3
       AND (u.suspended IS NULL OR u.suspended = FALSE)
       AND NOT EXISTS (SELECT 1 FROM emails h CROSS JOIN users s
                       WHERE h.email_key = i.email_key AND h.verified = TRUE AND s.id = h.user_id AND s.suspended = TRUE)");

/// A team, and the person's role there unless it is member.
fn with_role(name: &str, role: &str) -> Line {
    let name = Line::name(name);
    if role == "maintainer" { name.followed_by(" (maintainer)") } else { name }
}

fn role(stored: &str) -> &'static str {
    match stored {
        "admin" => "owner",
        "billing_manager" | "hiring_manager" => "billing manager",
        _ => "member",
    }
}

/// The letter to the inviter, if they are still a member of the organization.
pub(super) fn accepted(tx: &mut Tx, composing: &Composing, of: OfAcceptance, to: i64) -> Result<Option<Letter>> {
    let is_member = tx.any("SELECT 1 FROM org_members WHERE org_id = $1 AND user_id = $2", &[&of.org, &to])?;
    let person: Option<(String, Option<String>)> =
        tx.maybe("SELECT login, name FROM users WHERE id = $1", &[&of.person])?;
    let Some((login, name)) = person.filter(|_| is_member) else { return Ok(None) };
    let found: Option<(String, Option<String>)> = tx.maybe("SELECT login, name FROM orgs WHERE id = $1", &[&of.org])?;
    let Some(((org_login, org_name), addressee)) = found.zip(addressee(tx, to)?) else { return Ok(None) };
    let url = composing.links.html(&format!("/orgs/{}", segment(&org_login)));
    let Addressee { name: to_name, address } = addressee;
    let id = format!("invitation/{}/accepted", of.invitation);
    let teams = of.teams.iter().map(|team| Line::name(team)).collect();
    let (name, org) = (name.as_deref().map(Line::name), named(org_login, org_name));
    let content = Content::Accepted { login, name, org, teams, url };
    Ok(Some(Letter { name: to_name, address, id, follows: None, board: None, content }))
}
