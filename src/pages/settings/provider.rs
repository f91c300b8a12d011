//! The connections of a person's account with identity providers.

use askama::Template;
use serde_json::Value;

use super::{Room, page, see};
use crate::error::{Error, Result};
use crate::identity::Provider;
use crate::pages::guest::{Guest, body};
use crate::pages::layout::{Frame, Shown};
use crate::pages::provider;
use crate::signin::provider::Tied;

/// The path of the room below the settings.
pub(super) const AT: &str = "/provider";

/// Answers a visit to the room.
pub(super) async fn answer(guest: &Guest<'_>) -> Result<Shown> {
    let Some(form) = &guest.visit.form else { return show(guest).await };
    if let Some(refusal) = guest.refuse(&page(AT))? {
        return Ok(refusal);
    }
    if form.get("untie").is_empty() {
        let provider = guest.provider.ok_or(Error::NotFound)?;
        return provider::lead(guest, provider, "provider.connect", None).await;
    }
    let id = form.get("untie").parse::<i64>().map_err(|_| Error::NotFound)?;
    guest.call::<Value>("provider.untie", &[], body([("id", id.into())])).await?;
    Ok(see(guest, AT, "disconnected"))
}

async fn show(guest: &Guest<'_>) -> Result<Shown> {
    let ties: Vec<Tied> = guest.call("provider.list", &[], body([])).await?;
    if ties.is_empty() && guest.provider.is_none() {
        return Err(Error::NotFound);
    }
    let is_tied = |provider: &Provider| ties.iter().any(|tie| tie.issuer == provider.issuer());
    let offered = guest.provider.filter(|provider| !is_tied(provider)).map(Provider::host);
    let (frame, room) = (guest.frame()?, Room::new(guest, AT, None)?);
    let login = (!guest.is_recent()).then(|| guest.login_from_here());
    Shown::of(200, &Connections { frame, room, ties: &ties, offered, login })
}

#[derive(Template)]
#[template(path = "settings/provider.html")]
struct Connections<'a> {
    frame: Frame,
    room: Room,
    ties: &'a [Tied],
    /// The host of the site's provider, if the account is not connected with it.
    offered: Option<&'a str>,
    /// The path of the page to sign in, if a recent sign-in is needed before a connection is changed.
    login: Option<String>,
}
