//! Which e-mails and notices follow from an entry. Recipients are planned in steps, so that a post in a team of
//! thousands is done in transactions of limited size.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::hook_off;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, EventEntry};
use crate::notices::{self, Recipient};

/// The e-mails of one step: the same event for several recipients.
#[derive(Debug, PartialEq, Eq)]
pub struct Mails {
    /// The kind of letter that [`super::compose`] composes.
    pub event: &'static str,
    /// What they are about, as JSON.
    pub payload: String,
    /// The recipients: the identifier of a person, or the negated identifier of an invitation.
    pub to: Vec<i64>,
}

/// The notices of one step, for the inboxes.
#[derive(Debug)]
pub struct Notices {
    /// The discussion.
    pub discussion: i64,
    /// The comment, unless the discussion itself is new.
    pub comment: Option<i64>,
    /// When it was posted.
    pub at: Time,
    /// The people who are notified.
    pub recipients: Vec<Recipient>,
}

/// What one step plans for an entry.
#[derive(Debug, Default)]
pub struct Planned {
    /// The e-mails.
    pub mails: Option<Mails>,
    /// The notices.
    pub notices: Option<Notices>,
    /// The last recipient that was read, if there may be more.
    pub next: Option<i64>,
}

// The facts of the events that people are notified of, as far as they matter here.

#[derive(Deserialize)]
struct PersonInvited {
    invitation: Identified,
    mail: bool,
    #[serde(default = "first")]
    generation: i64,
}

#[derive(Deserialize)]
struct InvitationReminded {
    invitation: i64,
    generation: i64,
}

#[derive(Deserialize)]
struct InvitationAccepted {
    invitation: i64,
    inviter: Option<i64>,
    person: Identified,
    teams: Vec<String>,
}

#[derive(Deserialize)]
struct DiscussionCreated {
    discussion: Discussion,
    mentions: Vec<i64>,
}

#[derive(Deserialize)]
struct CommentCreated {
    comment: Comment,
    mentions: Vec<i64>,
}

#[derive(Deserialize)]
struct HookSwitchedOff {
    hook: i64,
}

/// Entries that are older than generations are about the first one.
fn first() -> i64 {
    1
}

#[derive(Debug, Deserialize)]
struct Identified {
    id: i64,
}

#[derive(Debug, Deserialize)]
struct Discussion {
    team: Team,
    id: i64,
    private: bool,
    author: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Comment {
    discussion: Discussion,
    id: i64,
    author: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Team {
    id: i64,
    notification_setting: String,
}

/// The payload of an e-mail about a post.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfPost {
    pub discussion: i64,
    pub comment: Option<i64>,
    pub mentions: Vec<i64>,
}

/// The payload of an e-mail about an invitation.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfInvitation {
    pub invitation: i64,
    pub generation: i64,
}

/// The payload of an e-mail to an inviter.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OfAcceptance {
    pub org: i64,
    pub invitation: i64,
    pub person: i64,
    pub teams: Vec<String>,
}

/// What follows from an entry for the next recipients after this one, up to this many. An event that cannot be read is
/// skipped.
pub fn plan(tx: &mut Tx, org: i64, entry: &EventEntry, after: i64, limit: i64) -> Result<Planned> {
    let planned = match entry.event.as_str() {
        "organization.member_invited" => facts(org, entry).map(invited),
        "invitation.reminded" => facts(org, entry).map(reminded),
        "invitation.accepted" => facts(org, entry).map(|facts| accepted(org, facts)),
        "hook.switched_off" => facts(org, entry).map(|facts| switched_off(tx, org, entry, &facts)),
        "discussion.created" => facts(org, entry).map(|DiscussionCreated { discussion, mentions }| {
            let author = discussion.author;
            posted(tx, org, entry.at, (&discussion, None, author), mentions, (after, limit))
        }),
        "discussion_comment.created" => facts(org, entry).map(|CommentCreated { comment, mentions }| {
            let Comment { discussion, id, author } = comment;
            posted(tx, org, entry.at, (&discussion, Some(id), author), mentions, (after, limit))
        }),
        _ => None,
    };
    planned.unwrap_or_else(|| Ok(Planned::default()))
}

fn facts<T: DeserializeOwned>(org: i64, entry: &EventEntry) -> Option<T> {
    serde_json::from_str(&entry.facts)
        .inspect_err(|error| {
            tracing::warn!(org, entry = entry.number, %error, "skipping an event that cannot be read");
        })
        .ok()
}

fn invited(facts: PersonInvited) -> Result<Planned> {
    let PersonInvited { invitation: Identified { id }, mail, generation } = facts;
    if !mail {
        return Ok(Planned::default());
    }
    one("mail.invitation", &OfInvitation { invitation: id, generation }, -id)
}

fn reminded(facts: InvitationReminded) -> Result<Planned> {
    let InvitationReminded { invitation, generation } = facts;
    one("mail.reminder", &OfInvitation { invitation, generation }, -invitation)
}

fn accepted(org: i64, facts: InvitationAccepted) -> Result<Planned> {
    let InvitationAccepted { invitation, inviter, person: Identified { id }, teams } = facts;
    match inviter {
        Some(inviter) if inviter != id => {
            one("mail.accepted", &OfAcceptance { org, invitation, person: id, teams }, inviter)
        }
        _ => Ok(Planned::default()),
    }
}

fn switched_off(tx: &mut Tx, org: i64, entry: &EventEntry, facts: &HookSwitchedOff) -> Result<Planned> {
    let to = hook_off::recipients(tx, org)?;
    let about = json!({ "hook": facts.hook, "entry": entry.number });
    Ok(Planned { mails: mails("mail.hook_off", &about, to)?, ..Planned::default() })
}

fn one(event: &'static str, payload: &impl Serialize, to: i64) -> Result<Planned> {
    Ok(Planned { mails: mails(event, payload, vec![to])?, ..Planned::default() })
}

fn mails(event: &'static str, payload: &impl Serialize, to: Vec<i64>) -> Result<Option<Mails>> {
    if to.is_empty() {
        return Ok(None);
    }
    let payload = serde_json::to_string(payload).map_err(|error| Error::Bug(error.to_string()))?;
    Ok(Some(Mails { event, payload, to }))
}

/// A post makes no notifications if those of its team are switched off (decision 37).
fn posted(
    tx: &mut Tx,
    org: i64,
    at: Time,
    (discussion, comment, author): (&Discussion, Option<i64>, Option<i64>),
    mentions: Vec<i64>,
    (after, limit): (i64, i64),
) -> Result<Planned> {
    let Discussion { team, id, private, .. } = discussion;
    if !journal::notifies(&team.notification_setting) {
        return Ok(Planned::default());
    }
    let post = notices::Post { team: team.id, discussion: *id, private: *private, author, mentions: &mentions };
    let notices::Page { recipients, next } = notices::recipients(tx, org, &post, after, limit)?;
    let to = recipients.iter().filter(|recipient| recipient.mail).map(|recipient| recipient.user).collect();
    let mails = mails("mail.post", &OfPost { discussion: *id, comment, mentions }, to)?;
    let notices = (!recipients.is_empty()).then_some(Notices { discussion: *id, comment, at, recipients });
    Ok(Planned { mails, notices, next })
}
