//! Requests to join a team: list, create, decide, withdraw (decision 65).
//!
//! A person has one row for each team, which a new request replaces. `members::join_requests` ends the open ones.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::membership;
use super::roles::role_in;
use super::team::Team;
use crate::clock::Time;
use crate::db::{Tx, row, select, word_of};
use crate::error::{Error, Result};
use crate::journal::{Change, Event};
use crate::links::Links;
use crate::operation::{Cx, Done, Either, List, Record};
use crate::people::user::{self, SimpleUser, User};
use crate::policy::{Granted, MAINTAINER, OWNER};
use crate::record::record;
use crate::words::words;

/// The resource that refusals name.
const RESOURCE: &str = "JoinRequest";

/// The longest message, in characters.
const MESSAGE_MAX: usize = 500;

/// The time after an e-mail about a person and a team in which no other one is sent, as for invitations.
const MAIL_SECONDS: i64 = 24 * 3_600;

/// The time after a refusal in which the person cannot ask again.
const WAIT_SECONDS: i64 = 7 * 24 * 3_600;

words! {
    /// The state of a request to join a team, as it is stored.
    pub enum State {
        /// It waits for a decision.
        Open = "open",
        /// The person was added.
        Approved = "approved",
        /// The person was refused.
        Declined = "declined",
        /// The person does not ask any more. It is not shown.
        Withdrawn = "withdrawn",
    }

    /// The state of listed requests.
    #[derive(Default)]
    pub enum Listed {
        /// Requests without a decision.
        Open = "open",
        /// Approved requests.
        Approved = "approved",
        /// Declined requests.
        Declined = "declined",
        /// All requests.
        #[default]
        All = "all",
    }

    /// A decision.
    pub enum Decision {
        /// The person is added to the team.
        Approved = "approved",
        /// The person is not added.
        Declined = "declined",
    }
}

row! {
    /// A request as it is stored.
    struct Request from "j" {
        id: i64,
        state: &'static str => word_of(&State::WORDS),
        message: Option<String>,
        created_at: Time,
        mailed_at: Time,
        decided_at: Option<Time>,
        user: User = User::COLUMNS,
        decided_by: Option<User> = "d.id, d.login, d.site_admin" => user::joined,
    }
}

record! {
    /// A request to join a team.
    #[schemars(rename = "team-join-request")]
    pub struct TeamJoinRequest {
        /// ID.
        pub id: i64 = request.id,
        /// The person who asks.
        pub user: SimpleUser = SimpleUser::new(links, &request.user),
        /// `open`, `approved` or `declined`.
        pub state: &'static str = request.state,
        /// The message of the person.
        pub message: Option<String> = request.message,
        /// Creation time.
        pub created_at: Time = request.created_at,
        /// The person who decided; null while it is open, or if the account was deleted.
        pub decided_by: Option<SimpleUser> = request.decided_by.map(|user| SimpleUser::new(links, &user)),
        /// The time of the decision.
        pub decided_at: Option<Time> = request.decided_at,
    }

    /// The record of a request.
    fn new(links: &Links, request: Request) {}
}

/// The requests of a team that are shown: an open one of a person who became a member otherwise has ended.
macro_rules! shown {
    ($select:expr, $rest:literal) => {
        const_str::concat!(
            $select,
            " FROM join_requests j JOIN users u ON u.id = j.user_id LEFT JOIN users d ON d.id = j.decided_by
              WHERE j.team_id = $1 AND (j.state IN ('approved', 'declined') OR j.state = 'open' AND NOT EXISTS
                  (SELECT 1 FROM team_members tm WHERE tm.team_id = j.team_id AND tm.user_id = j.user_id))",
            $rest
        )
    };
}

/// List the requests to join a team, the newest first. Owners and maintainers see all, other people their own.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OfTeam {
    /// Filter by state.
    #[schemars(extend("default" = "all"))]
    pub state: Option<Listed>,
}

