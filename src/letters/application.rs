//! The e-mail that asks owners to let an application into their organization (decision 81).

use serde::{Deserialize, Serialize};

use super::addressee::{Addressee, Composing, addressee, named, organization};
use super::hook_off::is_owner;
use crate::db::Tx;
use crate::error::Result;
use crate::links::segment;
use crate::mail::letter::{Content, Letter, Line};

/// The fields of the payload.
#[derive(Serialize, Deserialize)]
pub(super) struct OfApplication {
    pub org: i64,
    pub application: i64,
    pub person: i64,
}

/// The letter to an owner; none if the owners have answered, or if the recipient is no owner any more.
pub(super) fn letter(tx: &mut Tx, composing: &Composing, of: &OfApplication, to: i64) -> Result<Option<Letter>> {
    let asked: Option<(String, String, i64)> = tx.maybe(ASKED, &[&of.org, &of.application])?;
    let Some((application, login, at)) = asked.filter(|_| of.person != to) else { return Ok(None) };
    let is_told = is_owner(tx, of.org, to)?;
    let Some(Addressee { name, address }) = addressee(tx, to)?.filter(|_| is_told) else { return Ok(None) };
    let Some(org) = organization(tx, of.org)? else { return Ok(None) };
    let person: Option<(String, Option<String>)> =
        tx.maybe("SELECT login, name FROM users WHERE id = $1", &[&of.person])?;
    let content = Content::ApplicationAsked {
        org,
        application: Line::name(&application),
        person: person.map(|(login, name)| named(login, name)),
        url: composing.links.html(&format!("/orgs/{}/applications", segment(&login))),
    };
    let id = format!("application/{}/{}/{at}", of.org, of.application);
    Ok(Some(Letter { name, address, id, follows: None, board: None, content }))
}

const ASKED: &str = "
    SELECT a.name, o.login, x.changed_at FROM application_approvals x
    JOIN applications a ON a.id = x.application_id
    JOIN orgs o ON o.id = x.org_id
    WHERE x.org_id = $1 AND x.application_id = $2 AND x.state = 'asked'";
