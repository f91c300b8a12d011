//! Inviting a person to an organization on a page: by login or e-mail address, with a role, into teams.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::team_ids;
use crate::clock::Time;
use crate::deliver::invitations::Invited;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::problem::{Checked, Problem};

/// An account with the login that was typed.
#[derive(Deserialize)]
struct Account {
    id: i64,
    #[serde(rename = "type")]
    kind: String,
}

/// The parameters of an invitation, each with its field of the form.
const FIELDS: [(&str, &str); 3] = [("email", "who"), ("invitee_id", "who"), ("team_ids", "teams")];

/// An invitation that was sent.
#[derive(Deserialize)]
pub(in crate::pages) struct Sent {
    created_at: Time,
}

impl Sent {
    /// True if it was open already at this time. Records have whole seconds.
    pub fn was_open(&self, at: Time) -> bool {
        self.created_at.seconds() < at.seconds()
    }
}

/// Sends the invitation of a form, and returns the word for that.
pub(super) async fn send(guest: &Guest<'_>, org: &str, form: &Form) -> Result<Checked<&'static str>> {
    let who = form.get("who").trim().trim_start_matches('@');
    let problem = |text: String| Problem::at("who", text);
    let wrong = Problem::default();
    let (teams, wrong) = match team_ids(guest, org, "teams", form.get("teams")).await? {
        Ok(teams) => (teams, wrong),
        Err(unknown) => (Vec::new(), wrong.and(unknown)),
    };
    let role = if form.get("role").is_empty() { "direct_member" } else { form.get("role") };
    let mut fields = body([("role", role.into()), ("team_ids", json!(teams))]);
    if who.is_empty() {
        return Ok(Err(problem("Enter a login or an e-mail address.".to_owned()).and(wrong)));
    }
    if who.contains('@') {
        fields.insert("email".to_owned(), who.into());
    } else {
        match guest.call::<Account>("users.getByUsername", &[("username", who)], body([])).await {
            Ok(account) if account.kind == "User" => fields.insert("invitee_id".to_owned(), account.id.into()),
            Ok(_) | Err(Error::NotFound) => {
                let text = "No person here has this login. An e-mail address has an @, like name@example.com.";
                return Ok(Err(problem(text.to_owned()).and(wrong)));
            }
            Err(error) => return Err(error),
        };
    }
    if !wrong.is_none() {
        return Ok(Err(wrong));
    }
    let before = guest.service.now();
    Ok(offer(guest, org, fields).await?.map(|sent| if sent.was_open(before) { "open" } else { "invited" }))
}

/// Sends an open invitation again, and returns the word for that, or for one that is not open any more.
pub(super) async fn again(guest: &Guest<'_>, org: &str, id: &str) -> Result<Checked<&'static str>> {
    let fields = body([("invitations", id.into())]);
    let open: Vec<Invited> = guest.call("rooms.invitations", &[("org", org)], fields).await?;
    let Some(of) = open.into_iter().find(|of| of.id.to_string() == id) else { return Ok(Ok("ended")) };
    let mut fields = body([("role", of.role.into())]);
    match of.login {
        Some(login) => {
            let account: Account = guest.call("users.getByUsername", &[("username", &login)], body([])).await?;
            fields.insert("invitee_id".to_owned(), account.id.into())
        }
        None => fields.insert("email".to_owned(), of.email.into()),
    };
    Ok(offer(guest, org, fields).await?.map(|_| "again"))
}

/// Makes an invitation, or sends the open one again.
async fn offer(guest: &Guest<'_>, org: &str, fields: Map<String, Value>) -> Result<Checked<Sent>> {
    match guest.call("orgs.createInvitation", &[("org", org)], fields).await {
        Ok(sent) => Ok(Ok(sent)),
        Err(error) => Problem::of(error).map(|of| match of {
            Problem { field: "email", code: "invalid", .. } => {
                Err(Problem::at("who", "Enter an address with an @, like name@example.com."))
            }
            of => Err(of.on(&FIELDS)),
        }),
    }
}
