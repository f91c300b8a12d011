//! Which e-mails and notices follow from an entry. Recipients are planned in steps, so that a post in a team of
//! thousands is done in transactions of limited size.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::hook_off;
use super::hourly::{Hourly, Turn};
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::journal::{self, EventEntry, Mentions};
use crate::notices::{self, Reason, Recipient};

/// The event of an e-mail about a post, and that of the last one of the hour.
pub(super) const POST: &str = "mail.post";
pub(super) const LAST_POST: &str = "mail.last_post";

/// The e-mails of one step: the same event for several recipients.
#[derive(Debug, PartialEq, Eq)]
pub struct Mails {
    /// The kind of letter that [`super::compose`] composes.
    pub event: &'static str,
    /// What they are about, as JSON.
    pub payload: String,
    /// The team of the post that they are about; none for other e-mails.
    pub team: Option<i64>,
    /// The recipients: the identifier of a person, or the negated identifier of an invitation.
    pub to: Vec<i64>,
}

/// The notices of one step, for the inboxes.
#[derive(Debug)]
pub struct Notices {
    /// The discussion.
    pub discussion: i64,
    /// The comment, unless it is the discussion itself.
    pub comment: Option<i64>,
    /// When it was posted or edited.
    pub at: Time,
    /// The people who are notified.
    pub recipients: Vec<Recipient>,
}

/// What one step plans for an entry.
#[derive(Debug, Default)]
pub struct Planned {
    /// The e-mails: of two events at most.
    pub mails: Vec<Mails>,
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
struct InvitationAccepted {
    invitation: i64,
    inviter: Option<i64>,
    person: Identified,
    teams: Vec<String>,
}

#[derive(Deserialize)]
struct DiscussionWritten {
    discussion: Discussion,
    #[serde(flatten)]
    mentions: Mentions,
}

#[derive(Deserialize)]
struct CommentWritten {
    comment: Comment,
    #[serde(flatten)]
    mentions: Mentions,
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
    /// The recipients whom the post mentions.
    pub mentions: Vec<i64>,
    /// The number of the entry, if the post was edited.
    #[serde(default)]
    pub edit: Option<i64>,
}

/// The payload of an e-mail about an invitation, and the facts of an event that asks for one.
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
pub fn plan(
    tx: &mut Tx,
    org: i64,
    entry: &EventEntry,
    (after, limit): (i64, i64),
    hourly: &mut Hourly,
) -> Result<Planned> {
    let planned = match entry.event.as_str() {
        "organization.member_invited" => facts(org, entry).map(invited),
        "invitation.mailed" => facts(org, entry).map(|facts| about("mail.invitation", &facts)),
        "invitation.reminded" => facts(org, entry).map(|facts| about("mail.reminder", &facts)),
        "invitation.accepted" => facts(org, entry).map(|facts| accepted(org, facts)),
        "hook.switched_off" => facts(org, entry).map(|facts| switched_off(tx, org, entry, &facts)),
        "discussion.created" | "discussion.edited" => facts(org, entry).map(|facts| {
            let DiscussionWritten { discussion, mentions } = facts;
            let author = discussion.author;
            let post = Posted { discussion, comment: None, author, mentions };
            posted(tx, org, entry, post, (after, limit), hourly)
        }),
        "discussion_comment.created" | "discussion_comment.edited" => facts(org, entry).map(|facts| {
            let CommentWritten { comment: Comment { discussion, id, author }, mentions } = facts;
            let post = Posted { discussion, comment: Some(id), author, mentions };
            posted(tx, org, entry, post, (after, limit), hourly)
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
    about("mail.invitation", &OfInvitation { invitation: id, generation })
}

fn about(event: &'static str, of: &OfInvitation) -> Result<Planned> {
    one(event, of, -of.invitation)
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
    Ok(Planned { mails: mails("mail.hook_off", &about, None, to)?, ..Planned::default() })
}

fn one(event: &'static str, payload: &impl Serialize, to: i64) -> Result<Planned> {
    Ok(Planned { mails: mails(event, payload, None, vec![to])?, ..Planned::default() })
}

fn mails(event: &'static str, payload: &impl Serialize, team: Option<i64>, to: Vec<i64>) -> Result<Vec<Mails>> {
    if to.is_empty() {
        return Ok(Vec::new());
    }
    let payload = serde_json::to_string(payload).map_err(|error| Error::Bug(error.to_string()))?;
    Ok(vec![Mails { event, payload, team, to }])
}

/// A new post, or one that was edited.
struct Posted {
    discussion: Discussion,
    comment: Option<i64>,
    author: Option<i64>,
    mentions: Mentions,
}

/// A post makes no notifications if those of its team are switched off, and no e-mail to a person who has had those of
/// the hour (decision 37).
fn posted(
    tx: &mut Tx,
    org: i64,
    entry: &EventEntry,
    Posted { discussion, comment, author, mentions }: Posted,
    (after, limit): (i64, i64),
    hourly: &mut Hourly,
) -> Result<Planned> {
    let Discussion { team, id: discussion, private, .. } = discussion;
    if !journal::notifies(&team.notification_setting) {
        return Ok(Planned::default());
    }
    let edit = entry.event.ends_with(".edited").then_some(entry.number);
    let (is_new, writers) = (edit.is_none(), [author, entry.actor_id]);
    let Mentions { people: mentions, teams: mentioned_teams } = &mentions;
    let post = notices::Post { team: team.id, discussion, private, is_new, writers, mentions, mentioned_teams };
    let notices::Page { recipients, next } = notices::recipients(tx, org, &post, hourly.since, (after, limit))?;
    let (mut to, mut last) = (Vec::new(), Vec::new());
    for recipient in recipients.iter().filter(|recipient| recipient.mail) {
        match hourly.take(team.id, recipient) {
            Turn::Mail => to.push(recipient.user),
            Turn::Last => last.push(recipient.user),
            Turn::Inbox => {}
        }
    }
    let mentioned = recipients.iter().filter(|recipient| recipient.reason == Reason::Mention);
    let about = OfPost { discussion, comment, mentions: mentioned.map(|recipient| recipient.user).collect(), edit };
    let mut planned = mails(POST, &about, Some(team.id), to)?;
    planned.extend(mails(LAST_POST, &about, Some(team.id), last)?);
    let notices = (!recipients.is_empty()).then_some(Notices { discussion, comment, at: entry.at, recipients });
    Ok(Planned { mails: planned, notices, next })
}