/// Lists the requests.
pub fn list(cx: &mut Cx, team: Granted<Team>, p: OfTeam) -> Result<List<TeamJoinRequest>> {
    let person = if manages(&team) { None } else { Some(cx.my_id()) };
    let state = p.state.unwrap_or_default().word();
    let (limit, offset) = cx.page.sql();
    let total: i64 = cx.tx.one(COUNT, &[&team.id, &person, &state])?;
    let requests: Vec<Request> = cx.tx.all(PAGE, &[&team.id, &person, &state, &limit, &offset])?;
    List::of(requests.into_iter().map(|request| TeamJoinRequest::new(cx.links, request)), total)
}

const COUNT: &str =
    shown!("SELECT count(*)", " AND (CAST($2 AS BIGINT) IS NULL OR j.user_id = $2) AND (j.state = $3 OR $3 = 'all')");

const PAGE: &str = shown!(
    const_str::concat!("SELECT ", Request::COLUMNS),
    " AND (CAST($2 AS BIGINT) IS NULL OR j.user_id = $2) AND (j.state = $3 OR $3 = 'all')
      ORDER BY j.id DESC LIMIT $4 OFFSET $5"
);

/// True if the caller decides about requests.
fn manages(team: &Granted<Team>) -> bool {
    team.allows(&(OWNER | MAINTAINER))
}

/// Ask to join a team. A person can have one open request for each team, which is returned if there is one.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Create {
    /// A message for the people who decide.
    #[schemars(length(max = MESSAGE_MAX))]
    pub message: Option<String>,
}

/// 201 with a new request, or 200 with the open one.
pub type Ensured = Either<Record<TeamJoinRequest, 201>, Record<TeamJoinRequest>>;

/// Makes a request, unless one is open. Maintainers get an e-mail, but none within a day of the last one about the same
/// person and team.
pub fn create(cx: &mut Cx, team: Granted<Team>, p: Create) -> Result<Ensured> {
    if team.is_secret() {
        return Err(Error::NotFound);
    }
    let me = cx.me()?;
    if role_in(cx.tx, team.id, me.id)?.is_some() {
        return Err(Error::custom(RESOURCE, "You are already a member of this team."));
    }
    let message = valid(p.message)?;
    let last: Option<Request> = cx.tx.maybe(LAST, &[&team.id, &me.id])?;
    let (now, mut mailed_at) = (cx.now()?, None);
    if let Some(last) = last {
        if last.state == State::Open.word() {
            return Ok(Either::Other(TeamJoinRequest::new(cx.links, last).into()));
        }
        refuse_too_soon(&last, now)?;
        mailed_at = Some(last.mailed_at).filter(|at| at.plus_seconds(MAIL_SECONDS) > now);
    }
    cx.count_creation()?;
    cx.tx.run("DELETE FROM join_requests WHERE team_id = $1 AND user_id = $2", &[&team.id, &me.id])?;
    let id: i64 =
        cx.tx.run_one(INSERT, &[&team.id, &me.id, &message, &now.0, &mailed_at.unwrap_or(now).0, &team.org_id])?;
    let asked = Change::new("team.request_join", &json!(null), &facts(&team, id, &me.login, State::Open.word()));
    let mails = Event::JoinAsked { team: team.id, request: id };
    cx.record(team.org_id, if mailed_at.is_none() { asked.with_event(&mails) } else { asked })?;
    Ok(Either::One(TeamJoinRequest::new(cx.links, found(cx.tx, &team, id)?).into()))
}

