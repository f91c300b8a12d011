//! Open invitations that lead to a team: sending them again, and ending them.

use serde::Deserialize;
use serde_json::Value;

use super::room::Room;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::form::Form;
use crate::pages::guest::{Listed, body};

/// The most invitations that are shown.
const MOST: u64 = 10;

/// An open invitation.
#[derive(Deserialize)]
pub(super) struct Invitation {
    pub id: i64,
    pub login: Option<String>,
    pub email: Option<String>,
    role: String,
    pub created_at: Time,
    pub inviter: Inviter,
}

#[derive(Deserialize)]
pub(super) struct Inviter {
    pub login: String,
}

#[derive(Deserialize)]
struct Account {
    id: i64,
}

impl Invitation {
    /// The login or the e-mail address.
    pub fn who(&self) -> &str {
        self.login.as_deref().or(self.email.as_deref()).unwrap_or_default()
    }

    /// The role in the organization, unless it is that of a member.
    pub fn role(&self) -> &'static str {
        match self.role.as_str() {
            "admin" => "as an owner, ",
            "reinstate" => "again, ",
            _ => "",
        }
    }
}

/// The open invitations; none if the visitor may not see them.
pub(super) async fn open(room: &Room<'_>) -> Result<Listed<Invitation>> {
    let first = Page { number: 1, per_page: MOST };
    if !room.manages {
        return Ok(Listed { items: Vec::new(), total: 0, page: first });
    }
    room.list("teams.listPendingInvitationsInOrg", body([]), first).await
}

/// Carries out a form about an invitation.
pub(super) async fn send(room: &Room<'_>, form: &Form, word: &str) -> Result<&'static str> {
    let (org, invitation) = (("org", room.team.org.as_str()), form.get("invitation"));
    let done = match word {
        "again" => again(room, invitation).await.map(|()| "sent"),
        "cancel" => {
            let at = [org, ("invitation_id", invitation)];
            room.guest.call::<Value>("orgs.cancelInvitation", &at, body([])).await.map(|_| "canceled")
        }
        "take" => room.remove(form.get("login")).await.map(|()| "taken"),
        _ => return Err(Error::NotFound),
    };
    match done {
        // It was sent a second time, or the person answered meanwhile.
        Err(Error::NotFound) if room.manages => Ok("ended"),
        done => done,
    }
}

async fn again(room: &Room<'_>, id: &str) -> Result<()> {
    let open = open(room).await?;
    let of = open.items.into_iter().find(|of| of.id.to_string() == id).ok_or(Error::NotFound)?;
    let mut fields = body([("role", of.role.into())]);
    match (&of.login, of.email) {
        (Some(login), _) => {
            let account: Account = room.guest.call("users.getByUsername", &[("username", login)], body([])).await?;
            fields.insert("invitee_id".to_owned(), account.id.into());
        }
        (None, email) => {
            fields.insert("email".to_owned(), email.into());
        }
    }
    room.guest.call::<Value>("orgs.createInvitation", &[("org", &room.team.org)], fields).await.map(drop)
}
