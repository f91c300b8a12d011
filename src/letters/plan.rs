//! The e-mails and notices that follow from an entry. Recipients are planned in steps, so that a post in a team of
//! thousands is done in transactions of limited size.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::application::OfApplication;
use super::email::{OfAddress, OfChange};
use super::ending::OfEnd;
use super::hook_off;
use super::hourly::{Hourly, Turn};
use super::joining::{self, OfRequest};
use super::sign_in::OfSignIn;
use crate::clock::Time;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::hooks::plan::Wanted;
use crate::journal::{DiscussionFacts, EventEntry, Mentions, Notification, Post};
use crate::notices::{self, Reason, Recipient};

/// The event of an e-mail about a post, and that of the last one of the hour.
pub(super) const POST: &str = "mail.post";
pub(super) const LAST_POST: &str = "mail.last_post";

/// The notices of one step, for the inboxes.
#[derive(Debug)]
pub struct Notices {
    /// The discussion.
    pub discussion: i64,
    /// The comment, unless it is the discussion itself.
    pub comment: Option<i64>,
    /// The time at which it was posted or edited.
    pub at: Time,
    /// The people who are notified.
    pub recipients: Vec<Recipient>,
}

/// The result of one step for an entry.
#[derive(Debug, Default)]
pub struct Planned {
    /// The e-mails: of two events at most, each the kind of letter that [`super::compose`] composes.
    pub mails: Vec<Wanted>,
    /// The notices.
    pub notices: Option<Notices>,
    /// The last recipient that was read, if there may be more.
    pub next: Option<i64>,
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

/// Plans what follows from an entry for the next recipients after this one, up to this many. An event that cannot be
/// read is skipped.
pub fn plan(tx: &mut Tx, org: i64, entry: &EventEntry, read: (i64, i64), hourly: &mut Hourly) -> Result<Planned> {
    let Some(facts) = entry.read(org) else { return Ok(Planned::default()) };
    let mails = match facts.event.notification() {
        Some(Notification::Invitation { invitation, generation, mail: true }) => {
            mails("mail.invitation", &OfInvitation { invitation, generation }, None, vec![-invitation])?
        }
        Some(Notification::Reminder { invitation, generation }) => {
            mails("mail.reminder", &OfInvitation { invitation, generation }, None, vec![-invitation])?
        }
        Some(Notification::MembershipEnds { team, user, expires_at }) => {
            mails("mail.membership_ends", &OfEnd { team, expires_at }, None, vec![user])?
        }
        Some(Notification::Acceptance { invitation, inviter, person, teams }) => {
            let to = inviter.filter(|inviter| *inviter != person).into_iter().collect();
            mails("mail.accepted", &OfAcceptance { org, invitation, person, teams: teams.to_vec() }, None, to)?
        }
        Some(Notification::SignIn { sign_in, user, signs_up }) => {
            let to = user.or_else(|| signs_up.then_some(-sign_in));
            mails("mail.sign_in", &OfSignIn { sign_in }, None, to.into_iter().collect())?
        }
        Some(Notification::ApplicationAsked { application, person }) => {
            let to = hook_off::recipients(tx, org)?;
            mails("mail.application", &OfApplication { org, application, person }, None, to)?
        }
        Some(Notification::JoinAsked { team, request }) => {
            let to = joining::deciders(tx, org, team)?;
            mails("mail.join_asked", &OfRequest { request }, None, to)?
        }
        Some(Notification::JoinDecided { request, person }) => {
            mails("mail.join_decided", &OfRequest { request }, None, vec![person])?
        }
        Some(Notification::HookOff { hook }) => {
            let to = hook_off::recipients(tx, org)?;
            mails("mail.hook_off", &json!({ "hook": hook, "entry": entry.number }), None, to)?
        }
        Some(Notification::EmailAdded { user, email, generation }) => {
            mails("mail.email_added", &OfAddress { email, generation }, None, vec![user])?
        }
        Some(Notification::EmailChanged { user, address, change }) => {
            let about = OfChange { address: address.to_owned(), change, entry: entry.number };
            mails("mail.email_changed", &about, None, vec![user])?
        }
        Some(Notification::Post { post, mentions, edited }) => {
            return posted(tx, org, entry, (post, mentions, edited), read, hourly);
        }
        Some(Notification::Invitation { mail: false, .. }) | None => Vec::new(),
    };
    Ok(Planned { mails, ..Planned::default() })
}

fn mails(event: &'static str, payload: &impl Serialize, team: Option<i64>, to: Vec<i64>) -> Result<Vec<Wanted>> {
    if to.is_empty() {
        return Ok(Vec::new());
    }
    let payload = serde_json::to_string(payload).map_err(|error| Error::Bug(error.to_string()))?;
    Ok(vec![Wanted { event: event.to_owned(), payload, team, to, ..Wanted::default() }])
}

/// A post makes no notifications if those of its team are switched off, and no e-mail to a person who has had those of
/// the hour (decision 37).
fn posted(
    tx: &mut Tx,
    org: i64,
    entry: &EventEntry,
    (post, Mentions { people: mentions, teams: mentioned_teams }, edited): (Post<'_>, &Mentions, bool),
    (after, limit): (i64, i64),
    hourly: &mut Hourly,
) -> Result<Planned> {
    let DiscussionFacts { team, id: discussion, private, .. } = post.discussion();
    if !team.notifies() {
        return Ok(Planned::default());
    }
    let (comment, author) = match post {
        Post::Discussion(discussion) => (None, discussion.author),
        Post::Comment(comment) => (Some(comment.id), comment.author),
    };
    let (discussion, private, writers) = (*discussion, *private, [author, entry.actor_id]);
    let post =
        notices::Post { team: team.id, discussion, private, is_new: !edited, writers, mentions, mentioned_teams };
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
    let edit = edited.then_some(entry.number);
    let about = OfPost { discussion, comment, mentions: mentioned.map(|recipient| recipient.user).collect(), edit };
    let mut planned = mails(POST, &about, Some(team.id), to)?;
    planned.extend(mails(LAST_POST, &about, Some(team.id), last)?);
    let notices = (!recipients.is_empty()).then_some(Notices { discussion, comment, at: entry.at, recipients });
    Ok(Planned { mails: planned, notices, next })
}
