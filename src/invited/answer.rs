//! Viewing, accepting and declining an invitation with the link in its e-mail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::linked::Linked;
use crate::access::token_text;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::members::invitations::{self, ending};
use crate::operation::{Cx, Done, Record};
use crate::orgs::org;
use crate::people::chosen::{as_person, register};
use crate::people::email_changes as changes;
use crate::people::user::{self, User};
use crate::policy::Granted;
use crate::signin;

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
    /// Login of the new account, if one is made.
    pub login: Option<String>,
    /// Name of the person, for a new account.
    pub name: Option<String>,
    /// The text that identifies the browser.
    pub browser: String,
    /// The `User-Agent` header of the browser.
    pub agent: String,
}

/// The result of accepting.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// Login of the organization.
    pub org: String,
    /// The token of the session that began, if an account was made.
    pub session: Option<String>,
}

/// Makes a person a member: the account that the invitation is for, if it is signed in. If the e-mail address belongs to
/// no account, it becomes one of the person who is signed in, or of an account that is made and signed in. The link alone
/// signs in no account that exists.
pub fn accept(cx: &mut Cx, linked: Granted<Linked>, p: Accept) -> Result<Record<Accepted>> {
    let (account, caller) = (answering(cx, &linked)?, cx.caller.person.clone());
    let session = match (account, caller) {
        (Some(account), Some(caller)) if account.id == caller.id => join(cx, &linked, &account).map(|()| None)?,
        (Some(account), _) => {
            let text = format!("Only {} can accept this invitation. Sign in to that account first.", account.login);
            return Err(Error::Forbidden(text.into()));
        }
        (None, Some(caller)) => {
            cx.refuse_impersonator()?;
            cx.refuse_stale_session()?;
            let own = changes::Person { id: caller.id, login: &caller.login };
            changes::give(cx, own, std::slice::from_ref(&linked.address))?;
            let person = user::by_id(cx.tx, caller.id)?.ok_or(Error::NotFound)?;
            join(cx, &linked, &person).map(|()| None)?
        }
        (None, None) => {
            let person = register(cx, &linked.address, (p.login.as_deref().unwrap_or_default(), p.name.as_deref()))?;
            as_person(cx, &person, |cx| join(cx, &linked, &person))?;
            Some(signin::start(cx, &person, "invitation", (&token_text::hash(&p.browser), &p.agent))?)
        }
    };
    Ok(Accepted { org: linked.org_login.clone(), session }.into())
}

fn join(cx: &mut Cx, linked: &Linked, person: &User) -> Result<()> {
    ending::accept(cx, linked.org, person)?;
    // An invitation that has just ended makes no one a member.
    org::role_of(cx.tx, linked.org, person.id)?.ok_or(Error::NotFound).map(drop)
}

/// Decline an invitation.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Decline {}

/// Declines the invitation, which stays as a failed one. The link is enough.
pub fn decline(cx: &mut Cx, linked: Granted<Linked>, _: Decline) -> Result<Done> {
    answering(cx, &linked)?;
    let open = invitations::open(cx, linked.org, linked.id)?.ok_or(Error::NotFound)?;
    ending::decline(cx, &open)?;
    Ok(Done)
}

/// The account that the invitation is for, if there is one. Refused if it is suspended, or if the invitation has ended.
fn answering(cx: &mut Cx, linked: &Linked) -> Result<Option<User>> {
    if let Some(ended) = &linked.ended {
        return Err(Error::Absent(ended.clone().into()));
    }
    let account = linked.account(cx.tx)?;
    if account.as_ref().is_some_and(|account| account.suspended) {
        return Err(Error::Suspended);
    }
    Ok(account)
}
