//! Requests to join a team: asking, withdrawing and deciding (decision 65).

use serde::Deserialize;
use serde_json::Value;

use super::add::{Sent, Typed};
use super::room::Room;
use crate::clock::Time;
use crate::error::{Error, Result};
use crate::operation::Page;
use crate::pages::form::Form;
use crate::pages::guest::{Listed, body};
use crate::pages::problem::Problem;
use crate::teams::join_requests;

/// The most requests that are shown.
const MOST: u64 = 10;

/// A request to join the team.
#[derive(Deserialize)]
pub(super) struct Request {
    pub id: i64,
    pub user: User,
    pub message: Option<String>,
    pub created_at: Time,
    decided_at: Option<Time>,
}

#[derive(Deserialize)]
pub(super) struct User {
    pub login: String,
}

/// The open requests that the visitor sees: all of them, or their own.
pub(super) async fn open(room: &Room<'_>) -> Result<Listed<Request>> {
    let first = Page { number: 1, per_page: MOST };
    room.list("teams.listJoinRequestsInOrg", body([("state", "open".into())]), first).await
}

/// True if the visitor may ask to join.
pub(super) async fn may_ask(room: &Room<'_>) -> Result<bool> {
    let is_outside = matches!(room.team.standing.as_str(), "child" | "none");
    Ok(is_outside && !room.team.secret && room.guest.may("teams.createJoinRequestInOrg", &room.at()).await?)
}

/// The time from which the visitor can ask again, if they were refused and it has not come.
pub(super) async fn asks_again(room: &Room<'_>) -> Result<Option<Time>> {
    let one = Page { number: 1, per_page: 1 };
    let declined = body([("state", "declined".into())]);
    let last: Listed<Request> = room.list("teams.listJoinRequestsInOrg", declined, one).await?;
    let from = last.items.first().and_then(|request| request.decided_at).map(join_requests::asks_again);
    Ok(from.filter(|from| *from > room.guest.service.now()))
}

/// Carries out a form about a request; none if it is about something else.
pub(super) async fn send(room: &Room<'_>, form: &Form, word: &str) -> Result<Option<Sent>> {
    let request = form.get("request");
    Ok(Some(match word {
        "ask" => return ask(room, form).await.map(Some),
        "approve" => decide(room, request, "approved").await?,
        "decline" => decide(room, request, "declined").await?,
        "withdraw" => {
            let at = room.below("join_request_id", request);
            settled(room.guest.call::<Value>("teams.deleteJoinRequestInOrg", &at, body([])).await, "withdrawn")?
        }
        _ => return Ok(None),
    }))
}

async fn ask(room: &Room<'_>, form: &Form) -> Result<Sent> {
    let typed = Typed::read(form);
    let fields = body([("message", typed.message.clone().into())]);
    match room.call::<Value>("teams.createJoinRequestInOrg", fields).await {
        Ok(_) => Ok(Sent::Done("asked")),
        Err(error) => Ok(Sent::Wrong(Problem::of(error)?.on(&[("message", "message")]), typed)),
    }
}

async fn decide(room: &Room<'_>, request: &str, decision: &'static str) -> Result<Sent> {
    let at = room.below("join_request_id", request);
    let decided = room.guest.call("teams.decideJoinRequestInOrg", &at, body([("state", decision.into())])).await;
    settled(decided, if decision == "approved" { "added" } else { "declined" })
}

/// A request that ended meanwhile is a problem of the form.
fn settled(result: Result<Value>, done: &'static str) -> Result<Sent> {
    match result {
        Ok(_) => Ok(Sent::Done(done)),
        Err(Error::NotFound) => {
            Ok(Sent::Wrong(Problem::at("", "This request is not open any more."), Typed::default()))
        }
        Err(error) => Ok(Sent::Wrong(Problem { field: "", ..Problem::of(error)? }, Typed::default())),
    }
}
