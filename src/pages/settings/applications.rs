//! The applications that may act for a person, which they revoke here, and those that they have registered (decision 62).

use askama::Template;
use serde_json::Value;

use super::{Confirm, Room, page, see};
use crate::error::{Error, Result};
use crate::oauth::own_applications::Listed as Registered;
use crate::oauth::own_consents::OwnConsent;
use crate::pages::form::Form;
use crate::pages::guest::{Guest, Listed, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::scope_words;

pub(super) const AT: &str = "/applications";

/// The number of applications in each of the two lists on a page.
const MOST: u64 = 20;

/// The field of the query for the page of the second list.
const SECOND: &str = "registered-page";

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else {
        return match guest.query("revoke").as_str() {
            "" => show(guest).await,
            client_id => confirm(guest, client_id).await,
        };
    };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    revoke(guest, form).await
}

async fn revoke(guest: &Guest<'_>, form: &Form) -> Result<Shown> {
    if form.get("do") != "revoke" {
        return Err(Error::NotFound);
    }
    guest.call::<Value>("consents.end", &[], body([("client_id", form.get("application").into())])).await?;
    Ok(see(guest, AT, "forgotten"))
}

async fn consents(guest: &Guest<'_>) -> Result<Vec<OwnConsent>> {
    guest.call("consents.list", &[], body([])).await
}

/// The page that asks before an application is revoked.
async fn confirm(guest: &Guest<'_>, client_id: &str) -> Result<Shown> {
    let found = consents(guest).await?.into_iter().find(|of| of.client_id == client_id).ok_or(Error::NotFound)?;
    let text = if found.asks {
        "It can no longer act for you, and all its tokens for you stop working at once. It may ask you again."
    } else {
        "All its tokens for you stop working at once. The operator of this site lets it sign you in again without asking \
         you."
    };
    let page = Confirm {
        frame: guest.frame()?,
        room: Room::new(guest, AT, None)?,
        to: AT,
        question: format!("Revoke {}?", found.name),
        text,
        named: ("application", client_id),
        button: ("revoke", format!("Revoke {}", found.name)),
    };
    Shown::of(200, &page)
}

async fn show(guest: &Guest<'_>) -> Result<Shown> {
    let consents = Listed::part(consents(guest).await?, guest.page(MOST));
    let registered: Vec<Registered> = guest.call("ownApplications.list", &[], body([])).await?;
    let registered = Listed::part(registered, guest.page_of(SECOND, MOST));
    Shown::of(200, &Applications { frame: guest.frame()?, room: Room::new(guest, AT, None)?, consents, registered })
}

#[derive(Template)]
#[template(path = "settings/applications.html")]
struct Applications {
    frame: Frame,
    room: Room,
    consents: Listed<OwnConsent>,
    /// The applications that the person manages.
    registered: Listed<Registered>,
}

impl Applications {
    /// The query that keeps the page of the second list, before that of the first.
    fn kept_for_consents(&self) -> String {
        format!("{SECOND}={}&", self.registered.page.number)
    }

    /// The same for the pages of the second list, whose field of the query ends like that of the first.
    fn kept_for_registered(&self) -> String {
        let begins = SECOND.trim_end_matches("page");
        format!("page={}&{begins}", self.consents.page.number)
    }

    /// The permissions of an application, in words.
    #[expect(clippy::unused_self, reason = "templates call methods")]
    fn words(&self, of: &OwnConsent) -> String {
        let teams = if of.effective_teams { " See the teams above yours as if you were on them." } else { "" };
        [&scope_words::sentences(&of.scopes), teams].concat()
    }
}
