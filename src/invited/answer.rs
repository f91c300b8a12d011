//! Viewing, accepting and declining an invitation with the link in its e-mail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::linked::Linked;
use crate::access::token::{self, New};
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::journal::{self, Change};
use crate::members::invitations::{self, ending};
use crate::operation::{Cx, Done, Record};
use crate::orgs::org;
use crate::people::chosen::{self, as_person};
use crate::people::email;
use crate::people::user::{self, User};
use crate::policy::Granted;
use crate::scope::Scopes;

/// The scopes of the token of a new account, until there is a sign-in (decision 27).
const SCOPES: &str = "read:org user";

/// An invitation as the invited person sees it.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// Login of the organization.
    pub org: String,
    /// Name of the organization, or its login.
    pub org_name: String,
    /// The role: `admin`, `member` or `billing_manager`.
    pub role: String,
    /// The teams.
    pub teams: Vec<OfTeam>,
    /// Name or login of the inviter.
    pub inviter: Option<String>,
    /// The e-mail address that the e-mail went to.
    pub address: String,
    /// Login of the invited account, or of the account that has the e-mail address.
    pub account: Option<String>,
    /// True if the link is enough to accept. Otherwise, the account must do so with its own token.
    pub is_proof: bool,
    /// The time at which it expires.
    pub expires_at: Time,
    /// The reason why it can no longer be answered, if it cannot.
    pub ended: Option<String>,
}

/// A team of an invitation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct OfTeam {
    /// Its name.
    pub name: String,
    /// The role there: `member` or `maintainer`.
    pub role: String,
}

/// Get an invitation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Look {}

/// Gets the invitation, and changes nothing.
pub fn look(cx: &mut Cx, linked: Granted<Linked>, _: Look) -> Result<Record<Shown>> {
    let account = linked.account(cx.tx)?.map(|account| account.login);
    let teams: Vec<(String, String)> = cx.tx.all(TEAMS, &[&linked.id])?;
    Ok(Shown {
        org: linked.org_login.clone(),
        org_name: named(&linked),
        role: invitations::membership_role(&linked.role).to_owned(),
        teams: teams.into_iter().map(|(name, role)| OfTeam { name, role }).collect(),
        inviter: linked.inviter.clone(),
        address: linked.address.clone(),
        account,
        is_proof: linked.is_proof(cx.tx)?,
        expires_at: linked.expires_at,
        ended: linked.ended.clone(),
    }
    .into())
}

const TEAMS: &str = "
    SELECT t.name, b.role FROM invitation_teams b JOIN teams t ON t.id = b.team_id WHERE b.invitation_id = $1 ORDER BY t.id";

fn named(linked: &Linked) -> String {
    linked.org_name.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| linked.org_login.clone())
}

/// Accept an invitation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Accept {
    /// Login of the new account, if there is none yet.
    pub login: Option<String>,
    /// Name of the person, for a new account.
    pub name: Option<String>,
}

/// The result of accepting.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// Login of the organization.
    pub org: String,
    /// Name of the organization, or its login.
    pub org_name: String,
    /// Login of the person.
    pub login: String,
    /// The token of a new account, which is shown only now.
    pub token: Option<String>,
}

/// Makes the invited person a member. If the e-mail address belongs to no account, creates one first.
pub fn accept(cx: &mut Cx, linked: Granted<Linked>, p: Accept) -> Result<Record<Accepted>> {
    let account = answering(cx, &linked)?;
    let is_new = account.is_none();
    let person = match account {
        Some(account) => account,
        None => create(cx, &linked, &p)?,
    };
    let org = linked.org;
    let token = as_person(cx, &person, |cx| {
        if is_new {
            user::announce(cx, &person)?;
        }
        ending::accept(cx, org, &person)?;
        // An invitation that has just ended makes no one a member.
        org::role_of(cx.tx, org, person.id)?.ok_or(Error::NotFound)?;
        if is_new { make_token(cx, &person).map(Some) } else { Ok(None) }
    })?;
    Ok(Accepted { org: linked.org_login.clone(), org_name: named(&linked), login: person.login, token }.into())
}

/// Decline an invitation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Decline {}

/// Declines the invitation, which stays as a failed one.
pub fn decline(cx: &mut Cx, linked: Granted<Linked>, _: Decline) -> Result<Done> {
    let account = answering(cx, &linked)?;
    let open = invitations::open(cx, linked.org, linked.id)?.ok_or(Error::NotFound)?;
    match account {
        Some(person) => as_person(cx, &person, |cx| ending::decline(cx, &open))?,
        None => ending::decline(cx, &open)?,
    }
    Ok(Done)
}

/// The account that answers, if there is one. Refused if the link does not prove that it is this account, or if the
/// invitation has ended.
fn answering(cx: &mut Cx, linked: &Linked) -> Result<Option<User>> {
    if let Some(ended) = &linked.ended {
        return Err(Error::Absent(ended.clone().into()));
    }
    if !linked.is_proof(cx.tx)? {
        let text = "This link does not prove who you are. Accept with a token of the invited account: \
                    PATCH /user/memberships/orgs/{org}.";
        return Err(Error::Forbidden(text.into()));
    }
    let account = linked.account(cx.tx)?;
    if account.as_ref().is_some_and(|account| account.suspended) {
        return Err(Error::Suspended);
    }
    Ok(account)
}

/// Creates the account of a person who was invited by e-mail address; the link proves that it is theirs.
fn create(cx: &mut Cx, linked: &Linked, p: &Accept) -> Result<User> {
    let person = chosen::create(cx, p.login.as_deref().unwrap_or_default(), p.name.as_deref())?;
    if !email::add(cx.tx, person.id, &linked.address)? {
        return Err(Error::NotFound);
    }
    Ok(person)
}

fn make_token(cx: &mut Cx, person: &User) -> Result<String> {
    let scopes = Scopes::parse(SCOPES).map_err(|error| Error::Bug(error.to_string()))?;
    let note = Some("Made when the invitation was accepted");
    let new = New {
        user: person.id,
        kind: "personal",
        made_by: None,
        scopes,
        note,
        expires_at: None,
        effective_teams: false,
    };
    let (id, text) = token::create(cx.tx, &new, None, &cx.site.token_prefix, cx.now()?)?;
    let after = json!({ "id": id, "user": person.login, "scopes": new.scopes.header(), "note": note });
    cx.record(journal::SITE, Change::new("oauth_access.create", &json!(null), &after))?;
    Ok(text)
}
