//! The forms that give access and take it away.

use serde_json::Value;

use super::place::Place;
use crate::error::{Error, Result};
use crate::pages::form::Form;
use crate::pages::guest::{Guest, body};
use crate::pages::plain::{self, MAY_NOT};
use crate::teams::rooms::named::Named;

/// Carries out a form. Returns the word for what was done.
pub(super) async fn give(guest: &Guest<'_>, place: &Place, form: &Form) -> Result<&'static str> {
    let (org, typed_name, level) = (form.get("org"), form.get("who").trim(), form.get("level"));
    let slug = if form.get("do") == "give-team" { slug(guest, &place.owner, typed_name).await? } else { None };
    let who = slug.as_deref().unwrap_or(typed_name);
    let team_org = if org.is_empty() { &place.owner } else { org };
    let team = place.path(&[("org", team_org), ("team_slug", who)]);
    let person = place.path(&[("username", who)]);
    let level = body([("permission", level.into())]);
    let of = &place.operations;
    let is_gone = match form.get("do") {
        "change-team" | "take-team" => !place.is_given_to_team(guest, [team_org, who]).await?,
        "change-person" | "take-person" => !place.is_given_to_person(guest, who).await?,
        _ => false,
    };
    if is_gone {
        return Err(Error::sentence(format!("{who} does not have this access any more. Nothing has changed.")));
    }
    match form.get("do") {
        "give-team" | "change-team" => {
            typed(guest.call::<Value>(of.add_team, &team, level).await, NO_TEAM).map(|_| "given")
        }
        "give-person" | "change-person" => {
            typed(guest.call::<Value>(of.add_person, &person, level).await, NO_PERSON).map(|_| "given")
        }
        "take-team" => guest.call::<Value>(of.remove_team, &team, body([])).await.map(|_| "taken"),
        "take-person" => guest.call::<Value>(of.remove_person, &person, body([])).await.map(|_| "taken"),
        _ => Err(Error::NotFound),
    }
}

/// The slug of the team with this name; none if the visitor sees no such team.
async fn slug(guest: &Guest<'_>, org: &str, name: &str) -> Result<Option<String>> {
    let named = guest.call::<Vec<Named>>("rooms.named", &[("org", org)], body([("names", name.into())])).await;
    match named {
        Ok(named) => Ok(named.into_iter().next().and_then(|of| of.slug)),
        Err(error @ (Error::Unavailable(_) | Error::Bug(_))) => Err(error),
        Err(_) => Ok(None),
    }
}

const NO_TEAM: &str = "There is no such team, or you cannot see it.";

const NO_PERSON: &str = "There is no account with this login. Enter the login of a person who has one.";

/// The same answer, where a name that was typed may name nothing.
fn typed(answer: Result<Value>, missing: &'static str) -> Result<Value> {
    answer.map_err(|error| match error {
        Error::NotFound | Error::Invalid(_) => Error::explained("Access", "missing", "who", missing),
        Error::Forbidden(why) => Error::explained("Access", "invalid", "who", plain::sentence(&why, MAY_NOT)),
        other => other,
    })
}
