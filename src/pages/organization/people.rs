//! The people of an organization: members with their teams, and for owners also those who are invited and those from
//! outside.

use std::collections::HashMap;

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

use super::{Organization, invite};
use crate::clock::Time;
use crate::deliver::invitations::Invited;
use crate::dispatch::FIRST;
use crate::error::{Error, Result};
use crate::links::segment;
use crate::operation::Page;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::problem::{Checked, Problem};
use crate::pages::suggestions::{self, Suggestion};
use crate::pages::undelivered::{self, Reason};
use crate::teams::rooms::people::Member;

/// The number of people on a page of one kind.
const MANY: u64 = 25;

/// The number of people of each other kind on the page of members.
const FEW: u64 = 5;

/// The kinds besides members that owners see alone, by the word in the query.
const KINDS: [&str; 3] = ["invited", "failed", "outside"];

/// The roles to filter by, with their names.
const ROLES: [(&str, &str); 3] = [("", "Any role"), ("admin", "Owner"), ("member", "Member")];

/// The longest text that is searched for, in characters.
const LONGEST: usize = 200;

/// The sentences after a form, by the word in the query.
const DONE: [(&str, &str); 7] = [
    ("invited", "Invitation sent."),
    ("open", "They were invited already. The invitation is sent again, and earlier links no longer work."),
    ("again", "Invitation sent again. Earlier links no longer work."),
    ("cancelled", "Invitation canceled."),
    ("ended", "That invitation was answered or has ended."),
    ("removed", "They are no longer a member, and on none of its teams."),
    ("outside", "They have no access from outside any more."),
];

/// An invitation.
#[derive(Deserialize)]
struct Invitation {
    id: i64,
    login: Option<String>,
    email: Option<String>,
    role: String,
    created_at: Time,
    failed_at: Option<Time>,
    failed_reason: Option<String>,
    inviter: Person,
    team_count: i64,
}

impl Invitation {
    /// The login or the address that is invited.
    fn who(&self) -> &str {
        self.login.as_deref().or(self.email.as_deref()).unwrap_or("a deleted account")
    }

    /// The role that it offers, and the teams, of which these are the first.
    fn offers(&self, teams: &[String]) -> String {
        let role = match self.role.as_str() {
            "admin" => "as an owner",
            "billing_manager" => "as a billing manager",
            "reinstate" => "with the role they had",
            _ => "as a member",
        };
        match self.team_count {
            0 => format!("{role}, not on a team yet"),
            count => {
                let named = i64::try_from(teams.len()).unwrap_or_default();
                let more = if count > named { format!(" and {} more", count - named) } else { String::new() };
                format!("{role}, to {}{more}", teams.join(", "))
            }
        }
    }
}

#[derive(Deserialize)]
struct Person {
    login: String,
}

/// Answers a visit to the page.
pub(super) async fn answer(guest: &Guest<'_>, org: &str) -> Result<Shown> {
    let is_owner = guest.may("orgs.createInvitation", &[("org", org)]).await?;
    let Some(form) = &guest.visit.form else {
        return show(guest, org, is_owner, (&Form::default(), Problem::default())).await;
    };
    if let Some(refusal) = guest.refuse(&guest.visit.path)? {
        return Ok(refusal);
    }
    let done: Checked<&str> = match form.get("do") {
        "invite" => invite::send(guest, org, form).await?,
        "again" => invite::again(guest, org, form.get("invitation")).await?,
        "cancel" => {
            let at = [("org", org), ("invitation_id", form.get("invitation"))];
            match guest.call::<Value>("orgs.cancelInvitation", &at, body([])).await {
                Err(Error::NotFound) if is_owner => Ok("ended"),
                done => done.map(|_| Ok("cancelled"))?,
            }
        }
        _ => return Err(Error::NotFound),
    };
    match done {
        Ok(done) => Ok(guest.see(&format!("/orgs/{}/people", segment(org)), done)),
        Err(problem) => show(guest, org, is_owner, (form, problem)).await,
    }
}

