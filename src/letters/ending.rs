//! The e-mail that says that a membership of a team ends in a week (decision 64).

use serde::{Deserialize, Serialize};

use super::addressee::{Addressee, Composing, addressee, named, team_page};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::Result;
use crate::mail::letter::{Content, Letter, Line};

/// The fields of the payload.
#[derive(Serialize, Deserialize)]
pub(super) struct OfEnd {
    pub team: i64,
    pub expires_at: i64,
}

/// The letter to the member; none if the membership has ended or its end has moved, or if an owner of the organization
/// keeps it.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfEnd, to: i64, now: Time) -> Result<Option<Letter>> {
    let OfEnd { team, expires_at } = *of;
    let found: Option<(String, String, String, Option<String>)> = tx.maybe(TEAM, &[&team, &to, &expires_at, &now.0])?;
    let Some((name, slug, login, org)) = found else { return Ok(None) };
    let url = composing.links.html(&team_page(&login, &slug));
    let (team_name, org) = (Line::name(&name), named(login, org));
    let content = Content::MembershipEnds { team: team_name, org, at: Time(expires_at), url };
    let Some(Addressee { name, address }) = addressee(tx, to)? else { return Ok(None) };
    let id = format!("team/{team}/member/{to}/ends/{expires_at}");
    Ok(Some(Letter { name, address, id, follows: None, board: None, content }))
}

const TEAM: &str = "
    SELECT t.name, t.slug, o.login, o.name
    FROM team_members m CROSS JOIN teams t CROSS JOIN orgs o CROSS JOIN org_members r
    WHERE m.team_id = $1 AND m.user_id = $2 AND m.expires_at = $3 AND m.expires_at > $4
      AND t.id = m.team_id AND o.id = t.org_id AND r.org_id = o.id AND r.user_id = m.user_id AND r.role <> 'admin'";