const LAST: &str = select!(Request from
    "join_requests j JOIN users u ON u.id = j.user_id LEFT JOIN users d ON d.id = j.decided_by
     WHERE j.team_id = $1 AND j.user_id = $2");

const INSERT: &str = "
    INSERT INTO join_requests (team_id, user_id, state, message, created_at, mailed_at, org_id)
    VALUES ($1, $2, 'open', $3, $4, $5, $6) RETURNING id";

/// Returns the message without white space around it; none if nothing is left.
fn valid(message: Option<String>) -> Result<Option<String>> {
    let message = message.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if message.as_ref().is_some_and(|text| text.chars().count() > MESSAGE_MAX) {
        let text = format!("message is too long (maximum is {MESSAGE_MAX} characters)");
        return Err(Error::explained(RESOURCE, "custom", "message", text));
    }
    Ok(message)
}

/// The time from which a person can ask again who was refused at this time.
#[must_use]
pub fn asks_again(declined: Time) -> Time {
    declined.plus_seconds(WAIT_SECONDS)
}

fn refuse_too_soon(last: &Request, now: Time) -> Result<()> {
    let declined = last.decided_at.filter(|_| last.state == State::Declined.word());
    match declined.map(asks_again) {
        Some(from) if from > now => {
            let text = from.text();
            let from = String::from_utf8_lossy(&text);
            let text = format!("Your request was declined. You can ask again from {from} on.");
            Err(Error::custom(RESOURCE, text))
        }
        _ => Ok(()),
    }
}

/// Approve or decline a request to join a team. An approval adds the person as a member.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Decide {
    /// ID of the request.
    pub join_request_id: i64,
    /// The decision.
    pub state: Decision,
}

/// Decides an open request. Repeating a decision changes nothing.
pub fn decide(cx: &mut Cx, team: Granted<Team>, p: Decide) -> Result<Record<TeamJoinRequest>> {
    let (request, decision) = (found(cx.tx, &team, p.join_request_id)?, p.state.word());
    if request.state == decision {
        return Ok(TeamJoinRequest::new(cx.links, request).into());
    }
    refuse_decided(&request)?;
    if decision == Decision::Approved.word() {
        membership::add(cx, &team, &request.user, ("member", None))?;
    }
    cx.tx.run(DECIDE, &[&request.id, &decision, &cx.me()?.id, &cx.now()?.0])?;
    let facts = |state| facts(&team, request.id, &request.user.login, state);
    let decided = Change::new("team.decide_join", &facts(request.state), &facts(decision));
    let mail = Event::JoinDecided { request: request.id, person: request.user.id };
    cx.record(team.org_id, decided.with_event(&mail))?;
    Ok(TeamJoinRequest::new(cx.links, found(cx.tx, &team, request.id)?).into())
}

const DECIDE: &str = "
    UPDATE join_requests
    SET state = $2, decided_by = $3, decided_at = CASE WHEN created_at > $4 THEN created_at ELSE $4 END
    WHERE id = $1";

fn refuse_decided(request: &Request) -> Result<()> {
    if request.state == State::Open.word() {
        return Ok(());
    }
    Err(Error::custom(RESOURCE, format!("This request is {} already.", request.state)))
}

/// Withdraw the caller's own open request to join a team.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Withdraw {
    /// ID of the request.
    pub join_request_id: i64,
}

/// Ends an open request of the caller; 404 for one that they do not see.
pub fn withdraw(cx: &mut Cx, team: Granted<Team>, p: Withdraw) -> Result<Done> {
    let request = found(cx.tx, &team, p.join_request_id)?;
    if request.user.id != cx.my_id() {
        let text = "Only the person who asked can withdraw a request. Decline it instead.";
        return Err(if manages(&team) { Error::Forbidden(text.into()) } else { Error::NotFound });
    }
    refuse_decided(&request)?;
    cx.tx.run("UPDATE join_requests SET state = 'withdrawn', message = NULL WHERE id = $1", &[&request.id])?;
    let before = facts(&team, request.id, &request.user.login, request.state);
    cx.record(team.org_id, Change::new("team.withdraw_join", &before, &json!(null)))?;
    Ok(Done)
}

/// The request of a team with this identifier, if it is shown.
fn found(tx: &mut Tx, team: &Team, id: i64) -> Result<Request> {
    tx.maybe(FOUND, &[&team.id, &id])?.ok_or(Error::NotFound)
}

const FOUND: &str = shown!(const_str::concat!("SELECT ", Request::COLUMNS), " AND j.id = $2");

/// A request as the audit log shows it, without its message.
fn facts(team: &Team, request: i64, user: &str, state: &str) -> Value {
    json!({ "request": request, "team": team.id, "team_slug": team.slug, "user": user, "state": state })
}