async fn show(guest: &Guest<'_>, org: &str, is_owner: bool, (typed, problem): (&Form, Problem)) -> Result<Shown> {
    let [role, kind] = ["role", "show"].map(|name| guest.query(name));
    let role = ROLES.iter().find(|(word, _)| *word == role).map_or("", |(word, _)| word);
    let kind = KINDS.into_iter().find(|word| is_owner && *word == kind).unwrap_or_default();
    let q: String = guest.query("q").trim().chars().take(LONGEST).collect();
    let mut fields = body([]);
    for (name, value) in [("role", role), ("q", &q)].into_iter().filter(|(_, value)| !value.is_empty()) {
        fields.insert(name.to_owned(), value.into());
    }
    let at = [("org", org)];
    // An outsider does not find this list, so it is looked up even if it is not shown.
    let page = if kind.is_empty() { guest.page(MANY) } else { Page { per_page: 1, ..FIRST } };
    let members = guest.list("rooms.people", &at, fields, page).await?;
    let mut shown = People {
        of: Organization::find(guest, org).await?,
        is_owner,
        kind,
        role,
        q,
        members,
        frame: guest.frame()?,
        invited: None,
        details: HashMap::new(),
        failed: None,
        outside: None,
        teams: Vec::new(),
        typed,
        done: guest.done(&DONE),
        problem,
    };
    // On the page of all kinds, these are below the first members alone.
    let is_first = kind.is_empty() && is_owner && shown.members.page.number == 1 && !shown.is_filtered();
    let page = if kind.is_empty() { Page { per_page: FEW, ..FIRST } } else { guest.page(MANY) };
    if is_first || kind == "invited" {
        let list: Listed<Invitation> = guest.list("orgs.listPendingInvitations", &at, body([]), page).await?;
        let ids: Vec<String> = list.items.iter().map(|of| of.id.to_string()).collect();
        let fields = body([("invitations", ids.join(",").into())]);
        let details: Vec<Invited> = guest.call("rooms.invitations", &at, fields).await?;
        shown.details = details.into_iter().map(|of| (of.id, of)).collect();
        shown.invited = Some(list);
    }
    if is_first || kind == "failed" {
        shown.failed = Some(guest.list("orgs.listFailedInvitations", &at, body([]), page).await?);
    }
    if is_first || kind == "outside" {
        shown.outside = Some(guest.list("orgs.listOutsideCollaborators", &at, body([]), page).await?);
    }
    if is_owner && kind.is_empty() {
        shown.teams = suggestions::teams(guest, &shown.of.login).await?;
    }
    Shown::of(shown.problem.status(), &shown)
}

#[derive(Template)]
#[template(path = "organization/people.html")]
struct People<'a> {
    frame: Frame,
    of: Organization,
    is_owner: bool,
    /// The only kind that is shown; empty for members, and the first of all others.
    kind: &'a str,
    /// The role to filter by; empty for any.
    role: &'a str,
    /// The text to filter by.
    q: String,
    members: Listed<Member>,
    invited: Option<Listed<Invitation>>,
    /// The teams, the end and the e-mail of these, by ID.
    details: HashMap<i64, Invited>,
    failed: Option<Listed<Invitation>>,
    outside: Option<Listed<Person>>,
    /// The teams that the form offers.
    teams: Vec<Suggestion>,
    /// The form that comes back with a problem.
    typed: &'a Form,
    /// A sentence about what was just done; empty if nothing was.
    done: &'a str,
    problem: Problem,
}

impl People<'_> {
    fn is_filtered(&self) -> bool {
        !self.q.is_empty() || !self.role.is_empty()
    }

    /// The role and the teams that an open invitation offers.
    fn offers(&self, invitation: &Invitation) -> String {
        let known = self.details.get(&invitation.id);
        invitation.offers(known.map_or(&[], |of| of.teams.as_slice()))
    }

    /// The time at which an open invitation expires.
    fn expires(&self, invitation: &Invitation) -> Option<Time> {
        self.details.get(&invitation.id).map(|of| of.expires_at)
    }

    /// The reason why the e-mail of an invitation did not arrive, if it was given up.
    fn undelivered(&self, invitation: &Invitation) -> Option<Reason<'_>> {
        let status = self.details.get(&invitation.id)?.undelivered.as_deref()?;
        Some(undelivered::of("mail", status))
    }

    /// The part of the query that keeps the filters.
    fn kept(&self) -> String {
        format!("q={}&role={}&", segment(&self.q), self.role)
    }
}
