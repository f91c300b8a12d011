//! The e-mails about a request to join a team: to the people who decide, and the decision to the person who asked
//! (decision 65).

use serde::{Deserialize, Serialize};

use super::addressee::{Addressee, Composing, addressee, named, team_page};
use super::hook_off;
use crate::db::{Tx, row, select};
use crate::error::Result;
use crate::mail::letter::{Content, Letter, Line};

/// The number of maintainers who are notified at most.
const MOST: i64 = 100;

/// The fields of the payload.
#[derive(Serialize, Deserialize)]
pub(super) struct OfRequest {
    pub request: i64,
}

/// The people who decide: the direct maintainers of the team, or the owners of the organization if it has none.
pub(super) fn deciders(tx: &mut Tx, org: i64, team: i64) -> Result<Vec<i64>> {
    let maintainers: Vec<i64> = tx.all(MAINTAINERS, &[&team, &MOST])?;
    if maintainers.is_empty() { hook_off::recipients(tx, org) } else { Ok(maintainers) }
}

const MAINTAINERS: &str = "
    SELECT m.user_id FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND m.role = 'maintainer' AND u.suspended = FALSE
    ORDER BY m.user_id LIMIT $2";

row! {
    /// A request as its e-mails show it.
    struct Shown from "j" {
        id: i64,
        state: String,
        message: Option<String>,
        login: String = "u.login",
        name: Option<String> = "u.name",
        team_name: String = "t.name",
        slug: String = "t.slug",
        org_login: String = "o.login",
        org_name: Option<String> = "o.name",
    }
}

macro_rules! shown {
    ($where:literal) => {
        select!(Shown from
            "join_requests j
             JOIN users u ON u.id = j.user_id
             JOIN teams t ON t.id = j.team_id
             JOIN orgs o ON o.id = t.org_id
             WHERE j.id = $1 AND ", $where)
    };
}

/// The letter to a person who decides; none if the request has ended, or if they may not decide any more.
pub(super) fn asked(tx: &mut Tx, composing: &Composing, of: &OfRequest, to: i64) -> Result<Option<Letter>> {
    let shown: Option<Shown> = tx.maybe(OPEN, &[&of.request, &to])?;
    let Some((shown, to)) = shown.zip(addressee(tx, to)?) else { return Ok(None) };
    let url = shown.page(composing);
    let id = format!("join_request/{}", shown.id);
    Ok(Some(shown.letter(to, id, |shown, team, org| Content::JoinAsked {
        login: shown.login,
        name: shown.name.as_deref().map(Line::name),
        team,
        org,
        message: shown.message,
        url,
    })))
}

const OPEN: &str = shown!(
    "j.state = 'open' AND j.user_id <> $2
     AND NOT EXISTS (SELECT 1 FROM team_members s WHERE s.team_id = t.id AND s.user_id = j.user_id)
     AND (EXISTS (SELECT 1 FROM org_members a WHERE a.org_id = o.id AND a.user_id = $2 AND a.role = 'admin')
          OR EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = t.id AND m.user_id = $2 AND m.role = 'maintainer'))"
);

/// The letter to the person who asked; none if they may not see the team any more.
pub(super) fn decided(tx: &mut Tx, composing: &Composing, of: &OfRequest, to: i64) -> Result<Option<Letter>> {
    let shown: Option<Shown> = tx.maybe(DECIDED, &[&of.request, &to])?;
    let Some((shown, to)) = shown.zip(addressee(tx, to)?) else { return Ok(None) };
    let id = format!("join_request/{}/decided", shown.id);
    let url = shown.page(composing);
    Ok(Some(shown.letter(to, id, |shown, team, org| {
        let approved = shown.state == "approved";
        Content::JoinDecided { team, org, approved, url }
    })))
}

/// A person sees the team as in `teams::visible`. One who leaves the organization has no requests there.
const DECIDED: &str = shown!(
    "j.state IN ('approved', 'declined') AND j.user_id = $2
     AND (t.privacy = 'closed'
          OR EXISTS (SELECT 1 FROM org_members a WHERE a.org_id = o.id AND a.user_id = $2 AND a.role = 'admin')
          OR EXISTS (SELECT 1 FROM team_members s WHERE s.team_id = t.id AND s.user_id = $2))"
);

impl Shown {
    /// The URL of the page of the team.
    fn page(&self, composing: &Composing) -> String {
        composing.links.html(&team_page(&self.org_login, &self.slug))
    }

    fn letter(self, to: Addressee, id: String, content: impl FnOnce(Self, Line, Line) -> Content) -> Letter {
        let Addressee { name, address } = to;
        let team = Line::name(&self.team_name);
        let org = named(self.org_login.clone(), self.org_name.clone());
        Letter { name, address, id, follows: None, board: None, content: content(self, team, org) }
    }
}
